//! Verifies the rows of bulks: one survey for all that wait, instead of a check for each.

use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;
use wire::ids::CustomerId;

use crate::decide::Decision;
use crate::engine::bulk::PARALLEL;
use crate::engine::{AccountAccess, OperationError, Operations};
use crate::evidence::compare::Evidence;
use crate::evidence::reader::SnapshotError;
use crate::evidence::survey::Survey;
use crate::journal::JournalError;
use crate::journal::row::Row;
use crate::words::finding::Finding;
use crate::words::schedule::Schedule;
use crate::words::state::{OperationId, State};
use crate::writes::intent::Intent;

/// How many rows of a round are checked one by one when a survey cannot be made.
const SINGLY: usize = 200;

/// Checks, round after round, until nothing waits for a check or the connection is gone.
pub(super) async fn prove(mut operations: Operations) {
    while let Some(due) = operations.next_check() {
        let ended = operations.0.runs.ended.notified();
        // Sends and checks would get in each other's way.
        if operations.is_sending_a_bulk() {
            ended.await;
            continue;
        }
        drop(ended);
        let (at, waits) = (operations.next_round(due), operations.0.runs.waits.clone());
        let inner = operations.downgrade();
        drop(operations);
        let sooner = || {
            let still = inner.upgrade().map(Operations)?;
            let due = still.journal().next_due().ok().flatten()?;
            Some(still.next_round(due))
        };
        sleep_until(at, &waits, sooner).await;
        let Some(still) = inner.upgrade().map(Operations) else { return };
        operations = still;
        if let Err(error) = round(&operations).await {
            tracing::warn!(%error, "rows of a bulk cannot be looked at");
        }
    }
}

impl Operations {
    /// When the next round begins, on the clock of the runtime. `due` is when its first row is due for a check, wall
    /// clock, ms since 1970.
    fn next_round(&self, due: i64) -> Instant {
        let now = self.now();
        let wait = if self.is_due(due, now) { 0 } else { due.saturating_sub(now).unsigned_abs() };
        Instant::now() + Duration::from_millis(wait).max(self.schedule().round)
    }

    /// Whether a planned check is due; both times are wall clock, ms since 1970. None is planned further ahead than the
    /// longest wait: if one seems to be, the wall clock was set back since.
    fn is_due(&self, planned: i64, now: i64) -> bool {
        let Schedule { checks, checks_turned_away, checks_before_repeat, audit, .. } = self.schedule();
        let all = [checks, checks_turned_away, checks_before_repeat].into_iter().flatten().chain([audit]);
        let longest = all.max().map_or(0, Duration::as_millis);
        planned <= now || planned.abs_diff(now) > longest as u64
    }
}

/// Sleeps until `at`. When more rows begin to wait meanwhile, `sooner` says when they are due, and the sooner time
/// counts.
async fn sleep_until(mut at: Instant, waits: &Notify, sooner: impl Fn() -> Option<Instant>) {
    loop {
        tokio::select! {
            () = tokio::time::sleep_until(at) => return,
            () = waits.notified() => at = sooner().map_or(at, |sooner| at.min(sooner)),
        }
    }
}

/// Makes one survey and decides with it about every row that waits.
pub(super) async fn round(operations: &Operations) -> Result<(), OperationError> {
    let (ids, since, wanted) = operations.journal().to_be_proved()?;
    if ids.is_empty() {
        // Passwords and statuses are never verified: the whole list would be read for nothing.
        return Ok(());
    }
    let Some(account) = operations.account() else { return postpone(operations, &ids) };
    let survey = account.reader.survey(since, wanted).await;
    let survey = match survey {
        Ok(survey) => survey,
        // A single record that cannot be read, or a list that changes all the time, must not keep all rows from being
        // verified.
        Err(SnapshotError::Restless | SnapshotError::Vendor(client::Error::Unreadable { .. })) => {
            return singly(operations, &ids).await;
        }
        Err(error) => {
            tracing::info!(%error, "the ledger cannot be read");
            return postpone(operations, &ids);
        }
    };
    let now = operations.now();
    let mut sends: JoinSet<()> = JoinSet::new();
    for id in ids {
        // Rows are read one at a time: a bulk has thousands, and each carries its snapshot.
        match check_one(operations, &account, &id, &survey, now).await {
            Ok(None) => {}
            Ok(Some((row, decision))) => {
                while sends.len() >= PARALLEL {
                    sends.join_next().await;
                }
                let own = operations.clone();
                sends.spawn(async move {
                    if let Err(error) = own.after_check(row, decision).await {
                        tracing::warn!(%error, "a row of a bulk cannot go on");
                    }
                });
            }
            // A row that cannot be decided must not keep the others from it.
            Err(error) => tracing::warn!(%error, "a row of a bulk cannot be looked at"),
        }
    }
    while sends.join_next().await.is_some() {}
    Ok(())
}

