//! What moves of traffic have taught about this vendor.

use crate::engine::{OperationError, Operations};
use crate::evidence::learned::{Creator, Lesson};
use crate::writes::traffic_move::Direction;

impl Operations {
    /// What moves of traffic have taught about this vendor.
    ///
    /// # Errors
    /// The journal.
    pub fn learnt(&self) -> Result<Option<Lesson>, OperationError> {
        Ok(self.journal().learnt()?)
    }

    /// Forgets it: the connection leads elsewhere, or a person knows better.
    ///
    /// # Errors
    /// The journal.
    pub fn forget_lesson(&self) -> Result<(), OperationError> {
        Ok(self.journal().forget_lesson()?)
    }

    /// Forgets whose records ours are: the token was replaced, maybe by another operator's.
    ///
    /// # Errors
    /// The journal.
    pub fn forget_creators(&self) -> Result<(), OperationError> {
        Ok(self.journal().forget_creators()?)
    }

    pub(crate) fn creator(&self, of: Direction) -> Result<Option<Creator>, OperationError> {
        Ok(self.journal().creator(of)?)
    }

    pub(crate) fn learn(&self, lesson: &Lesson) -> Result<(), OperationError> {
        Ok(self.journal().learn(lesson)?)
    }

    pub(crate) fn learn_creator(&self, of: Direction, creator: &Creator) -> Result<(), OperationError> {
        Ok(self.journal().learn_creator(of, creator)?)
    }
}
