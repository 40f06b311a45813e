//! The tables `order_seen` and `order_particulars`: orders as they were last read.

use database::stamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use wire::Amount;
use wire::ids::OrderNo;
use wire::orders::{Delivered, OrderDetail, OrderStatus, Particulars};

use crate::journal::{Journal, JournalError};

/// The stored part of an order's detail.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) status: Option<OrderStatus>,
    pub(crate) amount: Option<Amount>,
    pub(crate) currency: String,
    pub(crate) ordered: Option<i64>,
    pub(crate) delivered: Option<i64>,
    /// When this was stored, wall clock, ms since 1970; `None` if an earlier version stored it.
    pub(crate) read_at: Option<i64>,
}

/// The part of [`Particulars`] that lists of proxies need.
#[derive(Default, Deserialize)]
#[serde(default)]
struct OnlyProxies {
    proxies: Vec<Delivered>,
}

fn read(body: &str) -> Result<Seen, JournalError> {
    stamp::read(body).map_err(|_| JournalError::Unreadable)
}

/// Reads and writes both tables.
pub(crate) struct OrderSeenTable<'a>(pub(super) &'a Journal);

impl OrderSeenTable<'_> {
    /// All orders that were read, each with the time of its first reading, wall clock, ms since 1970.
    pub(crate) fn all(&self) -> Result<Vec<(OrderNo, i64, Seen)>, JournalError> {
        let mut query = self.0.db.prepare_cached("SELECT order_no, added, body FROM order_seen")?;
        let mut rows = query.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push((OrderNo::new(row.get::<_, String>(0)?), row.get(1)?, read(&row.get::<_, String>(2)?)?));
        }
        Ok(all)
    }

    /// What an order's last reading reported about it; `None` if it was never read.
    pub(crate) fn particulars(&self, order_no: &OrderNo) -> Result<Option<Particulars>, JournalError> {
        particulars(&self.0.db, order_no)
    }

    /// Checks that everything stored can be read: damage is found at the start, not when an order is opened.
    pub(super) fn ensure_readable(&self) -> Result<(), JournalError> {
        let mut query = self.0.db.prepare_cached("SELECT order_no FROM order_particulars")?;
        let numbers: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        numbers.into_iter().try_for_each(|number| particulars(&self.0.db, &OrderNo::new(number)).map(drop))
    }

    /// Stores what a detail reports, in one transaction, so that every row of `order_seen` has its particulars.
    pub(crate) fn remember(&self, detail: &OrderDetail, now: i64) -> Result<(), JournalError> {
        let both = self.0.db.unchecked_transaction()?;
        remember_seen(&both, detail, now)?;
        let changed = remember_particulars(&both, detail)?;
        both.commit()?;
        if changed {
            self.0.changes.delivered();
        }
        Ok(())
    }

    /// The proxies of every order that was read, without credentials, in the order of the first readings.
    pub(crate) fn delivered(&self) -> Result<Vec<(OrderNo, Vec<Delivered>)>, JournalError> {
        let mut query = self.0.db.prepare_cached("SELECT order_no, body FROM order_particulars ORDER BY rowid")?;
        let mut rows = query.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let told: OnlyProxies = stamp::read(row.get_ref(1)?.as_str().map_err(|_| JournalError::Unreadable)?)
                .map_err(|_| JournalError::Unreadable)?;
            all.push((OrderNo::new(row.get::<_, String>(0)?), told.proxies));
        }
        Ok(all)
    }
}

fn particulars(db: &Connection, order_no: &OrderNo) -> Result<Option<Particulars>, JournalError> {
    let mut query = db.prepare_cached("SELECT body FROM order_particulars WHERE order_no = ?1")?;
    let body: Option<String> = query.query_row([order_no.as_str()], |row| row.get(0)).optional()?;
    body.map(|body| stamp::read(&body).map_err(|_| JournalError::Unreadable)).transpose()
}

/// Returns whether anything changed.
fn remember_particulars(db: &Connection, detail: &OrderDetail) -> Result<bool, JournalError> {
    let before = particulars(db, &detail.order_no)?;
    let now = detail.particulars_over(before.clone().unwrap_or_default());
    if before.as_ref() == Some(&now) {
        return Ok(false);
    }
    let body = serde_json::to_string(&now).map_err(|_| JournalError::Unreadable)?;
    let upsert = "INSERT INTO order_particulars VALUES (?1, ?2) ON CONFLICT (order_no) DO UPDATE SET body = ?2";
    db.execute(upsert, params![detail.order_no.as_str(), stamp::stamped(&body)])?;
    Ok(true)
}

fn remember_seen(db: &Connection, detail: &OrderDetail, now: i64) -> Result<(), JournalError> {
    let mut query = db.prepare_cached("SELECT body FROM order_seen WHERE order_no = ?1")?;
    let before: Option<String> = query.query_row([detail.order_no.as_str()], |row| row.get(0)).optional()?;
    let before: Seen = before.map(|body| read(&body)).transpose()?.unwrap_or_default();
    // Anything that is not reported this time stays as it was.
    let seen = Seen {
        status: detail.status.clone().or(before.status),
        amount: detail.amount.or(before.amount),
        currency: if detail.currency.is_empty() { before.currency } else { detail.currency.clone() },
        ordered: detail.purchase_ip_count.or(before.ordered),
        delivered: detail.deliver_ip_count.or(before.delivered),
        read_at: Some(now),
    };
    let body = serde_json::to_string(&seen).map_err(|_| JournalError::Unreadable)?;
    let upsert = "INSERT INTO order_seen VALUES (?1, ?2, ?3) ON CONFLICT (order_no) DO UPDATE SET body = ?3";
    db.execute(upsert, params![detail.order_no.as_str(), now, stamp::stamped(&body)])?;
    Ok(())
}
