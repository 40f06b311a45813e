//! Secrets in the keychain of the operating system, or in memory for this session. Never in a file.
//!
//! Keychain calls block, and may block for ever while a prompt waits, so they run on a thread of their own with a
//! time limit. A thread that does not come back is abandoned with its store.

pub mod bound;
mod keychain;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parking_lot::Mutex;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use keychain::{Calls, Keychain, Reply, Service, Wish};

/// What is known about the keychain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum KeychainState {
    /// The keychain answers.
    #[error("the keychain answers")]
    Available,
    /// This computer offers no keychain: no session bus, or no service on it.
    #[error("this computer offers no keychain")]
    Missing,
    /// The keychain is locked, or the prompt to unlock it was dismissed.
    #[error("the keychain is locked")]
    Locked,
    /// The keychain did not answer in time.
    #[error("the keychain does not answer")]
    NotAnswering,
    /// The entry was saved for another account.
    #[error("it was saved for another account")]
    OtherAccount,
    /// The keychain answered with an error that has no other word here.
    #[error("the keychain cannot be used")]
    Unusable,
}

/// Time limits for the keychain.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a check that asks the person nothing.
    pub look: Duration,
    /// For a call that may open a prompt.
    pub prompt: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { look: Duration::from_secs(3), prompt: Duration::from_secs(120) }
    }
}

/// The secrets of one program: the keychain entries of one service name, and those in memory for this session.
pub struct Vault {
    service: Service,
    patience: Patience,
    session: Mutex<HashMap<String, SecretString>>,
    keychain: Mutex<Option<Keychain>>,
    calls: Arc<Calls>,
}

impl Vault {
    /// Makes a vault whose keychain entries belong to `service`. Does not touch the keychain yet.
    pub fn new(service: impl Into<String>, patience: Patience) -> Self {
        Self {
            service: Service { name: service.into(), former: None },
            patience,
            session: Mutex::default(),
            keychain: Mutex::default(),
            calls: Arc::default(),
        }
    }

    /// Adds the service name that earlier versions used: an entry of theirs is renamed when it is first asked for.
    #[must_use]
    pub fn formerly(mut self, service: impl Into<String>) -> Self {
        self.service.former = Some(service.into());
        self
    }

    /// The same keychain on a thread of its own, so that the calls of the two do not wait for each other.
    #[must_use]
    pub fn beside(&self) -> Self {
        let (service, calls) = (self.service.clone(), self.calls.clone());
        Self { service, patience: self.patience, session: Mutex::default(), keychain: Mutex::default(), calls }
    }

    /// Number of calls that have not come back, including those that were given up.
    pub fn under_way(&self) -> usize {
        self.calls.under_way.load(Ordering::SeqCst)
    }

    /// Checks whether the keychain answers. Opens no prompt where the system allows that. `expected` names an entry
    /// that was saved earlier: a keychain without it counts as locked.
    pub async fn state(&self, expected: Option<&str>) -> KeychainState {
        let wish = expected.map_or(Wish::Look, |account| Wish::Read(account.into()));
        match self.ask(wish, self.patience.look).await {
            Ok(Reply::NoEntry) if expected.is_some() => KeychainState::Locked,
            Ok(_) => KeychainState::Available,
            Err(state) => state,
        }
    }

    /// Saves a secret in the keychain, and drops the session's copy.
    ///
    /// # Errors
    /// The state of the keychain that prevented it; nothing was saved, nor will be later.
    pub async fn save(&self, account: &str, secret: SecretString) -> Result<(), KeychainState> {
        self.ask(Wish::Save(account.into(), secret), self.patience.prompt).await?;
        self.session.lock().remove(account);
        Ok(())
    }

    /// Keeps a secret in memory until the program ends.
    pub fn keep_for_session(&self, account: &str, secret: SecretString) {
        self.session.lock().insert(account.into(), secret);
    }

    /// Reads a secret, from the session if it is there, otherwise from the keychain. `None` when there is none.
    ///
    /// # Errors
    /// The state of the keychain that prevented it.
    pub async fn read(&self, account: &str) -> Result<Option<SecretString>, KeychainState> {
        let kept = self.session.lock().get(account).cloned();
        if kept.is_some() {
            return Ok(kept);
        }
        match self.ask(Wish::Read(account.into()), self.patience.prompt).await? {
            Reply::Secret(secret) => Ok(Some(secret)),
            Reply::Done | Reply::NoEntry => Ok(None),
        }
    }

    /// Moves a secret from the keychain into this session's memory, so that it is on no disk.
    ///
    /// # Errors
    /// The state of the keychain that prevented it; the secret stays where it was.
    pub async fn move_to_session(&self, account: &str) -> Result<(), KeychainState> {
        if let Some(secret) = self.read(account).await? {
            self.ask(Wish::Remove(account.into()), self.patience.prompt).await?;
            self.keep_for_session(account, secret);
        }
        Ok(())
    }

    /// Moves a secret from this session's memory into the keychain.
    ///
    /// # Errors
    /// The state of the keychain that prevented it; the secret stays where it was.
    pub async fn move_to_keychain(&self, account: &str) -> Result<(), KeychainState> {
        let kept = self.session.lock().get(account).cloned();
        match kept {
            Some(secret) => self.save(account, secret).await,
            None => Ok(()),
        }
    }

    /// Removes a secret from the session and the keychain. Succeeds if there is none.
    ///
    /// # Errors
    /// The state of the keychain that prevented it. The entry stays, but the session's copy is gone.
    pub async fn remove(&self, account: &str) -> Result<(), KeychainState> {
        self.session.lock().remove(account);
        self.ask(Wish::Remove(account.into()), self.patience.prompt).await.map(|_| ())
    }

    async fn ask(&self, wish: Wish, limit: Duration) -> Result<Reply, KeychainState> {
        let mut waiting = {
            let mut keychain = self.keychain.lock();
            keychain.get_or_insert_with(|| Keychain::start(self.service.clone(), self.calls.clone())).ask(wish)
        };
        let reply = match tokio::time::timeout(limit, &mut waiting).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => Err(KeychainState::Unusable),
            Err(_) => {
                // From here on, a late thread sees that its call was given up, and undoes its change.
                waiting.close();
                waiting.try_recv().unwrap_or(Err(KeychainState::NotAnswering))
            }
        };
        if let Err(state) = reply {
            tracing::warn!(%state, "keychain");
            // The next call gets a new thread and a new store, so "Try again" really starts again.
            *self.keychain.lock() = None;
            return Err(state);
        }
        reply
    }
}
