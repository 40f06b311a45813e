//! The table `bulk`: what was confirmed together, and whether it continues.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::journal::bulk_row::{self, ROWS, certainly_not_done};
use crate::journal::sets::states_at_work;
use crate::journal::{Journal, JournalError};
use crate::words::bulk::{BulkId, BulkProblem, BulkState};
use crate::words::fingerprint::Fingerprint;
use crate::words::left_out::LeftOut;
use crate::words::state::{Family, Kind, State};

/// Numbers of rows by their state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BulkCounts {
    /// Not begun.
    pub waiting: usize,
    /// Left out, each with its reason, even if done again since.
    pub skipped: usize,
    /// Prepared, being sent, being verified, or refused and still watched.
    pub under_way: usize,
    /// Done.
    pub done: usize,
    /// Certainly not done.
    pub not_done: usize,
    /// Not known: unknown, a question to a person, or a setting that was refused.
    pub unconfirmed: usize,
    /// Certainly not done, and not yet done again.
    pub again: usize,
}

/// A bulk as a person sees it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BulkView {
    /// Its identifier.
    pub id: BulkId,
    /// The kind of all rows.
    pub kind: Kind,
    /// The status that is set; `None` for other kinds.
    pub active: Option<bool>,
    /// Its state.
    pub state: BulkState,
    /// When it was confirmed, wall clock, ms since 1970.
    pub created: i64,
    /// Number of all rows.
    pub rows: usize,
    /// Numbers of rows by their state.
    pub counts: BulkCounts,
    /// Why it was paused, if no person asked for it.
    pub problem: Option<BulkProblem>,
}

impl BulkCounts {
    /// Adds this many rows in a state.
    pub(crate) fn add(&mut self, kind: Kind, state: &str, rows: usize) {
        let slot = match State::from_word(state) {
            // No check will ever show it.
            Some(State::Refused) if kind.family() == Family::Setting => &mut self.unconfirmed,
            None if state == "waiting" => &mut self.waiting,
            None => &mut self.skipped,
            Some(State::Applied | State::ResolvedApplied) => &mut self.done,
            Some(State::Rejected | State::NotSent | State::ResolvedNot) => &mut self.not_done,
            Some(State::Unknown | State::NeedsYou) => &mut self.unconfirmed,
            Some(State::Prepared | State::Sending | State::Verifying | State::Refused) => &mut self.under_way,
        };
        *slot += rows;
    }
}

/// Finds rows that contradict their state, bulks whose rows are not numbered from 1, and unknown words.
const WRONG: &str =
    "SELECT EXISTS (SELECT 1 FROM bulk_row WHERE state NOT IN ('waiting', 'skipped', 'operation', 'retried')
         OR (state = 'operation' AND operation IS NULL) OR (state = 'waiting' AND operation IS NOT NULL))
     OR EXISTS (SELECT 1 FROM bulk_row GROUP BY bulk HAVING count(*) <> max(number) OR min(number) <> 1)
     OR EXISTS (SELECT 1 FROM bulk WHERE state NOT IN ('running', 'paused', 'finished'))
     OR EXISTS (SELECT 1 FROM pragma_foreign_key_check())";

/// The state of a bulk that begins no more rows. One without a waiting row is finished: nothing is left to continue.
const STOPPED: &str =
    "CASE WHEN EXISTS (SELECT 1 FROM bulk_row WHERE bulk_row.bulk = bulk.id AND bulk_row.state = 'waiting')
     THEN 'paused' ELSE 'finished' END";

/// Reads and writes the table.
pub(crate) struct BulkTable<'a>(pub(super) &'a Journal);

