//! The rows: a proxy with its buyer, note and mark.

use std::sync::Arc;

use operations::{BuyerId, GoodsKey, SentHow};
use serde::Serialize;
use ts_rs::TS;
use wire::ids::{IpId, OrderNo};

use crate::ends::SOON;

/// Where a proxy is, as far as reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GoodsPlace {
    /// Chinese name of the country; empty when not reported.
    pub country_zh: String,
    /// English name of the country; empty when not reported.
    pub country_en: String,
    /// Country code; empty when not reported.
    pub country_code: String,
    /// Chinese name of the city; empty when not reported.
    pub city_zh: String,
    /// English name of the city; empty when not reported.
    pub city_en: String,
}

impl GoodsPlace {
    /// Names the country in filters: its code, or a name if there is none. Empty if nothing was reported.
    pub fn country(&self) -> &str {
        let names = [&self.country_code, &self.country_en, &self.country_zh];
        names.into_iter().find(|name| !name.is_empty()).map_or("", String::as_str)
    }
}

/// One proxy, as its order reports it, or the vendor's list where no order known here does.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "GoodsItem")]
pub struct Item {
    /// Names it. Its order is empty, or its port 0, when only the vendor's list shows it and names none.
    pub key: GoodsKey,
    /// Whether only the vendor's list shows it: no order known here delivered it.
    pub elsewhere: bool,
    /// The vendor's id of it, by which it is renewed; empty when the vendor's list does not name it.
    pub ip_id: IpId,
    /// socks5 or http; empty when not reported.
    pub protocol: Arc<str>,
    /// Where it is.
    pub place: Arc<GoodsPlace>,
    /// When this order ends, as reported; a numeric timestamp becomes the vendor's local time. Empty when not reported.
    pub expires: String,
    /// When it runs out, ms since 1970: the latest end that an order or the vendor's list names for this address. `None`
    /// if no end can be read.
    pub ends: Option<i64>,
    /// Whether another order, or the vendor's list, names a later end for the same address.
    pub extended: bool,
    /// Whether its order listed it earlier, but not in its latest answer, and the vendor's list does not name it either. Of
    /// one that only the vendor's list shows: whether that showed it earlier and does no more.
    pub no_longer_listed: bool,
    /// Its status in the vendor's list, as it came: its values are not documented. Empty when not reported.
    pub vendor_status: String,
}

impl Item {
    /// Whether only the vendor's list showed it, and that list no longer does. Nothing can be done with it then.
    pub fn is_gone(&self) -> bool {
        self.elsewhere && self.no_longer_listed
    }
}

/// `host:port`, an IPv6 address in brackets; the host alone when the port is 0, which is not known.
pub fn address(host: &str, port: u16) -> String {
    if port == 0 {
        return host.to_owned();
    }
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

/// The buyer of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct GoodsBuyer {
    /// Names the buyer.
    pub id: BuyerId,
    /// The name.
    pub name: String,
    /// Whether the buyer was deleted.
    pub deleted: bool,
}

/// When and how a proxy was handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "GoodsSent")]
pub struct Sent {
    /// Wall clock, ms since 1970.
    pub at: i64,
    /// How.
    pub how: SentHow,
}

/// A delivered proxy with what was recorded about it.
#[derive(Clone, Debug)]
pub struct GoodsRow {
    /// The proxy, as its order or the vendor's list reports it.
    pub item: Arc<Item>,
    /// For whom it is; `None` for nobody yet.
    pub buyer: Option<GoodsBuyer>,
    /// The agent's own note.
    pub note: String,
    /// When it was handed to this buyer; `None` if it was not.
    pub sent: Option<Sent>,
}

impl GoodsRow {
    pub(crate) fn of(item: Arc<Item>) -> Self {
        Self { item, buyer: None, note: String::new(), sent: None }
    }

    /// How long it lasts.
    pub fn state(&self, now: i64) -> EndState {
        EndState::of(self.item.ends, self.item.no_longer_listed, now)
    }

    /// The row as the page shows it. `now` is the vendor's clock, ms since 1970.
    pub fn view(&self, now: i64) -> GoodsView {
        GoodsView {
            order_no: self.item.key.order_no.clone(),
            host: self.item.key.host.clone(),
            port: self.item.key.port,
            item: self.item.clone(),
            buyer: self.buyer.clone(),
            note: self.note.clone(),
            sent: self.sent,
            state: self.state(now),
        }
    }
}

/// How long a proxy lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum EndState {
    /// Longer than a week.
    Active,
    /// A week at most.
    Soon,
    /// It has run out.
    Expired,
    /// Its order no longer lists it, and it is not known to have run out.
    Unlisted,
    /// Its end was not reported or cannot be read.
    Unknown,
}

impl EndState {
    /// The state of a proxy with this end, by the vendor's clock, ms since 1970.
    pub(crate) fn of(ends: Option<i64>, no_longer_listed: bool, now: i64) -> Self {
        match ends {
            Some(ends) if ends <= now => Self::Expired,
            _ if no_longer_listed => Self::Unlisted,
            None => Self::Unknown,
            Some(ends) if ends - now <= SOON => Self::Soon,
            Some(_) => Self::Active,
        }
    }
}

/// A row of the list.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GoodsView {
    /// The order that delivered it; empty when only the vendor's list shows it, and names no order.
    pub order_no: OrderNo,
    /// IP address without brackets.
    pub host: String,
    /// TCP port; 0 when only the vendor's list shows it, and names no port.
    pub port: u16,
    /// The proxy, as its order or the vendor's list reports it.
    #[serde(flatten)]
    pub item: Arc<Item>,
    /// For whom it is; `None` for nobody yet.
    pub buyer: Option<GoodsBuyer>,
    /// The agent's own note.
    pub note: String,
    /// When it was handed to this buyer; `None` if it was not.
    pub sent: Option<Sent>,
    /// How long it lasts.
    pub state: EndState,
}
