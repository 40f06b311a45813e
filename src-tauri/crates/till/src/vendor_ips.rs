//! The vendor's own list of IPs, where it has one: read into the cache in the background, without credentials. It is
//! the second witness of an order that is not confirmed: IPs that are new since its send are shown on its card. They
//! are evidence only; the key stays the proof.
//!
//! For the screens: [`vendor_ips`] returns the stored list; [`read`] brings it up to date.

use std::collections::{HashMap, HashSet};

use operations::{Kind, OperationId};
use serde::Serialize;
use ts_rs::TS;
use usage::{IpsPlan, VendorIps, sync_ips};
use wire::goods::About;
use wire::ids::OrderNo;
use wire::ips::ListedIp;
use wire::time::WrittenTime;

use crate::Till;
use crate::clock::wall_clock;
use crate::error::CommandError;
use crate::events::Event;
use crate::health::Capability;
use crate::session::Session;

/// Returns the stored list, in the vendor's order, with the time when each IP was first seen; empty where the vendor
/// has no such list. Does not ask the vendor.
///
/// # Errors
/// No connection is open, or the cache cannot be used.
pub async fn vendor_ips(till: &Till) -> Result<VendorIps, CommandError> {
    let store = till.session().await?.usage.store().await?;
    crate::background::blocking(move || store.vendor_ips()).await
}

/// Brings the stored list up to date, where the vendor has it. Returns whether it has. Stopping it keeps what was read.
pub(crate) async fn read(till: &Till, session: &Session) -> Result<bool, CommandError> {
    if !session.health.has(Capability::IpList) {
        return Ok(false);
    }
    let _one = session.usage.reading_ips.lock().await;
    let store = session.usage.store().await?;
    sync_ips(&store, &session.client, wall_clock, &IpsPlan::default()).await?;
    till.host.emit(Event::IpsChanged);
    Ok(true)
}

/// The same in the background, which rests for twenty times as long as the last reading took, but six hours at most: a
/// list of a thousand pages is not read all the time.
pub(crate) async fn read_when_due(till: &Till, session: &Session) -> Result<(), CommandError> {
    if !session.health.has(Capability::IpList) {
        return Ok(());
    }
    let last = session.usage.store().await?.last_ips_read()?;
    if last.is_some_and(|last| rests(last, wall_clock())) {
        return Ok(());
    }
    read(till, session).await.map(drop)
}

/// Whether the background still rests after a reading with this start and end. All: wall clock, ms since 1970.
fn rests((began, ended): (i64, i64), now: i64) -> bool {
    const TIMES: i64 = 20;
    // A computer that slept, or a program that was closed, makes a reading look long.
    const LONGEST: i64 = 6 * 3_600_000;
    // A clock that was set back makes no pause last for longer.
    (0..(ended - began).saturating_mul(TIMES).min(LONGEST)).contains(&(now - ended))
}

/// One IP that is new in the vendor's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NewIp {
    /// IP address without brackets.
    pub host: String,
    /// TCP port; `None` when the list does not report it.
    pub port: Option<u16>,
    /// Chinese name of the country; empty when not reported.
    pub country_zh: String,
    /// English name of the country; empty when not reported.
    pub country_en: String,
    /// When it expires, as it came or, if it came as a number, in the vendor's local time.
    pub expires: String,
}

/// What is new in the vendor's list since an order was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NewIps {
    /// Start of the last reading before the send, wall clock, ms since 1970; `None`: there was none, so nothing can be
    /// told.
    pub since: Option<i64>,
    /// Start of the reading that they come from, wall clock, ms since 1970.
    pub read_at: Option<i64>,
    /// New IPs that no other order placed here explains, the first few.
    pub ips: Vec<NewIp>,
    /// Number of all of them.
    pub total: usize,
}

/// The number of IPs to show.
const SHOWN: usize = 20;
/// A list that was read within this time, in ms, is not read again for evidence.
const FRESH: u64 = 15_000;

/// Whether a list was read within `age`, in ms. `read_at`: wall clock, ms since 1970. If that clock was set back since,
/// the difference counts.
pub(crate) fn is_recent(read_at: Option<i64>, age: u64) -> bool {
    read_at.is_some_and(|at| wall_clock().abs_diff(at) <= age)
}

/// Whether a list that was read at `read_at` can be evidence about something that was sent at `sent`. Both: wall clock,
/// ms since 1970.
pub(crate) fn tells_of(read_at: Option<i64>, sent: i64) -> bool {
    read_at.is_some_and(|at| at >= sent) && is_recent(read_at, FRESH)
}

