//! Renewing IPs, where the vendor has it: what can be renewed, its price, and the two steps of paying: offer, then pay.
//!
//! The price has no version that a payment could name. So it is read once more before the payment is sent, and if it
//! has changed, nothing is sent.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use goods::row::{GoodsRow, address};
use operations::{GoodsKey, Intent, Kind, OperationEvent, OperationId, OperationView, Renewal, RenewedIp, State};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::ids::IpId;
use wire::time::WrittenTime;

use crate::Till;
use crate::error::CommandError;
use crate::field;
use crate::health::Capability;
use crate::moves;
use crate::session::Session;
use crate::vendor_ips;

/// The periods that can be renewed for, in days.
pub const PERIODS: [i64; 5] = [30, 60, 90, 180, 365];
/// A list that was read within this time, in ms, says how long IPs last now.
const RECENT: u64 = 600_000;
/// The most IPs of one renewal. The vendor documents none; an order has the same.
const MOST: usize = 500;

/// IPs to renew.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RenewalRequest {
    /// The IPs.
    pub keys: Vec<GoodsKey>,
    /// Days to add: one of [`PERIODS`].
    pub period_days: i64,
}

/// The price of a renewal, and what it is for.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RenewalPriced {
    /// Names the price, to pay it with.
    pub number: u32,
    /// The IPs that are renewed, each once.
    pub ips: Vec<RenewedIp>,
    /// Addresses of chosen IPs that the vendor's list does not name, so that they cannot be renewed.
    pub left_out: Vec<String>,
    /// Days to add.
    pub period_days: i64,
    /// The amount to pay, in `currency`.
    pub amount: Amount,
    /// The currency code; empty when not reported.
    pub currency: String,
}

/// The content of the paying step, and the token that its button sends back once.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RenewalOffered {
    /// The confirmation, accepted once by `pay_renewal`.
    pub token: String,
    /// The amount that it pays, in `currency`.
    pub amount: Amount,
    /// The currency code; empty when not reported.
    pub currency: String,
}

/// Asks for the price of a renewal. Renews nothing. Reads the vendor's list first if it does not name all of the IPs
/// yet, or was not read in the last ten minutes.
pub async fn renewal_price(till: &Till, request: RenewalRequest) -> Result<RenewalPriced, CommandError> {
    let session = till.session().await?;
    if !session.health.has(Capability::Renewals) {
        return Err(CommandError::invalid(field::Renewal::NotOffered));
    }
    if !PERIODS.contains(&request.period_days) {
        return Err(CommandError::invalid(field::Renewal::Period));
    }
    let (ips, left_out) = renewable(till, &session, &request.keys).await?;
    if ips.is_empty() {
        return Err(CommandError::invalid_near(field::Renewal::NotListed, &left_out.join(", ")));
    }
    if ips.len() > MOST {
        return Err(CommandError::invalid(field::Renewal::TooMany));
    }
    let ids: Vec<IpId> = ips.iter().map(|ip| ip.id.clone()).collect();
    let price = session.client.call(client::renewals::quote(&ids, request.period_days)).await?.data;
    let renewal = Renewal {
        ips: ips.clone(),
        period_days: request.period_days,
        amount: price.amount,
        currency: price.currency.clone(),
    };
    let number = session.remember_renewal(renewal);
    let period_days = request.period_days;
    Ok(RenewalPriced { number, ips, left_out, period_days, amount: price.amount, currency: price.currency })
}

/// The ids that the vendor's list has for the rows, by their names.
fn ids(rows: &[GoodsRow]) -> HashMap<&GoodsKey, &IpId> {
    let named = rows.iter().filter(|row| !row.item.ip_id.as_str().is_empty());
    named.map(|row| (&row.item.key, &row.item.ip_id)).collect()
}

