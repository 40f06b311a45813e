//! Decides which reads are repeated, and after how long. Pure.

use std::time::Duration;

use wire::envelope::Refusal;

use crate::error::Error;

/// How long a read waits when the vendor asks it to. A parameter, so that tests do not have to wait.
#[derive(Clone, Copy, Debug)]
pub struct Pauses {
    /// Pause after the first "too many requests"; doubles with each further one.
    pub first: Duration,
    /// Longest pause, unless the service names a time.
    pub longest: Duration,
    /// Pause before repeating a request that was refused as a repetition. Services of this kind refuse the same
    /// request within 5 s.
    pub same: Duration,
    /// Total of all pauses of one read.
    pub budget: Duration,
}

impl Pauses {
    /// Pauses of 1, 2, 4, 8, 8 … units, 6 after a repetition, 60 in all.
    pub const fn of(unit: Duration) -> Self {
        Self {
            first: unit,
            longest: unit.saturating_mul(8),
            same: unit.saturating_mul(6),
            budget: unit.saturating_mul(60),
        }
    }
}

impl Default for Pauses {
    fn default() -> Self {
        Self::of(Duration::from_secs(1))
    }
}

/// The pauses that one read has made so far.
pub(crate) struct Asking {
    pauses: Pauses,
    times: u32,
    left: Duration,
}

impl Asking {
    pub(crate) fn new(pauses: Pauses) -> Self {
        Self { pauses, times: 0, left: pauses.budget }
    }

    /// The pause before the next attempt; `None` if the answer stands. `named` is the time the service asks
    /// for; `is_repeat` says that the same request was sent a moment ago.
    pub(crate) fn again_after(&mut self, error: &Error, named: Option<Duration>, is_repeat: bool) -> Option<Duration> {
        let Pauses { first, longest, same, .. } = self.pauses;
        let wanted = match error {
            _ if error.asks_to_wait() => {
                let usual = first.saturating_mul(1 << self.times.min(16)).min(longest);
                named.map_or(usual, |named| named.max(first))
            }
            Error::Refused(refusal) if is_repeat && may_mean_a_repeat(refusal) => same,
            _ => return None,
        };
        let wait = wanted.min(self.left);
        self.left -= wait;
        self.times += 1;
        Some(wait).filter(|wait| !wait.is_zero())
    }
}

/// Whether a refusal may be "不允许重复提交" (no repeated submission), which comes with a code like an HTTP status. The
/// five-digit codes of the static area, and an absent path, mean something else.
fn may_mean_a_repeat(refusal: &Refusal) -> bool {
    let is_told_apart = refusal.code.len() == 5 && refusal.code.bytes().all(|byte| byte.is_ascii_digit());
    refusal.status != 404 && !is_told_apart
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, code: &str) -> Error {
        Error::Refused(Refusal { status, code: code.into(), message: String::new(), trace_id: None, timestamp: None })
    }

    fn seconds(waits: impl Iterator<Item = Option<Duration>>) -> Vec<Option<u64>> {
        waits.map(|wait| wait.map(|wait| wait.as_secs())).collect()
    }

    #[test]
    fn too_many_requests_wait_longer_each_time_until_the_budget_is_spent() {
        let errors = [refused(429, "429"), refused(200, "429"), Error::NotThisService { status: 429 }];
        for error in errors {
            let mut asking = Asking::new(Pauses::default());
            let waits = seconds((0..11).map(|_| asking.again_after(&error, None, false)));
            let expected = [1, 2, 4, 8, 8, 8, 8, 8, 8, 5].map(Some);
            assert_eq!(waits, [&expected[..], &[None]].concat(), "{error}");
        }
    }

    #[test]
    fn a_time_that_the_service_names_is_kept_within_the_budget() {
        let mut asking = Asking::new(Pauses::default());
        let named = [20, 0, 3600, 1].map(|named| Some(Duration::from_secs(named)));
        let waits = seconds(named.into_iter().map(|named| asking.again_after(&refused(429, "429"), named, false)));
        assert_eq!(waits, [Some(20), Some(1), Some(39), None]);
    }

    #[test]
    fn a_refusal_is_asked_again_only_for_the_same_request_and_only_where_it_may_mean_that() {
        let cases = [
            (refused(200, "500"), true, Some(6)),
            (refused(200, "601"), true, Some(6)),
            (refused(200, "500"), false, None),
            (refused(200, "60310"), true, None),
            (refused(400, "40000"), true, None),
            (refused(404, "404"), true, None),
            (Error::NotThisService { status: 503 }, true, None),
        ];
        for (error, is_repeat, expected) in cases {
            let wait = Asking::new(Pauses::default()).again_after(&error, None, is_repeat);
            assert_eq!(wait.map(|wait| wait.as_secs()), expected, "{error} {is_repeat}");
        }
        let turned_away = Error::NotAuthenticated(Refusal {
            status: 200,
            code: "401".into(),
            message: String::new(),
            trace_id: None,
            timestamp: None,
        });
        assert_eq!(Asking::new(Pauses::default()).again_after(&turned_away, None, true), None);
    }
}
