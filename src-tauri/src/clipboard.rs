//! Secrets that were copied leave the clipboard after a minute, or when the program ends: unless something else
//! was copied meanwhile.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tauri::AppHandle;
use tauri_plugin_clipboard_manager::{ClipboardExt, Error};

/// How long a secret stays.
const CLEARED_AFTER: Duration = Duration::from_secs(60);

/// The secret that was copied last.
#[derive(Default)]
pub(crate) struct Copied(Mutex<Option<SecretString>>);

impl Copied {
    fn replace(&self, with: Option<SecretString>) -> Option<SecretString> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), with)
    }
}

/// Copies a secret for a while.
pub(crate) fn copy_secret(handle: &AppHandle, secret: SecretString) -> Result<(), Error> {
    handle.clipboard().write_text(secret.expose_secret())?;
    crate::shell(handle).copied.replace(Some(secret.clone()));
    let handle = handle.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(CLEARED_AFTER).await;
        clear_if(&handle, &secret);
    });
    Ok(())
}

/// The program is about to end: with a secret in the clipboard it ends a moment later. Another thread asks for what
/// the clipboard holds, which may be the window's own, told by the main thread.
pub(crate) fn clear_and_exit(handle: &AppHandle) -> bool {
    let Some(secret) = crate::shell(handle).copied.replace(None) else { return false };
    let handle = handle.clone();
    std::thread::spawn(move || {
        clear_if(&handle, &secret);
        handle.exit(0);
    });
    true
}

fn clear_if(handle: &AppHandle, secret: &SecretString) {
    if handle.clipboard().read_text().is_ok_and(|now| now == secret.expose_secret())
        && let Err(error) = handle.clipboard().clear()
    {
        tracing::warn!(%error, "a copied secret was not cleared");
    }
}
