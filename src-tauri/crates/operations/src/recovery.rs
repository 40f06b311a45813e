//! A journal that is damaged, gone or older than it was: found out, put aside, brought back.
//!
//! Three things lie beside the journal: its daily backups, a record of sends for each of them (`sends.rs`),
//! and `damaged/`, where broken files go. What the restored journal lacks is brought back from the records
//! as sends whose answer nobody knows; no bulk goes on by itself, and a person is told.

mod bring_back;

use std::path::{Path, PathBuf};

use database::backup::{self, Backup};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::chain;
use crate::journal::{Journal, JournalError};
use crate::schema;
use crate::sends::{self, Read, Record, Send};

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

fn record_of(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:06}.sends"))
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
    let (mut journal, is_new) = match found(file, &folder, backups.first(), now) {
        Err(damage) if damage.is_damage() => {
            tracing::error!(%damage, "the journal is restored");
            (restore(file, &folder, &backups, now)?, true)
        }
        found => found?,
    };
    let made = (is_new || backup::is_due(backups.first(), now)).then(|| back_up(&journal, &folder, now)).transpose();
    match made {
        // The records of the damaged journal end there: what is restored has to be the newest backup.
        Err(error) if is_new => return Err(error),
        Err(error) => tracing::warn!(%error, "no backup of the journal"),
        Ok(_) => {}
    }
    // A new version backed up before it changed the tables.
    let newest = backup::all(&folder)?.first().cloned();
    journal.beside = Some(Beside::open(folder, newest, &journal)?);
    Ok(journal)
}

/// The journal that lies there, and whether something had to be brought back.
fn found(file: &Path, folder: &Path, newest: Option<&Backup>, now: i64) -> Result<(Journal, bool), JournalError> {
    if newest.is_some() && !file.exists() {
        return Err(JournalError::Damaged);
    }
    let db = Journal::connect(file)?;
    if schema::is_older(&db)? {
        backup::make(&db, folder, last_record(folder)?, now)?;
    }
    let mut journal = Journal::of(db)?;
    // A rotation that was cut off may have left sends in the record before.
    let records = records(folder, number(newest).saturating_sub(1))?;
    let current = records.iter().filter(|(at, _)| *at >= number(newest));
    for head in current.clone().filter_map(|(_, read)| read.head.as_ref()) {
        if !chain::has(&journal.db, head)? {
            // It is older than its own newest backup.
            return Err(JournalError::Damaged);
        }
    }
    let complete = current.clone().all(|(_, read)| read.whole);
    let missing = missing(&journal, records)?;
    if missing.is_empty() {
        return Ok((journal, false));
    }
    let told = Restoration { at: now, aside: None, backup: None, sends: missing.len(), complete };
    bring_back::all(&mut journal, &missing, &told)?;
    Ok((journal, true))
}

/// The number of the newest record; its backup may be gone.
fn last_record(folder: &Path) -> Result<u64, JournalError> {
    Ok(record_numbers(folder)?.last().copied().unwrap_or_default())
}

/// Every record from a number on, whether its backup is there or not.
fn records(folder: &Path, from: u64) -> Result<Vec<(u64, Read)>, JournalError> {
    let numbers = record_numbers(folder)?.into_iter().filter(|number| *number >= from);
    numbers.map(|number| Ok((number, sends::read(&record_of(folder, number))?))).collect()
}

fn record_numbers(folder: &Path) -> Result<Vec<u64>, JournalError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect::<std::io::Result<Vec<_>>>()?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let number = |name: &std::ffi::OsStr| name.to_str()?.strip_suffix(".sends")?.parse::<u64>().ok();
    let mut numbers: Vec<u64> = entries.iter().filter_map(|entry| number(&entry.file_name())).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// The sends that a journal should know and does not. What was brought back before is known under its name.
fn missing(journal: &Journal, records: Vec<(u64, Read)>) -> Result<Vec<Send>, JournalError> {
    let mut missing = Vec::new();
    for send in records.into_iter().flat_map(|(_, read)| read.sends) {
        if !chain::has(&journal.db, &send.event)? && !send.is_back(&journal.db)? {
            missing.push(send);
        }
    }
    Ok(missing)
}

/// Makes the newest sound backup whole with the sends behind it, and only then puts the damaged files aside
/// and it in their place: whatever ends this in the middle, the next start does it again.
fn restore(file: &Path, folder: &Path, backups: &[Backup], now: i64) -> Result<Journal, JournalError> {
    let working = file.with_extension("restoring.db");
    database::delete(&working)?;
    let restored = backup::restore_newest(backups, &working, Journal::open, JournalError::is_damage)?;
    let backup = restored.as_ref().map(|(_, backup)| *backup);
    let oldest = number(backup);
    let records = records(folder, oldest.saturating_sub(1))?;
    let numbers: Vec<u64> = records.iter().map(|(number, _)| *number).collect();
    // From the backup on, or from the very first one, each in its turn.
    let first = numbers.iter().copied().find(|number| *number >= oldest);
    let last = numbers.last().copied().unwrap_or_default().max(number(backups.first()));
    let unbroken = first.is_some_and(|first| (first..=last).all(|number| numbers.contains(&number)));
    let from_the_beginning = backup.is_some() || first.is_some_and(|first| first <= 1);
    let readable = records.iter().all(|(number, read)| *number < oldest || read.whole);
    let mut journal = match restored {
        Some((journal, _)) => journal,
        None => Journal::open(&working)?,
    };
    let missing = missing(&journal, records)?;
    let told = Restoration {
        at: now,
        aside: Some(database::aside(file, now).to_string_lossy().into_owned()),
        backup: backup.map(|backup| backup.at),
        sends: missing.len(),
        complete: unbroken && from_the_beginning && readable,
    };
    bring_back::all(&mut journal, &missing, &told)?;
    journal.db.pragma_update(None, "wal_checkpoint", "TRUNCATE")?;
    drop(journal);
    database::set_aside(file, now)?;
    database::put_in_place(&working, file)?;
    Journal::open(file)
}

fn back_up(journal: &Journal, folder: &Path, now: i64) -> Result<Backup, JournalError> {
    let made = backup::make(&journal.db, folder, last_record(folder)?, now)?;
    let oldest = backup::all(folder)?.last().map_or(0, |backup| backup.number);
    for number in (0..oldest).rev().map_while(|number| Some(record_of(folder, number)).filter(|file| file.exists())) {
        std::fs::remove_file(number)?;
    }
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
