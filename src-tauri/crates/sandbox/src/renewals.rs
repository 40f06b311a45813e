//! `renewals/quote` and `renewals/orders/place-and-pay`: the IPs of the list, for more days.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use rusqlite::{Connection, params};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wire::Amount;
use wire::ids::IpId;
use wire::renewals::RenewalQuery;

use crate::envelope::Refusal;
use crate::ips::{self, Ip};
use crate::orders::status;
use crate::pricing::{self, CURRENCY};
use crate::purchase::{answered_before, hash, number};
use crate::server::answer;
use crate::world::World;
use crate::{body, ledger, store};

pub(crate) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS renewal (
        order_no TEXT PRIMARY KEY, key TEXT UNIQUE, body_hash TEXT NOT NULL, ips TEXT NOT NULL, days INTEGER NOT NULL,
        amount TEXT NOT NULL, created INTEGER NOT NULL, answer TEXT NOT NULL) STRICT;
";

const PERIODS: [i64; 5] = [30, 60, 90, 180, 365];

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new().route("/renewals/quote", post(quote)).route("/renewals/orders/place-and-pay", post(place_and_pay))
}

async fn quote(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    answer(&world, body::required(&sent).and_then(|query| price_of(&world, &query)))
}

async fn place_and_pay(State(world): State<Arc<World>>, headers: HeaderMap, sent: Bytes) -> Response {
    let key = headers.get("x-idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    let renewed = body::required(&sent).and_then(|query| renew(&world, key.as_deref(), &sent, &query));
    answer(&world, renewed.map(|data| world.shaped("renewals/orders/place-and-pay", data)))
}

/// What a renewal concerns: the IPs that exist, what they cost, and the ids of those that do not exist.
struct Wanted {
    ips: Vec<Ip>,
    amount: Decimal,
    unknown: Vec<IpId>,
}

fn wanted(world: &World, ledger: &Connection, query: &RenewalQuery) -> Result<Wanted, Refusal> {
    if query.resource_ids.is_empty() {
        return Err(Refusal::body("resourceIds: at least one"));
    }
    if !PERIODS.contains(&query.period_days) {
        return Err(Refusal::body("periodDays: no such choice"));
    }
    let (mut ips, mut unknown, mut amount, now) = (Vec::new(), Vec::new(), Decimal::ZERO, world.clock.now());
    for id in &query.resource_ids {
        match ips::find(ledger, id, now) {
            Ok(ip) => {
                amount += pricing::renewal(ip.config(), query.period_days, world.price_list());
                ips.push(ip);
            }
            Err(_) => unknown.push(id.clone()),
        }
    }
    if ips.is_empty() {
        return Err(Refusal::business("60401", "unknown IP"));
    }
    Ok(Wanted { ips, amount: pricing::cents(amount), unknown })
}

fn price_of(world: &World, query: &RenewalQuery) -> Result<Value, Refusal> {
    let Wanted { amount, .. } = wanted(world, &world.ledger.lock(), query)?;
    Ok(world.shaped("renewals/quote", json!({"amount": number(amount), "currency": CURRENCY})))
}

/// A renewal in the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LedgerRenewal {
    /// The number of its order.
    pub order_no: String,
    /// The idempotency key it was paid under.
    pub key: Option<String>,
    /// Amount charged, USD.
    pub amount: Amount,
    /// Ids of the IPs that were renewed.
    pub ips: Vec<String>,
    /// Days added.
    pub days: i64,
}

/// Every renewal, oldest first.
pub(crate) fn renewals(ledger: &Connection) -> rusqlite::Result<Vec<LedgerRenewal>> {
    let mut query =
        ledger.prepare("SELECT order_no, key, amount, ips, days FROM renewal ORDER BY created, order_no")?;
    let renewal = |row: &rusqlite::Row<'_>| {
        let (amount, ips): (String, String) = (row.get(2)?, row.get(3)?);
        let (amount, ips) = (amount.parse().unwrap_or_default(), serde_json::from_str(&ips).unwrap_or_default());
        Ok(LedgerRenewal { order_no: row.get(0)?, key: row.get(1)?, amount, ips, days: row.get(4)? })
    };
    query.query_map([], renewal)?.collect()
}

/// Pays and renews in one transaction. The same key with the same body gets the first answer again.
fn renew(world: &World, key: Option<&str>, sent: &[u8], query: &RenewalQuery) -> Result<Value, Refusal> {
    let body_hash = hash(sent);
    let mut ledger = world.ledger.lock();
    let transaction = ledger.transaction()?;
    if let Some(answered) = answered_before(&transaction, "renewal", key, &body_hash)? {
        return Ok(answered);
    }
    let Wanted { ips, amount, unknown } = wanted(world, &transaction, query)?;
    let balance = ledger::balance(&transaction)?;
    if balance < amount {
        return Err(Refusal::business("60004", "wallet balance insufficient"));
    }
    transaction.execute("UPDATE wallet SET balance = ?1", [(balance - amount).to_string()])?;
    for ip in &ips {
        ips::renew(&transaction, ip, query.period_days)?;
    }
    let errors: Vec<Value> = unknown.iter().map(|id| json!({"resourceId": id, "message": "unknown IP"})).collect();
    let order_no = store::next_id(&transaction)?;
    let answer = json!({
        "orderNo": order_no, "orderId": store::next_id(&transaction)?,
        "status": status::COMPLETED, "amount": number(amount), "currency": CURRENCY,
        "successCount": ips.len(), "failCount": errors.len(), "errors": errors,
    });
    let renewed: Vec<String> = ips.iter().map(Ip::id).collect();
    transaction.execute(
        "INSERT INTO renewal VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            order_no,
            key,
            body_hash,
            json!(renewed).to_string(),
            query.period_days,
            amount.to_string(),
            world.clock.now(),
            answer.to_string()
        ],
    )?;
    transaction.commit()?;
    Ok(answer)
}
