//! `POST renewals/quote`. Not in the contract: the answer of a live deployment. A price only; it renews nothing.

use serde::{Deserialize, Serialize};

use crate::amount::Amount;
use crate::ids::IpId;
use crate::loose::maybe_text;

/// Body of `POST renewals/quote`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenewalQuery {
    /// The IPs to renew, by the ids of the vendor's list.
    pub resource_ids: Vec<IpId>,
    /// 30, 60, 90, 180 or 365.
    pub period_days: i64,
}

/// The price of a renewal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenewalPrice {
    /// The amount to pay, in `currency`.
    pub amount: Amount,
    /// Currency code; empty when not reported.
    #[serde(default, deserialize_with = "maybe_text")]
    pub currency: String,
}
