//! The bulks that send now, and why others stopped.

use std::collections::{HashMap, HashSet};

use parking_lot::{Mutex, MutexGuard};

use crate::words::bulk::{BulkId, BulkProblem};

#[derive(Default)]
pub(crate) struct Runs {
    running: Mutex<HashSet<BulkId>>,
    /// Why a bulk was paused, if no person asked for it.
    problems: Mutex<HashMap<BulkId, BulkProblem>>,
}

impl Runs {
    /// The bulks that have a run. Holding them keeps any from beginning or ending.
    pub(in crate::engine) fn running(&self) -> MutexGuard<'_, HashSet<BulkId>> {
        self.running.lock()
    }

    pub(in crate::engine) fn is_any(&self) -> bool {
        !self.running.lock().is_empty()
    }

    /// Why a bulk stands still; `None` if a person paused it, or it runs.
    pub(super) fn problem(&self, id: &BulkId) -> Option<BulkProblem> {
        self.problems.lock().get(id).copied()
    }

    pub(super) fn stop_for(&self, id: &BulkId, problem: BulkProblem) {
        self.problems.lock().insert(id.clone(), problem);
    }

    pub(super) fn go_on(&self, id: &BulkId) {
        self.problems.lock().remove(id);
    }
}
