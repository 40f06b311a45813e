//! Traffic as the store and the charts count it: whole millionths of a MB.

use std::fmt;
use std::str::FromStr;

use rust_decimal::{Decimal, RoundingStrategy};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use ts_rs::TS;

use crate::amount::{Amount, NotExact};

/// Millionths in one MB.
const MILLION: i64 = 1_000_000;
const DECIMALS: usize = 6;

/// An amount of traffic in MB, held as millionths. Reports carry one or two decimals; a finer amount also keeps
/// its own text, so that nothing is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, TS)]
#[ts(type = "string")]
pub struct MicroMb {
    /// Millionths of a MB; rounded, half away from zero, when `finer` is set.
    pub micro: i64,
    /// The exact text; `None` when millionths hold the amount exactly.
    pub finer: Option<Box<str>>,
}

impl MicroMb {
    /// Wraps a number of millionths.
    pub fn new(micro: i64) -> Self {
        Self { micro, finer: None }
    }

    /// Returns the exact amount in MB.
    pub fn amount(&self) -> Amount {
        let finer = self.finer.as_deref().and_then(|text| text.parse().ok());
        finer.unwrap_or_else(|| Amount::new(Decimal::new(self.micro, DECIMALS as u32)))
    }

    /// Reads digits with at most one point and six decimals: nearly every value there is.
    fn plain(text: &str) -> Option<i64> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() || whole.len() > 12 || fraction.len() > DECIMALS {
            return None;
        }
        let mut value = 0i64;
        for digit in whole.bytes().chain(fraction.bytes()) {
            if !digit.is_ascii_digit() {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
        }
        value *= 10i64.pow((DECIMALS - fraction.len()) as u32);
        Some(if negative { -value } else { value })
    }
}

impl FromStr for MicroMb {
    type Err = NotExact;

    fn from_str(text: &str) -> Result<Self, NotExact> {
        if let Some(micro) = Self::plain(text) {
            return Ok(Self::new(micro));
        }
        let exact: Amount = text.parse()?;
        let scaled = exact.value().checked_mul(Decimal::from(MILLION)).ok_or(NotExact)?;
        let whole = scaled.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
        let micro = i64::try_from(whole).map_err(|_| NotExact)?;
        Ok(Self { micro, finer: (whole != scaled).then(|| exact.to_string().into()) })
    }
}

impl fmt::Display for MicroMb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.amount().fmt(f)
    }
}

impl Serialize for MicroMb {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MicroMb {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        raw.get().trim_matches('"').parse().map_err(|_| D::Error::custom("expected a number of MB"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_are_read_in_every_form_that_occurs() {
        let cases = [
            ("596.9", 596_900_000),
            ("57500.89", 57_500_890_000),
            ("0", 0),
            ("0.000001", 1),
            ("-3.5", -3_500_000),
            ("1.2E7", 12_000_000_000_000),
            ("\"12.5\"", 12_500_000),
            ("999999999999.999999", 999_999_999_999_999_999),
        ];
        for (json, micro) in cases {
            assert_eq!(serde_json::from_str::<MicroMb>(json).unwrap(), MicroMb::new(micro), "{json}");
        }
    }

    #[test]
    fn what_is_finer_than_a_millionth_keeps_its_text() {
        let read: MicroMb = serde_json::from_str("1.23456789").unwrap();
        assert_eq!((read.micro, read.finer.as_deref()), (1_234_568, Some("1.23456789")));
        assert_eq!(read.amount().to_string(), "1.23456789");
    }

    #[test]
    fn what_is_no_number_or_too_large_is_refused() {
        for json in ["null", "\"\"", "true", "\"1,5\"", "1e30", "{}", "\"-\"", "\".\""] {
            assert!(serde_json::from_str::<MicroMb>(json).is_err(), "{json}");
        }
    }

    proptest! {
        #[test]
        fn the_quick_way_and_the_exact_way_agree(micro in -999_999_999_999_999_999i64..=999_999_999_999_999_999) {
            let text = MicroMb::new(micro).amount().to_string();
            prop_assert_eq!(text.parse::<MicroMb>().unwrap(), MicroMb::new(micro));
        }
    }
}
