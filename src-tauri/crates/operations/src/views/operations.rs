//! Reads operations: one, all, the newest, those of a customer.

use wire::Amount;
use wire::ids::CustomerId;

use crate::engine::{OperationError, Operations};
use crate::journal::event::Touches;
use crate::journal::restoration::Restoration;
use crate::journal::row::Row;
use crate::views::operation::{OperationView, link_counters, view};
use crate::words::state::{OperationId, State};
use crate::writes::intent::Intent;
use crate::writes::traffic_move::Direction;

impl Operations {
    /// One operation.
    ///
    /// # Errors
    /// [`OperationError::NotFound`] when there is none of this name; [`OperationError`] when the journal cannot be
    /// read.
    pub fn get(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        let journal = self.journal();
        let row = journal.find(id)?.ok_or(OperationError::NotFound)?;
        let events = journal.events(id)?;
        Ok(view(row, events, &self.0.times))
    }

    /// All operations, newest first.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn list(&self) -> Result<Vec<OperationView>, OperationError> {
        let rows = self.journal().all()?;
        self.views(rows)
    }

    /// The views of rows, each with its events.
    pub(crate) fn views(&self, rows: Vec<Row>) -> Result<Vec<OperationView>, OperationError> {
        let journal = self.journal();
        let views = rows.into_iter().map(|row| {
            let events = journal.events(&row.id)?;
            Ok(view(row, events, &self.0.times))
        });
        Ok(link_counters(views.collect::<Result<_, OperationError>>()?))
    }

    /// The operations that a person has to see at once: the open ones, and the newest `most` of all. Rows of bulks are
    /// included only if their outcome is not known.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn recent(&self, most: usize) -> Result<Vec<OperationView>, OperationError> {
        let rows = self.journal().recent(most)?;
        self.views(rows)
    }

    /// Number of operations that were sent and have no answer yet, also as rows of bulks.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn awaited(&self) -> Result<usize, OperationError> {
        let all = self.journal().under_way()?;
        Ok(all.iter().filter(|row| matches!(row.state, State::Prepared | State::Sending)).count())
    }

    /// The amounts of the last moves in one direction, GB, newest first, each once. Rows of bulks and moves that take
    /// another back do not count.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn last_amounts(&self, direction: Direction, most: usize) -> Result<Vec<Amount>, OperationError> {
        let rows = self.journal().last_of(direction.kind())?;
        let mut amounts = Vec::new();
        for moved in rows.iter().filter_map(|row| row.intent.moved()).filter(|moved| moved.counter_of.is_none()) {
            if amounts.len() < most && !amounts.contains(&moved.gb.amount()) {
                amounts.push(moved.gb.amount());
            }
        }
        Ok(amounts)
    }

    /// The confirmed intent of an operation.
    ///
    /// # Errors
    /// [`OperationError::NotFound`] when there is none of this name; [`OperationError`] when the journal cannot be
    /// read.
    pub fn intent(&self, id: &OperationId) -> Result<Intent, OperationError> {
        Ok(self.journal().find(id)?.ok_or(OperationError::NotFound)?.intent)
    }

    /// The newest `most` operations on a customer, newest first.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn of_customer(&self, customer: &CustomerId, most: usize) -> Result<Vec<OperationView>, OperationError> {
        let rows = self.journal().of_customer(customer, most)?;
        self.views(rows)
    }

    /// Whether a person may send any operation again that is not-sent or rejected. Open ones are in [`Self::held`].
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn may_resend_any(&self) -> Result<bool, OperationError> {
        let rows = self.journal().not_sent_or_rejected()?;
        Ok(self.views(rows)?.iter().any(|one| one.may_resend))
    }

    /// Whether an operation that is no row of a bulk waits for a person's decision. Cheap enough for every change.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn needs_you(&self, id: &OperationId) -> Result<bool, OperationError> {
        Ok(self.journal().needs_you(id)?)
    }

    /// Whether any bulk still has something to do.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn has_open_bulk(&self) -> Result<bool, OperationError> {
        Ok(self.journal().has_open_bulk()?)
    }

    /// Whether anything that was refused is still watched: then the connection must stay as it is.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn has_watched(&self) -> Result<bool, OperationError> {
        Ok(self.journal().has_watched()?)
    }

    /// The operations to which something happened after an event, and the journal's current position.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn touches(&self, since: i64) -> Result<Touches, OperationError> {
        Ok(self.journal().touches(since)?)
    }

    /// The number of the newest event.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn position(&self) -> Result<i64, OperationError> {
        Ok(self.journal().last_event()?)
    }

    /// The restorations of a damaged journal that no person has read yet, oldest first.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn restorations(&self) -> Result<Vec<Restoration>, OperationError> {
        Ok(self.journal().restorations()?)
    }

    /// Marks all restorations as read by a person.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn restorations_seen(&self) -> Result<(), OperationError> {
        Ok(self.journal().restorations_seen()?)
    }
}
