//! "Purchase config": the lines of a random allocation.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ids::{CityId, ContinentId, CountryCode};
use crate::loose::integer;

/// One line of a random allocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct QuotaItem {
    /// The way to spread the IPs.
    #[serde(rename = "type")]
    pub kind: QuotaKind,
    /// Number of IPs.
    #[serde(deserialize_with = "integer")]
    pub quantity: i64,
    /// The country, for `country_random` and `city`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub country_code: Option<CountryCode>,
    /// The city, for `city`. "cityId or cityCode": both are read, `cityId` is sent.
    #[serde(default, alias = "cityCode", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub city_id: Option<CityId>,
    /// The continent, for `continent_random`. The contract names no field for it; this one is a candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub continent_id: Option<ContinentId>,
}

impl QuotaItem {
    /// Whether the line names the place that its kind needs.
    pub fn names_its_place(&self) -> bool {
        match self.kind {
            QuotaKind::GlobalRandom => true,
            QuotaKind::ContinentRandom => self.continent_id.as_ref().is_some_and(|id| !id.as_str().is_empty()),
            QuotaKind::CountryRandom => self.has_country(),
            QuotaKind::City => self.has_country() && self.city_id.as_ref().is_some_and(|id| !id.as_str().is_empty()),
        }
    }

    fn has_country(&self) -> bool {
        self.country_code.as_ref().is_some_and(|code| !code.as_str().is_empty())
    }
}

/// The four ways to spread random IPs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum QuotaKind {
    /// Anywhere in a country.
    CountryRandom,
    /// In one city.
    City,
    /// Anywhere.
    GlobalRandom,
    /// Anywhere on a continent.
    ContinentRandom,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_lacks_its_place_is_known() {
        let whole = [
            r#"{"type":"global_random","quantity":1}"#,
            r#"{"type":"continent_random","quantity":1,"continentId":"3"}"#,
            r#"{"type":"country_random","quantity":1,"countryCode":"JP"}"#,
            r#"{"type":"city","quantity":1,"countryCode":"JP","cityId":"7"}"#,
        ];
        let half = [
            r#"{"type":"continent_random","quantity":1,"countryCode":"JP"}"#,
            r#"{"type":"country_random","quantity":1,"continentId":"3"}"#,
            r#"{"type":"country_random","quantity":1,"countryCode":""}"#,
            r#"{"type":"city","quantity":1,"countryCode":"JP"}"#,
            r#"{"type":"city","quantity":1,"cityId":"7"}"#,
            r#"{"type":"city","quantity":1,"countryCode":"JP","cityId":""}"#,
        ];
        let names = |json: &str| serde_json::from_str::<QuotaItem>(json).unwrap().names_its_place();
        assert!(whole.into_iter().all(names));
        assert!(!half.into_iter().any(names));
    }
}
