//! What is asked of the journal, and what is written there beside operations.

use rusqlite::params;
use wire::ids::CustomerId;
use wire::ids::OrderNo;
use wire::orders::{OrderDetail, Particulars};

use crate::engine::{OperationError, Operations};
use crate::journal::lesson::{self, Creator, Lesson};
use crate::journal::order_seen::{self, BookedOrder};
use crate::journal::recovery::Restoration;
use crate::journal::row::Row;
use crate::journal::sets::{kinds_that_show, open_states, states_without_effect};
use crate::journal::{Journal, JournalError};
use crate::views::operation::{OperationView, link_counters, view};
use crate::words::state::{OperationId, State};
use crate::writes::intent::Intent;
use crate::writes::traffic_move::Direction;

/// Open operations that are shown at most: more than that nobody reads.
const MOST_OPEN: usize = 500;

impl Journal {
    /// Whether something was sent to a target behind an event.
    pub(crate) fn was_sent_since(&self, target: &str, event: i64) -> Result<bool, JournalError> {
        Ok(crate::journal::bulk::was_sent_since(&self.db, target, event)?)
    }

    /// Whether another creation has made this customer.
    pub(crate) fn is_made_by_another(&self, row: &Row, customer: &CustomerId) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM operation WHERE kind = 'create' AND target = ?1 AND id <> ?2
            AND customer = ?3 AND state IN ('applied', 'resolved-applied'))";
        Ok(self.db.query_row(query, params![row.target, row.id.0, customer.as_str()], |row| row.get(0))?)
    }

    /// Whether something that was refused is still watched.
    pub(crate) fn has_watched(&self) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM operation WHERE state = 'refused' AND next_at IS NOT NULL)";
        Ok(self.db.query_row(query, [], |row| row.get(0))?)
    }

    /// Whether another operation of the same target was sent after this one was sent last; one that a look may
    /// see, as a setting is not.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn was_another_sent_since(&self, row: &Row) -> Result<bool, JournalError> {
        let query = format!(
            "SELECT EXISTS (SELECT 1 FROM event JOIN operation ON operation.id = event.operation
             WHERE operation.target = ?2 AND operation.id IS NOT ?1 AND event.what = ?3
                 AND operation.kind IN ({}) AND event.number >
                 (SELECT coalesce(max(number), 0) FROM event WHERE operation = ?1 AND what = ?3))",
            kinds_that_show()
        );
        let sending = State::Sending.word();
        Ok(self.db.query_row(&query, params![row.id.0, row.target, sending], |row| row.get(0))?)
    }

    /// Whether the records of an operation that was brought back could be those of another one: of one that came
    /// back with it, of one that was sent behind it, or of one that nobody remembers.
    pub(crate) fn may_be_mistaken(&self, row: &Row) -> Result<bool, JournalError> {
        let query = format!(
            "SELECT restored IS NOT NULL AND (?2 OR EXISTS (
                 SELECT 1 FROM restoration WHERE at = operation.restored AND NOT complete
             ) OR EXISTS (
                 SELECT 1 FROM operation AS other
                 WHERE other.target = operation.target AND other.id <> operation.id
                     AND other.restored = operation.restored
                     AND other.kind IN ({}) AND other.state NOT IN ({})
                     AND other.counter_of IS NOT operation.id AND operation.counter_of IS NOT other.id
             )) FROM operation WHERE id = ?1",
            kinds_that_show(),
            states_without_effect()
        );
        let another = self.was_another_sent_since(row)?;
        Ok(self.db.prepare_cached(&query)?.query_row(params![row.id.0, another], |row| row.get(0))?)
    }
}

impl Operations {
    /// Whether something that was refused is still watched: its connection must stay as it is.
    ///
    /// # Errors
    /// The journal.
    pub fn has_watched(&self) -> Result<bool, OperationError> {
        Ok(self.journal().has_watched()?)
    }

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
        let rows = {
            let journal = self.journal();
            let open = open_states();
            journal.select(
                &format!(
                    "WHERE (bulk IS NULL AND state IN ({open})) OR state IN ('unknown', 'needs-you') OR
                     id IN (SELECT id FROM operation WHERE bulk IS NULL ORDER BY created DESC, rowid DESC LIMIT ?1)
                     ORDER BY created DESC, rowid DESC LIMIT ?2"
                ),
                [most as i64, (most + MOST_OPEN) as i64],
            )?
        };
        self.views(rows)
    }

    /// Every order placed from here or added by number, newest first.
    ///
    /// # Errors
    /// The journal.
    pub fn orders(&self) -> Result<Vec<BookedOrder>, OperationError> {
        let rows = self.journal().select("WHERE kind = 'place-and-pay' ORDER BY created DESC, rowid DESC", [])?;
        let operations = self.views(rows)?;
        Ok(order_seen::list(&self.journal().db, &operations)?)
    }

    /// Keeps what the vendor told about an order; one that was not placed from here joins the book.
    ///
    /// # Errors
    /// The journal.
    pub fn remember_order(&self, detail: &OrderDetail) -> Result<(), OperationError> {
        Ok(order_seen::remember(&self.journal().db, detail, self.now())?)
    }

    /// What an order told of itself when it was last read, without credentials. `None`: it never was.
    ///
    /// # Errors
    /// The journal.
    pub fn particulars(&self, order_no: &OrderNo) -> Result<Option<Particulars>, OperationError> {
        Ok(order_seen::particulars(&self.journal().db, order_no)?)
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

    /// Forgets whose records ours are: the token was replaced, maybe by another operator's.
    ///
    /// # Errors
    /// The journal.
    pub fn forget_creators(&self) -> Result<(), OperationError> {
        Ok(lesson::forget_creators(&self.journal().db)?)
    }

    pub(crate) fn creator(&self, of: Direction) -> Result<Option<Creator>, OperationError> {
        Ok(lesson::creator(&self.journal().db, of)?)
    }

    pub(crate) fn learn(&self, lesson: &Lesson) -> Result<(), OperationError> {
        Ok(lesson::learn(&self.journal().db, lesson)?)
    }

    pub(crate) fn learn_creator(&self, of: Direction, creator: &Creator) -> Result<(), OperationError> {
        Ok(lesson::learn_creator(&self.journal().db, of, creator)?)
    }
}
