//! What operations did since a moment, in short: whoever shows figures of the vendor reads them again.

use rusqlite::params;
use serde::Serialize;
use ts_rs::TS;

use crate::engine::bulk::BulkId;
use crate::engine::{OperationError, Operations};
use crate::journal::sets::states_at_work;
use crate::journal::{Journal, JournalError};
use crate::words::state::{Kind, State};

/// An operation to which something happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Touch {
    /// What it does.
    pub kind: Kind,
    /// Where it stands.
    pub state: State,
    /// The customer, or the name of one to be; the wallet for an order.
    pub target: String,
    /// The bulk that it is a row of.
    pub bulk: Option<BulkId>,
    /// The number of its newest event.
    pub at: i64,
}

/// What happened since a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Touches {
    /// The newest event so far: ask from here the next time.
    pub position: i64,
    /// Each operation once.
    pub rows: Vec<Touch>,
    /// Bulks with rows that wait or are under way: theirs are not at their end yet.
    pub open_bulks: Vec<BulkId>,
}

impl Journal {
    fn touches(&self, since: i64) -> Result<Touches, JournalError> {
        let position = self.last_event()?;
        let mut query = self.db.prepare_cached(
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
            Ok(Touch {
                kind: Kind::from_word(&kind).ok_or(JournalError::Unreadable)?,
                state: State::from_word(&state).ok_or(JournalError::Unreadable)?,
                target,
                bulk: bulk.map(BulkId),
                at,
            })
        });
        let rows = rows.collect::<Result<_, JournalError>>()?;
        Ok(Touches { position, rows, open_bulks: self.open_bulks()? })
    }

    fn open_bulks(&self) -> Result<Vec<BulkId>, JournalError> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT id FROM bulk WHERE state <> 'finished'
             UNION SELECT bulk FROM operation WHERE bulk IS NOT NULL AND state IN ({})",
            states_at_work()
        ))?;
        let ids = query.query_map([], |row| row.get(0).map(BulkId))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }
}

impl Operations {
    /// What happened to operations behind an event, and where the journal stands now.
    ///
    /// # Errors
    /// The journal.
    pub fn touches(&self, since: i64) -> Result<Touches, OperationError> {
        Ok(self.journal().touches(since)?)
    }

    /// The number of the newest event.
    ///
    /// # Errors
    /// The journal.
    pub fn position(&self) -> Result<i64, OperationError> {
        Ok(self.journal().last_event()?)
    }
}
