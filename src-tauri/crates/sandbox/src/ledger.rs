//! The truth that tests compare with: everything that happened, without secrets.

use rusqlite::Connection;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::Amount;

use crate::accounts::{self, LedgerAccount};
use crate::renewals::{self, LedgerRenewal};
use crate::traffic::{self, LedgerMove};
use crate::world::World;

/// One request as it arrived, without secrets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RequestSeen {
    /// Method.
    pub method: String,
    /// Path without query.
    pub path: String,
    /// Header `X-Idempotency-Key`.
    pub key: Option<String>,
    /// Time by the service's clock, milliseconds since 1970.
    pub at: i64,
}

/// An order in the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LedgerOrder {
    /// Order number.
    pub order_no: String,
    /// The idempotency key it was placed under.
    pub key: Option<String>,
    /// Amount charged, USD.
    pub amount: Amount,
    /// IPs ordered.
    pub ordered: i64,
    /// The configuration as it was sent.
    pub config: Value,
}

/// The truth that tests compare with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ledger {
    /// Balance, USD.
    pub wallet: Amount,
    /// Every order, oldest first.
    pub orders: Vec<LedgerOrder>,
    /// Every renewal, oldest first.
    pub renewals: Vec<LedgerRenewal>,
    /// Every recharge and deduction that was asked for, oldest first.
    pub moves: Vec<LedgerMove>,
    /// Every customer that was created or changed, by id.
    pub accounts: Vec<LedgerAccount>,
    /// The first 20,000 requests, oldest first.
    pub requests: Vec<RequestSeen>,
}

impl World {
    /// Returns everything that happened.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn ledger(&self) -> rusqlite::Result<Ledger> {
        let ledger = self.ledger.lock();
        let mut query = ledger
            .prepare("SELECT order_no, key, amount, ordered, config FROM purchase_order ORDER BY created, order_no")?;
        let order = |row: &rusqlite::Row<'_>| {
            let amount: String = row.get(2)?;
            let amount = amount.parse().unwrap_or_default();
            let config: String = row.get(4)?;
            let config = serde_json::from_str(&config).unwrap_or_default();
            Ok(LedgerOrder { order_no: row.get(0)?, key: row.get(1)?, amount, ordered: row.get(3)?, config })
        };
        let orders = query.query_map([], order)?.collect::<rusqlite::Result<_>>()?;
        let moves = traffic::moves(&ledger)?;
        let accounts = accounts::changed(&ledger)?;
        let (wallet, renewals) = (Amount::new(balance(&ledger)?), renewals::renewals(&ledger)?);
        Ok(Ledger { wallet, orders, renewals, moves, accounts, requests: self.requests() })
    }
}

pub(crate) fn balance(ledger: &Connection) -> rusqlite::Result<Decimal> {
    let text: String = ledger.query_row("SELECT balance FROM wallet", [], |row| row.get(0))?;
    Ok(text.parse().unwrap_or_default())
}
