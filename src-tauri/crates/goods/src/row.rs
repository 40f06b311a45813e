//! The rows: what orders delivered (the stock), with the buyer, note and mark of each.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use operations::{Buyer, BuyerId, GoodsKey, Marks, SentHow};
use serde::Serialize;
use ts_rs::TS;
use wire::ids::OrderNo;
use wire::orders::Delivered;
use wire::time::WrittenTime;

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

/// One delivered proxy, as its order reports it.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "GoodsItem")]
pub struct Item {
    /// Names it.
    pub key: GoodsKey,
    /// The order that delivered it.
    pub order_no: OrderNo,
    /// IP address without brackets.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// socks5 or http; empty when not reported.
    pub protocol: String,
    /// Where it is.
    pub place: Arc<GoodsPlace>,
    /// When this order ends, as reported; a count is written as local time. Empty when not reported.
    pub expires: String,
    /// When it runs out, ms since 1970: the latest end among all orders that name this address. `None` if no end can be
    /// read.
    pub ends: Option<i64>,
    /// Whether another order, which ends later, names the same address.
    pub extended: bool,
    /// Whether its order listed it before, and does not in its last answer.
    pub no_longer_listed: bool,
    /// All text that a search looks at, folded.
    #[serde(skip)]
    pub(crate) haystack: String,
}

/// What orders delivered, in the order in which they joined the book.
#[derive(Debug, Default)]
pub struct Stock(Vec<Arc<Item>>);

impl Stock {
    /// Collects what orders delivered. `zone` is that of the vendor's times, in minutes east of UTC.
    pub fn of(delivered: Vec<(OrderNo, Vec<Delivered>)>, zone: i32) -> Self {
        let mut places = HashSet::<Arc<GoodsPlace>>::new();
        let mut items: Vec<Item> = Vec::new();
        for (order_no, proxies) in delivered {
            for one in proxies {
                items.push(item(&order_no, one, zone, &mut places));
            }
        }
        let mut latest = HashMap::<(&str, u16), i64>::new();
        for item in &items {
            if let Some(ends) = item.ends {
                let known = latest.entry((&item.host, item.port)).or_insert(ends);
                *known = ends.max(*known);
            }
        }
        let ends: Vec<Option<i64>> =
            items.iter().map(|item| latest.get(&(item.host.as_str(), item.port)).copied()).collect();
        let items = items.into_iter().zip(ends).map(|(item, ends)| {
            let extended = ends != item.ends;
            Arc::new(Item { ends, extended, ..item })
        });
        Self(items.collect())
    }

    /// The rows of the list: the stock with what was recorded about it. A proxy counts as sent if it was handed to the
    /// buyer it is for now.
    pub fn rows(&self, buyers: &[Buyer], marks: &Marks) -> Vec<GoodsRow> {
        let named: HashMap<BuyerId, &Buyer> = buyers.iter().map(|buyer| (buyer.id, buyer)).collect();
        let assigned: HashMap<&GoodsKey, _> = marks.assignments.iter().map(|one| (&one.key, one)).collect();
        // Later deliveries replace earlier ones.
        let sent: HashMap<(&GoodsKey, BuyerId), Sent> =
            marks.deliveries.iter().map(|one| ((&one.key, one.buyer), Sent { at: one.at, how: one.how })).collect();
        let row = |item: &Arc<Item>| {
            let Some(one) = assigned.get(&item.key) else { return GoodsRow::of(item.clone()) };
            let buyer = one.buyer.and_then(|id| named.get(&id)).map(|buyer| GoodsBuyer {
                id: buyer.id,
                name: buyer.name.clone(),
                deleted: buyer.deleted,
            });
            let sent = buyer.as_ref().and_then(|buyer| sent.get(&(&item.key, buyer.id)).copied());
            let name = buyer.as_ref().map_or("", |buyer| &buyer.name);
            let own = format!("{name}\n{}", one.note).to_lowercase();
            GoodsRow { item: item.clone(), buyer, note: one.note.clone(), sent, own }
        };
        self.0.iter().map(row).collect()
    }
}

fn item(order_no: &OrderNo, one: Delivered, zone: i32, places: &mut HashSet<Arc<GoodsPlace>>) -> Item {
    let about = one.about;
    let place = GoodsPlace {
        country_zh: about.country_zh,
        country_en: about.country_en,
        country_code: about.country_code,
        city_zh: about.city_zh,
        city_en: about.city_en,
    };
    // Thousands of proxies are in the same few places.
    let place = places.get(&place).cloned().unwrap_or_else(|| {
        let place = Arc::new(place);
        places.insert(place.clone());
        place
    });
    let written = WrittenTime(about.expires);
    let words = [
        address(&one.host, one.port).as_str(),
        order_no.as_str(),
        &one.protocol,
        &place.country_zh,
        &place.country_en,
        &place.country_code,
        &place.city_zh,
        &place.city_en,
    ]
    .join("\n")
    .to_lowercase();
    Item {
        key: GoodsKey { order_no: order_no.clone(), host: one.host.clone(), port: one.port },
        order_no: order_no.clone(),
        host: one.host,
        port: one.port,
        protocol: one.protocol,
        place,
        ends: written.millis(zone),
        expires: written.readable(zone),
        extended: false,
        no_longer_listed: one.no_longer_listed,
        haystack: words,
    }
}

