//! `cache.db`: rows, roll-ups, and which pages of which window are there.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use rusqlite_migration::{M, Migrations};
use wire::Day;
use wire::usage::UsageRow;

use crate::insert::{Customers, insert};
use crate::key::{CUSTOMER_BITS, NUMBER_BITS, keys};
use crate::window::Window;

/// The cache cannot be used. It may be deleted: it is read again from the vendor.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite says no.
    #[error("the usage cache cannot be used: {0}")]
    Storage(#[from] rusqlite::Error),
    /// The file's tables are not those of this program.
    #[error("the usage cache cannot be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// More rows than its key can count: of one customer on one day, or of customers.
    #[error("the usage report holds more than can be kept")]
    TooMany,
}

/// The key packs day, customer and a number, so that rows lie in the order in which they are read and
/// asked for. Names are kept once. Amounts are millionths of a MB; finer ones keep their text.
const SCHEMA: &str = "
    CREATE TABLE customer (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
    CREATE TABLE usage_row (
        key INTEGER PRIMARY KEY, up INTEGER NOT NULL, down INTEGER NOT NULL, finer_up TEXT, finer_down TEXT) STRICT;
    CREATE TABLE day_sum (
        day INTEGER PRIMARY KEY, up INTEGER NOT NULL, down INTEGER NOT NULL, rows INTEGER NOT NULL) STRICT;
    CREATE TABLE month_sum (
        month INTEGER NOT NULL, customer INTEGER NOT NULL, up INTEGER NOT NULL, down INTEGER NOT NULL,
        rows INTEGER NOT NULL, PRIMARY KEY (month, customer)) STRICT, WITHOUT ROWID;
    CREATE TABLE reading (
        first INTEGER NOT NULL, last INTEGER NOT NULL, total INTEGER, pages TEXT NOT NULL DEFAULT '',
        doubtful INTEGER NOT NULL DEFAULT 0, complete INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (first, last)) STRICT, WITHOUT ROWID;
    CREATE TABLE owner (one INTEGER PRIMARY KEY CHECK (one = 1), whose TEXT NOT NULL) STRICT;
    CREATE TABLE covered (one INTEGER PRIMARY KEY CHECK (one = 1), oldest INTEGER NOT NULL, through INTEGER NOT NULL) STRICT;
";

/// Rows that the vendor counts and nobody can read, by day.
const UNREADABLE: &str = "CREATE TABLE unreadable (day INTEGER PRIMARY KEY, rows INTEGER NOT NULL) STRICT";

impl Open {
    /// All of it, or nothing.
    fn change(
        &mut self,
        work: impl FnOnce(&Transaction<'_>, &mut Customers) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let Self { db, customers } = self;
        let transaction = db.transaction()?;
        let done = work(&transaction, customers).and_then(|()| Ok(transaction.commit()?));
        if done.is_err() {
            // Some of them may have gone with the transaction.
            customers.clear();
        }
        done
    }
}

/// How far the reading of a window is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Rows of the window, as the vendor counted them on the first page.
    pub total: Option<i64>,
    /// Pages that are kept.
    pub pages: Vec<u32>,
    /// Equal rows were seen: the pages may have overlapped.
    pub doubtful: bool,
    /// Read to the end and counted.
    pub complete: bool,
}

/// The kept usage of one connection.
pub struct Store {
    db: Mutex<Open>,
    /// Questions do not wait for rows that are being written.
    reader: Mutex<Connection>,
}

/// The file, and what would be asked of it for every row.
struct Open {
    db: Connection,
    /// Number and name of each customer that was met.
    customers: Customers,
}

impl Store {
    /// Opens the file, or makes it. `whose`: where its rows come from; those of another are taken out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open(file: &Path, whose: &str) -> Result<Self, StoreError> {
        let mut db = Connection::open(file)?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "NORMAL")?;
        db.pragma_update(None, "cache_size", -64_000)?;
        Migrations::new(vec![M::up(SCHEMA), M::up(UNREADABLE)]).to_latest(&mut db)?;
        belong_to(&mut db, whose)?;
        let reader = Connection::open(file)?;
        reader.pragma_update(None, "query_only", true)?;
        Ok(Self { db: Mutex::new(Open { db, customers: HashMap::new() }), reader: Mutex::new(reader) })
    }

    pub(crate) fn reader(&self) -> MutexGuard<'_, Connection> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_file(&self) -> MutexGuard<'_, Open> {
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rows held.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rows(&self) -> Result<i64, StoreError> {
        Ok(self.reader().query_row("SELECT coalesce(sum(rows), 0) FROM day_sum", [], |row| row.get(0))?)
    }

    /// Rows that could not be read.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn unreadable(&self) -> Result<i64, StoreError> {
        let sum = "SELECT coalesce(sum(rows), 0) FROM unreadable";
        Ok(self.reader().query_row(sum, [], |row| row.get(0))?)
    }

    /// Rows of a span as the vendor counted them: those held, and those that could not be read.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rows_in(&self, span: Window) -> Result<i64, StoreError> {
        let sum = "SELECT coalesce(sum(rows), 0) FROM
                       (SELECT day, rows FROM day_sum UNION ALL SELECT day, rows FROM unreadable)
                   WHERE day BETWEEN ?1 AND ?2";
        Ok(self.reader().query_row(sum, params![span.from.days(), span.to.days()], |row| row.get(0))?)
    }

    /// First and last day of what is read without a gap.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn covered(&self) -> Result<Option<(Day, Day)>, StoreError> {
        let days = |row: &rusqlite::Row<'_>| Ok((Day::new(row.get(0)?), Day::new(row.get(1)?)));
        Ok(self.reader().query_row("SELECT oldest, through FROM covered", [], days).optional()?)
    }

    /// Notes how far it is read: back to `oldest` (unchanged when `None`), and through this day.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn cover(&self, oldest: Option<Day>, through: Day) -> Result<(), StoreError> {
        let note = "INSERT INTO covered VALUES (1, ?1, ?2) ON CONFLICT DO UPDATE
                    SET oldest = coalesce(?3, oldest), through = excluded.through";
        let known = oldest.map(Day::days);
        self.open_file().db.execute(note, params![known.unwrap_or(through.days()), through.days(), known])?;
        Ok(())
    }

    /// How far a window is read.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn reading(&self, window: Window) -> Result<Reading, StoreError> {
        Ok(reading(&self.open_file().db, window)?)
    }

    /// Keeps pages of a window (number, count of the window, rows): rows, sums and the note of it, in one
    /// transaction.
    ///
    /// # Errors
    /// [`StoreError`]; nothing of them is kept.
    pub fn keep_pages(&self, window: Window, pages: &[(u32, i64, &[UsageRow])]) -> Result<(), StoreError> {
        self.open_file().change(|transaction, customers| {
            let mut reading = reading(transaction, window)?;
            for (page, total, rows) in pages {
                if !reading.pages.contains(page) {
                    insert(transaction, customers, rows, &mut reading)?;
                    reading.pages.push(*page);
                    reading.total = Some(*total);
                }
            }
            Ok(note(transaction, window, &reading)?)
        })
    }

    /// Puts a whole reading of a window in the place of what was there. `unreadable`: how many rows of a
    /// day could not be read.
    ///
    /// # Errors
    /// [`StoreError`]; what was there stays.
    pub fn replace(&self, window: Window, rows: &[UsageRow], unreadable: &[(Day, i64)]) -> Result<(), StoreError> {
        self.open_file().change(|transaction, customers| {
            clear(transaction, window)?;
            for (day, rows) in unreadable {
                transaction.execute("INSERT INTO unreadable VALUES (?1, ?2)", params![day.days(), rows])?;
            }
            let mut reading = Reading { total: Some(rows.len() as i64), complete: true, ..Reading::default() };
            insert(transaction, customers, rows, &mut reading)?;
            Ok(note(transaction, window, &reading)?)
        })
    }

    /// The window is read to its end.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn close(&self, window: Window) -> Result<(), StoreError> {
        let close = "UPDATE reading SET complete = 1, pages = '' WHERE first = ?1 AND last = ?2";
        self.open_file().db.execute(close, params![window.from.days(), window.to.days()])?;
        Ok(())
    }

    /// Takes everything out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn clear(&self) -> Result<(), StoreError> {
        self.open_file().change(|transaction, customers| {
            customers.clear();
            Ok(empty(transaction)?)
        })
    }

    /// Takes a window out, rows and sums and all.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn forget(&self, window: Window) -> Result<(), StoreError> {
        self.open_file().change(|transaction, _| Ok(clear(transaction, window)?))
    }
}

