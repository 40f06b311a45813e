//! What is asked of the journal, and what is written there beside operations.

use wire::orders::OrderDetail;

use crate::engine::{OperationError, Operations};
use crate::intent::Intent;
use crate::lesson::{self, Lesson};
use crate::order_book::{self, BookedOrder};
use crate::state::OperationId;
use crate::view::{OperationView, link_counters, view};

impl Operations {
    /// One operation.
    ///
    /// # Errors
    /// [`OperationError::NotFound`], or the journal.
    pub fn get(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        let journal = self.journal();
        let row = journal.find(id)?.ok_or(OperationError::NotFound)?;
        let events = journal.events(id)?;
        Ok(view(row, events, self.now()))
    }

    /// Every operation, newest first.
    ///
    /// # Errors
    /// The journal.
    pub fn list(&self) -> Result<Vec<OperationView>, OperationError> {
        let journal = self.journal();
        let rows = journal.all()?;
        let views = rows.into_iter().map(|row| Ok(view(row.clone(), journal.events(&row.id)?, self.now())));
        Ok(link_counters(views.collect::<Result<_, OperationError>>()?))
    }

    /// Every order placed from here or added by number, newest first.
    ///
    /// # Errors
    /// The journal.
    pub fn orders(&self) -> Result<Vec<BookedOrder>, OperationError> {
        let operations = self.list()?;
        Ok(order_book::list(&self.journal().db, &operations)?)
    }

    /// Keeps what the vendor told about an order; one that was not placed from here joins the book.
    ///
    /// # Errors
    /// The journal.
    pub fn remember_order(&self, detail: &OrderDetail) -> Result<(), OperationError> {
        Ok(order_book::remember(&self.journal().db, detail, self.now())?)
    }

    /// What moves of traffic have taught about this vendor.
    ///
    /// # Errors
    /// The journal.
    pub fn learnt(&self) -> Result<Option<Lesson>, OperationError> {
        Ok(lesson::learnt(&self.journal().db)?)
    }

    /// Forgets it: the connection leads elsewhere, or a person knows better.
    ///
    /// # Errors
    /// The journal.
    pub fn forget_lesson(&self) -> Result<(), OperationError> {
        Ok(lesson::forget(&self.journal().db)?)
    }

    /// What was confirmed.
    ///
    /// # Errors
    /// [`OperationError::NotFound`], or the journal.
    pub fn intent(&self, id: &OperationId) -> Result<Intent, OperationError> {
        Ok(self.journal().find(id)?.ok_or(OperationError::NotFound)?.intent)
    }

    pub(crate) fn learn(&self, lesson: &Lesson) -> Result<(), OperationError> {
        Ok(lesson::learn(&self.journal().db, lesson)?)
    }
}
