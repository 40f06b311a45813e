//! The clocks of an engine, and what this run remembers by them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::journal::row::Row;
use crate::words::price::Now;
use crate::words::state::OperationId;

/// Milliseconds since 1970 on this computer's wall clock.
pub type WallClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// The clock that cannot be set.
pub type SteadyClock = Arc<dyn Fn() -> Instant + Send + Sync>;

pub(crate) struct Times {
    wall: WallClock,
    steady: SteadyClock,
    /// When this run began, on the steady clock. The time since a send of an earlier run counts from here.
    started: Instant,
    /// When each row was last sent in this run, on the steady clock.
    sent: Mutex<HashMap<OperationId, Instant>>,
    /// When the key of each row first left, of those that this run sent and that may have arrived.
    keys: Mutex<HashMap<OperationId, Now>>,
    /// When the price of each order of this run expires, on the steady clock.
    priced: Mutex<HashMap<OperationId, Instant>>,
}

impl Times {
    pub(super) fn new(wall: WallClock, steady: SteadyClock) -> Self {
        Self {
            started: steady(),
            wall,
            steady,
            sent: Mutex::default(),
            keys: Mutex::default(),
            priced: Mutex::default(),
        }
    }

    /// The wall clock, ms since 1970.
    pub(crate) fn now(&self) -> i64 {
        (self.wall)()
    }

    pub(crate) fn steady(&self) -> Instant {
        (self.steady)()
    }

    pub(crate) fn both(&self) -> Now {
        Now { steady: self.steady(), wall: self.now() }
    }

    /// The longer of two times: since its row was made, by the wall clock, and since its key first left, by the steady
    /// one. If an earlier run sent it, the second counts from the start.
    pub(crate) fn age(&self, row: &Row) -> Duration {
        let first = self.keys.lock().get(&row.id).map_or(self.started, |first| first.steady);
        self.since(row.created).max(self.steady().saturating_duration_since(first))
    }

    /// Time since then by the wall clock, in either direction. `wall`: ms since 1970.
    fn since(&self, wall: i64) -> Duration {
        Duration::from_millis(self.now().saturating_sub(wall).unsigned_abs())
    }

    /// Age of its key: the time since it first left, by the clock that says more. A wall clock can be set, and a steady
    /// one stands still while the computer sleeps. The longest if this run did not send it: an earlier run's steady clock
    /// is gone.
    pub(crate) fn key_age(&self, row: &Row) -> Duration {
        let Some(first) = self.keys.lock().get(&row.id).copied() else { return Duration::MAX };
        self.steady().saturating_duration_since(first.steady).max(self.since(first.wall))
    }

    /// Notes that its first byte is about to leave.
    pub(crate) fn note_send(&self, id: &OperationId) {
        let now = self.both();
        self.sent.lock().insert(id.clone(), now.steady);
        self.keys.lock().entry(id.clone()).or_insert(now);
    }

    /// Notes that its key certainly never arrived, or that nothing was done with it.
    pub(crate) fn forget_key(&self, id: &OperationId) {
        self.keys.lock().remove(id);
    }

    /// When a row was last sent in this run, on the steady clock; `None` if it was not.
    pub(crate) fn last_send(&self, id: &OperationId) -> Option<Instant> {
        self.sent.lock().get(id).copied()
    }

    /// Time since a row was last sent, or since the start, on the steady clock.
    pub(crate) fn since_send(&self, id: &OperationId) -> Duration {
        self.steady().saturating_duration_since(self.last_send(id).unwrap_or(self.started))
    }

    pub(crate) fn forget_send(&self, id: &OperationId) {
        self.sent.lock().remove(id);
        self.forget_key(id);
    }

    /// Notes when the price of an order expires, on the steady clock.
    pub(crate) fn note_price(&self, id: &OperationId, ends: Instant) {
        self.priced.lock().insert(id.clone(), ends);
    }

    /// Whether the price of an order that certainly never arrived is over, or nearly, by either clock. After a start
    /// only the wall clock is known.
    pub(crate) fn price_is_over(&self, row: &Row) -> bool {
        if row.price_ends.is_none() {
            // Most rows of a list have no price, so the clocks are not read for them.
            return false;
        }
        let priced = self.priced.lock().get(&row.id).copied();
        row.price_is_over(priced, self.both())
    }
}
