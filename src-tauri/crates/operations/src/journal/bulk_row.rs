//! The table `bulk_row`: the confirmed rows of bulks, and the operation of each once its turn came.

use std::time::Instant;

use rusqlite::{Connection, ToSql, Transaction, params, params_from_iter};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;

use crate::journal::operation::commit;
use crate::journal::row::Row;
use crate::journal::search::{holds, words};
use crate::journal::send_log::Send;
use crate::journal::sets::{done_states, reasons_of_not_done};
use crate::journal::{Journal, JournalError, operation};
use crate::words::bulk::{BulkId, BulkState, Retried, RowReason, RowState};
use crate::words::cause::Cause;
use crate::words::left_out::LeftOut;
use crate::words::state::{OperationId, State};
use crate::writes::bulk::{PlannedRow, stored};
use crate::writes::intent::Intent;

/// One row as a person sees it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BulkRowView {
    /// Its number, from 1.
    pub number: usize,
    /// The customer it is about, as shown.
    pub name: String,
    /// The state of its operation, or its own.
    pub state: RowState,
    /// Why it was left out, or why a person is asked. `None` if there is no reason, and for one that only a newer
    /// version of the program knows.
    pub reason: Option<RowReason>,
    /// Its operation; `None` as long as there is none.
    pub operation: Option<OperationId>,
    /// The traffic that is moved, in GB, as it is sent; `None` for other kinds.
    pub gb: Option<Amount>,
}

/// A row that is certainly not done.
#[derive(Clone, Debug)]
pub struct NotDone {
    /// The customer it is about, as shown.
    pub name: String,
    /// The intent; `None` for a row that was left out before the bulk was confirmed.
    pub intent: Option<Intent>,
    /// The row, to be done again.
    pub row: Retried,
}

/// Selects rows of a bulk.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowsWanted<'a> {
    /// Whether to leave out those that are done.
    pub only_not_done: bool,
    /// Words that the customer's name or id holds, all of them; empty for no search.
    pub search: &'a str,
}

impl RowsWanted<'_> {
    /// Its part of a query; the words of the search are its parameters from the second on.
    fn rows(&self, words: &[String]) -> String {
        let open = format!("AND coalesce(operation.state, bulk_row.state) NOT IN ({})", done_states());
        format!("{}{}", if self.only_not_done { &open } else { "" }, holds(OF_ROW, words, 2))
    }
}

fn values<'a>(id: &'a BulkId, words: &'a [String]) -> impl Iterator<Item = &'a dyn ToSql> {
    [&id.0 as &dyn ToSql].into_iter().chain(words.iter().map(|word| word as &dyn ToSql))
}

/// A row whose turn has come.
pub(crate) struct Turn {
    pub(crate) number: i64,
    pub(crate) intent: Intent,
}

/// The state of an operation after another row does the same again; `None` if it is no longer certain that it was not
/// done.
pub(crate) type Closed = fn(&Row) -> Option<State>;

/// The result of a row's turn.
pub(crate) enum Begun {
    /// Its operation is durable in `sending`.
    Sending(Box<Row>),
    /// It was left out, or is no longer waiting.
    Skipped,
}

/// The rows that can be done again. Not those with a reason that only a newer version of the program knows.
pub(super) fn certainly_not_done() -> String {
    format!(
        "((bulk_row.state = 'skipped' AND (bulk_row.reason IS NULL OR bulk_row.reason IN ({})))
         OR (bulk_row.state = 'operation' AND operation.state IN ('rejected', 'not-sent')))",
        reasons_of_not_done()
    )
}

pub(super) const ROWS: &str =
    "FROM bulk_row LEFT JOIN operation ON operation.id = bulk_row.operation WHERE bulk_row.bulk = ?1";

pub(super) const OF_ROW: &str =
    "lower(name || char(10) || coalesce(json_extract(nullif(bulk_row.intent, ''), '$.customerId'), ''))";

/// Reads and writes the table.
pub(crate) struct BulkRowTable<'a>(pub(super) &'a Journal);

