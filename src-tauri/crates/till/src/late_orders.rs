//! Orders that were delivered in part are checked until they are complete.

use std::sync::{Arc, Weak};
use std::time::Duration;

use operations::BookedOrder;

use crate::events::Event;
use crate::session::{Session, wall_clock};
use crate::{Till, notifications};

/// The first check comes soon, because most orders are complete within a minute. The pauses then double, to spare the
/// vendor.
const FIRST: Duration = Duration::from_secs(10);
/// The time, in ms, after which an order is no longer checked: cancelled orders never complete.
const FOLLOWED_FOR: i64 = 24 * 3_600_000;
const LONGEST: Duration = Duration::from_secs(120);

/// Checks late orders while the session is open.
pub(crate) fn follow(till: &Arc<Till>, session: &Arc<Session>) {
    let (till, session) = (Arc::downgrade(till), Arc::downgrade(session));
    tokio::spawn(async move {
        let mut wait = FIRST;
        loop {
            tokio::time::sleep(wait).await;
            let Some(late) = look(&till, &session).await else { return };
            wait = if late { (wait * 2).min(LONGEST) } else { FIRST };
        }
    });
}

/// Checks every late order once. Returns whether there were any, or orders could not be read; `None` if the session is
/// closed.
async fn look(till: &Weak<Till>, session: &Weak<Session>) -> Option<bool> {
    let (till, session) = (till.upgrade()?, session.upgrade()?);
    let still = wall_clock() - FOLLOWED_FOR;
    let late: Vec<BookedOrder> = match session.operations.orders() {
        Ok(orders) => orders.into_iter().filter(|order| order.is_late() && order.since > still).collect(),
        Err(error) => {
            tracing::warn!(%error, "orders not read");
            return Some(true);
        }
    };
    for order in &late {
        let number = &order.order_no;
        // A check that fails is repeated later; nothing depends on it.
        let Ok(answer) = session.client.call(client::orders::detail(number)).await else { continue };
        let seen = answer.data.asked_by(number);
        let changed = seen.deliver_ip_count != order.delivered || seen.status != order.status;
        if seen.order_no == *number && changed && session.operations.remember_order(&seen).is_ok() {
            till.host.emit(Event::OrderChanged(number.clone()));
            if seen.purchase_ip_count.or(order.ordered).is_some_and(|all| seen.deliver_ip_count >= Some(all)) {
                notifications::delivered(&till, number);
            }
        }
    }
    Some(!late.is_empty())
}
