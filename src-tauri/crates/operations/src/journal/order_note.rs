//! The table `order_note`: the agent's notes on orders.

use std::collections::HashMap;

use database::stamp;
use rusqlite::params;
use wire::ids::OrderNo;

use crate::journal::{Journal, JournalError};

/// Reads and writes the table.
pub(crate) struct OrderNoteTable<'a>(pub(super) &'a Journal);

impl OrderNoteTable<'_> {
    /// All notes, by order.
    pub(crate) fn all(&self) -> Result<HashMap<OrderNo, String>, JournalError> {
        let mut query = self.0.db.prepare_cached("SELECT order_no, body FROM order_note")?;
        let mut rows = query.query([])?;
        let mut all = HashMap::new();
        while let Some(row) = rows.next()? {
            let note = stamp::read(&row.get::<_, String>(1)?).map_err(|_| JournalError::Unreadable)?;
            all.insert(OrderNo::new(row.get::<_, String>(0)?), note);
        }
        Ok(all)
    }

    /// Stores a note; an empty one is removed.
    pub(crate) fn set(&self, order_no: &OrderNo, note: &str) -> Result<(), JournalError> {
        if note.is_empty() {
            self.0.db.execute("DELETE FROM order_note WHERE order_no = ?1", [order_no.as_str()])?;
            return Ok(());
        }
        let body = serde_json::to_string(note).map_err(|_| JournalError::Unreadable)?;
        let upsert = "INSERT INTO order_note VALUES (?1, ?2) ON CONFLICT (order_no) DO UPDATE SET body = ?2";
        self.0.db.execute(upsert, params![order_no.as_str(), stamp::stamped(&body)])?;
        Ok(())
    }
}
