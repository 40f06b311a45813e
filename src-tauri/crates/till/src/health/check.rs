//! Reads that teach something about a vendor: those that are due, in the background, and all of them on request.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use client::customers::ListQuery;
use client::{Client, Signs};
use operations::{Kind, OperationId, Operations};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use wire::Day;
use wire::ids::CountryCode;

use super::capability::{Capability, Finding, Probed, Samples, probe};
use super::known::Known;
use super::record::{ClockSource, PageSize, Record, ZoneSeen, zone_of};
use crate::Till;
use crate::clock::wall_clock;
use crate::events::Event;
use crate::locations::Places;
use crate::session::Session;
use crate::{practice, vendor_ips};

/// The time between two checks of what is due, while a session is open.
const EVERY: Duration = Duration::from_secs(15 * 60);
/// Orders that a zone is looked for in, newest first.
const ORDERS: usize = 20;
/// Rows of a page of customers: "ask for 100, accept fewer".
const ROWS: u32 = 100;

/// Follows the signs of the vendor and reads what is due, as long as the session is open.
pub(crate) fn follow(till: &Arc<Till>, session: &Arc<Session>) {
    let (mut signs, mut taken) = (session.client.pulse().signs(), Signs::default());
    let (weak_till, weak) = (Arc::downgrade(till), Arc::downgrade(session));
    tokio::spawn(async move {
        while signs.changed().await.is_ok() {
            let now = *signs.borrow_and_update();
            let (Some(till), Some(session)) = (weak_till.upgrade(), weak.upgrade()) else { return };
            if session.health.hear(now, taken).await {
                tell(&till, &session.id);
            }
            taken = now;
        }
    });
    let mut changes = session.operations.changes();
    let (till, session) = (Arc::downgrade(till), Arc::downgrade(session));
    tokio::spawn(async move {
        while look(&till, &session).await.is_some() {
            next_look(&session, &mut changes).await;
        }
    });
}

/// Waits until it is time to check again: at the latest after [`EVERY`], or once an order brought the first IP that
/// something can be tried with.
async fn next_look(session: &Weak<Session>, changes: &mut Receiver<OperationId>) {
    let end = tokio::time::Instant::now() + EVERY;
    loop {
        let changed = tokio::time::timeout_at(end, changes.recv()).await;
        let Ok(Ok(id)) = changed else {
            match changed {
                Ok(Err(RecvError::Lagged(_))) => continue,
                Ok(_) => tokio::time::sleep_until(end).await,
                Err(_) => {}
            }
            return;
        };
        let Some(session) = session.upgrade() else { return };
        let finding = |capability| session.health.finding(capability);
        let lacks_an_ip = finding(Capability::IpList) == Some(Finding::Present)
            && finding(Capability::Renewals) == Some(Finding::Untried);
        let is_bought = || {
            session.operations.get(&id).is_ok_and(|operation| operation.kind == Kind::PlaceAndPay && operation.is_done)
        };
        if lacks_an_ip && is_bought() {
            return;
        }
    }
}

pub(crate) fn tell(till: &Till, connection: &str) {
    till.host.emit(Event::VendorChanged(connection.to_owned()));
}

/// Probes what is due, and reads the vendor's IPs. `None` when the session is closed.
async fn look(till: &Weak<Till>, session: &Weak<Session>) -> Option<()> {
    let (till, session) = (till.upgrade()?, session.upgrade()?);
    let samples = samples(&session.client, &session.places, &session.operations).await;
    let one = session.health.probing.lock().await;
    let (record, day) = (session.health.record(), session.today());
    let has_list = record.finding(Capability::IpList).is_none_or(|found| found != Finding::Absent);
    let has_sample = |capability| match capability {
        Capability::OrderStatus => samples.order.is_some(),
        // Ids of IPs come from the list alone.
        Capability::IpList | Capability::IpDetail | Capability::Renewals => samples.order.is_some() && has_list,
        _ => samples.country.is_some(),
    };
    let now = wall_clock();
    let due = |capability| record.is_due(capability, day, has_sample(capability), now);
    let probed = probe(&session.client, &samples, due).await;
    let operations = Some(&session.operations).filter(|_| session.id != practice::ID);
    if learn(&session.health, &probed, session.vendor.zone, day, operations).await {
        tell(&till, &session.id);
    }
    drop(one);
    if let Err(error) = vendor_ips::read_when_due(&till, &session).await {
        tracing::info!(code = ?error.code, "the vendor's IPs were not read");
    }
    Some(())
}

