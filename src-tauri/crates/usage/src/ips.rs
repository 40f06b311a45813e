//! The vendor's own list of IPs, as stored in `cache.db`: without credentials, with the time when each was first seen.
//!
//! An interrupted reading resumes. Rows leave the list only by a reading that reached the end, agrees with the vendor's
//! total and has no equal rows that are new. The last readings are kept, to show what is new since a moment.

use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::Serialize;
use wire::ips::{IpsPage, ListedIp};

use crate::ips_gone;
use crate::ips_same::{carry_over, has_new_doubles, key};
use crate::store::{Store, StoreError};

/// `first_seen`, `began`, `ended`: ms since 1970 by this computer's clock. `place` is the place in the vendor's order.
pub(crate) const SCHEMA: &str = "
    CREATE TABLE vendor_ip (
        key TEXT PRIMARY KEY, body TEXT NOT NULL, place INTEGER NOT NULL, reading INTEGER NOT NULL,
        first_seen INTEGER NOT NULL) STRICT;
    CREATE INDEX vendor_ip_by_place ON vendor_ip (place);
    CREATE TABLE ip_reading (
        number INTEGER PRIMARY KEY, began INTEGER NOT NULL, total INTEGER NOT NULL, size INTEGER NOT NULL,
        pages TEXT NOT NULL DEFAULT '', unreadable INTEGER NOT NULL DEFAULT 0, ended INTEGER) STRICT;
";

/// Readings that ended, beyond this many, are forgotten.
const READINGS_KEPT: i64 = 500;

/// One IP of the vendor's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VendorIp {
    /// What the vendor reports.
    pub ip: ListedIp,
    /// Start of the first reading that showed it, ms since 1970 by this computer's clock.
    pub first_seen: i64,
}

/// The stored list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VendorIps {
    /// The IPs, in the vendor's order. While a reading is under way, those of the last one and the new ones.
    pub rows: Vec<VendorIp>,
    /// Number of elements of the list that have no readable address.
    pub unreadable: i64,
    /// Start of the last reading that reached the end, ms since 1970; `None`: none has yet.
    pub read_at: Option<i64>,
}

/// What is new in the list since a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSince {
    /// Start of the last whole reading before the moment, ms since 1970. Anything newer than that is new.
    pub since: i64,
    /// The new IPs, in the vendor's order.
    pub rows: Vec<VendorIp>,
}

/// A reading that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IpReading {
    pub(crate) number: i64,
    pub(crate) began: i64,
    pub(crate) total: i64,
    pub(crate) size: u32,
    pub(crate) pages: Vec<u32>,
}

impl IpReading {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let pages: String = row.get(4)?;
        let pages = pages.split(' ').filter_map(|page| page.parse().ok()).collect();
        Ok(Self { number: row.get(0)?, began: row.get(1)?, total: row.get(2)?, size: row.get(3)?, pages })
    }
}

fn listed(row: &Row<'_>) -> rusqlite::Result<VendorIp> {
    Ok(VendorIp { ip: parsed(&row.get::<_, String>(0)?), first_seen: row.get(1)? })
}

/// Only this program writes it. A body that cannot be read is an empty row until the next reading.
pub(crate) fn parsed(body: &str) -> ListedIp {
    serde_json::from_str(body).unwrap_or_default()
}

