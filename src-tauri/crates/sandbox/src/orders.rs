//! `orders/detail`: one order with its proxies; `orders/status`: how it stands.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use rusqlite::OptionalExtension;
use serde_json::{Value, json};
use wire::ids::{CityId, OrderNo};
use wire::orders::OrderDetailQuery;
use wire::purchase::PurchaseConfig;

use crate::body;
use crate::clock::written;
use crate::envelope::Refusal;
use crate::ips;
use crate::places::PLACES;
use crate::pricing::CURRENCY;
use crate::purchase_options;
use crate::server::answer;
use crate::world::World;

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new().route("/orders/detail", post(detail)).route("/orders/status", post(status_only))
}

async fn detail(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    answer(&world, body::required(&sent).and_then(|query: OrderDetailQuery| find(&world, &query.order_no)))
}

async fn status_only(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    let of = |query: OrderDetailQuery| {
        let detail = find(&world, &query.order_no)?;
        let data = json!({"orderNo": detail["orderNo"], "status": detail["status"]});
        Ok(world.shaped("orders/status", data))
    };
    answer(&world, body::required(&sent).and_then(of))
}

struct Row {
    config: String,
    amount: String,
    original: String,
    ordered: i64,
    created: i64,
    complete_at: i64,
}

/// Values of an order's status, from the field notes.
pub(crate) mod status {
    /// Paid; delivery is under way.
    pub(crate) const PAID: i64 = 3;
    /// Paid and delivered in full.
    pub(crate) const COMPLETED: i64 = 20;
}

pub(crate) const DAY: i64 = 24 * 3_600_000;

fn find(world: &World, order_no: &OrderNo) -> Result<Value, Refusal> {
    let ledger = world.ledger.lock();
    let mut query = ledger.prepare_cached(
        "SELECT config, amount, original, ordered, created, complete_at FROM purchase_order WHERE order_no = ?1",
    )?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Row {
            config: row.get(0)?,
            amount: row.get(1)?,
            original: row.get(2)?,
            ordered: row.get(3)?,
            created: row.get(4)?,
            complete_at: row.get(5)?,
        })
    };
    let order = query.query_row([order_no.as_str()], read).optional()?;
    let order = order.ok_or_else(|| Refusal::business("60301", "unknown order"))?;
    let complete = world.clock.now() >= order.complete_at;
    let delivered = if complete { order.ordered } else { order.ordered / 2 };
    let config: Option<PurchaseConfig> = serde_json::from_str(&order.config).ok();
    let days = config.as_ref().map_or(0, |config| config.days);
    let protocol = config.as_ref().and_then(|config| config.proxy_type.clone()).unwrap_or_else(|| "socks5".into());
    let mut query = ledger.prepare_cached(
        "SELECT host, port, user, password, city_id, at FROM proxy WHERE order_no = ?1 ORDER BY at LIMIT ?2",
    )?;
    let proxies = query.query_map(rusqlite::params![order_no.as_str(), delivered], |row| {
        let city_id: String = row.get(4)?;
        let added = ips::days_added(&ledger, order_no.as_str(), row.get(5)?)?;
        let city = PLACES.city(&CityId::new(city_id));
        let country = city.and_then(|city| PLACES.country(&city.country_code));
        Ok(json!({
            "proxyIp": row.get::<_, String>(0)?, "proxyPort": row.get::<_, i64>(1)?,
            "proxyUser": row.get::<_, String>(2)?, "proxyPassword": row.get::<_, String>(3)?, "protocol": protocol,
            "countryCode": city.map(|city| &city.country_code), "countryName": country.map(|country| &country.name_en),
            "countryNameZh": country.map(|country| &country.name_zh), "cityName": city.map(|city| &city.name_en),
            "cityNameZh": city.map(|city| &city.name_zh), "expireTime": written(order.created + (days + added) * DAY),
        }))
    })?;
    let proxies: Vec<Value> = proxies.collect::<rusqlite::Result<_>>()?;
    let money = |text: &str| serde_json::value::RawValue::from_string(text.to_owned()).ok();
    let cents = |text: &str| text.parse::<rust_decimal::Decimal>().unwrap_or_default();
    let data = json!({
        "orderNo": order_no, "status": if complete { status::COMPLETED } else { status::PAID },
        "productName": "Static IP", "amount": money(&order.amount), "currency": CURRENCY,
        "discountAmount": money(&(cents(&order.original) - cents(&order.amount)).to_string()),
        "createTime": written(order.created), "payTime": written(order.created),
        "purchaseIpCount": order.ordered, "deliverIpCount": delivered,
        "details": {"specification": specification(config.as_ref(), &protocol), "ips": proxies},
    });
    Ok(world.shaped("orders/detail", data))
}

/// The specification of what was bought; the place is elsewhere.
fn specification(config: Option<&PurchaseConfig>, protocol: &str) -> Value {
    let purpose = config.and_then(|config| purchase_options::purpose(config.business_id.as_str()));
    json!({
        "lineType": config.map(|config| &config.line_type), "sellMode": config.map(|config| config.sell_mode),
        "days": config.map(|config| config.days), "protocol": protocol,
        "bandwidthLimit": config.and_then(|config| config.bandwidth_limit),
        "connLimit": config.map(|config| config.conn_limit), "isUdp": config.map(|config| config.is_udp),
        "businessName": purpose.map(|(_, en)| en),
    })
}
