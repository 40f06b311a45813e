//! Texts for repeated use.

use crate::engine::{OperationError, Operations};

/// Reads and stores texts for repeated use.
pub struct Templates<'a>(pub(super) &'a Operations);

impl Templates<'_> {
    /// A text; `None` until it is changed.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn get(&self, name: &str) -> Result<Option<String>, OperationError> {
        Ok(self.0.journal().templates().get(name)?)
    }

    /// Stores a text.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn set(&self, name: &str, body: &str) -> Result<(), OperationError> {
        Ok(self.0.journal().templates().set(name, body)?)
    }
}