impl BulkTable<'_> {
    /// Pauses all bulks: after a start each waits for a person. Also finishes those that an earlier version paused
    /// although no row waited.
    pub(crate) fn pause_all(&self) -> Result<(), JournalError> {
        self.0.db.execute(&format!("UPDATE bulk SET state = {STOPPED} WHERE state <> 'finished'"), [])?;
        Ok(())
    }

    /// Pauses a bulk that is running.
    pub(crate) fn pause(&self, id: &BulkId) -> Result<(), JournalError> {
        let query = format!("UPDATE bulk SET state = {STOPPED} WHERE id = ?1 AND state = 'running'");
        self.0.db.execute(&query, [&id.0])?;
        Ok(())
    }

    pub(crate) fn set_state(&self, id: &BulkId, from: BulkState, to: BulkState) -> Result<(), JournalError> {
        let query = "UPDATE bulk SET state = ?3 WHERE id = ?1 AND state = ?2";
        self.0.db.execute(query, params![id.0, from.word(), to.word()])?;
        Ok(())
    }

    pub(crate) fn cancel(&self, id: &BulkId) -> Result<(), JournalError> {
        let transaction = self.0.db.unchecked_transaction()?;
        bulk_row::skip_all(&transaction, id, LeftOut::Cancelled)?;
        transaction.execute("UPDATE bulk SET state = 'finished' WHERE id = ?1", [&id.0])?;
        Ok(transaction.commit()?)
    }

    /// Finishes the bulk if no row waits any more. Returns whether it is finished.
    pub(crate) fn finish(&self, id: &BulkId) -> Result<bool, JournalError> {
        let query = "UPDATE bulk SET state = 'finished' WHERE id = ?1 AND NOT EXISTS
            (SELECT 1 FROM bulk_row WHERE bulk = ?1 AND state = 'waiting')";
        Ok(self.0.db.execute(query, [&id.0])? > 0)
    }

    /// The account that a bulk belongs to; `None` if an earlier version wrote it.
    pub(crate) fn fingerprint_of(&self, id: &BulkId) -> Result<Option<Fingerprint>, JournalError> {
        Ok(fingerprint_of(&self.0.db, id)?)
    }

    /// Whether the stored rows are those that were confirmed.
    pub(crate) fn is_as_confirmed(&self, id: &BulkId) -> Result<bool, JournalError> {
        use sha2::{Digest, Sha256};
        let confirmed: String =
            self.0.db.query_row("SELECT hash FROM bulk WHERE id = ?1", [&id.0], |row| row.get(0))?;
        let mut query = self.0.db.prepare("SELECT intent FROM bulk_row WHERE bulk = ?1 ORDER BY number")?;
        let mut rows = query.query([&id.0])?;
        let mut hash = Sha256::new();
        while let Some(row) = rows.next()? {
            hash.update(row.get::<_, String>(0)?);
            hash.update("\n");
        }
        Ok(hex::encode(hash.finalize()) == confirmed)
    }

    /// One bulk with its counts; `None` if there is none of this name.
    pub(crate) fn get(&self, id: &BulkId) -> Result<Option<BulkView>, JournalError> {
        let mut query = self.0.db.prepare_cached("SELECT kind, state, created FROM bulk WHERE id = ?1")?;
        let found = query
            .query_row([&id.0], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?)));
        let Some((kind, state, created)) = found.optional()? else { return Ok(None) };
        let kind = Kind::from_word(&kind).ok_or(JournalError::Unreadable)?;
        let mut counts = BulkCounts::default();
        let mut rows = 0;
        let mut query = self
            .0
            .db
            .prepare_cached(&format!("SELECT coalesce(operation.state, bulk_row.state), count(*) {ROWS} GROUP BY 1"))?;
        let groups = query.query_map([&id.0], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as usize)))?;
        for group in groups {
            let (state, number) = group?;
            counts.add(kind, &state, number);
            rows += number;
        }
        counts.again = self
            .0
            .db
            .prepare_cached(&format!("SELECT count(*) {ROWS} AND {}", certainly_not_done()))?
            .query_row([&id.0], |row| row.get::<_, i64>(0))? as usize;
        let query = "SELECT json_extract(intent, '$.active') FROM bulk_row WHERE bulk = ?1 AND intent <> '' LIMIT 1";
        let active = self.0.db.prepare_cached(query)?.query_row([&id.0], |row| row.get(0)).optional()?.flatten();
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

    /// All bulks, newest first.
    pub(crate) fn all(&self) -> Result<Vec<BulkView>, JournalError> {
        let mut query = self.0.db.prepare_cached("SELECT id FROM bulk ORDER BY created DESC, rowid DESC")?;
        let ids: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        ids.into_iter().map(|id| self.get(&BulkId(id))).filter_map(Result::transpose).collect()
    }

    /// Whether any bulk still has something to do.
    pub(crate) fn has_open(&self) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM bulk WHERE state <> 'finished')";
        Ok(self.0.db.query_row(query, [], |row| row.get(0))?)
    }

    pub(crate) fn open_ids(&self) -> Result<Vec<BulkId>, JournalError> {
        let mut query = self.0.db.prepare_cached(&format!(
            "SELECT id FROM bulk WHERE state <> 'finished'
             UNION SELECT bulk FROM operation WHERE bulk IS NOT NULL AND state IN ({})",
            states_at_work()
        ))?;
        let ids = query.query_map([], |row| row.get(0).map(BulkId))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether the intents of all bulks are as they were written, and their states fit. Not checked on purpose: the
    /// rest of a bulk, such as its time and its account, the names of rows, and the reasons of those without an
    /// operation.
    pub(crate) fn are_sound(&self) -> Result<bool, JournalError> {
        if self.0.db.query_row(WRONG, [], |row| row.get(0))? {
            return Ok(false);
        }
        let mut query = self.0.db.prepare("SELECT id FROM bulk")?;
        let ids: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        for id in ids.into_iter().map(BulkId) {
            if !self.is_as_confirmed(&id)? {
                return Ok(false);
            }
            // Anything that cannot be read is damage.
            self.get(&id)?;
            self.0.bulk_rows().certainly_not_done(&id)?;
        }
        Ok(true)
    }
}

/// Inserts a running bulk without its rows.
pub(super) fn insert(
    db: &rusqlite::Connection,
    id: &BulkId,
    kind: Kind,
    hash: &str,
    fingerprint: Option<&Fingerprint>,
    now: i64,
) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO bulk (id, kind, state, created, hash, fingerprint, seen)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT coalesce(max(number), 0) FROM event))",
        params![id.0, kind.word(), BulkState::Running.word(), now, hash, fingerprint.map(Fingerprint::as_str)],
    )
    .map(|_| ())
}

/// Finishes every bulk.
pub(super) fn finish_all(db: &rusqlite::Connection) -> rusqlite::Result<()> {
    db.execute("UPDATE bulk SET state = 'finished' WHERE state <> 'finished'", []).map(|_| ())
}

pub(super) fn fingerprint_of(db: &rusqlite::Connection, id: &BulkId) -> rusqlite::Result<Option<Fingerprint>> {
    let mut query = db.prepare_cached("SELECT fingerprint FROM bulk WHERE id = ?1")?;
    Ok(query.query_row([&id.0], |row| row.get::<_, Option<String>>(0))?.map(Fingerprint::read))
}
