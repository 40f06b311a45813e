//! Orders that were delivered in part are checked until they are complete.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use operations::BookedOrder;
use wire::ids::OrderNo;

use crate::clock::wall_clock;
use crate::events::Event;
use crate::health::{Capability, Finding};
use crate::session::Session;
use crate::{Till, notifications, orders};

/// The first check comes soon, because most orders are complete within a minute. The pauses then double, to spare the
/// vendor.
const FIRST: Duration = Duration::from_secs(10);
/// The time, in ms, after which an order is no longer checked: cancelled orders never complete.
const FOLLOWED_FOR: i64 = 24 * 3_600_000;
const LONGEST: Duration = Duration::from_secs(120);
/// Every so many checks the whole order is read even if its status is the same: more of it may have been delivered.
const WHOLE: u32 = 4;

/// Checks late orders while the session is open. One that is new is checked soon, however long the others are late.
pub(crate) fn follow(till: &Arc<Till>, session: &Arc<Session>) {
    let (till, session) = (Arc::downgrade(till), Arc::downgrade(session));
    tokio::spawn(async move {
        let (mut known, mut checked, mut wait, mut round) = (HashSet::new(), Instant::now(), FIRST, 0_u32);
        loop {
            tokio::time::sleep(FIRST).await;
            let (Some(till), Some(session)) = (till.upgrade(), session.upgrade()) else { return };
            let late = late(&session);
            let numbers: HashSet<OrderNo> = late.iter().map(|order| order.order_no.clone()).collect();
            if !numbers.is_subset(&known) {
                wait = FIRST;
            } else if late.is_empty() || checked.elapsed() < wait {
                continue;
            }
            round = round.wrapping_add(1);
            check(&till, &session, &late, round.is_multiple_of(WHOLE)).await;
            (known, checked, wait) = (numbers, Instant::now(), (wait * 2).min(LONGEST));
        }
    });
}

/// The orders that may still deliver; none while they cannot be read.
fn late(session: &Session) -> Vec<BookedOrder> {
    let still = wall_clock() - FOLLOWED_FOR;
    let orders = session.operations.orders().all().inspect_err(|error| tracing::warn!(%error, "orders not read"));
    orders.unwrap_or_default().into_iter().filter(|order| order.is_late() && order.since > still).collect()
}

/// Checks every late order once.
async fn check(till: &Till, session: &Session, late: &[BookedOrder], whole: bool) {
    for order in late {
        if !whole && stands_as_before(session, order).await {
            continue;
        }
        let number = &order.order_no;
        // A check that fails is repeated later; nothing depends on it.
        let Ok(answer) = session.client.call(client::orders::detail(number)).await else { continue };
        let seen = orders::counted(answer.data.asked_by(number));
        // What is not reported this time stays as it was.
        let changed = seen.deliver_ip_count.is_some_and(|now| Some(now) != order.delivered)
            || seen.status.as_ref().is_some_and(|now| Some(now) != order.status.as_ref());
        if seen.order_no == *number && changed && session.operations.orders().remember(&seen).is_ok() {
            till.host.emit(Event::OrderChanged(number.clone()));
            if seen.purchase_ip_count.or(order.ordered).is_some_and(|all| seen.deliver_ip_count >= Some(all)) {
                notifications::delivered(till, number);
            }
        }
    }
}

/// Whether the order still has its known status, where the vendor can report the status alone: then the order with all
/// its proxies need not be read. Learns from the first order whether the vendor can.
async fn stands_as_before(session: &Session, order: &BookedOrder) -> bool {
    let known = session.health.finding(Capability::OrderStatus);
    if known.is_some_and(|known| known.is_decided() && known != Finding::Present) {
        return false;
    }
    let answered = session.client.call(client::orders::status(&order.order_no)).await;
    if known != Some(Finding::Present) {
        let (finding, day, at) = (Finding::of(&answered), session.today(), wall_clock());
        session.health.change(|record| record.find(Capability::OrderStatus, finding, day, at)).await;
    }
    answered.is_ok_and(|answer| Some(answer.data.status) == order.status)
}
