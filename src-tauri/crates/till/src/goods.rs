//! My IPs: every proxy that the orders of this connection delivered or the vendor's list shows, without credentials,
//! with its buyer and mark.

mod reading;
mod refusals;
mod shelf;

use std::collections::HashMap;

use goods::ends::{self, GoodsEnd};
use goods::list::{self, GoodsCounts, GoodsQuery};
use goods::row::{EndState, GoodsBuyer, GoodsRow, GoodsView, Item};
use operations::GoodsKey;
use serde::Serialize;
use ts_rs::TS;
use wire::ids::OrderNo;

use crate::Till;
use crate::customers::FoundWindow;
use crate::error::CommandError;
use crate::health::{Capability, Finding};

pub use reading::{GoodsRead, read_goods};
pub(crate) use reading::{each_detail, few_at_once, read_unopened};
pub(crate) use shelf::Shelf;

/// The result of a query.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GoodsFound {
    /// The number of the result: pass it to ask for rows.
    pub number: u32,
    /// Number of proxies found.
    pub count: usize,
    /// Number of all proxies.
    pub all: usize,
    /// Number of proxies that the search would find besides, without the filters; counted only if there is a search, or
    /// if the filters leave none.
    pub outside: usize,
    /// What each choice of each filter would show.
    pub counts: GoodsCounts,
    /// Start of the last whole reading of the vendor's list, wall clock, ms since 1970; `None`: it has none, or it was not
    /// read yet. What only an order reports is as old as that order's own last reading.
    pub read_at: Option<i64>,
    /// The first rows, so that a screen can be shown at once.
    pub rows: Vec<GoodsView>,
}

/// The number of rows to return at first: more than a screen.
const SCREEN: usize = 60;

/// Searches, filters and sorts all proxies. Does not ask the vendor.
pub async fn find_goods(till: &Till, query: GoodsQuery) -> Result<GoodsFound, CommandError> {
    let session = till.session().await?;
    // Taken before the rows: they are at least as new.
    let read_at = session.usage.store().await.ok().and_then(|store| store.ips_read_at().ok().flatten());
    let rows = session.goods.rows(&session).await?;
    let now = session.now();
    let found = crate::background::spawned(move || {
        let (places, counts) = list::select(&rows, &query, now);
        let is_counted = query.is_filtered() && (places.is_empty() || !query.search.trim().is_empty());
        let outside = if is_counted { list::count_found(&rows, &query).saturating_sub(places.len()) } else { 0 };
        let first = places.iter().take(SCREEN).filter_map(|at| rows.get(*at as usize));
        let (count, all, first) = (places.len(), rows.len(), first.map(|row| row.view(now)).collect());
        let number = session.goods.choose(rows, places);
        GoodsFound { number, count, all, outside, counts, read_at, rows: first }
    });
    found.await
}

/// Returns a window of a query's result. `changed` if later queries have replaced it.
pub async fn found_goods(till: &Till, window: FoundWindow) -> Result<Vec<GoodsView>, CommandError> {
    let session = till.session().await?;
    let chosen = session.goods.chosen(window.number).ok_or_else(CommandError::changed)?;
    let (rows, places) = &*chosen;
    let (now, shown) = (session.now(), places.iter().skip(window.first).take(window.count));
    Ok(shown.filter_map(|at| rows.get(*at as usize)).map(|row| row.view(now)).collect())
}

/// Returns the names of all proxies that a query found.
pub async fn found_goods_keys(till: &Till, number: u32) -> Result<Vec<GoodsKey>, CommandError> {
    let session = till.session().await?;
    let chosen = session.goods.chosen(number).ok_or_else(CommandError::changed)?;
    let (rows, places) = &*chosen;
    Ok(places.iter().filter_map(|at| rows.get(*at as usize)).map(|row| row.item.key.clone()).collect())
}

/// Returns the proxies of one order.
pub async fn goods_of(till: &Till, order: OrderNo) -> Result<Vec<GoodsView>, CommandError> {
    let session = till.session().await?;
    let (rows, now) = (session.goods.rows(&session).await?, session.now());
    Ok(rows.iter().filter(|row| row.item.key.order_no == order).map(|row| row.view(now)).collect())
}

/// Returns a proxy as the list shows it; nothing if it is not known any more.
pub async fn goods_named(till: &Till, key: GoodsKey) -> Result<Option<GoodsView>, CommandError> {
    let session = till.session().await?;
    let (rows, now) = (session.goods.rows(&session).await?, session.now());
    Ok(rows.iter().find(|row| row.item.key == key).map(|row| row.view(now)))
}

/// Proxies of one buyer among others.
#[derive(Debug, Serialize, TS)]
pub struct Whose {
    /// The buyer; `None` for nobody yet.
    pub buyer: Option<GoodsBuyer>,
    /// Number of proxies.
    pub count: usize,
}

