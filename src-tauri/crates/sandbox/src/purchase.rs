//! `purchase/…`: options, quote, place-and-pay.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use rusqlite::{OptionalExtension, Transaction, params};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wire::ids::{QuoteId, QuoteVersion};
use wire::purchase::{PurchaseConfig, QuotaItem};

use crate::envelope::Refusal;
use crate::lines::{self, Taken};
use crate::orders::status;
use crate::places::PLACES;
use crate::pricing::{self, CURRENCY, Price, PriceList};
use crate::server::answer;
use crate::stock;
use crate::world::World;
use crate::{body, ledger, purchase_options, store};

/// A config for three IPs in Japan, 8.55 USD at the default prices. For tests.
pub const THREE_IN_JAPAN: &str = r#"{"sellMode":1,"lineType":"basic","businessId":"1001","isUdp":false,"bandwidthLimit":10,"connLimit":100,"days":30,"allocateStrategy":1,"purchaseIpCount":3,"quotaItems":[{"type":"country_random","quantity":3,"countryCode":"JP"}]}"#;

/// A partial delivery is completed after this time, in milliseconds of the service's clock.
const LATE_DELIVERY: i64 = 60 * 1000;

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new()
        .route("/purchase/options", get(options))
        .route("/purchase/quote", post(quote))
        .route("/purchase/orders/place-and-pay", post(place_and_pay))
}

