//! `POST ips/page` and `ips/detail`. Not in the contract: the answers of a live deployment, and other names for the
//! same. The list never keeps a user name or a password, even if the vendor sends them.

use serde::{Deserialize, Serialize};

use crate::facts::folded;
use crate::goods::{About, HOST, PORT, Proxy, first, lent, proxy};
use crate::ids::{CountryCode, IpId, OrderNo};
use crate::secrets::conceal_others;
use crate::tree::Tree;

/// Body of `POST ips/page`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IpsQuery {
    /// From 1.
    pub page_index: u32,
    /// Rows per page; no maximum is documented.
    pub page_size: u32,
    /// Filters; absent lists all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<IpsCriteria>,
}

/// Filters of `POST ips/page`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IpsCriteria {
    /// Only this country.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country_code: Option<CountryCode>,
    /// A part of the address; what else it matches is not documented.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    /// Only this state of use; its values are not documented.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage_status: Option<i64>,
}

/// Data of `POST ips/page`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Tree", rename_all = "camelCase")]
pub struct IpsPage {
    /// Number of IPs of the whole list.
    pub total: i64,
    /// The IPs of this page that could be read.
    pub rows: Vec<ListedIp>,
    /// Number of elements of this page without a readable address.
    pub unreadable: usize,
}

/// One IP of the vendor's list, without credentials.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ListedIp {
    /// The vendor's id; empty when not reported.
    pub id: IpId,
    /// IP address without brackets.
    pub host: String,
    /// TCP port; `None` when the list does not report it.
    pub port: Option<u16>,
    /// socks5 or http; empty when not reported.
    pub protocol: String,
    /// Location and expiry, as they came.
    pub about: About,
    /// The order that it came with; empty when not reported.
    pub order_no: OrderNo,
    /// The vendor's status, as it came; empty when not reported.
    pub status: String,
}

/// Body of `POST ips/detail`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IpQuery {
    /// The vendor's id.
    pub id: IpId,
}

/// Data of `POST ips/detail`: one IP with its credentials, so it has no `Debug` and is never stored.
#[derive(Clone, Deserialize)]
#[serde(try_from = "Tree")]
pub struct IpDetail {
    /// Everything a buyer needs to use it.
    pub proxy: Proxy,
    /// The order that it came with; empty when not reported.
    pub order_no: OrderNo,
}

/// The value is no page of IPs.
#[derive(Debug, thiserror::Error)]
#[error("expected a page of IPs")]
pub struct NoPage;

/// The value is no IP with address and port.
#[derive(Debug, thiserror::Error)]
#[error("expected an IP")]
pub struct NoIp;

const TOTAL: [&str; 3] = ["total", "totalcount", "totalelements"];
const ROWS: [&str; 5] = ["results", "rows", "records", "list", "content"];
const ID: [&str; 4] = ["id", "ipid", "resourceid", "proxyid"];
const ORDER: [&str; 3] = ["orderno", "ordernumber", "purchaseorderno"];
const STATUS: [&str; 3] = ["status", "usagestatus", "state"];

impl TryFrom<Tree> for IpsPage {
    type Error = NoPage;

    fn try_from(data: Tree) -> Result<Self, NoPage> {
        let member =
            |names: &[&str]| names.iter().find_map(|name| data.members().iter().find(|(key, _)| folded(key) == *name));
        let total = member(&TOTAL).and_then(|(_, value)| value.amount()).ok_or(NoPage)?;
        let total: i64 = total.value().normalize().to_string().parse().map_err(|_| NoPage)?;
        let elements: &[Tree] = match member(&ROWS) {
            Some((_, Tree::List(elements))) => elements,
            // An empty list may come as null.
            Some((_, Tree::Null)) if total == 0 => &[],
            _ => return Err(NoPage),
        };
        let rows: Vec<ListedIp> = elements.iter().filter_map(listed).collect();
        Ok(Self { total, unreadable: elements.len() - rows.len(), rows })
    }
}

