//! The table `operation`: one row for each write, from its confirmation to its end.

pub mod customer;
mod due;
mod neighbours;
pub(super) mod sent;

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use wire::ids::CustomerId;
use wire::purchase::PlacedOrder;

use crate::decide::{Decision, Next};
use crate::evidence::compare::Evidence;
use crate::evidence::snapshot::Snapshot;
use crate::journal::row::{Row, StoredRefusal};
use crate::journal::sets::{kinds_that_show, open_states, states_without_effect};
use crate::journal::{Journal, JournalError, chain};
use crate::kill_points::{Point, reached};
use crate::words::cause::Cause;
use crate::words::finding::Finding;
use crate::words::fingerprint::Fingerprint;
use crate::words::schedule::MANY;
use crate::words::state::{Kind, OperationId, Reason, Said, State};
use crate::writes::intent::Intent;

/// The changes of a commit besides the decision.
#[derive(Default)]
pub struct Change<'a> {
    /// The event before that of the new state; a vendor's no is one by itself.
    pub cause: Option<Cause>,
    /// Whether this send is an automatic repeat.
    pub counts_as_repeat: bool,
    /// The vendor's yes to an order.
    pub answer: Option<&'a PlacedOrder>,
    /// The vendor's no.
    pub refusal: Option<&'a StoredRefusal>,
    /// Whether a send ended: `refusal` and `said` then replace those of the answer before, even if they are `None`.
    pub answered: bool,
    /// Whether checks are counted again from 0.
    pub counts_anew: bool,
    /// The meaning of the answer; `None` if it said nothing.
    pub said: Option<Said>,
    /// The result of a check.
    pub finding: Option<Finding>,
    /// Whether the check was outside the schedule.
    pub unplanned: bool,
    /// The evidence of the check.
    pub evidence: Option<&'a Evidence>,
    /// The snapshot before a send.
    pub baseline: Option<&'a Snapshot>,
    /// The customer that was created.
    pub customer: Option<&'a CustomerId>,
    /// Whether only a person sends it again.
    pub no_more_repeats: bool,
}

/// A list has room for this many open operations besides the newest: nobody reads more.
const MOST_OPEN: usize = 500;

/// A new operation.
pub(crate) struct New<'a> {
    pub(crate) nonce: &'a str,
    pub(crate) intent: &'a Intent,
    pub(crate) baseline: Option<&'a Snapshot>,
    pub(crate) price_ends: Option<i64>,
    pub(crate) bulk: Option<&'a str>,
    pub(crate) fingerprint: Option<&'a Fingerprint>,
    pub(crate) now: i64,
}

pub(crate) const COLUMNS: &str = "id, kind, target, state, reason, intent, request, created, in_doubt, repeats, next_at, alarm, answer, refusal, \
     price_ends, said, looks, agreeing, baseline, evidence, version, bulk, customer, fingerprint";

impl Journal {
    /// Commits an intent as `prepared`. `price_ends` and `now` are wall clock, ms since 1970. `None` if another
    /// operation holds the target, the move was already taken back, or the confirmation was already used.
    ///
    /// # Errors
    /// [`JournalError`] when the journal cannot be written; then nothing may be sent.
    pub fn prepare(
        &mut self,
        nonce: &str,
        intent: &Intent,
        baseline: Option<&Snapshot>,
        price_ends: Option<i64>,
        fingerprint: Option<&Fingerprint>,
        now: i64,
    ) -> Result<Option<Row>, JournalError> {
        self.back_up_if_due(now);
        let started = self.started;
        let transaction = self.db.transaction()?;
        let new = New { nonce, intent, baseline, price_ends, bulk: None, fingerprint, now };
        let inserted = insert(&transaction, &new)?;
        let Some(id) = inserted else { return Ok(None) };
        chain::append(&transaction, started, &id, State::Prepared.word(), now)?;
        transaction.commit()?;
        self.find(&OperationId(id))
    }

