//! Many writes of one kind, confirmed together. README, "Bulk".
//!
//! A row becomes an operation only when its turn comes, so that a pause, a cancel or a crash finds it waiting, never
//! half begun. The confirmed rows are the rows that are sent: their hash is committed with them and compared before
//! each run.

mod run;
pub(super) mod runs;

use std::collections::HashSet;

use crate::decide::{Event, decide};
use crate::engine::confirmations::Spent;
use crate::engine::{OperationError, Operations};
use crate::journal::JournalError;
use crate::journal::bulk::BulkView;
use crate::journal::bulk_row::{BulkRowView, NotDone, RowsWanted};
use crate::journal::row::Row;
use crate::kill_points::{Point, reached};
use crate::words::bulk::{BulkId, BulkProblem, BulkState};
use crate::words::left_out::LeftOut;
use crate::words::schedule::Schedule;
use crate::words::state::{OperationId, State};
use crate::writes::bulk::BulkPlan;

/// How many rows are worked on at once, at most one for each customer.
pub(crate) const PARALLEL: usize = 8;
/// The state of an operation after another row does the same again; `None` if it is no longer certain that it was not
/// done.
pub(crate) fn closed(row: &Row) -> Option<State> {
    decide(row.situation(), Event::Retried, &Schedule::default()).ok().map(|decision| decision.state)
}

fn plan_hash(plan: &BulkPlan) -> Result<String, JournalError> {
    plan.hash().map_err(|_| JournalError::Unreadable)
}

/// All bulks of the journal.
pub struct Bulks<'a>(pub(super) &'a Operations);

