//! What is pushed to the window.

use std::sync::Arc;

use operations::OperationId;
use tauri::{AppHandle, Emitter};

use crate::session::Session;

/// An operation changed; the window asks for it again.
pub(crate) const OPERATION_CHANGED: &str = "operation-changed";

/// Passes the changes of a session's operations on; once for each journal.
pub(crate) fn follow(handle: &AppHandle, session: &Arc<Session>) {
    if !session.fresh {
        return;
    }
    let (handle, mut changes) = (handle.clone(), session.operations.changes());
    tauri::async_runtime::spawn(async move {
        use tokio::sync::broadcast::error::RecvError;
        loop {
            let changed: Option<OperationId> = match changes.recv().await {
                Ok(id) => Some(id),
                // Some were missed: the window asks for all of them.
                Err(RecvError::Lagged(_)) => None,
                Err(RecvError::Closed) => return,
            };
            let _ = handle.emit(OPERATION_CHANGED, changed);
        }
    });
}
