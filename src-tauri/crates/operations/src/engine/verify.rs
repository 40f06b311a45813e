//! Verifies writes by reading: when the engine checks, and what it does with the result.

use std::time::Duration;

use client::{Error, NotSent};
use wire::customers::Customer;
use wire::ids::CustomerId;
use wire::traffic::TrafficRecord;

use crate::decide::{Check, Decision, Event, Impossible, Next, decide};
use crate::engine::confirm::NotConfirmed;
use crate::engine::secrets::Secrets;
use crate::engine::{OperationError, Operations};
use crate::evidence::compare::Evidence;
use crate::evidence::learned::{Creator, Learned};
use crate::evidence::reader::{Reader, SnapshotError};
use crate::evidence::record::is_it;
use crate::evidence::snapshot::Snapshot;
use crate::journal::operation::Change;
use crate::journal::row::Row;
use crate::kill_points::{Point, reached};
use crate::views::operation::OperationView;
use crate::words::finding::Finding;
use crate::words::state::{OperationId, Said, State};
use crate::writes::account_change::AccountChange;
use crate::writes::intent::Intent;
use crate::writes::traffic_move::TrafficMove;

/// How long a closed move is checked again, by the steady clock.
const AUDITED_FOR: Duration = Duration::from_secs(3_600);
/// The same while only its figure shows more than was sent: someone else may have moved traffic.
const LATE_COPY_WITHIN: Duration = Duration::from_secs(600);

/// The result of a check.
#[derive(Default)]
struct Seen {
    finding: Finding,
    evidence: Option<Evidence>,
    /// The customer that was created.
    customer: Option<CustomerId>,
}

impl Seen {
    fn of_name(there: Option<Customer>) -> Self {
        match there {
            Some(row) => {
                Self { finding: Finding::Listed { saved: true }, customer: Some(row.customer_id), evidence: None }
            }
            None => Self { finding: Finding::Nothing, ..Self::default() },
        }
    }
}

impl From<(Finding, Option<Evidence>)> for Seen {
    fn from((finding, evidence): (Finding, Option<Evidence>)) -> Self {
        Self { finding, evidence, customer: None }
    }
}

impl Operations {
    /// Checks once more, because a person asked. Sends nothing.
    ///
    /// # Errors
    /// [`OperationError`] when the operation is not found or cannot be checked; nothing changed.
    pub async fn check(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        let own = (self.clone(), id.clone());
        let checked = tokio::spawn(async move { own.0.check_once(&own.1, None).await }).await;
        checked.unwrap_or(Err(OperationError::Impossible(Impossible)))?;
        self.get(id)
    }

    /// The snapshot before a send. The current figures have to be those that were shown.
    pub(crate) async fn baseline(&self, intent: &Intent) -> Result<Option<Snapshot>, OperationError> {
        let reader = || self.reader().ok_or(SnapshotError::Vendor(Error::NotSent(NotSent::NoCredentials)));
        match intent {
            Intent::Account(change @ AccountChange::Create { .. }) => {
                let reader = reader()?;
                let there = reader.named(change.user_name()).await.map_err(SnapshotError::Vendor)?;
                if there.is_some() { Err(OperationError::NameTaken) } else { Ok(Some(reader.nothing_there())) }
            }
            Intent::Move(moved) => {
                let snapshot = reader()?.snapshot(moved, None).await?;
                if snapshot.recharged() != moved.shown_recharged {
                    Err(NotConfirmed::Changed.into())
                } else {
                    Ok(Some(snapshot))
                }
            }
            Intent::Account(_) | Intent::Order(_) => Ok(None),
        }
    }

