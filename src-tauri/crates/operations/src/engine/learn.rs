//! What was learned about this vendor from moves of traffic.

use crate::engine::{OperationError, Operations};
use crate::evidence::learned::{Creator, Learned};
use crate::writes::traffic_move::Direction;

impl Operations {
    /// What was learned about this vendor; `None` if nothing was yet.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn learned(&self) -> Result<Option<Learned>, OperationError> {
        Ok(self.journal().learned()?)
    }

    /// Forgets it: the connection leads elsewhere, or a person knows better.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn forget_learned(&self) -> Result<(), OperationError> {
        Ok(self.journal().forget_learned()?)
    }

    /// Forgets which operator our records name: the token was replaced, maybe by another operator's.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn forget_creators(&self) -> Result<(), OperationError> {
        Ok(self.journal().forget_creators()?)
    }

    pub(crate) fn creator(&self, of: Direction) -> Result<Option<Creator>, OperationError> {
        Ok(self.journal().creator(of)?)
    }

    pub(crate) fn learn(&self, learned: &Learned) -> Result<(), OperationError> {
        Ok(self.journal().learn(learned)?)
    }

    pub(crate) fn learn_creator(&self, of: Direction, creator: &Creator) -> Result<(), OperationError> {
        Ok(self.journal().learn_creator(of, creator)?)
    }
}
