//! "Usage report row": who used how much on which day.

use serde::Deserialize;

use crate::day::Day;
use crate::ids::CustomerId;
use crate::loose::maybe_text;
use crate::micro::MicroMb;

/// One row of `flowReport`. A day and a customer may occur in several rows, and late ones come.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageRow {
    /// The day, in the vendor's zone.
    pub report_date: Day,
    /// Whose.
    pub customer_id: CustomerId,
    /// Login name; empty when not told.
    #[serde(default, deserialize_with = "maybe_text")]
    pub user_name: String,
    /// Sent, MB.
    #[serde(rename = "uploadFlow")]
    pub upload: MicroMb,
    /// Received, MB.
    #[serde(rename = "downloadFlow")]
    pub download: MicroMb,
}