/// Checks one row against the survey and makes the decision durable. `None` if there is nothing to do about it now.
async fn check_one(
    operations: &Operations,
    account: &AccountAccess,
    id: &OperationId,
    survey: &Survey,
    now: i64,
) -> Result<Option<(Row, Decision)>, OperationError> {
    let Some(row) = operations.journal().find(id)?.filter(|row| row.next_at.is_some()) else { return Ok(None) };
    // What another account shows says nothing about this one.
    let (finding, evidence, customer) =
        if account.is_for(&row) { find(operations, &row, survey) } else { Default::default() };
    let finding = operations.with_secrets(&row, finding).await;
    let was_verifying = row.state == State::Verifying;
    let seen = (finding, evidence.as_ref(), customer.as_ref());
    let Some((row, decision)) = operations.commit_in_round(&row, seen, now)? else { return Ok(None) };
    operations.tell(&row.id);
    if was_verifying {
        operations.learn_from(&row, finding, evidence.as_ref())?;
    }
    Ok(Some((row, decision)))
}

impl Operations {
    /// Makes durable what a round says about a row. `None` if it says nothing now.
    pub(crate) fn commit_in_round(
        &self,
        row: &Row,
        (finding, evidence, customer): (Finding, Option<&Evidence>, Option<&CustomerId>),
        now: i64,
    ) -> Result<Option<(Row, Decision)>, OperationError> {
        // An effect that shows counts at once; one that does not show counts only when the row is due.
        let is_due = row.next_at.is_none_or(|at| self.is_due(at, now));
        let is_open = matches!(row.state, State::Verifying | State::Unknown | State::Refused);
        let counts = is_due || (finding.shows() && is_open);
        if !counts {
            return Ok(None);
        }
        let committed = self.commit_check(row, finding, evidence, customer, false)?;
        if committed.is_none() {
            // Another operation holds the customer: the row is checked again after the last wait of the schedule. If
            // the row changed meanwhile, `set_plan` changes nothing.
            let wait = self.schedule().checks.last().copied().unwrap_or_default();
            self.journal().set_plan(row, Some(now + wait.as_millis() as i64))?;
        }
        Ok(committed)
    }
}

fn find(operations: &Operations, row: &Row, survey: &Survey) -> (Finding, Option<Evidence>, Option<CustomerId>) {
    match (&row.intent, &row.baseline) {
        (Intent::Move(moved), Some(before)) => {
            let after = survey.snapshot(&moved.customer_id);
            match operations.compare_beside(row, (moved, before), &after) {
                Ok((finding, evidence)) => (finding, Some(evidence), None),
                Err(_) => (Finding::Unreadable, None, None),
            }
        }
        (Intent::Account(change), _) => match survey.named(change.user_name()) {
            Some(customer) => (Finding::Listed { saved: true }, None, Some(customer.clone())),
            None => (Finding::Nothing, None, None),
        },
        _ => (Finding::Unreadable, None, None),
    }
}

/// The rows that are due now, read one at a time.
fn due<'a>(
    operations: &'a Operations,
    ids: &'a [OperationId],
) -> impl Iterator<Item = Result<Row, JournalError>> + use<'a> {
    let now = operations.now();
    let is_due = move |row: &Row| row.next_at.is_some_and(|at| operations.is_due(at, now));
    let found = ids.iter().filter_map(|id| operations.journal().find(id).transpose());
    found.filter(move |row| row.as_ref().ok().is_none_or(is_due))
}

/// Makes a check for each of the first rows that are due.
async fn singly(operations: &Operations, ids: &[OperationId]) -> Result<(), OperationError> {
    let mut checks: JoinSet<()> = JoinSet::new();
    for row in due(operations, ids).take(SINGLY) {
        let (own, row) = (operations.clone(), row?);
        while checks.len() >= PARALLEL {
            checks.join_next().await;
        }
        checks.spawn(async move {
            if let Err(error) = own.check_once(&row.id, Some(&row)).await {
                tracing::warn!(%error, "a row of a bulk cannot be looked at");
            }
        });
    }
    while checks.join_next().await.is_some() {}
    Ok(())
}

/// Commits for every row that is due that nothing could be read.
fn postpone(operations: &Operations, ids: &[OperationId]) -> Result<(), OperationError> {
    for row in due(operations, ids) {
        if let Err(error) = operations.commit_check(&row?, Finding::Unreadable, None, None, false) {
            tracing::warn!(%error, "a row of a bulk cannot be postponed");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn what_was_planned_before_the_wall_clock_was_set_back_is_due() {
        let folder = tempfile::tempdir().unwrap();
        let (file, now) = (folder.path().join("journal.db"), 86_400_000);
        let operations = Operations::open(&file, Schedule::default(), Arc::new(move || now)).unwrap();
        let longest = 600_000;
        let cases = [(now - 1, true), (now, true), (now + 1, false), (now + longest, false), (now + longest + 1, true)];
        for (planned, is_due) in cases {
            assert_eq!(operations.is_due(planned, now), is_due, "{planned}");
        }
    }

    #[tokio::test]
    async fn what_is_due_sooner_is_not_kept_waiting_for_what_was_due_before() {
        let (begun, waits) = (Instant::now(), Notify::new());
        let soon = begun + Duration::from_millis(50);
        waits.notify_one();
        sleep_until(begun + Duration::from_secs(600), &waits, || Some(soon)).await;
        assert!(Instant::now() >= soon, "it is not looked at before it is due");
        // A row that is due later, or gone, changes nothing.
        for later in [Some(begun + Duration::from_secs(600)), None] {
            waits.notify_one();
            sleep_until(soon, &waits, || later).await;
        }
    }
}
