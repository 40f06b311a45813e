//! Secrets of operations: saved before they are sent, or once the keychain finally takes them.

use client::{Error, NotSent};

use crate::decide::{Event, Impossible, decide};
use crate::engine::secrets::Secrets;
use crate::engine::{OperationError, Operations};
use crate::evidence::reader::SnapshotError;
use crate::journal::operation::Change;
use crate::views::operation::OperationView;
use crate::words::state::OperationId;
use crate::writes::intent::Intent;

impl Operations {
    /// Saves the secrets of a created customer that the keychain did not take before.
    ///
    /// # Errors
    /// [`OperationError`] when there is nothing to save, or the keychain or the journal does not take it; the operation
    /// is unchanged.
    pub async fn save_secrets(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        let row = self.journal().find(id)?.ok_or(OperationError::NotFound)?;
        let decision = decide(row.situation(), Event::SecretsSaved, self.schedule())?;
        let secrets = self.secrets()?;
        self.name_secrets(&secrets, &row).await;
        let owner = row.owner();
        if !secrets.has_any(&owner).await {
            // Nothing could be saved.
            return Err(Impossible.into());
        }
        secrets.keep_held(&owner).await.map_err(OperationError::NotSaved)?;
        let change = Change { cause: "secrets-saved", ..Change::default() };
        let committed = self.journal().commit(&row, &decision, &change, self.now())?;
        committed.ok_or(OperationError::Impossible(Impossible))?;
        self.tell(id);
        self.get(id)
    }

    /// Saves a new password before it is sent. If it cannot be saved, it is not sent.
    pub(crate) async fn save_password(&self, intent: &Intent) -> Result<(), OperationError> {
        let Some(reference) = intent.account().and_then(|change| change.reference()) else { return Ok(()) };
        self.secrets()?.keep(reference).await.map_err(OperationError::NotSaved)
    }

    /// The secrets of this connection.
    ///
    /// # Errors
    /// [`OperationError`] when there is no account.
    pub fn secrets(&self) -> Result<Secrets, OperationError> {
        let account = self.account().ok_or(SnapshotError::Vendor(Error::NotSent(NotSent::NoCredentials)))?;
        Ok(account.secrets)
    }
}