fn listed(element: &Tree) -> Option<ListedIp> {
    let members = element.members();
    let host = first(members, &HOST)?.trim().to_owned();
    let told = |names: &[&str]| first(members, names).unwrap_or_default();
    let Proxy { protocol, about, .. } = lent(members, &Proxy::default());
    Some(ListedIp {
        id: IpId::new(told(&ID)),
        port: first(members, &PORT).and_then(|port| port.trim().parse().ok()),
        order_no: OrderNo::new(told(&ORDER)),
        status: told(&STATUS),
        host,
        protocol,
        about,
    })
}

impl TryFrom<Tree> for IpDetail {
    type Error = NoIp;

    fn try_from(data: Tree) -> Result<Self, NoIp> {
        let members = data.members();
        let mut proxy = proxy(members, &Proxy::default()).ok_or(NoIp)?;
        conceal_others(std::slice::from_mut(&mut proxy));
        Ok(Self { proxy, order_no: OrderNo::new(first(members, &ORDER).unwrap_or_default()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(json: &str) -> Option<IpsPage> {
        serde_json::from_str(json).ok()
    }

    #[test]
    fn a_page_is_read_under_every_known_name_and_one_odd_row_does_not_lose_it() {
        let row = r#"{"id":2059463641505337345,"proxyIp":"192.0.2.1","countryCode":"JP","countryName":"Japan",
            "cityName":"Tokyo","expireTime":"2026-12-24 10:00:00","status":1}"#;
        let odd = r#"{"id":7}"#;
        for (total, rows) in [("total", "results"), ("total", "rows"), ("totalCount", "records")] {
            let read = page(&format!(r#"{{"{total}":"2","{rows}":[{row},{odd}]}}"#)).unwrap();
            let ip = &read.rows[0];
            assert_eq!((read.total, read.rows.len(), read.unreadable), (2, 1, 1));
            assert_eq!((ip.id.as_str(), ip.host.as_str(), ip.port), ("2059463641505337345", "192.0.2.1", None));
            let about = &ip.about;
            assert_eq!((about.country_en.as_str(), about.city_en.as_str()), ("Japan", "Tokyo"));
            assert_eq!((about.expires.as_str(), ip.status.as_str()), ("2026-12-24 10:00:00", "1"));
        }
    }

    #[test]
    fn what_is_no_page_is_refused() {
        for json in ["null", "[]", "{}", r#"{"total":1}"#, r#"{"results":[]}"#, r#"{"total":1,"results":"x"}"#] {
            assert_eq!(page(json), None, "{json}");
        }
        assert_eq!(page(r#"{"total":0,"results":null}"#).unwrap().rows, []);
    }

    #[test]
    fn a_row_keeps_no_credentials() {
        let json = r#"{"total":1,"results":[{"id":"1","ip":"192.0.2.1","port":"1080","proxyUser":"u-secret",
            "proxyPassword":"p-secret","orderNo":"A1"}]}"#;
        let read = page(json).unwrap();
        let stored = serde_json::to_string(&read).unwrap();
        assert!(!stored.contains("secret"), "{stored}");
        assert_eq!((read.rows[0].port, read.rows[0].order_no.as_str()), (Some(1080), "A1"));
    }

    #[test]
    fn a_detail_is_an_ip_with_its_credentials() {
        let json = r#"{"id":"1","proxyIp":"192.0.2.1","proxyPort":1080,"proxyUser":"u","proxyPassword":"p",
            "country":"Japan","city":"Tokyo","expireTime":"2026-12-24 10:00:00","protocol":"socks5","orderNo":"A1"}"#;
        let IpDetail { proxy, order_no } = serde_json::from_str(json).unwrap();
        assert_eq!((proxy.host.as_str(), proxy.port, proxy.password.as_str()), ("192.0.2.1", 1080, "p"));
        assert_eq!((proxy.about.city_en.as_str(), order_no.as_str()), ("Tokyo", "A1"));
        assert!(serde_json::from_str::<IpDetail>(r#"{"id":"1"}"#).is_err());
    }
}