    /// Checks every operation that waits for a check: with a new token at once, outside its schedule; after the start
    /// by its schedule, which begins again.
    pub(crate) fn check_all(&self) {
        let under_way = self.journal().under_way().unwrap_or_default();
        if under_way.iter().any(|row| row.bulk.is_some()) {
            self.prove_later();
        }
        for row in under_way {
            // The check of a deduction that was seen once stays due: a proxy does not wait for a start.
            let is_audited = row.state.is_done();
            let waits = is_audited || matches!(row.state, State::Verifying | State::Unknown | State::Refused);
            if !row.kind.family().is_checked() || row.bulk.is_some() || !waits {
                continue;
            }
            let (own, id) = (self.clone(), row.id.clone());
            if self.is_first_plan(&row.id) {
                let wait = row.next_at.unwrap_or_default().saturating_sub(self.now()).max(0);
                let wait = Duration::from_millis(wait.unsigned_abs());
                // A wall clock that was set back must not make a check wait for hours.
                let longest = self.schedule().checks.iter().copied().max().unwrap_or_default();
                self.check_later(row, wait.min(longest));
            } else {
                tokio::spawn(async move { own.check_once(&id, None).await.map(|_| ()) });
            }
        }
    }

    pub(crate) fn check_later(&self, planned: Row, wait: Duration) {
        self.is_first_plan(&planned.id);
        let inner = self.downgrade();
        tokio::spawn(async move {
            let mut wait = wait;
            loop {
                tokio::time::sleep(wait).await;
                let Some(operations) = inner.upgrade().map(Operations) else { return };
                match operations.check_once(&planned.id, Some(&planned)).await {
                    Ok(_) => return,
                    // The journal is in trouble: checking again does no harm.
                    Err(error) => tracing::warn!(%error, "not looked at"),
                }
                wait = operations.schedule().checks.last().copied().unwrap_or_default();
            }
        });
    }

    /// Checks once and makes the decision durable before anyone sees it, one check at a time for each operation. `plan`
    /// is the row whose plan this is; `None` when a person asked or a token came.
    pub(crate) async fn check_once(&self, id: &OperationId, plan: Option<&Row>) -> Result<Finding, OperationError> {
        let turn = self.checking(id);
        let _turn = turn.lock().await;
        loop {
            let row = self.journal().find(id)?.ok_or(OperationError::NotFound)?;
            if plan.is_some_and(|plan| (row.state, row.next_at) != (plan.state, plan.next_at)) {
                // It was checked, sent or judged meanwhile: this plan is void.
                return Ok(Finding::Unreadable);
            }
            // Nothing is read for an operation that cannot be checked.
            decide(row.situation(), self.checked(&row, Finding::Unreadable, true), self.schedule())?;
            let Seen { finding, evidence, customer } = self.read(&row).await;
            let finding = self.with_secrets(&row, finding).await;
            // A send or a person's verdict may have come in between: then this check is out of date.
            let (version, was_verifying) = (row.version, row.state == State::Verifying);
            let Some((row, decision)) =
                self.commit_check(&row, finding, evidence.as_ref(), customer.as_ref(), plan.is_none())?
            else {
                let now = self.journal().find(id)?.ok_or(OperationError::NotFound)?;
                if now.version == version {
                    // Something else is in the way, and another check would find it there again: a new plan is made.
                    return if plan.is_some() { Err(OperationError::TargetHeld) } else { Ok(finding) };
                }
                continue;
            };
            self.tell(id);
            let learned = if was_verifying { self.learn_from(&row, finding, evidence.as_ref()) } else { Ok(()) };
            // A failure to store what was learned must not keep later checks from being planned.
            self.after_check(row, decision).await?;
            learned?;
            return Ok(finding);
        }
    }

    pub(crate) fn checked(&self, row: &Row, finding: Finding, unplanned: bool) -> Event {
        Event::Checked(Check { finding, age: self.age(row), since: self.since_send(&row.id), unplanned })
    }

    async fn read(&self, row: &Row) -> Seen {
        // What another account shows says nothing about this one.
        let Some(account) = self.account().filter(|account| account.is_for(row)) else { return Seen::default() };
        let reader = account.reader;
        match (&row.intent, row.baseline.as_ref()) {
            (Intent::Move(moved), Some(before)) => self.compare_now(&reader, row, (moved, before)).await.into(),
            (Intent::Account(change), _) => match reader.named(change.user_name()).await {
                Ok(there) => Seen::of_name(there),
                Err(error) => {
                    tracing::info!(%error, "the list cannot be read");
                    Seen::default()
                }
            },
            _ => Seen::default(),
        }
    }

