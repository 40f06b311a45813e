//! The table `operation`: one row for each write, from its confirmation to its end. Here it is read.

pub mod commit;
pub mod customer;
mod due;
mod neighbours;
pub(super) mod sent;

use rusqlite::{Connection, OptionalExtension, params};
use wire::ids::CustomerId;

use crate::journal::row::Row;
use crate::journal::sets::{done_states, kinds_that_show, open_states, states_without_effect};
use crate::journal::{Journal, JournalError};
use crate::words::fingerprint::Fingerprint;
use crate::words::state::{Kind, OperationId, Reason, Said, State};
use crate::writes::intent::Intent;
use crate::writes::order::TARGET;

/// The most open operations that a list shows besides the newest.
const MOST_OPEN: usize = 500;

pub(crate) const COLUMNS: &str = "id, kind, target, state, reason, intent, request, created, in_doubt, repeats, next_at, alarm, answer, refusal, \
     price_ends, said, looks, agreeing, baseline, evidence, version, bulk, customer, fingerprint";

/// Reads the table, and plans its next checks.
pub struct OperationTable<'a>(pub(super) &'a Journal);

impl OperationTable<'_> {
    /// One operation; `None` if there is none with this id.
    ///
    /// # Errors
    /// [`JournalError`] when it cannot be read.
    pub fn find(&self, id: &OperationId) -> Result<Option<Row>, JournalError> {
        find(&self.0.db, id)
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
        let mut query = self.0.db.prepare_cached(&format!("SELECT {COLUMNS} FROM operation {clause}"))?;
        query.query_map(values, |row| Ok(read(row)))?.map(|row| row?).collect()
    }

    /// The refused operations of a target.
    pub(crate) fn refused(&self, target: &str) -> Result<Vec<Row>, JournalError> {
        self.select("WHERE target = ?1 AND state = 'refused'", [target])
    }

    /// The refused moves of a target to which something happened after an event, and which are done.
    pub(crate) fn found_done_since(&self, target: &str, event: i64) -> Result<Vec<Row>, JournalError> {
        let done = done_states();
        self.select(
            &format!(
                "WHERE target = ?1 AND said = 'no' AND state IN ({done}) AND kind IN ('recharge', 'deduction')
                 AND id IN (SELECT operation FROM event WHERE number > ?2)"
            ),
            params![target, event],
        )
    }

    /// All orders, newest first.
    pub(crate) fn orders(&self) -> Result<Vec<Row>, JournalError> {
        self.select("WHERE kind = 'place-and-pay' ORDER BY created DESC, rowid DESC", [])
    }

    /// The orders that were not over at a time by the wall clock or when an event was recorded, oldest first. Those whose
    /// outcome is not known never are.
    pub(crate) fn orders_since(&self, at: i64, position: Option<i64>) -> Result<Vec<Row>, JournalError> {
        let (done, without_effect) = (done_states(), states_without_effect());
        let clause = format!(
            "WHERE target = ?1 AND (state NOT IN ({done}, {without_effect})
                 OR EXISTS (SELECT 1 FROM event WHERE event.operation = operation.id
                     AND (wall >= ?2 OR number > ?3)))
             ORDER BY created, rowid"
        );
        self.select(&clause, params![TARGET, at, position.unwrap_or(i64::MAX)])
    }

    /// The newest order; `None` if there is none.
    pub(crate) fn newest_order(&self) -> Result<Option<Row>, JournalError> {
        Ok(self.select("WHERE target = ?1 ORDER BY created DESC, rowid DESC LIMIT 1", [TARGET])?.pop())
    }

    /// The newest 40 operations of a kind that are no rows of bulks, newest first.
    pub(crate) fn last_of(&self, kind: Kind) -> Result<Vec<Row>, JournalError> {
        self.select("WHERE kind = ?1 AND bulk IS NULL ORDER BY created DESC, rowid DESC LIMIT 40", [kind.word()])
    }

    /// The open operations and the newest `most` of all, newest first; at most `most` + [`MOST_OPEN`]. Rows of bulks
    /// only if their outcome is not known.
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

    /// Whether an operation that is no row of a bulk waits for a person.
    pub(crate) fn needs_you(&self, id: &OperationId) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM operation WHERE id = ?1 AND state = 'needs-you' AND bulk IS NULL)";
        Ok(self.0.db.prepare_cached(query)?.query_row([&id.0], |row| row.get(0))?)
    }

    /// Whether any operation that is not open is still watched: a refused one, or a deduction that was found without a
    /// yes.
    pub(crate) fn has_watched(&self) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM operation WHERE next_at IS NOT NULL
             AND (state = 'refused' OR (kind = 'deduction' AND said IS NOT 'yes')))";
        Ok(self.0.db.query_row(query, [], |row| row.get(0))?)
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
        let another = self.0.events().was_another_sent_since(row)?;
        Ok(self.0.db.prepare_cached(&query)?.query_row(params![row.id.0, another], |row| row.get(0))?)
    }
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
