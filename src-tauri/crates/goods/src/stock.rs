//! The stock: what orders delivered, joined with what the vendor's own list shows, and the rows made of both with what
//! was recorded about each.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use operations::{Buyer, BuyerId, GoodsKey, Marks};
use wire::goods::About;
use wire::ids::{IpId, OrderNo};
use wire::ips::ListedIp;
use wire::orders::Delivered;
use wire::time::WrittenTime;

use crate::row::{GoodsBuyer, GoodsPlace, GoodsRow, Item, Sent, address};

/// What orders delivered, in the order in which they joined the book, then what only the vendor's list shows.
#[derive(Debug, Default)]
pub struct Stock(Vec<Arc<Item>>);

impl Stock {
    /// Joins what orders delivered with the vendor's own list. `zone` is that of the vendor's times, in minutes east of
    /// UTC.
    pub fn of(delivered: Vec<(OrderNo, Vec<Delivered>)>, listed: Vec<ListedIp>, zone: i32) -> Self {
        let mut making = Making { zone, places: HashSet::new() };
        let of_orders =
            delivered.into_iter().flat_map(|(order, all)| all.into_iter().map(move |one| (order.clone(), one)));
        let mut items: Vec<Item> = of_orders.map(|(order, one)| making.delivered(order, one)).collect();
        let mut ends: Vec<Option<i64>> = items.iter().map(|item| item.ends).collect();
        let mut elsewhere = Vec::new();
        let named = by_host(&items);
        let mut fits: Vec<Vec<ListedIp>> = items.iter().map(|_| Vec::new()).collect();
        for one in listed {
            let same = named.get(one.host.as_str()).map(|all| fitting(&items, all, &one)).unwrap_or_default();
            if same.is_empty() {
                elsewhere.push(making.listed(one));
                continue;
            }
            same.into_iter().for_each(|at| fits[at].push(one.clone()));
        }
        let address = |item: &Item| (item.host.clone(), item.port);
        let still: HashSet<_> = items.iter().filter(|item| !item.no_longer_listed).map(address).collect();
        for (at, fits) in fits.into_iter().enumerate() {
            // Whatever its order left out: the vendor's own list names it, and no other order explains that.
            items[at].no_longer_listed &= fits.is_empty() || still.contains(&address(&items[at]));
            let Some(one) = the_one(&items[at], fits, &items, &named) else { continue };
            ends[at] = ends[at].max(WrittenTime(one.about.expires).millis(zone));
            items[at].ip_id = one.id;
        }
        without_doubles(&mut elsewhere);
        let mut latest = HashMap::<(String, u16), i64>::new();
        for (item, end) in items.iter().zip(&ends) {
            // An order that was refunded does not extend the one that sold the same address again.
            if let Some(end) = end.filter(|_| !item.no_longer_listed) {
                let known = latest.entry(address(item)).or_insert(end);
                *known = end.max(*known);
            }
        }
        let joined = items.into_iter().map(|item| {
            let ends = latest.get(&address(&item)).copied().max(item.ends);
            Arc::new(Item { extended: ends != item.ends, ends, ..item })
        });
        Self(joined.chain(elsewhere.into_iter().map(Arc::new)).collect())
    }

    /// The rows of the list: the stock with what was recorded about it. A proxy counts as sent if it was handed to the
    /// buyer it is for now.
    pub fn rows(&self, buyers: &[Buyer], marks: &Marks) -> Vec<GoodsRow> {
        let named: HashMap<BuyerId, &Buyer> = buyers.iter().map(|buyer| (buyer.id, buyer)).collect();
        let assigned: HashMap<&GoodsKey, _> = marks.assignments.iter().map(|one| (&one.key, one)).collect();
        // Later deliveries replace earlier ones.
        let sent: HashMap<(&GoodsKey, BuyerId), Sent> =
            marks.deliveries.iter().map(|one| ((&one.key, one.buyer), Sent { at: one.at, how: one.how })).collect();
        let has_short = assigned.keys().copied().chain(sent.keys().map(|(key, _)| *key)).any(is_short);
        let shorter = |item: &Item| has_short.then(|| shorter(&item.key)).into_iter().flatten();
        let row = |item: &Arc<Item>| {
            let known = assigned.get(&item.key).or_else(|| shorter(item).find_map(|key| assigned.get(&key)));
            let Some(one) = known else { return GoodsRow::of(item.clone()) };
            let buyer = one.buyer.and_then(|id| named.get(&id)).map(|buyer| GoodsBuyer {
                id: buyer.id,
                name: buyer.name.clone(),
                deleted: buyer.deleted,
            });
            let sent = buyer.as_ref().and_then(|buyer| {
                let of = |key: &GoodsKey| sent.get(&(key, buyer.id)).copied();
                of(&item.key).or_else(|| shorter(item).find_map(|key| of(&key)))
            });
            let name = buyer.as_ref().map_or("", |buyer| &buyer.name);
            let own = format!("{name}\n{}", one.note).to_lowercase();
            GoodsRow { item: item.clone(), buyer, note: one.note.clone(), sent, own }
        };
        self.0.iter().map(row).collect()
    }
}