    async fn compare_now(
        &self,
        reader: &Reader,
        row: &Row,
        (moved, before): (&TrafficMove, &Snapshot),
    ) -> (Finding, Option<Evidence>) {
        let mut seen = (Finding::Unreadable, None);
        // Records and figures are read one after the other: a single disagreement may be a change in between.
        for _ in 0..2 {
            match reader.snapshot(moved, Some(before.day)).await {
                Ok(after) => {
                    // Compared after the read, so that everything sent during it is known.
                    let Ok((finding, evidence)) = self.compare_beside(row, (moved, before), &after) else {
                        return (Finding::Unreadable, None);
                    };
                    seen = (finding, Some(evidence));
                }
                Err(error) => {
                    tracing::info!(%error, "the ledger cannot be read");
                    return (Finding::Unreadable, None);
                }
            }
            if seen.0 != Finding::Disagree {
                break;
            }
        }
        seen
    }

    /// An effect that shows for an operation brought back from a damaged journal may be that of another one: then it is
    /// called neither done nor done twice.
    fn doubted(&self, row: &Row, finding: Finding) -> Result<Finding, OperationError> {
        let is_doubted = finding.shows() && self.journal().may_be_mistaken(row)?;
        Ok(if is_doubted { Finding::Disagree } else { finding })
    }

    /// Commits the decision on a check. `None` if the operation was changed while the check was under way.
    pub(crate) fn commit_check(
        &self,
        row: &Row,
        finding: Finding,
        evidence: Option<&Evidence>,
        customer: Option<&CustomerId>,
        unplanned: bool,
    ) -> Result<Option<(Row, Decision)>, OperationError> {
        let mut finding = self.doubted(row, finding)?;
        if let Some(customer) = customer.filter(|_| row.state == State::Refused)
            && self.journal().is_made_by_another(row, customer)?
        {
            finding = Finding::Nothing;
        }
        let customer = customer.filter(|_| matches!(finding, Finding::Listed { .. }));
        let decision = decide(row.situation(), self.checked(row, finding, unplanned), self.schedule())?;
        if decision.next == Next::Send {
            self.ensure_running()?;
        }
        // A decided operation stays as it is, without an event, unless this check changes it.
        let settled = row.state.is_done() || row.state == State::Rejected;
        let quiet = settled && decision.state == row.state;
        // After another move of the customer was sent, their records cannot be told apart. As long as a copy may be
        // late, this matters only if that move is of the same amount and the copy was not there before it.
        let audited = row.intent.moved().filter(|_| !unplanned && row.state.is_done());
        let another = settled
            && match audited {
                Some(moved) => finding != Finding::Twice && self.like_since(row, moved)?.is_some(),
                None => self.journal().was_another_sent_since(row)?,
            };
        if (quiet || another) && unplanned {
            // A person who asks for a check does not end the planned ones.
            return Ok(Some((row.clone(), Decision { next: Next::AsPlanned, ..decision })));
        }
        if quiet || another {
            // A check that could not be read is repeated. So is one with a figure whose record has not come: it may be
            // a late copy.
            let audited_for = match finding {
                Finding::Unreadable => AUDITED_FOR,
                Finding::Disagree if !another => LATE_COPY_WITHIN,
                _ if another => Duration::ZERO,
                // A check that came too early, because the wall clock was set, ends nothing.
                _ => self.schedule().audit,
            };
            if self.since_send(&row.id) < audited_for {
                let next = Decision { next: Next::CheckAfter(self.schedule().audit), ..decision };
                self.journal().set_plan(row, Some(self.now() + self.schedule().audit.as_millis() as i64))?;
                return Ok(self.journal().find(&row.id)?.map(|row| (row, next)));
            }
            self.journal().set_plan(row, None)?;
            return Ok(Some((row.clone(), Decision { next: Next::Rest, ..decision })));
        }
        let change = Change {
            cause: finding.word(),
            counts_as_repeat: decision.next == Next::Send,
            finding: Some(finding),
            evidence,
            customer,
            unplanned,
            ..Change::default()
        };
        reached(Point::Checked);
        let committed = self.journal().commit(row, &decision, &change, self.now());
        let committed = self.recorded(committed)?;
        reached(Point::Decided);
        Ok(committed.map(|row| (row, decision)))
    }

