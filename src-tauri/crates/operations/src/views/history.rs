//! What was done: all of it, the newest, that of a customer, and what happened since.

use wire::Amount;
use wire::ids::CustomerId;

use crate::engine::{OperationError, Operations};
use crate::journal::event::Touches;
use crate::journal::restoration::Restoration;
use crate::views::operation::OperationView;
use crate::words::state::State;
use crate::writes::traffic_move::Direction;

/// Reads the history.
pub struct History<'a>(pub(super) &'a Operations);

impl History<'_> {
    /// All operations, newest first.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn list(&self) -> Result<Vec<OperationView>, OperationError> {
        let rows = self.0.journal().operations().all()?;
        self.0.views(rows)
    }

    /// The operations that a person has to see at once: the open ones, and the newest `most` of all. Rows of bulks are
    /// included only if their outcome is not known.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn recent(&self, most: usize) -> Result<Vec<OperationView>, OperationError> {
        let rows = self.0.journal().operations().recent(most)?;
        self.0.views(rows)
    }

    /// Number of operations that were sent and have no answer yet, also as rows of bulks.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn awaited(&self) -> Result<usize, OperationError> {
        let all = self.0.journal().operations().under_way()?;
        Ok(all.iter().filter(|row| matches!(row.state, State::Prepared | State::Sending)).count())
    }

    /// The amounts of the last moves in one direction, GB, newest first, each once. Rows of bulks and moves that take
    /// another back do not count.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn last_amounts(&self, direction: Direction, most: usize) -> Result<Vec<Amount>, OperationError> {
        let rows = self.0.journal().operations().last_of(direction.kind())?;
        let mut amounts = Vec::new();
        for moved in rows.iter().filter_map(|row| row.intent.moved()).filter(|moved| moved.counter_of.is_none()) {
            if amounts.len() < most && !amounts.contains(&moved.gb.amount()) {
                amounts.push(moved.gb.amount());
            }
        }
        Ok(amounts)
    }

    /// The newest `most` operations on a customer, newest first.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn of_customer(&self, customer: &CustomerId, most: usize) -> Result<Vec<OperationView>, OperationError> {
        let rows = self.0.journal().operations().of_customer(customer, most)?;
        self.0.views(rows)
    }

    /// The operations to which something happened after an event, and the journal's current position.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn touches(&self, since: i64) -> Result<Touches, OperationError> {
        Ok(self.0.journal().events().touches(since)?)
    }

    /// The number of the newest event.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn position(&self) -> Result<i64, OperationError> {
        Ok(self.0.journal().events().last_number()?)
    }

    /// The restorations of a damaged journal that no person has read yet, oldest first.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn restorations(&self) -> Result<Vec<Restoration>, OperationError> {
        Ok(self.0.journal().restorations().unread()?)
    }

    /// Marks all restorations as read by a person.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn mark_restorations_seen(&self) -> Result<(), OperationError> {
        Ok(self.0.journal().restorations().mark_seen()?)
    }
}
