//! The table `note`: the agent's notes on customers.

use std::collections::HashMap;

use rusqlite::params;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::CustomerId;

use crate::journal::{Journal, JournalError};

/// A note of the agent on a customer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Note {
    /// Free text.
    pub note: String,
    /// Words for finding customers.
    pub tags: Vec<String>,
}

/// Reads and writes the table.
pub(crate) struct NoteTable<'a>(pub(super) &'a Journal);

impl NoteTable<'_> {
    /// All notes, by customer.
    pub(crate) fn all(&self) -> Result<HashMap<CustomerId, Note>, JournalError> {
        let mut query = self.0.db.prepare("SELECT customer, note, tags FROM note")?;
        let rows = query.query_map([], |row| {
            let tags: String = row.get(2)?;
            let tags = tags.lines().map(str::to_owned).collect();
            Ok((CustomerId::new(row.get::<_, String>(0)?), Note { note: row.get(1)?, tags }))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub(crate) fn set(&self, customer: &CustomerId, note: &Note) -> Result<(), JournalError> {
        let upsert = "INSERT INTO note VALUES (?1, ?2, ?3) ON CONFLICT (customer) DO UPDATE SET note = ?2, tags = ?3";
        let tags: Vec<&str> = note.tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()).collect();
        self.0.db.execute(upsert, params![customer.as_str(), note.note, tags.join("\n")])?;
        Ok(())
    }
}