    pub(crate) async fn after_check(&self, row: Row, decision: Decision) -> Result<(), OperationError> {
        self.tidy_secrets(&row).await;
        match decision.next {
            Next::CheckAfter(_) if row.bulk.is_some() => Ok(()),
            Next::CheckAfter(wait) => {
                self.check_later(row, wait);
                Ok(())
            }
            // The row already says `sending`: durable before the first byte.
            Next::Send => Box::pin(self.transmit_row(row)).await.map(|_| ()),
            Next::Rest => {
                self.forget_plan(&row.id);
                Ok(())
            }
            Next::RepeatAfter(_) | Next::AsPlanned => Ok(()),
        }
    }

    pub(crate) fn learn_from(
        &self,
        row: &Row,
        finding: Finding,
        evidence: Option<&Evidence>,
    ) -> Result<(), OperationError> {
        let record = plain_record(row, finding, evidence);
        if let Some((moved, creator)) = row.intent.moved().zip(record.and_then(Creator::of)) {
            self.learn_creator(moved.direction, &creator)?;
        }
        match learned_from(row, finding, record, self.now()) {
            Some(learned) => self.learn(&learned),
            None => Ok(()),
        }
    }

    /// Moves whatever a cut answer left in memory into the keychain before its customer is called created.
    pub(crate) async fn with_secrets(&self, row: &Row, finding: Finding) -> Finding {
        match (finding, self.secrets()) {
            (Finding::Listed { .. }, Ok(secrets)) => {
                Finding::Listed { saved: secrets.keep_held(&row.owner()).await.is_ok() }
            }
            // The account is gone by now: it is not known where the secrets are.
            (Finding::Listed { .. }, Err(_)) => Finding::Unreadable,
            (finding, _) => finding,
        }
    }

    /// Stores a created customer's secrets under its id, and removes the passwords that were replaced.
    pub(crate) async fn tidy_secrets(&self, row: &Row) {
        let (Ok(secrets), true) = (self.secrets(), row.state.is_done()) else {
            return;
        };
        self.name_secrets(&secrets, row).await;
        let earlier = self.journal().passwords_before(row).unwrap_or_default();
        for reference in earlier {
            secrets.forget(&reference).await;
        }
    }

    /// Stores what came with a cut answer, before its customer was known, under the customer's id.
    pub(crate) async fn name_secrets(&self, secrets: &Secrets, row: &Row) {
        if let Some(customer) = row.customer.as_ref().filter(|_| row.in_doubt) {
            secrets.adopt(&row.id, customer).await;
        }
    }

    /// The reader of the vendor's ledger; `None` without an account.
    pub fn reader(&self) -> Option<Reader> {
        self.account().map(|account| account.reader)
    }
}

/// The record of a plain move: a yes to the first send, and no other record of its amount since.
fn plain_record<'a>(row: &Row, finding: Finding, evidence: Option<&'a Evidence>) -> Option<&'a TrafficRecord> {
    let plain = row.state == State::Applied && row.said == Some(Said::Yes) && !row.in_doubt;
    let (Finding::Once { factor }, Intent::Move(moved), true) = (finding, &row.intent, plain) else { return None };
    let mut alike = evidence?.records.iter().filter(|record| is_it(moved, record, factor, false));
    alike.next().filter(|_| alike.next().is_none())
}

/// What a single record that agrees with the second witness teaches about the vendor's count.
fn learned_from(row: &Row, finding: Finding, record: Option<&TrafficRecord>, now: i64) -> Option<Learned> {
    let Finding::Once { factor } = finding else { return None };
    let record = record.filter(|_| row.intent.moved().is_some_and(|moved| moved.gb.tells_factor()))?;
    Some(Learned {
        factor,
        word: record.kind.clone(),
        lag: now.saturating_sub(row.created),
        operation: row.id.clone(),
        at: now,
    })
}
