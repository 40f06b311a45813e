//! "Agent customer row" of `GET /open/customer/list`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::amount::Amount;
use crate::ids::CustomerId;
use crate::loose::{integer, maybe_amount, maybe_text};

/// A page of a list of the traffic and customer areas.
///
/// The object also repeats `code` and `msg` and carries `other`; none of them is read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Page<T> {
    /// Number of rows in the whole list, over all pages.
    #[serde(deserialize_with = "integer")]
    pub total: i64,
    /// Rows of this page.
    pub rows: Vec<T>,
}

/// One customer of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Customer {
    /// Its id.
    pub customer_id: CustomerId,
    /// User name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub user_name: String,
    /// Traffic recharged, in MB; `None` when not reported.
    #[serde(default, deserialize_with = "maybe_amount")]
    pub traffic_count: Option<Amount>,
    /// Traffic left, in MB; `None` when not reported.
    #[serde(default, deserialize_with = "maybe_amount")]
    pub residual_flow: Option<Amount>,
}
