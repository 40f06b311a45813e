//! What the journal knows of customers besides operations.

use std::collections::HashMap;

use wire::Amount;
use wire::ids::CustomerId;

use crate::engine::{OperationError, Operations};
use crate::journal::note::Note;
use crate::journal::operation::customer::{KnownSecrets, LastStatus};

/// Reads and records what is known of customers.
pub struct Customers<'a>(pub(super) &'a Operations);

impl Customers<'_> {
    /// All notes, by customer.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn notes(&self) -> Result<HashMap<CustomerId, Note>, OperationError> {
        Ok(self.0.journal().notes().all()?)
    }

    /// Stores a note.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn set_note(&self, customer: &CustomerId, note: &Note) -> Result<(), OperationError> {
        Ok(self.0.journal().notes().set(customer, note)?)
    }

    /// The status last set from here, by customer.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn last_statuses(&self) -> Result<HashMap<CustomerId, LastStatus>, OperationError> {
        Ok(self.0.journal().operations().last_statuses()?)
    }

    /// The secrets of a customer that were stored from here.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn known_secrets(&self, customer: &CustomerId) -> Result<KnownSecrets, OperationError> {
        Ok(self.0.journal().operations().known_secrets(customer)?)
    }

    /// Traffic moved since `since` (wall clock, ms since 1970), except what certainly had no effect, and traffic that
    /// bulks are still to move, GB.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn moved_since(&self, since: i64) -> Result<Amount, OperationError> {
        Ok(self.0.journal().operations().moved_since(since)?)
    }
}