/// The IPs that the vendor's list names, each once, and the addresses of the others.
async fn renewable(
    till: &Till,
    session: &Arc<Session>,
    keys: &[GoodsKey],
) -> Result<(Vec<RenewedIp>, Vec<String>), CommandError> {
    let mut rows = session.goods.rows(session).await?;
    let has_all = {
        let ids = ids(&rows);
        keys.iter().all(|key| ids.contains_key(key))
    };
    let read_at = session.usage.store().await?.ips_read_at()?;
    // The ends before the renewal are compared with those after it: with an old list, an earlier change would pass for
    // this renewal.
    if !has_all || !vendor_ips::is_recent(read_at, RECENT) {
        vendor_ips::read(till, session).await?;
        rows = session.goods.rows(session).await?;
    }
    let ids = ids(&rows);
    let (mut ips, mut seen, mut left_out) = (Vec::new(), HashSet::new(), Vec::new());
    for key in keys {
        match ids.get(key) {
            None => left_out.push(address(&key.host, key.port)),
            Some(id) if seen.insert(*id) => {
                let port = Some(key.port).filter(|port| *port > 0);
                ips.push(RenewedIp { id: (*id).clone(), host: key.host.clone(), port, expires: String::new() });
            }
            // Two orders may have delivered the same IP.
            Some(_) => {}
        }
    }
    // What the list itself says of the end is compared with what it says after the renewal.
    let list = Ends::of(session).await?;
    for ip in &mut ips {
        ip.expires = list.by_id.get(&ip.id).cloned().unwrap_or_default();
    }
    Ok((ips, left_out))
}

/// When the IPs of the stored list expire: as it came or, if it came as a number, in the vendor's local time.
struct Ends {
    by_id: HashMap<IpId, String>,
    /// The ends of all IPs of a host, each with the time when it was first seen, wall clock, ms since 1970.
    by_host: HashMap<String, Vec<(String, i64)>>,
}

impl Ends {
    async fn of(session: &Session) -> Result<Self, CommandError> {
        let (store, zone) = (session.usage.store().await?, session.vendor.zone);
        let list = crate::background::blocking(move || store.vendor_ips()).await?;
        let (mut by_id, mut by_host) = (HashMap::new(), HashMap::<String, Vec<(String, i64)>>::new());
        for row in list.rows {
            let end = WrittenTime(row.ip.about.expires).readable(zone);
            by_host.entry(row.ip.host).or_default().push((end.clone(), row.first_seen));
            by_id.insert(row.ip.id, end);
        }
        Ok(Self { by_id, by_host })
    }

    /// The end of a renewed IP; empty when the list does not report it. A vendor may give a renewed IP another id: then
    /// it is the only one of its host, first seen at `since` (wall clock, ms since 1970) or later.
    fn find(&self, ip: &RenewedIp, since: i64) -> String {
        let of_host = || match self.by_host.get(&ip.host).map(Vec::as_slice) {
            Some([(end, seen)]) if *seen >= since => Some(end),
            _ => None,
        };
        self.by_id.get(&ip.id).or_else(of_host).cloned().unwrap_or_default()
    }
}

/// Offers the price that was asked for last for confirmation.
pub async fn offer_renewal(till: &Till, number: u32) -> Result<RenewalOffered, CommandError> {
    let session = till.session().await?;
    let renewal = session.renewal(number).ok_or_else(CommandError::changed)?;
    let (amount, currency) = (renewal.amount, renewal.currency.clone());
    let offer = session.operations.offer(renewal, None)?;
    session.has_asked(&offer.token);
    Ok(RenewalOffered { token: offer.token, amount, currency })
}

/// Renews and pays what a dialog confirmed, unless its price is another one by now. Above a limit a system dialog asks
/// first; the token is spent only after its yes.
pub async fn pay_renewal(till: &Till, token: String) -> Result<OperationView, CommandError> {
    let _sending = till.gate.send()?;
    let session = till.session().await?;
    if let Some(intent) = session.operations.offered(&token) {
        moves::within_limits(till, &session, &intent).await?;
        check_price(&session, &intent).await?;
    }
    Ok(session.operations.confirm(&token).await?)
}

/// Reads the price of a renewal again before it is sent. `price-changed` if it is another one.
pub(crate) async fn check_price(session: &Session, intent: &Intent) -> Result<(), CommandError> {
    let Intent::Renewal(renewal) = intent else { return Ok(()) };
    let ids: Vec<IpId> = renewal.ips.iter().map(|ip| ip.id.clone()).collect();
    let now = session.client.call(client::renewals::quote(&ids, renewal.period_days)).await?.data;
    if now.amount == renewal.amount && now.currency == renewal.currency {
        return Ok(());
    }
    Err(CommandError::price_changed(&format!("{} {}", now.amount, now.currency)))
}

