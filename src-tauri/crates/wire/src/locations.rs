//! "Location records": the four levels of the place dictionary.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ids::{CityId, ContinentId, CountryCode, CountryId, StateId};
use crate::loose::{maybe_id, maybe_text};

/// A continent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Continent {
    /// Its id.
    pub continent_id: ContinentId,
    /// Chinese name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_zh: String,
    /// English name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_en: String,
}

/// A country or territory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Country {
    /// Its id.
    pub country_id: CountryId,
    /// The continent it belongs to.
    #[serde(default, deserialize_with = "maybe_id")]
    pub continent_id: ContinentId,
    /// ISO 3166 alpha-2.
    pub country_code: CountryCode,
    /// Chinese name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_zh: String,
    /// English name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_en: String,
    /// The continent's name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub continent_name: String,
}

/// A state or province.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "Province")]
pub struct State {
    /// Its id.
    pub state_id: StateId,
    /// The country it belongs to.
    #[serde(default, deserialize_with = "maybe_id")]
    pub country_id: CountryId,
    /// The country's code.
    #[serde(default, deserialize_with = "maybe_id")]
    pub country_code: CountryCode,
    /// Chinese name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_zh: String,
    /// English name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_en: String,
    /// The country's name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub country_name: String,
}

/// A city.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct City {
    /// Its id; "inventory cityCode equals this value".
    pub city_id: CityId,
    /// The country it belongs to.
    #[serde(default, deserialize_with = "maybe_id")]
    pub country_id: CountryId,
    /// The state it belongs to; empty when the country has no states.
    #[serde(default, deserialize_with = "maybe_id")]
    pub state_id: StateId,
    /// The country's code.
    #[serde(default, deserialize_with = "maybe_id")]
    pub country_code: CountryCode,
    /// Chinese name; may be empty.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_zh: String,
    /// English name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_en: String,
    /// The country's name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub country_name: String,
    /// The state's name, Chinese.
    #[serde(default, deserialize_with = "maybe_text")]
    pub state_name: String,
    /// The state's name, English.
    #[serde(default, deserialize_with = "maybe_text")]
    pub state_name_en: String,
}

/// Body of `POST location/countries`; every member is optional.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CountriesQuery {
    /// Only this continent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continent_id: Option<ContinentId>,
    /// Matches the Chinese or English name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
}

/// Body of `POST location/states`; "use one of the two", id or code.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatesQuery {
    /// Only this country, by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country_id: Option<CountryId>,
    /// Only this country, by code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country_code: Option<CountryCode>,
    /// Matches the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
}

/// Body of `POST location/cities`; an empty body asks for every enabled city.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CitiesQuery {
    /// Only this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_id: Option<StateId>,
    /// Only this country, by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country_id: Option<CountryId>,
    /// Only this country, by code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country_code: Option<CountryCode>,
    /// Matches the name; without any other filter, everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
}
