//! One row of the table `operation`, and its derived facts.

use std::time::Instant;

use client::{Error, Lost, NotSent, Request};
use serde::{Deserialize, Serialize};
use wire::ids::CustomerId;
use wire::purchase::PlacedOrder;

use crate::decide::{KEY_IS_TRUSTED_FOR, Situation};
use crate::evidence::compare::Evidence;
use crate::evidence::snapshot::Snapshot;
use crate::words::fingerprint::Fingerprint;
use crate::words::price::{Now, PriceEnds};
use crate::words::secret::Owner;
use crate::words::state::{Family, Kind, OperationId, Reason, Said, State};
use crate::writes::intent::Intent;

/// An answer that was not a yes, or the failure in its place, stored to be shown to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRefusal {
    /// The vendor's code, or the class of the failure.
    pub code: String,
    /// The vendor's own words.
    pub message: String,
    /// The vendor's trace identifier.
    pub trace_id: Option<String>,
    /// Whether it was about the credentials alone.
    pub credentials: bool,
}

/// The start of the event of an answer; the vendor's code or the class of the failure follows.
pub(crate) const ANSWER: &str = "answer ";

impl StoredRefusal {
    /// The stored part of an answer that was not a yes.
    pub(crate) fn of(error: &Error) -> Self {
        let plain =
            |code: &str, credentials| Self { code: code.into(), message: String::new(), trace_id: None, credentials };
        match error {
            Error::NotAuthenticated(refusal) | Error::Refused(refusal) => Self {
                code: refusal.code.clone(),
                message: refusal.message.clone(),
                trace_id: refusal.trace_id.clone(),
                credentials: matches!(error, Error::NotAuthenticated(_)),
            },
            Error::NotSent(NotSent::OtherAccount) => plain("other-account", false),
            Error::NotSent(_) => plain("not-sent", false),
            Error::OutcomeUnknown(Lost::Cut) => plain("cut", false),
            Error::OutcomeUnknown(Lost::TimedOut) => plain("timed-out", false),
            Error::OutcomeUnknown(Lost::TooLarge) => plain("too-large", false),
            Error::OutcomeUnknown(Lost::Redirected) => plain("redirected", false),
            Error::NotThisService { .. } => plain("not-this-service", false),
            // Only lists are restless, and no write is answered with one.
            Error::Restless => plain("unreadable", false),
            Error::Unreadable { trace_id, .. } => Self { trace_id: trace_id.clone(), ..plain("unreadable", false) },
        }
    }

    /// The word for the event: the class of the failure, or the vendor's code.
    pub fn evidence(&self) -> String {
        format!("{ANSWER}{}", self.code)
    }
}

/// One row of the table `operation`.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its identifier.
    pub id: OperationId,
    /// Its kind.
    pub kind: Kind,
    /// The target that it holds while open.
    pub target: String,
    /// Its state.
    pub state: State,
    /// Why a person is asked; `None` without a question.
    pub reason: Option<Reason>,
    /// The intent that the person confirmed.
    pub intent: Intent,
    /// The exact request, without credentials.
    pub request: Request,
    /// When it was created, wall clock, ms since 1970.
    pub created: i64,
    /// Whether an earlier send may have been carried out: it was once unknown, or a question to a person.
    pub in_doubt: bool,
    /// Automatic repeats so far; `MANY` more once only a person may repeat it.
    pub repeats: usize,
    /// When the next automatic repeat or check is due, wall clock, ms since 1970.
    pub next_at: Option<i64>,
    /// Whether the person is alarmed.
    pub alarm: bool,
    /// When the price expires, wall clock, ms since 1970; `None` if the vendor did not say.
    pub price_ends: Option<i64>,
    /// The vendor's yes.
    pub answer: Option<PlacedOrder>,
    /// The last answer, if it was not a yes, or the failure in its place.
    pub refusal: Option<StoredRefusal>,
    /// The meaning of the last answer; `None` if it said nothing.
    pub said: Option<Said>,
    /// Planned checks since the last send, or since the last start.
    pub checks: usize,
    /// How many checks in a row found nothing.
    pub agreeing: usize,
    /// The snapshot before the send.
    pub baseline: Option<Snapshot>,
    /// The evidence of the newest check.
    pub evidence: Option<Evidence>,
    /// Number of commits.
    pub version: i64,
    /// The bulk that it is a row of.
    pub bulk: Option<String>,
    /// The customer that it created, once known.
    pub customer: Option<CustomerId>,
    /// The account it belongs to; `None` if an earlier version wrote it.
    pub fingerprint: Option<Fingerprint>,
}

impl Row {
    /// Whether the price is over for this row. Whatever was certainly never carried out is not sent at a price that is
    /// over. After a lost answer the price does not matter, because the key asks for the first answer. `steady` is when
    /// the price expires on the steady clock, if this run received it.
    pub(crate) fn price_is_over(&self, steady: Option<Instant>, now: Now) -> bool {
        !self.in_doubt && self.price_ends.is_some_and(|wall| PriceEnds { steady, wall }.is_over(now))
    }

