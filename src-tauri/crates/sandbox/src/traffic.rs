//! The traffic ledger: records, totals, recharge, deduction.

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

use crate::clock::written;
use crate::paging::{Days, Paging, Wrong};
use crate::random::mix_numbers;
use crate::usage::{self, Usage, ZONE, mb};
use crate::world::World;
use crate::{customers, envelope};
use wire::{Amount, Day};

pub(crate) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS traffic_record (
        number INTEGER PRIMARY KEY, list TEXT NOT NULL, customer INTEGER NOT NULL, account TEXT NOT NULL,
        micro INTEGER NOT NULL, kind TEXT NOT NULL, create_id INTEGER NOT NULL, create_by TEXT NOT NULL,
        created INTEGER NOT NULL, shown INTEGER NOT NULL, by_call INTEGER NOT NULL DEFAULT 0, order_id TEXT) STRICT;
    CREATE INDEX IF NOT EXISTS traffic_record_list ON traffic_record (list, created);
    CREATE UNIQUE INDEX IF NOT EXISTS traffic_order ON traffic_record (order_id) WHERE order_id IS NOT NULL;
    CREATE TABLE IF NOT EXISTS agent_traffic (
        one INTEGER PRIMARY KEY CHECK (one = 1), primary_all INTEGER NOT NULL, secondary_all INTEGER NOT NULL) STRICT;
";

/// Which list a row belongs to.
mod list {
    pub(super) const RECHARGE: &str = "recharge";
    pub(super) const CONSUMPTION: &str = "consumption";
    pub(super) const RECEIVED: &str = "received";
}

const RECHARGED: &str = "充值";
const CONSUMED: &str = "消耗";
const DEDUCTED: &str = "扣减";
const AGENT_ID: i64 = 9001;
const AGENT: &str = "practice-agent";
const VENDOR_ID: i64 = 1;
const VENDOR: &str = "vendor";
const DAY: i64 = 86_400_000;
const GB: i64 = 1024 * 1_000_000;
/// What the `factor-1000` fault counts a GB as.
const SHORT_GB: i64 = 1000 * 1_000_000;

/// A new world's customers with their past: recharges that carry the year's use, monthly consumption.
pub(crate) fn populate(ledger: &Connection, seed: u64, count: u32, now: i64) -> rusqlite::Result<()> {
    let known: i64 = ledger.query_row("SELECT count(*) FROM customer", [], |row| row.get(0))?;
    if known > 0 || count == 0 {
        return Ok(());
    }
    let today = Day::of(now, ZONE);
    let usage = Usage::open(ledger, seed, count, today)?;
    let transaction = ledger.unchecked_transaction()?;
    let mut given = 0;
    for (at, used) in (0..count).zip(usage.consumed_through_yesterday()) {
        let dice = mix_numbers(seed, u64::from(at), 7);
        let per_day = usage::wanted(seed, at, today).both().max(GB / 100);
        // Every twelfth is near the end; the others have for weeks or months.
        let days_left = if at % 12 == 5 { 1 + (dice % 4) as i64 } else { 20 + (dice % 150) as i64 };
        let recharged = (used + per_day * days_left) / GB * GB + GB;
        given += recharged;
        let name = customers::name(seed, at);
        transaction.execute("INSERT INTO customer VALUES (?1, ?2, ?3)", params![at, name, recharged])?;
        let parts = 1 + (dice >> 8) as i64 % 4;
        for part in 0..parts {
            let micro = if part == 0 { recharged - recharged / parts * (parts - 1) } else { recharged / parts };
            let created = now - (360 - part * 80) * DAY + (dice % 40_000_000) as i64;
            let row = Row::of_agent(list::RECHARGE, at, &name, micro, RECHARGED, created);
            row.write(&transaction, created, None)?;
        }
        let mut month = today.month_start();
        for _ in 0..6 {
            let first = month.plus(-1).month_start();
            let used: i64 = (first.days()..month.days()).map(|day| usage.of(at, Day::new(day)).both()).sum();
            if used > 0 {
                let created = i64::from(month.days()) * DAY - i64::from(ZONE) * 60_000 + i64::from(at);
                Row::of_agent(list::CONSUMPTION, at, &name, -used, CONSUMED, created).write(
                    &transaction,
                    created,
                    None,
                )?;
            }
            month = first;
        }
    }
    let own = (given / GB + 200_000) * 2 * GB;
    for month in 0..12 {
        let created = now - month * 30 * DAY;
        let row = Row {
            create_id: VENDOR_ID,
            create_by: VENDOR,
            ..Row::of_agent(list::RECEIVED, 0, AGENT, own / 12, RECHARGED, created)
        };
        row.write(&transaction, created, None)?;
    }
    transaction.execute("INSERT OR REPLACE INTO agent_traffic VALUES (1, ?1, ?2)", params![100 * GB, own / 12 * 12])?;
    transaction.commit()
}

