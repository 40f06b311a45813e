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
    /// Milliseconds since 1970, from ISO 8601, `yyyy-MM-dd HH:mm:ss` in the zone `offset_minutes`
    /// east of UTC, or a count of seconds or milliseconds. `None` when it is none of these.
    pub fn millis(&self, offset_minutes: i32) -> Option<i64> {
        let text = self.0.trim();
        if let Ok(count) = text.parse::<i64>() {
            // Seconds reach this bound in the year 5138, milliseconds passed it in 1973.
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
    fn what_is_not_a_time_gives_none() {
        for written in ["", "soon", "2026-13-40 00:00:00", "12.5"] {
            assert_eq!(WrittenTime(written.into()).millis(480), None, "{written}");
        }
    }
}
