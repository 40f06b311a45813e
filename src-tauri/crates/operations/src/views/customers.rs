//! What the journal knows of customers besides operations.

use std::collections::HashMap;

use wire::Amount;
use wire::ids::CustomerId;

use crate::engine::{OperationError, Operations};
use crate::journal::note::Note;
use crate::journal::operation::customer::{KnownSecrets, LastStatus};
use crate::words::state::{OperationId, State};

impl Operations {
    /// All notes, by customer.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn notes(&self) -> Result<HashMap<CustomerId, Note>, OperationError> {
        Ok(self.journal().notes()?)
    }

    /// Stores a note.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn set_note(&self, customer: &CustomerId, note: &Note) -> Result<(), OperationError> {
        Ok(self.journal().set_note(customer, note)?)
    }

    /// A text for repeated use; `None` until it is changed.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn template(&self, name: &str) -> Result<Option<String>, OperationError> {
        Ok(self.journal().template(name)?)
    }

    /// Stores a text for repeated use.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn set_template(&self, name: &str, body: &str) -> Result<(), OperationError> {
        Ok(self.journal().set_template(name, body)?)
    }

    /// The status last set from here, by customer.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn last_statuses(&self) -> Result<HashMap<CustomerId, LastStatus>, OperationError> {
        Ok(self.journal().last_statuses()?)
    }

    /// The secrets of a customer that were stored from here.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn known_secrets(&self, customer: &CustomerId) -> Result<KnownSecrets, OperationError> {
        Ok(self.journal().known_secrets(customer)?)
    }

    /// The names, without the connection's prefix, of all entries of the keychain that may hold a customer's secret.
    /// They are removed with the connection.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn secret_references(&self) -> Result<Vec<String>, OperationError> {
        Ok(self.journal().secret_references()?)
    }

    /// Traffic moved since `since` (wall clock, ms since 1970), except what certainly had no effect, and traffic that
    /// bulks are still to move, GB.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn moved_since(&self, since: i64) -> Result<Amount, OperationError> {
        Ok(self.journal().moved_since(since)?)
    }

    /// All targets that are held, each with the operation that holds it and its state: no other may begin there.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn held(&self) -> Result<HashMap<String, (OperationId, State)>, OperationError> {
        Ok(self.journal().held()?)
    }
}
