//! Recovers a journal that is damaged, gone or older than it was: finds that out, sets the files aside, restores a
//! backup.
//!
//! Three things lie beside the journal: its daily backups, a record of sends for each of them (`send_log.rs`), and
//! `damaged/`, where damaged files go. Whatever the restored journal lacks is brought back from the records, as sends
//! whose answer is not known. No bulk goes on by itself, and it is reported to a person.

pub(crate) mod bring_back;
mod reset;

use std::path::{Path, PathBuf};

use database::backup::{self, Backup};

use crate::journal::backups::records::Records;
use crate::journal::backups::{Beside, number};
use crate::journal::restoration::Restoration;
use crate::journal::{Journal, JournalError, schema};
use crate::kill_points::{Point, reached};

pub(crate) use reset::{before_reset, move_aside, move_back};

/// The folder with the backups of a journal, each with its record of sends.
fn folder_of(journal: &Path) -> PathBuf {
    journal.with_extension("backups")
}

/// Opens a journal, whatever happened to its file. `now` is wall clock, ms since 1970.
///
/// # Errors
/// [`JournalError`] when it can neither be used nor restored; then nothing may be sent.
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
    journal.beside = Some(Beside::open(&folder, &journal.db, now)?);
    Ok(journal)
}

/// Opens the journal that is there and brings back the sends that it lacks. Fails if a backup has to take its place.
fn found(file: &Path, folder: &Path, newest: Option<&Backup>, now: i64) -> Result<Journal, JournalError> {
    let records = Records::since(folder, number(newest))?;
    if database::is_new(file)? && (newest.is_some() || !records.are_none()) {
        return Err(JournalError::Damaged);
    }
    let db = Journal::connect(file)?;
    if schema::is_older(&db)? {
        // A journal that lacks something must not become the newest backup.
        if !records.begin_within(&db)? || !records.missing(&db)?.is_empty() {
            return Err(JournalError::Damaged);
        }
        Beside::begin(folder, &db, now)?;
    }
    let mut journal = Journal::of(db)?;
    if !records.begin_within(&journal.db)? {
        return Err(JournalError::Damaged);
    }
    let missing = records.missing(&journal.db)?;
    let complete = records.are_complete(&journal.db, number(newest))?;
    // Unless the records hold every send, it is not known whether the end of the journal is lost as well.
    let is_certain = newest.is_none() || complete || records.are_outnumbered(&journal.db)?;
    if !missing.is_empty() || !is_certain {
        let restoration =
            Restoration { at: now, aside: None, backup: None, sends: missing.len(), complete, anchor: None };
        bring_back::all(&mut journal, &missing, &restoration)?;
    }
    Ok(journal)
}

/// Completes the newest sound backup, or an empty journal if there is none, with the sends after it, and backs up the
/// result. Only then does it set the damaged files aside and put the result in their place. If this is interrupted, the
/// next start continues it.
fn restore(file: &Path, folder: &Path, backups: &[Backup], now: i64) -> Result<Journal, JournalError> {
    let working = file.with_extension("restoring.db");
    database::delete(&working)?;
    let restored = backup::restore_newest(backups, &working, Journal::open, JournalError::is_damage)?;
    let (mut journal, backup) = match restored {
        Some((journal, backup)) => (journal, Some(backup)),
        None => (Journal::open(&working)?, None),
    };
    let records = Records::since(folder, number(backup))?;
    let missing = records.missing(&journal.db)?;
    let complete = records.are_complete(&journal.db, number(backups.first()))?;
    let at = match ready_since(&journal, backup, file)? {
        Some(at) if missing.is_empty() && complete => at,
        _ => {
            let restoration = Restoration {
                at: now,
                aside: Some(database::aside(file, now).to_string_lossy().into_owned()),
                backup: backup.map(|backup| backup.at),
                sends: missing.len(),
                complete,
                anchor: None,
            };
            bring_back::all(&mut journal, &missing, &restoration)?;
            // The new record shows that whatever is still in the journal's place is older.
            Beside::begin(folder, &journal.db, now)?;
            now
        }
    };
    journal.db.pragma_update(None, "wal_checkpoint", "TRUNCATE")?;
    drop(journal);
    reached(Point::Ready);
    database::set_aside(file, at)?;
    reached(Point::Aside);
    database::put_in_place(&working, file)?;
    Journal::open(file)
}

