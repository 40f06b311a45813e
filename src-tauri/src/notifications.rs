//! Words for a person who looks elsewhere: traffic runs low, an order is complete. Never while the window
//! has the focus; each thing once.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tauri::{AppHandle, Manager};
use tauri_plugin_notification::NotificationExt;
use wire::Amount;
use wire::ids::OrderNo;

use crate::session::Session;
use crate::{shell, window};

/// Totals are asked for so often while a session is open and a threshold is set.
const EVERY: Duration = Duration::from_secs(15 * 60);
const SOON: Duration = Duration::from_secs(20);

/// Says it, unless the window has the focus. Returns whether it was said.
fn notify(handle: &AppHandle, title: &str, body: &str) -> bool {
    let focused = handle.get_webview_window(window::MAIN).and_then(|window| window.is_focused().ok());
    if focused.unwrap_or(false) {
        return false;
    }
    let shown = handle.notification().builder().title(title).body(body).show();
    shown.inspect_err(|error| tracing::info!(%error, "no notification")).is_ok()
}

/// An order is delivered whole.
pub(crate) fn delivered(handle: &AppHandle, order: &OrderNo) {
    let Some(app) = shell(handle).opened() else { return };
    if app.settings().is_ok_and(|settings| settings.notifications.delivered) {
        let words = app.words();
        notify(handle, &words.get("notify-delivered"), &words.with("notify-order", &[("order", order.as_str())]));
    }
}

/// A bulk has ended.
pub(crate) fn bulk_ended(handle: &AppHandle, bulk: &operations::BulkView) {
    let Some(app) = shell(handle).opened() else { return };
    let words = app.words();
    let (done, all) = (bulk.rows - bulk.counts.waiting - bulk.counts.skipped, bulk.rows);
    let body = words.with("notify-bulk-body", &[("done", &done.to_string()), ("all", &all.to_string())]);
    notify(handle, &words.get("notify-bulk"), &body);
}

/// Looks at the traffic left while the session is open, and says once when it falls below what was set.
pub(crate) fn follow_traffic(handle: &AppHandle, session: &Arc<Session>) {
    let (handle, session) = (handle.clone(), Arc::downgrade(session));
    tauri::async_runtime::spawn(async move {
        let (mut wait, mut said) = (SOON, false);
        loop {
            tokio::time::sleep(wait).await;
            let Some(low) = look(&handle, &session).await else { return };
            if let Some((left, low)) = low {
                said = low && (said || tell(&handle, &left));
            }
            wait = EVERY;
        }
    });
}

/// What is left in GB, and whether that is low. Outer `None`: the session is closed; inner: not told.
async fn look(handle: &AppHandle, session: &Weak<Session>) -> Option<Option<(Amount, bool)>> {
    let session = session.upgrade()?;
    let app = shell(handle).opened()?;
    let Some(threshold) = app.settings().ok().and_then(|settings| settings.notifications.low_traffic) else {
        return Some(None);
    };
    let Ok(totals) = session.client.call(client::traffic::totals()).await else { return Some(None) };
    // Which of the two accounts pays for customers is nowhere said: both count.
    let Some(left) = totals.data.left() else { return Some(None) };
    let factor = session.gb_factor().unwrap_or_default();
    let gb = Amount::new((left.value() / factor.mb()).round_dp(2).normalize());
    Some(Some((gb, gb < threshold)))
}

fn tell(handle: &AppHandle, left: &Amount) -> bool {
    let Some(app) = shell(handle).opened() else { return false };
    let words = app.words();
    notify(handle, &words.get("notify-low"), &words.with("notify-left", &[("gb", &left.to_string())]))
}