fn empty(db: &Transaction<'_>) -> rusqlite::Result<()> {
    for table in ["usage_row", "day_sum", "month_sum", "reading", "covered", "customer", "unreadable"] {
        db.execute(&format!("DELETE FROM {table}"), [])?;
    }
    Ok(())
}

fn belong_to(db: &mut Connection, whose: &str) -> rusqlite::Result<()> {
    let known: Option<String> = db.query_row("SELECT whose FROM owner", [], |row| row.get(0)).optional()?;
    if known.as_deref() == Some(whose) {
        return Ok(());
    }
    let transaction = db.transaction()?;
    empty(&transaction)?;
    transaction.execute("INSERT OR REPLACE INTO owner VALUES (1, ?1)", [whose])?;
    transaction.commit()
}

fn reading(db: &Connection, window: Window) -> rusqlite::Result<Reading> {
    let mut query =
        db.prepare_cached("SELECT total, pages, doubtful, complete FROM reading WHERE first = ?1 AND last = ?2")?;
    let found = query.query_row(params![window.from.days(), window.to.days()], |row| {
        let pages: String = row.get(1)?;
        Ok(Reading {
            total: row.get(0)?,
            pages: pages.split(' ').filter_map(|page| page.parse().ok()).collect(),
            doubtful: row.get(2)?,
            complete: row.get(3)?,
        })
    });
    Ok(found.optional()?.unwrap_or_default())
}

