//! The journal: one SQLite file for each connection, every commit synced to the disk.
//!
//! `operation` holds where each operation stands, `event` how it came there: append-only, each event
//! with the SHA-256 of the one before. Nothing here decides anything.

use std::path::Path;
use std::time::Instant;

use client::Request;
use rusqlite::{Connection, OptionalExtension, params};
use rusqlite_migration::{M, Migrations};
use serde::{Deserialize, Serialize};
use wire::purchase::PlacedOrder;

use crate::chain;
use crate::decide::{Decision, Next, Situation};
use crate::place_and_pay::PlaceAndPay;
use crate::state::{Kind, OperationId, Reason, State};

/// The journal can not be trusted or written. No operation may be sent.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// SQLite says no: disk full, read-only, locked.
    #[error("the journal can not be used: {0}")]
    Storage(#[from] rusqlite::Error),
    /// The file's tables are not those of this program.
    #[error("the journal can not be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// The file is damaged.
    #[error("the journal is damaged")]
    Damaged,
    /// The linked SQLite has a defect that can lose commits.
    #[error("this SQLite is too old to be trusted with the journal")]
    OldSqlite,
    /// A row holds what this program never writes.
    #[error("the journal holds a row that can not be read")]
    Unreadable,
    /// The file's permissions can not be set.
    #[error("the journal can not be protected: {0}")]
    Permissions(#[from] std::io::Error),
}

const SCHEMA: &str = "
    CREATE TABLE operation (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL, reason TEXT,
        nonce TEXT NOT NULL UNIQUE, key TEXT NOT NULL UNIQUE, intent TEXT NOT NULL, request TEXT NOT NULL,
        created INTEGER NOT NULL, in_doubt INTEGER NOT NULL DEFAULT 0, repeats INTEGER NOT NULL DEFAULT 0,
        next_at INTEGER, alarm INTEGER NOT NULL DEFAULT 0, answer TEXT, refusal TEXT) STRICT;
    CREATE UNIQUE INDEX one_open_for_each_target ON operation (target)
        WHERE state IN ('prepared', 'sending', 'verifying', 'unknown', 'needs-you');
    CREATE TABLE event (
        number INTEGER PRIMARY KEY, operation TEXT NOT NULL REFERENCES operation, wall INTEGER NOT NULL,
        steady INTEGER NOT NULL, what TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
    CREATE INDEX event_of ON event (operation, number);
    CREATE TRIGGER events_stay BEFORE UPDATE ON event BEGIN SELECT raise(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_are_kept BEFORE DELETE ON event BEGIN SELECT raise(ABORT, 'events are append-only'); END;
";

/// When the price of an order expires: what never left is not sent at a price that is over.
const PRICE_ENDS: &str = "ALTER TABLE operation ADD COLUMN price_ends INTEGER";

/// Orders as last seen: those placed from here and those added by number. No proxies: they are goods,
/// read again when needed.
const ORDERS: &str =
    "CREATE TABLE order_seen (order_no TEXT PRIMARY KEY, added INTEGER NOT NULL, body TEXT NOT NULL) STRICT";

/// 3.51.3 mends a defect in which two connections could corrupt a write-ahead log.
const OLDEST_SQLITE: i32 = 3_051_003;

/// What the vendor answered when it said no, kept for the person's eyes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRefusal {
    /// The vendor's code, or the class of the failure.
    pub code: String,
    /// The vendor's own words.
    pub message: String,
    /// The vendor's trace identifier.
    pub trace_id: Option<String>,
    /// It was about the credentials alone.
    pub credentials: bool,
}

impl StoredRefusal {
    /// A word for the event: the class, or the vendor's code.
    pub fn evidence(&self) -> String {
        format!("answer {}", self.code)
    }
}

/// One row of the table `operation`.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub id: OperationId,
    /// What it does.
    pub kind: Kind,
    /// What it holds while open.
    pub target: String,
    /// Where it stands.
    pub state: State,
    /// Why a person is asked.
    pub reason: Option<Reason>,
    /// What the person confirmed.
    pub intent: PlaceAndPay,
    /// The exact request, without credentials.
    pub request: Request,
    /// Wall clock, ms since 1970.
    pub created: i64,
    /// The answer of an earlier send was lost.
    pub in_doubt: bool,
    /// Automatic repeats so far.
    pub repeats: usize,
    /// Wall clock of the next automatic repeat, ms since 1970.
    pub next_at: Option<i64>,
    /// The vendor's figures differ from the confirmed ones.
    pub alarm: bool,
    /// Wall clock when the price expires, ms since 1970; `None` when the vendor did not tell.
    pub price_ends: Option<i64>,
    /// The vendor's yes.
    pub answer: Option<PlacedOrder>,
    /// The vendor's no.
    pub refusal: Option<StoredRefusal>,
}

impl Row {
    /// What was certainly never carried out is not sent at a price that is over. After a lost answer
    /// the price plays no part: the key asks for the first answer.
    pub fn price_is_over(&self, now: i64) -> bool {
        !self.in_doubt && self.price_ends.is_some_and(|ends| now >= ends)
    }

    /// What [`crate::decide::decide`] needs to know.
    pub fn situation(&self) -> Situation {
        Situation {
            kind: self.kind,
            state: self.state,
            in_doubt: self.in_doubt,
            credentials_refused: self.refusal.as_ref().is_some_and(|refusal| refusal.credentials),
            repeats: self.repeats,
        }
    }
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Wall clock, ms since 1970.
    pub wall: i64,
    /// What happened: a state's word or a cause.
    pub what: String,
}

/// What a commit changes besides the decision.
#[derive(Default)]
pub struct Change<'a> {
    /// A word for the event.
    pub cause: &'a str,
    /// This send was an automatic repeat.
    pub counts_as_repeat: bool,
    /// The vendor's yes.
    pub answer: Option<&'a PlacedOrder>,
    /// The vendor's no.
    pub refusal: Option<&'a StoredRefusal>,
}

