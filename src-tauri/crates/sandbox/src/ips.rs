//! `ips/page` and `ips/detail`: every IP that was delivered, newest order first.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};
use wire::ids::{CityId, IpId};
use wire::ips::{IpQuery, IpsCriteria, IpsQuery};
use wire::locations::{City, Country};
use wire::purchase::PurchaseConfig;

use crate::body;
use crate::clock::written;
use crate::envelope::Refusal;
use crate::orders::DAY;
use crate::places::{PLACES, matches};
use crate::server::answer;
use crate::world::World;

/// The service puts no more rows on a page.
const LARGEST_PAGE: u32 = 200;
/// Ids of IPs begin here: past 2^53.
const FIRST_ID: i64 = 3_059_463_641_505_400_000;
/// Values of `status` and `usageStatus`.
const IN_USE: i64 = 1;
const EXPIRED: i64 = 2;

pub(crate) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS renewed_ip (ip INTEGER PRIMARY KEY, days INTEGER NOT NULL) STRICT;
";

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new().route("/ips/page", post(page)).route("/ips/detail", post(detail))
}

async fn page(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    answer(&world, body::required(&sent).and_then(|query| page_of(&world, &query)))
}

async fn detail(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    answer(&world, body::required(&sent).and_then(|query: IpQuery| detail_of(&world, &query.id)))
}

/// A delivered IP.
pub(crate) struct Ip {
    /// The row of the table `proxy`.
    pub(crate) row: i64,
    host: String,
    port: i64,
    user: String,
    password: String,
    city: Option<&'static City>,
    order_no: String,
    config: Option<PurchaseConfig>,
    /// When it expires, ms since 1970.
    expires: i64,
}

impl Ip {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let config: Option<PurchaseConfig> = serde_json::from_str(&row.get::<_, String>(7)?).ok();
        let days = config.as_ref().map_or(0, |config| config.days) + row.get::<_, i64>(9)?;
        Ok(Self {
            row: row.get(0)?,
            host: row.get(1)?,
            port: row.get(2)?,
            user: row.get(3)?,
            password: row.get(4)?,
            city: PLACES.city(&CityId::new(row.get::<_, String>(5)?)),
            order_no: row.get(6)?,
            expires: row.get::<_, i64>(8)? + days * DAY,
            config,
        })
    }

    pub(crate) fn id(&self) -> String {
        (FIRST_ID + self.row).to_string()
    }

    fn country(&self) -> Option<&'static Country> {
        self.city.and_then(|city| PLACES.country(&city.country_code))
    }

    fn status(&self, now: i64) -> i64 {
        if now < self.expires { IN_USE } else { EXPIRED }
    }

    pub(crate) fn config(&self) -> Option<&PurchaseConfig> {
        self.config.as_ref()
    }

    fn fits(&self, criteria: &IpsCriteria, now: i64) -> bool {
        let code = self.city.map(|city| &city.country_code);
        let named = |word: &str| {
            self.host.contains(word) || self.city.is_some_and(|city| matches(Some(word), &city.name_zh, &city.name_en))
        };
        criteria.country_code.as_ref().is_none_or(|wanted| Some(wanted) == code)
            && criteria.keyword.as_deref().is_none_or(named)
            && criteria.usage_status.is_none_or(|wanted| wanted == self.status(now))
    }

    fn listed(&self, now: i64) -> Value {
        json!({
            "id": self.id(), "proxyIp": self.host, "countryCode": self.city.map(|city| &city.country_code),
            "countryName": self.country().map(|country| &country.name_en),
            "cityName": self.city.map(|city| &city.name_en), "expireTime": written(self.expires),
            "status": self.status(now),
        })
    }
}

/// Every delivered IP, newest order first.
pub(crate) fn delivered(ledger: &Connection, now: i64) -> rusqlite::Result<Vec<Ip>> {
    let mut query = ledger.prepare_cached(
        "SELECT proxy.rowid, host, port, user, password, city_id, order_no, config, created, coalesce(days, 0)
         FROM proxy JOIN purchase_order USING (order_no) LEFT JOIN renewed_ip ON ip = proxy.rowid
         WHERE ?1 >= complete_at OR at < ordered / 2 ORDER BY created DESC, order_no DESC, at",
    )?;
    query.query_map([now], Ip::read)?.collect()
}

/// The delivered IP with this id.
pub(crate) fn find(ledger: &Connection, id: &IpId, now: i64) -> Result<Ip, Refusal> {
    let unknown = || Refusal::business("60401", "unknown IP");
    let row = id.as_str().parse::<i64>().map_err(|_| unknown())? - FIRST_ID;
    let found = delivered(ledger, now)?.into_iter().find(|ip| ip.row == row);
    found.ok_or_else(unknown)
}

/// Makes an IP last longer.
pub(crate) fn renew(ledger: &Connection, ip: &Ip, days: i64) -> rusqlite::Result<()> {
    let add = "INSERT INTO renewed_ip VALUES (?1, ?2) ON CONFLICT (ip) DO UPDATE SET days = days + ?2";
    ledger.execute(add, params![ip.row, days]).map(|_| ())
}

/// Days that were added to an IP of an order; 0 for most.
pub(crate) fn days_added(ledger: &Connection, order_no: &str, at: i64) -> rusqlite::Result<i64> {
    let days = "SELECT days FROM renewed_ip JOIN proxy ON ip = proxy.rowid WHERE order_no = ?1 AND at = ?2";
    Ok(ledger.query_row(days, params![order_no, at], |row| row.get(0)).optional()?.unwrap_or(0))
}

fn page_of(world: &World, query: &IpsQuery) -> Result<Value, Refusal> {
    if query.page_index == 0 || query.page_size == 0 {
        return Err(Refusal::body("pageIndex, pageSize: from 1"));
    }
    let (now, criteria) = (world.clock.now(), query.criteria.clone().unwrap_or_default());
    let mut all = delivered(&world.ledger.lock(), now)?;
    all.retain(|ip| ip.fits(&criteria, now));
    let (size, index) = (query.page_size.min(LARGEST_PAGE), query.page_index);
    let first = (index as usize - 1).saturating_mul(size as usize);
    let results: Vec<Value> = all.iter().skip(first).take(size as usize).map(|ip| ip.listed(now)).collect();
    let data = json!({"pageIndex": index, "pageSize": size, "total": all.len(), "results": results});
    Ok(world.shaped("ips/page", data))
}

fn detail_of(world: &World, id: &IpId) -> Result<Value, Refusal> {
    let now = world.clock.now();
    let ip = find(&world.ledger.lock(), id, now)?;
    let protocol = ip.config().and_then(|config| config.proxy_type.clone()).unwrap_or_else(|| "socks5".into());
    let data = json!({
        "id": ip.id(), "proxyIp": ip.host, "proxyPort": ip.port, "proxyUser": ip.user, "proxyPassword": ip.password,
        "country": ip.country().map(|country| &country.name_en), "city": ip.city.map(|city| &city.name_en),
        "countryCode": ip.city.map(|city| &city.country_code), "expireTime": written(ip.expires),
        "protocol": protocol, "orderNo": ip.order_no, "status": ip.status(now),
    });
    Ok(world.shaped("ips/detail", data))
}
