//! Exact decimals: money in the order's currency, traffic in MB. Never a binary float.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use ts_rs::TS;

/// An exact decimal number. The field defines the unit (a currency, or MB).
///
/// Read from a JSON number or string, in plain or exponent form: the vendor writes doubles of ten million and
/// more as `1.2E7`. Crosses to the window and the journal as a string.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, TS)]
#[ts(type = "string")]
pub struct Amount(Decimal);

/// The text is not a number that 28 digits hold exactly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a number that can be held exactly")]
pub struct NotExact;

impl Amount {
    /// Zero.
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// Wraps a decimal.
    pub fn new(value: Decimal) -> Self {
        Self(value)
    }

    /// Returns the decimal inside.
    pub fn value(self) -> Decimal {
        self.0
    }

    /// Returns the exact sum; `None` if 28 digits do not hold it.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let (one, other) = (self.0.normalize(), other.0.normalize());
        let sum = one.checked_add(other)?;
        // `Decimal` rounds a sum that is too long for it: it drops decimals.
        let is_exact = sum.scale() == one.scale().max(other.scale());
        Self::within_digits(sum).filter(|_| is_exact)
    }

    /// The number, if it can be written and read again.
    fn within_digits(value: Decimal) -> Option<Self> {
        let value = value.normalize();
        (value.mantissa().unsigned_abs() < 10_u128.pow(28)).then_some(Self(value))
    }
}

impl FromStr for Amount {
    type Err = NotExact;

    fn from_str(text: &str) -> Result<Self, NotExact> {
        let text = text.trim();
        // `Decimal` rounds numbers that are too long for it. Refuse them instead.
        let digits = text.split(['e', 'E']).next().unwrap_or_default();
        let significant = digits.chars().filter(char::is_ascii_digit).skip_while(|c| *c == '0').count();
        if significant > 28 {
            return Err(NotExact);
        }
        let read =
            if text.contains(['e', 'E']) { Decimal::from_scientific(text) } else { Decimal::from_str_exact(text) };
        // An exponent can make a number too long to be read again.
        read.ok().and_then(Self::within_digits).ok_or(NotExact)
    }
}

/// Writes plain digits: no exponent, no grouping, no trailing zeros.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.normalize().fmt(f)
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        raw.get().trim_matches('"').parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_are_read_exactly_in_every_form_that_occurs() {
        let cases = [
            ("8.55", "8.55"),
            ("\"8.55\"", "8.55"),
            ("1.2E7", "12000000"),
            ("1.23456789E7", "12345678.9"),
            ("512000000.0", "512000000"),
            ("205587097.6", "205587097.6"),
            ("-0.01", "-0.01"),
            ("12345678901234567.891", "12345678901234567.891"),
            ("0", "0"),
            ("1e-3", "0.001"),
        ];
        for (json, expected) in cases {
            let amount: Amount = serde_json::from_str(json).unwrap();
            assert_eq!(amount.to_string(), expected, "{json}");
        }
    }

    #[test]
    fn what_is_not_an_exact_number_is_refused() {
        for json in ["\"\"", "\"1,000\"", "\"NaN\"", "true", "null", "{}", "0.12345678901234567890123456789"] {
            assert!(serde_json::from_str::<Amount>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn a_sum_is_exact_or_there_is_none() {
        let nines = "9999999999999999999999999999";
        let cases = [
            ("0.1", "0.2", Some("0.3")),
            ("1.50", "-1.5", Some("0")),
            ("0", "8.55", Some("8.55")),
            ("999999999999999999999999999.5", "0.5", Some("1000000000000000000000000000")),
            (nines, "-1", Some("9999999999999999999999999998")),
            (nines, "0.4", None),
            (nines, "1", None),
            (nines, nines, None),
            ("1000000000000000000000000", "0.0001", None),
        ];
        for (one, other, sum) in cases {
            let [left, right]: [Amount; 2] = [one, other].map(|text| text.parse().unwrap());
            let expected = sum.map(|text| text.parse().unwrap());
            assert_eq!((left.checked_add(right), right.checked_add(left)), (expected, expected), "{one} + {other}");
        }
    }

    proptest! {
        #[test]
        fn sums_are_those_of_whole_numbers(one in any::<i64>(), other in any::<i64>(), scales in (0u32..8, 0u32..8)) {
            let ten = |power: u32| 10_i128.pow(power);
            let whole = i128::from(one) * ten(8 - scales.0) + i128::from(other) * ten(8 - scales.1);
            let [one, other] = [(one, scales.0), (other, scales.1)].map(|(number, scale)| Amount::new(Decimal::new(number, scale)));
            prop_assert_eq!(one.checked_add(other), Some(Amount::new(Decimal::from_i128_with_scale(whole, 8))));
        }

        #[test]
        fn writing_and_reading_again_gives_the_same_amount(mantissa in any::<i64>(), scale in 0u32..12) {
            let amount = Amount::new(Decimal::new(mantissa, scale));
            let json = serde_json::to_string(&amount).unwrap();
            prop_assert_eq!(serde_json::from_str::<Amount>(&json).unwrap(), amount);
        }
    }
}
