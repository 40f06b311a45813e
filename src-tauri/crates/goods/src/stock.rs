//! The stock: what orders delivered, joined with what the vendor's own list shows, and the rows made of both with what
//! was recorded about each.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use operations::{Assignment, Buyer, BuyerId, GoodsKey, Marks};
use wire::goods::About;
use wire::ids::{IpId, OrderNo};
use wire::ips::ListedIp;
use wire::orders::Delivered;
use wire::time::WrittenTime;

use crate::row::{GoodsBuyer, GoodsPlace, GoodsRow, Item, Sent};
use crate::rows::Rows;

/// What orders delivered, in the order in which they joined the book, then what only the vendor's list shows.
#[derive(Debug, Default)]
pub struct Stock {
    items: Vec<Arc<Item>>,
    /// Whether the vendor's list was read: an IP that it does not name is gone.
    list_is_read: bool,
}

impl Stock {
    /// Joins what orders delivered with the vendor's own list. `zone` is that of the vendor's times, in minutes east of
    /// UTC.
    pub fn of(delivered: Vec<(OrderNo, Vec<Delivered>)>, listed: Vec<ListedIp>, zone: i32) -> Self {
        let mut making = Making::of(zone);
        let mut items = Vec::with_capacity(delivered.iter().map(|(_, all)| all.len()).sum());
        for (order, all) in delivered {
            items.extend(all.into_iter().map(|one| Box::new(making.delivered(order.clone(), one))));
        }
        let (matched, mut elsewhere) = matched(&items, listed, &mut making);
        let mut ends: Vec<Option<i64>> = items.iter().map(|item| item.ends).collect();
        for ((item, end), of_list) in items.iter_mut().zip(&mut ends).zip(matched) {
            item.no_longer_listed &= !of_list.is_still_listed;
            if let Some(one) = of_list.the_one {
                *end = (*end).max(WrittenTime(one.about.expires.clone()).millis(zone));
                making.complete(item, one);
            }
        }
        without_doubles(&mut elsewhere);
        let latest = latest_ends(&items, &ends);
        let joined = items.into_iter().zip(latest).map(|(item, ends)| {
            // What names no end of its own was not extended.
            let extended = ends != item.ends && !item.expires.is_empty();
            Arc::new(Item { extended, ends, ..*item })
        });
        let items = joined.chain(elsewhere.into_iter().map(Arc::new)).collect();
        Self { items, list_is_read: false }
    }

    /// Adds, as the oldest, what the vendor's list showed earlier and does no more, for whoever had it. To be called only
    /// if that list was read. One whose order or port is not known is left out where its host is there: it may be the
    /// same IP. `zone` as in [`Stock::of`].
    pub fn with_gone(mut self, gone: Vec<ListedIp>, zone: i32) -> Self {
        self.list_is_read = true;
        if gone.is_empty() {
            return self;
        }
        let mut making = Making::of(zone);
        let known: HashSet<&GoodsKey> = self.items.iter().map(|item| &item.key).collect();
        let hosts: HashSet<&str> = known.iter().map(|key| key.host.as_str()).collect();
        let is_there = |key: &GoodsKey| if is_short(key) { hosts.contains(&*key.host) } else { known.contains(key) };
        let gone = gone.into_iter().map(|one| making.gone(one)).filter(|item| !is_there(&item.key));
        let gone: Vec<Arc<Item>> = gone.map(Arc::new).collect();
        self.items.splice(0..0, gone);
        self
    }

    /// The rows of the list: the stock with what was recorded about it. A proxy counts as sent if it was handed to the
    /// buyer it is for now. One that the vendor's list shows no more is a row only if somebody had it, or if it has a
    /// note; then it is one even if all that the vendor said of it was lost.
    pub fn rows(&self, buyers: &[Buyer], marks: &Marks) -> Rows {
        let named: HashMap<BuyerId, &Buyer> = buyers.iter().map(|buyer| (buyer.id, buyer)).collect();
        let assigned: HashMap<&GoodsKey, _> = marks.assignments.iter().map(|one| (&one.key, one)).collect();
        // Later deliveries replace earlier ones.
        let sent: HashMap<(&GoodsKey, BuyerId), Sent> =
            marks.deliveries.iter().map(|one| ((&one.key, one.buyer), Sent { at: one.at, how: one.how })).collect();
        let has_short = assigned.keys().copied().chain(sent.keys().map(|(key, _)| *key)).any(is_short);
        let shorter = |item: &Item| has_short.then(|| shorter(&item.key)).into_iter().flatten();
        let row = |item: &Arc<Item>| {
            let own = assigned.get(&item.key);
            let known = if item.is_gone() {
                // A shorter name may be that of an IP which has its address now.
                own.filter(|one| one.buyer.is_some() || !one.note.is_empty())
            } else {
                own.or_else(|| shorter(item).find_map(|key| assigned.get(&key)))
            };
            let Some(one) = known else { return (!item.is_gone()).then(|| GoodsRow::of(item.clone())) };
            let buyer = one.buyer.and_then(|id| named.get(&id)).map(|buyer| GoodsBuyer {
                id: buyer.id,
                name: buyer.name.clone(),
                deleted: buyer.deleted,
            });
            let sent = buyer.as_ref().and_then(|buyer| {
                let of = |key: &GoodsKey| sent.get(&(key, buyer.id)).copied();
                of(&item.key).or_else(|| shorter(item).find_map(|key| of(&key)))
            });
            Some(GoodsRow { item: item.clone(), buyer, note: one.note.clone(), sent })
        };
        let lost = self.lost(&assigned);
        Rows::of(lost.iter().chain(&self.items).filter_map(row).collect())
    }