    /// Commits a decision with its event. `None` if another operation holds the target, or the row has changed since it
    /// was decided from. `now` is wall clock, ms since 1970.
    ///
    /// # Errors
    /// [`JournalError`] when it cannot be written. After [`JournalError::NotRecorded`] it is written, but must not
    /// leave.
    pub fn commit(
        &mut self,
        row: &Row,
        decision: &Decision,
        change: &Change<'_>,
        now: i64,
    ) -> Result<Option<Row>, JournalError> {
        let started = self.started;
        let next_at = match decision.next {
            Next::RepeatAfter(wait) | Next::CheckAfter(wait) => Some(now + wait.as_millis() as i64),
            Next::AsPlanned => row.next_at,
            _ => None,
        };
        let in_doubt = row.in_doubt || decision.state.is_unconfirmed();
        let (checks, agreeing) = checks_after(row, change);
        let transaction = self.db.transaction()?;
        let counter_of = row.intent.moved().and_then(|moved| moved.counter_of.as_ref());
        let opens = decision.state.is_open() && !row.state.is_open();
        let is_held = || -> rusqlite::Result<bool> {
            let is_held = is_held(&transaction, &row.target, &row.id.0, counter_of)?;
            Ok(is_held || is_taken_back(&transaction, counter_of, &row.id.0)?)
        };
        if opens && is_held()? {
            return Ok(None);
        }
        let mut update = transaction.prepare_cached(
            "UPDATE OR IGNORE operation SET state = ?3, reason = ?4, in_doubt = ?5, repeats = repeats + ?6, next_at = ?7,
             alarm = ?8, answer = coalesce(?9, answer), refusal = CASE WHEN ?16 THEN ?10 ELSE refusal END,
             said = CASE WHEN ?16 THEN ?11 ELSE said END, looks = ?12, agreeing = ?13,
             evidence = coalesce(?14, evidence), baseline = coalesce(?15, baseline), customer = coalesce(?18, customer),
             version = version + 1
             WHERE id = ?1 AND state = ?2 AND version = ?17",
        )?;
        let changed = update.execute(params![
            row.id.0,
            row.state.word(),
            decision.state.word(),
            decision.reason.map(Reason::word),
            in_doubt,
            if change.no_more_repeats { MANY } else { i64::from(change.counts_as_repeat) },
            next_at,
            decision.alarm,
            change.answer.map(text).transpose()?,
            change.refusal.map(text).transpose()?,
            change.said.map(Said::word),
            checks as i64,
            agreeing as i64,
            change.evidence.map(text).transpose()?,
            change.baseline.map(text).transpose()?,
            change.answered,
            row.version,
            change.customer.map(CustomerId::as_str)
        ])?;
        drop(update);
        if changed == 0 {
            return Ok(None);
        }
        let answer = change.refusal.map(StoredRefusal::evidence);
        if let Some(before) = change.cause.map(Cause::word).or(answer.as_deref()) {
            chain::append(&transaction, started, &row.id.0, before, now)?;
        }
        chain::append(&transaction, started, &row.id.0, decision.state.word(), now)?;
        let was_done = decision.state.is_done();
        if let Some(first) = counter_of.filter(|_| was_done && row.state.is_open()) {
            close_doubled(&transaction, started, first, now)?;
        }
        transaction.commit()?;
        if decision.state == State::Sending {
            reached(Point::Sending);
            self.keep_send(&row.id.0)?;
            reached(Point::Recorded);
        }
        self.find(&row.id)
    }

    /// One operation; `None` if there is none with this id.
    ///
    /// # Errors
    /// [`JournalError`] when it cannot be read.
    pub fn find(&self, id: &OperationId) -> Result<Option<Row>, JournalError> {
        find(&self.db, id)
    }

    /// Whether another operation holds a target. The move `counter_of`, which is taken back, does not count.
    ///
    /// # Errors
    /// [`JournalError`] when the journal cannot be read.
    pub fn is_held(&self, target: &str, counter_of: Option<&OperationId>) -> Result<bool, JournalError> {
        Ok(is_held(&self.db, target, "", counter_of)?)
    }