/// When this backup was made of a restored journal that did not get to its place, wall clock, ms since 1970; `None` if
/// it is no such backup, or the journal is in its place.
fn ready_since(journal: &Journal, backup: Option<&Backup>, file: &Path) -> Result<Option<i64>, JournalError> {
    // The database is set aside last, after its companions.
    let is_over =
        |aside: &str| file.exists() && file.file_name().is_some_and(|name| Path::new(aside).join(name).exists());
    let restoration = journal
        .restorations()
        .unread()?
        .pop()
        .filter(|restoration| restoration.aside.as_ref().is_some_and(|aside| !is_over(aside)));
    Ok(restoration.map(|restoration| restoration.at).filter(|at| backup.is_some_and(|backup| backup.at == *at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::{Decision, Event, decide};
    use crate::journal::backups::records::record_of;
    use crate::journal::operation::commit::Change;
    use crate::journal::row::Row;
    use crate::journal::send_log::Record;
    use crate::journal::send_log::tests::send;
    use crate::words::schedule::Schedule;
    use crate::words::state::State;
    use database::tables::version;
    use rusqlite::Connection;
    use tempfile::TempDir;

    /// Makes a journal with nothing beside it, and a row that is about to be sent.
    fn about_to_send() -> (TempDir, Journal, Row, Decision) {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let intent = crate::AccountChange::Create { user_name: "one@x.com".into() }.into();
        let row = journal.prepare("nonce", &intent, None, None, None, 0).unwrap().unwrap();
        let send = decide(row.situation(), Event::Send, &Schedule::default()).unwrap();
        (folder, journal, row, send)
    }

    #[test]
    fn a_journal_that_has_nothing_beside_it_is_written_all_the_same() {
        let (_folder, mut journal, row, send) = about_to_send();
        let sent = journal.commit(&row, &send, &Change::default(), 0).unwrap().unwrap();
        assert_eq!(sent.state, State::Sending);
    }

    #[test]
    fn a_row_that_is_no_longer_as_it_was_decided_from_is_not_committed() {
        let (_folder, mut journal, row, send) = about_to_send();
        assert!(journal.commit(&row, &send, &Change::default(), 0).unwrap().is_some());
        assert!(
            journal.commit(&row, &send, &Change::default(), 0).unwrap().is_none(),
            "it is not as it was decided from"
        );
    }

    /// Makes a journal of the version before this one.
    fn older() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.db");
        let mut db = Connection::open(&file).unwrap();
        schema::migrations().to_version(&mut db, schema::LATEST - 1).unwrap();
        (folder, file)
    }

    fn versions_of_backups(file: &Path) -> Vec<i64> {
        let all = backup::all(&folder_of(file)).unwrap();
        all.iter().map(|backup| version(&Connection::open(&backup.file).unwrap()).unwrap()).collect()
    }

    #[test]
    fn an_older_journal_is_backed_up_as_it_was_before_it_is_brought_up_to_date() {
        let (_folder, file) = older();
        let journal = open(&file, 0).unwrap();
        assert_eq!(version(&journal.db).unwrap(), schema::LATEST as i64);
        assert_eq!(versions_of_backups(&file), [schema::LATEST as i64 - 1]);
        assert_eq!(journal.restorations().unread().unwrap(), []);
    }

    #[test]
    fn a_journal_under_the_number_of_an_older_one_is_damaged_and_no_backup_is_made_of_it() {
        let (_folder, file) = older();
        drop(open(&file, 0).unwrap());
        Connection::open(&file).unwrap().pragma_update(None, "user_version", 3).unwrap();
        let journal = open(&file, 1).unwrap();
        assert_eq!(journal.restorations().unread().unwrap().len(), 1);
        let latest = schema::LATEST as i64;
        assert_eq!(versions_of_backups(&file), [latest, latest - 1], "the restored one, and the first");
    }

    #[test]
    fn a_journal_of_a_newer_version_is_an_error_and_nothing_is_moved() {
        let (folder, file) = older();
        drop(open(&file, 0).unwrap());
        let newer = Connection::open(&file).unwrap();
        newer.execute_batch("CREATE TABLE later (x INTEGER) STRICT").unwrap();
        newer.pragma_update(None, "user_version", schema::LATEST as i64 + 1).unwrap();
        assert!(open(&file, 0).is_err());
        assert!(!folder.path().join("damaged").exists() && file.exists());
        assert_eq!(version(&Connection::open(&file).unwrap()).unwrap(), schema::LATEST as i64 + 1);
    }

    #[test]
    fn what_was_told_of_a_restoration_cannot_be_changed_outside_the_program() {
        let (_folder, file) = older();
        drop(open(&file, 0).unwrap());
        std::fs::write(&file, b"a letter").unwrap();
        assert_eq!(open(&file, 1).unwrap().restorations().unread().unwrap().len(), 1);
        let changed = Connection::open(&file).unwrap().execute("UPDATE restoration SET sends = 7", []).unwrap();
        assert_eq!(changed, 1);
        let restoration = open(&file, 2).unwrap().restorations().unread().unwrap();
        assert!(
            restoration.iter().all(|restoration| restoration.sends == 0)
                && restoration.iter().any(|restoration| restoration.at == 2),
            "{restoration:?}"
        );
    }

    /// Makes the first record beside a journal, begun after these events.
    fn record(file: &Path, events: &str) -> Record {
        let folder = folder_of(file);
        std::fs::create_dir_all(&folder).unwrap();
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(&format!("CREATE TABLE event (number INTEGER, hash TEXT); {events}")).unwrap();
        Record::begin(&record_of(&folder, 1), &db).unwrap()
    }

    #[test]
    fn an_older_journal_that_lacks_a_send_does_not_become_the_newest_backup() {
        // The record began after an event that the journal does not hold, or it holds a send that the journal lacks.
        for (events, sends) in [("INSERT INTO event VALUES (7, 'lost')", 0), ("", 1)] {
            let (_folder, file) = older();
            let mut record = record(&file, events);
            (0..sends).for_each(|_| record.keep(send("lost")).unwrap());
            let journal = open(&file, 0).unwrap();
            let restoration = journal.restorations().unread().unwrap();
            assert!(
                restoration.len() == 1 && restoration[0].aside.is_some() && restoration[0].sends == sends,
                "{restoration:?}"
            );
            assert_eq!(restoration[0].complete, events.is_empty(), "{restoration:?}");
            assert!(versions_of_backups(&file).iter().all(|version| *version == schema::LATEST as i64));
        }
    }

    #[test]
    fn a_journal_and_its_backups_that_are_gone_leave_the_record_of_sends() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.db");
        record(&file, "").keep(send("lost")).unwrap();
        let restoration = open(&file, 1).unwrap().restorations().unread().unwrap();
        assert!(restoration.len() == 1 && restoration[0].backup.is_none(), "{restoration:?}");
        assert_eq!((restoration[0].sends, restoration[0].complete), (1, true));
    }
}