/// The open journal. One for each file: the program's file lock sees to that.
pub struct Journal {
    pub(crate) db: Connection,
    started: Instant,
}

impl Journal {
    /// Opens, checks and, if need be, creates.
    ///
    /// # Errors
    /// [`JournalError`]: nothing may be sent then.
    pub fn open(file: &Path) -> Result<Self, JournalError> {
        if rusqlite::version_number() < OLDEST_SQLITE {
            return Err(JournalError::OldSqlite);
        }
        let mut db = Connection::open(file)?;
        only_for_this_user(file)?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        for (pragma, value) in [
            ("synchronous", "FULL"),
            ("fullfsync", "ON"),
            ("checkpoint_fullfsync", "ON"),
            ("foreign_keys", "ON"),
            ("trusted_schema", "OFF"),
            ("cell_size_check", "ON"),
            ("mmap_size", "0"),
            ("busy_timeout", "5000"),
            ("secure_delete", "ON"),
        ] {
            db.pragma_update(None, pragma, value)?;
        }
        let check: String = db.query_row("PRAGMA quick_check", [], |row| row.get(0))?;
        if check != "ok" {
            return Err(JournalError::Damaged);
        }
        Migrations::new(vec![M::up(SCHEMA), M::up(PRICE_ENDS), M::up(ORDERS)]).to_latest(&mut db)?;
        Ok(Self { db, started: Instant::now() })
    }

    /// Commits an intent as `prepared`. `None`: the target is held by another operation, or the
    /// confirmation was used already.
    ///
    /// # Errors
    /// [`JournalError`]: nothing may be sent.
    pub fn prepare(
        &mut self,
        nonce: &str,
        target: &str,
        intent: &PlaceAndPay,
        price_ends: Option<i64>,
        now: i64,
    ) -> Result<Option<Row>, JournalError> {
        let (id, key) = (uuid::Uuid::new_v4().to_string(), uuid::Uuid::new_v4().to_string());
        let request = intent.request(&key);
        let started = self.started;
        let transaction = self.db.transaction()?;
        let inserted = transaction.execute(
            "INSERT INTO operation (id, kind, target, state, nonce, key, intent, request, created, price_ends)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING",
            params![
                id,
                Kind::PlaceAndPay.word(),
                target,
                State::Prepared.word(),
                nonce,
                key,
                text(intent)?,
                text(&request)?,
                now,
                price_ends
            ],
        )?;
        if inserted == 0 {
            return Ok(None);
        }
        chain::append(&transaction, started, &id, State::Prepared.word(), now)?;
        transaction.commit()?;
        self.find(&OperationId(id))
    }

