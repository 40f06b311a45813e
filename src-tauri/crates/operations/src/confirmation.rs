//! One confirmation, one row: what a dialog shows is fixed here and spent once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::intent::Intent;
use database::stamp::hex;

/// A confirmation lives so long after its dialog opened.
const LIFE: Duration = Duration::from_secs(120);
/// "No send in the last 5 s" before the price expires by the service's clock.
const MARGIN: Duration = Duration::from_secs(5);

/// What a dialog holds: the token that its button sends back.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Hash of the nonce, the operation, its target, its amount and its price.
    pub token: String,
}

/// A confirmed intent, taken out of its offer.
#[derive(Clone, Debug)]
pub struct Spent {
    /// Unique in the journal: one confirmation is one row.
    pub nonce: String,
    /// What was confirmed.
    pub intent: Intent,
    /// When its price expires, on this computer's steady clock.
    pub price_ends: Option<Instant>,
}

/// Why a confirmation is not accepted. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotConfirmed {
    /// Unknown, spent already or too old.
    #[error("the confirmation is spent or too old")]
    Stale,
    /// The price is about to expire or has expired.
    #[error("the price has expired")]
    PriceExpired,
    /// The customer's figures are no longer those that the dialog showed.
    #[error("the customer's figures have changed")]
    Changed,
    /// What 0 and 1 mean was set the other way round since.
    #[error("what a status sends was turned")]
    Turned,
}

struct Pending {
    spent: Spent,
    offered: Instant,
}

/// The open dialogs' offers.
#[derive(Default)]
pub struct Confirmations(Mutex<HashMap<String, Pending>>);

impl Confirmations {
    /// Opens a confirmation. `price_ends` is when the price expires, on this computer's steady clock.
    pub fn offer(&self, intent: Intent, price_ends: Option<Instant>, now: Instant) -> Offer {
        let nonce = uuid::Uuid::new_v4().to_string();
        let [amount, price] = intent.figures();
        let parts = [nonce.as_str(), intent.kind().word(), &intent.target(), &amount, &price];
        let token = hex(&Sha256::digest(parts.join("\n")));
        let pending = Pending { spent: Spent { nonce, intent, price_ends }, offered: now };
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, pending| now.duration_since(pending.offered) < LIFE);
        open.insert(token.clone(), pending);
        Offer { token }
    }

    /// What a token would do, without taking it; `None` when it is spent or too old.
    pub fn peek(&self, token: &str, now: Instant) -> Option<Intent> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = open.get(token).filter(|pending| now.duration_since(pending.offered) < LIFE)?;
        Some(pending.spent.intent.clone())
    }

    /// Takes a confirmation: a second call with the same token finds nothing.
    ///
    /// # Errors
    /// [`NotConfirmed`]; nothing was sent.
    pub fn spend(&self, token: &str, now: Instant) -> Result<Spent, NotConfirmed> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
        let pending = taken.filter(|pending| now.duration_since(pending.offered) < LIFE).ok_or(NotConfirmed::Stale)?;
        if pending.spent.price_ends.is_some_and(|ends| now + MARGIN >= ends) {
            return Err(NotConfirmed::PriceExpired);
        }
        Ok(pending.spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[test]
    fn a_confirmation_is_spent_once() {
        let (confirmations, now) = (Confirmations::default(), Instant::now());
        let offer = confirmations.offer(intent(), None, now);
        assert!(confirmations.spend(&offer.token, now).is_ok());
        assert_eq!(confirmations.spend(&offer.token, now).unwrap_err(), NotConfirmed::Stale);
    }

    #[test]
    fn a_confirmation_is_not_accepted_after_two_minutes() {
        let (confirmations, now) = (Confirmations::default(), Instant::now());
        let offer = confirmations.offer(intent(), None, now);
        assert_eq!(confirmations.spend(&offer.token, now + LIFE).unwrap_err(), NotConfirmed::Stale);
    }

    #[test]
    fn nothing_is_sent_in_the_last_five_seconds_of_a_price() {
        for (left, accepted) in [(5_000, false), (5_001, true), (0, false)] {
            let (confirmations, now) = (Confirmations::default(), Instant::now());
            let offer = confirmations.offer(intent(), Some(now + Duration::from_millis(left)), now);
            assert_eq!(confirmations.spend(&offer.token, now).is_ok(), accepted, "{left} ms left");
        }
    }
}
