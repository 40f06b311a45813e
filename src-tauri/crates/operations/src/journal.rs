//! The journal: one SQLite file for each connection, every commit synced to the disk.
//!
//! The table `operation` holds the state of each operation. The table `event` holds how it got there; it is
//! append-only, and each event carries the SHA-256 of the one before it. Nothing here decides anything.

pub(crate) mod activity;
pub mod bulk;
pub mod bulk_row;
pub mod customer;
mod due;
pub mod event;
mod lesson;
mod neighbours;
pub mod note;
pub mod operation;
pub(crate) mod order_seen;
pub(crate) mod recovery;
pub mod restoration;
pub mod row;
pub(crate) mod schema;
pub(crate) mod send_log;
pub(crate) mod sets;

use std::path::Path;
use std::time::Instant;

use database::backup::BackupError;
use rusqlite::Connection;
use serde::Serialize;
use tokio::sync::watch;

use crate::journal::recovery::Beside;
use crate::words::anchor::Anchor;

/// The journal cannot be trusted, read or written. No operation may be sent.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// SQLite reports an error: disk full, read-only, locked.
    #[error("the journal cannot be used: {0}")]
    Storage(#[from] rusqlite::Error),
    /// The file's tables are not those of this program.
    #[error("the journal cannot be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// The file is damaged.
    #[error("the journal is damaged")]
    Damaged,
    /// A row holds something that this program never writes.
    #[error("the journal holds a row that cannot be read")]
    Unreadable,
    /// The file system reports an error.
    #[error("a file of the journal cannot be used: {0}")]
    Files(#[from] std::io::Error),
    /// A send is in the journal but not in the record beside it: it must not leave.
    #[error("the record of sends cannot be written: {0}")]
    NotRecorded(String),
    /// A backup cannot be made.
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

/// More repeats than any schedule has: only a person repeats an operation with this many.
pub(crate) const MANY: i64 = 1000;

/// The bundled SQLite must be 3.51.3 or newer: that fixes a bug by which two connections could corrupt the write-ahead
/// log.
const _: () = assert!(rusqlite::ffi::SQLITE_VERSION_NUMBER >= 3_051_003, "too old to be trusted with the journal");

/// The open journal; the program's file lock allows only one for each file.
pub struct Journal {
    pub(crate) db: Connection,
    /// When it was opened, on the steady clock; events count from here.
    pub(crate) started: Instant,
    /// The backups and the record of sends; `None` if it was opened without them.
    pub(crate) beside: Option<Beside>,
    /// The newest send, published to be stored in the keychain as well.
    pub(crate) sends: watch::Sender<Anchor>,
}

impl Journal {
    /// Opens and checks a journal, and creates it if need be. Restores nothing and records nothing.
    ///
    /// # Errors
    /// [`JournalError`] when it is damaged or cannot be used; then nothing may be sent.
    pub fn open(file: &Path) -> Result<Self, JournalError> {
        Self::of(Self::connect(file)?)
    }

    /// Opens a file. It is damaged unless SQLite finds it sound.
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
        // Each step of a send runs the same queries again.
        db.set_prepared_statement_cache_capacity(100);
        if database::is_sound(&db)? { Ok(db) } else { Err(JournalError::Damaged) }
    }

    /// Brings the tables up to date and checks that they are as this program left them.
    pub(crate) fn of(mut db: Connection) -> Result<Self, JournalError> {
        if !schema::bring_up_to_date(&mut db)? {
            return Err(JournalError::Damaged);
        }
        let sends = watch::Sender::new(event::newest_send(&db)?);
        let journal = Self { db, started: Instant::now(), beside: None, sends };
        journal.orders_seen()?;
        journal.check_particulars()?;
        // No hash covers these columns. One that is no longer text would be an error when its bulk is opened.
        let mut names = journal.db.prepare("SELECT name, reason FROM bulk_row")?;
        names
            .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)))?
            .try_for_each(|row| row.map(drop))?;
        drop(names);
        journal.check_learned()?;
        journal.all_restorations()?;
        if journal.chain_holds()? && journal.bulks_hold()? { Ok(journal) } else { Err(JournalError::Damaged) }
    }
}

pub(crate) fn text(value: &impl Serialize) -> Result<String, JournalError> {
    serde_json::to_string(value).map_err(|_| JournalError::Unreadable)
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