/// A row of the ledger.
struct Row<'a> {
    list: &'static str,
    customer: u32,
    account: &'a str,
    micro: i64,
    kind: &'static str,
    create_id: i64,
    create_by: &'static str,
    created: i64,
    by_call: bool,
}

impl<'a> Row<'a> {
    fn of_agent(
        list: &'static str,
        customer: u32,
        account: &'a str,
        micro: i64,
        kind: &'static str,
        created: i64,
    ) -> Self {
        Self { list, customer, account, micro, kind, create_id: AGENT_ID, create_by: AGENT, created, by_call: false }
    }

    fn write(&self, ledger: &Transaction<'_>, shown: i64, order_id: Option<&str>) -> rusqlite::Result<()> {
        let mut insert = ledger.prepare_cached(
            "INSERT INTO traffic_record (list, customer, account, micro, kind, create_id, create_by, created, shown, by_call, order_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?;
        insert
            .execute(params![
                self.list,
                self.customer,
                self.account,
                self.micro,
                self.kind,
                self.create_id,
                self.create_by,
                self.created,
                shown,
                self.by_call,
                order_id
            ])
            .map(|_| ())
    }
}

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
    // "account: source recharge account" is who gave it.
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
    let ledger = world.ledger_lock();
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

/// `account` is the traffic that comes with static IPs, `account2` what is sold on.
fn tell_totals(world: &World) -> Result<Response, Wrong> {
    let ledger = world.ledger_lock();
    world.catch_up(&ledger)?;
    let (primary, secondary) = own(&ledger)?;
    let given: i64 = customers::recharged(&ledger)?.iter().sum();
    let consumed = primary / 1000 * (mix_numbers(world.seed(), 0, 11) % 700) as i64;
    let total = |all: i64, used: i64| json!({"flowCount": mb(all), "consumeFlow": mb(used), "residualFlow": mb(all - used), "residualFlow ": mb(all - used)});
    Ok(envelope::agent_data(json!({"account": total(primary, consumed), "account2": total(secondary, given)})))
}

/// The agent's own traffic, primary and secondary, millionths of a MB.
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

/// What a write answers: code and message only.
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

/// A positive amount in GB as millionths of a MB.
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
    let mut ledger = world.ledger_lock();
    world.catch_up(&ledger)?;
    let transaction = ledger.transaction()?;
    let seen = "SELECT 1 FROM traffic_record WHERE order_id = ?1";
    if transaction.query_row(seen, [&query.order_id], |_| Ok(())).optional()?.is_some() {
        return Ok(Moved::AlreadyDone);
    }
    let Some((at, name)) = named(&transaction, at)? else { return Ok(Moved::NotOurs) };
    let micro = amount(world, &query.traffic_count)?;
    let given: i64 = customers::recharged(&transaction)?.iter().sum();
    if own(&transaction)?.1 - given < micro {
        return Err(Wrong("您的剩余流量不足".into()));
    }
    write(world, transaction, at, &name, micro, Some(&query.order_id))
}

fn take(world: &World, query: &MoveQuery) -> Result<Moved, Wrong> {
    let at = customer(query)?;
    let mut ledger = world.ledger_lock();
    let consumed = world.consumed(&ledger)?;
    let transaction = ledger.transaction()?;
    let Some((at, name)) = named(&transaction, at)? else { return Ok(Moved::NotOurs) };
    let micro = amount(world, &query.traffic_count)?;
    let recharged = customers::recharged(&transaction)?;
    let of = |all: &[i64]| all.get(at as usize).copied().unwrap_or_default();
    if of(&recharged) - of(&consumed) < micro {
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
    customers::change(&transaction, at, micro)?;
    let (list, kind) = if micro > 0 { (list::RECHARGE, RECHARGED) } else { (list::CONSUMPTION, DEDUCTED) };
    let row = Row { by_call: true, ..Row::of_agent(list, at, name, micro, kind, now) };
    row.write(&transaction, now + world.takes_lag(), order_id)?;
    transaction.commit()?;
    Ok(Moved::Done)
}

/// A move of traffic that somebody asked for, as it stands in the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LedgerMove {
    /// Whose traffic.
    pub customer_id: i64,
    /// MB; negative when taken back.
    pub mb: Amount,
    /// `orderId` of a recharge.
    pub order_id: Option<String>,
    /// Service clock, milliseconds since 1970.
    pub at: i64,
}

/// Every move that was asked for, oldest first.
pub(crate) fn moves(ledger: &Connection) -> rusqlite::Result<Vec<LedgerMove>> {
    let mut query = ledger
        .prepare("SELECT customer, micro, order_id, created FROM traffic_record WHERE by_call = 1 ORDER BY number")?;
    let rows = query.query_map([], |row| {
        let mb = Amount::new(Decimal::new(row.get(1)?, 6));
        Ok(LedgerMove { customer_id: customers::id(row.get(0)?), mb, order_id: row.get(2)?, at: row.get(3)? })
    })?;
    rows.collect()
}
