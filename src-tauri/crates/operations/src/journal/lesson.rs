//! The table `lesson`: what was learned about this vendor from moves of traffic, with its evidence.

use database::stamp;
use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::evidence::learned::{Creator, Learned};
use crate::journal::row::Row;
use crate::journal::{Journal, JournalError};
use crate::writes::traffic_move::Direction;

const NAME: &str = "traffic";

/// The name of the row with the last event before the token in use; without a number while a new one is not in use yet.
const CREATORS_SINCE: &str = "creators since";

/// The name of the row for a direction. Recharges and deductions may be recorded under different operators.
fn creator_of(direction: Direction) -> &'static str {
    match direction {
        Direction::Recharge => "creator of recharges",
        Direction::Deduction => "creator of deductions",
    }
}

/// Reads and writes the table.
pub(crate) struct LessonTable<'a>(pub(super) &'a Journal);

impl LessonTable<'_> {
    pub(crate) fn learn(&self, learned: &Learned) -> Result<(), JournalError> {
        self.write(NAME, learned)
    }

    /// Stores which operator our records name, unless the move was sent before the token in use.
    pub(crate) fn learn_creator(&self, by: &Row, of: Direction, creator: &Creator) -> Result<(), JournalError> {
        let Some(since) = self.read::<Option<i64>>(CREATORS_SINCE)?.unwrap_or(Some(0)) else { return Ok(()) };
        let query = "SELECT EXISTS (SELECT 1 FROM event WHERE operation = ?1 AND what = 'sending' AND number > ?2)";
        let is_newer: bool = self.0.db.prepare_cached(query)?.query_row(params![by.id.0, since], |row| row.get(0))?;
        if is_newer { self.write(creator_of(of), creator) } else { Ok(()) }
    }

    pub(crate) fn forget_learned(&self) -> Result<(), JournalError> {
        self.0.db.execute("DELETE FROM lesson WHERE name <> ?1", [CREATORS_SINCE])?;
        Ok(())
    }

    /// Forgets which operator our records name, because a new token may be another operator's. No move teaches one
    /// until the token is in use.
    pub(crate) fn forget_creators(&self) -> Result<(), JournalError> {
        let change = self.0.db.unchecked_transaction()?;
        change.execute("DELETE FROM lesson WHERE name <> ?1", [NAME])?;
        self.write(CREATORS_SINCE, &None::<i64>)?;
        Ok(change.commit()?)
    }

    /// Notes that the token saved last is in use from now on, so that moves teach its operator.
    pub(crate) fn begin_creators(&self) -> Result<(), JournalError> {
        if self.read::<Option<i64>>(CREATORS_SINCE)? == Some(None) {
            let change = self.0.db.unchecked_transaction()?;
            change.execute("DELETE FROM lesson WHERE name = ?1", [CREATORS_SINCE])?;
            self.write(CREATORS_SINCE, &Some(self.0.events().last_number()?))?;
            change.commit()?;
        }
        Ok(())
    }

    pub(crate) fn learned(&self) -> Result<Option<Learned>, JournalError> {
        self.read(NAME)
    }

    pub(crate) fn creator(&self, of: Direction) -> Result<Option<Creator>, JournalError> {
        self.read(creator_of(of))
    }

    /// Checks that everything learned can be read.
    pub(super) fn ensure_readable(&self) -> Result<(), JournalError> {
        self.learned()?;
        self.creator(Direction::Recharge)?;
        self.creator(Direction::Deduction)?;
        self.read::<Option<i64>>(CREATORS_SINCE).map(|_| ())
    }

    /// Stores what was learned, unless this is stored already: what was learned first stays.
    fn write(&self, name: &str, learned: &impl Serialize) -> Result<(), JournalError> {
        let body = serde_json::to_string(learned).map_err(|_| JournalError::Unreadable)?;
        let insert = "INSERT INTO lesson VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        self.0.db.execute(insert, params![name, stamp::stamped(&body)])?;
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, JournalError> {
        let mut query = self.0.db.prepare_cached("SELECT body FROM lesson WHERE name = ?1")?;
        let body: Option<String> = query.query_row([name], |row| row.get(0)).optional()?;
        body.map(|body| stamp::read(&body).map_err(|_| JournalError::Unreadable)).transpose()
    }
}
