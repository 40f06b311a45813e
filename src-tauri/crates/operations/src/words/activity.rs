//! A query of everything that was ever done.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::state::Kind;

/// How far something has come, for a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "ActivityStanding")]
pub enum Standing {
    /// Under way, or not confirmed.
    Open,
    /// Carried out.
    Done,
    /// Certainly not carried out.
    NotDone,
}

/// A query of the list. A bulk matches when one of its rows does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ActivityQuery {
    /// Words that must all occur in the customer's name or number, or in the order number.
    pub search: String,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only entries that have come this far.
    pub standing: Option<Standing>,
    /// The most entries to return.
    pub most: usize,
}
