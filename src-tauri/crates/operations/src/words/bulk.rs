//! Names and states of bulks.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::left_out::LeftOut;
use crate::words::state::{OperationId, Reason, State};

/// Identifies a bulk.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct BulkId(pub String);

words! {
    /// The state of a bulk.
    BulkState as "BulkState" {
        /// Rows are being sent.
        Running = "running",
        /// Nothing is sent until a person continues. Every start leaves an unfinished bulk in this state.
        Paused = "paused",
        /// No row is waiting any more.
        Finished = "finished",
    }
}

words! {
    /// Why a bulk stands still although no person paused it. Not stored: every start leaves it paused.
    BulkProblem as "BulkProblem" {
        /// The journal cannot be written or read.
        Journal = "journal",
        /// The rows are not those that were confirmed.
        Changed = "changed",
        /// It was prepared for another account.
        OtherAccount = "other-account",
        /// The token is missing or was refused.
        Credentials = "credentials",
        /// The vendor cannot be read, so nothing could be proved.
        Unreadable = "unreadable",
        /// The keychain does not take secrets.
        Keychain = "keychain",
        /// A request with its secret was redirected.
        Exposed = "exposed",
        /// Several requests in a row did not leave.
        NotSent = "not-sent",
        /// Several answers in a row were lost or asked to wait.
        NoAnswer = "no-answer",
    }
}

words! {
    /// The state of a row that has no operation.
    OwnState as "RowOwnState" {
        /// Its turn has not come.
        Waiting = "waiting",
        /// It was left out.
        Skipped = "skipped",
        /// A later row does it again.
        Retried = "retried",
    }
}

/// The state of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum RowState {
    /// Of its operation.
    Operation(State),
    /// Its own.
    Own(OwnState),
}

impl RowState {
    /// The stored word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Operation(state) => state.word(),
            Self::Own(state) => state.word(),
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        State::from_word(word).map(Self::Operation).or_else(|| OwnState::from_word(word).map(Self::Own))
    }
}

/// Why a row stands as it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum RowReason {
    /// Why a person is asked about its operation.
    Asked(Reason),
    /// Why it was left out.
    LeftOut(LeftOut),
}

impl RowReason {
    /// The stored word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Asked(reason) => reason.word(),
            Self::LeftOut(reason) => reason.word(),
        }
    }

    /// Reads a stored word back. `None` for one that only a newer version of the program knows.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Reason::from_word(word).map(Self::Asked).or_else(|| LeftOut::from_word(word).map(Self::LeftOut))
    }
}

/// A row of an earlier bulk that is done again under a new confirmation.
#[derive(Clone, Debug)]
pub struct Retried {
    /// Its bulk.
    pub bulk: BulkId,
    /// Its number there.
    pub number: i64,
    /// Its operation, which had no effect.
    pub operation: Option<OperationId>,
}
