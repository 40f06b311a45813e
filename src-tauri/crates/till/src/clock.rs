//! This computer's clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970 by this computer's clock.
pub(crate) fn wall_clock() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_millis() as i64
}