fn note(db: &Transaction<'_>, window: Window, reading: &Reading) -> rusqlite::Result<()> {
    let pages: Vec<String> = reading.pages.iter().map(u32::to_string).collect();
    let mut write = db.prepare_cached(
        "INSERT OR REPLACE INTO reading (first, last, total, pages, doubtful, complete)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    write
        .execute(params![
            window.from.days(),
            window.to.days(),
            reading.total,
            pages.join(" "),
            reading.doubtful,
            reading.complete
        ])
        .map(|_| ())
}

/// Rows, sums and notes of every window that lies within this one; the sums of its months are made anew.
fn clear(db: &Transaction<'_>, window: Window) -> rusqlite::Result<()> {
    let (first, behind) = keys(window);
    db.execute("DELETE FROM usage_row WHERE key >= ?1 AND key < ?2", [first, behind])?;
    let days = params![window.from.days(), window.to.days()];
    db.execute("DELETE FROM day_sum WHERE day BETWEEN ?1 AND ?2", days)?;
    db.execute("DELETE FROM unreadable WHERE day BETWEEN ?1 AND ?2", days)?;
    db.execute("DELETE FROM reading WHERE first >= ?1 AND last <= ?2", days)?;
    for month in window.months() {
        let (first, behind) = keys(Window::month_of(month));
        db.execute("DELETE FROM month_sum WHERE month = ?1", [month.days()])?;
        db.execute(
            "INSERT INTO month_sum
             SELECT ?1, key >> ?2 & ?3, sum(up), sum(down), count(*) FROM usage_row
             WHERE key >= ?4 AND key < ?5 GROUP BY 2",
            params![month.days(), NUMBER_BITS, (1i64 << CUSTOMER_BITS) - 1, first, behind],
        )?;
    }
    Ok(())
}