/// Whether a key lacks the order or the port because the vendor's list did not report it.
fn is_short(key: &GoodsKey) -> bool {
    key.order_no.as_str().is_empty() || key.port == 0
}

/// The names that a proxy had while only the vendor's list showed it: what was recorded under them still counts.
fn shorter(key: &GoodsKey) -> [GoodsKey; 3] {
    let unknown = || OrderNo::new("");
    [
        GoodsKey { order_no: unknown(), ..key.clone() },
        GoodsKey { port: 0, ..key.clone() },
        GoodsKey { order_no: unknown(), port: 0, ..key.clone() },
    ]
}

/// The places of items by their host.
fn by_host(items: &[Item]) -> HashMap<String, Vec<usize>> {
    let mut named = HashMap::<String, Vec<usize>>::new();
    for (at, item) in items.iter().enumerate() {
        named.entry(item.host.clone()).or_default().push(at);
    }
    named
}

/// The items of a host that may be this listed IP.
fn fitting(items: &[Item], of_host: &[usize], listed: &ListedIp) -> Vec<usize> {
    let fits = |at: &usize| listed.port.is_none_or(|port| items[*at].port == port);
    of_host.iter().copied().filter(fits).collect()
}

/// The listed IP that an item certainly is: the only one that fits, or the only one of its order. By an id somebody
/// pays, so nothing is guessed: one without a port fits only a host with a single port.
fn the_one(item: &Item, fits: Vec<ListedIp>, items: &[Item], named: &HashMap<String, Vec<usize>>) -> Option<ListedIp> {
    let of_order = |one: &&ListedIp| !one.order_no.as_str().is_empty() && one.order_no == item.order_no;
    let mut own = fits.iter().filter(of_order);
    let one = match (fits.as_slice(), own.next(), own.next()) {
        ([one], ..) | (_, Some(one), None) => one.clone(),
        _ => return None,
    };
    let has_one_port = || named.get(&item.host)?.iter().all(|at| items[*at].port == item.port).then_some(());
    if one.port.is_none() {
        has_one_port()?;
    }
    Some(one)
}

/// Takes the ids of listed IPs that cannot be told apart by their names: by such a name nothing is renewed or handed
/// over.
fn without_doubles(elsewhere: &mut [Item]) {
    let mut count = HashMap::<GoodsKey, usize>::new();
    elsewhere.iter().for_each(|item| *count.entry(item.key.clone()).or_default() += 1);
    for item in elsewhere.iter_mut().filter(|item| count.get(&item.key).is_some_and(|count| *count > 1)) {
        item.ip_id = IpId::new("");
    }
}

/// Makes items that share their places.
struct Making {
    zone: i32,
    /// Thousands of proxies are in the same few places.
    places: HashSet<Arc<GoodsPlace>>,
}

impl Making {
    fn delivered(&mut self, order_no: OrderNo, one: Delivered) -> Item {
        let key = GoodsKey { order_no, host: one.host, port: one.port };
        Item { no_longer_listed: one.no_longer_listed, ..self.item(key, one.protocol, one.about) }
    }

    fn listed(&mut self, one: ListedIp) -> Item {
        let key = GoodsKey { order_no: one.order_no, host: one.host, port: one.port.unwrap_or_default() };
        Item { elsewhere: true, ip_id: one.id, ..self.item(key, one.protocol, one.about) }
    }

