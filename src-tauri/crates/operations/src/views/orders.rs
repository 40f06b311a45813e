//! The order book: every order placed from here, and those added by number, as last seen.
//!
//! The interface does not list orders, so the journal does.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::ids::OrderNo;
use wire::orders::{OrderDetail, OrderStatus, Particulars};
use wire::purchase::PurchaseConfig;

use crate::engine::{OperationError, Operations};
use crate::journal::order_seen::Seen;
use crate::views::operation::OperationView;
use crate::words::state::OperationId;

/// One order of the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BookedOrder {
    /// Order number.
    pub order_no: OrderNo,
    /// The operation that placed it; `None` if it was added by number.
    pub operation: Option<OperationId>,
    /// When it was placed or added here, wall clock, ms since 1970.
    pub since: i64,
    /// Status as last reported.
    pub status: Option<OrderStatus>,
    /// The amount paid, in `currency`.
    pub amount: Option<Amount>,
    /// Currency code.
    pub currency: String,
    /// IPs ordered.
    pub ordered: Option<i64>,
    /// IPs delivered when last seen.
    pub delivered: Option<i64>,
    /// When what the vendor reports about it was last stored, wall clock, ms since 1970; `None`: never, or an earlier
    /// version stored it. A late order whose status and deliveries stay the same is not stored again.
    pub read_at: Option<i64>,
    /// What was bought; `None` if it was added by number.
    pub purchase: Option<PurchaseConfig>,
    /// The agent's own note; empty if there is none.
    pub note: String,
}

impl BookedOrder {
    /// Whether its status says that nothing will be delivered any more.
    pub fn is_over(&self) -> bool {
        self.status.as_ref().is_some_and(OrderStatus::delivers_no_more)
    }

    /// Whether anything is still to be delivered. An order whose deliveries were never reported has delivered nothing
    /// yet.
    pub fn is_late(&self) -> bool {
        !self.is_over() && self.ordered.is_some_and(|ordered| self.delivered.unwrap_or_default() < ordered)
    }

    fn placed(operation: &OperationView) -> Option<Self> {
        // An answer without a number names no order.
        let order = operation.order.as_ref().filter(|order| !order.order_no.as_str().is_empty())?;
        Some(Self {
            order_no: order.order_no.clone(),
            operation: Some(operation.id.clone()),
            since: operation.created,
            status: order.status.clone(),
            amount: order.amount,
            currency: order.currency.clone(),
            ordered: operation.purchase.as_ref().map(|purchase| purchase.purchase_ip_count),
            delivered: order.deliver_ip_count,
            read_at: None,
            purchase: operation.purchase.clone(),
            note: String::new(),
        })
    }

    /// Takes over what the vendor reports now; anything it does not report stays as it was.
    fn seen(&mut self, seen: &Seen) {
        self.status = seen.status.clone().or(self.status.take());
        self.amount = seen.amount.or(self.amount);
        if !seen.currency.is_empty() {
            self.currency = seen.currency.clone();
        }
        self.ordered = seen.ordered.or(self.ordered);
        self.delivered = seen.delivered.or(self.delivered);
        self.read_at = seen.read_at;
    }
}

/// Placed and added orders, newest first.
fn book(operations: &[OperationView], seen: Vec<(OrderNo, i64, Seen)>) -> Vec<BookedOrder> {
    let mut book: Vec<BookedOrder> = operations.iter().filter_map(BookedOrder::placed).collect();
    for (order_no, since, seen) in seen {
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
                read_at: None,
                purchase: None,
                note: String::new(),
            });
            book.len() - 1
        });
        book[at].seen(&seen);
    }
    book.sort_by_key(|order| std::cmp::Reverse(order.since));
    book
}

/// Reads and records orders.
pub struct Orders<'a>(pub(super) &'a Operations);

impl Orders<'_> {
    /// Every order placed from here or added by number, newest first.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn all(&self) -> Result<Vec<BookedOrder>, OperationError> {
        let rows = self.0.journal().operations().orders()?;
        let operations = self.0.views(rows)?;
        let mut book = book(&operations, self.0.journal().orders_seen().all()?);
        let mut notes = self.0.journal().order_notes().all()?;
        for order in &mut book {
            order.note = notes.remove(&order.order_no).unwrap_or_default();
        }
        Ok(book)
    }

    /// Stores what the vendor reported about an order. An order that was not placed from here joins the book.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn remember(&self, detail: &OrderDetail) -> Result<(), OperationError> {
        Ok(self.0.journal().orders_seen().remember(detail, self.0.times().now())?)
    }

    /// Stores the agent's note on an order; an empty one is removed.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn set_note(&self, order_no: &OrderNo, note: &str) -> Result<(), OperationError> {
        Ok(self.0.journal().order_notes().set(order_no, note.trim())?)
    }

    /// What an order's last reading reported about it, without credentials; `None` if it was never read.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn particulars(&self, order_no: &OrderNo) -> Result<Option<Particulars>, OperationError> {
        Ok(self.0.journal().orders_seen().particulars(order_no)?)
    }
}
