//! Notifications for a person who is looking elsewhere: traffic runs low, an order is complete, a bulk has ended or
//! stopped, an operation needs a decision, IPs run out. Never while the window has the focus. Each is shown once; the
//! one about IPs, once a day.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use operations::{BulkView, OperationId, OperationView, Operations, State};
use wire::Amount;
use wire::Day;
use wire::ids::OrderNo;

use crate::Till;
use crate::error::CommandError;
use crate::goods;
use crate::session::Session;

/// The time between two checks of the traffic left, and of the IPs that run out, while a session is open.
const EVERY: Duration = Duration::from_secs(15 * 60);
const SOON: Duration = Duration::from_secs(20);

/// Shows a notification, unless the window has the focus. Returns whether it was shown.
fn notify(till: &Till, title: &str, body: &str) -> bool {
    if till.host.has_focus() {
        return false;
    }
    till.host.notify(title, body).inspect_err(|error| tracing::info!(%error, "no notification")).is_ok()
}

/// Notifies that an order is completely delivered.
pub(crate) fn delivered(till: &Till, order: &OrderNo) {
    if till.settings().is_ok_and(|settings| settings.notifications.delivered) {
        let words = till.words();
        notify(till, &words.get("notify-delivered"), &words.with("notify-order", &[("order", order.as_str())]));
    }
}

/// Notifies that a bulk has ended, and of the rows that are not confirmed.
pub(crate) fn bulk_ended(till: &Till, bulk: &BulkView) {
    about_bulk(till, bulk, "notify-bulk", "notify-bulk-body");
}

/// Notifies that a bulk has stopped by itself and waits for a person.
pub(crate) fn bulk_stopped(till: &Till, bulk: &BulkView) {
    about_bulk(till, bulk, "notify-bulk-stopped", "notify-bulk-stopped-body");
}

fn about_bulk(till: &Till, bulk: &BulkView, title: &str, body: &str) {
    let words = till.words();
    let (sent, all) = (bulk.rows - bulk.counts.waiting - bulk.counts.skipped, bulk.rows);
    let mut body = words.with(body, &[("done", &sent.to_string()), ("all", &all.to_string())]);
    if bulk.counts.unconfirmed > 0 {
        let open = words.with("notify-bulk-open", &[("count", &bulk.counts.unconfirmed.to_string())]);
        body = format!("{body}\n{open}");
    }
    notify(till, &words.get(title), &body);
}

/// The operations that wait for a person's decision, without the rows of bulks.
pub(crate) fn waiting(operations: &Operations) -> Vec<OperationId> {
    let all = operations
        .history()
        .list()
        .inspect_err(|error| tracing::warn!(%error, "operations not read"))
        .unwrap_or_default();
    let waits = |one: &OperationView| one.state == State::NeedsYou && one.bulk.is_none();
    all.into_iter().filter(waits).map(|one| one.id).collect()
}

/// Notifies of each operation that now needs a person's decision and is not in `said` yet. Rows of bulks are left out:
/// the end of their bulk is reported.
pub(crate) fn needs_you(till: &Till, operations: &Operations, ids: Vec<OperationId>, said: &mut HashSet<OperationId>) {
    for id in ids {
        if operations.needs_you(&id).is_ok_and(|needs| needs) && said.insert(id) {
            let words = till.words();
            notify(till, &words.get("notify-needs-you"), &words.get("notify-needs-you-body"));
        }
    }
}

/// Checks the traffic left while the session is open, and notifies once each time it falls below the threshold.
pub(crate) fn follow_traffic(till: &Arc<Till>, session: &Arc<Session>) {
    let (till, session) = (Arc::downgrade(till), Arc::downgrade(session));
    tokio::spawn(async move {
        let (mut wait, mut said) = (SOON, false);
        loop {
            tokio::time::sleep(wait).await;
            let (Some(till), Some(session)) = (till.upgrade(), session.upgrade()) else { return };
            let low = look(&till, &session).await;
            drop(session);
            if let Some((left, low)) = low {
                said = low && (said || tell(&till, &left));
            }
            wait = EVERY;
        }
    });
}

/// The traffic left, in GB, and whether that is low. `None` if no threshold is set or the vendor does not report it.
async fn look(till: &Till, session: &Session) -> Option<(Amount, bool)> {
    let threshold = till.settings().ok()?.notifications.low_traffic?;
    let totals = session.client.call(client::traffic::totals()).await.ok()?;
    // The contract does not say which of the two accounts pays for customers: both count.
    let left = totals.data.left()?;
    let factor = session.gb_factor().unwrap_or_default();
    let gb = Amount::new((left.value() / factor.mb()).round_dp(2).normalize());
    Some((gb, gb < threshold))
}

fn tell(till: &Till, left: &Amount) -> bool {
    let words = till.words();
    notify(till, &words.get("notify-low"), &words.with("notify-left", &[("gb", &left.to_string())]))
}

/// While the session is open, reads once a day the orders that were never opened, and notifies of the IPs that run out
/// within the days that are set. Failed reads are tried again.
pub(crate) fn follow_ends(till: &Arc<Till>, session: &Arc<Session>) {
    let (till, weak) = (Arc::downgrade(till), Arc::downgrade(session));
    tokio::spawn(async move {
        let (mut wait, mut read_on) = (SOON, None);
        loop {
            tokio::time::sleep(wait).await;
            let Some(till) = till.upgrade() else { return };
            let Some(today) = weak.upgrade().map(|session| session.today()) else { return };
            if read_on != Some(today) {
                // Without an answer, what is known is counted.
                match goods::read_unopened(&till, &weak).await {
                    Ok(()) => read_on = Some(today),
                    Err(error) => tracing::info!(code = ?error.code, "not all orders are read"),
                }
            }
            let Some(session) = weak.upgrade() else { return };
            if let Err(error) = tell_ends(&till, &session).await {
                tracing::warn!(code = ?error.code, "what runs out is not known");
            }
            wait = EVERY;
        }
    });
}

/// Notifies of IPs that run out, once a day, unless the window has the focus.
async fn tell_ends(till: &Till, session: &Arc<Session>) -> Result<(), CommandError> {
    let Some(days) = till.settings()?.notifications.ends else { return Ok(()) };
    // The vendor's day, like every day that the program compares.
    let (today, told) = (session.today(), format!("ends-told {}", session.id));
    if till.host.has_focus() || till.store.setting::<Day>(&told)? == Some(today) {
        return Ok(());
    }
    let rows = session.goods.rows(session).await?;
    let count = ::goods::ends::due(&rows, session.now(), days);
    let words = till.words();
    let values = [("count", count.to_string()), ("days", days.to_string())];
    let body = if days == 1 { "notify-ends-body-day" } else { "notify-ends-body" };
    let body = words.with(body, &values.each_ref().map(|(name, value)| (*name, value.as_str())));
    if count > 0 && notify(till, &words.get("notify-ends"), &body) {
        till.store.set_setting(&told, &today)?;
    }
    Ok(())
}
