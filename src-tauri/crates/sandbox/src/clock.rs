//! The service's own clock, which can be set, advanced and sped up.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;

/// Milliseconds since 1970 by the service's clock.
#[derive(Debug)]
pub struct Clock(Mutex<Running>);

#[derive(Debug)]
struct Running {
    since: Instant,
    origin: i64,
    speed: f64,
}

impl Running {
    fn now(&self) -> i64 {
        self.origin + (self.since.elapsed().as_secs_f64() * 1000.0 * self.speed) as i64
    }
}

impl Clock {
    /// Makes a clock that starts at `origin` (milliseconds since 1970; now when `None`) and runs `speed` times as fast.
    pub fn new(origin: Option<i64>, speed: f64) -> Self {
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64);
        Self(Mutex::new(Running { since: Instant::now(), origin: origin.unwrap_or_else(now), speed }))
    }

    /// The current time, in milliseconds since 1970.
    pub fn now(&self) -> i64 {
        self.0.lock().now()
    }

    /// The factor by which it runs fast.
    pub fn speed(&self) -> f64 {
        self.0.lock().speed
    }

    /// Changes the speed from now on, without a jump.
    pub fn set_speed(&self, speed: f64) {
        let mut running = self.0.lock();
        *running = Running { since: Instant::now(), origin: running.now(), speed };
    }

    /// Moves the clock by milliseconds.
    pub fn advance(&self, millis: i64) {
        self.0.lock().origin += millis;
    }

    /// Sets the clock to milliseconds since 1970.
    pub fn set(&self, millis: i64) {
        self.advance(millis - self.now());
    }
}

/// `yyyy-MM-dd HH:mm:ss` in UTC+8, the form and zone of every time the service writes.
pub(crate) fn written(millis: i64) -> String {
    let shifted = jiff::Timestamp::from_millisecond(millis + 8 * 3_600_000).unwrap_or_default();
    shifted.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc_plus_eight() {
        assert_eq!(written(1_783_934_661_000), "2026-07-13 17:24:21");
    }

    #[test]
    fn a_clock_can_be_set_and_advanced() {
        let clock = Clock::new(Some(1_000), 0.0);
        assert_eq!(clock.now(), 1_000);
        clock.advance(500);
        assert_eq!(clock.now(), 1_500);
        clock.set(9_000);
        assert_eq!(clock.now(), 9_000);
    }

    #[test]
    fn another_speed_does_not_move_the_time_that_was() {
        let clock = Clock::new(Some(5_000), 0.0);
        clock.set_speed(3_600_000.0);
        let later = clock.now();
        assert!(later >= 5_000);
        clock.set_speed(0.0);
        assert!(clock.now() >= later && clock.speed() == 0.0);
    }
}
