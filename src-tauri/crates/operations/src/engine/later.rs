//! Plans what an engine does later by itself, and does it when it is due.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::decide::Event;
use crate::engine::due::{Planned, Step};
use crate::engine::operations::Inner;
use crate::engine::{OperationError, Operations};
use crate::journal::row::Row;
use crate::words::schedule::Schedule;

/// Plans steps, and takes them.
pub(crate) struct Later<'a>(pub(super) &'a Operations);

impl Later<'_> {
    /// Checks an operation after a time, on the clock of the runtime, unless something happens to it before.
    pub(crate) fn plan_check(&self, row: &Row, wait: Duration) {
        self.plan(Step::Check, Planned::of(row), wait);
    }

    /// Sends an operation again after a time, unless something happens to it before.
    pub(crate) fn plan_repeat(&self, row: &Row, wait: Duration) {
        self.plan(Step::Repeat, Planned::of(row), wait);
    }

    /// Checks the rows of bulks when the first of them is due, but not more often than the schedule allows.
    pub(crate) fn plan_round(&self) {
        let wait = match self.0.journal().operations().next_due() {
            Ok(None) => return,
            Ok(Some(due)) => self.until_due(due),
            Err(error) => {
                tracing::warn!(%error, "it is not known when rows of bulks are due");
                self.last_wait()
            }
        };
        self.0.due().plan_round(Instant::now() + wait.max(self.0.schedule().round));
        self.wind();
    }

    /// Whether a planned check is due; both times are wall clock, ms since 1970. None is planned further ahead than the
    /// longest wait: if one seems to be, the wall clock was set back since.
    pub(crate) fn is_due(&self, planned: i64, now: i64) -> bool {
        let Schedule { checks, checks_turned_away, checks_before_repeat, audit, .. } = self.0.schedule();
        let all = [checks, checks_turned_away, checks_before_repeat].into_iter().flatten().chain([audit]);
        let longest = all.max().map_or(0, Duration::as_millis);
        planned <= now || planned.abs_diff(now) > longest as u64
    }

    fn until_due(&self, planned: i64) -> Duration {
        let now = self.0.times().now();
        if self.is_due(planned, now) {
            return Duration::ZERO;
        }
        Duration::from_millis(planned.saturating_sub(now).unsigned_abs())
    }

    /// The wait that is used again for as long as nothing can be read.
    pub(super) fn last_wait(&self) -> Duration {
        self.0.schedule().checks.last().copied().unwrap_or_default()
    }

    fn plan(&self, step: Step, planned: Planned, wait: Duration) {
        self.0.due().plan(step, planned, Instant::now() + wait);
        self.wind();
    }

    fn wind(&self) {
        self.0.due().wind(|changed| tokio::spawn(run(self.0.downgrade(), changed)).abort_handle());
    }

    /// Takes a planned step. A check that fails is planned again after the last wait of the schedule.
    async fn step(&self, step: Step, planned: Planned) {
        let done = match step {
            Step::Check => self.0.checks().check_once(&planned.id, Some(&planned)).await.map(drop),
            Step::Repeat => self.repeat(&planned).await,
        };
        // If the journal fails, a repeat is planned once more, or the row would stay open until the next start. After
        // that wait its key is too old, so a person is asked.
        let again = match step {
            Step::Check => done.is_err(),
            Step::Repeat => matches!(done, Err(OperationError::Journal(_))),
        };
        if let Err(error) = done {
            tracing::warn!(%error, "a planned step was not taken");
        }
        self.0.due().ended(&planned, again.then(|| Instant::now() + self.last_wait()));
        self.wind();
    }

    async fn repeat(&self, planned: &Planned) -> Result<(), OperationError> {
        let row = self.0.journal().operations().find(&planned.id)?;
        // A person may have judged or repeated it meanwhile.
        let Some(row) = row.filter(|row| !planned.is_void(row)) else { return Ok(()) };
        let event = Event::RepeatBySchedule { age: self.0.times().key_age(&row) };
        self.0.sends().send(&planned.id, event, None).await.map(drop)
    }

    /// One round, unless a bulk sends, as sends and checks would get in each other's way, or one is under way. The end of
    /// either plans the next.
    async fn rounds(&self) {
        if self.0.runs().is_any() {
            return;
        }
        let Ok(turn) = self.0.due().rounds.try_lock() else { return };
        if let Err(error) = self.0.checks().round().await {
            tracing::warn!(%error, "rows of a bulk cannot be checked");
        }
        // Before the next is planned: one that is due at once would find a round under way.
        drop(turn);
        self.plan_round();
    }
}

