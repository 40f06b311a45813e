//! The system's clipboard. `till` decides what stays in it, and for how long.

#[cfg(target_os = "macos")]
use arboard::SetExtApple as _;
#[cfg(target_os = "linux")]
use arboard::SetExtLinux as _;
#[cfg(windows)]
use arboard::SetExtWindows as _;
use arboard::{Error, Set};
use parking_lot::Mutex;
use secrecy::{ExposeSecret, SecretString};
use tauri::AppHandle;

use crate::shell;

/// The clipboard, opened at first use. On Linux the program itself serves what it copied, as long as this stays open.
#[derive(Default)]
pub(crate) struct Clipboard(Mutex<Option<arboard::Clipboard>>);

impl Clipboard {
    pub(crate) fn copy(&self, text: &str) -> Result<(), Error> {
        self.with(|system| system.set_text(text))
    }

    /// Copies a text and keeps it out of clipboard histories.
    pub(crate) fn copy_concealed(&self, text: &str) -> Result<(), Error> {
        self.with(|system| concealed(system.set()).text(text))
    }

    /// Empties the clipboard if it still holds this text.
    pub(crate) fn clear_if(&self, text: &str) -> Result<(), Error> {
        self.with(|system| match system.get_text() {
            Ok(now) if now == text => system.clear(),
            Ok(_) | Err(Error::ContentNotAvailable) => Ok(()),
            Err(error) => Err(error),
        })
    }

    /// Hands what was copied to the system's clipboard manager, if there is one. Never waits: a thread that is reading
    /// the clipboard may itself wait for this one.
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

/// Clears a copied secret before the program ends, and then ends it; returns whether it does. Reads the clipboard on
/// another thread: if the window owns it, the main thread has to answer.
pub(crate) fn clear_and_exit(handle: &AppHandle) -> bool {
    let Some(secret) = shell(handle).opened().and_then(|till| till.take_copied_secret()) else { return false };
    let handle = handle.clone();
    std::thread::spawn(move || {
        clear_secret(&handle, &secret);
        handle.exit(0);
    });
    true
}

/// Clears a copied secret at once, while the program ends. The Dock and the end of a session on macOS end it without
/// asking first; there the clipboard is the system's own, so that the main thread may read it.
#[cfg(target_os = "macos")]
pub(crate) fn clear(handle: &AppHandle) {
    if let Some(secret) = shell(handle).opened().and_then(|till| till.take_copied_secret()) {
        clear_secret(handle, &secret);
    }
}

fn clear_secret(handle: &AppHandle, secret: &SecretString) {
    if let Err(error) = shell(handle).clipboard.clear_if(secret.expose_secret()) {
        tracing::warn!(%error, "a copied secret was not cleared");
    }
}

#[cfg(windows)]
fn concealed(set: Set<'_>) -> Set<'_> {
    set.exclude_from_monitoring()
}

#[cfg(not(windows))]
fn concealed(set: Set<'_>) -> Set<'_> {
    set.exclude_from_history()
}

// On other systems a test cannot read back what is kept out of a history.
#[cfg(all(test, windows))]
mod tests {
    use clipboard_win::{is_format_avail, register_format};

    use super::*;

    #[test]
    fn a_secret_is_kept_out_of_the_history_and_other_texts_are_not() {
        let excluded = register_format("ExcludeClipboardContentFromMonitorProcessing").unwrap().get();
        let clipboard = Clipboard::default();
        clipboard.copy_concealed("a token").unwrap();
        assert!(is_format_avail(excluded), "Windows and other programs are told to leave it out");
        clipboard.clear_if("another text").unwrap();
        assert!(is_format_avail(excluded), "what is not ours stays");
        clipboard.clear_if("a token").unwrap();
        assert!(!is_format_avail(excluded), "it is gone with the secret");
        clipboard.copy("an address").unwrap();
        assert!(!is_format_avail(excluded));
    }
}
