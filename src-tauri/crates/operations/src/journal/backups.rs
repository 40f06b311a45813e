//! The daily backups beside an open journal, each with the record of sends that began just before it.

pub(super) mod records;

use std::path::{Path, PathBuf};

use database::backup::{self, Backup};
use rusqlite::Connection;

use crate::journal::JournalError;
use crate::journal::backups::records::{Records, record_of};
use crate::journal::send_log::Record;
use crate::kill_points::{Point, reached};

/// The backups and the record of sends beside an open journal.
pub(crate) struct Beside {
    pub(super) folder: PathBuf,
    pub(super) record: Record,
    /// When a backup was last made or tried, wall clock, ms since 1970.
    pub(super) backed_up: i64,
}

impl Beside {
    /// Begins the next record, then makes the backup that it belongs to, so that no backup is without a record. If the
    /// backup fails, the record is removed: nothing is written to it.
    pub(super) fn begin(folder: &Path, db: &Connection, now: i64) -> Result<Self, JournalError> {
        std::fs::create_dir_all(folder)?;
        let number = backup::next_number(folder)?.max(records::last(folder)? + 1);
        let file = record_of(folder, number);
        let record = Record::begin(&file, db)?;
        reached(Point::Begun);
        backup::make(db, folder, number, now).inspect_err(|_| drop(std::fs::remove_file(&file)))?;
        let _ = records::forget_before(folder);
        Ok(Self { folder: folder.to_owned(), record, backed_up: now })
    }

    /// Goes on with the newest record if it is whole and no backup is due, and begins the next one otherwise.
    pub(super) fn open(folder: &Path, db: &Connection, now: i64) -> Result<Self, JournalError> {
        let backups = backup::all(folder)?;
        let newest = backups.first();
        let records = Records::since(folder, number(newest))?;
        let go_on = |number| -> Result<Self, JournalError> {
            let record = Record::go_on(&record_of(folder, number))?;
            Ok(Self { folder: folder.to_owned(), record, backed_up: newest.map_or(now, |newest| newest.at) })
        };
        match newest {
            Some(newest) if records.end_whole_with(newest.number) && !backup::is_due(Some(newest.at), now) => {
                go_on(newest.number)
            }
            // A full disk is no reason to stop: the last whole record continues without a new backup.
            _ => Self::begin(folder, db, now).or_else(|error| {
                tracing::warn!(%error, "no backup of the journal");
                records.last_whole().map_or(Err(error), go_on)
            }),
        }
    }
}

pub(super) fn number(backup: Option<&Backup>) -> u64 {
    backup.map_or(0, |backup| backup.number)
}