    /// All operations, newest first.
    ///
    /// # Errors
    /// [`JournalError`] when they cannot be read.
    pub fn all(&self) -> Result<Vec<Row>, JournalError> {
        self.select("ORDER BY created DESC, rowid DESC", [])
    }

    /// All operations that a start has to decide about: open ones and those with a plan, oldest first.
    ///
    /// # Errors
    /// [`JournalError`] when they cannot be read.
    pub fn under_way(&self) -> Result<Vec<Row>, JournalError> {
        let open = open_states();
        self.select(&format!("WHERE state IN ({open}) OR next_at IS NOT NULL ORDER BY created"), [])
    }

    /// The operation of a kind last sent to a target. Those in `not-sent` do not count.
    ///
    /// # Errors
    /// [`JournalError`] when it cannot be read.
    pub fn last_sent(&self, kind: Kind, target: &str) -> Result<Option<Row>, JournalError> {
        let query = "WHERE target = ?1 AND kind = ?2 AND state <> 'not-sent' ORDER BY
            (SELECT max(number) FROM event WHERE event.operation = operation.id AND what = 'sending') DESC LIMIT 1";
        Ok(self.select(query, params![target, kind.word()])?.pop())
    }

    /// Operations that a clause after the table's name selects.
    pub(crate) fn select(&self, clause: &str, values: impl rusqlite::Params) -> Result<Vec<Row>, JournalError> {
        let mut query = self.db.prepare_cached(&format!("SELECT {COLUMNS} FROM operation {clause}"))?;
        query.query_map(values, |row| Ok(read(row)))?.map(|row| row?).collect()
    }

    /// The refused operations of a target.
    pub(crate) fn refused(&self, target: &str) -> Result<Vec<Row>, JournalError> {
        self.select("WHERE target = ?1 AND state = 'refused'", [target])
    }

    /// All orders, newest first.
    pub(crate) fn orders(&self) -> Result<Vec<Row>, JournalError> {
        self.select("WHERE kind = 'place-and-pay' ORDER BY created DESC, rowid DESC", [])
    }

    /// All open operations and the newest `most`, newest first. Rows of bulks only if their outcome is not confirmed.
    pub(crate) fn recent(&self, most: usize) -> Result<Vec<Row>, JournalError> {
        let open = open_states();
        self.select(
            &format!(
                "WHERE (bulk IS NULL AND state IN ({open})) OR state IN ('unknown', 'needs-you') OR
                 id IN (SELECT id FROM operation WHERE bulk IS NULL ORDER BY created DESC, rowid DESC LIMIT ?1)
                 ORDER BY created DESC, rowid DESC LIMIT ?2"
            ),
            [most as i64, (most + MOST_OPEN) as i64],
        )
    }

    /// Whether any refused operation is still watched.
    pub(crate) fn has_watched(&self) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM operation WHERE state = 'refused' AND next_at IS NOT NULL)";
        Ok(self.db.query_row(query, [], |row| row.get(0))?)
    }

    /// Whether the records of an operation that was brought back could be those of another one: one that was brought
    /// back with it, one that was sent after it, or one that the journal does not know.
    pub(crate) fn may_be_mistaken(&self, row: &Row) -> Result<bool, JournalError> {
        let query = format!(
            "SELECT restored IS NOT NULL AND (?2 OR EXISTS (
                 SELECT 1 FROM restoration WHERE at = operation.restored AND NOT complete
             ) OR EXISTS (
                 SELECT 1 FROM operation AS other
                 WHERE other.target = operation.target AND other.id <> operation.id
                     AND other.restored = operation.restored
                     AND other.kind IN ({}) AND other.state NOT IN ({})
                     AND other.counter_of IS NOT operation.id AND operation.counter_of IS NOT other.id
             )) FROM operation WHERE id = ?1",
            kinds_that_show(),
            states_without_effect()
        );
        let another = self.was_another_sent_since(row)?;
        Ok(self.db.prepare_cached(&query)?.query_row(params![row.id.0, another], |row| row.get(0))?)
    }
}

