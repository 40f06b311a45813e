//! The class of an answer to a write.

use crate::words::state::Said;

/// The class of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It certainly never left (hazard 1).
    NotSent,
    /// Yes (hazard 15).
    Success {
        /// Whether the vendor's figures are those that the person confirmed.
        as_confirmed: bool,
    },
    /// Yes, but the secrets that came with it could not be saved.
    Unsaved,
    /// A redirect: the secret in the request may have gone elsewhere.
    Exposed,
    /// No, in words that prove nothing: the write may still be carried out (hazards 7, 8, 13).
    Refused,
    /// No, and certainly: a code that the contract explains (204; 202 for a name; 201 for a password or a status), for
    /// an order also 429 and any 2xxxx, 4xxxx or 6xxxx that is not about its key, or the same no twice.
    Declined,
    /// The vendor already knows this order id, or already has this customer (hazard 14).
    AlreadyDone,
    /// The credentials were refused before anything else was checked (hazard 6).
    NotAuthenticated,
    /// Everything else: the outcome is not known (hazards 2, 3, 6, 10, 11, 12).
    Lost,
}

impl Outcome {
    /// The meaning of the answer; `None` if it said nothing.
    pub fn said(self) -> Option<Said> {
        match self {
            Self::Success { .. } | Self::Unsaved => Some(Said::Yes),
            Self::AlreadyDone => Some(Said::Already),
            Self::Refused | Self::Declined => Some(Said::No),
            Self::NotAuthenticated => Some(Said::TurnedAway),
            Self::NotSent | Self::Lost | Self::Exposed => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_answer_said_is_kept_where_it_said_something() {
        let cases = [
            (Outcome::Success { as_confirmed: true }, Some(Said::Yes)),
            (Outcome::Unsaved, Some(Said::Yes)),
            (Outcome::AlreadyDone, Some(Said::Already)),
            (Outcome::Refused, Some(Said::No)),
            (Outcome::Declined, Some(Said::No)),
            (Outcome::NotAuthenticated, Some(Said::TurnedAway)),
            (Outcome::NotSent, None),
            (Outcome::Lost, None),
            (Outcome::Exposed, None),
        ];
        for (outcome, said) in cases {
            assert_eq!(outcome.said(), said, "{outcome:?}");
        }
    }
}
