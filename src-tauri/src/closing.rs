//! Closes the window: at once, or after the page has asked because work is under way.
//!
//! The end of a session never asks. On Windows tao leaves `WM_QUERYENDSESSION` to the system, which agrees; macOS and its
//! Dock end the program without a request to close; on Linux the display goes.

use std::time::Duration;

use tauri::{AppHandle, Manager, Window, WindowEvent};

use crate::shell::shell;

/// How long the page may take to ask. One that hangs keeps no window open.
const PATIENCE: Duration = Duration::from_secs(2);

/// Follows the window's own button.
pub(crate) fn follow(window: &Window, event: &WindowEvent) {
    if let WindowEvent::CloseRequested { api, .. } = event {
        api.prevent_close();
        ask(window.app_handle());
    }
}

/// Closes the program, or lets the page ask. Never waits.
pub(crate) fn ask(handle: &AppHandle) {
    let handle = handle.clone();
    tauri::async_runtime::spawn(async move {
        let may_close = match shell(&handle).opened() {
            Some(till) => till.may_close(PATIENCE).await,
            // Nothing can be under way.
            None => true,
        };
        if may_close {
            leave(&handle);
        }
    });
}

/// Ends the program.
pub(crate) fn leave(handle: &AppHandle) {
    if let Some(till) = shell(handle).opened() {
        till.discard_unfinished();
    }
    handle.exit(0);
}