/// What the vendor's list says of an IP since its renewal was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RenewedEnd {
    /// The vendor's id of the IP.
    pub id: IpId,
    /// When it expires now, as it came or, if it came as a number, in the vendor's local time; empty when the list does
    /// not name it.
    pub expires: String,
    /// Whether that is later than before the renewal; `None` when one of the two cannot be read.
    pub later: Option<bool>,
}

/// The ends of renewed IPs, by the vendor's own list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RenewedEnds {
    /// Start of the reading that they come from, wall clock, ms since 1970; `None`: the list was not read since the send.
    pub read_at: Option<i64>,
    /// The IPs of the renewal, in its order.
    pub ips: Vec<RenewedEnd>,
}

/// Returns how long the IPs of a renewal last now: the proof of a renewal that a person can see, and the evidence of
/// one that is not confirmed. Reads the vendor's list again, unless it shows the renewal already or was read a moment
/// ago. `None`: it is no renewal that may have been carried out, or the vendor has no list.
pub async fn renewed_ends(till: &Till, id: OperationId) -> Result<Option<RenewedEnds>, CommandError> {
    let session = till.session().await?;
    let operation = session.operations.get(&id)?;
    let Some(renewal) = operation.renewal.filter(|_| operation.kind == Kind::Renew) else { return Ok(None) };
    if !session.health.has(Capability::IpList) || !(operation.is_done || operation.is_unconfirmed) {
        return Ok(None);
    }
    let sent = sent(&operation.events).unwrap_or(operation.created);
    let known = compared(&session, &renewal, sent).await?;
    let is_shown = known.read_at.is_some() && known.ips.iter().all(|ip| ip.later == Some(true));
    let read_at = session.usage.store().await?.ips_read_at()?;
    if is_shown || vendor_ips::tells_of(read_at, sent) {
        return Ok(Some(known));
    }
    vendor_ips::read(till, &session).await?;
    compared(&session, &renewal, sent).await.map(Some)
}

/// The earliest time at which it may have reached the vendor, wall clock, ms since 1970. Sends that never left do not
/// count.
fn sent(events: &[OperationEvent]) -> Option<i64> {
    let is = |event: &OperationEvent, state: State| event.what == state.word();
    let never_left = events.iter().rposition(|event| is(event, State::NotSent));
    let since = &events[never_left.map_or(0, |at| at + 1)..];
    since.iter().find(|event| is(event, State::Sending)).map(|event| event.at)
}

/// The ends in the stored list beside those before the renewal, which was sent at `sent`, wall clock, ms since 1970.
async fn compared(session: &Session, renewal: &Renewal, sent: i64) -> Result<RenewedEnds, CommandError> {
    let read_at = session.usage.store().await?.ips_read_at()?.filter(|at| *at >= sent);
    let (list, zone) = (Ends::of(session).await?, session.vendor.zone);
    let end = |ip: &RenewedIp| {
        let expires = list.find(ip, sent);
        let millis = |text: &str| WrittenTime(text.to_owned()).millis(zone);
        let later = millis(&ip.expires).zip(millis(&expires)).map(|(before, now)| now > before);
        RenewedEnd { id: ip.id.clone(), expires, later }
    };
    Ok(RenewedEnds { read_at, ips: renewal.ips.iter().map(end).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renewed_ip_is_found_by_its_id_or_as_the_only_one_of_its_host() {
        let text = str::to_owned;
        let by_host = [("192.0.2.1", vec![("a", 9)]), ("192.0.2.2", vec![("b", 9), ("c", 9)])];
        let ends = Ends {
            by_id: HashMap::from([(IpId::new("7"), text("by its id"))]),
            by_host: by_host
                .map(|(host, ends)| (text(host), ends.into_iter().map(|(end, seen)| (text(end), seen)).collect()))
                .into(),
        };
        let ip =
            |id: &str, host: &str| RenewedIp { id: IpId::new(id), host: host.into(), port: None, expires: text("") };
        let of = |id: &str, host: &str| ends.find(&ip(id, host), 5);
        assert_eq!(of("7", "192.0.2.1"), "by its id");
        assert_eq!(of("8", "192.0.2.1"), "a", "the vendor gave it another id");
        assert_eq!((of("8", "192.0.2.2"), of("8", "192.0.2.3")), (text(""), text("")));
        assert_eq!(ends.find(&ip("8", "192.0.2.1"), 10), "", "it was there before the send: it is another one");
    }
}