async fn options(State(world): State<Arc<World>>) -> Response {
    answer(&world, Ok(world.options_answer().unwrap_or_else(purchase_options::all)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct QuoteRequest {
    config: Value,
    #[serde(default)]
    client_quote_version: Option<QuoteVersion>,
}

async fn quote(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    answer(&world, body::required(&sent).and_then(|request| make_quote(&world, &request)))
}

/// The version of a quote: "Changes when the configuration or the price list does."
fn version_of(config: &str, list: PriceList) -> String {
    hash(format!("{} {config}", list.0).as_bytes()).split_off(48)
}

fn read_config(config: &Value) -> Result<PurchaseConfig, Refusal> {
    let text = config.to_string();
    let config: PurchaseConfig = body::required(text.as_bytes()).map_err(|refusal| refusal.below("config"))?;
    lines::check(&config)?;
    if !purchase_options::is_purpose(config.business_id.as_str()) {
        return Err(Refusal::body("config.businessId: no such purpose"));
    }
    Ok(config)
}

fn make_quote(world: &World, request: &QuoteRequest) -> Result<Value, Refusal> {
    let config = read_config(&request.config)?;
    let list = world.price_list();
    let price = pricing::price(&config, list)?;
    let text = request.config.to_string();
    let version = version_of(&text, list);
    let changed = request.client_quote_version.as_ref().is_some_and(|seen| seen.as_str() != version);
    let expires_at = world.clock.now() + world.options.price_life;
    let ledger = world.ledger.lock();
    let quote_id = store::next_id(&ledger)?;
    ledger.execute(
        "INSERT INTO quote VALUES (?1, ?2, ?3, ?4, ?5)",
        params![quote_id, version, text, price.amount.to_string(), expires_at],
    )?;
    let data = json!({
        "quoteId": quote_id,
        "quoteVersion": version,
        "quoteVersionChanged": changed,
        "amount": number(price.amount),
        "currency": CURRENCY,
        "expiresAt": expires_at,
        "regionLines": region_lines(&config, &price),
        "orderSummary": summary(&price),
    });
    Ok(world.shaped("purchase/quote", data))
}

/// A JSON number with the decimal's own digits (money has few, so `Value` keeps them).
pub(crate) fn number(value: Decimal) -> Option<Box<RawValue>> {
    RawValue::from_string(value.to_string()).ok()
}

/// One line for each place or segment; all given IPs share one line.
fn region_lines(config: &PurchaseConfig, price: &Price) -> Vec<Value> {
    let line = |kind: &str, zh: &str, en: &str, quantity: i64| {
        let original = price.unit * Decimal::from(quantity) * Decimal::from(config.days);
        json!({
            "type": kind, "nameZh": zh, "nameEn": en, "quantity": quantity,
            "unitPrice": number(price.unit.normalize()), "amount": number(pricing::cents(original)),
        })
    };
    let quota = config.quota_items.iter().map(|item| {
        let (zh, en) = place_names(item);
        let kind = json!(item.kind);
        line(kind.as_str().unwrap_or_default(), zh, en, item.quantity)
    });
    let segments =
        config.segment_items.iter().map(|item| line("segment", &item.cidr, &item.cidr, item.purchase_ip_count));
    let ips = config.specific_ip_items.len() as i64;
    let given = (ips > 0).then(|| line("specific_ip", "指定 IP", "Chosen IPs", ips));
    quota.chain(segments).chain(given).collect()
}

/// Chinese and English name of the line's place.
fn place_names(line: &QuotaItem) -> (&str, &str) {
    let city = line.city_id.as_ref().and_then(|id| PLACES.city(id));
    let country = line.country_code.as_ref().and_then(|code| PLACES.country(code));
    let continent =
        PLACES.continents.iter().find(|continent| Some(&continent.continent_id) == line.continent_id.as_ref());
    let names = city.map(|city| (&city.name_zh, &city.name_en));
    let names = names.or(country.map(|country| (&country.name_zh, &country.name_en)));
    let names = names.or(continent.map(|continent| (&continent.name_zh, &continent.name_en)));
    names.map_or(("全球", "Anywhere"), |(zh, en)| (zh.as_str(), en.as_str()))
}

fn summary(price: &Price) -> Value {
    let after_duration = price.original * price.duration_rate;
    let discount = |kind: &str, zh: &str, en: &str, rate: Decimal, off: Decimal| json!({"type": kind, "nameZh": zh, "nameEn": en, "rate": number(rate.normalize()), "amount": number(-pricing::cents(off))});
    let mut discounts = Vec::new();
    if price.duration_rate != Decimal::ONE {
        discounts.push(discount(
            "duration",
            "时长折扣",
            "Duration discount",
            price.duration_rate,
            price.original - after_duration,
        ));
    }
    if price.quantity_rate != Decimal::ONE {
        let off = after_duration - after_duration * price.quantity_rate;
        discounts.push(discount("quantity", "数量折扣", "Quantity discount", price.quantity_rate, off));
    }
    json!({"originalAmount": number(pricing::cents(price.original)), "discounts": discounts, "payableAmount": number(price.amount)})
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OrderRequest {
    quote_id: QuoteId,
    quote_version: QuoteVersion,
    config: Value,
}

async fn place_and_pay(State(world): State<Arc<World>>, headers: HeaderMap, sent: Bytes) -> Response {
    let key = headers.get("x-idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    let placed = body::required(&sent).and_then(|request| place(&world, key.as_deref(), &sent, &request));
    answer(&world, placed.map(|data| world.shaped("purchase/orders/place-and-pay", data)))
}

/// Places and pays in one transaction: "if the balance is insufficient … nothing is applied".
fn place(world: &World, key: Option<&str>, sent: &[u8], request: &OrderRequest) -> Result<Value, Refusal> {
    let now = world.clock.now();
    let body_hash = hash(sent);
    let mut ledger = world.ledger.lock();
    let transaction = ledger.transaction()?;
    if let Some(answered) = answered_before(&transaction, "purchase_order", key, &body_hash)? {
        return Ok(answered);
    }
    let (config, amount) = quoted(&transaction, request, world.price_list(), now)?;
    let order_no = store::next_id(&transaction)?;
    let taken = lines::take(&transaction, world.seed(), &config, &order_no)?;
    let balance = ledger::balance(&transaction)?;
    if balance < amount {
        return Err(Refusal::business("60004", "wallet balance insufficient"));
    }
    transaction.execute("UPDATE wallet SET balance = ?1", [(balance - amount).to_string()])?;
    let late = world.delivers_in_part() || taken.iter().any(|part| part.city.name_en == stock::PARTIAL_CITY);
    let complete_at = if late { now + LATE_DELIVERY } else { now };
    let ordered = config.purchase_ip_count;
    let delivered = if late { ordered / 2 } else { ordered };
    let order_id = store::next_id(&transaction)?;
    let answer = json!({
        "orderNo": order_no, "orderId": order_id,
        "status": if late { status::PAID } else { status::COMPLETED },
        "amount": number(amount), "currency": CURRENCY, "deliverIpCount": delivered,
    });
    let original = pricing::cents(pricing::price(&config, world.price_list())?.original).to_string();
    transaction.execute(
        "INSERT INTO purchase_order VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            order_no,
            order_id,
            key,
            body_hash,
            request.config.to_string(),
            amount.to_string(),
            original,
            ordered,
            now,
            complete_at,
            answer.to_string()
        ],
    )?;
    deliver(&transaction, &order_no, &taken)?;
    transaction.commit()?;
    Ok(answer)
}

/// Looks for an earlier answer: the same key with the same body gets the first answer again, for ever.
/// `table` holds the payments: `purchase_order` or `renewal`.
pub(crate) fn answered_before(
    ledger: &Transaction<'_>,
    table: &'static str,
    key: Option<&str>,
    body_hash: &str,
) -> Result<Option<Value>, Refusal> {
    let Some(key) = key else { return Ok(None) };
    let mut query = ledger.prepare(&format!("SELECT body_hash, answer FROM {table} WHERE key = ?1"))?;
    let found: Option<(String, String)> = query.query_row([key], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    match found {
        Some((before, _)) if before != body_hash => Err(Refusal::business("60308", "key used with another body")),
        Some((_, answer)) => Ok(serde_json::from_str(&answer).ok()),
        None => Ok(None),
    }
}

fn quoted(
    ledger: &Transaction<'_>,
    request: &OrderRequest,
    list: PriceList,
    now: i64,
) -> Result<(PurchaseConfig, Decimal), Refusal> {
    let mut query = ledger.prepare("SELECT version, config, amount, expires_at FROM quote WHERE quote_id = ?1")?;
    let found: Option<(String, String, String, i64)> = query
        .query_row([request.quote_id.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    let Some((version, config, amount, expires_at)) = found else {
        return Err(Refusal::business("60307", "unknown price"));
    };
    if version != request.quote_version.as_str() || version != version_of(&config, list) {
        return Err(Refusal::business("60307", "stale price version"));
    }
    let quoted: Value = serde_json::from_str(&config).unwrap_or_default();
    if quoted != request.config {
        return Err(Refusal::business("60309", "configuration differs from the price"));
    }
    if now >= expires_at {
        return Err(Refusal::business("60306", "price expired"));
    }
    Ok((read_config(&request.config)?, amount.parse().unwrap_or_default()))
}

fn deliver(ledger: &Transaction<'_>, order_no: &str, taken: &[Taken]) -> rusqlite::Result<()> {
    let mut insert = ledger.prepare("INSERT INTO proxy VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
    for (at, Taken { city, address }) in taken.iter().enumerate() {
        let id = uuid::Uuid::new_v4().simple().to_string();
        let (user, password) = (format!("px{}", &id[..8]), &id[12..26]);
        // Documentation networks are small and cities share them, so the port distinguishes proxies.
        let port: i64 = 10_000 + store::next_id(ledger)?.parse::<i64>().unwrap_or_default() % 50_000;
        insert.execute(params![
            order_no,
            at as i64,
            address.to_string(),
            port,
            user,
            password,
            city.city_id.as_str()
        ])?;
    }
    Ok(())
}

pub(crate) fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
