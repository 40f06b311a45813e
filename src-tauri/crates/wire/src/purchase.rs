//! "Purchase options", "Purchase config", "Quote" and "Placed order".

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use ts_rs::TS;

use crate::amount::Amount;
use crate::choice::{Choices, choices};
use crate::ids::{BusinessId, CidrId, CityId, CountryCode, OrderId, OrderNo, ProxyId, QuoteId, QuoteVersion};
use crate::loose::{integer, maybe_integer};
use crate::orders::OrderStatus;
pub use crate::quota::{QuotaItem, QuotaKind};
use crate::renewals::{NotRenewed, not_renewed};
use crate::time::WrittenTime;
use crate::tree::Tree;
use crate::udp::{UdpOptions, udp};

/// Data of `GET purchase/options`. Always readable: a missing list is empty, and so are all lists if the data
/// is not an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(from = "Value", rename_all = "camelCase")]
#[ts(rename_all = "camelCase")]
pub struct PurchaseOptions {
    /// Exclusive or shared.
    pub exclusivity: Choices,
    /// Line quality (`lineType`).
    pub quality: Choices,
    /// UDP on or off.
    pub udp: UdpOptions,
    /// Bandwidth tiers in M/s; 0 is unlimited.
    pub bandwidth: Choices,
    /// Connections per IP.
    pub conn_limit: Choices,
    /// Business purposes: a tree with the groups common, hot, all.
    pub business: Choices,
    /// Days.
    pub duration: Choices,
}

impl From<Value> for PurchaseOptions {
    fn from(data: Value) -> Self {
        let list = |name: &str| data.get(name).map(choices).unwrap_or_default();
        Self {
            exclusivity: list("exclusivityOptions"),
            quality: list("qualityOptions"),
            udp: udp(list("udpOptions")),
            bandwidth: list("bandwidthOptions"),
            conn_limit: list("connLimitOptions"),
            business: list("businessOptions"),
            duration: list("durationOptions"),
        }
    }
}

/// `allocateStrategy` 1: random allocation, by `quotaItems`.
pub const STRATEGY_RANDOM: i64 = 1;
/// `allocateStrategy` 2: specified segments, by `segmentItems`.
pub const STRATEGY_SEGMENT: i64 = 2;
/// `allocateStrategy` 3: specified IPs, by `specificIpItems`.
pub const STRATEGY_IP: i64 = 3;

/// The object named `config`. Its bytes must be the same for the quote and for the order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseConfig {
    /// 1 exclusive, 2 shared.
    #[serde(deserialize_with = "integer")]
    pub sell_mode: i64,
    /// basic, standard or premium; other values pass through.
    pub line_type: String,
    /// Business purpose.
    pub business_id: BusinessId,
    /// UDP enabled.
    pub is_udp: bool,
    /// Upper limit in M/s; 0 is unlimited; absent is the vendor's default.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "maybe_integer")]
    #[ts(optional)]
    pub bandwidth_limit: Option<i64>,
    /// Concurrent connections per IP.
    #[serde(deserialize_with = "integer")]
    pub conn_limit: i64,
    /// Days bought.
    #[serde(deserialize_with = "integer")]
    pub days: i64,
    /// 1 random, 2 segment, 3 given IPs.
    #[serde(deserialize_with = "integer")]
    pub allocate_strategy: i64,
    /// Number of IPs: the sum of the lines.
    #[serde(deserialize_with = "integer")]
    pub purchase_ip_count: i64,
    /// socks5 or http; other values pass through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proxy_type: Option<String>,
    /// The lines of a random allocation; "required when allocateStrategy=1".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<QuotaItem>>")]
    pub quota_items: Vec<QuotaItem>,
    /// The segments; "required when allocateStrategy=2".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<SegmentItem>>")]
    pub segment_items: Vec<SegmentItem>,
    /// The given IPs; "required when allocateStrategy=3".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<SpecificIpItem>>")]
    pub specific_ip_items: Vec<SpecificIpItem>,
}

/// Some IPs of a network segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SegmentItem {
    /// The segment, such as `203.0.113.0/24`.
    pub cidr: String,
    /// "CIDR resource id (optional)".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cidr_id: Option<CidrId>,
    /// Region: country.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub country_code: Option<CountryCode>,
    /// Region: city.
    #[serde(default, alias = "cityCode", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub city_id: Option<CityId>,
    /// "quantity bought from this segment".
    #[serde(deserialize_with = "integer")]
    pub purchase_ip_count: i64,
}

