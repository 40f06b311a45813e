//! The file: opened, checked, brought up to date.

use std::path::Path;
use std::time::Instant;

use database::backup;
use rusqlite::Connection;
use tokio::sync::watch;

use crate::journal::backups::Beside;
use crate::journal::backups::records::Records;
use crate::journal::error::JournalError;
use crate::journal::goods::Changes;
use crate::journal::send_log::Send;
use crate::journal::{chain, schema};
use crate::words::anchor::Anchor;

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
    /// How often delivered proxies and their buyers changed since it was opened.
    pub(crate) changes: Changes,
}

impl Journal {
    /// Opens and checks a journal, and creates it if need be. Restores nothing and records nothing.
    ///
    /// # Errors
    /// [`JournalError`] when it is damaged or cannot be used; then nothing may be sent.
    pub fn open(file: &Path) -> Result<Self, JournalError> {
        Self::of(Self::connect(file)?)
    }

    /// An empty journal that no file holds, for as long as its own file is moved.
    pub(crate) fn in_memory() -> Result<Self, JournalError> {
        Self::of(Connection::open_in_memory()?)
    }

    /// Opens a file. It is damaged unless SQLite finds it sound.
    pub(crate) fn connect(file: &Path) -> Result<Connection, JournalError> {
        if !database::has_sound_head(file)? {
            return Err(JournalError::Damaged);
        }
        let db = Connection::open(file)?;
        files::only_for_this_user(file)?;
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
        // KiB. SQLite's own 2 MiB do not hold the indexes of a journal with some thousand operations: each commit would
        // read their pages again.
        db.pragma_update(None, "cache_size", -8_192)?;
        // Each step of a send runs the same queries again.
        db.set_prepared_statement_cache_capacity(100);
        if database::is_sound(&db)? { Ok(db) } else { Err(JournalError::Damaged) }
    }

    /// Brings the tables up to date and checks that they are as this program left them.
    pub(crate) fn of(mut db: Connection) -> Result<Self, JournalError> {
        if !schema::bring_up_to_date(&mut db)? {
            return Err(JournalError::Damaged);
        }
        let sends = watch::Sender::new(chain::newest_send(&db)?);
        let journal = Self { db, started: Instant::now(), beside: None, sends, changes: Changes::default() };
        journal.orders_seen().all()?;
        journal.orders_seen().ensure_readable()?;
        journal.goods().buyers()?;
        journal.goods().marks()?;
        journal.order_notes().all()?;
        journal.bulk_rows().ensure_readable()?;
        journal.lessons().ensure_readable()?;
        journal.wallet().all()?;
        journal.restorations().all()?;
        if journal.events().chain_holds()? && journal.bulks().are_sound()? {
            Ok(journal)
        } else {
            Err(JournalError::Damaged)
        }
    }
}

impl Journal {
    /// Makes a committed send durable in the record as well, before its first byte.
    pub(crate) fn keep_send(&mut self, id: &str) -> Result<(), JournalError> {
        let Some(beside) = &mut self.beside else { return Ok(()) };
        let send = Send::of(&self.db, id);
        let event = send.as_ref().map(|send| send.event.clone()).unwrap_or_default();
        let kept = send.and_then(|send| beside.record.keep(send));
        kept.map_err(|error| JournalError::NotRecorded(error.to_string()))?;
        self.sends.send_replace(Anchor::of(event));
        Ok(())
    }

    /// Whether the records of sends hold a send.
    pub(crate) fn records_have(&self, send: &Anchor) -> Result<bool, JournalError> {
        let Some(beside) = &self.beside else { return Ok(false) };
        Ok(Records::since(&beside.folder, 0)?.have(&(send.number, send.hash.clone())))
    }

    /// Makes the daily backup if it is due. A failure is only logged.
    pub(crate) fn back_up_if_due(&mut self, now: i64) {
        let Some(beside) = self.beside.as_mut().filter(|beside| backup::is_due(Some(beside.backed_up), now)) else {
            return;
        };
        match Beside::begin(&beside.folder, &self.db, now) {
            Ok(begun) => *beside = begun,
            Err(error) => {
                tracing::warn!(%error, "no backup of the journal");
                // The record of the last backup goes on. A backup is not tried again at every write.
                beside.backed_up = now;
            }
        }
    }
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
