//! The clipboard. A secret is removed after a minute, or when the program ends, unless something else was copied since.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};

use crate::Till;
use crate::app::lock;
use crate::error::CommandError;

/// The time that a secret stays.
const CLEARED_AFTER: Duration = Duration::from_secs(60);

impl Till {
    pub(crate) fn copy(&self, text: &str) -> Result<(), CommandError> {
        self.host.copy(text).map_err(|error| CommandError::internal(&*error))
    }

    /// Copies a secret, and removes it after a minute.
    pub(crate) fn copy_secret(&self, secret: SecretString) -> Result<(), CommandError> {
        *lock(&self.copied) = Some(secret.clone());
        self.host.copy_concealed(secret.expose_secret()).map_err(|error| CommandError::internal(&*error))?;
        let host = self.host.clone();
        tokio::spawn(async move {
            tokio::time::sleep(CLEARED_AFTER).await;
            if let Err(error) = host.uncopy(secret.expose_secret()) {
                tracing::warn!(%error, "a copied secret was not cleared");
            }
        });
        Ok(())
    }

    /// Returns the secret that was copied last, only once: before a front end ends, it removes that from the clipboard.
    pub fn take_copied_secret(&self) -> Option<SecretString> {
        lock(&self.copied).take()
    }
}

/// Copies a text that the page shows.
pub async fn copy_text(till: &Till, text: String) -> Result<(), CommandError> {
    till.copy(&text)
}
