//! What a person confirmed, whichever write it becomes.

use client::money::MoneySender;
use client::{Error, Request};
use serde::Serialize;
use wire::purchase::PlacedOrder;

use crate::decide::Outcome;
use crate::place_and_pay::{PlaceAndPay, TARGET};
use crate::state::Kind;
use crate::traffic_move::{Direction, TrafficMove};

/// One confirmed intent. Its kind stands beside it in the journal.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Intent {
    /// Buying.
    Order(PlaceAndPay),
    /// Recharge or deduction.
    Move(TrafficMove),
}

/// The vendor's yes.
#[derive(Clone, Debug)]
pub enum Yes {
    /// An order, with its figures.
    Order(PlacedOrder),
    /// A write of the agent area, which tells nothing more.
    Accepted,
}

impl From<PlaceAndPay> for Intent {
    fn from(order: PlaceAndPay) -> Self {
        Self::Order(order)
    }
}

impl From<TrafficMove> for Intent {
    fn from(moved: TrafficMove) -> Self {
        Self::Move(moved)
    }
}

impl Intent {
    /// Reads what the journal holds.
    pub(crate) fn read(kind: Kind, json: &str) -> serde_json::Result<Self> {
        match kind {
            Kind::PlaceAndPay => serde_json::from_str(json).map(Self::Order),
            Kind::Recharge | Kind::Deduction => serde_json::from_str(json).map(Self::Move),
        }
    }

    /// Which write.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Order(_) => Kind::PlaceAndPay,
            Self::Move(moved) => match moved.direction {
                Direction::Recharge => Kind::Recharge,
                Direction::Deduction => Kind::Deduction,
            },
        }
    }

    /// What it holds while open: the wallet, or the customer.
    pub fn target(&self) -> &str {
        match self {
            Self::Order(_) => TARGET,
            Self::Move(moved) => moved.customer_id.as_str(),
        }
    }

    /// The request under a key. The same intent and key always give the same bytes.
    pub fn request(&self, key: &str) -> Request {
        match self {
            Self::Order(order) => order.request(key),
            Self::Move(moved) => moved.request(key),
        }
    }

    /// The confirmed figures, for the hash of a confirmation.
    pub(crate) fn figures(&self) -> [String; 2] {
        match self {
            Self::Order(order) => [order.amount.to_string(), order.quote_id.as_str().to_owned()],
            Self::Move(moved) => [moved.gb.amount().to_string(), u32::from(moved.factor).to_string()],
        }
    }

    /// The move of traffic, if it is one.
    pub fn moved(&self) -> Option<&TrafficMove> {
        match self {
            Self::Order(_) => None,
            Self::Move(moved) => Some(moved),
        }
    }

    /// Sends once.
    pub(crate) async fn send(&self, sender: &MoneySender, request: &Request) -> Result<Yes, Error> {
        match self {
            Self::Order(_) => sender.send(request).await.map(|answer| Yes::Order(answer.data)),
            Self::Move(_) => sender.write(request).await.map(|_| Yes::Accepted),
        }
    }

    /// The class of an answer.
    pub fn outcome(&self, answer: &Result<Yes, Error>) -> Outcome {
        match (self, answer) {
            (Self::Order(order), Ok(Yes::Order(placed))) => order.outcome(&Ok(placed.clone())),
            // An order is never answered without its figures.
            (Self::Order(_), Ok(Yes::Accepted)) => Outcome::Lost,
            (Self::Order(order), Err(error)) => order.outcome(&Err(error.clone())),
            (Self::Move(moved), answer) => moved.outcome(answer),
        }
    }
}
