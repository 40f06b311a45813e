//! `Retry-After`: how long to leave a service alone, in seconds or until a date.

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};
use wire::Day;

/// Reads the header. A date is compared with the answer's own `Date`, not with a clock of this computer.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    let named = text(RETRY_AFTER)?;
    let seconds = match named.parse() {
        Ok(seconds) => seconds,
        Err(_) => seconds_of(named)?.saturating_sub(seconds_of(text(DATE)?)?),
    };
    Some(Duration::from_secs(seconds))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` as seconds since 1970.
fn seconds_of(date: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let [_, day, month, year, time, "GMT"] = date.split(' ').collect::<Vec<_>>()[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let day: Day = format!("{year}-{month:02}-{day}").parse().ok()?;
    let parts: Vec<u64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hours, minutes, seconds] = parts[..] else { return None };
    Some(u64::try_from(day.days()).ok()? * 86_400 + hours.min(23) * 3_600 + minutes.min(59) * 60 + seconds.min(60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read_and_anything_else_is_none() {
        let at = |time: &str| format!("Sun, 06 Nov 1994 {time} GMT");
        for (named, date, expected) in [
            ("7", None, Some(7)),
            (at("08:50:07").as_str(), Some(at("08:49:37")), Some(30)),
            (at("08:49:00").as_str(), Some(at("08:49:37")), Some(0)),
            (at("08:50:07").as_str(), None, None),
            ("soon", Some(at("08:49:37")), None),
            ("-1", Some(at("08:49:37")), None),
            ("1.5", Some(at("08:49:37")), None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, named.parse().unwrap());
            if let Some(date) = date {
                headers.insert(DATE, date.parse().unwrap());
            }
            assert_eq!(retry_after(&headers), expected.map(Duration::from_secs), "{named}");
        }
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
