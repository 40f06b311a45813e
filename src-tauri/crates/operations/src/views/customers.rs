//! What is known of customers beside operations.

use std::collections::HashMap;

use rust_decimal::Decimal;
use wire::ids::CustomerId;

use crate::engine::{OperationError, Operations};
use crate::journal::customer::{KnownSecrets, LastStatus};
use crate::journal::note::Note;
use crate::words::state::{OperationId, State};

impl Operations {
    /// Every note, by customer.
    ///
    /// # Errors
    /// The journal.
    pub fn notes(&self) -> Result<HashMap<CustomerId, Note>, OperationError> {
        Ok(self.journal().notes()?)
    }

    /// Keeps a note.
    ///
    /// # Errors
    /// The journal.
    pub fn set_note(&self, customer: &CustomerId, note: &Note) -> Result<(), OperationError> {
        Ok(self.journal().set_note(customer, note)?)
    }

    /// A text that is used again; `None` until it was changed.
    ///
    /// # Errors
    /// The journal.
    pub fn template(&self, name: &str) -> Result<Option<String>, OperationError> {
        Ok(self.journal().template(name)?)
    }

    /// Keeps such a text.
    ///
    /// # Errors
    /// The journal.
    pub fn set_template(&self, name: &str, body: &str) -> Result<(), OperationError> {
        Ok(self.journal().set_template(name, body)?)
    }

    /// What was last set from here, by customer.
    ///
    /// # Errors
    /// The journal.
    pub fn last_statuses(&self) -> Result<HashMap<CustomerId, LastStatus>, OperationError> {
        Ok(self.journal().last_statuses()?)
    }

    /// Which secrets of a customer were kept from here.
    ///
    /// # Errors
    /// The journal.
    pub fn known_secrets(&self, customer: &CustomerId) -> Result<KnownSecrets, OperationError> {
        Ok(self.journal().known_secrets(customer)?)
    }

    /// Under what every secret of this connection may be kept: what is removed with it.
    ///
    /// # Errors
    /// The journal.
    pub fn secret_references(&self) -> Result<Vec<String>, OperationError> {
        Ok(self.journal().secret_references()?)
    }

    /// What was moved since then and did not come to nothing, and what bulks are still to move, GB. `since`: wall clock, ms since 1970.
    ///
    /// # Errors
    /// The journal.
    pub fn moved_since(&self, since: i64) -> Result<Decimal, OperationError> {
        Ok(self.journal().moved_since(since)?)
    }

    /// Every customer that is held, and by which operation in which state: nothing else may begin there.
    ///
    /// # Errors
    /// The journal.
    pub fn held(&self) -> Result<HashMap<String, (OperationId, State)>, OperationError> {
        Ok(self.journal().held()?)
    }
}