/// One given IP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SpecificIpItem {
    /// "exit IP".
    pub proxy_ip: String,
    /// "resource pool id (optional)".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proxy_id: Option<ProxyId>,
    /// Region: country.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub country_code: Option<CountryCode>,
    /// Region: city.
    #[serde(default, alias = "cityCode", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub city_id: Option<CityId>,
}

impl PurchaseConfig {
    /// The IPs of all lines together. `purchaseIpCount` must equal this before a price is asked.
    ///
    /// `None` when the strategy is unknown, a line is empty, or lines of another strategy are there too.
    pub fn ips_in_lines(&self) -> Option<i64> {
        let random: Vec<i64> = self.quota_items.iter().map(|line| line.quantity).collect();
        let segments: Vec<i64> = self.segment_items.iter().map(|line| line.purchase_ip_count).collect();
        let ips = vec![1; self.specific_ip_items.len()];
        let (lines, others) = match self.allocate_strategy {
            STRATEGY_RANDOM => (random, segments.len() + ips.len()),
            STRATEGY_SEGMENT => (segments, random.len() + ips.len()),
            STRATEGY_IP => (ips, random.len() + segments.len()),
            _ => return None,
        };
        let sound = others == 0 && !lines.is_empty() && lines.iter().all(|quantity| *quantity > 0);
        if sound { lines.iter().try_fold(0_i64, |sum, quantity| sum.checked_add(*quantity)) } else { None }
    }
}

/// Body of `POST purchase/quote`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuoteBody<'a> {
    /// The config, in the bytes that the order will repeat.
    pub config: &'a RawValue,
    /// The last version received for the same basket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_quote_version: Option<&'a QuoteVersion>,
}

/// Data of `POST purchase/quote`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    /// "must be sent back when ordering".
    pub quote_id: QuoteId,
    /// "must be sent back when ordering".
    pub quote_version: QuoteVersion,
    /// Price to pay, in `currency`.
    pub amount: Amount,
    /// Currency code.
    #[serde(default, deserialize_with = "crate::loose::maybe_text")]
    pub currency: String,
    /// Expiry of the price; its form is not shown.
    #[serde(default)]
    pub expires_at: Option<WrittenTime>,
    /// Breakdown by region; its shape is not shown.
    #[serde(default)]
    pub region_lines: Tree,
    /// Breakdown of discounts; its shape is not shown.
    #[serde(default)]
    pub order_summary: Tree,
}

impl Quote {
    /// How long the price lasts from the moment of its answer, in ms. `None` when the vendor does not say, or
    /// in an unknown form. `told` is the answer's own clock, ms since 1970; `zone` is in minutes east of UTC.
    pub fn lasts(&self, told: i64, zone: i32) -> Option<u64> {
        let ends = self.expires_at.as_ref()?.millis(zone)?;
        Some(ends.saturating_sub(told).max(0).unsigned_abs())
    }
}

/// Body of `POST purchase/orders/place-and-pay`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceAndPayBody<'a> {
    /// From the quote.
    pub quote_id: &'a QuoteId,
    /// From the quote.
    pub quote_version: &'a QuoteVersion,
    /// "must equal the config used for the quote".
    pub config: &'a RawValue,
}

