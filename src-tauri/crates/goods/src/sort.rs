//! The order of rows.

use std::net::IpAddr;

use crate::list::GoodsOrder;
use crate::row::GoodsRow;

/// Sorts rows by a column. What is unknown comes last in either direction; equal rows keep their order.
pub(crate) fn sort(rows: &[GoodsRow], places: &mut [u32], order: GoodsOrder, down: bool) {
    let row = |at: u32| &rows[at as usize];
    let text = |text: &str| Some(text.to_lowercase()).filter(|text| !text.is_empty());
    match order {
        GoodsOrder::Added if down => places.reverse(),
        GoodsOrder::Added => {}
        GoodsOrder::Address => by(places, down, |at| {
            let item = &row(at).item;
            Some((address_bits(item.key.host.parse().ok()?), item.key.port))
        }),
        GoodsOrder::Protocol => by(places, down, |at| text(&row(at).item.protocol)),
        GoodsOrder::Place => by(places, down, |at| {
            let place = &row(at).item.place;
            text(place.country()).map(|country| (country, place.city_en.to_lowercase(), place.city_zh.clone()))
        }),
        GoodsOrder::Ends => by(places, down, |at| row(at).item.ends),
        GoodsOrder::Order => by(places, down, |at| text(row(at).item.key.order_no.as_str())),
        GoodsOrder::Buyer => by(places, down, |at| row(at).buyer.as_ref().and_then(|buyer| text(&buyer.name))),
        GoodsOrder::Sent => by(places, down, |at| row(at).sent.map(|sent| sent.at)),
    }
}

/// An address as a number that sorts like it, IPv4 first, and is quick to compare.
fn address_bits(address: IpAddr) -> (bool, u128) {
    match address {
        IpAddr::V4(address) => (false, u128::from(address.to_bits())),
        IpAddr::V6(address) => (true, address.to_bits()),
    }
}

fn by<T: Ord>(places: &mut [u32], down: bool, key: impl Fn(u32) -> Option<T>) {
    // Compute each key once, not for every comparison.
    let mut known: Vec<(T, u32)> = Vec::with_capacity(places.len());
    let mut unknown: Vec<u32> = Vec::new();
    for &at in places.iter() {
        match key(at) {
            Some(key) => known.push((key, at)),
            None => unknown.push(at),
        }
    }
    // Equal keys compare by place, so that equal rows keep their order.
    known.sort_unstable_by(|(a, at), (b, then)| if down { b.cmp(a) } else { a.cmp(b) }.then(at.cmp(then)));
    for (place, at) in places.iter_mut().zip(known.into_iter().map(|(_, at)| at).chain(unknown)) {
        *place = at;
    }
}
