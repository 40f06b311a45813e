//! Orders that were delivered in part are looked at until they are complete.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tauri::{AppHandle, Emitter};
use wire::ids::OrderNo;

use crate::session::Session;

/// An order was seen complete; the window reads it again.
pub(crate) const ORDER_CHANGED: &str = "order-changed";

/// The first look comes soon, for most are complete within a minute; later ones are polite.
const FIRST: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(120);

/// Looks while the session is open.
pub(crate) fn follow(handle: &AppHandle, session: &Arc<Session>) {
    let (handle, session) = (handle.clone(), Arc::downgrade(session));
    tauri::async_runtime::spawn(async move {
        let mut wait = FIRST;
        loop {
            tokio::time::sleep(wait).await;
            let Some(late) = look(&handle, &session).await else { return };
            wait = if late { (wait * 2).min(LONGEST) } else { FIRST };
        }
    });
}

/// One look at every late order. `None`: the session is closed; else whether some are still late.
async fn look(handle: &AppHandle, session: &Weak<Session>) -> Option<bool> {
    let session = session.upgrade()?;
    let late: Vec<OrderNo> = match session.operations.orders() {
        Ok(orders) => orders.into_iter().filter(|order| order.is_late()).map(|order| order.order_no).collect(),
        Err(error) => {
            tracing::warn!(%error, "orders not read");
            return Some(true);
        }
    };
    for number in &late {
        // A look that fails is made again; nothing depends on it.
        let Ok(answer) = session.client.call(client::orders::detail(number)).await else { continue };
        if session.operations.remember_order(&answer.data).is_ok() {
            let _ = handle.emit(ORDER_CHANGED, number);
        }
    }
    Some(!late.is_empty())
}