    /// Commits a decision with its event. `None`: another operation holds the target, or the row is
    /// no longer in the state that was decided from.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn commit(
        &mut self,
        row: &Row,
        decision: &Decision,
        change: &Change<'_>,
        now: i64,
    ) -> Result<Option<Row>, JournalError> {
        let started = self.started;
        let next_at = match decision.next {
            Next::RepeatAfter(wait) => Some(now + wait.as_millis() as i64),
            _ => None,
        };
        let in_doubt = row.in_doubt || decision.state.is_unconfirmed();
        let transaction = self.db.transaction()?;
        let changed = transaction.execute(
            "UPDATE OR IGNORE operation SET state = ?3, reason = ?4, in_doubt = ?5, repeats = repeats + ?6, next_at = ?7,
             alarm = alarm OR ?8, answer = coalesce(?9, answer),
             refusal = CASE WHEN ?9 IS NULL THEN coalesce(?10, refusal) END
             WHERE id = ?1 AND state = ?2",
            params![
                row.id.0,
                row.state.word(),
                decision.state.word(),
                decision.reason.map(Reason::word),
                in_doubt,
                i64::from(change.counts_as_repeat),
                next_at,
                decision.alarm,
                change.answer.map(text).transpose()?,
                change.refusal.map(text).transpose()?
            ],
        )?;
        if changed == 0 {
            return Ok(None);
        }
        if !change.cause.is_empty() {
            chain::append(&transaction, started, &row.id.0, change.cause, now)?;
        }
        chain::append(&transaction, started, &row.id.0, decision.state.word(), now)?;
        transaction.commit()?;
        self.find(&row.id)
    }

    /// One operation.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn find(&self, id: &OperationId) -> Result<Option<Row>, JournalError> {
        let mut query = self.db.prepare_cached(&format!("SELECT {COLUMNS} FROM operation WHERE id = ?1"))?;
        query.query_row([&id.0], |row| Ok(read(row))).optional()?.transpose()
    }

    /// Every operation, newest first.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn all(&self) -> Result<Vec<Row>, JournalError> {
        let mut query =
            self.db.prepare_cached(&format!("SELECT {COLUMNS} FROM operation ORDER BY created DESC, rowid DESC"))?;
        query.query_map([], |row| Ok(read(row)))?.map(|row| row?).collect()
    }

    /// What happened to an operation, oldest first.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn events(&self, id: &OperationId) -> Result<Vec<StoredEvent>, JournalError> {
        let mut query = self.db.prepare_cached("SELECT wall, what FROM event WHERE operation = ?1 ORDER BY number")?;
        let events = query.query_map([&id.0], |row| Ok(StoredEvent { wall: row.get(0)?, what: row.get(1)? }))?;
        Ok(events.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether every event still carries the hash of the one before it.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn chain_holds(&self) -> Result<bool, JournalError> {
        Ok(chain::holds(&self.db)?)
    }
}

const COLUMNS: &str = "id, kind, target, state, reason, intent, request, created, in_doubt, repeats, next_at, alarm, answer, refusal, \
     price_ends";

fn read(row: &rusqlite::Row<'_>) -> Result<Row, JournalError> {
    fn json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, JournalError> {
        serde_json::from_str(text).map_err(|_| JournalError::Unreadable)
    }
    let word = |at: usize| row.get::<_, String>(at);
    let maybe = |at: usize| row.get::<_, Option<String>>(at);
    Ok(Row {
        id: OperationId(word(0)?),
        kind: Kind::from_word(&word(1)?).ok_or(JournalError::Unreadable)?,
        target: word(2)?,
        state: State::from_word(&word(3)?).ok_or(JournalError::Unreadable)?,
        reason: maybe(4)?.map(|word| Reason::from_word(&word).ok_or(JournalError::Unreadable)).transpose()?,
        intent: json(&word(5)?)?,
        request: json(&word(6)?)?,
        created: row.get(7)?,
        in_doubt: row.get(8)?,
        repeats: row.get::<_, i64>(9)? as usize,
        next_at: row.get(10)?,
        alarm: row.get(11)?,
        answer: maybe(12)?.as_deref().map(json).transpose()?,
        refusal: maybe(13)?.as_deref().map(json).transpose()?,
        price_ends: row.get(14)?,
    })
}

fn text(value: &impl Serialize) -> Result<String, JournalError> {
    serde_json::to_string(value).map_err(|_| JournalError::Unreadable)
}

#[cfg(unix)]
fn only_for_this_user(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600))
}

/// On Windows the user's own folder is protected by its access list.
#[cfg(not(unix))]
fn only_for_this_user(_file: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_commit_reaches_the_disk_before_it_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let pragma =
            |name: &str| journal.db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(pragma("synchronous"), 2, "FULL");
        assert_eq!((pragma("fullfsync"), pragma("checkpoint_fullfsync"), pragma("mmap_size")), (1, 1, 0));
        let mode: String = journal.db.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
    }
}