/// What the probes are tried with: the country with the most cities, the newest order.
pub(crate) async fn samples(client: &Client, places: &Places, operations: &Operations) -> Samples {
    let country = match places.get(client).await {
        Ok(catalog) => {
            let mut cities: HashMap<&CountryCode, usize> = HashMap::new();
            catalog.dictionary().cities.iter().for_each(|city| *cities.entry(&city.country_code).or_default() += 1);
            let most = cities.into_iter().max_by_key(|(code, count)| (*count, code.as_str().to_owned()));
            most.map(|(code, _)| code.clone()).filter(|code| !code.as_str().is_empty())
        }
        Err(_) => None,
    };
    let order = operations.orders().all().ok().and_then(|orders| Some(orders.into_iter().next()?.order_no));
    Samples { country, order }
}

/// Checks everything that reading can show. `zone` is that of the connection, in minutes east of UTC. Returns whether
/// something changed that a person sees at a glance.
pub(crate) async fn check(client: &Client, known: &Known, samples: &Samples, zone: i32, day: Day) -> bool {
    let _one = known.probing.lock().await;
    // Ask both areas at the same time. The signs in their answers are taken below.
    let (_, page) = tokio::join!(client.call(client::locations::continents()), page_size(client));
    let probed = probe(client, samples, |_| true).await;
    let signs = *client.pulse().signs().borrow();
    let mut is_news = known.hear(signs, Signs::default()).await;
    if let Some(page) = page {
        is_news |= known.change(|record| record.see_page(page)).await;
    }
    is_news | learn(known, &probed, zone, day, None).await
}

fn customers(page: u32, page_size: u32) -> client::Call<wire::customers::Page<wire::customers::Customer>> {
    client::customers::list(&ListQuery { page, page_size, user_name: None })
}

async fn page_size(client: &Client) -> Option<PageSize> {
    let size = client.page_size_anew(ROWS, customers);
    let page = client.call(customers(1, size)).await.ok()?.data;
    let rows = page.rows.len() as i64;
    Some(PageSize { rows, asked: i64::from(size), limited: rows < i64::from(size).min(page.total), at: wall_clock() })
}

/// The vendor's limit of rows, as far as any read of the customers has met it.
pub(crate) fn met_limit(client: &Client) -> Option<PageSize> {
    let rows = i64::from(client.page_limit(customers)?);
    Some(PageSize { rows, asked: i64::from(ROWS), limited: true, at: wall_clock() })
}

/// Takes what was probed, and what the journal of a real connection shows. Returns whether something changed that a
/// person sees at a glance.
async fn learn(known: &Known, probed: &Probed, zone: i32, day: Day, operations: Option<&Operations>) -> bool {
    known
        .change(|record| {
            let at = wall_clock();
            for (capability, finding) in &probed.findings {
                record.find(*capability, *finding, day, at);
            }
            if let Some(pinged) = &probed.ping
                && let Some(vendor) = pinged.ping.server_time.millis(zone)
            {
                let at = at - pinged.at.elapsed().as_millis() as i64;
                record.compare_clocks(ClockSource::Ping, vendor, pinged.took, at);
            }
            if let Some(operations) = operations {
                learn_from_journal(record, operations, at);
            }
        })
        .await
}

/// Takes what stored orders and moves show: the zone of the vendor's times, its count of a GB, its words.
pub(crate) fn learn_from_journal(record: &mut Record, operations: &Operations, at: i64) {
    if let Ok(Some(learned)) = operations.lessons().learned() {
        record.see_taught(&learned, at);
    }
    let placed = operations.orders().all().unwrap_or_default().into_iter().filter(|order| order.operation.is_some());
    let seen = placed.take(ORDERS).find_map(|order| {
        let told = operations.orders().particulars(&order.order_no).ok()??;
        Some(ZoneSeen { minutes: zone_of(&told.create_time, order.since)?, order_no: order.order_no, at })
    });
    if let Some(seen) = seen {
        record.see_zone(seen);
    }
}
