//! When the program repeats and looks by itself. A parameter, so that tests need not wait.

use std::time::Duration;

/// Waits of the automatic repeats and looks.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Place-and-pay: waits before each automatic repeat; after the last a person is asked.
    pub repeats: Vec<Duration>,
    /// Two sends of the same row are at least this far apart: services of this make refuse the
    /// same request within five seconds.
    pub apart: Duration,
    /// Moves of traffic: waits before each look at the ledger. The last one goes on for as long as
    /// nothing can be read.
    pub looks: Vec<Duration>,
    /// The same when the vendor turned the token away: nothing was moved, most likely.
    pub looks_turned_away: Vec<Duration>,
    /// The same before a recharge whose answer was lost is sent again under its order id.
    pub looks_before_repeat: Vec<Duration>,
    /// A deduction that was seen once is looked at once more after this time: a proxy may be late.
    pub audit: Duration,
    /// Password and status: waits before each automatic repeat, after which a person is asked; and how far
    /// two values of one customer are apart at least.
    pub settings: Vec<Duration>,
    /// So many times a recharge, or the creation of a customer, is sent again by the program itself.
    pub recharge_repeats: usize,
    /// The open rows of a bulk are looked at together, this often at most.
    pub round: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            repeats: seconds(&[8, 15, 30, 60, 120, 120, 120]),
            apart: Duration::from_secs(6),
            looks: seconds(&[2, 8, 50, 240, 600]),
            looks_turned_away: seconds(&[2, 8, 80]),
            looks_before_repeat: seconds(&[2, 8, 55]),
            audit: Duration::from_secs(65),
            settings: seconds(&[65, 65, 65]),
            recharge_repeats: 2,
            round: Duration::from_secs(2),
        }
    }
}

fn seconds(waits: &[u64]) -> Vec<Duration> {
    waits.iter().copied().map(Duration::from_secs).collect()
}
