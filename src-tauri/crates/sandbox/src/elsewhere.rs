//! Events at the vendor that no request of the program causes: others move traffic, customers use it, keys are
//! forgotten.

use rusqlite::params;
use wire::ids::CustomerId;

use crate::customers;
use crate::traffic::{self, Operator};
use crate::world::World;

impl World {
    /// Moves traffic of a customer as in the vendor's console. `gb` counts GB of 1024 MB; a negative number takes.
    /// With `by_colleague` the record carries another operator of the same agent, otherwise the same one.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn move_in_console(&self, customer: &CustomerId, gb: i64, by_colleague: bool) -> rusqlite::Result<()> {
        let ledger = self.ledger.lock();
        self.catch_up(&ledger)?;
        let Some(at) = number(customer) else { return Ok(()) };
        let operator = if by_colleague { Operator::COLLEAGUE } else { Operator::AGENT };
        traffic::move_in_console(self, &ledger, operator, at, gb)
    }

    /// Makes a customer use a little more: a row of the day grows.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn use_more(&self, customer: &CustomerId) -> rusqlite::Result<()> {
        let ledger = self.ledger.lock();
        self.catch_up(&ledger)?;
        let Some(at) = number(customer) else { return Ok(()) };
        traffic::use_more(&ledger, at, self.clock.now(), true)
    }

    /// Forgets the keys of orders and the order ids of recharges that arrived before `then`, in ms since 1970.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn forget_keys_before(&self, then: i64) -> rusqlite::Result<()> {
        let ledger = self.ledger.lock();
        for table in ["purchase_order", "renewal"] {
            let forget = format!("UPDATE {table} SET key = NULL WHERE key IS NOT NULL AND created < ?1");
            ledger.execute(&forget, params![then])?;
        }
        let moves = "UPDATE traffic_record SET order_id = NULL WHERE order_id IS NOT NULL AND created < ?1";
        ledger.execute(moves, params![then]).map(|_| ())
    }
}

fn number(customer: &CustomerId) -> Option<u32> {
    customer.as_str().parse().ok().and_then(customers::at)
}
