//! Serves the traffic ledger: records, totals, recharge, deduction.

mod records;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

pub use records::LedgerMove;
use records::{AGENT_ID, DAY, GB, list, move_by};
pub(crate) use records::{Operator, SCHEMA, moves, populate, use_more};

use crate::clock::written;
use crate::paging::{Days, Paging, Wrong};
use crate::random::mix_numbers;
use crate::usage::{ZONE, mb};
use crate::world::World;
use crate::{customers, envelope};
use wire::Day;

/// Size of a GB under the fault `factor-1000`.
const SHORT_GB: i64 = 1000 * 1_000_000;

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new()
        .route("/open/dynamic/myRechargeFlowList", get(given))
        .route("/open/dynamic/rechargeFlowListForMe", get(received))
        .route("/api/agent/getFlowTotalFull", get(totals))
        .route("/api/agent/rechargeTrafficCount", get(recharge))
        .route("/api/agent/deductionFlow", get(deduct))
}

/// "pageSize default 10".
const PAGE: usize = 10;
const LARGEST_PAGE: usize = 1000;

#[derive(Deserialize)]
struct RecordsQuery {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    account: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecordRow {
    customer_id: i64,
    account: String,
    flow_count: Box<RawValue>,
    type_desc: String,
    create_id: i64,
    create_by: String,
    create_time: String,
}

async fn given(
    State(world): State<Arc<World>>,
    Query(query): Query<RecordsQuery>,
    Query(paging): Query<Paging>,
    Query(days): Query<Days>,
) -> Response {
    let list = match query.kind.as_str() {
        "" | "0" => list::RECHARGE,
        "1" => list::CONSUMPTION,
        _ => return Wrong("type: 0 or 1".into()).respond(),
    };
    records(&world, list, "account", &query.account, &paging, &days).unwrap_or_else(Wrong::respond)
}

async fn received(
    State(world): State<Arc<World>>,
    Query(query): Query<RecordsQuery>,
    Query(paging): Query<Paging>,
    Query(days): Query<Days>,
) -> Response {
    // "account: source recharge account" is the giver.
    records(&world, list::RECEIVED, "create_by", &query.account, &paging, &days).unwrap_or_else(Wrong::respond)
}

fn records(
    world: &World,
    list: &str,
    column: &str,
    account: &str,
    paging: &Paging,
    days: &Days,
) -> Result<Response, Wrong> {
    let page = paging.page(PAGE, LARGEST_PAGE)?;
    let (from, to) = days.span()?;
    let start = |day: Day| i64::from(day.days()) * DAY - i64::from(ZONE) * 60_000;
    let fits = format!(
        "FROM traffic_record WHERE list = ?1 AND created >= ?2 AND created < ?3 AND shown <= ?4 AND (?5 = '' OR {column} = ?5)"
    );
    let ledger = world.ledger.lock();
    world.catch_up(&ledger)?;
    let (first, behind, now) = (start(from), start(to.plus(1)), world.clock.now());
    let total = ledger
        .prepare_cached(&format!("SELECT count(*) {fits}"))?
        .query_row(params![list, first, behind, now, account], |row| row.get(0))?;
    let mut query = ledger.prepare_cached(&format!(
        "SELECT customer, account, micro, kind, create_id, create_by, created {fits} ORDER BY created DESC, number DESC LIMIT ?6 OFFSET ?7"
    ))?;
    let limits = (page.size as i64, page.first as i64);
    let rows = query.query_map(params![list, first, behind, now, account, limits.0, limits.1], |row| {
        Ok(RecordRow {
            customer_id: if list == list::RECEIVED { AGENT_ID } else { customers::id(row.get(0)?) },
            account: row.get(1)?,
            flow_count: mb(row.get(2)?),
            type_desc: row.get(3)?,
            create_id: row.get(4)?,
            create_by: row.get(5)?,
            create_time: written(row.get(6)?),
        })
    })?;
    Ok(envelope::page(total, rows.collect::<rusqlite::Result<Vec<_>>>()?))
}

async fn totals(State(world): State<Arc<World>>) -> Response {
    tell_totals(&world).unwrap_or_else(Wrong::respond)
}

/// `account` is the traffic that comes with static IPs, `account2` the traffic to be resold.
fn tell_totals(world: &World) -> Result<Response, Wrong> {
    let ledger = world.ledger.lock();
    world.catch_up(&ledger)?;
    let (primary, secondary) = own(&ledger)?;
    let given = customers::given(&ledger)?;
    let consumed = primary / 1000 * (mix_numbers(world.seed(), 0, 11) % 700) as i64;
    let total = |all: i64, used: i64| json!({"flowCount": mb(all), "consumeFlow": mb(used), "residualFlow": mb(all - used), "residualFlow ": mb(all - used)});
    Ok(envelope::agent_data(json!({"account": total(primary, consumed), "account2": total(secondary, given)})))
}

/// The agent's own traffic, primary and secondary, in millionths of a MB.
fn own(ledger: &Connection) -> rusqlite::Result<(i64, i64)> {
    let all = "SELECT primary_all, secondary_all FROM agent_traffic";
    Ok(ledger.query_row(all, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()?.unwrap_or_default())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MoveQuery {
    #[serde(default)]
    customer_id: String,
    #[serde(default)]
    order_id: String,
    #[serde(default)]
    traffic_count: String,
}

/// The outcome of a write, answered with code and message only.
enum Moved {
    Done,
    AlreadyDone,
    NotOurs,
}

fn tell(moved: Result<Moved, Wrong>) -> Response {
    match moved {
        Ok(Moved::Done) => envelope::agent_said(200, "操作成功"),
        Ok(Moved::AlreadyDone) => envelope::agent_said(203, "该订单已处理"),
        Ok(Moved::NotOurs) => envelope::agent_said(204, "该客户不是您的渠道客户"),
        Err(wrong) => envelope::agent_said(500, &wrong.0),
    }
}

async fn recharge(State(world): State<Arc<World>>, Query(query): Query<MoveQuery>) -> Response {
    tell(give(&world, &query))
}

async fn deduct(State(world): State<Arc<World>>, Query(query): Query<MoveQuery>) -> Response {
    tell(take(&world, &query))
}

/// Reads a positive amount in GB as millionths of a MB.
fn amount(world: &World, text: &str) -> Result<i64, Wrong> {
    let wrong = || Wrong("trafficCount: a number of GB above 0".into());
    let gb: Decimal = text.trim().parse().map_err(|_| wrong())?;
    let unit = if world.counts_short() { SHORT_GB } else { GB };
    let micro = gb.checked_mul(Decimal::from(unit)).and_then(|micro| micro.round().to_i64());
    micro.filter(|micro| *micro > 0).ok_or_else(wrong)
}

fn customer(query: &MoveQuery) -> Result<Option<u32>, Wrong> {
    if query.customer_id.is_empty() {
        return Err(Wrong("customerId: missing".into()));
    }
    Ok(query.customer_id.parse().ok().and_then(customers::at))
}

/// "orderId: used to prevent duplicate processing".
fn give(world: &World, query: &MoveQuery) -> Result<Moved, Wrong> {
    let at = customer(query)?;
    if query.order_id.is_empty() {
        return Err(Wrong("orderId: missing".into()));
    }
    let mut ledger = world.ledger.lock();
    world.catch_up(&ledger)?;
    let transaction = ledger.transaction()?;
    let seen = "SELECT 1 FROM traffic_record WHERE order_id = ?1";
    if transaction.query_row(seen, [&query.order_id], |_| Ok(())).optional()?.is_some() {
        return Ok(Moved::AlreadyDone);
    }
    let Some((at, name)) = named(&transaction, at)? else { return Ok(Moved::NotOurs) };
    let micro = amount(world, &query.traffic_count)?;
    let given = customers::given(&transaction)?;
    if own(&transaction)?.1 - given < micro {
        return Err(Wrong("您的剩余流量不足".into()));
    }
    write(world, transaction, at, &name, micro, Some(&query.order_id))
}

fn take(world: &World, query: &MoveQuery) -> Result<Moved, Wrong> {
    let at = customer(query)?;
    let mut ledger = world.ledger.lock();
    world.catch_up(&ledger)?;
    let recharged = at.map(|at| customers::recharged_of(&ledger, at)).transpose()?.unwrap_or_default();
    let consumed = world.consumed_by(&ledger, at.map(|at| (at, recharged)).into_iter())?;
    let transaction = ledger.transaction()?;
    let Some((at, name)) = named(&transaction, at)? else { return Ok(Moved::NotOurs) };
    let micro = amount(world, &query.traffic_count)?;
    let left = recharged - consumed.iter().sum::<i64>();
    if left < micro {
        return Err(Wrong("客户剩余流量不足".into()));
    }
    write(world, transaction, at, &name, -micro, None)
}

fn named(ledger: &Transaction<'_>, at: Option<u32>) -> rusqlite::Result<Option<(u32, String)>> {
    let Some(at) = at else { return Ok(None) };
    Ok(customers::find(ledger, at)?.map(|name| (at, name)))
}

fn write(
    world: &World,
    transaction: Transaction<'_>,
    at: u32,
    name: &str,
    micro: i64,
    order_id: Option<&str>,
) -> Result<Moved, Wrong> {
    let now = world.clock.now();
    let shown = now + world.takes_lag();
    move_by(&transaction, Operator::AGENT, (at, name), micro, (now, shown), order_id)?;
    transaction.commit()?;
    Ok(Moved::Done)
}

/// Moves traffic without a call. `gb`: a negative number takes.
pub(crate) fn move_in_console(
    world: &World,
    ledger: &Connection,
    operator: Operator,
    at: u32,
    gb: i64,
) -> rusqlite::Result<()> {
    let Some(name) = customers::find(ledger, at)? else { return Ok(()) };
    let (transaction, now) = (ledger.unchecked_transaction()?, world.clock.now());
    move_by(&transaction, operator, (at, &name), gb * GB, (now, now), None)?;
    transaction.commit()
}