/// Returns the IPs that are new in the vendor's list since an unconfirmed order was sent. Reads the list again, unless
/// it was read a moment ago. `None`: it is no such order, or the vendor has no list.
pub async fn new_ips(till: &Till, id: OperationId) -> Result<Option<NewIps>, CommandError> {
    let session = till.session().await?;
    let operation = session.operations.get(&id)?;
    if operation.kind != Kind::PlaceAndPay || !operation.is_unconfirmed || !session.health.has(Capability::IpList) {
        return Ok(None);
    }
    let store = session.usage.store().await?;
    let read_at = store.ips_read_at()?;
    if !tells_of(read_at, operation.created) {
        read(till, &session).await?;
    }
    let (list, read_at, created) = (store.clone(), store.ips_read_at()?, operation.created);
    let Some(new) = crate::background::blocking(move || list.ips_new_since(created)).await? else {
        return Ok(Some(NewIps { since: None, read_at, ips: Vec::new(), total: 0 }));
    };
    let explained = Explained::by_others(&session, &operation.id)?;
    let (zone, catalog) = (session.vendor.zone, session.places.kept().await);
    // The list may name its places in one language, or by their codes alone.
    let country = |about: &About| {
        let known =
            catalog.as_ref()?.dictionary().countries.iter().find(|one| one.country_code.as_str() == about.country_code);
        known.map(|one| (one.name_zh.clone(), one.name_en.clone()))
    };
    let unexplained = new.rows.into_iter().map(|row| row.ip).filter(|ip| !explained.has(ip));
    let mut ips: Vec<NewIp> = unexplained
        .map(|ip| {
            let (country_zh, country_en) =
                country(&ip.about).unwrap_or_else(|| (ip.about.country_zh.clone(), ip.about.country_en.clone()));
            let expires = WrittenTime(ip.about.expires).readable(zone);
            NewIp { host: ip.host, port: ip.port, country_zh, country_en, expires }
        })
        .collect();
    let total = ips.len();
    ips.truncate(SHOWN);
    Ok(Some(NewIps { since: Some(new.since), read_at, ips, total }))
}

/// The other orders placed here, which explain why the vendor lists an IP.
#[derive(Default)]
struct Explained {
    /// Ports of what they delivered, by host.
    ports: HashMap<String, HashSet<u16>>,
    /// Their numbers: what they delivered may not be read yet.
    orders: HashSet<OrderNo>,
}

impl Explained {
    /// The orders of all operations but this one. An order that was added by its number may be just that of this
    /// operation: it explains nothing.
    fn by_others(session: &Session, id: &OperationId) -> Result<Self, CommandError> {
        let others = session.operations.orders().all()?.into_iter();
        let others = others.filter(|order| order.operation.as_ref().is_some_and(|of| of != id));
        let mut explained = Self { orders: others.map(|order| order.order_no).collect(), ..Self::default() };
        for (order, proxies) in session.operations.goods().delivered()? {
            if explained.orders.contains(&order) {
                proxies.into_iter().for_each(|proxy| explained.add(proxy.host, proxy.port));
            }
        }
        Ok(explained)
    }

    fn add(&mut self, host: String, port: u16) {
        self.ports.entry(host).or_default().insert(port);
    }

    /// Whether one of them has it, by the order that the list names, or by its address. A list without ports is compared
    /// by host alone.
    fn has(&self, ip: &ListedIp) -> bool {
        let has_port = |ports: &HashSet<u16>| ip.port.is_none_or(|port| ports.contains(&port));
        self.orders.contains(&ip.order_no) || self.ports.get(&ip.host).is_some_and(has_port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_background_rests_for_twenty_times_as_long_as_a_reading_took() {
        let rested = |now| !rests((1_000, 4_000), now);
        assert_eq!([4_000, 63_999, 64_000, 3_999].map(rested), [false, false, true, true]);
        let hours = |hours: i64| hours * 3_600_000;
        assert!(rests((0, hours(8)), hours(14) - 1) && !rests((0, hours(8)), hours(14)), "it slept");
        assert!(!rests((1_000, 1_000), 1_000) && !rests((4_000, 1_000), 1_000), "no time, no pause");
    }

    #[test]
    fn an_order_explains_its_own_port_of_a_host_and_what_the_list_names_as_its_own() {
        let mut explained = Explained { orders: HashSet::from([OrderNo::new("A1")]), ..Explained::default() };
        explained.add("192.0.2.1".into(), 1080);
        let cases = [
            ("192.0.2.1", Some(1080), "", true),
            ("192.0.2.1", Some(1081), "", false),
            ("192.0.2.1", None, "", true),
            ("192.0.2.2", None, "", false),
            ("192.0.2.2", None, "A1", true),
            ("192.0.2.2", None, "A2", false),
        ];
        for (host, port, order, expected) in cases {
            let ip = ListedIp { host: host.into(), port, order_no: OrderNo::new(order), ..ListedIp::default() };
            assert_eq!(explained.has(&ip), expected, "{host} {port:?} {order}");
        }
    }
}
