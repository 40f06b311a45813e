//! Times as the service writes them. All results are milliseconds since 1970 by the service's clock.

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Deserializer, Serialize};

/// A time whose form the contract does not show (`expiresAt`): kept as written, read when needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct WrittenTime(pub String);

impl<'de> Deserialize<'de> for WrittenTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::loose::maybe_text(deserializer).map(Self)
    }
}

impl WrittenTime {
    /// The time for a person: a count of seconds or milliseconds as local time in the zone, anything else as it came.
    pub fn readable(&self, offset_minutes: i32) -> String {
        let count = self.0.trim().parse::<i64>().ok().and_then(|_| self.millis(offset_minutes));
        let moment = count.and_then(|millis| Timestamp::from_millisecond(millis).ok());
        let zone = offset_minutes.checked_mul(60).and_then(|seconds| Offset::from_seconds(seconds).ok());
        match moment.zip(zone) {
            Some((moment, zone)) => zone.to_datetime(moment).strftime("%Y-%m-%d %H:%M:%S").to_string(),
            None => self.0.clone(),
        }
    }

    /// Milliseconds since 1970, from ISO 8601, `yyyy-MM-dd HH:mm:ss` in the zone `offset_minutes` east of UTC,
    /// or a count of seconds or milliseconds. `None` for any other form.
    pub fn millis(&self, offset_minutes: i32) -> Option<i64> {
        let text = self.0.trim();
        if let Ok(count) = text.parse::<i64>() {
            // Counts of seconds stay below this bound until the year 5138; counts of milliseconds passed it in 1973.
            return if count.unsigned_abs() < 100_000_000_000 { count.checked_mul(1000) } else { Some(count) };
        }
        if let Ok(instant) = text.parse::<Timestamp>() {
            return Some(instant.as_millisecond());
        }
        let civil: DateTime = text.replacen(' ', "T", 1).parse().ok()?;
        let offset = Offset::from_seconds(offset_minutes.checked_mul(60)?).ok()?;
        TimeZone::fixed(offset).to_timestamp(civil).ok().map(Timestamp::as_millisecond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_time_that_occurs_names_the_same_instant() {
        let cases =
            ["1783934661000", "1783934661", "2026-07-13T09:24:21Z", "2026-07-13T17:24:21+08:00", "2026-07-13 17:24:21"];
        for written in cases {
            assert_eq!(WrittenTime(written.into()).millis(480), Some(1_783_934_661_000), "{written}");
        }
    }

    #[test]
    fn a_count_is_read_as_a_time_and_what_is_written_stays() {
        let cases = [
            ("1783934661000", "2026-07-13 17:24:21"),
            ("1783934661", "2026-07-13 17:24:21"),
            ("2026-07-13 17:24:21", "2026-07-13 17:24:21"),
            ("2026-07-13T09:24:21Z", "2026-07-13T09:24:21Z"),
            ("9223372036854775807", "9223372036854775807"),
            ("soon", "soon"),
            ("", ""),
        ];
        for (written, expected) in cases {
            assert_eq!(WrittenTime(written.into()).readable(480), expected);
        }
    }

    #[test]
    fn what_is_not_a_time_gives_none() {
        for written in ["", "soon", "2026-13-40 00:00:00", "12.5"] {
            assert_eq!(WrittenTime(written.into()).millis(480), None, "{written}");
        }
    }
}
