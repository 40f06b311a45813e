//! The tables `bulk` and `bulk_row`.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{BulkCounts, BulkId, BulkPlan, BulkRowView, BulkState, BulkView, NotDone, count};
use crate::chain;
use crate::decide::{Event, decide};
use crate::insert::Inserted;
use crate::intent::Intent;
use crate::journal::{Journal, JournalError};
use crate::row::Row;
use crate::schedule::Schedule;
use crate::sight::Sight;
use crate::state::{Kind, OperationId, State};
use crate::survey::Wanted;
use wire::Day;

impl BulkState {
    fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        [Self::Running, Self::Paused, Self::Finished].into_iter().find(|state| state.word() == word)
    }
}

/// A row as it is stored and hashed; empty when there is nothing to do.
pub(super) fn stored(todo: &Result<Intent, String>) -> Result<String, JournalError> {
    match todo {
        Ok(intent) => serde_json::to_string(intent).map_err(|_| JournalError::Unreadable),
        Err(_) => Ok(String::new()),
    }
}

/// A row whose turn has come.
pub(crate) struct Turn {
    pub(crate) number: i64,
    pub(crate) intent: Intent,
}

/// What became of a row's turn.
pub(crate) enum Begun {
    /// It is durable in `sending`.
    Sending(Box<Row>),
    /// It was left out, or is no longer waiting.
    Skipped,
}

const ROWS: &str = "FROM bulk_row LEFT JOIN operation ON operation.id = bulk_row.operation WHERE bulk_row.bulk = ?1";

impl Journal {
    /// Commits a confirmed bulk with all its rows. What is retried is closed in the same commit: it can not
    /// be sent again beside its successor.
    pub(crate) fn insert_bulk(
        &mut self,
        id: &BulkId,
        plan: &BulkPlan,
        hash: &str,
        now: i64,
    ) -> Result<(), JournalError> {
        let started = self.started;
        let superseded: Vec<Row> = plan
            .rows
            .iter()
            .filter_map(|row| row.retries.as_ref().filter(|_| row.todo.is_ok()))
            .map(|operation| self.find(operation))
            .filter_map(Result::transpose)
            .collect::<Result<_, _>>()?;
        let transaction = self.db.transaction()?;
        transaction.execute(
            "INSERT INTO bulk VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id.0, plan.kind.word(), BulkState::Running.word(), now, hash],
        )?;
        let mut insert = transaction.prepare(
            "INSERT INTO bulk_row (bulk, number, state, name, intent, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for (row, number) in plan.rows.iter().zip(1i64..) {
            let (state, reason) = match &row.todo {
                Ok(_) => ("waiting", None),
                Err(reason) => ("skipped", Some(reason)),
            };
            insert.execute(params![id.0, number, state, row.name, stored(&row.todo)?, reason])?;
        }
        drop(insert);
        for row in superseded {
            let Ok(decision) = decide(row.situation(), Event::Retried, &Schedule::default()) else { continue };
            transaction.execute(
                "UPDATE operation SET state = ?2, version = version + 1 WHERE id = ?1",
                params![row.id.0, decision.state.word()],
            )?;
            chain::append(&transaction, started, &row.id.0, "retried", now)?;
            chain::append(&transaction, started, &row.id.0, decision.state.word(), now)?;
        }
        Ok(transaction.commit()?)
    }

    /// After a start every bulk waits for a person.
    pub(crate) fn pause_bulks(&mut self) -> Result<(), JournalError> {
        let (paused, running) = (BulkState::Paused.word(), BulkState::Running.word());
        self.db.execute("UPDATE bulk SET state = ?1 WHERE state = ?2", [paused, running])?;
        Ok(())
    }

    pub(crate) fn set_bulk_state(&mut self, id: &BulkId, from: BulkState, to: BulkState) -> Result<(), JournalError> {
        let query = "UPDATE bulk SET state = ?3 WHERE id = ?1 AND state = ?2";
        self.db.execute(query, params![id.0, from.word(), to.word()])?;
        Ok(())
    }

