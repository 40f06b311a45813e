//! The order book: every order placed from here, and those added by number, as last seen.
//!
//! The interface lists no orders, so the journal does.

use database::stamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::ids::OrderNo;
use wire::orders::{OrderDetail, OrderStatus, Particulars};

use crate::journal::JournalError;
use crate::views::operation::OperationView;
use crate::words::state::OperationId;

/// One order of the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BookedOrder {
    /// Order number.
    pub order_no: OrderNo,
    /// The operation that placed it; `None` when it was added by number.
    pub operation: Option<OperationId>,
    /// When it was placed or added here, wall clock, ms since 1970.
    pub since: i64,
    /// Status as last told.
    pub status: Option<OrderStatus>,
    /// Paid, in `currency`.
    pub amount: Option<Amount>,
    /// Currency code.
    pub currency: String,
    /// IPs ordered.
    pub ordered: Option<i64>,
    /// IPs delivered when last seen.
    pub delivered: Option<i64>,
}

impl BookedOrder {
    /// Something is still to be delivered.
    pub fn is_late(&self) -> bool {
        matches!((self.ordered, self.delivered), (Some(ordered), Some(delivered)) if delivered < ordered)
    }

    fn placed(operation: &OperationView) -> Option<Self> {
        let order = operation.order.as_ref()?;
        Some(Self {
            order_no: order.order_no.clone(),
            operation: Some(operation.id.clone()),
            since: operation.created,
            status: order.status.clone(),
            amount: order.amount,
            currency: order.currency.clone(),
            ordered: operation.purchase.as_ref().map(|purchase| purchase.purchase_ip_count),
            delivered: order.deliver_ip_count,
        })
    }

    /// What the vendor tells now; what it does not tell stays as it was.
    fn seen(&mut self, seen: &Seen) {
        self.status = seen.status.clone().or(self.status.take());
        self.amount = seen.amount.or(self.amount);
        if !seen.currency.is_empty() {
            self.currency = seen.currency.clone();
        }
        self.ordered = seen.ordered.or(self.ordered);
        self.delivered = seen.delivered.or(self.delivered);
    }
}

/// What is kept of a detail.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Seen {
    status: Option<OrderStatus>,
    amount: Option<Amount>,
    currency: String,
    ordered: Option<i64>,
    delivered: Option<i64>,
}

fn read(body: &str) -> Result<Seen, JournalError> {
    stamp::read(body).map_err(|_| JournalError::Unreadable)
}

/// What an order told of itself when it was last read; `None`: it never was.
pub(crate) fn particulars(db: &Connection, order_no: &OrderNo) -> Result<Option<Particulars>, JournalError> {
    let mut query = db.prepare_cached("SELECT body FROM order_particulars WHERE order_no = ?1")?;
    let body: Option<String> = query.query_row([order_no.as_str()], |row| row.get(0)).optional()?;
    body.map(|body| stamp::read(&body).map_err(|_| JournalError::Unreadable)).transpose()
}

/// Whether everything that is kept can be read: what is damaged is found at the start, not by whoever opens an order.
pub(crate) fn all_particulars(db: &Connection) -> Result<(), JournalError> {
    let mut query = db.prepare_cached("SELECT order_no FROM order_particulars")?;
    let numbers: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    numbers.into_iter().try_for_each(|number| particulars(db, &OrderNo::new(number)).map(drop))
}

/// Keeps what a detail tells. In one transaction: a book that names an order knows it.
pub(crate) fn remember(db: &Connection, detail: &OrderDetail, now: i64) -> Result<(), JournalError> {
    let both = db.unchecked_transaction()?;
    remember_seen(&both, detail, now)?;
    remember_particulars(&both, detail)?;
    Ok(both.commit()?)
}

fn remember_particulars(db: &Connection, detail: &OrderDetail) -> Result<(), JournalError> {
    let before = particulars(db, &detail.order_no)?;
    let now = detail.particulars().over(before.clone().unwrap_or_default());
    if before.as_ref() == Some(&now) {
        return Ok(());
    }
    let body = serde_json::to_string(&now).map_err(|_| JournalError::Unreadable)?;
    let upsert = "INSERT INTO order_particulars VALUES (?1, ?2) ON CONFLICT (order_no) DO UPDATE SET body = ?2";
    db.execute(upsert, params![detail.order_no.as_str(), stamp::stamped(&body)])?;
    Ok(())
}

fn remember_seen(db: &Connection, detail: &OrderDetail, now: i64) -> Result<(), JournalError> {
    let mut query = db.prepare_cached("SELECT body FROM order_seen WHERE order_no = ?1")?;
    let before: Option<String> = query.query_row([detail.order_no.as_str()], |row| row.get(0)).optional()?;
    let before: Seen = before.map(|body| read(&body)).transpose()?.unwrap_or_default();
    // What is not told this time stays as it was told.
    let seen = Seen {
        status: detail.status.clone().or(before.status),
        amount: detail.amount.or(before.amount),
        currency: if detail.currency.is_empty() { before.currency } else { detail.currency.clone() },
        ordered: detail.purchase_ip_count.or(before.ordered),
        delivered: detail.deliver_ip_count.or(before.delivered),
    };
    let body = serde_json::to_string(&seen).map_err(|_| JournalError::Unreadable)?;
    let upsert = "INSERT INTO order_seen VALUES (?1, ?2, ?3) ON CONFLICT (order_no) DO UPDATE SET body = ?3";
    db.execute(upsert, params![detail.order_no.as_str(), now, stamp::stamped(&body)])?;
    Ok(())
}

/// Placed and added, newest first.
pub(crate) fn list(db: &Connection, operations: &[OperationView]) -> Result<Vec<BookedOrder>, JournalError> {
    let mut book: Vec<BookedOrder> = operations.iter().filter_map(BookedOrder::placed).collect();
    let mut query = db.prepare_cached("SELECT order_no, added, body FROM order_seen")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (number, since, body): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let seen = read(&body)?;
        let order_no = OrderNo::new(number);
        let at = book.iter().position(|order| order.order_no == order_no).unwrap_or_else(|| {
            book.push(BookedOrder {
                order_no,
                operation: None,
                since,
                status: None,
                amount: None,
                currency: String::new(),
                ordered: None,
                delivered: None,
            });
            book.len() - 1
        });
        book[at].seen(&seen);
    }
    book.sort_by_key(|order| std::cmp::Reverse(order.since));
    Ok(book)
}
