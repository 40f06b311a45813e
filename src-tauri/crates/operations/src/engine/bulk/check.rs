//! Whether the stored bulks are as they were written. What their rows became is sealed with each operation.

use super::BulkId;
use crate::journal::{Journal, JournalError};

/// A row that is not what its words say, a bulk whose rows are not numbered from 1, an unknown word.
const WRONG: &str =
    "SELECT EXISTS (SELECT 1 FROM bulk_row WHERE state NOT IN ('waiting', 'skipped', 'operation', 'retried')
         OR (state = 'operation' AND operation IS NULL) OR (state = 'waiting' AND operation IS NOT NULL))
     OR EXISTS (SELECT 1 FROM bulk_row GROUP BY bulk HAVING count(*) <> max(number) OR min(number) <> 1)
     OR EXISTS (SELECT 1 FROM bulk WHERE state NOT IN ('running', 'paused', 'finished'))
     OR EXISTS (SELECT 1 FROM pragma_foreign_key_check())";

impl Journal {
    /// Absent on purpose: the time of a bulk, and names and reasons of rows that never became an operation.
    pub(crate) fn bulks_hold(&self) -> Result<bool, JournalError> {
        if self.db.query_row(WRONG, [], |row| row.get(0))? {
            return Ok(false);
        }
        let mut query = self.db.prepare("SELECT id FROM bulk")?;
        let ids: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        for id in ids.into_iter().map(BulkId) {
            if !self.is_as_confirmed(&id)? {
                return Ok(false);
            }
            // What cannot be read is damage.
            self.bulk(&id)?;
            self.certainly_not_done(&id)?;
        }
        Ok(true)
    }
}