    /// Whether only its key protects it from being paid twice. A vendor refuses an order whose price is over; one whose
    /// price ends while the key is trusted is protected for good. A renewal has no price that ends.
    fn only_key_protects(&self) -> bool {
        let trusted = KEY_IS_TRUSTED_FOR.as_millis() as i64;
        let outlives_key = |ends: i64| ends.saturating_sub(self.created) > trusted;
        self.kind.family() == Family::Order && self.price_ends.is_none_or(outlives_key)
    }

    /// What the secrets of the customer that it created are stored under.
    pub fn owner(&self) -> Owner {
        match &self.customer {
            Some(customer) => Owner::Customer(customer.clone()),
            None => Owner::Operation(self.id.clone()),
        }
    }

    /// The facts that [`crate::decide::decide`] needs.
    pub fn situation(&self) -> Situation {
        Situation {
            kind: self.kind,
            state: self.state,
            in_doubt: self.in_doubt,
            only_key_protects: self.only_key_protects(),
            credentials_refused: self.refusal.as_ref().is_some_and(|refusal| refusal.credentials),
            repeats: self.repeats,
            reason: self.reason,
            said: self.said,
            checks: self.checks,
            agreeing: self.agreeing,
            alarm: self.alarm,
            factor: self.intent.moved().map(|moved| moved.factor).unwrap_or_default(),
        }
    }
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its number: the order in which events were recorded, whatever the wall clock said.
    pub number: i64,
    /// Wall clock, ms since 1970.
    pub wall: i64,
    /// The word of a state or a cause.
    pub what: String,
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::Duration;

    use super::*;
    use wire::envelope::Refusal;

    pub(crate) fn row() -> Row {
        let intent = Intent::Account(crate::AccountChange::Create { user_name: "one@x.com".into() });
        Row {
            id: OperationId("1".into()),
            kind: Kind::Create,
            target: intent.target(),
            state: State::Unknown,
            reason: None,
            request: intent.request("key"),
            intent,
            created: 0,
            in_doubt: false,
            repeats: 0,
            next_at: None,
            alarm: false,
            price_ends: None,
            answer: None,
            refusal: None,
            said: None,
            checks: 3,
            agreeing: 2,
            baseline: None,
            evidence: None,
            version: 0,
            bulk: None,
            customer: None,
            fingerprint: None,
        }
    }

    #[test]
    fn a_price_is_over_five_seconds_before_its_end_for_what_certainly_never_arrived() {
        let steady = Instant::now();
        let priced = |in_doubt| Row { in_doubt, price_ends: Some(10_000), ..row() };
        let over = |in_doubt, wall| priced(in_doubt).price_is_over(None, Now { steady, wall });
        assert_eq!([4_999, 5_000, 9_000, 11_000].map(|wall| over(false, wall)), [false, true, true, true]);
        assert!(!over(true, 11_000), "the key asks for the first answer");
        assert!(!row().price_is_over(None, Now { steady, wall: i64::MAX }), "the vendor told none");
        // Setting the wall clock back does not bring a price back.
        let left = |ms| priced(false).price_is_over(Some(steady + Duration::from_millis(ms)), Now { steady, wall: 0 });
        assert_eq!([5_001, 5_000, 0].map(left), [false, true, true]);
    }

    #[test]
    fn only_a_price_that_ends_within_ten_minutes_protects_beside_the_key() {
        let of = |kind, price_ends| Row { kind, created: 1_000, price_ends, ..row() }.situation().only_key_protects;
        let ends = [None, Some(601_000), Some(601_001), Some(i64::MAX)];
        assert_eq!(ends.map(|ends| of(Kind::PlaceAndPay, ends)), [true, false, true, true]);
        assert!(of(Kind::Renew, None), "a renewal has no price that ends");
        assert!(!of(Kind::Recharge, None), "a check precedes each repeat");
    }

    #[test]
    fn of_a_no_is_kept_what_a_person_needs_and_never_an_address() {
        let refusal = |status| Refusal {
            status,
            code: "60004".into(),
            message: "no money".into(),
            trace_id: Some("t-1".into()),
            timestamp: None,
        };
        let refused = StoredRefusal::of(&Error::Refused(refusal(200)));
        assert_eq!((refused.trace_id.as_deref(), refused.credentials), (Some("t-1"), false));
        assert!(StoredRefusal::of(&Error::NotAuthenticated(refusal(401))).credentials);
        let (path, reason) = ("data".into(), "a number".into());
        let unreadable = Error::Unreadable { status: 200, path, reason, trace_id: Some("t-2".into()) };
        assert_eq!(StoredRefusal::of(&unreadable).trace_id.as_deref(), Some("t-2"));
        let words = [
            (Error::NotSent(NotSent::NoConnection), "answer not-sent"),
            (Error::NotSent(NotSent::OtherAccount), "answer other-account"),
            (Error::OutcomeUnknown(Lost::Cut), "answer cut"),
            (Error::OutcomeUnknown(Lost::TimedOut), "answer timed-out"),
            (Error::OutcomeUnknown(Lost::TooLarge), "answer too-large"),
            (Error::OutcomeUnknown(Lost::Redirected), "answer redirected"),
            (Error::NotThisService { status: 200 }, "answer not-this-service"),
            (Error::Refused(refusal(200)), "answer 60004"),
        ];
        for (error, word) in words {
            assert_eq!(StoredRefusal::of(&error).evidence(), word);
        }
    }
}
