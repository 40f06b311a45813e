//! "Traffic recharge record", "Traffic total", "Daily consumption rows".

use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;

use crate::amount::Amount;
use crate::ids::{CustomerId, OperatorId};
use crate::loose::{maybe_amount, maybe_id, maybe_text};

/// One row of the ledger: traffic given, or (with a negative count) used or taken back.
///
/// All seven fields together distinguish a row; equal rows within one second are both real.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TrafficRecord {
    /// The customer whose traffic changed.
    #[serde(default, deserialize_with = "maybe_id")]
    pub customer_id: CustomerId,
    /// The customer's user name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub account: String,
    /// Amount in MB; negative for consumption.
    #[serde(rename = "flowCount")]
    pub count: Amount,
    /// The vendor's word for the kind of row: 充值, 消耗 …
    #[serde(default, rename = "typeDesc", deserialize_with = "maybe_text")]
    pub kind: String,
    /// Operator id.
    #[serde(default, deserialize_with = "maybe_id")]
    pub create_id: OperatorId,
    /// Operator's account.
    #[serde(default, deserialize_with = "maybe_text")]
    pub create_by: String,
    /// `yyyy-MM-dd HH:mm:ss` in the vendor's zone, as it came.
    #[serde(default, deserialize_with = "maybe_text")]
    pub create_time: String,
}

/// "Traffic total": the agent's own traffic on both accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TrafficTotals {
    /// Primary.
    #[serde(default, rename(deserialize = "account"))]
    pub primary: Option<TrafficTotal>,
    /// Secondary.
    #[serde(default, rename(deserialize = "account2"))]
    pub secondary: Option<TrafficTotal>,
}

impl TrafficTotals {
    /// Traffic left on both accounts together, in MB; the contract does not say what either is for. `None` when
    /// neither is reported.
    pub fn left(&self) -> Option<Amount> {
        let told = [&self.primary, &self.secondary].into_iter().filter_map(|total| total.as_ref()?.left);
        told.map(Amount::value).reduce(|sum, left| sum.saturating_add(left)).map(Amount::new)
    }
}

/// Total of one account, in MB; `None` when not reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct TrafficTotal {
    /// Traffic recharged.
    pub recharged: Option<Amount>,
    /// Traffic consumed.
    pub consumed: Option<Amount>,
    /// Traffic left.
    pub left: Option<Amount>,
}

impl<'de> Deserialize<'de> for TrafficTotal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Told {
            #[serde(default, deserialize_with = "maybe_amount")]
            flow_count: Option<Amount>,
            #[serde(default, deserialize_with = "maybe_amount")]
            consume_flow: Option<Amount>,
            #[serde(default, deserialize_with = "maybe_amount")]
            residual_flow: Option<Amount>,
            /// "A sample also carries a second residualFlow key whose name ends with a space."
            #[serde(default, rename = "residualFlow ", deserialize_with = "maybe_amount")]
            residual_again: Option<Amount>,
        }
        let told = Told::deserialize(deserializer)?;
        Ok(Self {
            recharged: told.flow_count,
            consumed: told.consume_flow,
            left: told.residual_flow.or(told.residual_again),
        })
    }
}

/// A day of `getFlowConsumeDetail`: general consumption, MB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConsumptionDay {
    /// The day as it came: "date format beyond the sample is not shown".
    #[serde(default, deserialize_with = "maybe_text")]
    pub date: String,
    /// Traffic sent.
    #[serde(rename(deserialize = "uploadFlow"))]
    pub upload: Amount,
    /// Traffic received.
    #[serde(rename(deserialize = "downloadFlow"))]
    pub download: Amount,
}

/// A day of `getNNIFlowConsumeDetail`, MB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NniDay {
    /// The day as it came.
    #[serde(default, deserialize_with = "maybe_text")]
    pub date: String,
    /// Traffic used.
    pub flow: Amount,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_read_with_the_doubled_key_and_in_exponent_form() {
        let json = r#"{"account":{"flowCount":5.12E8,"consumeFlow":306412902.4,"residualFlow":205587097.6,"residualFlow ":205587097.6},"account2":{"flowCount":1,"residualFlow ":7}}"#;
        let totals: TrafficTotals = serde_json::from_str(json).unwrap();
        let primary = totals.primary.unwrap();
        assert_eq!(primary.recharged.unwrap().to_string(), "512000000");
        assert_eq!(primary.left.unwrap().to_string(), "205587097.6");
        let secondary = totals.secondary.unwrap();
        assert_eq!((secondary.consumed, secondary.left.unwrap().to_string().as_str()), (None, "7"));
    }

    #[test]
    fn what_is_left_counts_both_accounts_as_far_as_they_are_told() {
        let left = |json: &str| serde_json::from_str::<TrafficTotals>(json).unwrap().left().map(|mb| mb.to_string());
        assert_eq!(left(r#"{"account":{"residualFlow":1.5},"account2":{"residualFlow":2}}"#).as_deref(), Some("3.5"));
        assert_eq!(left(r#"{"account":{"residualFlow":1.5},"account2":{}}"#).as_deref(), Some("1.5"));
        assert_eq!(left(r#"{"account":null}"#), None);
    }

    #[test]
    fn a_record_without_an_amount_cannot_be_read_one_without_names_can() {
        assert!(serde_json::from_str::<TrafficRecord>(r#"{"customerId":7,"typeDesc":"充值"}"#).is_err());
        let record: TrafficRecord =
            serde_json::from_str(r#"{"customerId":7,"flowCount":"-5.5","createBy":null}"#).unwrap();
        assert_eq!((record.customer_id.as_str(), record.count.to_string().as_str()), ("7", "-5.5"));
    }
}