impl BulkRowTable<'_> {
    /// Up to `most` waiting rows after a number, in their order; none unless the bulk is running.
    pub(crate) fn turns(&self, id: &BulkId, after: i64, most: usize) -> Result<Vec<Turn>, JournalError> {
        let Some(view) = self.0.bulks().get(id)?.filter(|view| view.state == BulkState::Running) else {
            return Ok(Vec::new());
        };
        let mut query = self.0.db.prepare_cached(
            "SELECT number, intent FROM bulk_row WHERE bulk = ?1 AND state = 'waiting' AND number > ?2 ORDER BY number LIMIT ?3",
        )?;
        let rows =
            query.query_map(params![id.0, after, most as i64], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        let read = |row: rusqlite::Result<(i64, String)>| {
            let (number, intent) = row?;
            let intent = Intent::read(view.kind, &intent).map_err(|_| JournalError::Unreadable)?;
            Ok(Turn { number, intent })
        };
        rows.map(read).collect()
    }

    /// Whether a row waits and its bulk is running.
    pub(crate) fn waits(&self, id: &BulkId, number: i64) -> Result<bool, JournalError> {
        Ok(still_waits(&self.0.db, id, number)?)
    }

    /// Leaves a row out, if it waits.
    pub(crate) fn skip(&self, id: &BulkId, number: i64, reason: LeftOut) -> Result<(), JournalError> {
        Ok(skip(&self.0.db, id, number, reason)?)
    }

    /// Checks that names and reasons are text. No hash covers them, and one that is not would be an error when its bulk
    /// is opened.
    pub(super) fn ensure_readable(&self) -> Result<(), JournalError> {
        let mut query = self.0.db.prepare("SELECT name, reason FROM bulk_row")?;
        let mut rows = query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)))?;
        Ok(rows.try_for_each(|row| row.map(drop))?)
    }

    /// Up to `most` rows that match, in their order, after the first `from`.
    pub(crate) fn list(
        &self,
        id: &BulkId,
        wanted: &RowsWanted<'_>,
        from: usize,
        most: usize,
    ) -> Result<Vec<BulkRowView>, JournalError> {
        let words = words(wanted.search);
        let [most_at, from_at] = [2, 3].map(|after| words.len() + after);
        let mut query = self.0.db.prepare_cached(&format!(
            "SELECT number, name, coalesce(operation.state, bulk_row.state), coalesce(operation.reason, bulk_row.reason),
             bulk_row.operation, json_extract(nullif(bulk_row.intent, ''), '$.gb') {ROWS} {}
             ORDER BY number LIMIT ?{most_at} OFFSET ?{from_at}",
            wanted.rows(&words)
        ))?;
        let window = [most as i64, from as i64];
        let values = values(id, &words).chain(window.iter().map(|number| number as &dyn ToSql));
        let rows = query.query_map(params_from_iter(values), |row| {
            let state: String = row.get(2)?;
            let Some(state) = RowState::from_word(&state) else { return Ok(None) };
            Ok(Some(BulkRowView {
                number: row.get::<_, i64>(0)? as usize,
                name: row.get(1)?,
                state,
                reason: row.get::<_, Option<String>>(3)?.and_then(|word| RowReason::from_word(&word)),
                operation: row.get::<_, Option<String>>(4)?.map(OperationId),
                gb: row.get::<_, Option<String>>(5)?.and_then(|gb| gb.parse().ok()),
            }))
        })?;
        rows.map(|row| row?.ok_or(JournalError::Unreadable)).collect()
    }

    /// The number of rows that match.
    pub(crate) fn count(&self, id: &BulkId, wanted: &RowsWanted<'_>) -> Result<usize, JournalError> {
        let words = words(wanted.search);
        let mut query = self.0.db.prepare_cached(&format!("SELECT count(*) {ROWS} {}", wanted.rows(&words)))?;
        let count: i64 = query.query_row(params_from_iter(values(id, &words)), |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// The rows that are certainly not done and were not done again, in their order.
    pub(crate) fn certainly_not_done(&self, id: &BulkId) -> Result<Vec<NotDone>, JournalError> {
        let Some(view) = self.0.bulks().get(id)? else { return Ok(Vec::new()) };
        let mut query = self.0.db.prepare(&format!(
            "SELECT name, bulk_row.intent, bulk_row.operation, number {ROWS} AND {} ORDER BY number",
            certainly_not_done()
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

    /// The sum of all moves that are confirmed but not begun, in GB; recharges and deductions alike.
    pub(crate) fn waiting_gb(&self) -> Result<Amount, JournalError> {
        let mut query = self.0.db.prepare_cached(
            "SELECT json_extract(intent, '$.gb') FROM bulk_row JOIN bulk ON bulk.id = bulk_row.bulk
             WHERE bulk_row.state = 'waiting' AND bulk.state <> 'finished' AND bulk.kind IN ('recharge', 'deduction')",
        )?;
        let mut rows = query.query([])?;
        let mut sum = Amount::ZERO;
        while let Some(row) = rows.next()? {
            let gb: Amount = row.get::<_, String>(0)?.parse().map_err(|_| JournalError::Unreadable)?;
            sum = sum.checked_add(gb).ok_or(JournalError::Unreadable)?;
        }
        Ok(sum)
    }

    /// The names of the keychain's entries for the passwords of bulks, sent or not.
    pub(crate) fn references(&self) -> Result<Vec<String>, JournalError> {
        let query = "SELECT json_extract(intent, '$.reference') AS reference FROM bulk_row
             WHERE intent <> '' AND reference IS NOT NULL";
        let mut query = self.0.db.prepare_cached(query)?;
        let found = query.query_map([], |row| row.get(0))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }
}

/// Inserts the confirmed rows of a bulk, numbered from 1.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    started: Instant,
    bulk: &BulkId,
    rows: &[PlannedRow],
    closed: Closed,
    now: i64,
) -> Result<(), JournalError> {
    let mut insert = transaction
        .prepare("INSERT INTO bulk_row (bulk, number, state, name, intent, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    for (row, number) in rows.iter().zip(1i64..) {
        let (state, reason) = match &row.todo {
            Ok(_) if close_retried(transaction, started, row.retries.as_ref(), closed, now)? => ("waiting", None),
            Ok(_) => ("skipped", Some(LeftOut::Changed.word())),
            Err(reason) => ("skipped", Some(reason.word())),
        };
        let intent = stored(&row.todo).map_err(|_| JournalError::Unreadable)?;
        insert.execute(params![bulk.0, number, state, row.name, intent, reason])?;
    }
    Ok(())
}

/// Closes a row that is done again, so that it cannot be done beside its successor. `false` if it is no longer certain
/// that it was not done, or it was already done again.
fn close_retried(
    transaction: &Transaction<'_>,
    started: Instant,
    retried: Option<&Retried>,
    closed: Closed,
    now: i64,
) -> Result<bool, JournalError> {
    let Some(retried) = retried else { return Ok(true) };
    let operation = retried.operation.as_ref().map(|id| operation::find(transaction, id)).transpose()?.flatten();
    if let Some(row) = operation {
        let Some(closed) = closed(&row) else { return Ok(false) };
        commit::enter(transaction, started, &row.id.0, Cause::Retried.word(), closed, now)?;
    }
    let query =
        "UPDATE bulk_row SET state = 'retried' WHERE bulk = ?1 AND number = ?2 AND state IN ('skipped', 'operation')";
    Ok(transaction.execute(query, params![retried.bulk.0, retried.number])? > 0)
}

/// Leaves a row out, if it waits.
pub(super) fn skip(db: &Connection, id: &BulkId, number: i64, reason: LeftOut) -> rusqlite::Result<()> {
    let query =
        "UPDATE bulk_row SET state = 'skipped', reason = ?3 WHERE bulk = ?1 AND number = ?2 AND state = 'waiting'";
    db.execute(query, params![id.0, number, reason.word()]).map(|_| ())
}

/// Leaves out every row of a bulk that waits.
pub(super) fn skip_all(db: &Connection, id: &BulkId, reason: LeftOut) -> rusqlite::Result<()> {
    let query = "UPDATE bulk_row SET state = 'skipped', reason = ?2 WHERE bulk = ?1 AND state = 'waiting'";
    db.execute(query, [&id.0, reason.word()]).map(|_| ())
}

/// Leaves out every row of any bulk that waits or was left out, except those that are done by another row.
pub(super) fn skip_restored(db: &Connection) -> rusqlite::Result<()> {
    db.execute(
        "UPDATE bulk_row SET state = 'skipped', reason = ?1 WHERE state IN ('waiting', 'skipped') AND reason IS NOT ?2",
        [LeftOut::Restored.word(), LeftOut::Duplicate.word()],
    )
    .map(|_| ())
}

/// Notes the operation that a row became.
pub(super) fn becomes_operation(db: &Connection, id: &BulkId, number: i64, operation: &str) -> rusqlite::Result<()> {
    let becomes = "UPDATE bulk_row SET state = 'operation', operation = ?3 WHERE bulk = ?1 AND number = ?2";
    db.prepare_cached(becomes)?.execute(params![id.0, number, operation]).map(|_| ())
}

/// Notes after a restoration which operation a row became. The nonce of the operation names the bulk and the row.
pub(super) fn restore_operation(db: &Connection, send: &Send) -> rusqlite::Result<()> {
    let again = "UPDATE bulk_row SET state = 'operation', operation = ?1
        WHERE bulk = ?2 AND bulk || ' ' || number = ?3 AND operation IS NULL";
    db.execute(again, params![send.id, send.bulk, send.nonce]).map(|_| ())
}

/// Whether a row waits and its bulk is running.
pub(super) fn still_waits(transaction: &Connection, id: &BulkId, number: i64) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM bulk_row JOIN bulk ON bulk.id = bulk_row.bulk
        WHERE bulk = ?1 AND number = ?2 AND bulk_row.state = 'waiting' AND bulk.state = 'running')";
    transaction.prepare_cached(query)?.query_row(params![id.0, number], |row| row.get(0))
}
