//! The record of sends: a second file, beside the journal, of everything that may have left this computer.
//!
//! It has a line for each send, synced after the commit of `sending` and before the first byte. If the journal is
//! damaged, or comes back older than it was, the lines show what it lacks. A line is JSON after its SHA-256: first the
//! head, then sends. A torn or damaged line shows, and the record is then not whole. Like the journal, it holds no
//! secrets.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use database::stamp;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::journal::{JournalError, chain};

/// One send, with everything that is needed to find out what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Send {
    /// Its event: number and hash.
    pub(crate) event: (i64, String),
    /// The time of that event, wall clock, ms since 1970.
    pub(crate) at: i64,
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) target: String,
    pub(super) nonce: String,
    pub(super) key: String,
    pub(super) intent: String,
    pub(super) request: String,
    pub(super) created: i64,
    pub(super) price_ends: Option<i64>,
    pub(super) baseline: Option<String>,
    pub(super) counter_of: Option<String>,
    pub(super) bulk: Option<String>,
    #[serde(default)]
    pub(super) fingerprint: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// The newest event of the journal when the record began; `None` if the journal was empty.
    Head(Option<(i64, String)>),
    Sent(Box<Send>),
}

/// The content of a record.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// Whether it says where it began: after the event `head`, or in an empty journal.
    pub(crate) has_head: bool,
    pub(crate) head: Option<(i64, String)>,
    pub(crate) sends: Vec<Send>,
    /// Number of lines after the head, readable or not.
    pub(crate) lines: usize,
    /// Whether it says where it began and every line can be read.
    pub(crate) whole: bool,
}

/// The record that is open for writing.
pub(crate) struct Record(File);

impl Record {
    /// Begins a record where there is none. If that fails, it leaves none.
    pub(crate) fn begin(file: &Path, db: &Connection) -> Result<Self, JournalError> {
        Self::try_to_begin(file, db).inspect_err(|_| drop(std::fs::remove_file(file)))
    }

    fn try_to_begin(file: &Path, db: &Connection) -> Result<Self, JournalError> {
        let mut record = Self::go_on(file)?;
        files::only_for_this_user(file)?;
        record.write(&Line::Head(chain::head(db)?))?;
        file.parent().map_or(Ok(()), files::sync_folder)?;
        Ok(record)
    }

    /// Opens a record to append to it. Creates an empty one if there is none.
    pub(crate) fn go_on(file: &Path) -> Result<Self, JournalError> {
        Ok(Self(OpenOptions::new().create(true).append(true).open(file)?))
    }

    /// Makes a send durable. Nothing leaves if that fails.
    pub(crate) fn keep(&mut self, send: Send) -> Result<(), JournalError> {
        Ok(self.write(&Line::Sent(Box::new(send)))?)
    }

    /// Writes a line and syncs. The line end comes first, so that a line torn by a full disk ends there.
    fn write(&mut self, line: &Line) -> io::Result<()> {
        let json = serde_json::to_string(line)?;
        self.0.write_all(format!("\n{}", stamp::stamped(&json)).as_bytes())?;
        self.0.sync_data()
    }
}

/// Reads a record. One that is missing or cannot be read is empty and not whole.
pub(crate) fn read(file: &Path) -> Read {
    let bytes = std::fs::read(file).unwrap_or_default();
    let mut read = Read { whole: true, ..Read::default() };
    for (at, line) in bytes.split(|byte| *byte == b'\n').skip(1).map(checked).enumerate() {
        // A first line that cannot be read is taken for the head: no send comes before it.
        read.lines += usize::from(at > 0 || matches!(line, Some(Line::Sent(_))));
        match line {
            Some(Line::Head(head)) if at == 0 => (read.head, read.has_head) = (head, true),
            Some(Line::Sent(send)) => read.sends.push(*send),
            _ => read.whole = false,
        }
    }
    read.whole &= read.has_head;
    read
}

fn checked(line: &[u8]) -> Option<Line> {
    serde_json::from_str(stamp::unstamped(std::str::from_utf8(line).ok()?)?).ok()
}

impl Send {
    /// The operation that was sent.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A send of an event that no journal holds.
    pub(crate) fn send(id: &str) -> Send {
        Send {
            event: (1, "hash".into()),
            at: 2,
            id: id.into(),
            kind: "deduction".into(),
            target: "1".into(),
            nonce: id.into(),
            key: id.into(),
            intent: "{}".into(),
            request: "{}".into(),
            created: 1,
            price_ends: None,
            baseline: None,
            counter_of: None,
            bulk: None,
            fingerprint: None,
        }
    }

    fn written(sends: usize) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("1.sends");
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE event (number INTEGER, hash TEXT)").unwrap();
        let mut record = Record::begin(&file, &db).unwrap();
        (0..sends).for_each(|number| record.keep(send(&number.to_string())).unwrap());
        (folder, file)
    }

    #[test]
    fn every_damage_shows_but_a_cut_at_a_line_end() {
        let (_folder, file) = written(3);
        let bytes = std::fs::read(&file).unwrap();
        let is_line_end = |at: usize| at > 0 && (at == bytes.len() || bytes[at] == b'\n');
        for end in 0..bytes.len() {
            std::fs::write(&file, &bytes[..end]).unwrap();
            assert_eq!(read(&file).whole, is_line_end(end), "cut at {end}");
        }
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            std::fs::write(&file, &flipped).unwrap();
            let read = read(&file);
            assert!(!read.whole, "byte {at}");
            // Anything before the first line end is skipped; without a line end, two lines become one.
            let unreadable = if at == 0 { 0 } else { 1 + usize::from(bytes[at] == b'\n') };
            assert!(read.sends.len() + unreadable >= 3 && read.lines + unreadable >= 3, "byte {at}: {read:?}");
        }
    }

    #[test]
    fn a_record_has_one_head_and_it_comes_first() {
        let (_folder, file) = written(1);
        Record::go_on(&file).unwrap().write(&Line::Head(Some((7, "another".into())))).unwrap();
        let read = read(&file);
        assert!(!read.whole && read.head.is_none() && read.has_head, "{read:?}");
    }

    #[test]
    fn what_a_full_disk_tore_does_not_take_the_next_line_with_it() {
        let (_folder, file) = written(1);
        let mut bytes = std::fs::read(&file).unwrap();
        bytes.truncate(bytes.len() - 9);
        std::fs::write(&file, bytes).unwrap();
        Record::go_on(&file).unwrap().keep(send("next")).unwrap();
        let read = read(&file);
        assert_eq!(read.sends, [send("next")]);
        assert!(!read.whole);
    }
}
