//! Several writes in one transaction: durable together, or not at all.

use crate::journal::{Journal, JournalError};

impl Journal {
    /// Opens a transaction around the writes that follow. Their sends are recorded when it is committed.
    pub(crate) fn begin_batch(&mut self) -> Result<(), JournalError> {
        self.db.execute_batch("BEGIN IMMEDIATE")?;
        self.unrecorded = Some(Vec::new());
        Ok(())
    }

    /// # Errors
    /// [`JournalError::RolledBack`] after a full disk: SQLite rolled all of it back, and what came after would be
    /// committed alone.
    pub(crate) fn ensure_in_batch(&self) -> Result<(), JournalError> {
        if self.db.is_autocommit() { Err(JournalError::RolledBack) } else { Ok(()) }
    }

    /// Makes the writes durable, and then their sends in the record. Returns whether there was a send.
    pub(crate) fn commit_batch(&mut self) -> Result<bool, JournalError> {
        self.db.execute_batch("COMMIT")?;
        let sends = self.unrecorded.take().unwrap_or_default();
        if !sends.is_empty() {
            self.record_sends(&sends)?;
        }
        Ok(!sends.is_empty())
    }

    /// Rolls back what was not committed.
    pub(crate) fn end_batch(&mut self) {
        self.unrecorded = None;
        if !self.db.is_autocommit() {
            let _ = self.db.execute_batch("ROLLBACK");
        }
    }
}
