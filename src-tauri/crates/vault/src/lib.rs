//! Secrets in the keychain of the operating system, or in memory for this session. Never in a file.
//!
//! Keychain calls block, and may block for ever while a prompt waits: they run on a thread of their
//! own with a time limit. A thread that does not come back is left behind with its store.

pub mod bound;
mod keychain;

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use keychain::{Calls, Keychain, Reply, Service, Wish};

/// What can be said of the keychain, honestly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum KeychainState {
    /// It answers.
    #[error("the keychain answers")]
    Available,
    /// This computer offers none: no session bus, or no service on it.
    #[error("this computer offers no keychain")]
    Missing,
    /// It is locked, or the prompt to unlock it was dismissed.
    #[error("the keychain is locked")]
    Locked,
    /// It did not answer in time.
    #[error("the keychain does not answer")]
    NotAnswering,
    /// What it holds was saved for another account.
    #[error("it was saved for another account")]
    OtherAccount,
    /// It answered with something this program has no word for.
    #[error("the keychain cannot be used")]
    Unusable,
}

/// How long to wait for the keychain.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a look that asks nothing of the person.
    pub look: Duration,
    /// For a call that may open a prompt.
    pub prompt: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { look: Duration::from_secs(3), prompt: Duration::from_secs(120) }
    }
}

/// The secrets of one program: keychain entries of one service name, and a session's memory.
pub struct Vault {
    service: Service,
    patience: Patience,
    session: Mutex<HashMap<String, SecretString>>,
    keychain: Mutex<Option<Keychain>>,
    calls: Arc<Calls>,
}

impl Vault {
    /// A vault whose keychain entries belong to `service`. Nothing is touched yet.
    pub fn new(service: impl Into<String>, patience: Patience) -> Self {
        Self {
            service: Service { name: service.into(), former: None },
            patience,
            session: Mutex::default(),
            keychain: Mutex::default(),
            calls: Arc::default(),
        }
    }

    /// The same vault, which earlier versions of the program kept under another service name: an entry of theirs gets the
    /// name of today when it is asked for.
    #[must_use]
    pub fn formerly(mut self, service: impl Into<String>) -> Self {
        self.service.former = Some(service.into());
        self
    }

    /// The same keychain, asked by a thread of its own: nobody waits for the other's calls.
    #[must_use]
    pub fn beside(&self) -> Self {
        let (service, calls) = (self.service.clone(), self.calls.clone());
        Self { service, patience: self.patience, session: Mutex::default(), keychain: Mutex::default(), calls }
    }

    /// Calls that have not come back, those that were given up among them.
    pub fn under_way(&self) -> usize {
        self.calls.under_way.load(Ordering::SeqCst)
    }

    /// Looks whether the keychain answers. Opens no prompt where the system allows that. `expected` is
    /// an account that was saved earlier: a keychain that does not find it is locked.
    pub async fn state(&self, expected: Option<&str>) -> KeychainState {
        let wish = expected.map_or(Wish::Look, |account| Wish::Read(account.into()));
        match self.ask(wish, self.patience.look).await {
            Ok(Reply::NoEntry) if expected.is_some() => KeychainState::Locked,
            Ok(_) => KeychainState::Available,
            Err(state) => state,
        }
    }

    /// Saves in the keychain, and forgets the session's copy.
    ///
    /// # Errors
    /// The state that is in the way; nothing was saved, nor will it be later.
    pub async fn save(&self, account: &str, secret: SecretString) -> Result<(), KeychainState> {
        self.ask(Wish::Save(account.into(), secret), self.patience.prompt).await?;
        self.session().remove(account);
        Ok(())
    }

    /// Keeps in memory until the program ends.
    pub fn keep_for_session(&self, account: &str, secret: SecretString) {
        self.session().insert(account.into(), secret);
    }

    /// Reads: the session first, then the keychain. `None`: no such secret.
    ///
    /// # Errors
    /// The state that is in the way.
    pub async fn read(&self, account: &str) -> Result<Option<SecretString>, KeychainState> {
        let kept = self.session().get(account).cloned();
        if kept.is_some() {
            return Ok(kept);
        }
        match self.ask(Wish::Read(account.into()), self.patience.prompt).await? {
            Reply::Secret(secret) => Ok(Some(secret)),
            Reply::Done | Reply::NoEntry => Ok(None),
        }
    }

    /// Moves a saved secret out of the keychain into this session's memory, so that it is on no disk.
    ///
    /// # Errors
    /// The state that is in the way; the secret stays where it was.
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
    /// The state that is in the way; the secret stays where it was.
    pub async fn move_to_keychain(&self, account: &str) -> Result<(), KeychainState> {
        let kept = self.session().get(account).cloned();
        match kept {
            Some(secret) => self.save(account, secret).await,
            None => Ok(()),
        }
    }

    /// Removes from the session and the keychain. A secret that is not there is removed already.
    ///
    /// # Errors
    /// The state that is in the way, and the entry stays; the session's copy is gone all the same.
    pub async fn remove(&self, account: &str) -> Result<(), KeychainState> {
        self.session().remove(account);
        self.ask(Wish::Remove(account.into()), self.patience.prompt).await.map(|_| ())
    }

    fn session(&self) -> MutexGuard<'_, HashMap<String, SecretString>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask(&self, wish: Wish, limit: Duration) -> Result<Reply, KeychainState> {
        let mut waiting = {
            let mut keychain = self.keychain.lock().unwrap_or_else(PoisonError::into_inner);
            keychain.get_or_insert_with(|| Keychain::start(self.service.clone(), self.calls.clone())).ask(wish)
        };
        let reply = match tokio::time::timeout(limit, &mut waiting).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => Err(KeychainState::Unusable),
            Err(_) => {
                // From here on whoever comes back late knows that it was given up, and takes back what it did.
                waiting.close();
                waiting.try_recv().unwrap_or(Err(KeychainState::NotAnswering))
            }
        };
        if let Err(state) = reply {
            tracing::warn!(%state, "keychain");
            // A new thread and a new store next time: "Try again" begins from nothing.
            *self.keychain.lock().unwrap_or_else(PoisonError::into_inner) = None;
            return Err(state);
        }
        reply
    }
}