/// The number of checks after a change, and how many of them in a row found nothing.
fn checks_after(row: &Row, change: &Change<'_>) -> (usize, usize) {
    match change.finding {
        None if change.answered || change.counts_anew => (0, 0),
        // A check that a person asked for is outside the schedule.
        _ if change.unplanned => (row.checks, row.agreeing),
        None => (row.checks, row.agreeing),
        Some(Finding::Nothing) => (row.checks + 1, row.agreeing + 1),
        Some(Finding::Unreadable) => (row.checks + 1, row.agreeing),
        Some(_) => (row.checks + 1, 0),
    }
}

/// Inserts an operation as `prepared`, with a key of its own. `None` if the target is held, the move was already taken
/// back, or the nonce was already used.
pub(super) fn insert(transaction: &rusqlite::Transaction<'_>, new: &New<'_>) -> Result<Option<String>, JournalError> {
    let (id, key) = (uuid::Uuid::new_v4().to_string(), uuid::Uuid::new_v4().to_string());
    let counter_of = new.intent.moved().and_then(|moved| moved.counter_of.as_ref());
    let target = new.intent.target();
    if is_held(transaction, &target, &id, counter_of)? || is_taken_back(transaction, counter_of, &id)? {
        return Ok(None);
    }
    let mut insert = transaction.prepare_cached(
        "INSERT INTO operation (id, kind, target, state, nonce, key, intent, request, created, price_ends, baseline,
         counter_of, bulk, fingerprint) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) ON CONFLICT DO NOTHING",
    )?;
    let inserted = insert.execute(params![
        id,
        new.intent.kind().word(),
        target,
        State::Prepared.word(),
        new.nonce,
        key,
        text(new.intent)?,
        text(&new.intent.request(&key))?,
        new.now,
        new.price_ends,
        new.baseline.map(text).transpose()?,
        counter_of.map(|first| &first.0),
        new.bulk,
        new.fingerprint.map(Fingerprint::as_str)
    ])?;
    Ok((inserted > 0).then_some(id))
}

fn text(value: &impl Serialize) -> Result<String, JournalError> {
    serde_json::to_string(value).map_err(|_| JournalError::Unreadable)
}

/// Whether a move was already taken back, or may have been. The unique index covers that too, but not restored rows.
pub(crate) fn is_taken_back(db: &Connection, first: Option<&OperationId>, own: &str) -> rusqlite::Result<bool> {
    // No index covers restored rows. Most operations take nothing back: they must not read the whole table.
    let Some(first) = first else { return Ok(false) };
    let query = format!(
        "SELECT EXISTS (SELECT 1 FROM operation WHERE counter_of = ?1 AND id IS NOT ?2 AND state NOT IN ({}))",
        states_without_effect()
    );
    db.query_row(&query, params![first.0, own], |row| row.get(0))
}

/// Whether another operation holds a target. One that takes another back may be open beside it.
pub(crate) fn is_held(
    db: &Connection,
    target: &str,
    own: &str,
    counter_of: Option<&OperationId>,
) -> rusqlite::Result<bool> {
    let query = format!(
        "SELECT EXISTS (SELECT 1 FROM operation WHERE target = ?1 AND id IS NOT ?2 AND id IS NOT ?3
             AND counter_of IS NOT ?2 AND state IN ({}))",
        open_states()
    );
    db.prepare_cached(&query)?.query_row(params![target, own, counter_of.map(|first| &first.0)], |row| row.get(0))
}

