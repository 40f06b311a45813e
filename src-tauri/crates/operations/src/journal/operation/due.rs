//! What the table `operation` has planned: rows of bulks that wait for a check, and closed rows that are checked again.

use rusqlite::params;
use wire::Day;

use crate::evidence::survey::Wanted;
use crate::journal::JournalError;
use crate::journal::operation::OperationTable;
use crate::journal::row::Row;
use crate::journal::sets::kinds_that_show;
use crate::words::state::{Kind, OperationId};

/// A clause for the rows of bulks that wait for a check.
fn to_be_checked() -> String {
    format!("WHERE bulk IS NOT NULL AND next_at IS NOT NULL AND kind IN ({})", kinds_that_show())
}

impl OperationTable<'_> {
    /// When the next row of any bulk is due for a check, wall clock, ms since 1970; `None` if none is.
    pub(crate) fn next_due(&self) -> Result<Option<i64>, JournalError> {
        let query = format!("SELECT min(next_at) FROM operation {}", to_be_checked());
        Ok(self.0.db.prepare_cached(&query)?.query_row([], |row| row.get(0))?)
    }

    /// The rows of bulks that wait for a check, the day of the oldest snapshot before their sends, and what the check
    /// has to read.
    pub(crate) fn to_check(&self) -> Result<(Vec<OperationId>, Option<Day>, Wanted), JournalError> {
        let mut query = self.0.db.prepare_cached(&format!(
            "SELECT id, json_extract(baseline, '$.day'), kind FROM operation {} ORDER BY created",
            to_be_checked()
        ))?;
        let (mut ids, mut since, mut wanted) = (Vec::new(), None::<Day>, Wanted::default());
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            ids.push(OperationId(row.get(0)?));
            let day = row.get::<_, Option<String>>(1)?.and_then(|day| day.parse::<Day>().ok());
            since = since.into_iter().chain(day).min();
            let of = Wanted::by(Kind::from_word(&row.get::<_, String>(2)?).ok_or(JournalError::Unreadable)?);
            wanted = Wanted {
                moves: wanted.moves || of.moves,
                taken: wanted.taken || of.taken,
                names: wanted.names || of.names,
            };
        }
        Ok((ids, since, wanted))
    }

    /// Sets when a row is checked again, `None` for never, if it still has a plan and was not committed meanwhile.
    /// Nothing else of it changes.
    pub(crate) fn set_plan(&self, row: &Row, next_at: Option<i64>) -> Result<(), JournalError> {
        let query = "UPDATE operation SET next_at = ?3 WHERE id = ?1 AND version = ?2 AND next_at IS NOT NULL";
        self.0.db.execute(query, params![row.id.0, row.version, next_at])?;
        Ok(())
    }
}
