//! An intent that a person confirmed, for every kind of write.

use client::money::MoneySender;
use client::{Area, Error, Request};
use secrecy::SecretString;
use serde::Serialize;
use wire::Amount;
use wire::accounts::CreatedAccount;
use wire::purchase::PlacedOrder;

use crate::words::outcome::Outcome;
use crate::words::state::{Family, Kind};
use crate::writes::account_change::AccountChange;
use crate::writes::order::{PlaceAndPay, TARGET};
use crate::writes::renewal::Renewal;
use crate::writes::traffic_move::TrafficMove;

/// One confirmed intent. The journal stores its kind beside it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Intent {
    /// Buying.
    Order(PlaceAndPay),
    /// Renewing IPs.
    Renewal(Renewal),
    /// Recharge or deduction.
    Move(TrafficMove),
    /// Create, password or status.
    Account(AccountChange),
}

/// The vendor's yes.
#[derive(Clone, Debug)]
pub enum Yes {
    /// An order or a renewal, with its figures.
    Order(PlacedOrder),
    /// The answer to a write of the agent area, which says nothing more than yes.
    Accepted,
}

/// The result of one send.
pub(crate) struct Sent {
    pub(crate) answer: Result<Yes, Error>,
    /// Whatever could be read of a created customer, regardless of the answer.
    pub(crate) account: CreatedAccount,
}

impl From<PlaceAndPay> for Intent {
    fn from(order: PlaceAndPay) -> Self {
        Self::Order(order)
    }
}

impl From<Renewal> for Intent {
    fn from(renewal: Renewal) -> Self {
        Self::Renewal(renewal)
    }
}

impl From<TrafficMove> for Intent {
    fn from(moved: TrafficMove) -> Self {
        Self::Move(moved)
    }
}

impl From<AccountChange> for Intent {
    fn from(change: AccountChange) -> Self {
        Self::Account(change)
    }
}

impl Intent {
    /// Reads an intent from the journal.
    pub(crate) fn read(kind: Kind, json: &str) -> serde_json::Result<Self> {
        match kind.family() {
            Family::Order if kind == Kind::Renew => serde_json::from_str(json).map(Self::Renewal),
            Family::Order => serde_json::from_str(json).map(Self::Order),
            Family::Move => serde_json::from_str(json).map(Self::Move),
            Family::Create | Family::Setting => serde_json::from_str(json).map(Self::Account),
        }
    }

    /// The kind of write.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Order(_) => Kind::PlaceAndPay,
            Self::Renewal(_) => Kind::Renew,
            Self::Move(moved) => moved.direction.kind(),
            Self::Account(change) => change.kind(),
        }
    }

    /// The half of the interface that carries it out.
    pub fn area(&self) -> Area {
        match self {
            Self::Order(_) | Self::Renewal(_) => Area::Static,
            Self::Move(_) | Self::Account(_) => Area::Agent,
        }
    }

    /// What the operation holds while open: the wallet, the customer, or the name of a customer to be created.
    pub fn target(&self) -> String {
        match self {
            Self::Order(_) | Self::Renewal(_) => TARGET.to_owned(),
            Self::Move(moved) => moved.customer_id.as_str().to_owned(),
            Self::Account(change) => change.target(),
        }
    }

    /// The request under a key. The same intent and key always give the same bytes.
    pub fn request(&self, key: &str) -> Request {
        match self {
            Self::Order(order) => order.request(key),
            Self::Renewal(renewal) => renewal.request(key),
            Self::Move(moved) => moved.request(key),
            Self::Account(change) => change.request(),
        }
    }

    /// The confirmed figures, for the hash of a confirmation.
    pub(crate) fn figures(&self) -> [String; 2] {
        match self {
            Self::Order(order) => [order.amount.to_string(), order.quote_id.as_str().to_owned()],
            Self::Renewal(renewal) => [renewal.amount.to_string(), renewal.scope()],
            Self::Move(moved) => [moved.gb.amount().to_string(), u32::from(moved.factor).to_string()],
            Self::Account(change) => [format!("{change:?}"), String::new()],
        }
    }

    /// The move of traffic, if it is one.
    pub fn moved(&self) -> Option<&TrafficMove> {
        match self {
            Self::Move(moved) => Some(moved),
            _ => None,
        }
    }

    /// What is paid from the wallet: the confirmed price and its currency code. `None` if nothing is paid.
    pub fn price(&self) -> Option<(Amount, &str)> {
        match self {
            Self::Order(PlaceAndPay { amount, currency, .. }) | Self::Renewal(Renewal { amount, currency, .. }) => {
                Some((*amount, currency))
            }
            Self::Move(_) | Self::Account(_) => None,
        }
    }

    /// The renewal, if it is one.
    pub fn renewal(&self) -> Option<&Renewal> {
        match self {
            Self::Renewal(renewal) => Some(renewal),
            _ => None,
        }
    }

    /// The change of a customer, if it is one.
    pub fn account(&self) -> Option<&AccountChange> {
        match self {
            Self::Account(change) => Some(change),
            _ => None,
        }
    }

    /// Sends once. `secret` goes into the request's place for a secret.
    pub(crate) async fn send(&self, sender: &MoneySender, request: &Request, secret: Option<&SecretString>) -> Sent {
        let plain = |answer| Sent { answer, account: CreatedAccount::default() };
        match self {
            Self::Order(_) | Self::Renewal(_) => {
                plain(sender.send(request).await.map(|answer| Yes::Order(answer.data)))
            }
            Self::Account(AccountChange::Create { .. }) => {
                let (answer, account) = sender.create(request).await;
                Sent { answer: answer.map(|()| Yes::Accepted), account }
            }
            _ => plain(sender.write(request, secret).await.map(|_| Yes::Accepted)),
        }
    }

    /// The class of an answer.
    pub fn outcome(&self, answer: &Result<Yes, Error>) -> Outcome {
        match (self, answer) {
            (Self::Order(order), Ok(Yes::Order(placed))) => order.outcome(&Ok(placed.clone())),
            (Self::Renewal(renewal), Ok(Yes::Order(placed))) => renewal.outcome(&Ok(placed.clone())),
            // A yes to whatever is paid always comes with its figures.
            (Self::Order(_) | Self::Renewal(_), Ok(Yes::Accepted)) => Outcome::Lost,
            (Self::Order(order), Err(error)) => order.outcome(&Err(error.clone())),
            (Self::Renewal(renewal), Err(error)) => renewal.outcome(&Err(error.clone())),
            (Self::Move(moved), answer) => moved.outcome(answer),
            (Self::Account(change), answer) => change.outcome(answer),
        }
    }
}
