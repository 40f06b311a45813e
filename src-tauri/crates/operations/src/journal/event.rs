//! The table `event`: what happened, append-only.

use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use ts_rs::TS;

use crate::journal::row::{Row, StoredEvent};
use crate::journal::sets::kinds_that_show;
use crate::journal::{Journal, JournalError, chain};
use crate::words::bulk::BulkId;
use crate::words::cause::Cause;
use crate::words::state::{Kind, OperationId, State};
use crate::writes::intent::Intent;

/// An operation to which something happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Touch {
    /// Its kind.
    pub kind: Kind,
    /// Its state.
    pub state: State,
    /// Whether anything left this computer.
    pub was_sent: bool,
    /// Whether its effect is to be expected no more: it ended, or waits for a person.
    pub has_ended: bool,
    /// The customer, or the name of one to be created; the wallet for an order.
    pub target: String,
    /// The bulk that it is a row of.
    pub bulk: Option<BulkId>,
    /// The number of its newest event.
    pub at: i64,
}

/// Everything that happened since an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Touches {
    /// The number of the newest event: pass it as `since` next time.
    pub position: i64,
    /// The operations, each once.
    pub rows: Vec<Touch>,
    /// Bulks with rows that wait or are under way: these have not ended yet.
    pub open_bulks: Vec<BulkId>,
}

/// Whether anything was sent to a target after an event.
pub(super) fn was_sent_since(db: &rusqlite::Connection, target: &str, event: i64) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM operation JOIN event ON event.operation = operation.id
        WHERE operation.target = ?1 AND event.what = 'sending' AND event.number > ?2)";
    db.prepare_cached(query)?.query_row(params![target, event], |row| row.get(0))
}

/// Whether the target of an intent got a newer value of the same kind: one that was confirmed after this bulk, and was
/// neither refused nor left unsent.
pub(super) fn was_set_since(db: &rusqlite::Connection, intent: &Intent, bulk: &BulkId) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM operation
        WHERE target = ?1 AND kind = ?2 AND state NOT IN ('not-sent', 'rejected') AND bulk IS NOT ?3
            AND coalesce((SELECT seen FROM bulk WHERE id = operation.bulk),
                (SELECT min(number) FROM event WHERE event.operation = operation.id))
                > (SELECT seen FROM bulk WHERE id = ?3))";
    db.prepare_cached(query)?.query_row(params![intent.target(), intent.kind().word(), bulk.0], |row| row.get(0))
}

/// Reads the table.
pub struct EventTable<'a>(pub(super) &'a Journal);

impl EventTable<'_> {
    /// Whether an operation has an event of this cause.
    pub(crate) fn has(&self, row: &Row, cause: Cause) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM event WHERE operation = ?1 AND what = ?2)";
        Ok(self.0.db.query_row(query, [&row.id.0, cause.word()], |row| row.get(0))?)
    }

    /// The hash of the event with a number; `None` if the journal ends before it.
    pub(crate) fn hash_of(&self, number: i64) -> Result<Option<String>, JournalError> {
        let query = "SELECT hash FROM event WHERE number = ?1";
        Ok(self.0.db.query_row(query, [number], |row| row.get(0)).optional()?)
    }

    /// The events of an operation, oldest first.
    ///
    /// # Errors
    /// [`JournalError`] when the journal cannot be read.
    pub fn of(&self, id: &OperationId) -> Result<Vec<StoredEvent>, JournalError> {
        let all = "SELECT number, wall, what FROM event WHERE operation = ?1 ORDER BY number";
        let mut query = self.0.db.prepare_cached(all)?;
        let event =
            |row: &rusqlite::Row<'_>| Ok(StoredEvent { number: row.get(0)?, wall: row.get(1)?, what: row.get(2)? });
        Ok(query.query_map([&id.0], event)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Number and wall time of every event between two numbers, both included, newest first.
    pub(crate) fn walls(&self, first: i64, last: i64) -> Result<Vec<(i64, i64)>, JournalError> {
        let between = "SELECT number, wall FROM event WHERE number BETWEEN ?1 AND ?2 ORDER BY number DESC";
        let mut query = self.0.db.prepare_cached(between)?;
        let walls = query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(walls.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether every event carries the hash of the one before it, and every operation is as its last event left it.
    ///
    /// # Errors
    /// [`JournalError`] when the journal cannot be read.
    pub fn chain_holds(&self) -> Result<bool, JournalError> {
        Ok(chain::holds(&self.0.db)?)
    }

    /// The number of the newest event; 0 if there is none.
    pub(crate) fn last_number(&self) -> Result<i64, JournalError> {
        Ok(self.0.db.query_row("SELECT coalesce(max(number), 0) FROM event", [], |row| row.get(0))?)
    }

    /// Whether anything was sent to a target after an event.
    pub(crate) fn was_sent_since(&self, target: &str, event: i64) -> Result<bool, JournalError> {
        Ok(was_sent_since(&self.0.db, target, event)?)
    }

    /// Whether another operation of the same target was sent after this one was last sent. Settings do not
    /// count, because no check can show them.
    ///
    /// # Errors
    /// [`JournalError`] when the journal cannot be read.
    pub fn was_another_sent_since(&self, row: &Row) -> Result<bool, JournalError> {
        let query = format!(
            "SELECT EXISTS (SELECT 1 FROM event JOIN operation ON operation.id = event.operation
             WHERE operation.target = ?2 AND operation.id IS NOT ?1 AND event.what = ?3
                 AND operation.kind IN ({}) AND event.number >
                 (SELECT coalesce(max(number), 0) FROM event WHERE operation = ?1 AND what = ?3))",
            kinds_that_show()
        );
        let sending = State::Sending.word();
        Ok(self.0.db.query_row(&query, params![row.id.0, row.target, sending], |row| row.get(0))?)
    }

    pub(crate) fn touches(&self, since: i64) -> Result<Touches, JournalError> {
        let position = self.last_number()?;
        let mut query = self.0.db.prepare_cached(
            "SELECT kind, state, coalesce(customer, target), bulk, max(event.number)
             FROM event JOIN operation ON operation.id = event.operation
             WHERE event.number > ?1 AND event.number <= ?2 GROUP BY operation.id ORDER BY 5",
        )?;
        let rows = query.query_map(params![since, position], |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, String>(1)?,
                row.get(2)?,
                row.get::<_, Option<String>>(3)?,
                row.get(4)?,
            ))
        })?;
        let rows = rows.map(|row| {
            let (kind, state, target, bulk, at) = row?;
            let state = State::from_word(&state).ok_or(JournalError::Unreadable)?;
            Ok(Touch {
                kind: Kind::from_word(&kind).ok_or(JournalError::Unreadable)?,
                state,
                was_sent: state.was_sent(),
                has_ended: state.has_ended(),
                target,
                bulk: bulk.map(BulkId),
                at,
            })
        });
        let rows = rows.collect::<Result<_, JournalError>>()?;
        Ok(Touches { position, rows, open_bulks: self.0.bulks().open_ids()? })
    }
}
