//! A journal that is damaged, gone or older than it was: found out, put aside, brought back.
//!
//! Three things lie beside the journal: its daily backups, a record of sends for each of them (`sends.rs`),
//! and `damaged/`, where broken files go. What the restored journal lacks is brought back from the records
//! as sends whose answer nobody knows; no bulk goes on by itself, and a person is told.

mod bring_back;
mod records;

use std::path::{Path, PathBuf};

use database::backup::{self, Backup};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::journal::{Journal, JournalError};
use crate::schema;
use crate::sends::{Record, Send};
use records::{Records, record_of};

/// What was done about a damaged journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Restoration {
    /// Wall clock, ms since 1970.
    pub at: i64,
    /// Where the damaged files are; `None` when the end of the journal was missing, and nothing else.
    pub aside: Option<String>,
    /// When the backup was made that took their place, ms since 1970; `None`: there was none.
    pub backup: Option<i64>,
    /// So many sends came back as unknown.
    pub sends: usize,
    /// Every send is known. `false`: some may be missing, and what was not sent counts as sent.
    pub complete: bool,
}

/// What lies beside an open journal.
pub(crate) struct Beside {
    folder: PathBuf,
    newest: Option<Backup>,
    record: Record,
}

impl Beside {
    fn open(folder: PathBuf, newest: Option<Backup>, journal: &Journal) -> Result<Self, JournalError> {
        std::fs::create_dir_all(&folder)?;
        let record = Record::open(&record_of(&folder, number(newest.as_ref())), &journal.db)?;
        Ok(Self { folder, newest, record })
    }
}

/// The backups of a journal lie here, each with its record of sends.
fn folder_of(journal: &Path) -> PathBuf {
    journal.with_extension("backups")
}

fn number(backup: Option<&Backup>) -> u64 {
    backup.map_or(0, |backup| backup.number)
}

/// Opens a journal, whatever happened to its file. `now`: wall clock, ms since 1970.
///
/// # Errors
/// [`JournalError`]: it can neither be used nor restored; nothing may be sent.
pub(crate) fn open(file: &Path, now: i64) -> Result<Journal, JournalError> {
    let folder = folder_of(file);
    let backups = backup::all(&folder)?;
    let mut journal = match found(file, &folder, backups.first(), now) {
        Err(damage) if damage.is_damage() => {
            tracing::error!(%damage, "the journal is restored");
            restore(file, &folder, &backups, now)?
        }
        found => found?,
    };
    // A new version backed up before it changed the tables, and a restoration before it changed the files.
    let mut newest = backup::all(&folder)?.first().cloned();
    if backup::is_due(newest.as_ref(), now) {
        match back_up(&journal, &folder, now) {
            Ok(made) => newest = Some(made),
            Err(error) => tracing::warn!(%error, "no backup of the journal"),
        }
    }
    journal.beside = Some(Beside::open(folder, newest, &journal)?);
    Ok(journal)
}

/// The journal that lies there, with what its lost end held.
fn found(file: &Path, folder: &Path, newest: Option<&Backup>, now: i64) -> Result<Journal, JournalError> {
    let records = Records::behind(folder, number(newest))?;
    if database::is_new(file) && (newest.is_some() || !records.are_none()) {
        return Err(JournalError::Damaged);
    }
    let db = Journal::connect(file)?;
    if schema::is_older(&db)? {
        backup::make(&db, folder, records::last(folder)?, now)?;
    }
    let mut journal = Journal::of(db)?;
    if !records.begin_within(&journal)? {
        return Err(JournalError::Damaged);
    }
    let missing = records.missing(&journal)?;
    if !missing.is_empty() {
        let complete = records.are_complete(number(newest));
        let told = Restoration { at: now, aside: None, backup: None, sends: missing.len(), complete };
        bring_back::all(&mut journal, &missing, &told)?;
    }
    Ok(journal)
}

