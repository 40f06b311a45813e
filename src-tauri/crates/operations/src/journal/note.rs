//! The tables `note` and `template`: the agent's notes on customers, and texts for repeated use.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, params};
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

impl Journal {
    /// All notes, by customer.
    pub(crate) fn notes(&self) -> Result<HashMap<CustomerId, Note>, JournalError> {
        let mut query = self.db.prepare("SELECT customer, note, tags FROM note")?;
        let rows = query.query_map([], |row| {
            let tags: String = row.get(2)?;
            let tags = tags.lines().map(str::to_owned).collect();
            Ok((CustomerId::new(row.get::<_, String>(0)?), Note { note: row.get(1)?, tags }))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub(crate) fn set_note(&self, customer: &CustomerId, note: &Note) -> Result<(), JournalError> {
        let upsert = "INSERT INTO note VALUES (?1, ?2, ?3) ON CONFLICT (customer) DO UPDATE SET note = ?2, tags = ?3";
        let tags: Vec<&str> = note.tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()).collect();
        self.db.execute(upsert, params![customer.as_str(), note.note, tags.join("\n")])?;
        Ok(())
    }

    /// A text for repeated use; `None` until it is changed.
    pub(crate) fn template(&self, name: &str) -> Result<Option<String>, JournalError> {
        let query = "SELECT body FROM template WHERE name = ?1";
        Ok(self.db.query_row(query, [name], |row| row.get(0)).optional()?)
    }

    pub(crate) fn set_template(&self, name: &str, body: &str) -> Result<(), JournalError> {
        let upsert = "INSERT INTO template VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET body = ?2";
        self.db.execute(upsert, [name, body])?;
        Ok(())
    }
}
