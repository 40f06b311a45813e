//! `POST inventory/countries` and `inventory/cidrs`. The contract shows no shapes; these are the answers of one
//! live deployment. The second endpoint may not exist at all.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Amount;
use crate::ids::{BusinessId, CidrId, CityId, ContinentId, CountryCode, CountryId};
use crate::loose::{maybe_amount, maybe_id, maybe_integer, maybe_list, maybe_text};

/// Body of `POST inventory/countries`; every member is optional.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InventoryQuery {
    /// Only this country; absent means any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub country_code: Option<CountryCode>,
    /// Only this continent; the form of the code is not documented.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub continent_code: Option<String>,
    /// Country or city name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub keyword: Option<String>,
    /// `false` leaves out `available`; absent means true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub need_inventory: Option<bool>,
    /// Requirements on the IPs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub condition: Option<InventoryCondition>,
}

/// The part of a purchase config that stock depends on.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InventoryCondition {
    /// 1 exclusive, 2 shared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sell_mode: Option<i64>,
    /// Line quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub line_type: Option<String>,
    /// How many customers may share an IP; absent is the vendor's default, 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub max_share: Option<i64>,
    /// 1 random, 2 segment, 3 given IPs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub allocate_strategy: Option<i64>,
    /// Business purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub business_id: Option<BusinessId>,
    /// UDP enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub is_udp: Option<bool>,
}

/// IPs in stock in one country.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CountryStock {
    /// Its continent.
    #[serde(default, deserialize_with = "maybe_id")]
    pub continent_id: ContinentId,
    /// Its id.
    #[serde(default, deserialize_with = "maybe_id")]
    pub country_id: CountryId,
    /// Its code.
    #[serde(default, deserialize_with = "maybe_id")]
    pub country_code: CountryCode,
    /// Chinese name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_zh: String,
    /// English name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_en: String,
    /// IPs that can be bought; `None` when not reported.
    #[serde(default, deserialize_with = "maybe_integer")]
    pub available: Option<i64>,
    /// The same by city.
    #[serde(default, deserialize_with = "maybe_list")]
    pub cities: Vec<CityStock>,
}

/// IPs in stock in one city.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CityStock {
    /// Its id.
    pub city_id: CityId,
    /// Chinese name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_zh: String,
    /// English name.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_en: String,
    /// IPs that can be bought; `None` when not reported.
    #[serde(default, deserialize_with = "maybe_integer")]
    pub available: Option<i64>,
}

/// Body of `POST inventory/cidrs`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SegmentsQuery {
    /// The country.
    pub country_code: CountryCode,
    /// Only this city.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub city_code: Option<CityId>,
    /// A part of the segment or of a place's name. Not every deployment obeys it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub keyword: Option<String>,
    /// Requirements on the IPs.
    pub condition: InventoryCondition,
    /// The order of the rows. Not every deployment obeys it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sort: Option<SegmentSort>,
}

/// The order of the rows of `inventory/cidrs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SegmentSort {
    /// What to compare.
    pub field: SegmentField,
    /// Which comes first.
    pub direction: Direction,
}

/// What segments are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum SegmentField {
    /// The price.
    Price,
    /// The IPs that can be bought.
    Stock,
}

/// The direction of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "SegmentDirection")]
pub enum Direction {
    /// The smallest first.
    Asc,
    /// The largest first.
    Desc,
}

/// IPs in stock in one network segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SegmentStock {
    /// Its id; empty when not reported.
    #[serde(default, deserialize_with = "maybe_id")]
    pub cidr_id: CidrId,
    /// The segment: `203.0.113.0/24`; empty when not reported.
    #[serde(default, deserialize_with = "maybe_text")]
    pub cidr: String,
    /// Its country.
    #[serde(default, deserialize_with = "maybe_id")]
    pub country_code: CountryCode,
    /// Its city.
    #[serde(default, deserialize_with = "maybe_id")]
    pub city_id: CityId,
    /// Chinese name of the city.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_zh: String,
    /// English name of the city.
    #[serde(default, deserialize_with = "maybe_text")]
    pub name_en: String,
    /// IPs that can be bought; `None` when not reported.
    #[serde(default, deserialize_with = "maybe_integer")]
    pub available: Option<i64>,
    /// Price in `currency`; the vendor does not say per what. `None` when not reported.
    #[serde(default, deserialize_with = "maybe_amount")]
    pub unit_price: Option<Amount>,
    /// Currency code.
    #[serde(default, deserialize_with = "maybe_text")]
    pub currency: String,
}
