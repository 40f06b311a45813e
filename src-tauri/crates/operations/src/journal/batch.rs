//! Several writes in one transaction: they become durable together or not at all.

use crate::journal::{Journal, JournalError};

impl Journal {
    /// Opens a transaction for the writes that follow. Their sends are recorded once it is committed.
    pub(crate) fn begin_batch(&mut self) -> Result<(), JournalError> {
        self.db.execute_batch("BEGIN IMMEDIATE")?;
        self.unrecorded = Some(Vec::new());
        Ok(())
    }

    /// Checks that the transaction is still open.
    ///
    /// # Errors
    /// [`JournalError::RolledBack`] after a full disk: SQLite rolled all of it back, and later writes would be
    /// committed each by itself.
    pub(crate) fn ensure_in_batch(&self) -> Result<(), JournalError> {
        if self.db.is_autocommit() { Err(JournalError::RolledBack) } else { Ok(()) }
    }

    /// Makes the writes durable in the journal, then their sends in the record. Returns whether there was a send.
    ///
    /// # Errors
    /// [`JournalError::NotRecorded`] when only the record failed: the writes are durable, but no send may leave.
    pub(crate) fn commit_batch(&mut self) -> Result<bool, JournalError> {
        self.db.execute_batch("COMMIT")?;
        let sends = self.unrecorded.take().unwrap_or_default();
        if !sends.is_empty() {
            self.record_sends(&sends)?;
        }
        Ok(!sends.is_empty())
    }

    /// Ends the batch: rolls back whatever was not committed.
    pub(crate) fn end_batch(&mut self) {
        self.unrecorded = None;
        if !self.db.is_autocommit() {
            let _ = self.db.execute_batch("ROLLBACK");
        }
    }
}