    /// Proxies with a buyer or a note that neither an order nor the vendor's list names, sorted by their keys.
    fn lost(&self, assigned: &HashMap<&GoodsKey, &Assignment>) -> Vec<Arc<Item>> {
        let has_content = |one: &&&Assignment| one.buyer.is_some() || !one.note.is_empty();
        let mut lost: HashSet<&GoodsKey> = assigned.values().filter(has_content).map(|one| &one.key).collect();
        let has_short = lost.iter().any(|key| is_short(key));
        for item in &self.items {
            if lost.is_empty() {
                break;
            }
            lost.remove(&item.key);
            if has_short {
                for key in shorter(&item.key) {
                    lost.remove(&key);
                }
            }
        }
        let mut lost: Vec<&GoodsKey> = lost.into_iter().collect();
        lost.sort_by_cached_key(|key| key.to_string());
        let mut making = Making::of(0);
        let item = |key: &GoodsKey| {
            let bare = making.item(key.clone(), "", About::default());
            Arc::new(Item { elsewhere: true, no_longer_listed: self.list_is_read, ..bare })
        };
        lost.into_iter().map(item).collect()
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

/// What the vendor's list says about an item.
#[derive(Default)]
struct OfList {
    /// Whether it names the item while no order lists its address any more. The item then still counts as listed.
    is_still_listed: bool,
    /// The listed IP that the item certainly is.
    the_one: Option<ListedIp>,
}

/// Matches the vendor's list with the items: what it says about each, and the items that only it shows.
fn matched(items: &[Box<Item>], listed: Vec<ListedIp>, making: &mut Making) -> (Vec<OfList>, Vec<Item>) {
    let mut elsewhere = Vec::new();
    if listed.is_empty() {
        return (items.iter().map(|_| OfList::default()).collect(), elsewhere);
    }
    let named = by_host(items);
    let mut fits: Vec<Vec<ListedIp>> = items.iter().map(|_| Vec::new()).collect();
    for one in listed {
        let same = named.get(one.host.as_str()).map(|all| fitting(items, all, &one)).unwrap_or_default();
        if same.is_empty() {
            elsewhere.push(making.listed(one));
            continue;
        }
        same.into_iter().for_each(|at| fits[at].push(one.clone()));
    }
    let still: HashSet<Address> =
        items.iter().filter(|item| !item.no_longer_listed).map(|item| address(item)).collect();
    let of_list = |item: &Item, fits: Vec<ListedIp>| OfList {
        is_still_listed: !fits.is_empty() && !still.contains(&address(item)),
        the_one: the_one(item, fits, items, &named),
    };
    (items.iter().zip(fits).map(|(item, fits)| of_list(item, fits)).collect(), elsewhere)
}

/// Host and port of an item.
type Address<'a> = (&'a str, u16);

fn address(item: &Item) -> Address<'_> {
    (&item.key.host, item.key.port)
}

/// When each item runs out: the latest end that anything names for its address. `ends` are those that its order and the
/// vendor's list name.
fn latest_ends(items: &[Box<Item>], ends: &[Option<i64>]) -> Vec<Option<i64>> {
    let mut latest = HashMap::<Address, i64>::with_capacity(items.len());
    for (item, end) in items.iter().zip(ends) {
        // An order that was refunded does not extend the one that sold the same address again.
        if let Some(end) = end.filter(|_| !item.no_longer_listed) {
            let known = latest.entry(address(item)).or_insert(end);
            *known = end.max(*known);
        }
    }
    items.iter().map(|item| latest.get(&address(item)).copied().max(item.ends)).collect()
}

/// The places of items by their host.
fn by_host(items: &[Box<Item>]) -> HashMap<&str, Vec<usize>> {
    let mut named = HashMap::<&str, Vec<usize>>::new();
    for (at, item) in items.iter().enumerate() {
        named.entry(&item.key.host).or_default().push(at);
    }
    named
}

