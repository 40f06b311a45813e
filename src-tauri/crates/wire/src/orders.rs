//! `POST orders/detail`. The contract shows no shapes; these are what one live deployment answers.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::amount::Amount;
use crate::ids::OrderNo;
use crate::loose::{maybe_amount, maybe_integer, maybe_text};

/// `status` of an order, as written: "not shown" by the contract, a number on one live deployment.
/// Unknown values are kept and shown as such, never guessed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct OrderStatus(pub String);

impl<'de> Deserialize<'de> for OrderStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        maybe_text(deserializer).map(Self)
    }
}

/// Body of `POST orders/detail`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderDetailQuery {
    /// Which order.
    pub order_no: OrderNo,
}

/// Data of `POST orders/detail`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderDetail {
    /// Which order.
    pub order_no: OrderNo,
    /// Its status.
    #[serde(default)]
    pub status: Option<OrderStatus>,
    /// What was bought, in the vendor's words.
    #[serde(default, deserialize_with = "maybe_text")]
    pub product_name: String,
    /// Paid, in `currency`.
    #[serde(default, deserialize_with = "maybe_amount")]
    pub amount: Option<Amount>,
    /// Taken off, in `currency`.
    #[serde(default, deserialize_with = "maybe_amount")]
    pub discount_amount: Option<Amount>,
    /// Currency code.
    #[serde(default, deserialize_with = "maybe_text")]
    pub currency: String,
    /// When it was placed; no zone is told.
    #[serde(default, deserialize_with = "maybe_text")]
    pub create_time: String,
    /// When it was paid; no zone is told.
    #[serde(default, deserialize_with = "maybe_text")]
    pub pay_time: String,
    /// IPs ordered.
    #[serde(default, deserialize_with = "maybe_integer")]
    pub purchase_ip_count: Option<i64>,
    /// IPs delivered so far.
    #[serde(default, deserialize_with = "maybe_integer")]
    pub deliver_ip_count: Option<i64>,
    /// Specification and IPs with credentials; "element shape not published".
    #[serde(default)]
    pub details: Value,
    /// What was given back; its shape is not published.
    #[serde(default)]
    pub refund_summary: Value,
}

/// One delivered proxy with what a buyer needs to use it.
///
/// The password is goods, not a secret of this program, yet it has no `Debug`: it does not
/// belong into a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    /// IP address without brackets.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// User name; empty when none is needed.
    pub user: String,
    /// Password; empty when none is needed.
    pub password: String,
    /// socks5 or http; empty when not told.
    pub protocol: String,
}

impl OrderDetail {
    /// The proxies found in `details`, wherever they lie in it.
    pub fn proxies(&self) -> Vec<Proxy> {
        let mut found = Vec::new();
        collect(&self.details, &mut found);
        found
    }
}

fn collect(value: &Value, found: &mut Vec<Proxy>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| collect(element, found)),
        Value::Object(object) => match proxy(value) {
            Some(proxy) => found.push(proxy),
            None => object.values().for_each(|member| collect(member, found)),
        },
        _ => {}
    }
}

fn proxy(value: &Value) -> Option<Proxy> {
    let first = |keys: &[&str]| {
        keys.iter().find_map(|key| match value.get(*key)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    };
    Some(Proxy {
        host: first(&["proxyIp", "ip", "host", "proxyHost"])?,
        port: first(&["proxyPort", "port"])?.parse().ok()?,
        user: first(&["proxyUser", "user", "username", "account"]).unwrap_or_default(),
        password: first(&["proxyPassword", "password", "pass"]).unwrap_or_default(),
        protocol: first(&["protocol", "proxyType"]).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_found_at_any_depth_of_the_details() {
        let shapes = [
            r#"[{"proxyIp":"192.0.2.1","proxyPort":1080,"proxyUser":"u","proxyPassword":"p"}]"#,
            r#"{"spec":{"days":30},"ips":[{"ip":"192.0.2.1","port":"1080","username":"u","password":"p"}]}"#,
            r#"[{"name":"line","list":{"rows":[{"host":"192.0.2.1","port":1080,"user":"u","pass":"p"}]}}]"#,
        ];
        for shape in shapes {
            let json = format!(r#"{{"orderNo":"1","status":"20","details":{shape}}}"#);
            let detail: OrderDetail = serde_json::from_str(&json).unwrap();
            let proxies = detail.proxies();
            assert_eq!(proxies.len(), 1, "{shape}");
            assert!(proxies[0].host == "192.0.2.1" && proxies[0].port == 1080 && proxies[0].password == "p", "{shape}");
            assert_eq!(detail.status, Some(OrderStatus("20".into())));
        }
    }

    #[test]
    fn details_that_hold_no_proxy_give_none() {
        for shape in ["null", "\"text\"", "[]", r#"{"proxyIp":"192.0.2.1"}"#, r#"[{"ip":"x","port":99999999}]"#] {
            let json = format!(r#"{{"orderNo":"1","details":{shape}}}"#);
            let detail: OrderDetail = serde_json::from_str(&json).unwrap();
            assert!(detail.proxies().is_empty(), "{shape}");
        }
    }
}