    fn item(&mut self, key: GoodsKey, protocol: String, about: About) -> Item {
        let place = GoodsPlace {
            country_zh: about.country_zh,
            country_en: about.country_en,
            country_code: about.country_code,
            city_zh: about.city_zh,
            city_en: about.city_en,
        };
        let place = self.places.get(&place).cloned().unwrap_or_else(|| {
            let place = Arc::new(place);
            self.places.insert(place.clone());
            place
        });
        let written = WrittenTime(about.expires);
        let words = [
            address(&key.host, key.port).as_str(),
            key.order_no.as_str(),
            &protocol,
            &place.country_zh,
            &place.country_en,
            &place.country_code,
            &place.city_zh,
            &place.city_en,
        ]
        .join("\n")
        .to_lowercase();
        Item {
            order_no: key.order_no.clone(),
            host: key.host.clone(),
            port: key.port,
            key,
            elsewhere: false,
            ip_id: IpId::new(""),
            protocol,
            place,
            ends: written.millis(self.zone),
            expires: written.readable(self.zone),
            extended: false,
            no_longer_listed: false,
            haystack: words,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use operations::{Assignment, Delivery, SentHow};

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
        let rows = Stock::of(orders, Vec::new(), 0).rows(&[], &Marks::default());
        let december = "2026-12-01T00:00:00Z";
        let end = WrittenTime(december.into()).millis(0);
        assert_eq!(rows.iter().map(|row| row.item.ends).collect::<Vec<_>>(), [end; 3]);
        assert_eq!(rows.iter().map(|row| row.item.extended).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(rows[2].item.expires, "soon", "what cannot be read is shown as it came");
    }

    fn listed(id: &str, host: &str, port: Option<u16>, order: &str, expires: &str) -> ListedIp {
        let about = About { expires: expires.into(), ..About::default() };
        let (id, order_no) = (IpId::new(id), OrderNo::new(order));
        ListedIp { id, host: host.into(), port, order_no, about, ..ListedIp::default() }
    }

    #[test]
    fn the_vendors_list_names_ids_and_later_ends_and_what_no_order_here_delivered() {
        let orders = || {
            let one = |host: &str| delivered(host, "JP", "2026-11-01 00:00:00");
            vec![
                (OrderNo::new("A"), vec![one("192.0.2.1"), one("192.0.2.2")]),
                (OrderNo::new("B"), vec![one("192.0.2.1"), one("192.0.2.3")]),
            ]
        };
        let list = vec![
            listed("1", "192.0.2.1", Some(1080), "B", "2026-12-01 00:00:00"),
            listed("2", "192.0.2.2", None, "Z", "2026-10-01 00:00:00"),
            listed("3", "192.0.2.3", Some(9), "", ""),
            listed("", "192.0.2.4", None, "", "2026-11-05 00:00:00"),
        ];
        let rows = Stock::of(orders(), list, 0).rows(&[], &Marks::default());
        let seen: Vec<String> = rows
            .iter()
            .map(|row| {
                let Item { key, elsewhere, ip_id, extended, .. } = &*row.item;
                format!("{key} id={ip_id} elsewhere={elsewhere} extended={extended}")
            })
            .collect();
        let expected = [
            // Both orders name the address: it is one IP.
            "A 192.0.2.1 1080 id=1 elsewhere=false extended=true",
            // An earlier end in the list shortens nothing.
            "A 192.0.2.2 1080 id=2 elsewhere=false extended=false",
            "B 192.0.2.1 1080 id=1 elsewhere=false extended=true",
            "B 192.0.2.3 1080 id= elsewhere=false extended=false",
            " 192.0.2.3 9 id=3 elsewhere=true extended=false",
            " 192.0.2.4 0 id= elsewhere=true extended=false",
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_an_order_left_out_is_still_there_if_the_vendors_list_names_it_and_its_end_extends_no_other_order() {
        let (november, december) = ("2026-11-15 00:00:00", "2026-12-20 00:00:00");
        let gone = |host: &str| Delivered { no_longer_listed: true, ..delivered(host, "JP", december) };
        let orders = vec![
            (OrderNo::new("A"), vec![gone("192.0.2.1"), gone("192.0.2.2"), gone("192.0.2.3")]),
            (OrderNo::new("B"), vec![delivered("192.0.2.1", "JP", november)]),
        ];
        let list = ["192.0.2.1", "192.0.2.2"].map(|host| listed(host, host, Some(1080), "", november));
        let rows = Stock::of(orders, list.into(), 0).rows(&[], &Marks::default());
        let seen: Vec<_> = rows
            .iter()
            .map(|row| (row.item.no_longer_listed, row.item.ends == WrittenTime(december.into()).millis(0)))
            .collect();
        // Sold again; named by the list; named by nobody; the order that sold the first one again.
        assert_eq!(seen, [(true, true), (false, true), (true, true), (false, false)]);
    }

    /// The ids of rows, with the port and the order of each.
    fn ids(delivered: Vec<(OrderNo, Vec<Delivered>)>, list: Vec<ListedIp>) -> Vec<String> {
        let rows = Stock::of(delivered, list, 0).rows(&[], &Marks::default());
        rows.iter().map(|row| format!("{}={}", row.item.key, row.item.ip_id)).collect()
    }

    #[test]
    fn an_id_that_may_be_that_of_another_ip_is_not_taken() {
        let at = |port: u16| Delivered { port, ..delivered("192.0.2.1", "JP", "") };
        let order = |name: &str, all: Vec<Delivered>| (OrderNo::new(name), all);
        let ip = |id: &str, port: Option<u16>, order: &str| listed(id, "192.0.2.1", port, order, "");
        // Two ports of one host, and a list that names no ports.
        let two = || vec![order("A", vec![at(1), at(2)])];
        let none = ["A 192.0.2.1 1=", "A 192.0.2.1 2="];
        assert_eq!(ids(two(), vec![ip("7", None, "A"), ip("8", None, "A")]), none);
        assert_eq!(ids(two(), vec![ip("7", None, "")]), none);
        assert_eq!(
            ids(two(), vec![ip("7", Some(1), ""), ip("8", Some(2), "")]),
            ["A 192.0.2.1 1=7", "A 192.0.2.1 2=8"]
        );
        // A lapsed and a current id of one address: the order tells, or nothing does.
        let both = || vec![ip("7", Some(1), "A"), ip("8", Some(1), "B")];
        assert_eq!(ids(vec![order("B", vec![at(1)])], both()), ["B 192.0.2.1 1=8"]);
        assert_eq!(ids(vec![order("C", vec![at(1)])], both()), ["C 192.0.2.1 1="]);
        // Two IPs from elsewhere that have one name.
        let doubles = vec![ip("7", None, ""), ip("8", None, "")];
        assert_eq!(ids(Vec::new(), doubles), [" 192.0.2.1 0=", " 192.0.2.1 0="]);
    }

    #[test]
    fn what_was_recorded_of_an_ip_from_elsewhere_stays_when_its_order_becomes_known() {
        let orders =
            vec![(OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", ""), delivered("192.0.2.2", "JP", "")])];
        let short = |host: &str, port: u16| GoodsKey { order_no: OrderNo::new(""), host: host.into(), port };
        let of = |key: GoodsKey| Assignment { key, buyer: Some(BuyerId(1)), note: "mine".into() };
        let marks = Marks {
            assignments: vec![of(short("192.0.2.1", 0)), of(short("192.0.2.2", 1081))],
            deliveries: vec![Delivery { key: short("192.0.2.1", 0), buyer: BuyerId(1), at: 5, how: SentHow::File }],
        };
        let stock = Stock::of(orders, Vec::new(), 0);
        let sent = Some(Sent { at: 5, how: SentHow::File });
        let rows = stock.rows(&[buyer(1, "ali")], &marks);
        assert_eq!((rows[0].note.as_str(), rows[0].sent), ("mine", sent));
        assert!(rows[1].buyer.is_none(), "another port is another proxy");
        let marks = Marks { assignments: vec![of(key("A", "192.0.2.1"))], ..marks };
        assert_eq!(stock.rows(&[buyer(1, "ali")], &marks)[0].sent, sent, "it has a record of its own now");
    }

    #[test]
    fn a_proxy_counts_as_sent_only_if_it_was_handed_to_the_buyer_it_is_for_now() {
        let orders =
            vec![(OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", ""), delivered("192.0.2.2", "JP", "")])];
        let stock = Stock::of(orders, Vec::new(), 0);
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
