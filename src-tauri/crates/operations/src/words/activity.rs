//! A query of everything that was ever done.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::state::Kind;

/// How far something has come, for a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "ActivityStanding")]
pub enum Standing {
    /// Under way, not confirmed, or refused and still watched.
    Open,
    /// Carried out.
    Done,
    /// Certainly not carried out.
    NotDone,
}

/// What entries are sorted by. Entries without the value are last either way; equal ones have the newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "ActivityOrder")]
pub enum EntryOrder {
    /// When it was begun.
    #[default]
    When,
    /// The kind, then the customer.
    What,
    /// How far it has come: what needs a person first.
    State,
    /// The order number.
    Order,
    /// The amount: traffic, then money.
    Amount,
}

/// A query of the list. A bulk matches when one of its rows does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ActivityQuery {
    /// Words that must all occur in the customer's name or number, or in the order number.
    pub search: String,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only entries that have come this far.
    pub standing: Option<Standing>,
    /// What the entries are sorted by.
    pub order: EntryOrder,
    /// Whether the highest comes first: the newest, the last of the alphabet.
    pub down: bool,
    /// The most entries to return.
    pub most: usize,
}

impl Default for ActivityQuery {
    fn default() -> Self {
        let (kind, standing, order) = (None, None, EntryOrder::When);
        Self { search: String::new(), kind, standing, order, down: true, most: 0 }
    }
}
