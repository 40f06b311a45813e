//! `cache.db`: rows of usage, sums, and a record of the pages that have been read.

use std::collections::HashMap;
use std::path::Path;

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use rusqlite_migration::{M, Migrations};
use wire::Day;
use wire::usage::UsageRow;

use crate::insert::{Customers, insert};
use crate::key::{CUSTOMER_BITS, NUMBER_BITS, keys};
use crate::window::Window;
use crate::{ips, ips_gone};

/// The cache cannot be used. It may be deleted: it will be read from the vendor again.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite reports an error.
    #[error("the usage cache cannot be used: {0}")]
    Storage(#[from] rusqlite::Error),
    /// The file has other tables than this program's.
    #[error("the usage cache cannot be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// There are more rows than the key can count: of one customer on one day, or of customers.
    #[error("the usage report holds more than can be stored")]
    TooMany,
}

/// The key packs day, customer and a number, so that rows lie in the order in which they are written and queried.
/// Each name is stored once. Amounts are millionths of a MB; finer ones keep their text.
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

/// Rows per day that the vendor counts but that cannot be read.
const UNREADABLE: &str = "CREATE TABLE unreadable (day INTEGER PRIMARY KEY, rows INTEGER NOT NULL) STRICT";

impl Open {
    /// Does all of `work`, or nothing.
    fn change(
        &mut self,
        work: impl FnOnce(&Transaction<'_>, &mut Customers) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let Self { db, customers } = self;
        let transaction = db.transaction()?;
        let done = work(&transaction, customers).and_then(|()| Ok(transaction.commit()?));
        if done.is_err() {
            // Some of these customers may have been rolled back with the transaction.
            customers.clear();
        }
        done
    }
}

/// Progress of reading a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Rows of the window, as counted by the vendor on the first page. `None`: not known yet.
    pub total: Option<i64>,
    /// Pages that are stored.
    pub pages: Vec<u32>,
    /// Whether equal rows were seen: the pages may have overlapped.
    pub doubtful: bool,
    /// Whether the window has been read to the end and counted.
    pub complete: bool,
}

/// The stored usage of one connection.
pub struct Store {
    writer: Mutex<Open>,
    /// Queries use this connection, so that they do not wait while rows are written.
    pub(crate) reader: Mutex<Connection>,
}

/// The file, and a cache of what every row needs.
struct Open {
    db: Connection,
    /// Number and name of each customer seen so far.
    customers: Customers,
}

