//! The tables `bulk` and `bulk_row`.

use rusqlite::{Transaction, params};

use crate::decide::{Event, decide};
use crate::engine::bulk::{BulkId, BulkPlan, Retried};
use crate::evidence::snapshot::Sight;
use crate::evidence::survey::Wanted;
use crate::journal::chain;
use crate::journal::insert::Inserted;
use crate::journal::row::Row;
use crate::journal::sets::kinds_that_show;
use crate::journal::{Journal, JournalError, find};
use crate::kill_points::{Point, reached};
use crate::views::bulk::BulkState;
use crate::words::fingerprint::Fingerprint;
use crate::words::schedule::Schedule;
use crate::words::state::{Kind, OperationId, State};
use crate::writes::intent::Intent;
use wire::Day;

impl BulkState {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        [Self::Running, Self::Paused, Self::Finished].into_iter().find(|state| state.word() == word)
    }
}

/// A row as it is stored and hashed; empty when there is nothing to do.
pub(crate) fn stored(todo: &Result<Intent, String>) -> Result<String, JournalError> {
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

impl Journal {
    /// Commits a confirmed bulk with all its rows. What is retried is closed in the same commit: it cannot
    /// be sent again beside its successor.
    pub(crate) fn insert_bulk(
        &mut self,
        id: &BulkId,
        plan: &BulkPlan,
        hash: &str,
        fingerprint: Option<&Fingerprint>,
        now: i64,
    ) -> Result<(), JournalError> {
        self.back_up_if_due(now);
        let started = self.started;
        let transaction = self.db.transaction()?;
        transaction.execute(
            "INSERT INTO bulk (id, kind, state, created, hash, fingerprint) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id.0, plan.kind.word(), BulkState::Running.word(), now, hash, fingerprint.map(Fingerprint::as_str)],
        )?;
        let mut insert = transaction.prepare(
            "INSERT INTO bulk_row (bulk, number, state, name, intent, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for (row, number) in plan.rows.iter().zip(1i64..) {
            let (state, reason) = match &row.todo {
                Ok(_) => {
                    let may = close_retried(&transaction, started, row.retries.as_ref(), now)?;
                    if may { ("waiting", None) } else { ("skipped", Some("changed")) }
                }
                Err(reason) => ("skipped", Some(reason.as_str())),
            };
            insert.execute(params![id.0, number, state, row.name, stored(&row.todo)?, reason])?;
        }
        drop(insert);
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

    /// Whose a bulk is; `None` for what an earlier version wrote.
    pub(crate) fn fingerprint_of_bulk(&self, id: &BulkId) -> Result<Option<Fingerprint>, JournalError> {
        Ok(fingerprint_of(&self.db, id)?)
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
        Ok(database::stamp::hex(&hash.finalize()) == confirmed)
    }

    /// Whether a row's turn may come.
    pub(crate) fn waits(&self, id: &BulkId, number: i64) -> Result<bool, JournalError> {
        Ok(still_waits(&self.db, id, number)?)
    }

    /// Leaves a row out. Only one that waits.
    pub(crate) fn skip_turn(&mut self, id: &BulkId, number: i64, reason: &str) -> Result<(), JournalError> {
        Ok(skip(&self.db, id, number, reason)?)
    }

    /// Makes a waiting row an operation, `prepared` and `sending` in one commit: what has to be known
    /// before is known already. Durable before the first byte.
    pub(crate) fn begin_turn(
        &mut self,
        id: &BulkId,
        turn: &Turn,
        baseline: Option<&Sight>,
        surveyed: i64,
        now: i64,
    ) -> Result<Begun, JournalError> {
        let started = self.started;
        let transaction = self.db.transaction()?;
        if !still_waits(&transaction, id, turn.number)? {
            return Ok(Begun::Skipped);
        }
        if baseline.is_some() && was_sent_since(&transaction, &turn.intent.target(), surveyed)? {
            // What was read before it shows nothing of it: its records would be taken for this row's.
            skip(&transaction, id, turn.number, "changed")?;
            transaction.commit()?;
            return Ok(Begun::Skipped);
        }
        let nonce = format!("{} {}", id.0, turn.number);
        let inserted = crate::journal::insert::insert(
            &transaction,
            &Inserted {
                nonce: &nonce,
                intent: &turn.intent,
                baseline,
                price_ends: None,
                bulk: Some(&id.0),
                fingerprint: fingerprint_of(&transaction, id)?.as_ref(),
                now,
            },
        )?;
        let Some(operation) = inserted else {
            skip(&transaction, id, turn.number, "held")?;
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
        self.keep_send(&operation)?;
        reached(Point::Turned);
        let row = self.find(&OperationId(operation))?.ok_or(JournalError::Unreadable)?;
        Ok(Begun::Sending(Box::new(row)))
    }

    /// When the next row of any bulk is to be looked at, ms since 1970.
    pub(crate) fn next_due(&self) -> Result<Option<i64>, JournalError> {
        let query = format!("SELECT min(next_at) FROM operation {}", to_be_looked_at());
        Ok(self.db.prepare_cached(&query)?.query_row([], |row| row.get(0))?)
    }

    /// The names of the rows of bulks that wait for a look, and the day of the oldest look before a send.
    pub(crate) fn to_be_proved(&self) -> Result<(Vec<OperationId>, Option<Day>, Wanted), JournalError> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT id, json_extract(baseline, '$.day'), kind FROM operation {} ORDER BY created",
            to_be_looked_at()
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

    /// When a settled row is looked at again, if at all. Nothing else of it changes.
    pub(crate) fn set_plan(&mut self, row: &Row, next_at: Option<i64>) -> Result<(), JournalError> {
        let query = "UPDATE operation SET next_at = ?3 WHERE id = ?1 AND version = ?2 AND next_at IS NOT NULL";
        self.db.execute(query, params![row.id.0, row.version, next_at])?;
        Ok(())
    }
}

fn fingerprint_of(db: &rusqlite::Connection, id: &BulkId) -> rusqlite::Result<Option<Fingerprint>> {
    let mut query = db.prepare_cached("SELECT fingerprint FROM bulk WHERE id = ?1")?;
    Ok(query.query_row([&id.0], |row| row.get::<_, Option<String>>(0))?.map(Fingerprint::read))
}

/// Rows of bulks that wait for a look.
fn to_be_looked_at() -> String {
    format!("WHERE bulk IS NOT NULL AND next_at IS NOT NULL AND kind IN ({})", kinds_that_show())
}

/// Closes what is done again, so that it cannot be done beside its successor. `false`: it is no longer
/// certain that it was not done.
fn close_retried(
    transaction: &Transaction<'_>,
    started: std::time::Instant,
    retried: Option<&Retried>,
    now: i64,
) -> Result<bool, JournalError> {
    let Some(retried) = retried else { return Ok(true) };
    let operation = retried.operation.as_ref().map(|id| find(transaction, id)).transpose()?.flatten();
    if let Some(row) = operation {
        let Ok(decision) = decide(row.situation(), Event::Retried, &Schedule::default()) else { return Ok(false) };
        transaction.execute(
            "UPDATE operation SET state = ?2, version = version + 1 WHERE id = ?1",
            params![row.id.0, decision.state.word()],
        )?;
        chain::append(transaction, started, &row.id.0, "retried", now)?;
        chain::append(transaction, started, &row.id.0, decision.state.word(), now)?;
    }
    let query =
        "UPDATE bulk_row SET state = 'retried' WHERE bulk = ?1 AND number = ?2 AND state IN ('skipped', 'operation')";
    Ok(transaction.execute(query, params![retried.bulk.0, retried.number])? > 0)
}

/// Leaves a row out. Only one that waits.
fn skip(db: &rusqlite::Connection, id: &BulkId, number: i64, reason: &str) -> rusqlite::Result<()> {
    let query =
        "UPDATE bulk_row SET state = 'skipped', reason = ?3 WHERE bulk = ?1 AND number = ?2 AND state = 'waiting'";
    db.execute(query, params![id.0, number, reason]).map(|_| ())
}

/// Whether something was sent to a target behind an event.
pub(crate) fn was_sent_since(db: &rusqlite::Connection, target: &str, event: i64) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM operation JOIN event ON event.operation = operation.id
        WHERE operation.target = ?1 AND event.what = 'sending' AND event.number > ?2)";
    db.prepare_cached(query)?.query_row(params![target, event], |row| row.get(0))
}

fn still_waits(transaction: &rusqlite::Connection, id: &BulkId, number: i64) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM bulk_row JOIN bulk ON bulk.id = bulk_row.bulk
        WHERE bulk = ?1 AND number = ?2 AND bulk_row.state = 'waiting' AND bulk.state = 'running')";
    transaction.prepare_cached(query)?.query_row(params![id.0, number], |row| row.get(0))
}
