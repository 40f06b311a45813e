//! What moves of traffic teach about a vendor: how it counts a GB, how soon a move shows, which operator our records
//! name.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::OperatorId;
use wire::traffic::TrafficRecord;

use crate::words::gb::GbFactor;
use crate::words::state::OperationId;

/// How this vendor counts a GB, and how soon a move shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Learned {
    /// MB of a GB.
    pub factor: GbFactor,
    /// The vendor's word for the record: 充值 …
    pub word: String,
    /// Between the creation of the operation, just before its send, and the check that showed it, ms.
    pub lag: i64,
    /// The operation that taught it.
    pub operation: OperationId,
    /// When it was learned, wall clock, ms since 1970.
    pub at: i64,
}

/// The operator that the records of our own moves name. Records of another operator are not ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creator {
    /// `createId`.
    pub id: OperatorId,
    /// `createBy`.
    pub name: String,
    /// The vendor's word for the record.
    pub word: String,
}

impl Creator {
    /// The operator that a record names; `None` if it names none.
    pub(crate) fn of(record: &TrafficRecord) -> Option<Self> {
        let names_somebody = !record.create_id.as_str().is_empty() || !record.create_by.is_empty();
        names_somebody.then(|| Self {
            id: record.create_id.clone(),
            name: record.create_by.clone(),
            word: record.kind.clone(),
        })
    }

    /// Whether a record names another operator. Where both have an id, the id decides: a name may be changed.
    pub(crate) fn is_another(&self, record: &TrafficRecord) -> bool {
        let Some(other) = Self::of(record) else { return false };
        let ids = [&self.id, &other.id].map(|id| id.as_str());
        if ids.iter().all(|id| !id.is_empty()) {
            return ids[0] != ids[1];
        }
        !self.name.is_empty() && !other.name.is_empty() && self.name != other.name
    }
}
