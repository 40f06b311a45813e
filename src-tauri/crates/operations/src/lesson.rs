//! What moves of traffic have taught about this vendor, kept with its evidence.

use database::stamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::gb::GbFactor;
use crate::journal::JournalError;
use crate::state::OperationId;

/// How this vendor counts a GB, and how soon a move shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Lesson {
    /// MB of a GB.
    pub factor: GbFactor,
    /// The vendor's word for the record: 充值 …
    pub word: String,
    /// Between the send and the look that showed it, ms.
    pub lag: i64,
    /// The operation that taught it.
    pub operation: OperationId,
    /// When, wall clock, ms since 1970.
    pub at: i64,
}

const NAME: &str = "traffic";

pub(crate) fn learn(db: &Connection, lesson: &Lesson) -> Result<(), JournalError> {
    let body = serde_json::to_string(lesson).map_err(|_| JournalError::Unreadable)?;
    db.execute("INSERT INTO lesson VALUES (?1, ?2) ON CONFLICT DO NOTHING", params![NAME, stamp::stamped(&body)])?;
    Ok(())
}

pub(crate) fn forget(db: &Connection) -> Result<(), JournalError> {
    db.execute("DELETE FROM lesson WHERE name = ?1", [NAME])?;
    Ok(())
}

pub(crate) fn learnt(db: &Connection) -> Result<Option<Lesson>, JournalError> {
    let mut query = db.prepare_cached("SELECT body FROM lesson WHERE name = ?1")?;
    let body: Option<String> = query.query_row([NAME], |row| row.get(0)).optional()?;
    body.map(|body| stamp::read(&body).map_err(|_| JournalError::Unreadable)).transpose()
}
