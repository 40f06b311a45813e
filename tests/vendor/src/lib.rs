//! A second vendor service, written from the service interface alone, so that it shares no assumption with the
//! program or with the practice service. See this crate's README.

mod agent_reads;
mod choices;
mod command;
mod desk;
mod dice;
mod json;
mod ledger;
mod mishap;
mod order;
mod places;
mod presets;
mod price;
mod renewal;
mod request;
mod routes;
mod server;
mod spelling;
mod world;

#[cfg(test)]
mod tests;

pub use choices::{
    Beyond, Busy, Choices, Days, DeductionRows, Deeds, Denial, Elements, Extras, FieldOrder, Figures, Filter, Lists,
    LiveUse, Manners, Moments, SameAgain, SeenKey, Start, UseRows, Writing,
};
pub use command::{Command, No, TAKEN};
pub use ledger::{Actor, Customer, Entry, Seen, What};
pub use mishap::{Mishap, Trouble, Write};
pub use order::Order;
pub use renewal::Wanted;
pub use request::{Answer, Delivery, Request};
pub use server::{Served, serve};

use parking_lot::Mutex;
use rust_decimal::Decimal;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use world::World;

/// Four addresses in Japan for thirty days: 5.64 USD.
pub const FOUR_IN_JAPAN: &str = r#"{"sellMode":1,"lineType":"standard","businessId":"9500000000000000041","isUdp":false,
"bandwidthLimit":0,"connLimit":64,"days":30,"allocateStrategy":1,"purchaseIpCount":4,"proxyType":"socks5",
"quotaItems":[{"type":"country_random","countryCode":"JP","quantity":4}]}"#;

/// Returns the time, in milliseconds since 1970.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// The clock of this machine.
#[must_use]
pub fn wall_clock() -> Clock {
    Arc::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

/// A clock that starts at `from_ms` and advances by `step_ms` at each reading, so that no two requests have the same
/// time.
#[must_use]
pub fn stepping_clock(from_ms: i64, step_ms: i64) -> Clock {
    let now = AtomicI64::new(from_ms);
    Arc::new(move || now.fetch_add(step_ms, Ordering::Relaxed))
}

/// The service: one world behind one lock. It has no clock and no connections of its own.
#[derive(Debug)]
pub struct Vendor {
    world: Mutex<World>,
}

impl Vendor {
    /// Makes a service with these choices; the same seed makes the same world.
    #[must_use]
    pub fn new(choices: Choices, seed: u64) -> Self {
        Self { world: Mutex::new(World::new(choices, seed)) }
    }

    /// Answers a request at this time (milliseconds since 1970), after every effect that was due by then.
    #[must_use]
    pub fn answer(&self, request: &Request, now_ms: i64) -> Answer {
        let mut world = self.world.lock();
        world.settle(now_ms);
        let answer = world.reply(request, now_ms);
        let seen = Seen {
            at_ms: now_ms,
            what: format!("{} {}", request.method, request.path),
            query: request.shown_query(),
            key: request.header("X-Idempotency-Key").map(str::to_owned),
            status: answer.status,
            answered: answer.delivery == Delivery::Whole,
        };
        world.seen.push(seen);
        answer
    }

    /// Applies every effect that is due by this time (milliseconds since 1970).
    pub fn settle(&self, now_ms: i64) {
        self.world.lock().settle(now_ms);
    }

    /// Time of the next late effect, in milliseconds since 1970. `None` when there is none.
    #[must_use]
    pub fn next_due(&self) -> Option<i64> {
        self.world.lock().next_due()
    }

    /// Returns the choices it was made with.
    #[must_use]
    pub fn choices(&self) -> Choices {
        self.world.lock().choices.clone()
    }

    /// Arranges a mishap for the next write of this kind that has none yet.
    pub fn arrange(&self, write: Write, mishap: Mishap) {
        self.world.lock().arrange(write, mishap);
    }

    /// Carries out a command for another actor: a colleague, or the vendor's console.
    ///
    /// # Errors
    /// The service's refusal.
    pub fn act(&self, who: &Actor, command: &Command, now_ms: i64) -> Result<(), No> {
        let mut world = self.world.lock();
        world.settle(now_ms);
        world.perform(command, who, now_ms).map(drop)
    }

    /// Makes a customer use traffic, in MB.
    pub fn uses(&self, customer: i64, up: Decimal, down: Decimal, now_ms: i64) {
        let mut world = self.world.lock();
        world.settle(now_ms);
        world.push(now_ms, Actor::console(), What::Used { customer, up, down });
    }

    /// Sets prices to this percentage of the list; earlier quotes become invalid.
    pub fn reprice(&self, percent: u32) {
        self.world.lock().price_percent = percent;
    }

    /// Returns everything that happened, in order.
    #[must_use]
    pub fn ledger(&self) -> Vec<Entry> {
        self.world.lock().entries.clone()
    }

    /// Returns the charges of the wallet, in order.
    #[must_use]
    pub fn charges(&self) -> Vec<Entry> {
        self.ledger().into_iter().filter(|entry| matches!(entry.what, What::Charged { .. })).collect()
    }

    /// Returns the customers as they are now.
    #[must_use]
    pub fn customers(&self) -> Vec<Customer> {
        self.world.lock().customers()
    }

    /// Returns the orders, in order of payment.
    #[must_use]
    pub fn orders(&self) -> Vec<Order> {
        self.world.lock().orders.clone()
    }

    /// Returns the balance of the wallet.
    #[must_use]
    pub fn wallet(&self) -> Decimal {
        self.world.lock().wallet
    }

    /// Returns the requests, in order, without secrets.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        self.world.lock().seen.clone()
    }
}
