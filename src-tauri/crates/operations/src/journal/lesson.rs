//! What moves of traffic have taught about this vendor, kept with its evidence.

use database::stamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::OperatorId;
use wire::traffic::TrafficRecord;

use crate::journal::JournalError;
use crate::words::state::OperationId;
use crate::writes::gb::GbFactor;
use crate::writes::traffic_move::Direction;

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

/// Who the records of our own moves name: another operator's are not ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creator {
    /// `createId`.
    pub id: OperatorId,
    /// `createBy`.
    pub name: String,
    /// The vendor's word for the record.
    pub word: String,
}

impl Creator {
    /// Whose record it is; `None`: it names nobody.
    pub(crate) fn of(record: &TrafficRecord) -> Option<Self> {
        let names_somebody = !record.create_id.as_str().is_empty() || !record.create_by.is_empty();
        names_somebody.then(|| Self {
            id: record.create_id.clone(),
            name: record.create_by.clone(),
            word: record.kind.clone(),
        })
    }

    /// Whether a record names somebody else. The id decides where both have one: a name may be changed.
    pub(crate) fn is_another(&self, record: &TrafficRecord) -> bool {
        let Some(other) = Self::of(record) else { return false };
        let ids = [&self.id, &other.id].map(|id| id.as_str());
        if ids.iter().all(|id| !id.is_empty()) {
            return ids[0] != ids[1];
        }
        !self.name.is_empty() && !other.name.is_empty() && self.name != other.name
    }
}

const NAME: &str = "traffic";

/// Recharges and deductions may be recorded by different names.
fn creator_of(direction: Direction) -> &'static str {
    match direction {
        Direction::Recharge => "creator of recharges",
        Direction::Deduction => "creator of deductions",
    }
}

pub(crate) fn learn(db: &Connection, lesson: &Lesson) -> Result<(), JournalError> {
    write(db, NAME, lesson)
}

pub(crate) fn learn_creator(db: &Connection, of: Direction, creator: &Creator) -> Result<(), JournalError> {
    write(db, creator_of(of), creator)
}

/// The first lesson stays.
fn write(db: &Connection, name: &str, lesson: &impl Serialize) -> Result<(), JournalError> {
    let body = serde_json::to_string(lesson).map_err(|_| JournalError::Unreadable)?;
    db.execute("INSERT INTO lesson VALUES (?1, ?2) ON CONFLICT DO NOTHING", params![name, stamp::stamped(&body)])?;
    Ok(())
}

pub(crate) fn forget(db: &Connection) -> Result<(), JournalError> {
    db.execute("DELETE FROM lesson", [])?;
    Ok(())
}

/// Another token may be another operator's.
pub(crate) fn forget_creators(db: &Connection) -> Result<(), JournalError> {
    db.execute("DELETE FROM lesson WHERE name <> ?1", [NAME])?;
    Ok(())
}

pub(crate) fn learnt(db: &Connection) -> Result<Option<Lesson>, JournalError> {
    read(db, NAME)
}

pub(crate) fn creator(db: &Connection, of: Direction) -> Result<Option<Creator>, JournalError> {
    read(db, creator_of(of))
}

/// Whether all that was learnt can be read.
pub(crate) fn check(db: &Connection) -> Result<(), JournalError> {
    learnt(db)?;
    creator(db, Direction::Recharge)?;
    creator(db, Direction::Deduction).map(|_| ())
}

fn read<T: DeserializeOwned>(db: &Connection, name: &str) -> Result<Option<T>, JournalError> {
    let mut query = db.prepare_cached("SELECT body FROM lesson WHERE name = ?1")?;
    let body: Option<String> = query.query_row([name], |row| row.get(0)).optional()?;
    body.map(|body| stamp::read(&body).map_err(|_| JournalError::Unreadable)).transpose()
}
