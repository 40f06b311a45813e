//! The open confirmations. Whatever a dialog shows is fixed here and spent once.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use crate::engine::NotConfirmed;
use crate::words::fingerprint::Fingerprint;
use crate::words::price::{Now, PriceEnds};
use crate::writes::bulk::BulkPlan;
use crate::writes::intent::Intent;

/// How long the confirmation of one write is valid after its dialog opened.
const LIFE: Duration = Duration::from_secs(120);
/// How long the preview of a bulk can be confirmed after it was made.
const LIFE_OF_BULK: Duration = Duration::from_secs(10 * 60);

/// The token of an open dialog, which its button sends back.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Hash of the nonce, the operation, its target, its amount and its price.
    pub token: String,
}

/// One write that a person confirmed.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    /// Unique in the journal, so that one confirmation is one row.
    pub(crate) nonce: String,
    pub(crate) intent: Intent,
    /// When its price expires; `None` if it has no price.
    pub(crate) price_ends: Option<PriceEnds>,
    /// The last event of the journal when its figures were read.
    pub(crate) seen: i64,
}

/// A confirmation that was spent.
#[derive(Clone, Debug)]
pub(crate) struct Spent<T> {
    pub(crate) what: T,
    /// The account whose figures the dialog showed; `None` without an account, or without anything to send.
    pub(crate) fingerprint: Option<Fingerprint>,
}

enum What {
    Write(Write),
    Bulk(BulkPlan),
}

impl What {
    fn is_write(&self) -> bool {
        matches!(self, Self::Write(_))
    }
}

struct Pending {
    spent: Spent<What>,
    /// When its dialog opened, on the steady clock.
    offered: Instant,
}

impl Pending {
    fn is_fresh(&self, now: Instant) -> bool {
        let life = match self.spent.what {
            What::Write(_) => LIFE,
            What::Bulk(_) => LIFE_OF_BULK,
        };
        now.duration_since(self.offered) < life
    }
}

/// The confirmations of all open dialogs.
#[derive(Default)]
pub(crate) struct Confirmations(Mutex<HashMap<String, Pending>>);

impl Confirmations {
    /// Opens the confirmation of one write. `price_ends` is when the price expires, on this computer's steady clock.
    pub(crate) fn offer(
        &self,
        intent: Intent,
        seen: i64,
        price_ends: Option<Instant>,
        fingerprint: Option<Fingerprint>,
        now: Now,
    ) -> Offer {
        let nonce = uuid::Uuid::new_v4().to_string();
        let [amount, price] = intent.figures();
        let parts = [nonce.as_str(), intent.kind().word(), &intent.target(), &amount, &price].join("\n");
        let price_ends = price_ends.map(|ends| PriceEnds::at(ends, now));
        let write = Write { nonce, intent, price_ends, seen };
        Offer { token: self.open(&parts, What::Write(write), fingerprint, now.steady) }
    }

    /// Opens the confirmation of a bulk and returns its token. `hash` is that of its plan.
    pub(crate) fn offer_bulk(
        &self,
        plan: BulkPlan,
        hash: &str,
        fingerprint: Option<Fingerprint>,
        now: Instant,
    ) -> String {
        let parts = format!("{}\n{hash}", uuid::Uuid::new_v4());
        self.open(&parts, What::Bulk(plan), fingerprint, now)
    }

    fn open(&self, parts: &str, what: What, fingerprint: Option<Fingerprint>, now: Instant) -> String {
        let token = hex::encode(Sha256::digest(parts));
        let mut open = self.0.lock();
        open.retain(|_, pending| pending.is_fresh(now));
        open.insert(token.clone(), Pending { spent: Spent { what, fingerprint }, offered: now });
        token
    }

    /// Withdraws every open confirmation.
    pub(crate) fn forget(&self) {
        self.0.lock().clear();
    }

    /// The intent of a token, without spending it; `None` if the token is spent, too old or that of a bulk.
    pub(crate) fn peek(&self, token: &str, now: Instant) -> Option<Intent> {
        let open = self.0.lock();
        match &open.get(token).filter(|pending| pending.is_fresh(now))?.spent.what {
            What::Write(write) => Some(write.intent.clone()),
            What::Bulk(_) => None,
        }
    }