    pub(crate) fn cancel_bulk(&mut self, id: &BulkId) -> Result<(), JournalError> {
        let transaction = self.db.transaction()?;
        transaction.execute(
            "UPDATE bulk_row SET state = 'skipped', reason = 'cancelled' WHERE bulk = ?1 AND state = 'waiting'",
            [&id.0],
        )?;
        transaction.execute("UPDATE bulk SET state = 'finished' WHERE id = ?1", [&id.0])?;
        Ok(transaction.commit()?)
    }

    /// No row waits any more: the bulk is finished. Returns whether it is.
    pub(crate) fn finish_bulk(&mut self, id: &BulkId) -> Result<bool, JournalError> {
        let query = "UPDATE bulk SET state = 'finished' WHERE id = ?1 AND NOT EXISTS
            (SELECT 1 FROM bulk_row WHERE bulk = ?1 AND state = 'waiting')";
        Ok(self.db.execute(query, [&id.0])? > 0)
    }

    /// The rows that wait, in their order, when the bulk is running and they are those that were confirmed.
    pub(crate) fn turns(&self, id: &BulkId, after: i64, most: usize) -> Result<Vec<Turn>, JournalError> {
        let Some(view) = self.bulk(id)?.filter(|view| view.state == BulkState::Running) else { return Ok(Vec::new()) };
        let mut query = self.db.prepare_cached(
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

    /// Whether the stored rows are those that were confirmed.
    pub(crate) fn is_as_confirmed(&self, id: &BulkId) -> Result<bool, JournalError> {
        use sha2::{Digest, Sha256};
        let confirmed: String = self.db.query_row("SELECT hash FROM bulk WHERE id = ?1", [&id.0], |row| row.get(0))?;
        let mut query = self.db.prepare("SELECT intent FROM bulk_row WHERE bulk = ?1 ORDER BY number")?;
        let mut rows = query.query([&id.0])?;
        let mut hash = Sha256::new();
        while let Some(row) = rows.next()? {
            hash.update(row.get::<_, String>(0)?);
            hash.update("\n");
        }
        Ok(chain::hex(&hash.finalize()) == confirmed)
    }

    /// Leaves a row out. Only one that waits.
    pub(crate) fn skip_turn(&mut self, id: &BulkId, number: i64, reason: &str) -> Result<(), JournalError> {
        let query =
            "UPDATE bulk_row SET state = 'skipped', reason = ?3 WHERE bulk = ?1 AND number = ?2 AND state = 'waiting'";
        self.db.execute(query, params![id.0, number, reason])?;
        Ok(())
    }

    /// Makes a waiting row an operation, `prepared` and `sending` in one commit: what has to be known
    /// before is known already. Durable before the first byte.
    pub(crate) fn begin_turn(
        &mut self,
        id: &BulkId,
        turn: &Turn,
        baseline: Option<&Sight>,
        now: i64,
    ) -> Result<Begun, JournalError> {
        let started = self.started;
        let transaction = self.db.transaction()?;
        if !still_waits(&transaction, id, turn.number)? {
            return Ok(Begun::Skipped);
        }
        let nonce = format!("{} {}", id.0, turn.number);
        let inserted = crate::insert::insert(
            &transaction,
            &Inserted { nonce: &nonce, intent: &turn.intent, baseline, price_ends: None, bulk: Some(&id.0), now },
        )?;
        let Some(operation) = inserted else {
            transaction.execute(
                "UPDATE bulk_row SET state = 'skipped', reason = 'held' WHERE bulk = ?1 AND number = ?2",
                params![id.0, turn.number],
            )?;
            transaction.commit()?;
            return Ok(Begun::Skipped);
        };
        let sending = State::Sending.word();
        transaction
            .execute("UPDATE operation SET state = ?2, version = 1 WHERE id = ?1", params![operation, sending])?;
        chain::append(&transaction, started, &operation, State::Prepared.word(), now)?;
        chain::append(&transaction, started, &operation, sending, now)?;
        transaction.execute(
            "UPDATE bulk_row SET state = 'operation', operation = ?3 WHERE bulk = ?1 AND number = ?2",
            params![id.0, turn.number, operation],
        )?;
        transaction.commit()?;
        let row = self.find(&OperationId(operation))?.ok_or(JournalError::Unreadable)?;
        Ok(Begun::Sending(Box::new(row)))
    }

    /// One bulk with its counts.
    pub(crate) fn bulk(&self, id: &BulkId) -> Result<Option<BulkView>, JournalError> {
        let mut query = self.db.prepare_cached("SELECT kind, state, created FROM bulk WHERE id = ?1")?;
        let found = query
            .query_row([&id.0], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?)));
        let Some((kind, state, created)) = found.optional()? else { return Ok(None) };
        let mut counts = BulkCounts::default();
        let mut rows = 0;
        let mut query = self
            .db
            .prepare_cached(&format!("SELECT coalesce(operation.state, bulk_row.state), count(*) {ROWS} GROUP BY 1"))?;
        let groups = query.query_map([&id.0], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as usize)))?;
        for group in groups {
            let (state, number) = group?;
            count(&mut counts, &state, number);
            rows += number;
        }
        Ok(Some(BulkView {
            id: id.clone(),
            kind: Kind::from_word(&kind).ok_or(JournalError::Unreadable)?,
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
        let certain = [State::Rejected, State::NotSent].map(|state| format!("'{}'", state.word())).join(", ");
        let mut query = self.db.prepare(&format!(
            "SELECT name, bulk_row.intent, bulk_row.operation {ROWS} AND (bulk_row.state = 'skipped' OR operation.state IN ({certain}))
             ORDER BY number"
        ))?;
        let rows = query.query_map([&id.0], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
        })?;
        let read = |row: rusqlite::Result<(String, String, Option<String>)>| {
            let (name, intent, operation) = row?;
            let intent = Some(intent).filter(|intent| !intent.is_empty());
            let intent = intent.map(|intent| Intent::read(view.kind, &intent)).transpose();
            Ok(NotDone {
                name,
                intent: intent.map_err(|_| JournalError::Unreadable)?,
                operation: operation.map(OperationId),
            })
        };
        rows.map(read).collect()
    }

    /// When the next row of any bulk is to be looked at, ms since 1970.
    pub(crate) fn next_due(&self) -> Result<Option<i64>, JournalError> {
        let query = "SELECT min(next_at) FROM operation WHERE bulk IS NOT NULL AND next_at IS NOT NULL AND kind IN ('recharge', 'deduction', 'create')";
        Ok(self.db.prepare_cached(query)?.query_row([], |row| row.get(0))?)
    }

    /// The names of the rows of bulks that wait for a look, and the day of the oldest look before a send.
    pub(crate) fn to_be_proved(&self) -> Result<(Vec<OperationId>, Option<Day>, Wanted), JournalError> {
        let mut query = self.db.prepare_cached(
            "SELECT id, json_extract(baseline, '$.day'), kind FROM operation
             WHERE bulk IS NOT NULL AND next_at IS NOT NULL AND kind IN ('recharge', 'deduction', 'create') ORDER BY created",
        )?;
        let (mut ids, mut since, mut wanted) = (Vec::new(), None::<Day>, Wanted::default());
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            ids.push(OperationId(row.get(0)?));
            let day = row.get::<_, Option<String>>(1)?.and_then(|day| day.parse::<Day>().ok());
            since = since.into_iter().chain(day).min();
            let of = Wanted::by(Kind::from_word(&row.get::<_, String>(2)?).ok_or(JournalError::Unreadable)?);
            wanted = Wanted { moves: wanted.moves || of.moves, names: wanted.names || of.names };
        }
        Ok((ids, since, wanted))
    }

    /// A row that was looked at for the last time, without anything new.
    pub(crate) fn clear_plan(&mut self, row: &Row) -> Result<(), JournalError> {
        let query = "UPDATE operation SET next_at = NULL WHERE id = ?1 AND version = ?2 AND next_at IS NOT NULL";
        self.db.execute(query, params![row.id.0, row.version])?;
        Ok(())
    }
}

fn still_waits(transaction: &Transaction<'_>, id: &BulkId, number: i64) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM bulk_row JOIN bulk ON bulk.id = bulk_row.bulk
        WHERE bulk = ?1 AND number = ?2 AND bulk_row.state = 'waiting' AND bulk.state = 'running')";
    transaction.prepare_cached(query)?.query_row(params![id.0, number], |row| row.get(0))
}
