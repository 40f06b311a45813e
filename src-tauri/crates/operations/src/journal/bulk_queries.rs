//! What is asked of the tables `bulk` and `bulk_row`.

use rusqlite::{OptionalExtension, params};
use rust_decimal::Decimal;

use crate::engine::bulk::{BulkId, Retried};
use crate::journal::{Journal, JournalError};
use crate::views::bulk::{BulkCounts, BulkRowView, BulkState, BulkView, NotDone};
use crate::words::state::{Kind, OperationId, State};
use crate::writes::intent::Intent;

/// Rows that can be done again: a line that repeats another one was done with it, and what was left out when
/// the journal was restored may have been done behind the backup.
const CERTAINLY_NOT_DONE: &str =
    "((bulk_row.state = 'skipped' AND coalesce(bulk_row.reason, '') NOT IN ('duplicate', 'restored'))
     OR (bulk_row.state = 'operation' AND operation.state IN ('rejected', 'not-sent')))";

const ROWS: &str = "FROM bulk_row LEFT JOIN operation ON operation.id = bulk_row.operation WHERE bulk_row.bulk = ?1";

impl Journal {
    /// One bulk with its counts.
    pub(crate) fn bulk(&self, id: &BulkId) -> Result<Option<BulkView>, JournalError> {
        let mut query = self.db.prepare_cached("SELECT kind, state, created FROM bulk WHERE id = ?1")?;
        let found = query
            .query_row([&id.0], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?)));
        let Some((kind, state, created)) = found.optional()? else { return Ok(None) };
        let kind = Kind::from_word(&kind).ok_or(JournalError::Unreadable)?;
        let mut counts = BulkCounts::default();
        let mut rows = 0;
        let mut query = self
            .db
            .prepare_cached(&format!("SELECT coalesce(operation.state, bulk_row.state), count(*) {ROWS} GROUP BY 1"))?;
        let groups = query.query_map([&id.0], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as usize)))?;
        for group in groups {
            let (state, number) = group?;
            counts.add(kind, &state, number);
            rows += number;
        }
        counts.again = self
            .db
            .prepare_cached(&format!("SELECT count(*) {ROWS} AND {CERTAINLY_NOT_DONE}"))?
            .query_row([&id.0], |row| row.get::<_, i64>(0))? as usize;
        let query = "SELECT json_extract(intent, '$.active') FROM bulk_row WHERE bulk = ?1 AND intent <> '' LIMIT 1";
        let active = self.db.prepare_cached(query)?.query_row([&id.0], |row| row.get(0)).optional()?.flatten();
        Ok(Some(BulkView {
            active,
            id: id.clone(),
            kind,
            state: BulkState::from_word(&state).ok_or(JournalError::Unreadable)?,
            created,
            rows,
            counts,
            problem: None,
        }))
    }

    /// Every bulk, newest first.
    pub(crate) fn bulks(&self) -> Result<Vec<BulkView>, JournalError> {
        let mut query = self.db.prepare_cached("SELECT id FROM bulk ORDER BY created DESC, rowid DESC")?;
        let ids: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        ids.into_iter().map(|id| self.bulk(&BulkId(id))).filter_map(Result::transpose).collect()
    }

    /// Rows in their order.
    pub(crate) fn bulk_rows(
        &self,
        id: &BulkId,
        only_not_done: bool,
        from: usize,
        most: usize,
    ) -> Result<Vec<BulkRowView>, JournalError> {
        let done = [State::Applied, State::ResolvedApplied].map(|state| format!("'{}'", state.word())).join(", ");
        let filter = if only_not_done {
            format!("AND coalesce(operation.state, bulk_row.state) NOT IN ({done})")
        } else {
            String::new()
        };
        let mut query = self.db.prepare_cached(&format!(
            "SELECT number, name, coalesce(operation.state, bulk_row.state), coalesce(operation.reason, bulk_row.reason),
             bulk_row.operation, json_extract(nullif(bulk_row.intent, ''), '$.gb') {ROWS} {filter} ORDER BY number LIMIT ?2 OFFSET ?3"
        ))?;
        let rows = query.query_map(params![id.0, most as i64, from as i64], |row| {
            Ok(BulkRowView {
                number: row.get::<_, i64>(0)? as usize,
                name: row.get(1)?,
                state: row.get(2)?,
                reason: row.get(3)?,
                operation: row.get::<_, Option<String>>(4)?.map(OperationId),
                gb: row.get::<_, Option<String>>(5)?.and_then(|gb| gb.parse().ok()),
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Skipped rows, and those whose operation certainly came to nothing and was not done again.
    pub(crate) fn certainly_not_done(&self, id: &BulkId) -> Result<Vec<NotDone>, JournalError> {
        let Some(view) = self.bulk(id)? else { return Ok(Vec::new()) };
        let mut query = self.db.prepare(&format!(
            "SELECT name, bulk_row.intent, bulk_row.operation, number {ROWS} AND {CERTAINLY_NOT_DONE} ORDER BY number"
        ))?;
        let mut rows = query.query([&id.0])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let intent = Some(row.get::<_, String>(1)?).filter(|intent| !intent.is_empty());
            let intent = intent.map(|intent| Intent::read(view.kind, &intent)).transpose();
            let operation = row.get::<_, Option<String>>(2)?.map(OperationId);
            all.push(NotDone {
                name: row.get(0)?,
                intent: intent.map_err(|_| JournalError::Unreadable)?,
                row: Retried { bulk: id.clone(), number: row.get(3)?, operation },
            });
        }
        Ok(all)
    }

    /// The last event so far.
    pub(crate) fn last_event(&self) -> Result<i64, JournalError> {
        Ok(self.db.query_row("SELECT coalesce(max(number), 0) FROM event", [], |row| row.get(0))?)
    }

    /// What moves that are confirmed but not begun add up to, GB.
    pub(crate) fn waiting_gb(&self) -> Result<Decimal, JournalError> {
        let mut query = self.db.prepare_cached(
            "SELECT json_extract(intent, '$.gb') FROM bulk_row JOIN bulk ON bulk.id = bulk_row.bulk
             WHERE bulk_row.state = 'waiting' AND bulk.state <> 'finished' AND bulk.kind IN ('recharge', 'deduction')",
        )?;
        let mut rows = query.query([])?;
        let mut sum = Decimal::ZERO;
        while let Some(row) = rows.next()? {
            sum += row.get::<_, String>(0)?.parse::<Decimal>().map_err(|_| JournalError::Unreadable)?;
        }
        Ok(sum)
    }

    /// Under what the passwords of bulks are kept, whether they were sent or not.
    pub(crate) fn references_of_bulks(&self) -> Result<Vec<String>, JournalError> {
        let query = "SELECT json_extract(intent, '$.reference') AS reference FROM bulk_row
             WHERE intent <> '' AND reference IS NOT NULL";
        let mut query = self.db.prepare_cached(query)?;
        let found = query.query_map([], |row| row.get(0))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether a bulk still has something to do.
    pub(crate) fn has_open_bulk(&self) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM bulk WHERE state <> 'finished')";
        Ok(self.db.query_row(query, [], |row| row.get(0))?)
    }
}
