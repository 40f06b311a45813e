//! The journal: one SQLite file for each connection, every commit synced to the disk.
//!
//! `operation` holds where each operation stands, `event` how it came there: append-only, each event
//! with the SHA-256 of the one before. Nothing here decides anything.

pub mod account_book;
pub(crate) mod bulk;
mod bulk_queries;
pub(crate) mod chain;
pub(crate) mod insert;
pub mod lesson;
pub mod order_seen;
mod queries;
pub(crate) mod recovery;
pub mod row;
pub(crate) mod schema;
pub(crate) mod send_log;
pub(crate) mod sets;

use std::path::Path;
use std::time::Instant;

use database::backup::BackupError;
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use tokio::sync::watch;
use wire::ids::CustomerId;
use wire::purchase::PlacedOrder;

use crate::decide::{Decision, Next};
use crate::engine::anchor::Anchor;
use crate::evidence::compare::{Evidence, Finding};
use crate::evidence::snapshot::Sight;
use crate::journal::insert::{Inserted, insert, is_held, is_taken_back};
use crate::journal::recovery::Beside;
use crate::journal::row::{COLUMNS, Row, StoredEvent, StoredRefusal, read};
use crate::journal::sets::open_states;
use crate::kill_points::{Point, reached};
use crate::words::fingerprint::Fingerprint;
use crate::words::state::{Kind, OperationId, Reason, Said, State};
use crate::writes::intent::Intent;

/// The journal cannot be trusted or written. No operation may be sent.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// SQLite says no: disk full, read-only, locked.
    #[error("the journal cannot be used: {0}")]
    Storage(#[from] rusqlite::Error),
    /// The file's tables are not those of this program.
    #[error("the journal cannot be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// The file is damaged.
    #[error("the journal is damaged")]
    Damaged,
    /// A row holds what this program never writes.
    #[error("the journal holds a row that cannot be read")]
    Unreadable,
    /// The file system says no.
    #[error("a file of the journal cannot be used: {0}")]
    Files(#[from] std::io::Error),
    /// A send is in the journal and not in the record beside it: it must not leave.
    #[error("the record of sends cannot be written: {0}")]
    NotRecorded(String),
    /// No backup.
    #[error(transparent)]
    Backup(#[from] BackupError),
}

impl JournalError {
    /// Whether the file itself is broken, so that a backup has to take its place.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Damaged | Self::Unreadable => true,
            Self::Storage(error) | Self::Migration(rusqlite_migration::Error::RusqliteError { err: error, .. }) => {
                database::is_damage(error)
            }
            _ => false,
        }
    }
}

/// More repeats than any schedule has.
pub(crate) const MANY: i64 = 1000;

/// The bundled SQLite. 3.51.3 mends a defect in which two connections could corrupt a write-ahead log.
const _: () = assert!(rusqlite::ffi::SQLITE_VERSION_NUMBER >= 3_051_003, "too old to be trusted with the journal");

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
    /// A send ended: what its answer said takes the place of what the last one said.
    pub answered: bool,
    /// Looks are counted anew.
    pub counts_anew: bool,
    /// What its answer said.
    pub said: Option<Said>,
    /// What a look says.
    pub finding: Option<Finding>,
    /// The look was outside of the schedule.
    pub unplanned: bool,
    /// What it saw.
    pub evidence: Option<&'a Evidence>,
    /// The look before a send.
    pub baseline: Option<&'a Sight>,
    /// The customer that was created.
    pub customer: Option<&'a CustomerId>,
    /// Only a person sends it again.
    pub no_more_repeats: bool,
}

/// The open journal. One for each file: the program's file lock sees to that.
pub struct Journal {
    pub(crate) db: Connection,
    pub(crate) started: Instant,
    pub(crate) beside: Option<Beside>,
    /// The newest send, for whoever keeps it elsewhere.
    pub(crate) sends: watch::Sender<Anchor>,
}

impl Journal {
    /// Opens, checks and, if need be, creates; restores nothing and records nothing.
    ///
    /// # Errors
    /// [`JournalError`]: nothing may be sent then.
    pub fn open(file: &Path) -> Result<Self, JournalError> {
        Self::of(Self::connect(file)?)
    }