impl Bulks<'_> {
    /// Opens the confirmation of a bulk and returns its token. A target that occurs twice is sent once.
    ///
    /// # Errors
    /// [`OperationError`] when the plan cannot be hashed; nothing is stored.
    pub fn offer(&self, mut plan: BulkPlan) -> Result<String, OperationError> {
        let mut seen = HashSet::new();
        for row in &mut plan.rows {
            if row.todo.as_ref().is_ok_and(|intent| !seen.insert(intent.target())) {
                row.todo = Err(LeftOut::Duplicate);
            }
        }
        let hash = plan_hash(&plan)?;
        let first = plan.rows.iter().find_map(|row| row.todo.as_ref().ok());
        let fingerprint = first.and_then(|intent| self.0.access().fingerprint(intent));
        Ok(self.0.confirmations().offer_bulk(plan, &hash, fingerprint, self.0.times().steady()))
    }

    /// Spends the confirmation: commits every row, then begins.
    ///
    /// # Errors
    /// [`OperationError`] when the confirmation is not accepted, there is no account, a password cannot be saved or the
    /// journal fails; nothing was sent. Once the bulk is committed, only reading it back can fail.
    pub async fn confirm(&self, token: &str) -> Result<BulkView, OperationError> {
        self.0.guards().ensure_running()?;
        let Spent { what: plan, fingerprint } = self.0.confirmations().spend_bulk(token, self.0.times().steady())?;
        if let Some(intent) = plan.rows.iter().find_map(|row| row.todo.as_ref().ok()) {
            self.0.access().ensure_same(fingerprint.as_ref(), intent)?;
        }
        // Typed passwords are saved before anything is committed.
        let secrets = self.0.secrets()?;
        for row in &plan.rows {
            let reference =
                row.todo.as_ref().ok().and_then(|todo| todo.account()).and_then(|change| change.reference());
            if let Some(reference) = reference {
                secrets.keep(reference).await.map_err(OperationError::NotSaved)?;
            }
        }
        let id = BulkId(token.to_owned());
        self.0.journal().insert_bulk(
            &id,
            &plan,
            &plan_hash(&plan)?,
            fingerprint.as_ref(),
            closed,
            self.0.times().now(),
        )?;
        reached(Point::Bulk);
        self.start_run(&id);
        self.get(&id)
    }

    /// Continues a paused bulk.
    ///
    /// # Errors
    /// [`OperationError`] when the engine has stopped, the journal fails or there is no such bulk.
    pub fn resume(&self, id: &BulkId) -> Result<BulkView, OperationError> {
        self.0.guards().ensure_running()?;
        self.0.journal().bulks().set_state(id, BulkState::Paused, BulkState::Running)?;
        self.start_run(id);
        self.get(id)
    }

    /// Begins no more rows; those under way are finished. A bulk without a waiting row is over and is not paused.
    ///
    /// # Errors
    /// [`OperationError`] when the journal fails or there is no such bulk.
    pub fn pause(&self, id: &BulkId) -> Result<BulkView, OperationError> {
        self.0.journal().bulks().pause(id)?;
        self.get(id)
    }

    /// Gives up every row that has not begun; those under way are finished.
    ///
    /// # Errors
    /// [`OperationError`] when the journal fails or there is no such bulk.
    pub fn cancel(&self, id: &BulkId) -> Result<BulkView, OperationError> {
        self.0.journal().bulks().cancel(id)?;
        self.get(id)
    }

    /// One bulk.
    ///
    /// # Errors
    /// [`OperationError::NotFound`] when there is no such bulk, [`OperationError::Journal`] when it cannot be read.
    pub fn get(&self, id: &BulkId) -> Result<BulkView, OperationError> {
        let view = self.0.journal().bulks().get(id)?.ok_or(OperationError::NotFound)?;
        Ok(self.with_problem(view))
    }

    /// All bulks, newest first.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn all(&self) -> Result<Vec<BulkView>, OperationError> {
        let views = self.0.journal().bulks().all()?;
        Ok(views.into_iter().map(|view| self.with_problem(view)).collect())
    }

    /// Whether any bulk still has something to do.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn has_open(&self) -> Result<bool, OperationError> {
        Ok(self.0.journal().bulks().has_open()?)
    }

    /// Up to `count` rows of a bulk that match, in their order, after the first `from`.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn rows(
        &self,
        id: &BulkId,
        wanted: RowsWanted<'_>,
        from: usize,
        count: usize,
    ) -> Result<Vec<BulkRowView>, OperationError> {
        Ok(self.0.journal().bulk_rows().list(id, &wanted, from, count)?)
    }

    /// The number of rows of a bulk that match.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn count_rows(&self, id: &BulkId, wanted: RowsWanted<'_>) -> Result<usize, OperationError> {
        Ok(self.0.journal().bulk_rows().count(id, &wanted)?)
    }

    /// The rows for "retry only what is certainly not done".
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn certainly_not_done(&self, id: &BulkId) -> Result<Vec<NotDone>, OperationError> {
        Ok(self.0.journal().bulk_rows().certainly_not_done(id)?)
    }

    fn with_problem(&self, view: BulkView) -> BulkView {
        let problem = self.0.runs().problem(&view.id);
        // A journal that cannot be written cannot say that the bulk is paused.
        let stands_still = problem.is_some() && view.state != BulkState::Finished;
        let state = if stands_still { BulkState::Paused } else { view.state };
        BulkView { problem: problem.filter(|_| stands_still), state, ..view }
    }

    fn start_run(&self, id: &BulkId) {
        let mut running = self.0.runs().running();
        self.0.runs().go_on(id);
        if running.insert(id.clone()) {
            let (own, of) = (self.0.clone(), id.clone());
            let run = tokio::spawn(async move { own.bulks().run_to_the_end(&of).await });
            let (own, id) = (self.0.clone(), id.clone());
            tokio::spawn(async move {
                if run.await.is_err() {
                    // It can only have panicked: what is on disk is decided about at the next start.
                    own.guards().stop();
                    own.runs().running().remove(&id);
                    own.later().plan_round();
                }
            });
        }
    }

    async fn run_to_the_end(&self, id: &BulkId) {
        while !self.is_over(id, Box::pin(run::run(self.0, id)).await) {}
        self.0.tell(&OperationId(String::new()));
        self.0.later().plan_round();
    }

    /// Whether a bulk has stopped after a run ended. A person who continues it after this starts another run; one who
    /// continued it just before has only set the state, so the bulk goes on here.
    fn is_over(&self, id: &BulkId, ended: Result<(), BulkProblem>) -> bool {
        let mut running = self.0.runs().running();
        let stands_still = ended.is_err_and(|problem| !self.stop_for(id, problem));
        let view = self.0.journal().bulks().get(id).ok().flatten();
        let goes_on = !stands_still && view.is_some_and(|view| view.state == BulkState::Running);
        if !goes_on {
            running.remove(id);
        }
        !goes_on
    }

    /// Pauses a bulk that cannot go on. `false` if the journal cannot be written.
    fn stop_for(&self, id: &BulkId, problem: BulkProblem) -> bool {
        self.0.runs().stop_for(id, problem);
        let paused = self.0.journal().bulks().pause(id);
        paused.inspect_err(|error| tracing::error!(%error, "a bulk cannot be paused")).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::AccountChange;
    use crate::journal::Journal;
    use crate::words::state::Kind;
    use crate::writes::bulk::PlannedRow;

    fn opened(folder: &tempfile::TempDir) -> Operations {
        Operations::open(&folder.path().join("journal.db"), Schedule::default(), Arc::new(|| 0)).unwrap()
    }

    fn confirmed(operations: &Operations) -> BulkId {
        let (id, plan) = (BulkId("one".into()), plan());
        operations.journal().insert_bulk(&id, &plan, &plan.hash().unwrap(), None, closed, 0).unwrap();
        id
    }

    #[test]
    fn who_goes_on_while_a_run_comes_to_its_end_finds_it_running() {
        let folder = tempfile::tempdir().unwrap();
        let operations = opened(&folder);
        let id = confirmed(&operations);
        operations.runs().running().insert(id.clone());
        // Its last read of the rows found it paused.
        assert!(!operations.bulks().is_over(&id, Ok(())) && operations.runs().is_any());
        operations.bulks().pause(&id).unwrap();
        assert!(operations.bulks().is_over(&id, Ok(())) && !operations.runs().is_any());
    }

    #[test]
    fn a_row_whose_turn_came_before_a_pause_does_not_begin_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let operations = opened(&folder);
        let id = confirmed(&operations);
        let turn = operations.journal().bulk_rows().turns(&id, 0, 1).unwrap().remove(0);
        operations.bulks().pause(&id).unwrap();
        let begun = operations.journal().begin_turn(&id, &turn, None, 0, 0).unwrap();
        assert!(matches!(begun, crate::journal::bulk_row::Begun::Skipped));
        assert_eq!(operations.bulks().get(&id).unwrap().counts.waiting, 1);
    }

    #[test]
    fn a_bulk_without_a_waiting_row_is_finished_instead_of_paused() {
        let folder = tempfile::tempdir().unwrap();
        let operations = opened(&folder);
        let id = confirmed(&operations);
        let state = |operations: &Operations| operations.bulks().get(&id).unwrap().state;
        let reopened = |operations: Operations| {
            drop(operations);
            opened(&folder)
        };
        let operations = reopened(operations);
        assert_eq!(state(&operations), BulkState::Paused, "its row waits");
        let set = |operations: &Operations, to: BulkState| {
            let query = "UPDATE bulk SET state = ?1";
            operations.journal().db.execute(query, [to.word()]).unwrap();
        };
        operations.journal().bulk_rows().skip(&id, 1, LeftOut::Changed).unwrap();
        set(&operations, BulkState::Running);
        assert_eq!(operations.bulks().pause(&id).unwrap().state, BulkState::Finished, "a person paused it");
        set(&operations, BulkState::Running);
        assert!(operations.bulks().stop_for(&id, BulkProblem::NoAnswer));
        assert_eq!(state(&operations), BulkState::Finished, "its last rows failed");
        let mut operations = operations;
        for left in [BulkState::Running, BulkState::Paused] {
            set(&operations, left);
            operations = reopened(operations);
            assert_eq!(state(&operations), BulkState::Finished, "a start found it {left:?}");
        }
    }

    #[test]
    fn rows_that_are_not_those_that_were_confirmed_are_damage() {
        let folder = tempfile::tempdir().unwrap();
        let operations = opened(&folder);
        let id = confirmed(&operations);
        let file = folder.path().join("journal.db");
        assert!(Journal::open(&file).is_ok());
        let change = "UPDATE bulk_row SET intent = replace(intent, 'one@', 'two@') WHERE bulk = ?1";
        assert_eq!(operations.journal().db.execute(change, [&id.0]).unwrap(), 1);
        assert!(matches!(Journal::open(&file), Err(JournalError::Damaged)));
    }

    fn plan() -> BulkPlan {
        let create = AccountChange::Create { user_name: "one@x.com".into() };
        let row = PlannedRow { name: String::new(), todo: Ok(create.into()), retries: None };
        BulkPlan { kind: Kind::Create, rows: vec![row] }
    }
}