    /// Spends the confirmation of one write: a second call with the same token finds nothing.
    ///
    /// # Errors
    /// [`NotConfirmed`] says why it is not accepted; nothing was sent.
    pub(crate) fn spend(&self, token: &str, now: Now) -> Result<Spent<Write>, NotConfirmed> {
        let Spent { what: What::Write(what), fingerprint } = self.take(token, now.steady, What::is_write)? else {
            return Err(NotConfirmed::Stale);
        };
        if what.price_ends.is_some_and(|ends| ends.is_over(now)) {
            return Err(NotConfirmed::PriceExpired);
        }
        Ok(Spent { what, fingerprint })
    }

    /// Spends the confirmation of a bulk.
    ///
    /// # Errors
    /// As [`Self::spend`].
    pub(crate) fn spend_bulk(&self, token: &str, now: Instant) -> Result<Spent<BulkPlan>, NotConfirmed> {
        let Spent { what: What::Bulk(what), fingerprint } = self.take(token, now, |what| !what.is_write())? else {
            return Err(NotConfirmed::Stale);
        };
        Ok(Spent { what, fingerprint })
    }

    /// Takes out what a token confirms, if it is of the kind that is asked for.
    fn take(&self, token: &str, now: Instant, is_of_kind: fn(&What) -> bool) -> Result<Spent<What>, NotConfirmed> {
        let mut open = self.0.lock();
        if !open.get(token).is_some_and(|pending| is_of_kind(&pending.spent.what)) {
            return Err(NotConfirmed::Stale);
        }
        let taken = open.remove(token).filter(|pending| pending.is_fresh(now));
        taken.map(|pending| pending.spent).ok_or(NotConfirmed::Stale)
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
        let offer = confirmations.offer(intent(), 0, None, None, now);
        assert!(confirmations.spend(&offer.token, now).is_ok());
        assert_eq!(confirmations.spend(&offer.token, now).unwrap_err(), NotConfirmed::Stale);
    }

    #[test]
    fn a_confirmation_is_not_accepted_after_two_minutes() {
        let (confirmations, now) = (Confirmations::default(), now());
        let offer = confirmations.offer(intent(), 0, None, None, now);
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
            let offer = confirmations.offer(intent(), 0, Some(now.steady + Duration::from_millis(left)), None, now);
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
                confirmations.offer(intent(), 0, Some(now.steady + Duration::from_millis(lasts as u64)), None, now);
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

    fn plan() -> BulkPlan {
        let create = crate::AccountChange::Create { user_name: "one@x.com".into() };
        let row = crate::PlannedRow { name: String::new(), todo: Ok(create.into()), retries: None };
        BulkPlan { kind: crate::Kind::Create, rows: vec![row] }
    }

    #[test]
    fn the_preview_of_a_bulk_is_confirmed_within_ten_minutes_or_not_at_all() {
        let (confirmations, now) = (Confirmations::default(), Instant::now());
        let life = Duration::from_secs(600);
        for (later, is_stale) in [(life - Duration::from_millis(1), false), (life, true)] {
            let token = confirmations.offer_bulk(plan(), "hash", None, now);
            assert_eq!(confirmations.spend_bulk(&token, now + later).is_err(), is_stale, "{later:?}");
            assert_eq!(confirmations.spend_bulk(&token, now).unwrap_err(), NotConfirmed::Stale, "it is spent");
        }
        confirmations.offer_bulk(plan(), "hash", None, now);
        let ms = Duration::from_millis;
        for (later, open) in [(life - ms(1), 2), (life, 2), (life * 2, 1)] {
            confirmations.offer_bulk(plan(), "hash", None, now + later);
            assert_eq!(confirmations.0.lock().len(), open, "{later:?}");
        }
    }

    #[test]
    fn the_token_of_a_bulk_confirms_no_single_write_and_the_other_way_round() {
        let (confirmations, now) = (Confirmations::default(), now());
        let bulk = confirmations.offer_bulk(plan(), "hash", None, now.steady);
        let single = confirmations.offer(intent(), 0, None, None, now).token;
        assert!(confirmations.peek(&bulk, now.steady).is_none());
        assert_eq!(confirmations.spend(&bulk, now).unwrap_err(), NotConfirmed::Stale);
        assert_eq!(confirmations.spend_bulk(&single, now.steady).unwrap_err(), NotConfirmed::Stale);
        assert!(confirmations.spend(&single, now).is_ok() && confirmations.spend_bulk(&bulk, now.steady).is_ok());
    }
}
