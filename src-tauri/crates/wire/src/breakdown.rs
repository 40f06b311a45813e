//! The components of a price: `regionLines` and `orderSummary` of "Quote", whose shapes the contract does not show.
//!
//! For display only: nothing that costs money depends on it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::parts::{Part, parts};
use crate::tree::Tree;

/// The parts of a price.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Breakdown {
    /// The parts per region.
    pub lines: Vec<Part>,
    /// Discounts and totals.
    pub summary: Vec<Part>,
}

/// Reads both parts, whatever their shape.
pub fn breakdown(region_lines: &Tree, order_summary: &Tree) -> Breakdown {
    Breakdown { lines: parts(region_lines), summary: parts(order_summary) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Word;

    #[test]
    fn lines_and_discounts_keep_names_numbers_and_all_the_rest() {
        let lines = r#"[{"nameZh":"日本","nameEn":"Japan","quantity":3,"amount":9.0,"unitPrice":0.10},{"odd":1}]"#;
        let summary = r#"{"originalAmount":"9.00","discounts":[{"name":"duration","amount":-0.45}]}"#;
        let read = breakdown(&serde_json::from_str(lines).unwrap(), &serde_json::from_str(summary).unwrap());
        let line = &read.lines[0];
        assert_eq!((line.quantity, line.amount), ("3".parse().ok(), "9".parse().ok()));
        assert_eq!((line.facts[0].word, line.facts[0].value.as_str()), (Some(Word::UnitPrice), "0.1"));
        assert_eq!((read.lines[1].facts[0].key.as_str(), read.lines[1].facts[0].value.as_str()), ("odd", "1"));
        let summary = &read.summary[0];
        assert_eq!((summary.facts[0].word, summary.facts[0].value.as_str()), (Some(Word::Original), "9"));
        let discount = &summary.parts[0].parts[0];
        assert_eq!((discount.name_en.as_str(), discount.amount), ("duration", "-0.45".parse().ok()));
    }
}
