//! When a price expires, by both clocks of this computer.

use std::time::{Duration, Instant};

/// "No send in the last 5 s" before the price expires by the service's clock.
const MARGIN: Duration = Duration::from_secs(5);

/// When a price expires, by both clocks of this computer: the steady one stands still while the computer sleeps, the
/// other can be set. The price is over as soon as either clock says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceEnds {
    /// On the steady clock; `None` when the price was received in an earlier run of the program.
    pub steady: Option<Instant>,
    /// Wall clock, ms since 1970.
    pub wall: i64,
}

impl PriceEnds {
    /// A price received now that expires at `steady`.
    pub(crate) fn at(steady: Instant, now: Now) -> Self {
        let left = steady.saturating_duration_since(now.steady);
        Self { steady: Some(steady), wall: now.wall.saturating_add(left.as_millis() as i64) }
    }

    /// Whether it is too late to send, including the margin.
    pub(crate) fn is_over(&self, now: Now) -> bool {
        let is_near = |ends: Instant| now.steady + MARGIN >= ends;
        self.steady.is_some_and(is_near) || now.wall.saturating_add(MARGIN.as_millis() as i64) >= self.wall
    }
}

/// The current time on both clocks.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// The clock that cannot be set.
    pub steady: Instant,
    /// Wall clock, ms since 1970.
    pub wall: i64,
}
