//! What is written to the table `operation`: a new row, and a decision with its event.

use rusqlite::{Connection, params};
use serde::Serialize;
use wire::ids::CustomerId;
use wire::purchase::PlacedOrder;

use crate::decide::{Decision, Next};
use crate::evidence::compare::Evidence;
use crate::evidence::snapshot::Snapshot;
use crate::journal::row::{Row, StoredRefusal};
use crate::journal::sets::{open_states, states_without_effect};
use crate::journal::{Journal, JournalError, chain};
use crate::kill_points::{Point, reached};
use crate::words::cause::Cause;
use crate::words::finding::Finding;
use crate::words::fingerprint::Fingerprint;
use crate::words::schedule::MANY;
use crate::words::state::{OperationId, Reason, Said, State};
use crate::writes::intent::Intent;

/// The changes of a commit besides the decision.
#[derive(Default)]
pub struct Change<'a> {
    /// The event before that of the new state; without a cause, the answer that was not a yes.
    pub cause: Option<Cause>,
    /// Whether this send is an automatic repeat.
    pub counts_as_repeat: bool,
    /// The vendor's yes to an order.
    pub answer: Option<&'a PlacedOrder>,
    /// The answer, if it was not a yes, or the failure in its place.
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
        self.operations().find(&OperationId(id))
    }

    /// Commits a decision with its event. `None` if another operation holds the target, the move was already taken
    /// back, or the row is no longer as it was when this was decided. `now` is wall clock, ms since 1970.
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
        // Also by a counter-move that was refused and is found done all the same.
        let becomes_done = decision.state.is_done() && !row.state.is_done();
        if let Some(first) = counter_of.filter(|_| becomes_done) {
            close_doubled(&transaction, started, first, now)?;
        }
        transaction.commit()?;
        if decision.state == State::Sending {
            reached(Point::Sending);
            self.keep_send(&row.id.0)?;
            reached(Point::Recorded);
        }
        self.operations().find(&row.id)
    }

    /// Whether another operation holds a target. The move `counter_of`, which is taken back, does not count.
    ///
    /// # Errors
    /// [`JournalError`] when the journal cannot be read.
    pub fn is_held(&self, target: &str, counter_of: Option<&OperationId>) -> Result<bool, JournalError> {
        Ok(is_held(&self.db, target, "", counter_of)?)
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
pub(crate) fn insert(transaction: &rusqlite::Transaction<'_>, new: &New<'_>) -> Result<Option<String>, JournalError> {
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

/// Whether a move was already taken back, or may have been; restored rows, which the unique index leaves out, included.
pub(crate) fn is_taken_back(db: &Connection, first: Option<&OperationId>, own: &str) -> rusqlite::Result<bool> {
    // No index serves this query. Most operations take nothing back, and must not read the whole table.
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

/// Gives an operation a state, with an event before that of the state.
pub(crate) fn enter(
    transaction: &rusqlite::Transaction<'_>,
    started: std::time::Instant,
    id: &str,
    before: &str,
    state: State,
    now: i64,
) -> rusqlite::Result<()> {
    let update = "UPDATE operation SET state = ?2, version = version + 1 WHERE id = ?1";
    transaction.prepare_cached(update)?.execute([id, state.word()])?;
    chain::append(transaction, started, id, before, now)?;
    chain::append(transaction, started, id, state.word(), now)
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
