//! A journal that is damaged, gone or older than it was: found out, put aside, brought back.
//!
//! Three things lie beside the journal: its daily backups, a record of sends for each of them (`sends.rs`),
//! and `damaged/`, where broken files go. What the restored journal lacks is brought back from the records
//! as sends whose answer nobody knows; no bulk goes on by itself, and a person is told.

use std::path::{Path, PathBuf};

use database::backup::{self, Backup};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::chain;
use crate::journal::{Journal, JournalError};
use crate::schema;
use crate::sends::{self, Record, Send};
use crate::state::State;

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
    let newest = backups.first().cloned();
    let found = match found(file, &folder, newest.as_ref(), now) {
        Err(damage) if damage.is_damage() => {
            tracing::error!(%damage, "the journal is restored");
            None
        }
        found => Some(found?),
    };
    let was_sound = found.is_some();
    let mut journal = match found {
        Some((journal, missing)) if missing.is_empty() => journal,
        Some((mut journal, missing)) => {
            let told = Restoration { at: now, aside: None, backup: None, sends: missing.len(), complete: true };
            bring_back(&mut journal, &missing, &told)?;
            journal
        }
        None => restore(file, &folder, &backups, now)?,
    };
    let due = !was_sound || backup::is_due(newest.as_ref(), now);
    let made = due.then(|| back_up(&journal, &folder, now)).transpose();
    // A new version backed up before it changed the tables.
    let newest = backup::all(&folder)?.first().cloned();
    let newest = match made {
        Ok(made) => made.or(newest),
        // What was restored has to be the newest backup: the records of the damaged journal end there.
        Err(error) if !was_sound => return Err(error),
        Err(error) => {
            tracing::warn!(%error, "no backup of the journal");
            newest
        }
    };
    journal.beside = Some(Beside::open(folder, newest, &journal)?);
    Ok(journal)
}

/// The journal that lies there, and the sends that it should know and does not.
fn found(file: &Path, folder: &Path, newest: Option<&Backup>, now: i64) -> Result<(Journal, Vec<Send>), JournalError> {
    if newest.is_some() && !file.exists() {
        return Err(JournalError::Damaged);
    }
    let db = Journal::connect(file)?;
    if schema::is_older(&db)? {
        backup::make(&db, folder, now)?;
    }
    let journal = Journal::of(db)?;
    let record = sends::read(&record_of(folder, number(newest)))?;
    if let Some(head) = &record.head
        && !chain::has(&journal.db, head)?
    {
        // It is older than its own newest backup.
        return Err(JournalError::Damaged);
    }
    let missing = missing(&journal, record.sends)?;
    Ok((journal, missing))
}

fn missing(journal: &Journal, sends: Vec<Send>) -> Result<Vec<Send>, JournalError> {
    let mut missing = Vec::new();
    for send in sends {
        if !chain::has(&journal.db, &send.event)? {
            missing.push(send);
        }
    }
    Ok(missing)
}

/// Puts the damaged files aside, and the newest sound backup, with the sends behind it, in their place.
fn restore(file: &Path, folder: &Path, backups: &[Backup], now: i64) -> Result<Journal, JournalError> {
    let aside = database::set_aside(file, now)?;
    let restored = backup::restore_newest(backups, file, Journal::open, JournalError::is_damage)?;
    let backup = restored.as_ref().map(|(_, backup)| *backup);
    let newest = number(backups.first());
    let oldest = backup.map_or_else(|| first_record(folder, newest), |backup| backup.number);
    let mut complete = backup.is_some() || oldest <= 1;
    let mut sends = Vec::new();
    for number in oldest..=newest {
        let read = sends::read(&record_of(folder, number))?;
        complete &= read.whole;
        sends.extend(read.sends);
    }
    let mut journal = match restored {
        Some((journal, _)) => journal,
        None => Journal::open(file)?,
    };
    let missing = missing(&journal, sends)?;
    let told = Restoration {
        at: now,
        aside: Some(aside.to_string_lossy().into_owned()),
        backup: backup.map(|backup| backup.at),
        sends: missing.len(),
        complete,
    };
    bring_back(&mut journal, &missing, &told)?;
    Ok(journal)
}

/// The oldest record that is kept.
fn first_record(folder: &Path, newest: u64) -> u64 {
    (0..=newest).find(|number| record_of(folder, *number).exists()).unwrap_or(newest)
}

/// Commits what the records know and the journal does not, with what a person is told.
fn bring_back(journal: &mut Journal, missing: &[Send], told: &Restoration) -> Result<(), JournalError> {
    let started = journal.started;
    let transaction = journal.db.transaction()?;
    for send in missing {
        send.bring_back(&transaction, told.at)?;
        chain::append(&transaction, started, send.id(), State::Sending.word(), send.at)?;
        chain::append(&transaction, started, send.id(), "restored", told.at)?;
    }
    if !told.complete {
        doubt_what_may_be_sent(&transaction, started, told.at)?;
    }
    // What was cancelled behind the backup would go on.
    transaction.execute("UPDATE bulk_row SET state = 'skipped', reason = 'restored' WHERE state = 'waiting'", [])?;
    transaction.execute("UPDATE bulk SET state = 'finished' WHERE state <> 'finished'", [])?;
    transaction.execute(
        "INSERT INTO restoration (at, aside, backup, sends, complete) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![told.at, told.aside, told.backup, told.sends as i64, told.complete],
    )?;
    Ok(transaction.commit()?)
}

/// Nobody knows what was sent since: what could be sent again counts as sent.
fn doubt_what_may_be_sent(
    db: &rusqlite::Connection,
    started: std::time::Instant,
    now: i64,
) -> Result<(), JournalError> {
    let mut query = db.prepare("SELECT id FROM operation WHERE state IN ('prepared', 'not-sent', 'rejected')")?;
    let doubted: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for id in doubted {
        db.execute(
            "UPDATE operation SET state = 'sending', in_doubt = 1, repeats = ?3, restored = ?2, version = version + 1
             WHERE id = ?1",
            params![id, now, crate::journal::MANY],
        )?;
        chain::append(db, started, &id, "restored", now)?;
        chain::append(db, started, &id, State::Sending.word(), now)?;
    }
    Ok(())
}

fn back_up(journal: &Journal, folder: &Path, now: i64) -> Result<Backup, JournalError> {
    let made = backup::make(&journal.db, folder, now)?;
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
        beside.record.keep(Send::of(&self.db, id)?)
    }

    /// A backup a day. One that can not be made is no reason to stop: the record of the last one goes on.
    pub(crate) fn back_up_if_due(&mut self, now: i64) {
        let Some(Beside { folder, newest, .. }) = &self.beside else { return };
        if !backup::is_due(newest.as_ref(), now) {
            return;
        }
        let folder = folder.clone();
        let made = back_up(self, &folder, now).and_then(|made| Beside::open(folder, Some(made), self));
        match made {
            Ok(beside) => self.beside = Some(beside),
            Err(error) => tracing::warn!(%error, "no backup of the journal"),
        }
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
