//! The thread that talks to the keychain. Its errors may print secrets: they end here.

use std::sync::Arc;
use std::sync::mpsc;

use keyring::Error;
use keyring_core::{CredentialStore, Entry};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::oneshot;

use crate::KeychainState;

pub(crate) enum Wish {
    Look,
    Save(String, SecretString),
    Read(String),
    Remove(String),
}

pub(crate) enum Reply {
    Done,
    NoEntry,
    Secret(SecretString),
}

type Answer = Result<Reply, KeychainState>;

/// The account that a look asks for. Nothing is ever saved under it.
const LOOK: &str = "look";

pub(crate) struct Keychain(mpsc::Sender<(Wish, oneshot::Sender<Answer>)>);

impl Keychain {
    pub(crate) fn start(service: String) -> Self {
        let (sender, wishes) = mpsc::channel::<(Wish, oneshot::Sender<Answer>)>();
        std::thread::spawn(move || {
            let mut store = None;
            for (wish, answer) in wishes {
                // The asker may have given up: then nobody takes the answer.
                let is_old = store.is_some();
                let mut granted = grant(&mut store, &service, &wish);
                if is_old && matches!(granted, Err(KeychainState::Missing)) && !answer.is_closed() {
                    // A keychain that was started again knows nothing of what was agreed with the last one.
                    store = None;
                    granted = grant(&mut store, &service, &wish);
                }
                let _ = answer.send(granted);
            }
        });
        Self(sender)
    }

    pub(crate) fn ask(&self, wish: Wish) -> oneshot::Receiver<Answer> {
        let (answer, waiting) = oneshot::channel();
        // A thread that ended drops the answer, which the asker sees.
        let _ = self.0.send((wish, answer));
        waiting
    }
}

fn grant(store: &mut Option<Arc<CredentialStore>>, service: &str, wish: &Wish) -> Answer {
    let store = match store {
        Some(store) => store,
        None => store.insert(open().map_err(|error| state(&error))?),
    };
    let entry = |account: &str| -> Result<Entry, KeychainState> {
        store.build(service, account, None).map_err(|error| state(&error))
    };
    let done = match wish {
        Wish::Look => entry(LOOK)?.get_secret().map(|_| Reply::Done),
        Wish::Save(account, secret) => {
            entry(account)?.set_secret(secret.expose_secret().as_bytes()).map(|()| Reply::Done)
        }
        Wish::Read(account) => {
            let bytes = entry(account)?.get_secret();
            bytes.map(|bytes| String::from_utf8(bytes).map_or(Reply::NoEntry, |text| Reply::Secret(text.into())))
        }
        Wish::Remove(account) => entry(account)?.delete_credential().map(|()| Reply::Done),
    };
    match done {
        Err(Error::NoEntry) => Ok(Reply::NoEntry),
        other => other.map_err(|error| state(&error)),
    }
}

fn open() -> keyring::Result<Arc<CredentialStore>> {
    #[cfg(target_os = "macos")]
    let store = apple_native_keyring_store::keychain::Store::new()?;
    #[cfg(target_os = "windows")]
    let store = windows_native_keyring_store::Store::new()?;
    #[cfg(all(unix, not(target_os = "macos")))]
    let store = zbus_secret_service_keyring_store::Store::new()?;
    Ok(store)
}

fn state(error: &Error) -> KeychainState {
    match error {
        Error::NoStorageAccess(_) => KeychainState::Locked,
        Error::PlatformFailure(_) | Error::NoDefaultStore => KeychainState::Missing,
        _ => KeychainState::Unusable,
    }
}