/// Closes a doubled operation whose second effect was taken back: the question is answered.
fn close_doubled(
    transaction: &rusqlite::Transaction<'_>,
    started: std::time::Instant,
    id: &OperationId,
    now: i64,
) -> rusqlite::Result<()> {
    let (doubled, closed) = (Reason::Doubled.word(), State::ResolvedApplied.word());
    let changed = transaction.execute(
        "UPDATE operation SET state = ?2, reason = NULL, alarm = 0, version = version + 1 WHERE id = ?1 AND state = ?3 AND reason = ?4",
        params![id.0, closed, State::NeedsYou.word(), doubled],
    )?;
    if changed > 0 {
        chain::append(transaction, started, &id.0, Cause::TakenBack.word(), now)?;
        chain::append(transaction, started, &id.0, closed, now)?;
    }
    Ok(())
}

/// One operation, also within a transaction; `None` if there is none with this id.
pub(super) fn find(db: &Connection, id: &OperationId) -> Result<Option<Row>, JournalError> {
    let mut query = db.prepare_cached(&format!("SELECT {COLUMNS} FROM operation WHERE id = ?1"))?;
    query.query_row([&id.0], |row| Ok(read(row))).optional()?.transpose()
}

pub(crate) fn read(row: &rusqlite::Row<'_>) -> Result<Row, JournalError> {
    fn json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, JournalError> {
        serde_json::from_str(text).map_err(|_| JournalError::Unreadable)
    }
    let word = |at: usize| row.get::<_, String>(at);
    let maybe = |at: usize| row.get::<_, Option<String>>(at);
    let kind = Kind::from_word(&word(1)?).ok_or(JournalError::Unreadable)?;
    Ok(Row {
        id: OperationId(word(0)?),
        kind,
        target: word(2)?,
        state: State::from_word(&word(3)?).ok_or(JournalError::Unreadable)?,
        reason: maybe(4)?.map(|word| Reason::from_word(&word).ok_or(JournalError::Unreadable)).transpose()?,
        intent: Intent::read(kind, &word(5)?).map_err(|_| JournalError::Unreadable)?,
        request: json(&word(6)?)?,
        created: row.get(7)?,
        in_doubt: row.get(8)?,
        repeats: row.get::<_, i64>(9)? as usize,
        next_at: row.get(10)?,
        alarm: row.get(11)?,
        answer: maybe(12)?.as_deref().map(json).transpose()?,
        refusal: maybe(13)?.as_deref().map(json).transpose()?,
        price_ends: row.get(14)?,
        said: maybe(15)?.map(|word| Said::from_word(&word).ok_or(JournalError::Unreadable)).transpose()?,
        checks: row.get::<_, i64>(16)? as usize,
        agreeing: row.get::<_, i64>(17)? as usize,
        baseline: maybe(18)?.as_deref().map(json).transpose()?,
        evidence: maybe(19)?.as_deref().map(json).transpose()?,
        version: row.get(20)?,
        bulk: maybe(21)?,
        customer: maybe(22)?.map(CustomerId::new),
        fingerprint: maybe(23)?.map(Fingerprint::read),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::row::tests::row;

    #[test]
    fn checks_are_counted_and_those_that_found_nothing_one_after_the_other() {
        let checked = |finding| Change { finding: Some(finding), ..Change::default() };
        let cases = [
            ("a plain commit", Change::default(), (3, 2)),
            ("an answer", Change { answered: true, ..Change::default() }, (0, 0)),
            ("a start", Change { counts_anew: true, ..Change::default() }, (0, 0)),
            ("nothing", checked(Finding::Nothing), (4, 3)),
            ("not readable", checked(Finding::Unreadable), (4, 2)),
            ("something else", checked(Finding::Disagree), (4, 0)),
            ("a person asked", Change { unplanned: true, ..checked(Finding::Disagree) }, (3, 2)),
            ("a person asked, nothing", Change { unplanned: true, ..checked(Finding::Nothing) }, (3, 2)),
        ];
        for (what, change, expected) in cases {
            assert_eq!(checks_after(&row(), &change), expected, "{what}");
        }
    }
}
