//! Reads what an address reports about the caller: a country, if any.

use serde_json::{Map, Value};

use crate::Outcome;

/// The names under which services report a country, those of a code first: some report its name as well.
const NAMES: [&str; 5] = ["countryCode", "country_code", "country_iso", "country", "loc"];

/// Returns the outcome for an answer that came through the proxy. `ordered` is the code of the order's country, empty
/// if it is not known.
pub(crate) fn outcome(status: u16, body: &str, ms: u32, ordered: &str) -> Outcome {
    match status {
        407 => Outcome::WrongCredentials,
        200..300 => {
            let ordered = code(ordered);
            match (country(body), ordered) {
                (Some(country), Some(ordered)) if country != ordered => Outcome::WrongCountry { ms, country, ordered },
                (country, _) => Outcome::Works { ms, country },
            }
        }
        status => Outcome::SomethingElse { status: Some(status) },
    }
}

/// The country that an answer tells: as JSON, as a line such as `loc=JP`, or as a code alone.
fn country(body: &str) -> Option<String> {
    if let Ok(told) = serde_json::from_str::<Map<String, Value>>(body) {
        return NAMES.iter().find_map(|name| code(told.get(*name)?.as_str()?));
    }
    let of_line = |line: &str| {
        let (name, value) = line.split_once('=')?;
        NAMES.iter().any(|known| known.eq_ignore_ascii_case(name.trim())).then(|| code(value))?
    };
    body.lines().find_map(of_line).or_else(|| code(body))
}

/// The two-letter code of a country, with `UK` as `GB`; `None` for anything else, such as `XX` or `T1` for "not known".
fn code(text: &str) -> Option<String> {
    let text = text.trim();
    let is_code = text.len() == 2 && text.chars().all(|one| one.is_ascii_alphabetic());
    match text.to_ascii_uppercase().as_str() {
        "UK" => Some("GB".into()),
        "XX" | "ZZ" => None,
        code => is_code.then(|| code.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_found_in_the_usual_answers_and_in_no_others() {
        for (body, told) in [
            ("fl=1\nip=192.0.2.1\nloc=JP\ntls=off\n", Some("JP")),
            (r#"{"ip":"192.0.2.1","country":"jp","loc":"35.6,139.6"}"#, Some("JP")),
            (r#"{"country":"Japan","countryCode":"JP"}"#, Some("JP")),
            (r#"{"country":"Japan","country_code":"uk"}"#, Some("GB")),
            ("JP\n", Some("JP")),
            ("loc=XX\n", None),
            ("loc=T1", None),
            ("192.0.2.1", None),
            (r#"{"country":"Japan"}"#, None),
            (r#"{"country":81}"#, None),
            (r#"["JP"]"#, None),
            ("<html>country=JP and more</html>", None),
            ("", None),
        ] {
            assert_eq!(country(body).as_deref(), told, "{body}");
        }
    }

    #[test]
    fn countries_are_compared_only_where_both_are_known() {
        let works = |country: Option<&str>| Outcome::Works { ms: 7, country: country.map(Into::into) };
        let wrong = Outcome::WrongCountry { ms: 7, country: "US".into(), ordered: "JP".into() };
        assert_eq!(outcome(200, "loc=US", 7, "jp"), wrong);
        assert_eq!(outcome(200, "loc=GB", 7, "UK"), works(Some("GB")));
        assert_eq!(outcome(200, "loc=US", 7, ""), works(Some("US")));
        assert_eq!(outcome(200, "loc=US", 7, "JPN"), works(Some("US")));
        assert_eq!(outcome(204, "", 7, "JP"), works(None));
    }

    #[test]
    fn only_a_success_of_the_address_counts() {
        assert_eq!(outcome(407, "loc=JP", 7, "JP"), Outcome::WrongCredentials);
        for status in [301, 403, 404, 502] {
            assert_eq!(outcome(status, "loc=JP", 7, "JP"), Outcome::SomethingElse { status: Some(status) });
        }
    }
}