/// What to know about proxies before they are handed over.
#[derive(Debug, Default, Serialize, TS)]
pub struct GoodsWhose {
    /// Whose they are now, in the order in which they were named.
    pub whose: Vec<Whose>,
    /// Those that have run out.
    pub expired: Vec<GoodsKey>,
    /// Those whose credentials cannot be read: only the vendor's list shows them, and either it does no more, or the
    /// vendor does not show single IPs, or the list gives neither an id nor an order number.
    pub unreadable: Vec<GoodsKey>,
}

/// Returns whose proxies are now, and which of them have run out.
pub async fn whose_goods(till: &Till, keys: Vec<GoodsKey>) -> Result<GoodsWhose, CommandError> {
    let session = till.session().await?;
    let (rows, now) = (session.goods.rows(&session).await?, session.now());
    let known: HashMap<&GoodsKey, &GoodsRow> = rows.iter().map(|row| (&row.item.key, row)).collect();
    let lacks_single = [Some(Finding::Absent), Some(Finding::OtherShape)];
    let shows_single = !lacks_single.contains(&session.health.finding(Capability::IpDetail));
    let mut about = GoodsWhose::default();
    for row in keys.iter().filter_map(|key| known.get(key)) {
        if !is_readable(&row.item, shows_single) {
            about.unreadable.push(row.item.key.clone());
        }
        if row.state(now) == EndState::Expired {
            about.expired.push(row.item.key.clone());
        }
        match about.whose.iter_mut().find(|one| one.buyer == row.buyer) {
            Some(one) => one.count += 1,
            None => about.whose.push(Whose { buyer: row.buyer.clone(), count: 1 }),
        }
    }
    Ok(about)
}

/// Whether the credentials of a proxy can be read: from its order, or by its id where the vendor shows single IPs.
fn is_readable(item: &Item, shows_single: bool) -> bool {
    if item.is_gone() {
        false
    } else if item.elsewhere && !item.ip_id.as_str().is_empty() {
        shows_single
    } else {
        !item.key.order_no.as_str().is_empty()
    }
}

/// Proxies that run out soon.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GoodsDue {
    /// Number of those that run out within three days.
    pub within3: usize,
    /// Number of those that run out within seven days, these included.
    pub within7: usize,
}

/// Returns how many proxies run out soon; one that several orders name counts once.
pub async fn goods_due(till: &Till, (): ()) -> Result<GoodsDue, CommandError> {
    let session = till.session().await?;
    let (rows, now) = (session.goods.rows(&session).await?, session.now());
    let counted = crate::background::spawned(move || {
        let due = |days| ends::due(&rows, now, days);
        GoodsDue { within3: due(3), within7: due(7) }
    });
    counted.await
}

/// The moments at which proxies run out.
#[derive(Debug, Serialize, TS)]
pub struct GoodsEnds {
    /// Now by the vendor's clock, ms since 1970.
    pub now: i64,
    /// The moments, in order.
    pub ends: Vec<GoodsEnd>,
    /// Number of proxies that are still listed and whose end was not reported or cannot be read.
    pub unknown: usize,
}

/// Returns when the proxies that a query shows run out.
pub async fn goods_ends(till: &Till, query: GoodsQuery) -> Result<GoodsEnds, CommandError> {
    let session = till.session().await?;
    let (rows, now) = (session.goods.rows(&session).await?, session.now());
    let gathered = crate::background::spawned(move || {
        let (places, _) = list::select(&rows, &query, now);
        let shown = || places.iter().filter_map(|at| rows.get(*at as usize));
        let unknown = shown().filter(|row| row.state(now) == EndState::Unknown).count();
        GoodsEnds { now, ends: ends::ends(shown(), now), unknown }
    });
    gathered.await
}

/// Returns the orders that hold an address with this text in it; none if the text has fewer than three characters of an
/// address, or no dot or colon.
pub async fn orders_with_ip(till: &Till, text: String) -> Result<Vec<OrderNo>, CommandError> {
    let session = till.session().await?;
    let text = text.trim().trim_start_matches('[').to_lowercase();
    let is_part = text.len() > 2 && text.chars().all(|one| one.is_ascii_hexdigit() || ".:]".contains(one));
    if !is_part || !text.contains(['.', ':']) {
        return Ok(Vec::new());
    }
    let rows = session.goods.rows(&session).await?;
    let holds = |host: &str, port: u16| format!("{host}:{port}").contains(&text) || host.contains(&text);
    let mut orders: Vec<OrderNo> = Vec::new();
    for row in rows.iter().filter(|row| holds(&row.item.key.host, row.item.key.port)) {
        // Rows of an order lie together.
        if !row.item.key.order_no.as_str().is_empty() && orders.last() != Some(&row.item.key.order_no) {
            orders.push(row.item.key.order_no.clone());
        }
    }
    Ok(orders)
}
