//! `/open/customer/list`: the agent's customers, made from the seed, with the traffic they have left now.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::envelope;
use crate::paging::{Page, Paging, Wrong};
use crate::random::mix;
use crate::usage::mb;
use crate::world::World;

pub(crate) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS customer (
        at INTEGER PRIMARY KEY, user_name TEXT NOT NULL UNIQUE, recharged INTEGER NOT NULL) STRICT;
";

const NAMES: [&str; 12] = ["ali", "bob", "chen", "dina", "emil", "fang", "gita", "hugo", "ines", "jun", "kofi", "lena"];
const FIRST_ID: i64 = 100_000;
const PAGE: usize = 10;
const LARGEST_PAGE: usize = 1000;

/// The id that the interface shows.
pub(crate) fn id(at: u32) -> i64 {
    FIRST_ID + i64::from(at)
}

/// The index of the customer with an id.
pub(crate) fn at(id: i64) -> Option<u32> {
    u32::try_from(id - FIRST_ID).ok()
}

/// The name of a customer of a new world.
pub(crate) fn name(seed: u64, at: u32) -> String {
    let dice = mix(seed, &format!("customer {at}"));
    format!("{}{}@example.com", NAMES[dice as usize % NAMES.len()], at + 1)
}

/// Traffic given to each customer, in millionths of a MB.
pub(crate) fn recharged(ledger: &Connection) -> rusqlite::Result<Vec<i64>> {
    let mut query = ledger.prepare_cached("SELECT recharged FROM customer ORDER BY at")?;
    query.query_map([], |row| row.get(0))?.collect()
}

/// Traffic given to one customer, in millionths of a MB; 0 if there is none with this index.
pub(crate) fn recharged_of(ledger: &Connection, at: u32) -> rusqlite::Result<i64> {
    let mut query = ledger.prepare_cached("SELECT recharged FROM customer WHERE at = ?1")?;
    Ok(query.query_row([at], |row| row.get(0)).optional()?.unwrap_or_default())
}

/// Every user name.
pub(crate) fn names(ledger: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut query = ledger.prepare_cached("SELECT user_name FROM customer ORDER BY at")?;
    query.query_map([], |row| row.get(0))?.collect()
}

/// One user name, if the customer exists.
pub(crate) fn find(ledger: &Connection, at: u32) -> rusqlite::Result<Option<String>> {
    ledger.query_row("SELECT user_name FROM customer WHERE at = ?1", [at], |row| row.get(0)).optional()
}

/// Adds a customer, without traffic.
pub(crate) fn add(ledger: &Connection, name: &str) -> rusqlite::Result<u32> {
    let next: u32 = ledger.query_row("SELECT coalesce(max(at) + 1, 0) FROM customer", [], |row| row.get(0))?;
    ledger.execute("INSERT INTO customer VALUES (?1, ?2, 0)", params![next, name])?;
    Ok(next)
}

/// Traffic given to all customers together, in millionths of a MB.
pub(crate) fn given(ledger: &Connection) -> rusqlite::Result<i64> {
    ledger.prepare_cached("SELECT coalesce(sum(recharged), 0) FROM customer")?.query_row([], |row| row.get(0))
}

/// Gives traffic, or takes it back.
pub(crate) fn change(ledger: &Connection, at: u32, micro: i64) -> rusqlite::Result<()> {
    ledger.execute("UPDATE customer SET recharged = recharged + ?2 WHERE at = ?1", params![at, micro]).map(|_| ())
}

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new().route("/open/customer/list", get(list))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListQuery {
    #[serde(default)]
    user_name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CustomerRow<'a> {
    traffic_count: Box<RawValue>,
    residual_flow: Box<RawValue>,
    customer_id: i64,
    user_name: &'a str,
}

async fn list(
    State(world): State<Arc<World>>,
    Query(query): Query<ListQuery>,
    Query(paging): Query<Paging>,
) -> Response {
    tell_list(&world, query.user_name.trim(), &paging).unwrap_or_else(Wrong::respond)
}

fn tell_list(world: &World, wanted: &str, paging: &Paging) -> Result<Response, Wrong> {
    let (page, wanted) = (paging.page(PAGE, LARGEST_PAGE)?, wanted.to_lowercase());
    let ledger = world.ledger.lock();
    world.catch_up(&ledger)?;
    let (total, shown) = listed(&ledger, &wanted, &page)?;
    let consumed = world.consumed_by(&ledger, shown.iter().map(|one| (one.at, one.recharged)))?;
    let rows = shown.iter().zip(consumed).map(|(one, consumed)| CustomerRow {
        traffic_count: mb(one.recharged),
        residual_flow: mb(one.recharged - consumed),
        customer_id: id(one.at),
        user_name: &one.name,
    });
    Ok(envelope::page(total, rows.collect::<Vec<_>>()))
}

struct Listed {
    at: u32,
    name: String,
    recharged: i64,
}

/// The customers of a page whose names contain a text in lower case, and the number of those on all pages.
fn listed(ledger: &Connection, wanted: &str, page: &Page) -> rusqlite::Result<(i64, Vec<Listed>)> {
    let one = |row: &Row<'_>| Ok(Listed { at: row.get(0)?, name: row.get(1)?, recharged: row.get(2)? });
    let all = "SELECT at, user_name, recharged FROM customer ORDER BY at LIMIT ?1 OFFSET ?2";
    let mut query = ledger.prepare_cached(all)?;
    if wanted.is_empty() {
        // Asked for most often, so it reads the page alone.
        let total = ledger.prepare_cached("SELECT count(*) FROM customer")?.query_row([], |row| row.get(0))?;
        let [size, first] = [page.size, page.first].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        return Ok((total, query.query_map([size, first], one)?.collect::<rusqlite::Result<_>>()?));
    }
    let mut fits = Vec::new();
    for one in query.query_map([-1, 0], one)? {
        fits.extend(Some(one?).filter(|one| one.name.to_lowercase().contains(wanted)));
    }
    Ok((fits.len() as i64, fits.into_iter().skip(page.first).take(page.size).collect()))
}
