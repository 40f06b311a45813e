//! When the program repeats and checks by itself. A parameter, so that tests do not have to wait.

use std::time::Duration;

/// More repeats than any schedule has: only a person repeats an operation with this many.
pub(crate) const MANY: i64 = 1000;

/// The waits before automatic repeats and checks.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Orders and renewals: waits before each automatic repeat. After the last repeat a person is asked.
    pub repeats: Vec<Duration>,
    /// Shortest time between two sends of the same row: services of this kind refuse the same request within five
    /// seconds.
    pub apart: Duration,
    /// Moves of traffic and creations: waits before each check of the ledger or the list. The last wait is used again
    /// for as long as the checks decide nothing.
    pub checks: Vec<Duration>,
    /// The same after the vendor turned the token away, if nothing is sent again: most likely nothing was moved.
    pub checks_turned_away: Vec<Duration>,
    /// The same before a recharge or a creation whose answer was lost is sent again.
    pub checks_before_repeat: Vec<Duration>,
    /// A deduction that a check found is checked again after this time, because an HTTP proxy may deliver a copy late, and
    /// then as often as that until nothing more can come (README, "Proof of a move").
    pub audit: Duration,
    /// Password and status: waits before each automatic repeat, after which a person is asked. Also the shortest time
    /// between two values for one customer.
    pub settings: Vec<Duration>,
    /// Number of times the program itself sends a recharge, or the creation of a customer, again.
    pub recharge_repeats: usize,
    /// The open rows of a bulk are checked together, at most this often.
    pub round: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            repeats: seconds(&[8, 15, 30, 60, 120, 120, 120]),
            apart: Duration::from_secs(6),
            checks: seconds(&[2, 8, 50, 240, 600]),
            checks_turned_away: seconds(&[2, 8, 80]),
            checks_before_repeat: seconds(&[2, 8, 55]),
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