impl Store {
    /// Opens the file, or creates it. `whose` names the source of the rows; rows from another source are removed.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be opened or has other tables.
    pub fn open(file: &Path, whose: &str) -> Result<Self, StoreError> {
        let mut db = Connection::open(file)?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "NORMAL")?;
        db.pragma_update(None, "cache_size", -64_000)?;
        Migrations::new(vec![M::up(SCHEMA), M::up(UNREADABLE), M::up(ips::SCHEMA), M::up(ips_gone::SCHEMA)])
            .to_latest(&mut db)?;
        belong_to(&mut db, whose)?;
        let reader = Connection::open(file)?;
        reader.pragma_update(None, "query_only", true)?;
        Ok(Self { writer: Mutex::new(Open { db, customers: HashMap::new() }), reader: Mutex::new(reader) })
    }

    /// Number of stored rows.
    pub fn rows(&self) -> Result<i64, StoreError> {
        Ok(self.reader.lock().query_row("SELECT coalesce(sum(rows), 0) FROM day_sum", [], |row| row.get(0))?)
    }

    /// Number of rows that could not be read.
    pub fn unreadable(&self) -> Result<i64, StoreError> {
        let sum = "SELECT coalesce(sum(rows), 0) FROM unreadable";
        Ok(self.reader.lock().query_row(sum, [], |row| row.get(0))?)
    }

    /// Number of rows in a span as the vendor counted them: those stored, plus those that could not be read.
    pub fn rows_in(&self, span: Window) -> Result<i64, StoreError> {
        let sum = "SELECT coalesce(sum(rows), 0) FROM
                       (SELECT day, rows FROM day_sum UNION ALL SELECT day, rows FROM unreadable)
                   WHERE day BETWEEN ?1 AND ?2";
        Ok(self.reader.lock().query_row(sum, params![span.from.days(), span.to.days()], |row| row.get(0))?)
    }

    /// First and last day of the span that has been read without a gap. `None` before the first reading.
    pub fn covered(&self) -> Result<Option<(Day, Day)>, StoreError> {
        let days = |row: &rusqlite::Row<'_>| Ok((Day::new(row.get(0)?), Day::new(row.get(1)?)));
        Ok(self.reader.lock().query_row("SELECT oldest, through FROM covered", [], days).optional()?)
    }

    /// Records what has been read: back to `oldest` (unchanged when `None`), and up to `through`.
    pub fn cover(&self, oldest: Option<Day>, through: Day) -> Result<(), StoreError> {
        let note = "INSERT INTO covered VALUES (1, ?1, ?2) ON CONFLICT DO UPDATE
                    SET oldest = coalesce(?3, oldest), through = excluded.through";
        let known = oldest.map(Day::days);
        self.writer.lock().db.execute(note, params![known.unwrap_or(through.days()), through.days(), known])?;
        Ok(())
    }

    /// Progress of reading a window.
    pub fn reading(&self, window: Window) -> Result<Reading, StoreError> {
        Ok(reading(&self.writer.lock().db, window)?)
    }

    /// Stores pages of a window (number, total of the window, rows): rows, sums and progress, in one transaction.
    ///
    /// # Errors
    /// [`StoreError`] when the cache cannot be written; then none of it is stored.
    pub fn keep_pages(&self, window: Window, pages: &[(u32, i64, &[UsageRow])]) -> Result<(), StoreError> {
        self.writer.lock().change(|transaction, customers| {
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

    /// Replaces the content of a window by a complete reading. `unreadable` counts the rows of each day that could
    /// not be read.
    ///
    /// # Errors
    /// [`StoreError`] when the cache cannot be written; then the old content stays.
    pub fn replace(&self, window: Window, rows: &[UsageRow], unreadable: &[(Day, i64)]) -> Result<(), StoreError> {
        self.writer.lock().change(|transaction, customers| {
            clear(transaction, window)?;
            for (day, rows) in unreadable {
                transaction.execute("INSERT INTO unreadable VALUES (?1, ?2)", params![day.days(), rows])?;
            }
            let mut reading = Reading { total: Some(rows.len() as i64), complete: true, ..Reading::default() };
            insert(transaction, customers, rows, &mut reading)?;
            Ok(note(transaction, window, &reading)?)
        })
    }

    /// Marks a window as read to its end.
    pub fn close(&self, window: Window) -> Result<(), StoreError> {
        let close = "UPDATE reading SET complete = 1, pages = '' WHERE first = ?1 AND last = ?2";
        self.writer.lock().db.execute(close, params![window.from.days(), window.to.days()])?;
        Ok(())
    }

    /// Does all of `work` on tables other than those of usage, or nothing.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut open = self.writer.lock();
        let transaction = open.db.transaction()?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }

    /// Removes everything.
    pub fn clear(&self) -> Result<(), StoreError> {
        self.writer.lock().change(|transaction, customers| {
            customers.clear();
            Ok(empty(transaction)?)
        })
    }

    /// Removes the rows, sums and progress of a window.
    pub fn forget(&self, window: Window) -> Result<(), StoreError> {
        self.writer.lock().change(|transaction, _| Ok(clear(transaction, window)?))
    }
}

fn empty(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let of_usage = ["usage_row", "day_sum", "month_sum", "reading", "covered", "customer", "unreadable"];
    for table in of_usage.into_iter().chain(["vendor_ip", "ip_reading", "gone_ip"]) {
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

/// Removes rows, sums and progress of every window within this one, and recalculates the sums of its months.
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
