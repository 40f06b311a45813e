//! What a price is made of: `regionLines` and `orderSummary` of "Quote", whose shapes are not shown.
//!
//! Read for display only: nothing that costs money depends on it. What is not understood is left out.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::amount::Amount;

/// One named part of a price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PricePart {
    /// Chinese name.
    pub name_zh: String,
    /// English name.
    pub name_en: String,
    /// IPs, when told.
    pub quantity: Option<i64>,
    /// In the price's currency; negative for a discount.
    pub amount: Amount,
}

/// The parts of a price.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Breakdown {
    /// Per region.
    pub lines: Vec<PricePart>,
    /// Discounts.
    pub discounts: Vec<PricePart>,
    /// Before discounts, when told.
    pub original: Option<Amount>,
}

const ORIGINAL_KEYS: [&str; 4] = ["originalAmount", "originAmount", "totalAmount", "beforeDiscount"];
const AMOUNT_KEYS: [&str; 5] = ["amount", "discountAmount", "subtotal", "price", "value"];
const QUANTITY_KEYS: [&str; 4] = ["quantity", "count", "ipCount", "purchaseIpCount"];
const NAME_KEYS: [&str; 5] = ["name", "label", "countryName", "cityName", "countryCode"];

/// Reads both parts as far as they can be understood.
pub fn breakdown(region_lines: &Value, order_summary: &Value) -> Breakdown {
    let discounts = ["discounts", "discountList", "discountItems"].iter().find_map(|key| order_summary.get(*key));
    Breakdown {
        lines: parts(region_lines),
        discounts: discounts.map(parts).unwrap_or_default(),
        original: amount(order_summary, &ORIGINAL_KEYS),
    }
}

fn parts(list: &Value) -> Vec<PricePart> {
    let elements = list.as_array().map(Vec::as_slice).unwrap_or_default();
    elements.iter().filter_map(part).collect()
}

fn part(element: &Value) -> Option<PricePart> {
    let name = |keys: &[&str]| keys.iter().find_map(|key| element.get(*key)?.as_str()).map(str::to_owned);
    let any = name(&NAME_KEYS);
    Some(PricePart {
        name_zh: name(&["nameZh"]).or_else(|| any.clone())?,
        name_en: name(&["nameEn"]).or(any)?,
        quantity: QUANTITY_KEYS.iter().find_map(|key| element.get(*key)?.as_i64()),
        amount: amount(element, &AMOUNT_KEYS)?,
    })
}

fn amount(of: &Value, keys: &[&str]) -> Option<Amount> {
    keys.iter().find_map(|key| match of.get(*key)? {
        Value::Number(number) => number.to_string().parse().ok(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_and_discounts_are_read_where_they_are_understood() {
        let lines = json!([{"nameZh": "日本", "nameEn": "Japan", "quantity": 3, "amount": 9.0}, {"odd": 1}]);
        let summary = json!({"originalAmount": "9.00", "discounts": [{"name": "duration", "amount": -0.45}]});
        let read = breakdown(&lines, &summary);
        assert_eq!(read.lines.len(), 1);
        assert_eq!((read.lines[0].quantity, read.lines[0].amount.to_string()), (Some(3), "9".to_owned()));
        assert_eq!(read.discounts[0].amount.to_string(), "-0.45");
        assert_eq!(read.original.map(|amount| amount.to_string()).as_deref(), Some("9"));
    }

    #[test]
    fn shapes_that_are_not_understood_give_an_empty_breakdown() {
        for odd in [json!(null), json!("text"), json!({"a": [1]}), json!([1, 2])] {
            assert_eq!(breakdown(&odd, &odd), Breakdown::default(), "{odd}");
        }
    }
}
