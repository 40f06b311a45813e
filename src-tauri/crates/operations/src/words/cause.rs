//! The words of the journal's events.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::state::State;

words! {
    /// Why something happened to an operation: an event of its own, before that of the new state.
    Cause as "EventCause" {
        /// The program was started again while it was open.
        Restarted = "restarted",
        /// The schedule sent it again.
        RepeatedBySchedule = "repeated-by-schedule",
        /// A person sent it again.
        RepeatedByPerson = "repeated-by-person",
        /// A person said how it ended.
        Judged = "judged",
        /// The secrets of a created customer were saved.
        SecretsSaved = "secrets-saved",
        /// A later operation does it again.
        Retried = "retried",
        /// The journal was restored: it was brought back, or is no longer certain.
        Restored = "restored",
        /// One of the two that were carried out is taken back.
        TakenBack = "taken-back",
        /// A check could not be read.
        SawUnreadable = "looked-unreadable",
        /// A check found nothing.
        SawNothing = "looked-nothing",
        /// A check found it once.
        SawOnce = "looked-once",
        /// A check found it twice.
        SawTwice = "looked-twice",
        /// A check found the created customer in the list.
        SawListed = "looked-listed",
        /// A check found records and figures that disagree.
        SawDisagreement = "looked-disagree",
        /// A check found two records that may be its own, and a figure that does not confirm both.
        SawSurplus = "looked-surplus",
    }
}

/// The word of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum EventWord {
    /// The new state.
    State(State),
    /// The cause of what follows.
    Cause(Cause),
}

impl EventWord {
    /// Reads a stored word back. `None` for an answer, and for a word of a newer version of the program.
    pub fn from_word(word: &str) -> Option<Self> {
        State::from_word(word).map(Self::State).or_else(|| Cause::from_word(word).map(Self::Cause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_state_and_cause_have_the_same_word() {
        for state in State::ALL {
            assert_eq!(Cause::from_word(state.word()), None);
        }
    }
}
