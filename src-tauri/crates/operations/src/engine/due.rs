//! The one scheduler: the plans for all checks and repeats of operations, and for the rounds in which the rows of bulks
//! are checked.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::journal::row::Row;
use crate::words::state::{OperationId, State};

/// The row that a plan was made for. Once its state or its time has changed, the plan is void.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) id: OperationId,
    state: State,
    next_at: Option<i64>,
    version: i64,
}

impl Planned {
    pub(crate) fn of(row: &Row) -> Self {
        Self { id: row.id.clone(), state: row.state, next_at: row.next_at, version: row.version }
    }

    /// Whether the row was checked, sent or judged since.
    pub(crate) fn is_void(&self, row: &Row) -> bool {
        (row.state, row.next_at) != (self.state, self.next_at)
    }
}

/// What is done with an operation when it is due.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Check,
    Repeat,
}

struct Plan {
    /// `None` while the step is under way.
    at: Option<Instant>,
    step: Step,
    planned: Planned,
}

/// The plans of one engine. Its timer ends with it.
#[derive(Default)]
pub(crate) struct Due {
    plans: Mutex<HashMap<OperationId, Plan>>,
    /// When the rows of bulks are checked next; `None` if none waits.
    round: Mutex<Option<Instant>>,
    /// Notified when something was planned.
    changed: Arc<Notify>,
    timer: Mutex<Option<AbortHandle>>,
    /// Held during a round of the timer: it makes one at a time.
    pub(super) rounds: tokio::sync::Mutex<()>,
}

impl Drop for Due {
    fn drop(&mut self) {
        if let Some(timer) = self.timer.get_mut() {
            timer.abort();
        }
    }
}

impl Due {
    /// Whether anything is planned for an operation, or under way by its plan.
    pub(crate) fn has(&self, id: &OperationId) -> bool {
        self.plans.lock().contains_key(id)
    }

    pub(crate) fn forget(&self, id: &OperationId) {
        self.plans.lock().remove(id);
    }

    /// Forgets every plan.
    pub(super) fn forget_all(&self) {
        self.plans.lock().clear();
        *self.round.lock() = None;
    }

    /// Plans a step. It takes the place of the plan before, unless that was made from a later commit: then this one is
    /// void already.
    pub(super) fn plan(&self, step: Step, planned: Planned, at: Instant) {
        let mut plans = self.plans.lock();
        if plans.get(&planned.id).is_none_or(|plan| plan.planned.version <= planned.version) {
            plans.insert(planned.id.clone(), Plan { at: Some(at), step, planned });
        }
    }

    /// Ends the step of a plan; `again` says when it is taken once more. A plan made meanwhile stays.
    pub(super) fn ended(&self, planned: &Planned, again: Option<Instant>) {
        let mut plans = self.plans.lock();
        let Some(plan) = plans.get_mut(&planned.id).filter(|plan| plan.at.is_none()) else { return };
        match again {
            Some(_) => plan.at = again,
            None => drop(plans.remove(&planned.id)),
        }
    }

    /// Plans a round, unless one is planned sooner.
    pub(super) fn plan_round(&self, at: Instant) {
        let mut round = self.round.lock();
        *round = Some(round.map_or(at, |sooner| sooner.min(at)));
    }

    /// Lets the timer see a new plan. `start` starts one if none runs.
    pub(super) fn wind(&self, start: impl FnOnce(Arc<Notify>) -> AbortHandle) {
        let mut timer = self.timer.lock();
        if timer.as_ref().is_none_or(AbortHandle::is_finished) {
            *timer = Some(start(self.changed.clone()));
        }
        self.changed.notify_one();
    }

    /// When the timer has something to do next.
    pub(super) fn next(&self) -> Option<Instant> {
        let plans = self.plans.lock().values().filter_map(|plan| plan.at).min();
        plans.into_iter().chain(*self.round.lock()).min()
    }

    /// Takes the steps that are due.
    pub(super) fn take(&self, now: Instant) -> Vec<(Step, Planned)> {
        let mut plans = self.plans.lock();
        let due = plans.values_mut().filter(|plan| plan.at.is_some_and(|at| at <= now));
        due.map(|plan| {
            plan.at = None;
            (plan.step, plan.planned.clone())
        })
        .collect()
    }

    /// Takes the round, if it is due.
    pub(super) fn take_round(&self, now: Instant) -> bool {
        self.round.lock().take_if(|at| *at <= now).is_some()
    }
}
