//! The table `template`: texts for repeated use.

use rusqlite::OptionalExtension;

use crate::journal::{Journal, JournalError};

/// Reads and writes the table.
pub(crate) struct TemplateTable<'a>(pub(super) &'a Journal);

impl TemplateTable<'_> {
    /// A text; `None` until it is changed.
    pub(crate) fn get(&self, name: &str) -> Result<Option<String>, JournalError> {
        let query = "SELECT body FROM template WHERE name = ?1";
        Ok(self.0.db.query_row(query, [name], |row| row.get(0)).optional()?)
    }

    pub(crate) fn set(&self, name: &str, body: &str) -> Result<(), JournalError> {
        let upsert = "INSERT INTO template VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET body = ?2";
        self.0.db.execute(upsert, [name, body])?;
        Ok(())
    }
}
