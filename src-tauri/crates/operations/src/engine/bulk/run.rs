//! One run of a bulk: reads once what all rows need, then sends a fixed number of rows at a time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::task::JoinSet;

use crate::engine::bulk::Bulks;
use crate::engine::bulk::PARALLEL;
use crate::engine::secrets::Secrets;
use crate::engine::{OperationError, Operations};
use crate::evidence::snapshot::Snapshot;
use crate::evidence::survey::{Survey, Wanted};
use crate::journal::bulk_row::{Begun, Turn};
use crate::journal::row::Row;
use crate::words::bulk::{BulkId, BulkProblem};
use crate::words::left_out::LeftOut;
use crate::words::state::{Family, Reason, State};
use crate::writes::account_change::AccountChange;
use crate::writes::intent::Intent;
use crate::writes::traffic_move::{Direction, TrafficMove};

/// Number of rows that are read from the journal at a time.
const CHUNK: usize = 500;
/// After this many rows in succession that do not leave, are turned away, lose their answer or get a 429, the bulk is
/// paused.
const IN_A_ROW: usize = 3;
/// The survey for all rows is made again after this time.
const FRESH_FOR: Duration = Duration::from_secs(300);

/// The state that the workers of a run share.
struct Run {
    operations: Operations,
    id: BulkId,
    survey: Option<Survey>,
    /// The number of the last event before the survey.
    surveyed: i64,
    queue: Mutex<VecDeque<Turn>>,
    /// Rows in succession that failed in a way that pauses the bulk at [`IN_A_ROW`].
    failures: AtomicUsize,
    problem: Mutex<Option<BulkProblem>>,
    /// When the survey is too old, on the steady clock.
    until: Instant,
    /// The number of the last row that was read from the journal.
    fetched: AtomicI64,
}

/// Runs until no row waits or the bulk is paused.
///
/// # Errors
/// The problem that stops every row.
pub(super) async fn run(operations: &Operations, id: &BulkId) -> Result<(), BulkProblem> {
    let journal = |error| {
        tracing::error!(%error, "a bulk stops");
        BulkProblem::Journal
    };
    if !operations.journal().bulks().is_as_confirmed(id).map_err(journal)? {
        return Err(BulkProblem::Changed);
    }
    loop {
        let first = operations.journal().bulk_rows().turns(id, 0, 1).map_err(journal)?;
        let Some(turn) = first.first() else {
            operations.journal().bulks().finish(id).map_err(journal)?;
            return Ok(());
        };
        let fingerprint = operations.journal().bulks().fingerprint_of(id).map_err(journal)?;
        if operations.access().ensure_same(fingerprint.as_ref(), &turn.intent).is_err() {
            return Err(BulkProblem::OtherAccount);
        }
        let surveyed = operations.journal().events().last_number().map_err(journal)?;
        let survey = survey_for(operations, &turn.intent).await?;
        let run = Arc::new(Run {
            operations: operations.clone(),
            id: id.clone(),
            survey,
            surveyed,
            queue: Mutex::default(),
            failures: AtomicUsize::new(0),
            problem: Mutex::default(),
            until: operations.times().steady() + FRESH_FOR,
            fetched: AtomicI64::new(0),
        });
        let mut workers = JoinSet::new();
        for _ in 0..PARALLEL {
            workers.spawn(work(run.clone()));
        }
        while let Some(ended) = workers.join_next().await {
            if ended.is_err() {
                // It can only have panicked: its row may say `sending` until the next start.
                operations.guards().stop();
                run.stop(BulkProblem::Journal);
            }
        }
        let problem = run.problem.lock().take();
        if let Some(problem) = problem {
            return Err(problem);
        }
        // Frees its survey before the next one is made.
        drop(run);
        // A long bulk is verified on its way: the vendor may not know an order id forever.
        if let Err(error) = operations.checks().round().await {
            tracing::warn!(%error, "rows of a bulk cannot be checked");
        }
    }
}

/// The survey that every row is compared with, before its send and when it is checked; `None` for kinds that no read
/// can show.
async fn survey_for(operations: &Operations, intent: &Intent) -> Result<Option<Survey>, BulkProblem> {
    let family = intent.kind().family();
    if matches!(family, Family::Setting | Family::Order) {
        return Ok(None);
    }
    let reader = operations.access().reader().map_err(|_| BulkProblem::Credentials)?;
    match reader.survey(None, Wanted::by(intent.kind())).await {
        Ok(survey) => Ok(Some(survey)),
        Err(error) => {
            tracing::warn!(%error, "a bulk cannot begin");
            Err(match error {
                crate::SnapshotError::Vendor(client::Error::NotAuthenticated(_)) => BulkProblem::Credentials,
                _ => BulkProblem::Unreadable,
            })
        }
    }
}

/// The snapshot of a customer, if its figures are those that the preview showed; otherwise why the row is left out.
fn compare_move(moved: &TrafficMove, survey: &Survey) -> Result<Snapshot, LeftOut> {
    let snapshot = survey.snapshot(&moved.customer_id);
    let Some(balance) = &snapshot.balance else { return Err(LeftOut::NotYours) };
    if balance.recharged != moved.shown_recharged {
        return Err(LeftOut::Changed);
    }
    let mb = moved.gb.mb(moved.factor);
    let too_much = moved.direction == Direction::Deduction && balance.left.is_some_and(|left| mb > left);
    if too_much { Err(LeftOut::BeyondLeft) } else { Ok(snapshot) }
}