/// `host:port`, an IPv6 address in brackets.
pub fn address(host: &str, port: u16) -> String {
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
    /// What its order reports.
    pub item: Arc<Item>,
    /// For whom it is; `None` for nobody yet.
    pub buyer: Option<GoodsBuyer>,
    /// The agent's own note.
    pub note: String,
    /// When it was handed to this buyer; `None` if it was not.
    pub sent: Option<Sent>,
    /// The buyer's name and the note, folded.
    pub(crate) own: String,
}

impl GoodsRow {
    fn of(item: Arc<Item>) -> Self {
        Self { item, buyer: None, note: String::new(), sent: None, own: String::new() }
    }

    /// How long it lasts.
    pub fn state(&self, now: i64) -> EndState {
        match self.item.ends {
            None => EndState::Unknown,
            Some(ends) if ends <= now => EndState::Expired,
            Some(ends) if ends - now <= SOON => EndState::Soon,
            Some(_) => EndState::Active,
        }
    }

    /// The row as the page shows it. `now` is the vendor's clock, ms since 1970.
    pub fn view(&self, now: i64) -> GoodsView {
        GoodsView {
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
    /// Its end was not reported or cannot be read.
    Unknown,
}

/// A row of the list.
#[derive(Debug, Serialize, TS)]
pub struct GoodsView {
    /// What its order reports.
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use operations::{Assignment, Delivery};
    use wire::goods::About;

    /// A delivered proxy in a country.
    pub(crate) fn delivered(host: &str, country: &str, expires: &str) -> Delivered {
        let about = About { country_code: country.into(), expires: expires.into(), ..About::default() };
        Delivered { host: host.into(), port: 1080, protocol: "socks5".into(), about, no_longer_listed: false }
    }

    pub(crate) fn buyer(id: i64, name: &str) -> Buyer {
        Buyer {
            id: BuyerId(id),
            name: name.into(),
            customer: None,
            contact: String::new(),
            language: "en".into(),
            note: String::new(),
            format: String::new(),
            template: String::new(),
            deleted: false,
        }
    }

    pub(crate) fn key(order: &str, host: &str) -> GoodsKey {
        GoodsKey { order_no: OrderNo::new(order), host: host.into(), port: 1080 }
    }

    #[test]
    fn of_two_orders_that_name_the_same_ip_both_are_rows_and_the_later_expiry_counts() {
        let orders = vec![
            (OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", "2026-11-01 00:00:00")]),
            (OrderNo::new("B"), vec![delivered("192.0.2.1", "JP", "2026-12-01 00:00:00")]),
            (OrderNo::new("C"), vec![delivered("192.0.2.1", "JP", "soon")]),
        ];
        let rows = Stock::of(orders, 0).rows(&[], &Marks::default());
        let december = "2026-12-01T00:00:00Z";
        let end = WrittenTime(december.into()).millis(0);
        assert_eq!(rows.iter().map(|row| row.item.ends).collect::<Vec<_>>(), [end; 3]);
        assert_eq!(rows.iter().map(|row| row.item.extended).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(rows[2].item.expires, "soon", "what cannot be read is shown as it came");
    }

    #[test]
    fn a_proxy_counts_as_sent_only_if_it_was_handed_to_the_buyer_it_is_for_now() {
        let orders =
            vec![(OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", ""), delivered("192.0.2.2", "JP", "")])];
        let stock = Stock::of(orders, 0);
        let buyers = [buyer(1, "ali"), Buyer { deleted: true, ..buyer(2, "bob") }];
        let to =
            |host: &str, id: i64| Assignment { key: key("A", host), buyer: Some(BuyerId(id)), note: "test".into() };
        let sent = |at: i64| Delivery { key: key("A", "192.0.2.1"), buyer: BuyerId(1), at, how: SentHow::Copied };
        let mut marks = Marks { assignments: vec![to("192.0.2.1", 1)], deliveries: vec![sent(5), sent(9)] };
        let rows = stock.rows(&buyers, &marks);
        assert_eq!(rows[0].sent, Some(Sent { at: 9, how: SentHow::Copied }), "the last time counts");
        assert!(rows[1].buyer.is_none() && rows[1].sent.is_none());
        marks.assignments = vec![to("192.0.2.1", 2)];
        let rows = stock.rows(&buyers, &marks);
        assert!(rows[0].sent.is_none());
        assert!(rows[0].buyer.as_ref().is_some_and(|buyer| buyer.deleted && buyer.name == "bob"), "{rows:?}");
    }
}
