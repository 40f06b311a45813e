//! Recharge and deduction: what the person confirmed, the bytes that are sent, what the answer means.

use client::{Error, Request};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::ids::CustomerId;

use crate::words::gb::{Gb, GbFactor};
use crate::words::outcome::Outcome;
use crate::words::state::{Kind, OperationId};
use crate::writes::answers::is_turned_away;

/// The direction of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// To the customer: `rechargeTrafficCount`.
    Recharge,
    /// Back from the customer: `deductionFlow`.
    Deduction,
}

impl Direction {
    /// The kind of its operations.
    pub fn kind(self) -> Kind {
        match self {
            Self::Recharge => Kind::Recharge,
            Self::Deduction => Kind::Deduction,
        }
    }
}

/// A move of traffic as a person confirms it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TrafficMove {
    /// The direction.
    pub direction: Direction,
    /// The customer.
    pub customer_id: CustomerId,
    /// User name: the account filter of the records.
    pub user_name: String,
    /// The amount, GB.
    pub gb: Gb,
    /// MB of a GB, as shown beside the amount.
    pub factor: GbFactor,
    /// Traffic given to the customer in all when the dialog showed it, MB; `None` if the vendor did not report it.
    pub shown_recharged: Option<Amount>,
    /// The operation that this one takes back; `None` if it takes none back.
    #[serde(default)]
    pub counter_of: Option<OperationId>,
}

impl TrafficMove {
    /// The request. A recharge carries the key as its order id; a deduction has no such protection.
    pub fn request(&self, key: &str) -> Request {
        let gb = self.gb.amount().to_string();
        match self.direction {
            Direction::Recharge => client::traffic::recharge(&self.customer_id, key, &gb),
            Direction::Deduction => client::traffic::deduct(&self.customer_id, &gb),
        }
    }

    /// The amount with its sign, MB, for a count of a GB.
    pub fn change(&self, factor: GbFactor) -> Amount {
        let mb = self.gb.mb(factor).value();
        Amount::new(if self.direction == Direction::Recharge { mb } else { -mb })
    }

    /// Whether one record could show either move: same direction, and amounts that agree by some count of a GB. `known`
    /// is the count, once learned.
    pub(crate) fn is_alike(&self, other: &Self, known: Option<GbFactor>) -> bool {
        let near = |own: GbFactor, theirs: GbFactor| {
            let apart = self.change(own).value() - other.change(theirs).value();
            apart.abs() <= self.gb.tolerance(own) + other.gb.tolerance(theirs)
        };
        let is_near = |own: GbFactor| GbFactor::possible(known).any(|theirs| near(own, theirs));
        self.direction == other.direction && GbFactor::possible(known).any(is_near)
    }

    /// Whether this move takes back another, or part of it.
    pub fn takes_back(&self, first: &Self) -> bool {
        let amounts = [self, first].map(|one| one.gb.amount());
        self.customer_id == first.customer_id && self.direction != first.direction && amounts[0] <= amounts[1]
    }

    /// The class of an answer. "Code 200 proves nothing": a read has to show the effect.
    pub fn outcome<T>(&self, answer: &Result<T, Error>) -> Outcome {
        match answer {
            Ok(_) => Outcome::Success { as_confirmed: true },
            Err(Error::NotSent(_)) => Outcome::NotSent,
            Err(Error::NotAuthenticated(refusal)) if is_turned_away(refusal) => Outcome::NotAuthenticated,
            Err(Error::Refused(refusal)) if refusal.status < 500 => match refusal.code.as_str() {
                // "203 order already processed"; "the sample shows code 201".
                "203" | "201" if self.direction == Direction::Recharge => Outcome::AlreadyDone,
                "204" => Outcome::Declined,
                _ => Outcome::Refused,
            },
            Err(_) => Outcome::Lost,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::writes::answers::tests::{refused, turned_away, without_data};
    use client::{Lost, NotSent};

    pub(crate) fn moving(direction: Direction, gb: &str) -> TrafficMove {
        TrafficMove {
            direction,
            customer_id: CustomerId::new("100001"),
            user_name: "ali@x.com".into(),
            gb: Gb::parse(gb, GbFactor::Binary).unwrap(),
            factor: GbFactor::Binary,
            shown_recharged: None,
            counter_of: None,
        }
    }

    #[test]
    fn every_class_of_answer_has_its_meaning_for_each_direction() {
        let cases = [
            (Ok(()), Outcome::Success { as_confirmed: true }, Outcome::Success { as_confirmed: true }),
            (Err(refused(200, "203")), Outcome::AlreadyDone, Outcome::Refused),
            (Err(refused(200, "201")), Outcome::AlreadyDone, Outcome::Refused),
            (Err(refused(200, "204")), Outcome::Declined, Outcome::Declined),
            (Err(refused(200, "500")), Outcome::Refused, Outcome::Refused),
            (Err(refused(429, "429")), Outcome::Refused, Outcome::Refused),
            (Err(refused(502, "203")), Outcome::Lost, Outcome::Lost),
            (Err(turned_away(401)), Outcome::NotAuthenticated, Outcome::NotAuthenticated),
            (Err(turned_away(503)), Outcome::Lost, Outcome::Lost),
            (Err(turned_away(500)), Outcome::Lost, Outcome::Lost),
            (Err(without_data()), Outcome::Lost, Outcome::Lost),
            (Err(refused(500, "203")), Outcome::Lost, Outcome::Lost),
            (Err(Error::NotSent(NotSent::NoConnection)), Outcome::NotSent, Outcome::NotSent),
            (Err(Error::OutcomeUnknown(Lost::TimedOut)), Outcome::Lost, Outcome::Lost),
            (Err(Error::NotThisService { status: 200 }), Outcome::Lost, Outcome::Lost),
        ];
        for (answer, recharge, deduction) in cases {
            assert_eq!(moving(Direction::Recharge, "5").outcome(&answer), recharge, "{answer:?}");
            assert_eq!(moving(Direction::Deduction, "5").outcome(&answer), deduction, "{answer:?}");
        }
    }

    #[test]
    fn a_move_takes_back_no_more_than_was_moved_the_other_way_for_the_same_customer() {
        let first = moving(Direction::Recharge, "5");
        let back = |gb: &str| TrafficMove {
            gb: Gb::parse(gb, GbFactor::Binary).unwrap(),
            ..moving(Direction::Deduction, "5")
        };
        let elsewhere = TrafficMove { customer_id: CustomerId::new("100002"), ..back("5") };
        let cases = [
            (back("5"), true),
            (back("4.99"), true),
            (back("5.01"), false),
            (elsewhere, false),
            (first.clone(), false),
        ];
        for (back, expected) in cases {
            assert_eq!(back.takes_back(&first), expected, "{back:?}");
        }
    }

    #[test]
    fn a_recharge_carries_its_key_as_the_order_id_and_the_amount_as_plain_text() {
        let query = |direction| moving(direction, "5").request("key-1").query;
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let customer = pair("customerId", "100001");
        assert_eq!(query(Direction::Recharge), [customer.clone(), pair("orderId", "key-1"), pair("trafficCount", "5")]);
        assert_eq!(query(Direction::Deduction), [customer, pair("trafficCount", "5")]);
    }
}