    /// A file that SQLite finds sound.
    pub(crate) fn connect(file: &Path) -> Result<Connection, JournalError> {
        if !database::has_sound_head(file)? {
            return Err(JournalError::Damaged);
        }
        let db = Connection::open(file)?;
        database::only_for_this_user(file)?;
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
        if database::is_sound(&db)? { Ok(db) } else { Err(JournalError::Damaged) }
    }

    /// Brings the tables up to date, and finds out whether they are as this program left them.
    pub(crate) fn of(mut db: Connection) -> Result<Self, JournalError> {
        if !schema::bring_up_to_date(&mut db)? {
            return Err(JournalError::Damaged);
        }
        let sends = watch::Sender::new(Anchor::newest(&db)?);
        let journal = Self { db, started: Instant::now(), beside: None, sends };
        order_seen::list(&journal.db, &[])?;
        order_seen::all_particulars(&journal.db)?;
        // No hash covers these: what is no text any more would be an error to whoever opens the bulk.
        let mut names = journal.db.prepare("SELECT name, reason FROM bulk_row")?;
        names
            .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)))?
            .try_for_each(|row| row.map(drop))?;
        drop(names);
        lesson::check(&journal.db)?;
        journal.all_restorations()?;
        if journal.chain_holds()? && journal.bulks_hold()? { Ok(journal) } else { Err(JournalError::Damaged) }
    }

    /// Commits an intent as `prepared`. `None`: the target is held by another operation, or the
    /// confirmation was used already.
    ///
    /// # Errors
    /// [`JournalError`]: nothing may be sent.
    pub fn prepare(
        &mut self,
        nonce: &str,
        intent: &Intent,
        baseline: Option<&Sight>,
        price_ends: Option<i64>,
        fingerprint: Option<&Fingerprint>,
        now: i64,
    ) -> Result<Option<Row>, JournalError> {
        self.back_up_if_due(now);
        let started = self.started;
        let transaction = self.db.transaction()?;
        let new = Inserted { nonce, intent, baseline, price_ends, bulk: None, fingerprint, now };
        let inserted = insert(&transaction, &new)?;
        let Some(id) = inserted else { return Ok(None) };
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
            Next::RepeatAfter(wait) | Next::LookAfter(wait) => Some(now + wait.as_millis() as i64),
            Next::AsPlanned => row.next_at,
            _ => None,
        };
        let in_doubt = row.in_doubt || decision.state.is_unconfirmed();
        let (looks, agreeing) = row.looks_behind(change);
        let transaction = self.db.transaction()?;
        let counter_of = row.intent.moved().and_then(|moved| moved.counter_of.as_ref());
        let opens = decision.state.is_open() && !row.state.is_open();
        let is_held = || -> rusqlite::Result<bool> {
            let is_held = is_held(&transaction, &row.target, &row.id.0, counter_of)?;
            Ok(is_held || is_taken_back(&transaction, counter_of, &row.id.0)?)
        };
        if opens && is_held()? {
            return Ok(None);
        }
        let changed = transaction.execute(
            "UPDATE OR IGNORE operation SET state = ?3, reason = ?4, in_doubt = ?5, repeats = repeats + ?6, next_at = ?7,
             alarm = ?8, answer = coalesce(?9, answer), refusal = CASE WHEN ?16 THEN ?10 ELSE refusal END,
             said = CASE WHEN ?16 THEN ?11 ELSE said END, looks = ?12, agreeing = ?13,
             evidence = coalesce(?14, evidence), baseline = coalesce(?15, baseline), customer = coalesce(?18, customer),
             version = version + 1
             WHERE id = ?1 AND state = ?2 AND version = ?17",
            params![
                row.id.0,
                row.state.word(),
                decision.state.word(),
                decision.reason.map(Reason::word),
                in_doubt,
                if change.no_more_repeats { MANY } else { i64::from(change.counts_as_repeat) },
                next_at,
                decision.alarm,
                change.answer.map(text).transpose()?,
                change.refusal.map(text).transpose()?,
                change.said.map(Said::word),
                looks as i64,
                agreeing as i64,
                change.evidence.map(text).transpose()?,
                change.baseline.map(text).transpose()?,
                change.answered,
                row.version,
                change.customer.map(CustomerId::as_str)
            ],
        )?;
        if changed == 0 {
            return Ok(None);
        }
        if !change.cause.is_empty() {
            chain::append(&transaction, started, &row.id.0, change.cause, now)?;
        }
        chain::append(&transaction, started, &row.id.0, decision.state.word(), now)?;
        let was_done = decision.state.is_done();
        if let Some(first) = counter_of.filter(|_| was_done && row.state.is_open()) {
            close_doubled(&transaction, started, first, now)?;
        }
        transaction.commit()?;
        if decision.state == State::Sending {
            reached(Point::Sending);
            self.keep_send(&row.id.0)?;
            reached(Point::Recorded);
        }
        self.find(&row.id)
    }

    /// One operation.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn find(&self, id: &OperationId) -> Result<Option<Row>, JournalError> {
        find(&self.db, id)
    }

    /// Whether another operation holds a target.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn is_held(&self, target: &str, counter_of: Option<&OperationId>) -> Result<bool, JournalError> {
        Ok(is_held(&self.db, target, "", counter_of)?)
    }

    /// Every operation, newest first.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn all(&self) -> Result<Vec<Row>, JournalError> {
        self.select("ORDER BY created DESC, rowid DESC", [])
    }

    /// Every operation that a start has to settle: open ones, and those with a plan.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn under_way(&self) -> Result<Vec<Row>, JournalError> {
        let open = open_states();
        self.select(&format!("WHERE state IN ({open}) OR next_at IS NOT NULL ORDER BY created"), [])
    }

    /// The operation of a kind that was sent last to a target.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn last_sent(&self, kind: Kind, target: &str) -> Result<Option<Row>, JournalError> {
        let query = "WHERE target = ?1 AND kind = ?2 AND state <> 'not-sent' ORDER BY
            (SELECT max(number) FROM event WHERE event.operation = operation.id AND what = 'sending') DESC LIMIT 1";
        Ok(self.select(query, params![target, kind.word()])?.pop())
    }

    /// Operations, by a clause behind the table's name.
    pub(crate) fn select(&self, clause: &str, values: impl rusqlite::Params) -> Result<Vec<Row>, JournalError> {
        let mut query = self.db.prepare_cached(&format!("SELECT {COLUMNS} FROM operation {clause}"))?;
        query.query_map(values, |row| Ok(read(row)))?.map(|row| row?).collect()
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

    /// Whether every event still carries the hash of the one before it, and every operation is as its last
    /// event left it.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn chain_holds(&self) -> Result<bool, JournalError> {
        Ok(chain::holds(&self.db)?)
    }
}

