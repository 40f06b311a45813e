//! Reads one operation, and what holds for all of them.

use std::collections::HashMap;

use crate::engine::{OperationError, Operations};
use crate::journal::row::Row;
use crate::views::operation::{OperationView, link_counters, view};
use crate::words::state::{OperationId, State};
use crate::writes::intent::Intent;

impl Operations {
    /// One operation.
    ///
    /// # Errors
    /// [`OperationError::NotFound`] when there is none of this name; [`OperationError`] when the journal cannot be
    /// read.
    pub fn get(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        let journal = self.journal();
        let row = journal.operations().find(id)?.ok_or(OperationError::NotFound)?;
        let events = journal.events().of(id)?;
        Ok(view(row, events, self.times()))
    }

    /// The views of rows, each with its events.
    pub(crate) fn views(&self, rows: Vec<Row>) -> Result<Vec<OperationView>, OperationError> {
        let journal = self.journal();
        let views = rows.into_iter().map(|row| {
            let events = journal.events().of(&row.id)?;
            Ok(view(row, events, self.times()))
        });
        Ok(link_counters(views.collect::<Result<_, OperationError>>()?))
    }

    /// The confirmed intent of an operation.
    ///
    /// # Errors
    /// [`OperationError::NotFound`] when there is none of this name; [`OperationError`] when the journal cannot be
    /// read.
    pub fn intent(&self, id: &OperationId) -> Result<Intent, OperationError> {
        Ok(self.journal().operations().find(id)?.ok_or(OperationError::NotFound)?.intent)
    }

    /// Whether a person may send any operation again that is not-sent or rejected. Open ones hold their
    /// targets: [`Self::held`].
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn may_resend_any(&self) -> Result<bool, OperationError> {
        let rows = self.journal().operations().not_sent_or_rejected()?;
        Ok(self.views(rows)?.iter().any(|one| one.may_resend))
    }

    /// Whether an operation that is no row of a bulk waits for a person's decision. Cheap enough for every change.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn needs_you(&self, id: &OperationId) -> Result<bool, OperationError> {
        Ok(self.journal().operations().needs_you(id)?)
    }

    /// Whether anything that was refused is still watched: then the connection must stay as it is.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn has_watched(&self) -> Result<bool, OperationError> {
        Ok(self.journal().operations().has_watched()?)
    }

    /// All targets that are held, each with the operation that holds it and its state: no other may begin there.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn held(&self) -> Result<HashMap<String, (OperationId, State)>, OperationError> {
        Ok(self.journal().operations().held()?)
    }
}
