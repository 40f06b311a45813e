//! Checks operations by reading: one that is due or that a person asks for, and what every check means.

use std::sync::Arc;
use std::time::Duration;

use wire::ids::CustomerId;

use crate::decide::{Check, Decision, Event, Impossible, LATE_COPY_WITHIN, Next, decide};
use crate::engine::due::Planned;
use crate::engine::{AccountAccess, OperationError, Operations};
use crate::evidence::compare::Evidence;
use crate::evidence::snapshot::Snapshot;
use crate::evidence::source::Source;
use crate::journal::operation::commit::Change;
use crate::journal::row::Row;
use crate::kill_points::{Point, reached};
use crate::views::operation::OperationView;
use crate::words::finding::Finding;
use crate::words::state::{OperationId, Reason, State};
use crate::writes::intent::Intent;
use crate::writes::traffic_move::TrafficMove;

/// How long a closed move is checked again while nothing can be read, by the steady clock.
pub(super) const AUDITED_FOR: Duration = Duration::from_secs(3_600);

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) finding: Finding,
    pub(crate) evidence: Option<Evidence>,
    /// The customer that was created.
    pub(crate) customer: Option<CustomerId>,
}

impl Seen {
    fn of_name(there: Option<CustomerId>) -> Self {
        let finding = if there.is_some() { Finding::Listed { saved: true } } else { Finding::Nothing };
        Self { finding, customer: there, evidence: None }
    }
}

/// Checks operations.
pub(crate) struct Checks<'a>(pub(super) &'a Operations);

impl Operations {
    /// Checks once more, because a person asked. Sends nothing.
    ///
    /// # Errors
    /// [`OperationError`] when the operation is not found or cannot be checked; nothing changed.
    pub async fn check(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        let own = (self.clone(), id.clone());
        let checked = tokio::spawn(async move { own.0.checks().check_once(&own.1, None).await }).await;
        checked.unwrap_or(Err(OperationError::Impossible(Impossible)))?;
        let view = self.get(id)?;
        if view.bulk.is_some() {
            // A deduction that was found just now is checked once more for a late copy.
            self.later().plan_round();
        }
        Ok(view)
    }
}