impl Store {
    /// The stored list.
    ///
    /// # Errors
    /// [`StoreError`] when the cache cannot be read.
    pub fn vendor_ips(&self) -> Result<VendorIps, StoreError> {
        let db = self.reader.lock();
        let mut query = db.prepare_cached("SELECT body, first_seen FROM vendor_ip ORDER BY place, key")?;
        let rows = query.query_map([], listed)?.collect::<rusqlite::Result<_>>()?;
        let last = "SELECT began, unreadable FROM ip_reading WHERE ended IS NOT NULL ORDER BY number DESC LIMIT 1";
        let last: Option<(i64, i64)> = db.query_row(last, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        Ok(VendorIps { rows, unreadable: last.map_or(0, |last| last.1), read_at: last.map(|last| last.0) })
    }

    /// Start of the last reading that reached the end, ms since 1970; `None`: none has yet.
    ///
    /// # Errors
    /// [`StoreError`] when the cache cannot be read.
    pub fn ips_read_at(&self) -> Result<Option<i64>, StoreError> {
        Ok(self.last_ip_reading()?.map(|(_, began)| began))
    }

    /// Number and start of the last reading that reached the end. The number rises with each, whatever the clock says.
    ///
    /// # Errors
    /// [`StoreError`] when the cache cannot be read.
    pub fn last_ip_reading(&self) -> Result<Option<(i64, i64)>, StoreError> {
        let last = "SELECT number, began FROM ip_reading WHERE ended IS NOT NULL ORDER BY number DESC LIMIT 1";
        Ok(self.reader.lock().query_row(last, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
    }

    /// Start and end of the last reading that reached the end, wall clock, ms since 1970.
    ///
    /// # Errors
    /// [`StoreError`] when the cache cannot be read.
    pub fn last_ips_read(&self) -> Result<Option<(i64, i64)>, StoreError> {
        let last = "SELECT began, ended FROM ip_reading WHERE ended IS NOT NULL ORDER BY number DESC LIMIT 1";
        Ok(self.reader.lock().query_row(last, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
    }

    /// What is new in the stored list since a moment, ms since 1970. `None`: no whole reading ended before it, so
    /// that nothing is known.
    ///
    /// # Errors
    /// [`StoreError`] when the cache cannot be read.
    pub fn ips_new_since(&self, moment: i64) -> Result<Option<NewSince>, StoreError> {
        let db = self.reader.lock();
        let before = "SELECT max(began) FROM ip_reading WHERE ended < ?1";
        let Some(since) = db.query_row(before, [moment], |row| row.get::<_, Option<i64>>(0))? else { return Ok(None) };
        let mut query =
            db.prepare_cached("SELECT body, first_seen FROM vendor_ip WHERE first_seen > ?1 ORDER BY place, key")?;
        let rows = query.query_map([since], listed)?.collect::<rusqlite::Result<_>>()?;
        Ok(Some(NewSince { since, rows }))
    }

    /// The reading that is under way.
    pub(crate) fn open_ip_reading(&self) -> Result<Option<IpReading>, StoreError> {
        let open = "SELECT number, began, total, size, pages FROM ip_reading WHERE ended IS NULL";
        Ok(self.reader.lock().query_row(open, [], IpReading::of).optional()?)
    }

    /// Begins a reading, in place of one that is under way.
    pub(crate) fn begin_ip_reading(&self, began: i64, total: i64, size: u32) -> Result<IpReading, StoreError> {
        self.write(|db| {
            db.execute("DELETE FROM ip_reading WHERE ended IS NULL", [])?;
            // A reading that was forgotten left its number at the rows that it stored.
            let add = "INSERT INTO ip_reading (number, began, total, size)
                       SELECT coalesce(max(number), 0) + 1, ?1, ?2, ?3
                       FROM (SELECT number FROM ip_reading UNION ALL SELECT reading FROM vendor_ip)";
            db.execute(add, params![began, total, size])?;
            Ok(IpReading { number: db.last_insert_rowid(), began, total, size, pages: Vec::new() })
        })
    }

    /// Stores a page, unless it is stored already: rows and progress, in one transaction.
    pub(crate) fn keep_ips(&self, reading: &IpReading, page: u32, of: &IpsPage) -> Result<(), StoreError> {
        self.write(|db| {
            let open = "SELECT number, began, total, size, pages FROM ip_reading WHERE number = ?1";
            let mut known = db.query_row(open, [reading.number], IpReading::of)?;
            if known.pages.contains(&page) {
                return Ok(());
            }
            let first = i64::from(page - 1) * i64::from(reading.size);
            for (at, ip) in (first..).zip(&of.rows) {
                insert(db, reading, at, ip)?;
            }
            known.pages.push(page);
            let pages: Vec<String> = known.pages.iter().map(u32::to_string).collect();
            let note = "UPDATE ip_reading SET pages = ?2, unreadable = unreadable + ?3 WHERE number = ?1";
            db.execute(note, params![reading.number, pages.join(" "), of.unreadable as i64])?;
            Ok(())
        })
    }

    /// Ends a reading whose pages are all stored, and takes what it did not show off the list. Returns whether it is believed: its
    /// rows agree with the vendor's total, and it has no equal rows that are new. If not, it is forgotten and nothing
    /// is removed.
    pub(crate) fn end_ip_reading(&self, reading: &IpReading, now: i64) -> Result<bool, StoreError> {
        self.write(|db| {
            let count = "SELECT (SELECT count(*) FROM vendor_ip WHERE reading = ?1) + unreadable
                         FROM ip_reading WHERE number = ?1";
            let rows: i64 = db.query_row(count, [reading.number], |row| row.get(0))?;
            if rows != reading.total || has_new_doubles(db, reading)? {
                db.execute("DELETE FROM ip_reading WHERE number = ?1", [reading.number])?;
                return Ok(false);
            }
            carry_over(db, reading)?;
            ips_gone::keep(db, reading)?;
            db.execute("DELETE FROM vendor_ip WHERE reading <> ?1", [reading.number])?;
            db.execute("UPDATE ip_reading SET ended = ?2, pages = '' WHERE number = ?1", [reading.number, now])?;
            db.execute("DELETE FROM ip_reading WHERE number <= ?1", [reading.number - READINGS_KEPT])?;
            Ok(true)
        })
    }
}

/// Stores a row. When it was first seen stays.
fn insert(db: &Transaction<'_>, reading: &IpReading, place: i64, ip: &ListedIp) -> Result<(), StoreError> {
    let mut add = db.prepare_cached(
        "INSERT INTO vendor_ip VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (key) DO UPDATE SET body = ?2, place = ?3, reading = ?4",
    )?;
    let (key, body) = (key(db, reading, ip)?, serde_json::to_string(ip).unwrap_or_default());
    ips_gone::keep_replaced(db, &key, ip, &body)?;
    add.execute(params![key, body, place, reading.number, reading.began])?;
    Ok(())
}
