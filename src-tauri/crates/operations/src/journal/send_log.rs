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
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::journal::{JournalError, event};

/// One send, with everything that is needed to find out what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Send {
    /// Its event: number and hash.
    pub(crate) event: (i64, String),
    /// The time of that event, wall clock, ms since 1970.
    pub(crate) at: i64,
    id: String,
    kind: String,
    target: String,
    nonce: String,
    key: String,
    intent: String,
    request: String,
    created: i64,
    price_ends: Option<i64>,
    baseline: Option<String>,
    counter_of: Option<String>,
    bulk: Option<String>,
    #[serde(default)]
    fingerprint: Option<String>,
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
        database::only_for_this_user(file)?;
        record.write(&Line::Head(event::head(db)?))?;
        file.parent().map_or(Ok(()), database::sync_folder)?;
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

/// The assignments for an operation that may have been sent and whose answer is not known.
pub(crate) const SENT_AGAIN: &str =
    "state = 'sending', in_doubt = 1, reason = NULL, said = NULL, looks = 0, agreeing = 0, next_at = NULL,";

/// When an operation was restored. The time of the first restoration that was not complete stays forever.
pub(crate) const RESTORED_AT: &str = "restored = CASE WHEN operation.restored IN
    (SELECT at FROM restoration WHERE NOT complete) THEN operation.restored ELSE";

impl Send {
    /// The last send of an operation.
    pub(crate) fn of(db: &Connection, id: &str) -> Result<Self, JournalError> {
        let mut query = db.prepare_cached(
            "SELECT number, hash, wall, id, kind, target, nonce, key, intent, request, created, price_ends, baseline,
                 counter_of, bulk, fingerprint
             FROM operation JOIN event ON event.operation = operation.id
             WHERE operation.id = ?1 AND what = 'sending' ORDER BY number DESC LIMIT 1",
        )?;
        Ok(query.query_row([id], |row| {
            Ok(Self {
                event: (row.get(0)?, row.get(1)?),
                at: row.get(2)?,
                id: row.get(3)?,
                kind: row.get(4)?,
                target: row.get(5)?,
                nonce: row.get(6)?,
                key: row.get(7)?,
                intent: row.get(8)?,
                request: row.get(9)?,
                created: row.get(10)?,
                price_ends: row.get(11)?,
                baseline: row.get(12)?,
                counter_of: row.get(13)?,
                bulk: row.get(14)?,
                fingerprint: row.get(15)?,
            })
        })?)
    }

    /// Brings the send back, with its snapshot; its answer is not known. Only a person repeats it. `restored` is wall
    /// clock, ms since 1970.
    pub(crate) fn bring_back(&self, db: &Connection, restored: i64) -> Result<(), JournalError> {
        let exists = |table: &str, id: &Option<String>| -> rusqlite::Result<Option<String>> {
            let Some(id) = id else { return Ok(None) };
            db.query_row(&format!("SELECT id FROM {table} WHERE id = ?1"), [id], |row| row.get(0)).optional()
        };
        let upsert = format!(
            "INSERT INTO operation (id, kind, target, state, nonce, key, intent, request, created, price_ends,
                 baseline, counter_of, bulk, in_doubt, repeats, restored, fingerprint)
             VALUES (?1, ?2, ?3, 'sending', ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 1, ?13, ?14, ?15)
             ON CONFLICT (id) DO UPDATE SET {SENT_AGAIN} repeats = ?13, {RESTORED_AT} ?14 END, version = version + 1,
                 baseline = coalesce(excluded.baseline, baseline)"
        );
        db.execute(
            &upsert,
            params![
                self.id,
                self.kind,
                self.target,
                self.nonce,
                self.key,
                self.intent,
                self.request,
                self.created,
                self.price_ends,
                self.baseline,
                exists("operation", &self.counter_of)?,
                exists("bulk", &self.bulk)?,
                crate::journal::MANY,
                restored,
                self.fingerprint,
            ],
        )?;
        db.execute(
            "UPDATE bulk_row SET state = 'operation', operation = ?1
             WHERE bulk = ?2 AND bulk || ' ' || number = ?3 AND operation IS NULL",
            params![self.id, self.bulk, self.nonce],
        )?;
        Ok(())
    }

    /// Whether it was already brought back: its `sending` is there again with the same time, and `restored` follows.
    pub(crate) fn is_back(&self, db: &Connection) -> rusqlite::Result<bool> {
        let query = "SELECT EXISTS (SELECT 1 FROM event AS sent JOIN event AS back ON back.number = sent.number + 1
             WHERE sent.operation = ?1 AND sent.what = 'sending' AND sent.wall = ?2
                 AND back.operation = ?1 AND back.what = 'restored')";
        db.prepare_cached(query)?.query_row(params![self.id, self.at], |row| row.get(0))
    }

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