impl Checks<'_> {
    /// Checks every operation that waits for a check: with a new token at once, outside its schedule; after the start
    /// by its schedule, which begins again.
    pub(super) fn plan_all(&self) {
        let under_way = self.0.journal().operations().under_way().unwrap_or_default();
        if under_way.iter().any(|row| row.bulk.is_some()) {
            self.0.later().plan_round();
        }
        for row in under_way {
            // The check of a done deduction for a late copy stays due over a start: an HTTP proxy may still deliver
            // one.
            let is_audited = row.state.is_done();
            let waits = is_audited || matches!(row.state, State::Verifying | State::Unknown | State::Refused);
            if !row.kind.family().is_checked() || row.bulk.is_some() || !waits {
                continue;
            }
            if self.0.due().has(&row.id) {
                let (own, id) = (self.0.clone(), row.id);
                tokio::spawn(async move { own.checks().check_once(&id, None).await.map(drop) });
            } else {
                let wait = row.next_at.unwrap_or_default().saturating_sub(self.0.times().now()).max(0);
                let wait = Duration::from_millis(wait.unsigned_abs());
                // A wall clock that was set back must not make a check wait for hours.
                let longest = self.0.schedule().checks.iter().copied().max().unwrap_or_default();
                self.0.later().plan_check(&row, wait.min(longest));
            }
        }
    }

    /// Checks once and makes the decision durable before anyone sees it, one check at a time for each operation. `plan`
    /// is the plan that led to it; `None` when a person asked or a token came.
    pub(super) async fn check_once(&self, id: &OperationId, plan: Option<&Planned>) -> Result<Finding, OperationError> {
        let turn = self.turn_to_check(id);
        let _turn = turn.lock().await;
        loop {
            let row = self.0.journal().operations().find(id)?.ok_or(OperationError::NotFound)?;
            if plan.is_some_and(|plan| plan.is_void(&row)) {
                return Ok(Finding::Unreadable);
            }
            // Nothing is read for an operation that cannot be checked.
            let unread = self.checked(&row, Finding::Unreadable, true);
            decide(row.situation(), Event::Checked(unread), self.0.schedule())?;
            let seen = match self.0.access().get() {
                Some(account) => self.see(&row, &account, &Source::Vendor(&account.reader)).await,
                None => Seen::default(),
            };
            let Some((now, decision)) = self.commit(&row, &seen, plan.is_none())? else {
                // A send or a person's verdict may have come in between: then this check is out of date.
                let now = self.0.journal().operations().find(id)?.ok_or(OperationError::NotFound)?;
                if now.version == row.version {
                    // Another operation holds the target, and would hold it again at once: the caller of a planned
                    // check plans it again.
                    return if plan.is_some() { Err(OperationError::TargetHeld) } else { Ok(seen.finding) };
                }
                continue;
            };
            let learned = self.0.lessons().learn_from(&row, &now, &seen);
            // A failure to store what was learned must not keep later checks from being planned.
            self.go_on(now, decision).await?;
            learned?;
            return Ok(seen.finding);
        }
    }

    /// What a source shows of an operation. What another account shows says nothing about this one.
    pub(super) async fn see(&self, row: &Row, account: &AccountAccess, source: &Source<'_>) -> Seen {
        if !account.is_for(row) {
            return Seen::default();
        }
        let seen = match (&row.intent, row.baseline.as_ref()) {
            (Intent::Move(moved), Some(before)) => self.compare_in(source, row, (moved, before)).await,
            (Intent::Account(change), _) => source.named(change.user_name()).await.map_or_else(
                |error| {
                    tracing::info!(%error, "the list cannot be read");
                    Seen::default()
                },
                Seen::of_name,
            ),
            _ => Seen::default(),
        };
        let finding = self.0.saving().with_secrets(row, seen.finding).await;
        Seen { finding, ..seen }
    }

    async fn compare_in(&self, source: &Source<'_>, row: &Row, (moved, before): (&TrafficMove, &Snapshot)) -> Seen {
        let mut seen = Seen::default();
        for _ in 0..source.tries() {
            let after = match source.snapshot(moved, before.day).await {
                Ok(after) => after,
                Err(error) => {
                    tracing::info!(%error, "the ledger cannot be read");
                    return Seen::default();
                }
            };
            // Compared after the read, so that everything sent during it is known.
            let Ok((finding, evidence)) = self.compare_beside(row, (moved, before), &after) else {
                return Seen::default();
            };
            seen = Seen { finding, evidence: Some(evidence), customer: None };
            if !finding.disagrees() {
                break;
            }
        }
        seen
    }

    fn checked(&self, row: &Row, finding: Finding, unplanned: bool) -> Check {
        let (age, since) = (self.0.times().age(row), self.0.times().since_send(&row.id));
        Check { finding, age, since, unplanned }
    }

    /// An effect that shows for an operation brought back from a damaged journal may be that of another one: then it is
    /// called neither done nor done twice.
    pub(super) fn doubted(&self, row: &Row, finding: Finding) -> Result<Finding, OperationError> {
        let is_doubted =
            (finding.shows() || finding == Finding::Surplus) && self.0.journal().operations().may_be_mistaken(row)?;
        Ok(if is_doubted { Finding::Disagree } else { finding })
    }

    /// Commits the decision on a check. `None` if the operation was changed while the check was under way.
    pub(crate) fn commit(
        &self,
        row: &Row,
        seen: &Seen,
        unplanned: bool,
    ) -> Result<Option<(Row, Decision)>, OperationError> {
        let committed = self.decide_and_commit(row, seen, unplanned)?;
        if committed.is_some() {
            self.0.tell(&row.id);
        }
        Ok(committed)
    }

    fn decide_and_commit(
        &self,
        row: &Row,
        seen: &Seen,
        unplanned: bool,
    ) -> Result<Option<(Row, Decision)>, OperationError> {
        let mut finding = self.doubted(row, seen.finding)?;
        if let Some(customer) = seen.customer.as_ref().filter(|_| row.state == State::Refused)
            && self.0.journal().operations().is_made_by_another(row, customer)?
        {
            finding = Finding::Nothing;
        }
        let customer = seen.customer.as_ref().filter(|_| matches!(finding, Finding::Listed { .. }));
        let check = self.checked(row, finding, unplanned);
        let decision = decide(row.situation(), Event::Checked(check), self.0.schedule())?;
        if decision.next == Next::Send {
            self.0.guards().ensure_running()?;
        }
        // A decided operation stays as it is, without an event, unless this check changes it.
        let is_closed = row.state.is_done() || row.state == State::Rejected;
        let quiet = is_closed && decision.state == row.state;
        // After another move of the customer was sent, their records cannot be told apart. As long as a copy may be
        // late, this matters only if that move is of the same amount and the copy was not there before it.
        let audited = row.intent.moved().filter(|_| !unplanned && row.state.is_done());
        let another = is_closed
            && match audited {
                Some(moved) => {
                    !matches!(finding, Finding::Twice | Finding::Surplus) && self.like_since(row, moved)?.is_some()
                }
                None => self.0.journal().events().was_another_sent_since(row)?,
            };
        if (quiet || another) && unplanned {
            // A person who asks for a check does not end the planned ones.
            return Ok(Some((row.clone(), Decision { next: Next::AsPlanned, ..decision })));
        }
        if quiet || another {
            return self.audit(row, check, another, decision).map(Some);
        }
        // Whoever decides about a doubled move is shown both of its records, also if a later check shows fewer.
        let is_less = row.reason == Some(Reason::Doubled) && finding != Finding::Twice;
        let change = Change {
            cause: Some(finding.cause()),
            counts_as_repeat: decision.next == Next::Send,
            finding: Some(finding),
            evidence: seen.evidence.as_ref().filter(|_| !is_less),
            customer,
            unplanned,
            ..Change::default()
        };
        reached(Point::Checked);
        let committed = self.0.journal().commit(row, &decision, &change, self.0.times().now());
        let committed = self.0.sends().recorded(committed)?;
        reached(Point::Decided);
        Ok(committed.map(|row| (row, decision)))
    }

    /// Schedules the next check of a closed move for a copy that came late, if any is due.
    fn audit(
        &self,
        row: &Row,
        check: Check,
        another: bool,
        decision: Decision,
    ) -> Result<(Row, Decision), OperationError> {
        // A check that could not be read is repeated. So is one whose witnesses disagree: one of them may show a late
        // copy.
        let audited_for = match check.finding {
            Finding::Unreadable => AUDITED_FOR,
            finding if finding.disagrees() && !another => LATE_COPY_WITHIN,
            _ if another => Duration::ZERO,
            // A check that came too early, because the wall clock was set, ends nothing.
            _ => self.0.schedule().audit,
        };
        let (next, next_at) = if check.since < audited_for || self.may_another_come(row, check)? {
            let wait = self.0.schedule().audit;
            (Next::CheckAfter(wait), Some(self.0.times().now() + wait.as_millis() as i64))
        } else {
            (Next::Rest, None)
        };
        let journal = self.0.journal();
        journal.operations().set_plan(row, next_at)?;
        let row = journal.operations().find(&row.id)?.unwrap_or_else(|| row.clone());
        Ok((row, Decision { next, ..decision }))
    }

    /// Takes the step that a check led to.
    pub(super) async fn go_on(&self, row: Row, decision: Decision) -> Result<(), OperationError> {
        self.0.saving().tidy_secrets(&row).await;
        match decision.next {
            // The rows of a bulk are checked together.
            Next::CheckAfter(_) if row.bulk.is_some() => {}
            Next::CheckAfter(wait) => self.0.later().plan_check(&row, wait),
            // The row already says `sending`: durable before the first byte.
            Next::Send => drop(Box::pin(self.0.sends().transmit_row(row)).await?),
            Next::Rest => self.forget(&row),
            Next::RepeatAfter(_) | Next::AsPlanned => {}
        }
        Ok(())
    }

    /// The lock to hold while an operation is checked.
    fn turn_to_check(&self, id: &OperationId) -> Arc<tokio::sync::Mutex<()>> {
        self.0.checking().entry(id.clone()).or_default().clone()
    }

    /// Forgets what this run remembers of an operation with which nothing more is planned.
    fn forget(&self, row: &Row) {
        self.0.due().forget(&row.id);
        self.0.checking().remove(&row.id);
        // A person may send what is a question again, under the same key.
        if row.state != State::NeedsYou {
            self.0.times().forget_send(&row.id);
        }
    }
}
