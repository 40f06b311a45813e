//! The jobs around the steps of a single operation, each done by one type.

use crate::engine::Operations;
use crate::engine::bulk::Bulks;
use crate::engine::check::Checks;
use crate::engine::guards::Guards;
use crate::engine::later::Later;
use crate::engine::learn::Lessons;
use crate::engine::saving::Saving;
use crate::engine::send::Sends;

impl Operations {
    /// Many writes of one kind, confirmed together.
    pub fn bulks(&self) -> Bulks<'_> {
        Bulks(self)
    }

    /// Lessons about this vendor, learned from its records.
    pub fn lessons(&self) -> Lessons<'_> {
        Lessons(self)
    }

    /// Sends a row, and commits its answer.
    pub(crate) fn sends(&self) -> Sends<'_> {
        Sends(self)
    }

    /// Checks by reading what became of a row.
    pub(crate) fn checks(&self) -> Checks<'_> {
        Checks(self)
    }

    /// Plans what is done later without a person.
    pub(super) fn later(&self) -> Later<'_> {
        Later(self)
    }

    /// Checks for anything that stands in the way of a send.
    pub(crate) fn guards(&self) -> Guards<'_> {
        Guards(self)
    }

    /// Moves secrets into the keychain.
    pub(super) fn saving(&self) -> Saving<'_> {
        Saving(self)
    }
}