/// The second of two was taken back: the question is answered.
fn close_doubled(
    transaction: &rusqlite::Transaction<'_>,
    started: Instant,
    id: &OperationId,
    now: i64,
) -> rusqlite::Result<()> {
    let (doubled, closed) = (Reason::Doubled.word(), State::ResolvedApplied.word());
    let changed = transaction.execute(
        "UPDATE operation SET state = ?2, reason = NULL, alarm = 0, version = version + 1 WHERE id = ?1 AND state = ?3 AND reason = ?4",
        params![id.0, closed, State::NeedsYou.word(), doubled],
    )?;
    if changed > 0 {
        chain::append(transaction, started, &id.0, "taken-back", now)?;
        chain::append(transaction, started, &id.0, closed, now)?;
    }
    Ok(())
}

pub(crate) fn text(value: &impl Serialize) -> Result<String, JournalError> {
    serde_json::to_string(value).map_err(|_| JournalError::Unreadable)
}

/// One operation, also within a transaction.
pub(crate) fn find(db: &Connection, id: &OperationId) -> Result<Option<Row>, JournalError> {
    let mut query = db.prepare_cached(&format!("SELECT {COLUMNS} FROM operation WHERE id = ?1"))?;
    query.query_row([&id.0], |row| Ok(read(row))).optional()?.transpose()
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
