//! The order of rows.

use std::cmp::Ordering;
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
            Some((item.host.parse::<IpAddr>().ok()?, item.port))
        }),
        GoodsOrder::Protocol => by(places, down, |at| text(&row(at).item.protocol)),
        GoodsOrder::Place => by(places, down, |at| {
            let place = &row(at).item.place;
            text(place.country()).map(|country| (country, place.city_en.to_lowercase(), place.city_zh.clone()))
        }),
        GoodsOrder::Ends => by(places, down, |at| row(at).item.ends),
        GoodsOrder::Order => by(places, down, |at| text(row(at).item.order_no.as_str())),
        GoodsOrder::Buyer => by(places, down, |at| row(at).buyer.as_ref().and_then(|buyer| text(&buyer.name))),
        GoodsOrder::Sent => by(places, down, |at| row(at).sent.map(|sent| sent.at)),
    }
}

fn by<T: Ord>(places: &mut [u32], down: bool, key: impl Fn(u32) -> Option<T>) {
    // Compute each key once, not for every comparison.
    let mut keyed: Vec<(Option<T>, u32)> = places.iter().map(|at| (key(*at), *at)).collect();
    keyed.sort_by(|(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) if down => b.cmp(a),
        (Some(a), Some(b)) => a.cmp(b),
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Greater,
        (_, None) => Ordering::Less,
    });
    for (place, (_, at)) in places.iter_mut().zip(keyed) {
        *place = at;
    }
}
