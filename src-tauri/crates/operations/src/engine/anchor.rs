//! The newest send of a journal, stored in the keychain as well. A data folder that was put back to an earlier state as
//! a whole is consistent in itself, so nothing inside it can reveal that.
//!
//! It is written after each commit that sends, and nothing waits for it. The newest wins, and an entry that lags says
//! nothing. An entry that was never compared is never overwritten.

use std::sync::Arc;

use secrecy::ExposeSecret;
use tokio::sync::watch;
use vault::{KeychainState, Vault};

use crate::engine::{OperationError, Operations, start};
use crate::journal::recovery::bring_back;
use crate::journal::restoration::Restoration;
use crate::words::anchor::Anchor;

/// The keychain's entry of one connection, used from a thread of its own.
#[derive(Clone)]
pub struct AnchorEntry {
    vault: Arc<Vault>,
    account: String,
}

impl AnchorEntry {
    /// Makes the entry of a connection. Its calls do not delay other requests for secrets from `vault`.
    pub fn new(vault: &Vault, connection: &str) -> Self {
        Self { vault: Arc::new(vault.beside()), account: anchor_account(connection) }
    }

    async fn read(&self) -> Result<Option<Anchor>, KeychainState> {
        Ok(self.vault.read(&self.account).await?.and_then(|text| Anchor::read(text.expose_secret())))
    }

    async fn write(&self, anchor: &Anchor) -> Result<(), KeychainState> {
        self.vault.save(&self.account, anchor.text().into()).await
    }
}

/// The name of a connection's entry in the keychain.
#[must_use]
pub fn anchor_account(connection: &str) -> String {
    format!("{connection}/anchor")
}

impl Operations {
    /// Compares the journal with what the keychain knows of it, and keeps the keychain up to date from then on. Call it
    /// before there is an account to send with. A keychain that does not answer is no reason to stop.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read or written.
    pub async fn anchor_in(&self, entry: AnchorEntry) -> Result<(), OperationError> {
        if self.anchoring().as_ref().is_some_and(|task| !task.is_finished()) {
            return Ok(());
        }
        let found = match entry.read().await {
            Ok(found) => found,
            Err(state) => {
                tracing::warn!(%state, "the journal is not held against the keychain");
                return Ok(());
            }
        };
        if let Some(found) = &found {
            self.hold_against(found)?;
        }
        let sends = self.journal().sends.subscribe();
        let task = tokio::spawn(keep_up(entry, sends, found));
        *self.anchoring() = Some(task.abort_handle());
        Ok(())
    }

    /// Stops updating the entry, because its connection is removed.
    pub fn let_anchor_go(&self) {
        if let Some(task) = self.anchoring().take() {
            task.abort();
        }
    }

    /// Handles a journal that lacks a send the keychain knows: it was put back. It is not known what was sent since, so
    /// whatever could be sent again counts as sent. It is reported to a person, once.
    fn hold_against(&self, found: &Anchor) -> Result<(), OperationError> {
        let now = self.times().now();
        let mut journal = self.journal();
        let there = journal.events().hash_of(found.number)?;
        if !found.is_ahead_of(there.as_deref()) || journal.restorations().knows(found)? {
            return Ok(());
        }
        tracing::error!("the journal is older than its last send");
        let anchor = Some(found.text());
        let restoration = Restoration { at: now, aside: None, backup: None, sends: 0, complete: false, anchor };
        bring_back::all(&mut journal, &[], &restoration)?;
        start::settle(&mut journal, self.schedule(), now)?;
        Ok(())
    }
}

/// Writes the newest send whenever there is a newer one.
async fn keep_up(entry: AnchorEntry, mut sends: watch::Receiver<Anchor>, found: Option<Anchor>) {
    // If nothing was sent, there is nothing to write.
    let mut written = Some(found.unwrap_or_default());
    loop {
        let newest = sends.borrow_and_update().clone();
        if written.as_ref() != Some(&newest) {
            match entry.write(&newest).await {
                Ok(()) => written = Some(newest),
                // Each attempt would ask the person to unlock it. The next opening of the connection tries again.
                Err(KeychainState::Locked | KeychainState::Missing) => return,
                // An entry that lags does no harm; the next send tries again.
                Err(state) => tracing::info!(%state, "the newest send is not in the keychain"),
            }
        }
        if sends.changed().await.is_err() {
            return;
        }
    }
}
