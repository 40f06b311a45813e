//! Figures, moments and days as the choices spell them.

use crate::choices::{Days, Figures, Moments};
use crate::json::Json;
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, Zoned};
use rust_decimal::Decimal;

/// A decimal.
pub(crate) fn figure(value: Decimal, figures: Figures) -> Json {
    let value = value.normalize();
    match figures {
        Figures::Plain => Json::Number(value.to_string()),
        Figures::Java => Json::Number(java(value)),
        Figures::Zeros => Json::Number(at_least(value, 4)),
        Figures::Text => Json::Text(at_least(value, 2)),
    }
}

fn at_least(mut value: Decimal, scale: u32) -> String {
    if value.scale() < scale {
        value.rescale(scale);
    }
    value.to_string()
}

/// Writes a decimal's exact digits as `Double.toString` of Java would.
fn java(value: Decimal) -> String {
    let size = value.abs();
    if size.is_zero() || (size >= Decimal::new(1, 3) && size < Decimal::from(10_000_000)) {
        return at_least(value, 1);
    }
    let digits = size.mantissa().to_string();
    let digits = digits.trim_end_matches('0');
    let exponent = i64::try_from(size.mantissa().to_string().len()).unwrap_or_default() - 1 - i64::from(size.scale());
    let (first, rest) = digits.split_at(1);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    format!("{sign}{first}.{}E{exponent}", if rest.is_empty() { "0" } else { rest })
}

fn zoned(at_ms: i64, zone_hours: i32) -> Zoned {
    let offset = Offset::from_seconds(zone_hours * 3600).unwrap_or(Offset::UTC);
    Timestamp::from_millisecond(at_ms).unwrap_or_default().to_zoned(TimeZone::fixed(offset))
}

/// `yyyy-MM-dd HH:mm:ss` in the zone.
pub(crate) fn clock(at_ms: i64, zone_hours: i32) -> String {
    zoned(at_ms, zone_hours).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// `yyyy-MM-dd` in the zone.
pub(crate) fn day(at_ms: i64, zone_hours: i32) -> String {
    zoned(at_ms, zone_hours).strftime("%Y-%m-%d").to_string()
}

/// A moment of the static-IP area.
pub(crate) fn moment(at_ms: i64, moments: Moments, zone_hours: i32) -> Json {
    match moments {
        Moments::Spaced => clock(at_ms, zone_hours).into(),
        Moments::Iso => zoned(at_ms, zone_hours).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string().into(),
        Moments::IsoUtc => zoned(at_ms, 0).strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string().into(),
        Moments::Millis => at_ms.into(),
        Moments::MillisText => at_ms.to_string().into(),
        Moments::Seconds => (at_ms / 1000).into(),
    }
}

/// A day of the consumption details.
pub(crate) fn written_day(day: &str, days: Days) -> Json {
    match days {
        Days::Dashed => day.into(),
        Days::Midnight => format!("{day} 00:00:00").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelt(value: &str, figures: Figures) -> String {
        match figure(value.parse().expect("a decimal"), figures) {
            Json::Number(spelling) => spelling,
            Json::Text(text) => format!("\"{text}\""),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_figure_keeps_its_value_in_each_spelling() {
        assert_eq!(spelt("12000000", Figures::Java), "1.2E7");
        assert_eq!(spelt("-205587097.6", Figures::Java), "-2.055870976E8");
        assert_eq!(spelt("0.00025", Figures::Java), "2.5E-4");
        assert_eq!(spelt("5.00", Figures::Java), "5.0");
        assert_eq!(spelt("9999999.99", Figures::Java), "9999999.99");
        assert_eq!(spelt("5", Figures::Zeros), "5.0000");
        assert_eq!(spelt("5.25", Figures::Text), "\"5.25\"");
        assert_eq!(spelt("5.50", Figures::Plain), "5.5");
    }

    #[test]
    fn a_moment_is_the_same_in_each_spelling() {
        let at = 1_767_571_205_250;
        assert_eq!(moment(at, Moments::Spaced, 8), Json::from("2026-01-05 08:00:05"));
        assert_eq!(moment(at, Moments::Iso, -3), Json::from("2026-01-04T21:00:05-03:00"));
        assert_eq!(moment(at, Moments::IsoUtc, 8), Json::from("2026-01-05T00:00:05.250Z"));
        assert_eq!(moment(at, Moments::Millis, 8), Json::Number("1767571205250".into()));
        assert_eq!(moment(at, Moments::Seconds, 8), Json::Number("1767571205".into()));
    }
}
