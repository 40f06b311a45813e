//! The system's clipboard. What stays in it, and how long, is the business of `till`.

#[cfg(target_os = "macos")]
use arboard::SetExtApple as _;
#[cfg(target_os = "linux")]
use arboard::SetExtLinux as _;
#[cfg(windows)]
use arboard::SetExtWindows as _;
use arboard::{Error, Set};
use parking_lot::Mutex;
use secrecy::ExposeSecret;
use tauri::AppHandle;

use crate::shell;

/// Opened at first use. On Linux the program itself serves what it copied, for as long as this stays open.
#[derive(Default)]
pub(crate) struct Clipboard(Mutex<Option<arboard::Clipboard>>);

impl Clipboard {
    pub(crate) fn copy(&self, text: &str) -> Result<(), Error> {
        self.with(|system| system.set_text(text))
    }

    /// Copies past the histories that clipboards have.
    pub(crate) fn copy_concealed(&self, text: &str) -> Result<(), Error> {
        self.with(|system| concealed(system.set()).text(text))
    }

    /// Empties it if it still holds this text.
    pub(crate) fn clear_if(&self, text: &str) -> Result<(), Error> {
        self.with(|system| match system.get_text() {
            Ok(now) if now == text => system.clear(),
            Ok(_) | Err(Error::ContentNotAvailable) => Ok(()),
            Err(error) => Err(error),
        })
    }

    /// Hands what was copied to the system's own keeper, where there is one. Never waits: whoever asks the clipboard
    /// just now may wait for this thread.
    pub(crate) fn close(&self) {
        if let Some(mut system) = self.0.try_lock() {
            drop(system.take());
        }
    }

    fn with<T>(&self, ask: impl FnOnce(&mut arboard::Clipboard) -> Result<T, Error>) -> Result<T, Error> {
        let mut system = self.0.lock();
        match &mut *system {
            Some(open) => ask(open),
            closed => ask(closed.insert(arboard::Clipboard::new()?)),
        }
    }
}

/// The program is about to end: with a secret in the clipboard it ends a moment later. Another thread asks for what
/// the clipboard holds, which may be the window's own, told by the main thread.
pub(crate) fn clear_and_exit(handle: &AppHandle) -> bool {
    let Some(secret) = shell(handle).opened().and_then(|till| till.take_copied_secret()) else { return false };
    let handle = handle.clone();
    std::thread::spawn(move || {
        if let Err(error) = shell(&handle).clipboard.clear_if(secret.expose_secret()) {
            tracing::warn!(%error, "a copied secret was not cleared");
        }
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
