//! The words of an operation: kind, state, reason, verdict.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Identifies one operation forever. A random UUID.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct OperationId(pub String);

words! {
    /// The kind of an operation: every write of the interface.
    #[derive(Default)]
    Kind as "OperationKind" {
        /// `POST purchase/orders/place-and-pay`.
        #[default]
        PlaceAndPay = "place-and-pay",
        /// `POST renewals/orders/place-and-pay`.
        Renew = "renew",
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
    /// The state of an operation. README, "States".
    #[derive(Default)]
    State as "OperationState" {
        /// Durable, not sent.
        #[default]
        Prepared = "prepared",
        /// Stored durably before the first byte leaves; waiting for the answer.
        Sending = "sending",
        /// The answer is not believed yet: a yes until a read shows it, an order's no until it was given twice.
        Verifying = "verifying",
        /// Done.
        Applied = "applied",
        /// The vendor said no in words that prove nothing: watched until the schedule ends; a setting stays so. Does
        /// not hold its target.
        Refused = "refused",
        /// The vendor said no; nothing was applied.
        Rejected = "rejected",
        /// Certainly never left this computer.
        NotSent = "not-sent",
        /// Not known yet.
        Unknown = "unknown",
        /// Found to be done.
        ResolvedApplied = "resolved-applied",
        /// Found not to be done, or certainly not done and left to another operation.
        ResolvedNot = "resolved-not",
        /// A person has to decide.
        NeedsYou = "needs-you",
    }
}

impl State {
    /// Whether the operation is open: it holds its target, and no other may begin there.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Prepared | Self::Sending | Self::Verifying | Self::Unknown | Self::NeedsYou)
    }

    /// Whether it is prepared, being sent or verified, which ends soon.
    pub(crate) fn is_at_work(self) -> bool {
        matches!(self, Self::Prepared | Self::Sending | Self::Verifying)
    }

    /// Whether anything left this computer.
    pub(crate) fn was_sent(self) -> bool {
        !matches!(self, Self::Prepared | Self::NotSent)
    }

    /// Whether it ended, or a person has to end it.
    pub(crate) fn has_ended(self) -> bool {
        !self.is_at_work() && self != Self::Unknown
    }

    /// Whether it certainly changed nothing.
    pub(crate) fn has_no_effect(self) -> bool {
        matches!(self, Self::Rejected | Self::NotSent | Self::ResolvedNot)
    }

    /// Whether it was carried out.
    pub(crate) fn is_done(self) -> bool {
        matches!(self, Self::Applied | Self::ResolvedApplied)
    }

    /// Whether a person sees it in the "not confirmed" count.
    pub fn is_unconfirmed(self) -> bool {
        matches!(self, Self::Unknown | Self::NeedsYou)
    }
}

words! {
    /// Why a person is asked.
    Reason as "OperationReason" {
        /// The vendor recorded it twice for one send.
        Doubled = "doubled",
        /// It was not found in the records.
        NotSeen = "not-seen",
        /// The two witnesses disagree.
        Contradiction = "contradiction",
        /// A secret could not be saved.
        UnsavedSecret = "unsaved-secret",
        /// The secret was only in memory, and the program was started again.
        LostSecret = "lost-secret",
        /// The order may exist and cannot be looked up.
        OrderUnknown = "order-unknown",
        /// No read can show it, and the answer was lost.
        NoRead = "no-read",
        /// The request, with its secret, was redirected elsewhere.
        Exposed = "exposed",
    }
}

words! {
    /// The meaning of the last answer.
    Said as "OperationAnswer" {
        /// Yes, which by itself proves nothing about a move of traffic.
        Yes = "yes",
        /// The vendor already knows this order id, or already has this customer.
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
    /// Not at all; setting the same value again is safe.
    Setting,
}

impl Family {
    /// Whether a read can show what was done.
    pub(crate) fn is_checked(self) -> bool {
        matches!(self, Self::Move | Self::Create)
    }
}

impl Kind {
    /// How the outcome of this kind is found out.
    pub fn family(self) -> Family {
        match self {
            Self::PlaceAndPay | Self::Renew => Family::Order,
            Self::Recharge | Self::Deduction => Family::Move,
            Self::Create => Family::Create,
            Self::Password | Self::Status => Family::Setting,
        }
    }
}

/// The verdict of a person who checked in the vendor's console.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// "It is there."
    Done,
    /// "It is not there."
    NotDone,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_open_until_it_ended_and_ends_by_itself_while_it_is_at_work() {
        use State::{
            Applied, NeedsYou, NotSent, Prepared, Refused, Rejected, ResolvedApplied, ResolvedNot, Sending, Unknown,
            Verifying,
        };
        type Set = fn(State) -> bool;
        let those = |of: Set| State::ALL.iter().copied().filter(|state| of(*state)).collect::<Vec<_>>();
        let cases: [(Set, &[State]); 5] = [
            (State::is_open, &[Prepared, Sending, Verifying, Unknown, NeedsYou]),
            (State::is_at_work, &[Prepared, Sending, Verifying]),
            (State::is_unconfirmed, &[Unknown, NeedsYou]),
            (State::is_done, &[Applied, ResolvedApplied]),
            (State::has_ended, &[Applied, Refused, Rejected, NotSent, ResolvedApplied, ResolvedNot, NeedsYou]),
        ];
        for (of, expected) in cases {
            assert_eq!(those(of), expected);
        }
        assert_eq!(those(|state| !state.was_sent()), [Prepared, NotSent]);
    }
}