/// Data of `POST purchase/orders/place-and-pay` and of `POST renewals/orders/place-and-pay`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlacedOrder {
    /// Order number, which people and the other endpoints use.
    pub order_no: OrderNo,
    /// Primary key.
    #[serde(default, deserialize_with = "crate::loose::maybe_id")]
    pub order_id: OrderId,
    /// Order status.
    #[serde(default)]
    pub status: Option<OrderStatus>,
    /// Amount actually paid, in `currency`. An order without it is still an order.
    #[serde(default, deserialize_with = "crate::loose::maybe_amount")]
    pub amount: Option<Amount>,
    /// Currency code.
    #[serde(default, deserialize_with = "crate::loose::maybe_text")]
    pub currency: String,
    /// IPs delivered so far.
    #[serde(default, deserialize_with = "maybe_integer")]
    pub deliver_ip_count: Option<i64>,
    /// IPs renewed, if it is a renewal.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "maybe_integer")]
    pub success_count: Option<i64>,
    /// IPs not renewed, if it is a renewal.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "maybe_integer")]
    pub fail_count: Option<i64>,
    /// The IPs that were not renewed, as far as they are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "not_renewed")]
    pub errors: Vec<NotRenewed>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_is_written_as_the_contract_lists_it() {
        let config = PurchaseConfig {
            sell_mode: 1,
            line_type: "basic".into(),
            business_id: BusinessId::new("11"),
            is_udp: false,
            bandwidth_limit: Some(10),
            conn_limit: 100,
            days: 30,
            allocate_strategy: STRATEGY_RANDOM,
            purchase_ip_count: 3,
            proxy_type: Some("socks5".into()),
            quota_items: vec![QuotaItem {
                kind: QuotaKind::City,
                quantity: 3,
                country_code: Some(CountryCode::new("DE")),
                city_id: Some(CityId::new("2950159")),
                continent_id: None,
            }],
            segment_items: Vec::new(),
            specific_ip_items: Vec::new(),
        };
        let expected = concat!(
            r#"{"sellMode":1,"lineType":"basic","businessId":"11","isUdp":false,"bandwidthLimit":10,"connLimit":100,"days":30,"#,
            r#""allocateStrategy":1,"purchaseIpCount":3,"proxyType":"socks5","#,
            r#""quotaItems":[{"type":"city","quantity":3,"countryCode":"DE","cityId":"2950159"}]}"#
        );
        assert_eq!(serde_json::to_string(&config).unwrap(), expected);
        assert_eq!(config.ips_in_lines(), Some(3));
    }

    fn with_lines(strategy: i64, lines: &str) -> PurchaseConfig {
        let json = format!(
            r#"{{"sellMode":1,"lineType":"basic","businessId":"11","isUdp":false,"connLimit":100,"days":30,"allocateStrategy":{strategy},"purchaseIpCount":3,{lines}}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn segments_and_given_ips_are_written_as_the_contract_lists_them() {
        let cases = [
            (
                2,
                r#""segmentItems":[{"cidr":"203.0.113.0/24","cidrId":"9","countryCode":"DE","cityId":"7","purchaseIpCount":3}]"#,
            ),
            (
                2,
                r#""segmentItems":[{"cidr":"2001:db8::/64","purchaseIpCount":1},{"cidr":"192.0.2.0/24","purchaseIpCount":2}]"#,
            ),
            (
                3,
                r#""specificIpItems":[{"proxyIp":"192.0.2.7","proxyId":"5","countryCode":"DE","cityId":"7"},{"proxyIp":"2001:db8::1"},{"proxyIp":"192.0.2.8"}]"#,
            ),
        ];
        for (strategy, lines) in cases {
            let config = with_lines(strategy, lines);
            assert!(serde_json::to_string(&config).unwrap().ends_with(&format!("{lines}}}")), "{lines}");
            assert_eq!(config.ips_in_lines(), Some(3), "{lines}");
        }
    }

    #[test]
    fn lines_that_do_not_belong_to_the_strategy_have_no_sum() {
        let quota = r#""quotaItems":[{"type":"global_random","quantity":3}]"#;
        let cases = [
            (1, r#""quotaItems":[]"#.to_owned()),
            (2, quota.to_owned()),
            (9, quota.to_owned()),
            (1, format!(r#"{quota},"specificIpItems":[{{"proxyIp":"192.0.2.7"}}]"#)),
            (1, r#""quotaItems":[{"type":"global_random","quantity":0}]"#.to_owned()),
            (2, r#""segmentItems":[{"cidr":"192.0.2.0/24","purchaseIpCount":-1}]"#.to_owned()),
        ];
        for (strategy, lines) in cases {
            assert_eq!(with_lines(strategy, &lines).ips_in_lines(), None, "{strategy} {lines}");
        }
    }

    #[test]
    fn a_quote_without_the_undocumented_parts_is_still_a_quote() {
        let quote: Quote = serde_json::from_str(r#"{"quoteId":1,"quoteVersion":"v","amount":"8.55"}"#).unwrap();
        assert_eq!(quote.amount.to_string(), "8.55");
        assert!(quote.expires_at.is_none());
    }

    #[test]
    fn options_with_lists_missing_or_of_odd_shape_are_still_options() {
        let options: PurchaseOptions =
            serde_json::from_str(r#"{"durationOptions":[7,30],"qualityOptions":{"x":{"y":1}}}"#).unwrap();
        assert_eq!(options.duration.known.len(), 2);
        assert_eq!(options.quality.unread.len(), 1);
        assert!(options.udp.offered.is_empty());
    }
}
