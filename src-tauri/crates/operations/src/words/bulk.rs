//! Names and states of bulks.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::state::OperationId;

/// Identifies a bulk.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct BulkId(pub String);

/// The state of a bulk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum BulkState {
    /// Rows are being sent.
    Running,
    /// Nothing is sent until a person continues. Every start leaves an unfinished bulk in this state.
    Paused,
    /// No row is waiting any more.
    Finished,
}

impl BulkState {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        [Self::Running, Self::Paused, Self::Finished].into_iter().find(|state| state.word() == word)
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
