//! The words of an operation: kind, state, reason, verdict.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Names one operation for ever. A random UUID.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct OperationId(pub String);

macro_rules! words {
    ($(#[$doc:meta])* $name:ident as $ts:literal { $($(#[$inner:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
        #[serde(rename_all = "kebab-case")]
        #[ts(rename = $ts)]
        pub enum $name { $($(#[$inner])* $variant),+ }

        impl $name {
            /// Every one, in the order of the README.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word used in the journal, in the window and in tests.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Reads the word back.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

words! {
    /// What is done: every write of the interface.
    #[derive(Default)]
    Kind as "OperationKind" {
        /// `POST purchase/orders/place-and-pay`.
        #[default]
        PlaceAndPay = "place-and-pay",
        /// `GET /api/agent/rechargeTrafficCount`.
        Recharge = "recharge",
        /// `GET /api/agent/deductionFlow`.
        Deduction = "deduction",
        /// `GET /api/agent/addUser`.
        Create = "create",
        /// `GET /api/agent/updatePwd`.
        Password = "password",
        /// `GET /api/agent/changeStatus`.
        Status = "status",
    }
}

words! {
    /// Where an operation stands. README, "States".
    #[derive(Default)]
    State as "OperationState" {
        /// Durable, not sent.
        #[default]
        Prepared = "prepared",
        /// Durable before the first byte; the answer is awaited.
        Sending = "sending",
        /// The answer is not believed yet: a yes until a read shows it, an order's no until it was said twice.
        Verifying = "verifying",
        /// Done.
        Applied = "applied",
        /// The vendor said no in words that prove nothing: watched to the end of the plan. Holds nobody up.
        Refused = "refused",
        /// The vendor said no; nothing was applied.
        Rejected = "rejected",
        /// Certainly never left.
        NotSent = "not-sent",
        /// Nobody can tell yet.
        Unknown = "unknown",
        /// Found to be done.
        ResolvedApplied = "resolved-applied",
        /// Found not to be done.
        ResolvedNot = "resolved-not",
        /// A person has to look.
        NeedsYou = "needs-you",
    }
}

impl State {
    /// An open operation holds its target: no other one may begin there.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Prepared | Self::Sending | Self::Verifying | Self::Unknown | Self::NeedsYou)
    }

    /// It certainly changed nothing.
    pub(crate) fn has_no_effect(self) -> bool {
        matches!(self, Self::Rejected | Self::NotSent | Self::ResolvedNot)
    }

    /// It was carried out.
    pub(crate) fn is_done(self) -> bool {
        matches!(self, Self::Applied | Self::ResolvedApplied)
    }

    /// A person sees it in the "not confirmed" count.
    pub fn is_unconfirmed(self) -> bool {
        matches!(self, Self::Unknown | Self::NeedsYou)
    }
}

words! {
    /// Why a person is asked.
    Reason as "OperationReason" {
        /// Recorded twice for one send.
        Doubled = "doubled",
        /// Not found in the records.
        NotSeen = "not-seen",
        /// Two witnesses disagree.
        Contradiction = "contradiction",
        /// A secret could not be saved.
        UnsavedSecret = "unsaved-secret",
        /// It was in memory alone, and the program was started again.
        LostSecret = "lost-secret",
        /// The order may exist and cannot be looked up.
        OrderUnknown = "order-unknown",
        /// No read can show it, and its answer was lost.
        NoRead = "no-read",
        /// The request, with its secret, was pointed elsewhere.
        Exposed = "exposed",
    }
}

words! {
    /// What the last answer to a move of traffic said.
    Said as "OperationAnswer" {
        /// Yes, which proves nothing.
        Yes = "yes",
        /// The order id was seen before.
        Already = "already",
        /// No.
        No = "no",
        /// The token was turned away.
        TurnedAway = "turned-away",
    }
}

/// How the outcome of a kind is found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// By repeating its key.
    Order,
    /// By reading the ledger.
    Move,
    /// By reading the list of customers.
    Create,
    /// Not at all; to set the same value again is safe.
    Setting,
}

impl Family {
    /// A read can show what was done.
    pub(crate) fn is_looked_up(self) -> bool {
        matches!(self, Self::Move | Self::Create)
    }
}

impl Kind {
    /// How its outcome is found out.
    pub fn family(self) -> Family {
        match self {
            Self::PlaceAndPay => Family::Order,
            Self::Recharge | Self::Deduction => Family::Move,
            Self::Create => Family::Create,
            Self::Password | Self::Status => Family::Setting,
        }
    }
}

/// What a person found in the vendor's console.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// "It is there."
    Done,
    /// "It is not there."
    NotDone,
}