async fn work(run: Arc<Run>) {
    while run.operations.times().steady() < run.until && run.is_sound() {
        let Some(turn) = run.next() else { return };
        match Box::pin(run.take(turn)).await {
            Ok(Some(row)) => run.judge(&row),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(%error, "a row of a bulk cannot go on");
                run.stop(match error {
                    OperationError::NotSaved(_) => BulkProblem::Keychain,
                    OperationError::NotRead(_) => BulkProblem::Credentials,
                    _ => BulkProblem::Journal,
                });
            }
        }
    }
}

impl Bulks<'_> {
    /// Makes a row durable in `sending`, unless something stands in its way. `surveyed` is the number of the last event
    /// before its snapshot was read.
    pub(crate) fn begin_turn(
        &self,
        id: &BulkId,
        turn: &Turn,
        baseline: Option<&Snapshot>,
        surveyed: i64,
    ) -> Result<Begun, OperationError> {
        let begun = {
            let mut journal = self.0.journal();
            let in_the_way = if self.0.guards().is_watched(&journal, &turn.intent)? {
                Some(LeftOut::Watched)
            } else {
                self.0.access().ensure_as_meant(&turn.intent).is_err().then_some(LeftOut::Turned)
            };
            if let Some(reason) = in_the_way {
                journal.bulk_rows().skip(id, turn.number, reason)?;
                return Ok(Begun::Skipped);
            }
            journal.begin_turn(id, turn, baseline, surveyed, self.0.times().now())
        };
        Ok(self.0.sends().recorded(begun)?)
    }
}

impl Run {
    fn is_sound(&self) -> bool {
        self.problem.lock().is_none()
    }

    fn stop(&self, problem: BulkProblem) {
        self.problem.lock().get_or_insert(problem);
    }

    /// The next row that waits. `None` if there is none, the bulk is paused, or the journal cannot be read.
    fn next(&self) -> Option<Turn> {
        let mut queue = self.queue.lock();
        if queue.is_empty() {
            let after = self.fetched.load(Ordering::SeqCst);
            *queue = self.operations.journal().bulk_rows().turns(&self.id, after, CHUNK).ok()?.into();
            if let Some(last) = queue.back() {
                self.fetched.store(last.number, Ordering::SeqCst);
            }
        }
        queue.pop_front()
    }

    /// Takes one row to the end of its answer. `None` if it was left out or no longer waits.
    async fn take(&self, turn: Turn) -> Result<Option<Row>, OperationError> {
        let operations = &self.operations;
        let baseline = match self.compare(&turn.intent) {
            Ok(baseline) => baseline,
            Err(reason) => {
                operations.journal().bulk_rows().skip(&self.id, turn.number, reason)?;
                return Ok(None);
            }
        };
        if !operations.journal().bulk_rows().waits(&self.id, turn.number)? {
            return Ok(None);
        }
        if !self.has_password(&turn.intent).await? {
            operations.journal().bulk_rows().skip(&self.id, turn.number, LeftOut::SecretGone)?;
            return Ok(None);
        }
        operations.guards().ensure_running()?;
        while let Err(OperationError::TooSoon { wait }) = operations.guards().ensure_settled(&turn.intent) {
            tokio::time::sleep(wait).await;
        }
        match operations.bulks().begin_turn(&self.id, &turn, baseline.as_ref(), self.surveyed)? {
            Begun::Sending(row) => operations.sends().transmit_row(*row).await.map(Some),
            Begun::Skipped => Ok(None),
        }
    }

    /// The snapshot of a row that is still as the preview showed it; otherwise why it is left out.
    fn compare(&self, intent: &Intent) -> Result<Option<Snapshot>, LeftOut> {
        self.operations.access().ensure_as_meant(intent).map_err(|_| LeftOut::Turned)?;
        let Some(survey) = &self.survey else { return Ok(None) };
        match intent {
            Intent::Move(moved) => compare_move(moved, survey).map(Some),
            Intent::Account(change) if survey.named(change.user_name()).is_some() => Err(LeftOut::NameTaken),
            _ => Ok(Some(Snapshot { day: survey.day(), ..Snapshot::default() })),
        }
    }

    /// Makes a password that was not typed when its row's turn comes, and saves it before it is sent. `false` if a
    /// typed password is gone; no other takes its place.
    async fn has_password(&self, intent: &Intent) -> Result<bool, OperationError> {
        let Some(AccountChange::Password { reference, typed, .. }) = intent.account() else { return Ok(true) };
        let secrets: Secrets = self.operations.secrets()?;
        if secrets.read(reference).await.map_err(OperationError::NotSaved)?.is_none() {
            if *typed {
                return Ok(false);
            }
            secrets.hold(reference, crate::writes::password::generate().ok_or(OperationError::NoRandomness)?);
        }
        secrets.keep(reference).await.map_err(OperationError::NotSaved)?;
        Ok(true)
    }

    /// Stops the run for a problem that every row would meet, such as a lost network or a rotated token.
    fn judge(&self, row: &Row) {
        let turned_away = row.refusal.as_ref().is_some_and(|no| no.credentials);
        // Each further row would be another secret that is only in memory, or that a redirect exposes.
        match row.reason {
            Some(Reason::UnsavedSecret) => return self.stop(BulkProblem::Keychain),
            Some(Reason::Exposed) => return self.stop(BulkProblem::Exposed),
            _ => {}
        }
        let slow_down = row.refusal.as_ref().is_some_and(|no| no.code == "429");
        let word = match row.state {
            State::NotSent => BulkProblem::NotSent,
            _ if turned_away => BulkProblem::Credentials,
            State::Unknown => BulkProblem::NoAnswer,
            _ if slow_down => BulkProblem::NoAnswer,
            _ => {
                self.failures.store(0, Ordering::SeqCst);
                return;
            }
        };
        if self.failures.fetch_add(1, Ordering::SeqCst) + 1 >= IN_A_ROW {
            self.stop(word);
        }
    }
}
