//! What is copied. A secret is kept out of clipboard histories and leaves the clipboard after a minute, or when the
//! program ends, unless something else was copied meanwhile.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

#[cfg(target_os = "macos")]
use arboard::SetExtApple as _;
#[cfg(target_os = "linux")]
use arboard::SetExtLinux as _;
#[cfg(windows)]
use arboard::SetExtWindows as _;
use arboard::{Error, Set};
use secrecy::{ExposeSecret, SecretString};
use tauri::AppHandle;

/// How long a secret stays.
const CLEARED_AFTER: Duration = Duration::from_secs(60);

/// The system's clipboard, and the secret that was copied last.
#[derive(Default)]
pub(crate) struct Clipboard {
    /// Opened at first use. On Linux the program itself serves what it copied, for as long as this stays open.
    system: Mutex<Option<arboard::Clipboard>>,
    secret: Mutex<Option<SecretString>>,
}

impl Clipboard {
    pub(crate) fn copy(&self, text: String) -> Result<(), Error> {
        self.with(|system| system.set_text(text))
    }

    /// Hands what was copied to the system's own keeper, where there is one. Never waits: whoever asks the clipboard
    /// just now may wait for this thread.
    pub(crate) fn close(&self) {
        if let Ok(mut system) = self.system.try_lock() {
            drop(system.take());
        }
    }

    fn with<T>(&self, ask: impl FnOnce(&mut arboard::Clipboard) -> Result<T, Error>) -> Result<T, Error> {
        let mut system = self.system.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *system {
            Some(open) => ask(open),
            closed => ask(closed.insert(arboard::Clipboard::new()?)),
        }
    }

    fn remember(&self, secret: Option<SecretString>) -> Option<SecretString> {
        std::mem::replace(&mut *self.secret.lock().unwrap_or_else(PoisonError::into_inner), secret)
    }

    fn clear_if(&self, secret: &SecretString) {
        let cleared = self.with(|system| match system.get_text() {
            Ok(now) if now == secret.expose_secret() => system.clear(),
            Ok(_) | Err(Error::ContentNotAvailable) => Ok(()),
            Err(error) => Err(error),
        });
        if let Err(error) = cleared {
            tracing::warn!(%error, "a copied secret was not cleared");
        }
    }
}

/// Copies a secret for a while.
pub(crate) fn copy_secret(handle: &AppHandle, secret: SecretString) -> Result<(), Error> {
    let clipboard = &crate::shell(handle).clipboard;
    clipboard.remember(Some(secret.clone()));
    clipboard.with(|system| concealed(system.set()).text(secret.expose_secret()))?;
    let handle = handle.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(CLEARED_AFTER).await;
        crate::shell(&handle).clipboard.clear_if(&secret);
    });
    Ok(())
}

/// The program is about to end: with a secret in the clipboard it ends a moment later. Another thread asks for what
/// the clipboard holds, which may be the window's own, told by the main thread.
pub(crate) fn clear_and_exit(handle: &AppHandle) -> bool {
    let Some(secret) = crate::shell(handle).clipboard.remember(None) else { return false };
    let handle = handle.clone();
    std::thread::spawn(move || {
        crate::shell(&handle).clipboard.clear_if(&secret);
        handle.exit(0);
    });
    true
}

#[cfg(windows)]
fn concealed(set: Set<'_>) -> Set<'_> {
    set.exclude_from_monitoring()
}

#[cfg(not(windows))]
fn concealed(set: Set<'_>) -> Set<'_> {
    set.exclude_from_history()
}