/// The items of a host that may be this listed IP.
fn fitting(items: &[Box<Item>], of_host: &[usize], listed: &ListedIp) -> Vec<usize> {
    let fits = |at: &usize| listed.port.is_none_or(|port| items[*at].key.port == port);
    of_host.iter().copied().filter(fits).collect()
}

/// The listed IP that an item certainly is: the only one that fits, or the only one of its order. Renewals
/// are paid by its id, so nothing is guessed: one without a port fits only a host with a single port.
fn the_one(
    item: &Item,
    fits: Vec<ListedIp>,
    items: &[Box<Item>],
    named: &HashMap<&str, Vec<usize>>,
) -> Option<ListedIp> {
    let key = &item.key;
    let of_order = |one: &&ListedIp| !one.order_no.as_str().is_empty() && one.order_no == key.order_no;
    let mut own = fits.iter().filter(of_order);
    let one = match (fits.as_slice(), own.next(), own.next()) {
        ([one], ..) | (_, Some(one), None) => one.clone(),
        _ => return None,
    };
    let has_one_port = || named.get(&*key.host)?.iter().all(|at| items[*at].key.port == key.port).then_some(());
    if one.port.is_none() {
        has_one_port()?;
    }
    Some(one)
}

/// Clears the ids of listed IPs that share a key: an ambiguous key must not renew or hand over anything.
fn without_doubles(elsewhere: &mut [Item]) {
    let mut count = HashMap::<GoodsKey, usize>::new();
    elsewhere.iter().for_each(|item| *count.entry(item.key.clone()).or_default() += 1);
    for item in elsewhere.iter_mut().filter(|item| count.get(&item.key).is_some_and(|count| *count > 1)) {
        item.ip_id = IpId::new("");
    }
}

/// Makes items that share their places and protocols.
struct Making {
    zone: i32,
    /// Thousands of proxies are in the same few places, and speak one of two protocols.
    places: HashSet<Arc<GoodsPlace>>,
    protocols: HashSet<Arc<str>>,
}

impl Making {
    fn of(zone: i32) -> Self {
        Self { zone, places: HashSet::new(), protocols: HashSet::new() }
    }

    fn delivered(&mut self, order_no: OrderNo, one: Delivered) -> Item {
        let key = GoodsKey { order_no, host: one.host, port: one.port };
        Item { no_longer_listed: one.no_longer_listed, ..self.item(key, &one.protocol, one.about) }
    }

    fn listed(&mut self, one: ListedIp) -> Item {
        let key = GoodsKey { order_no: one.order_no, host: one.host, port: one.port.unwrap_or_default() };
        Item { elsewhere: true, ip_id: one.id, vendor_status: one.status, ..self.item(key, &one.protocol, one.about) }
    }

    /// Without its id, which may be that of another IP now, and without the status that it had.
    fn gone(&mut self, one: ListedIp) -> Item {
        let (ip_id, vendor_status) = (IpId::new(""), String::new());
        Item { ip_id, vendor_status, no_longer_listed: true, ..self.listed(one) }
    }

    /// Takes over the id and the status of a listed IP, and whatever the order does not say of it.
    fn complete(&mut self, item: &mut Item, one: ListedIp) {
        (item.ip_id, item.vendor_status) = (one.id, one.status);
        let is_bare = *item.place == GoodsPlace::default();
        if !is_bare && !item.protocol.is_empty() {
            return;
        }
        if is_bare {
            item.place = self.place(one.about);
        }
        if item.protocol.is_empty() {
            item.protocol = self.protocol(&one.protocol);
        }
    }

    fn protocol(&mut self, name: &str) -> Arc<str> {
        self.protocols.get(name).cloned().unwrap_or_else(|| {
            let name: Arc<str> = name.into();
            self.protocols.insert(name.clone());
            name
        })
    }

    fn place(&mut self, about: About) -> Arc<GoodsPlace> {
        let place = GoodsPlace {
            country_zh: about.country_zh,
            country_en: about.country_en,
            country_code: about.country_code,
            city_zh: about.city_zh,
            city_en: about.city_en,
        };
        self.places.get(&place).cloned().unwrap_or_else(|| {
            let place = Arc::new(place);
            self.places.insert(place.clone());
            place
        })
    }

    fn item(&mut self, key: GoodsKey, protocol: &str, about: About) -> Item {
        let written = WrittenTime(about.expires.clone());
        let (protocol, place) = (self.protocol(protocol), self.place(about));
        Item {
            key,
            elsewhere: false,
            ip_id: IpId::new(""),
            protocol,
            place,
            ends: written.millis(self.zone),
            expires: written.readable(self.zone),
            extended: false,
            no_longer_listed: false,
            vendor_status: String::new(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
