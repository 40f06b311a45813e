//! Place-and-pay: what the person confirmed, the bytes that are sent, what the answer means.

use client::{Error, Request};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wire::Amount;
use wire::ids::{QuoteId, QuoteVersion};
use wire::purchase::{PlacedOrder, PurchaseConfig};

use crate::words::outcome::Outcome;

/// The target of everything that is paid. There is one wallet, so there is one open payment at a time.
pub const TARGET: &str = "wallet";

/// A purchase as a person confirms it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaceAndPay {
    /// From the price.
    pub quote_id: QuoteId,
    /// From the price.
    pub quote_version: QuoteVersion,
    /// The exact bytes of the configuration, as priced.
    pub config: Box<RawValue>,
    /// The price shown, in `currency`.
    pub amount: Amount,
    /// Currency code.
    pub currency: String,
}

impl PlaceAndPay {
    /// The request under a key. The same intent and key always give the same bytes.
    pub fn request(&self, key: &str) -> Request {
        client::purchase::place_and_pay(&self.quote_id, &self.quote_version, &self.config, key)
    }

    /// The configuration, to show what was bought. `None` if it cannot be read.
    pub fn purchase(&self) -> Option<PurchaseConfig> {
        serde_json::from_str(self.config.get()).ok()
    }

    /// The class of an answer.
    pub fn outcome(&self, answer: &Result<PlacedOrder, Error>) -> Outcome {
        paid(self.amount, &self.currency, answer)
    }
}

/// The class of an answer to something paid from the wallet, for which `amount` in `currency` was shown. A currency
/// that is not reported counts as the same one.
pub(super) fn paid(amount: Amount, currency: &str, answer: &Result<PlacedOrder, Error>) -> Outcome {
    match answer {
        Ok(order) if order.order_no.as_str().is_empty() => Outcome::Lost,
        Ok(order) => {
            let same_currency = order.currency.is_empty() || currency.is_empty() || order.currency == currency;
            Outcome::Success { as_confirmed: order.amount == Some(amount) && same_currency }
        }
        Err(error) => refusal_class(error),
    }
}

/// Hazards 1, 2, 6-8, 10-13: what an error says about the order.
fn refusal_class(error: &Error) -> Outcome {
    match error {
        Error::NotSent(_) => Outcome::NotSent,
        Error::NotAuthenticated(refusal) if refusal.status < 500 => Outcome::NotAuthenticated,
        // A 5xx may come from after the point where the order was placed, whatever its body says.
        Error::Refused(refusal) if refusal.status == 429 => Outcome::Declined,
        Error::Refused(refusal) if refusal.status < 500 && may_be_the_key(&refusal.code) => Outcome::Refused,
        Error::Refused(refusal) if refusal.status < 500 && says_no(&refusal.code) => Outcome::Declined,
        _ => Outcome::Lost,
    }
}

/// "60306 to 60309: order placement and idempotency related errors": a copy of this very request may have arrived
/// first.
fn may_be_the_key(code: &str) -> bool {
    ["60306", "60307", "60308", "60309"].contains(&code)
}

/// The contract's own refusals belong to the families 2xxxx (credentials), 4xxxx (request) and 6xxxx (business rules).
/// Any other code may come from a gateway or a crash and proves nothing.
fn says_no(code: &str) -> bool {
    code.len() == 5 && code.bytes().all(|byte| byte.is_ascii_digit()) && code.starts_with(['2', '4', '6'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use client::{Lost, NotSent};
    use wire::envelope::Refusal;
    use wire::ids::OrderNo;

    fn intent() -> PlaceAndPay {
        PlaceAndPay {
            quote_id: QuoteId::new("1"),
            quote_version: QuoteVersion::new("v"),
            config: RawValue::from_string("{}".into()).unwrap(),
            amount: "8.55".parse().unwrap(),
            currency: "USD".into(),
        }
    }

    fn order(number: &str, amount: &str) -> PlacedOrder {
        PlacedOrder {
            order_no: OrderNo::new(number),
            amount: amount.parse().ok(),
            currency: "USD".into(),
            ..PlacedOrder::default()
        }
    }

    fn refusal(status: u16) -> Refusal {
        coded(status, "60004")
    }

    fn coded(status: u16, code: &str) -> Refusal {
        Refusal { status, code: code.into(), message: String::new(), trace_id: None, timestamp: None }
    }

    #[test]
    fn every_class_of_answer_has_its_meaning() {
        let unreadable = Error::Unreadable { status: 200, path: "data".into(), reason: String::new(), trace_id: None };
        let cases = [
            (Ok(order("7", "8.550")), Outcome::Success { as_confirmed: true }),
            (Ok(order("7", "9")), Outcome::Success { as_confirmed: false }),
            (Ok(order("7", "not told")), Outcome::Success { as_confirmed: false }),
            (
                Ok(PlacedOrder { currency: "CNY".into(), ..order("7", "8.55") }),
                Outcome::Success { as_confirmed: false },
            ),
            (
                Ok(PlacedOrder { currency: String::new(), ..order("7", "8.55") }),
                Outcome::Success { as_confirmed: true },
            ),
            (Ok(order("", "8.55")), Outcome::Lost),
            (Err(Error::NotSent(NotSent::NoConnection)), Outcome::NotSent),
            (Err(Error::NotSent(NotSent::NoCredentials)), Outcome::NotSent),
            (Err(Error::OutcomeUnknown(Lost::Cut)), Outcome::Lost),
            (Err(Error::OutcomeUnknown(Lost::TimedOut)), Outcome::Lost),
            (Err(Error::OutcomeUnknown(Lost::Redirected)), Outcome::Lost),
            (Err(Error::Refused(refusal(200))), Outcome::Declined),
            (Err(Error::Refused(refusal(429))), Outcome::Declined),
            (Err(Error::Refused(coded(200, "60306"))), Outcome::Refused),
            (Err(Error::Refused(coded(429, "slow down"))), Outcome::Declined),
            (Err(Error::Refused(coded(400, "40000"))), Outcome::Declined),
            (Err(Error::Refused(coded(200, "60309"))), Outcome::Refused),
            (Err(Error::Refused(coded(200, "60399"))), Outcome::Declined),
            (Err(Error::Refused(coded(200, "50000"))), Outcome::Lost),
            (Err(Error::Refused(coded(200, "500"))), Outcome::Lost),
            (Err(Error::Refused(coded(200, "4000x"))), Outcome::Lost),
            (Err(Error::Refused(coded(200, "200"))), Outcome::Lost),
            (Err(Error::Refused(coded(200, ""))), Outcome::Lost),
            (Err(Error::Refused(refusal(502))), Outcome::Lost),
            (Err(Error::Refused(refusal(500))), Outcome::Lost),
            (Err(Error::NotAuthenticated(refusal(500))), Outcome::Lost),
            (Err(Error::NotAuthenticated(refusal(401))), Outcome::NotAuthenticated),
            (Err(Error::NotAuthenticated(refusal(503))), Outcome::Lost),
            (Err(Error::NotThisService { status: 200 }), Outcome::Lost),
            (Err(unreadable), Outcome::Lost),
        ];
        for (answer, expected) in cases {
            assert_eq!(intent().outcome(&answer), expected, "{answer:?}");
        }
    }

    #[test]
    fn a_price_without_a_currency_is_paid_in_whatever_the_vendor_says() {
        let silent = PlaceAndPay { currency: String::new(), ..intent() };
        assert_eq!(silent.outcome(&Ok(order("7", "8.55"))), Outcome::Success { as_confirmed: true });
    }
}