/// Takes each step when it is due, in a task of its own, until the engine is gone.
async fn run(engine: Weak<Inner>, changed: Arc<Notify>) {
    loop {
        let Some(operations) = engine.upgrade().map(Operations) else { return };
        let now = Instant::now();
        for (step, planned) in operations.due().take(now) {
            let own = operations.clone();
            tokio::spawn(async move { own.later().step(step, planned).await });
        }
        if operations.due().take_round(now) {
            let own = operations.clone();
            tokio::spawn(async move { own.later().rounds().await });
        }
        let next = operations.due().next();
        drop(operations);
        match next {
            Some(at) => tokio::select! {
                () = tokio::time::sleep_until(at) => {}
                () = changed.notified() => {}
            },
            None => changed.notified().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::journal::row::tests::row;
    use crate::words::state::{OperationId, State};

    fn opened(now: i64) -> (tempfile::TempDir, Operations) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.db");
        let operations = Operations::open(&file, Schedule::default(), Arc::new(move || now)).unwrap();
        (folder, operations)
    }

    #[test]
    fn what_was_planned_before_the_wall_clock_was_set_back_is_due() {
        let now = 86_400_000;
        let (_folder, operations) = opened(now);
        let longest = 600_000;
        let cases = [(now - 1, true), (now, true), (now + 1, false), (now + longest, false), (now + longest + 1, true)];
        for (planned, is_due) in cases {
            assert_eq!(operations.later().is_due(planned, now), is_due, "{planned}");
        }
    }

    #[tokio::test]
    async fn what_is_due_sooner_is_not_kept_waiting_for_what_was_due_before() {
        let (_folder, operations) = opened(0);
        let due = operations.due();
        let named = |id: &str| Row { id: OperationId(id.into()), ..row() };
        let begun = Instant::now();
        operations.later().plan_check(&named("late"), Duration::from_secs(600));
        operations.later().plan_check(&named("soon"), Duration::from_secs(60));
        let soon = due.next().unwrap();
        assert!(soon >= begun + Duration::from_secs(60) && soon < begun + Duration::from_secs(500));
        assert!(due.take(soon - Duration::from_millis(1)).is_empty(), "it is not checked before it is due");
        let taken: Vec<_> = due.take(soon).into_iter().map(|(_, planned)| planned.id.0).collect();
        assert_eq!(taken, ["soon"]);
        assert!(due.next().unwrap() > soon, "it is taken once");
        assert!(due.has(&OperationId("soon".into())), "it is under way until it is planned again or forgotten");
        // A newer plan takes the place of an older one.
        operations.later().plan_check(&named("late"), Duration::from_secs(1));
        assert!(due.next().unwrap() < soon);
        due.forget(&OperationId("late".into()));
        assert_eq!(due.next(), None);
    }

    #[tokio::test]
    async fn a_plan_of_an_older_commit_does_not_take_the_place_of_a_newer_one() {
        let (_folder, operations) = opened(0);
        let due = operations.due();
        operations.later().plan_check(&Row { version: 7, ..row() }, Duration::from_secs(600));
        let newer = due.next().unwrap();
        operations.later().plan_check(&Row { version: 5, ..row() }, Duration::from_secs(1));
        assert_eq!(due.next(), Some(newer));
    }

    #[tokio::test]
    async fn a_step_that_failed_is_taken_again_and_one_that_ended_is_forgotten() {
        let (_folder, operations) = opened(0);
        let (due, later) = (operations.due(), Instant::now() + Duration::from_secs(900));
        let take = || due.take(due.next().unwrap()).remove(0).1;
        operations.later().plan_check(&row(), Duration::from_secs(60));
        let failed = take();
        due.ended(&failed, Some(later));
        assert_eq!(due.next(), Some(later), "it is taken again");
        let ended = take();
        due.ended(&ended, None);
        assert!(!due.has(&row().id));
        operations.later().plan_check(&row(), Duration::from_secs(60));
        let slow = take();
        operations.later().plan_check(&Row { version: 1, ..row() }, Duration::from_secs(60));
        due.ended(&slow, None);
        due.ended(&slow, Some(later));
        assert!(due.next().is_some_and(|at| at < later), "what was planned meanwhile stays");
    }

    #[test]
    fn a_plan_is_void_once_its_row_has_another_state_or_time() {
        let planned = Planned::of(&row());
        assert!(!planned.is_void(&row()));
        assert!(planned.is_void(&Row { next_at: Some(1), ..row() }));
        assert!(planned.is_void(&Row { state: State::Applied, ..row() }));
    }

    #[tokio::test]
    async fn no_round_is_planned_when_no_row_waits_for_a_check() {
        let (_folder, operations) = opened(0);
        operations.later().plan_round();
        assert_eq!(operations.due().next(), None);
    }
}
