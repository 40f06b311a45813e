//! A calendar day of the vendor's reports, without a zone: "yyyy-MM-dd".

use std::fmt;
use std::str::FromStr;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ts_rs::TS;

/// A day, as the days since 1970-01-01. Crosses to the window and the wire as `yyyy-MM-dd`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, TS)]
#[ts(type = "string")]
pub struct Day(i32);

/// The text is not a calendar day written `yyyy-MM-dd`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a date of the form yyyy-MM-dd")]
pub struct NotADay;

const FIRST: Date = Date::constant(1970, 1, 1);

impl Day {
    /// The day this many days after 1970-01-01.
    pub const fn new(days: i32) -> Self {
        Self(days)
    }

    /// Days since 1970-01-01.
    pub fn days(self) -> i32 {
        self.0
    }

    /// The day that contains a moment (milliseconds since 1970) in a zone (minutes east of UTC).
    pub fn of(millis: i64, zone: i32) -> Self {
        Self((millis + i64::from(zone) * 60_000).div_euclid(86_400_000) as i32)
    }

    /// The day this many days later, or earlier if negative.
    pub fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days))
    }

    fn date(self) -> Date {
        FIRST.checked_add(self.0.days()).unwrap_or(FIRST)
    }

    /// The first day of its month.
    pub fn month_start(self) -> Self {
        Self(self.0 - i32::from(self.date().day()) + 1)
    }

    /// 0 is Monday.
    pub fn weekday(self) -> u8 {
        // 1970-01-01 was a Thursday.
        (self.0 + 3).rem_euclid(7) as u8
    }
}

impl FromStr for Day {
    type Err = NotADay;

    /// Reads `yyyy-MM-dd`; ignores a time of day after it.
    fn from_str(text: &str) -> Result<Self, NotADay> {
        let text = text.trim();
        let (date, rest) = text.split_at_checked(10).ok_or(NotADay)?;
        let bytes = date.as_bytes();
        if bytes[4] != b'-' || bytes[7] != b'-' || !(rest.is_empty() || rest.starts_with([' ', 'T'])) {
            return Err(NotADay);
        }
        let number = |from: usize, to: usize| -> Result<i16, NotADay> {
            let digits = &date[from..to];
            let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
            if plain { digits.parse().map_err(|_| NotADay) } else { Err(NotADay) }
        };
        let date = Date::new(number(0, 4)?, number(5, 7)? as i8, number(8, 10)? as i8).map_err(|_| NotADay)?;
        let days = date.since((jiff::Unit::Day, FIRST)).map_err(|_| NotADay)?;
        Ok(Self(days.get_days()))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.date();
        write!(f, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(|_| D::Error::custom("expected a date of the form yyyy-MM-dd"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn days_are_read_and_written_and_counted_from_1970() {
        for (text, days) in [("1970-01-01", 0), ("1969-12-31", -1), ("2024-02-29", 19782), ("2025-12-26", 20448)] {
            let day: Day = text.parse().unwrap();
            assert_eq!((day.days(), day.to_string().as_str()), (days, text));
        }
        assert_eq!("2025-12-26 23:59:59".parse::<Day>().unwrap().days(), 20448);
    }

    #[test]
    fn what_the_calendar_lacks_is_no_day() {
        for text in ["2025-02-29", "2025-13-01", "2025-00-10", "2025-1-01", "25-01-01", "", "2025/01/01", "2025-01-01x"]
        {
            assert_eq!(text.parse::<Day>(), Err(NotADay), "{text}");
        }
    }

    #[test]
    fn a_moment_lies_on_the_day_of_its_zone() {
        assert_eq!(Day::of(1_783_934_661_000, 480).to_string(), "2026-07-13");
        assert_eq!(Day::of(86_400_000 - 1, 0).days(), 0);
        assert_eq!(Day::of(86_400_000 - 1, 480).days(), 1);
    }

    #[test]
    fn a_day_knows_its_month_and_its_weekday() {
        let day: Day = "2026-11-21".parse().unwrap();
        assert_eq!((day.month_start().to_string().as_str(), day.weekday()), ("2026-11-01", 5));
    }

    proptest! {
        #[test]
        fn writing_and_reading_again_gives_the_same_day(days in -100_000i32..200_000) {
            prop_assert_eq!(Day::new(days).to_string().parse(), Ok(Day::new(days)));
        }
    }
}
