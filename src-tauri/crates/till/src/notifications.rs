//! Words for a person who looks elsewhere: traffic runs low, an order is complete. Never while the window
//! has the focus; each thing once.

use std::sync::Arc;
use std::time::Duration;

use wire::Amount;
use wire::ids::OrderNo;

use crate::Till;
use crate::session::Session;

/// Totals are asked for so often while a session is open and a threshold is set.
const EVERY: Duration = Duration::from_secs(15 * 60);
const SOON: Duration = Duration::from_secs(20);

/// Says it, unless the window has the focus. Returns whether it was said.
fn notify(till: &Till, title: &str, body: &str) -> bool {
    if till.host.has_focus() {
        return false;
    }
    till.host.notify(title, body).inspect_err(|error| tracing::info!(%error, "no notification")).is_ok()
}

/// An order is delivered whole.
pub(crate) fn delivered(till: &Till, order: &OrderNo) {
    if till.settings().is_ok_and(|settings| settings.notifications.delivered) {
        let words = till.words();
        notify(till, &words.get("notify-delivered"), &words.with("notify-order", &[("order", order.as_str())]));
    }
}

/// A bulk has ended.
pub(crate) fn bulk_ended(till: &Till, bulk: &operations::BulkView) {
    let words = till.words();
    let (done, all) = (bulk.rows - bulk.counts.waiting - bulk.counts.skipped, bulk.rows);
    let body = words.with("notify-bulk-body", &[("done", &done.to_string()), ("all", &all.to_string())]);
    notify(till, &words.get("notify-bulk"), &body);
}

/// Looks at the traffic left while the session is open, and says once when it falls below what was set.
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

/// What is left in GB, and whether that is low. `None`: nothing is to be said, or the vendor does not tell.
async fn look(till: &Till, session: &Session) -> Option<(Amount, bool)> {
    let threshold = till.settings().ok()?.notifications.low_traffic?;
    let totals = session.client.call(client::traffic::totals()).await.ok()?;
    // Which of the two accounts pays for customers is nowhere said: both count.
    let left = totals.data.left()?;
    let factor = session.gb_factor().unwrap_or_default();
    let gb = Amount::new((left.value() / factor.mb()).round_dp(2).normalize());
    Some((gb, gb < threshold))
}

fn tell(till: &Till, left: &Amount) -> bool {
    let words = till.words();
    notify(till, &words.get("notify-low"), &words.with("notify-left", &[("gb", &left.to_string())]))
}
