//! One confirmation, one row: whatever a dialog shows is fixed here and spent once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::words::fingerprint::Fingerprint;
use crate::words::price::{Now, PriceEnds};
use crate::writes::intent::Intent;

/// How long a confirmation is valid after its dialog opened.
const LIFE: Duration = Duration::from_secs(120);
/// The token of an open dialog, which its button sends back.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Hash of the nonce, the operation, its target, its amount and its price.
    pub token: String,
}

/// A confirmed intent, taken out of its offer.
#[derive(Clone, Debug)]
pub struct Spent {
    /// Unique in the journal, so that one confirmation is one row.
    pub nonce: String,
    /// The confirmed intent.
    pub intent: Intent,
    /// When its price expires; `None` if it has no price.
    pub price_ends: Option<PriceEnds>,
    /// The account whose figures the dialog showed; `None` without an account.
    pub fingerprint: Option<Fingerprint>,
}

/// Why a confirmation is not accepted. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotConfirmed {
    /// Unknown, already spent or too old.
    #[error("the confirmation is spent or too old")]
    Stale,
    /// The price has expired or is about to.
    #[error("the price has expired")]
    PriceExpired,
    /// The customer's figures are no longer those that the dialog showed.
    #[error("the customer's figures have changed")]
    Changed,
    /// The meaning of 0 and 1 was swapped since.
    #[error("the meaning of the status numbers was swapped")]
    Turned,
    /// The current account is not the one that it was prepared for.
    #[error("it was prepared for another account")]
    OtherAccount,
}

struct Pending {
    spent: Spent,
    offered: Instant,
}

/// The offers of the open dialogs.
#[derive(Default)]
pub struct Confirmations(Mutex<HashMap<String, Pending>>);

impl Confirmations {
    /// Opens a confirmation. `price_ends` is when the price expires, on this computer's steady clock.
    pub fn offer(
        &self,
        intent: Intent,
        price_ends: Option<Instant>,
        fingerprint: Option<Fingerprint>,
        now: Now,
    ) -> Offer {
        let nonce = uuid::Uuid::new_v4().to_string();
        let [amount, price] = intent.figures();
        let parts = [nonce.as_str(), intent.kind().word(), &intent.target(), &amount, &price];
        let token = hex::encode(Sha256::digest(parts.join("\n")));
        let price_ends = price_ends.map(|ends| PriceEnds::at(ends, now));
        let now = now.steady;
        let pending = Pending { spent: Spent { nonce, intent, price_ends, fingerprint }, offered: now };
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, pending| now.duration_since(pending.offered) < LIFE);
        open.insert(token.clone(), pending);
        Offer { token }
    }

    /// The intent of a token, without spending it; `None` if the token is spent or too old.
    pub fn peek(&self, token: &str, now: Instant) -> Option<Intent> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = open.get(token).filter(|pending| now.duration_since(pending.offered) < LIFE)?;
        Some(pending.spent.intent.clone())
    }

    /// Spends a confirmation: a second call with the same token finds nothing.
    ///
    /// # Errors
    /// [`NotConfirmed`] says why it is not accepted; nothing was sent.
    pub fn spend(&self, token: &str, now: Now) -> Result<Spent, NotConfirmed> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
        let is_fresh = |pending: &Pending| now.steady.duration_since(pending.offered) < LIFE;
        let pending = taken.filter(is_fresh).ok_or(NotConfirmed::Stale)?;
        if pending.spent.price_ends.is_some_and(|ends| ends.is_over(now)) {
            return Err(NotConfirmed::PriceExpired);
        }
        Ok(pending.spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;
    use serde_json::value::RawValue;
    use wire::ids::{QuoteId, QuoteVersion};

    fn intent() -> Intent {
        Intent::Order(crate::PlaceAndPay {
            quote_id: QuoteId::new("1"),
            quote_version: QuoteVersion::new("v"),
            config: RawValue::from_string("{}".into()).unwrap(),
            amount: "8.55".parse().unwrap(),
            currency: "USD".into(),
        })
    }

    fn now() -> Now {
        Now { steady: Instant::now(), wall: 1_800_000_000_000 }
    }

    /// The time after this much on the steady clock, and this much on the wall clock.
    fn later(now: Now, steady: Duration, wall: i64) -> Now {
        Now { steady: now.steady + steady, wall: now.wall + wall }
    }

    #[test]
    fn a_confirmation_is_spent_once() {
        let (confirmations, now) = (Confirmations::default(), now());
        let offer = confirmations.offer(intent(), None, None, now);
        assert!(confirmations.spend(&offer.token, now).is_ok());
        assert_eq!(confirmations.spend(&offer.token, now).unwrap_err(), NotConfirmed::Stale);
    }

    #[test]
    fn a_confirmation_is_not_accepted_after_two_minutes() {
        let (confirmations, now) = (Confirmations::default(), now());
        let offer = confirmations.offer(intent(), None, None, now);
        let shown = [Duration::ZERO, LIFE - Duration::from_millis(1), LIFE, LIFE * 2]
            .map(|later| confirmations.peek(&offer.token, now.steady + later).is_some());
        assert_eq!(shown, [true, true, false, false]);
        assert!(confirmations.peek("another", now.steady).is_none());
        assert_eq!(confirmations.spend(&offer.token, later(now, LIFE, 0)).unwrap_err(), NotConfirmed::Stale);
    }

    #[test]
    fn nothing_is_sent_in_the_last_five_seconds_of_a_price() {
        for (left, accepted) in [(5_000, false), (5_001, true), (0, false)] {
            let (confirmations, now) = (Confirmations::default(), now());
            let offer = confirmations.offer(intent(), Some(now.steady + Duration::from_millis(left)), None, now);
            assert_eq!(confirmations.spend(&offer.token, now).is_ok(), accepted, "{left} ms left");
        }
    }

    /// T8: 500 seeds of clocks that are wrong by a day, are set while the dialog is open, or stand still in sleep.
    #[test]
    fn whatever_the_clocks_do_nothing_is_sent_after_the_price_is_over() {
        let (mut sent, mut late) = (0, 0);
        for seed in 0..500_u64 {
            let mut dice = Dice::of(seed);
            let mut roll = |sides: i64| dice.roll(sides as u64) as i64;
            const DAY: i64 = 86_400_000;
            let mut now = now();
            now.wall += roll(2 * DAY) - DAY;
            let lasts = 1_000 * (5 + roll(60));
            let confirmations = Confirmations::default();
            let offer =
                confirmations.offer(intent(), Some(now.steady + Duration::from_millis(lasts as u64)), None, now);
            let passed = 1_000 * roll(70);
            // Time passes awake, in sleep, or while the clock is set to anything.
            let now = match roll(3) {
                0 => later(now, Duration::from_millis(passed as u64), passed),
                1 => later(now, Duration::ZERO, passed),
                _ => later(now, Duration::from_millis(passed as u64), roll(2 * DAY) - DAY),
            };
            let accepted = confirmations.spend(&offer.token, now).is_ok();
            let is_over = passed + 5_000 >= lasts;
            assert!(!(accepted && is_over), "seed {seed}: sent {passed} ms after a price of {lasts} ms was told");
            sent += usize::from(accepted);
            late += usize::from(is_over);
        }
        assert!(sent > 50 && late > 50, "both were tried: {sent} sent, {late} too late");
        println!("500 clocks from seed 0");
    }
}
