//! The records of sends that belong to a backup, and the sends that a journal lacks.

use std::path::{Path, PathBuf};

use database::backup;
use rusqlite::Connection;

use crate::journal::send_log::{Read, Send};
use crate::journal::{JournalError, chain, send_log};

/// Records of sends with their numbers, oldest first.
pub(in crate::journal) struct Records {
    /// Number of the backup that they belong to; 0: the beginning.
    backup: u64,
    all: Vec<(u64, Read)>,
}

impl Records {
    /// The records of a backup and those after it.
    pub(in crate::journal) fn since(folder: &Path, backup: u64) -> Result<Self, JournalError> {
        let numbers = numbers(folder)?.into_iter().filter(|number| *number >= backup);
        let all = numbers.map(|number| (number, send_log::read(&record_of(folder, number)))).collect();
        Ok(Self { backup, all })
    }

    /// Whether there are none.
    pub(in crate::journal) fn are_none(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether the newest has this number and nothing is missing in it.
    pub(in crate::journal) fn end_whole_with(&self, number: u64) -> bool {
        self.all.last().is_some_and(|(last, read)| *last == number && read.whole)
    }

    /// The number of the newest in which nothing is missing.
    pub(in crate::journal) fn last_whole(&self) -> Option<u64> {
        self.all.iter().rfind(|(_, read)| read.whole).map(|(number, _)| *number)
    }

    /// Whether the journal still holds what it held when they began. If not, it is older than its own backup.
    pub(in crate::journal) fn begin_within(&self, db: &Connection) -> Result<bool, JournalError> {
        for head in self.all.iter().filter_map(|(_, read)| read.head.as_ref()) {
            if !chain::has(db, head)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether none is missing in between.
    fn are_in_turn(&self) -> bool {
        self.all.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0)
    }

    /// Whether they hold every send that is not in the backup. `db` is the opened backup, `newest` the number of the
    /// newest record.
    pub(in crate::journal) fn are_complete(&self, db: &Connection, newest: u64) -> Result<bool, JournalError> {
        let [(first, begun), ..] = self.all.as_slice() else { return Ok(false) };
        // The first must be the backup's own record. A later one is not enough, even if it names the same event,
        // because sends that were unknown at a restoration add no event. Without a backup, the first must be from an
        // empty journal.
        let begin_with_it = match &begun.head {
            Some(head) => *first == self.backup && chain::has(db, head)?,
            None => *first == self.backup || self.backup == 0,
        };
        let up_to_now = self.all.last().is_some_and(|(last, _)| *last >= newest);
        Ok(begin_with_it && self.are_in_turn() && up_to_now && self.all.iter().all(|(_, read)| read.whole))
    }

    /// Whether a journal has as many sends as they have lines, even if not every line can be read: then nothing is
    /// missing in the journal.
    pub(in crate::journal) fn are_outnumbered(&self, db: &Connection) -> Result<bool, JournalError> {
        let [(_, begun), ..] = self.all.as_slice() else { return Ok(false) };
        if !begun.has_head {
            return Ok(false);
        }
        let head = begun.head.as_ref().map_or(0, |(number, _)| *number);
        let query = "SELECT count(*) FROM event WHERE what = 'sending' AND number > ?1";
        let sent: i64 = db.query_row(query, [head], |row| row.get(0))?;
        let lines: usize = self.all.iter().map(|(_, read)| read.lines).sum();
        Ok(self.are_in_turn() && sent >= lines as i64)
    }

    /// Whether they hold a send.
    pub(in crate::journal) fn have(&self, event: &(i64, String)) -> bool {
        self.all.iter().flat_map(|(_, read)| &read.sends).any(|send| send.event == *event)
    }

    /// The sends that a journal should know and does not. One that was brought back before is recognised by its
    /// operation and the time of the send.
    pub(in crate::journal) fn missing(&self, db: &Connection) -> Result<Vec<&Send>, JournalError> {
        let mut missing = Vec::new();
        for send in self.all.iter().flat_map(|(_, read)| &read.sends) {
            if !chain::has(db, &send.event)? && !send.is_back(db)? {
                missing.push(send);
            }
        }
        Ok(missing)
    }
}

pub(in crate::journal) fn record_of(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:06}.sends"))
}

/// The number of the newest record. Its backup may be gone.
pub(in crate::journal) fn last(folder: &Path) -> Result<u64, JournalError> {
    Ok(numbers(folder)?.last().copied().unwrap_or_default())
}

/// Deletes the records that belong to no backup any more. A file that cannot be deleted is deleted next time.
pub(in crate::journal) fn forget_before(folder: &Path) -> Result<(), JournalError> {
    let oldest = backup::all(folder)?.last().map_or(0, |oldest| oldest.number);
    for number in numbers(folder)?.into_iter().filter(|number| *number < oldest) {
        let _ = std::fs::remove_file(record_of(folder, number));
    }
    Ok(())
}

fn numbers(folder: &Path) -> Result<Vec<u64>, JournalError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::send_log::Record;
    use crate::journal::send_log::tests::send;

    /// Records with these numbers, each with one send, begun with a journal that has one event.
    fn records(numbers: &[u64], backup: u64) -> (Connection, Records) {
        let folder = tempfile::tempdir().unwrap();
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(
            "CREATE TABLE event (number INTEGER, hash TEXT, what TEXT); INSERT INTO event VALUES (1, 'hash', 'sending')",
        )
        .unwrap();
        for number in numbers {
            Record::begin(&record_of(folder.path(), *number), &db).unwrap().keep(send("one")).unwrap();
        }
        let found = Records::since(folder.path(), backup).unwrap();
        (db, found)
    }

    #[test]
    fn records_are_complete_from_their_backup_on_without_a_gap_up_to_the_newest() {
        let cases: [(&[u64], u64, u64, bool); 6] = [
            (&[1, 2], 1, 2, true),
            (&[1, 2], 1, 1, true),
            (&[1, 3], 1, 3, false),
            (&[1, 2], 1, 3, false),
            (&[2], 1, 2, false),
            (&[], 1, 1, false),
        ];
        for (numbers, backup, newest, expected) in cases {
            let (db, records) = records(numbers, backup);
            assert_eq!(records.are_complete(&db, newest).unwrap(), expected, "{numbers:?} {backup} {newest}");
        }
    }

    #[test]
    fn a_gap_between_records_hides_sends_however_many_the_journal_has() {
        for (numbers, expected) in [(&[1, 2][..], true), (&[1, 3], false)] {
            let (db, records) = records(numbers, 1);
            db.execute_batch("INSERT INTO event VALUES (2, 'x', 'sending'), (3, 'y', 'sending')").unwrap();
            assert_eq!(records.are_outnumbered(&db).unwrap(), expected, "{numbers:?}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_an_error_and_one_that_is_not_there_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("no folder");
        assert_eq!(numbers(&file).unwrap(), [0; 0]);
        std::fs::write(&file, "a letter").unwrap();
        assert!(matches!(numbers(&file), Err(JournalError::Files(_))));
    }
}
