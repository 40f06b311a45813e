//! What is pushed to the window.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use client::Waits;
use operations::{BulkState, BulkView, OperationId, Operations};
use serde::Serialize;
use tauri::{AppHandle, Emitter};
use ts_rs::TS;

use crate::session::Session;
use crate::{late_orders, notifications};

/// An operation changed; the window asks for it again.
pub(crate) const OPERATION_CHANGED: &str = "operation-changed";

/// Changes within this time are told as one.
const TOGETHER: Duration = Duration::from_millis(60);

/// More of the usage report is kept.
pub(crate) const USAGE_PROGRESS: &str = "usage-progress";

/// The vendor asks reads to wait: so many seconds until the first of them asks again; null when none waits.
pub(crate) const READS_WAITING: &str = "reads-waiting";

/// More of an export is written.
pub(crate) const EXPORT_PROGRESS: &str = "export-progress";

/// How far an export is.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct ExportProgress {
    /// Rows written.
    pub rows: usize,
    /// Rows of all.
    pub total: usize,
}

/// The newest bulk, when nothing of it waits any more.
fn ended(operations: &Operations) -> Option<BulkView> {
    operations.bulks().ok()?.into_iter().next().filter(|bulk| bulk.state == BulkState::Finished)
}

/// Passes on what the vendor asks to wait for.
pub(crate) fn follow_waits(handle: &AppHandle, waits: &Waits) {
    let (handle, mut soonest) = (handle.clone(), waits.soonest());
    tauri::async_runtime::spawn(async move {
        while soonest.changed().await.is_ok() {
            let end = *soonest.borrow_and_update();
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            let _ = handle.emit(READS_WAITING, left.map(|left| left.as_secs_f64().ceil()));
        }
    });
}

/// Passes on what changes in a session: its operations, once for each journal, and its late orders.
pub(crate) fn follow(handle: &AppHandle, session: &Arc<Session>) {
    late_orders::follow(handle, session);
    notifications::follow_traffic(handle, session);
    if session.followed.swap(true, Ordering::SeqCst) {
        return;
    }
    let (handle, operations, mut changes) = (handle.clone(), session.operations.clone(), session.operations.changes());
    tauri::async_runtime::spawn(async move {
        use tokio::sync::broadcast::error::RecvError;
        loop {
            let changed: Option<OperationId> = match changes.recv().await {
                Ok(id) => Some(id),
                // Some were missed: the window asks for all of them.
                Err(RecvError::Lagged(_)) => None,
                Err(RecvError::Closed) => return,
            };
            // A bulk changes hundreds a second; the window asks for all of them anyway.
            tokio::time::sleep(TOGETHER).await;
            // The empty name tells that a bulk has ended.
            let mut has_ended = changed.as_ref().is_some_and(|id| id.0.is_empty());
            while let Ok(more) = changes.try_recv() {
                has_ended |= more.0.is_empty();
            }
            if let Some(bulk) = ended(&operations).filter(|_| has_ended) {
                notifications::bulk_ended(&handle, &bulk);
            }
            let _ = handle.emit(OPERATION_CHANGED, changed);
        }
    });
}
