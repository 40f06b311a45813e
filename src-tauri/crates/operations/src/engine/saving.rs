//! Secrets of operations: saved before they are sent, or once the keychain finally takes them.

use crate::decide::{Event, Impossible, decide};
use crate::engine::secrets::Secrets;
use crate::engine::{OperationError, Operations};
use crate::journal::operation::commit::Change;
use crate::journal::row::Row;
use crate::views::operation::OperationView;
use crate::words::cause::Cause;
use crate::words::finding::Finding;
use crate::words::state::OperationId;
use crate::writes::intent::Intent;

/// Saves secrets.
pub(crate) struct Saving<'a>(pub(super) &'a Operations);

impl Operations {
    /// Saves the secrets of a created customer that the keychain did not take before.
    ///
    /// # Errors
    /// [`OperationError`] when there is nothing to save, or the keychain or the journal does not take it; the operation
    /// is unchanged.
    pub async fn save_secrets(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        let row = self.journal().operations().find(id)?.ok_or(OperationError::NotFound)?;
        let decision = decide(row.situation(), Event::SecretsSaved, self.schedule())?;
        let secrets = self.secrets()?;
        self.saving().name_secrets(&secrets, &row).await;
        let owner = row.owner();
        if !secrets.has_any(&owner).await {
            // No secret of it is known, so there is nothing to save.
            return Err(Impossible.into());
        }
        secrets.keep_held(&owner).await.map_err(OperationError::NotSaved)?;
        let change = Change { cause: Some(Cause::SecretsSaved), ..Change::default() };
        let committed = self.journal().commit(&row, &decision, &change, self.times().now())?;
        committed.ok_or(OperationError::Impossible(Impossible))?;
        self.tell(id);
        self.get(id)
    }

    /// The names, without the connection's prefix, of all entries of the keychain that may hold a customer's secret.
    /// They are removed with the connection.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn secret_references(&self) -> Result<Vec<String>, OperationError> {
        Ok(self.journal().operations().secret_references()?)
    }

    /// The secrets of this connection.
    ///
    /// # Errors
    /// [`OperationError`] when there is no account.
    pub fn secrets(&self) -> Result<Secrets, OperationError> {
        self.access().secrets()
    }
}

impl Saving<'_> {
    /// Saves a new password before it is sent. If it cannot be saved, it is not sent.
    pub(crate) async fn save_password(&self, intent: &Intent) -> Result<(), OperationError> {
        let Some(reference) = intent.account().and_then(|change| change.reference()) else { return Ok(()) };
        self.0.secrets()?.keep(reference).await.map_err(OperationError::NotSaved)
    }

    /// Moves whatever a cut answer left in memory into the keychain before its customer is called created.
    pub(super) async fn with_secrets(&self, row: &Row, finding: Finding) -> Finding {
        match (finding, self.0.secrets()) {
            (Finding::Listed { .. }, Ok(secrets)) => {
                Finding::Listed { saved: secrets.keep_held(&row.owner()).await.is_ok() }
            }
            // The account is gone by now: it is not known where the secrets are.
            (Finding::Listed { .. }, Err(_)) => Finding::Unreadable,
            (finding, _) => finding,
        }
    }

    /// Stores a created customer's secrets under its id, and removes the passwords that were replaced.
    pub(super) async fn tidy_secrets(&self, row: &Row) {
        let (Ok(secrets), true) = (self.0.secrets(), row.state.is_done()) else {
            return;
        };
        self.name_secrets(&secrets, row).await;
        let earlier = self.0.journal().operations().passwords_before(row).unwrap_or_default();
        for reference in earlier {
            secrets.forget(&reference).await;
        }
    }

    /// Stores what came with a cut answer, before its customer was known, under the customer's id.
    pub(super) async fn name_secrets(&self, secrets: &Secrets, row: &Row) {
        if let Some(customer) = row.customer.as_ref().filter(|_| row.in_doubt) {
            secrets.adopt(&row.id, customer).await;
        }
    }
}