/// Makes the newest sound backup whole with the sends behind it, and backs that up; only then the damaged files
/// go aside and it takes their place. Whatever ends this in the middle, the next start goes on.
fn restore(file: &Path, folder: &Path, backups: &[Backup], now: i64) -> Result<Journal, JournalError> {
    let working = file.with_extension("restoring.db");
    database::delete(&working)?;
    let restored = backup::restore_newest(backups, &working, Journal::open, JournalError::is_damage)?;
    let (mut journal, backup) = match restored {
        Some((journal, backup)) => (journal, Some(backup)),
        None => (Journal::open(&working)?, None),
    };
    let records = Records::behind(folder, number(backup))?;
    let missing = records.missing(&journal)?;
    let at = match ready_since(&journal, backup)? {
        Some(at) if missing.is_empty() => at,
        _ => {
            let told = Restoration {
                at: now,
                aside: Some(database::aside(file, now).to_string_lossy().into_owned()),
                backup: backup.map(|backup| backup.at),
                sends: missing.len(),
                complete: records.are_complete(number(backups.first())),
            };
            bring_back::all(&mut journal, &missing, &told)?;
            // Its record too: it says that the damaged journal is older.
            let made = back_up(&journal, folder, now)?;
            Beside::open(folder.to_owned(), Some(made), &journal)?;
            now
        }
    };
    journal.db.pragma_update(None, "wal_checkpoint", "TRUNCATE")?;
    drop(journal);
    database::set_aside(file, at)?;
    database::put_in_place(&working, file)?;
    Journal::open(file)
}

/// When this backup was made as the journal to be, and did not get to its place: the damaged files are not
/// aside yet.
fn ready_since(journal: &Journal, backup: Option<&Backup>) -> Result<Option<i64>, JournalError> {
    let is_aside = |told: &Restoration| told.aside.as_ref().is_some_and(|aside| Path::new(aside).exists());
    let told = journal.restorations()?.pop().filter(|told| told.aside.is_some() && !is_aside(told));
    Ok(told.map(|told| told.at).filter(|at| backup.is_some_and(|backup| backup.at == *at)))
}

fn back_up(journal: &Journal, folder: &Path, now: i64) -> Result<Backup, JournalError> {
    let made = backup::make(&journal.db, folder, records::last(folder)?, now)?;
    records::forget_before(folder, number(backup::all(folder)?.last()))?;
    Ok(made)
}

impl Journal {
    /// Makes a committed send durable in the second place, before its first byte.
    pub(crate) fn keep_send(&mut self, id: &str) -> Result<(), JournalError> {
        let Some(beside) = &mut self.beside else { return Ok(()) };
        let kept = Send::of(&self.db, id).and_then(|send| beside.record.keep(send));
        kept.map_err(|error| JournalError::NotRecorded(error.to_string()))
    }

    /// A backup a day. One that can not be made is no reason to stop: the record of the last one goes on.
    pub(crate) fn back_up_if_due(&mut self, now: i64) {
        let Some(mut beside) = self.beside.take() else { return };
        if !backup::is_due(beside.newest.as_ref(), now) {
            self.beside = Some(beside);
            return;
        }
        let folder = beside.folder.clone();
        match back_up(self, &folder, now).and_then(|made| Beside::open(folder, Some(made), self)) {
            Ok(made) => beside = made,
            Err(error) => {
                tracing::warn!(%error, "no backup of the journal");
                // One that was made without its record is not made again at every write.
                let newest = backup::all(&beside.folder).ok().and_then(|all| all.first().cloned());
                beside.newest = newest.or(beside.newest.take());
            }
        }
        self.beside = Some(beside);
    }

    /// What was done about damage, and nobody has read yet; oldest first.
    ///
    /// # Errors
    /// [`JournalError`].
    pub(crate) fn restorations(&self) -> Result<Vec<Restoration>, JournalError> {
        let mut query = self
            .db
            .prepare("SELECT at, aside, backup, sends, complete FROM restoration WHERE seen = 0 ORDER BY rowid")?;
        let rows = query.query_map([], |row| {
            Ok(Restoration {
                at: row.get(0)?,
                aside: row.get(1)?,
                backup: row.get(2)?,
                sends: row.get::<_, i64>(3)? as usize,
                complete: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Somebody has read them.
    ///
    /// # Errors
    /// [`JournalError`].
    pub(crate) fn restorations_seen(&mut self) -> Result<(), JournalError> {
        self.db.execute("UPDATE restoration SET seen = 1", [])?;
        Ok(())
    }
}
