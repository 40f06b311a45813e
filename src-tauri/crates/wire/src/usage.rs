//! "Usage report row": usage of one customer on one day.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::day::Day;
use crate::ids::CustomerId;
use crate::loose::maybe_text;
use crate::micro::MicroMb;

/// A row, or `None` if it cannot be read: one bad row does not lose the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readable<T>(pub Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Readable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(raw.get()).ok()))
    }
}

/// One row of `flowReport`. A day and a customer may occur in several rows, and rows may arrive late.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageRow {
    /// The day, in the vendor's zone.
    pub report_date: Day,
    /// The customer.
    pub customer_id: CustomerId,
    /// User name; empty when not reported.
    #[serde(default, deserialize_with = "maybe_text")]
    pub user_name: String,
    /// Traffic sent, in MB.
    #[serde(rename = "uploadFlow")]
    pub upload: MicroMb,
    /// Traffic received, in MB.
    #[serde(rename = "downloadFlow")]
    pub download: MicroMb,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::customers::Page;

    #[test]
    fn a_row_that_cannot_be_read_stops_no_other() {
        let rows = r#"{"total":3,"rows":[
            {"reportDate":"2026-01-01","customerId":7,"userName":"a","uploadFlow":1,"downloadFlow":2},
            {"reportDate":"2026-02-30","customerId":7,"uploadFlow":1,"downloadFlow":2},
            {"reportDate":"2026-01-01","customerId":7,"uploadFlow":null,"downloadFlow":2}]}"#;
        let page: Page<Readable<UsageRow>> = serde_json::from_str(rows).unwrap();
        let read: Vec<bool> = page.rows.iter().map(|row| row.0.is_some()).collect();
        assert_eq!(read, [true, false, false]);
        assert!(serde_json::from_str::<Page<UsageRow>>(rows).is_err());
    }
}
