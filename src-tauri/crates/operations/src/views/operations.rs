//! Operations as they are read: one, all, the newest, those of a customer.

use wire::ids::CustomerId;

use crate::engine::{OperationError, Operations};
use crate::journal::event::Touches;
use crate::journal::restoration::Restoration;
use crate::journal::row::Row;
use crate::views::operation::{OperationView, link_counters, view};
use crate::words::state::OperationId;
use crate::writes::intent::Intent;

impl Operations {
    /// One operation.
    ///
    /// # Errors
    /// [`OperationError::NotFound`], or the journal.
    pub fn get(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        let journal = self.journal();
        let row = journal.find(id)?.ok_or(OperationError::NotFound)?;
        let events = journal.events(id)?;
        let price_is_over = self.price_is_over(&row);
        Ok(view(row, events, price_is_over))
    }

    /// Every operation, newest first.
    ///
    /// # Errors
    /// The journal.
    pub fn list(&self) -> Result<Vec<OperationView>, OperationError> {
        let rows = self.journal().all()?;
        self.views(rows)
    }

    /// Views of rows, each with its events.
    pub(crate) fn views(&self, rows: Vec<Row>) -> Result<Vec<OperationView>, OperationError> {
        let journal = self.journal();
        let views = rows.into_iter().map(|row| {
            let events = journal.events(&row.id)?;
            let price_is_over = self.price_is_over(&row);
            Ok(view(row, events, price_is_over))
        });
        Ok(link_counters(views.collect::<Result<_, OperationError>>()?))
    }

    /// What a person has to see at once: everything that is open, and the newest of the rest; of bulks only
    /// what asks for somebody.
    ///
    /// # Errors
    /// The journal.
    pub fn recent(&self, most: usize) -> Result<Vec<OperationView>, OperationError> {
        let rows = self.journal().recent(most)?;
        self.views(rows)
    }

    /// What was confirmed.
    ///
    /// # Errors
    /// [`OperationError::NotFound`], or the journal.
    pub fn intent(&self, id: &OperationId) -> Result<Intent, OperationError> {
        Ok(self.journal().find(id)?.ok_or(OperationError::NotFound)?.intent)
    }

    /// Everything that was done with a customer, newest first.
    ///
    /// # Errors
    /// The journal.
    pub fn of_customer(&self, customer: &CustomerId, most: usize) -> Result<Vec<OperationView>, OperationError> {
        let rows = self.journal().of_customer(customer, most)?;
        self.views(rows)
    }

    /// Whether something may be sent again by a person.
    ///
    /// # Errors
    /// The journal.
    pub fn may_resend_any(&self) -> Result<bool, OperationError> {
        let rows = self.journal().not_sent_or_rejected()?;
        Ok(self.views(rows)?.iter().any(|one| one.may_resend))
    }

    /// Whether a bulk still has something to do.
    ///
    /// # Errors
    /// The journal.
    pub fn has_open_bulk(&self) -> Result<bool, OperationError> {
        Ok(self.journal().has_open_bulk()?)
    }

    /// Whether something that was refused is still watched: its connection must stay as it is.
    ///
    /// # Errors
    /// The journal.
    pub fn has_watched(&self) -> Result<bool, OperationError> {
        Ok(self.journal().has_watched()?)
    }

    /// What happened to operations behind an event, and where the journal stands now.
    ///
    /// # Errors
    /// The journal.
    pub fn touches(&self, since: i64) -> Result<Touches, OperationError> {
        Ok(self.journal().touches(since)?)
    }

    /// The number of the newest event.
    ///
    /// # Errors
    /// The journal.
    pub fn position(&self) -> Result<i64, OperationError> {
        Ok(self.journal().last_event()?)
    }

    /// What was done about a damaged journal, and nobody has read yet; oldest first.
    ///
    /// # Errors
    /// The journal.
    pub fn restorations(&self) -> Result<Vec<Restoration>, OperationError> {
        Ok(self.journal().restorations()?)
    }

    /// Somebody has read them.
    ///
    /// # Errors
    /// The journal.
    pub fn restorations_seen(&self) -> Result<(), OperationError> {
        Ok(self.journal().restorations_seen()?)
    }
}
