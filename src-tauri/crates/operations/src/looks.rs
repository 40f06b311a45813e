//! Proving moves of traffic by reading: when the engine looks, and what it does with what it sees.

use std::time::{Duration, Instant};

use client::{Error, NotSent};

use crate::decide::{Decision, Event, Impossible, Next, decide};
use crate::engine::{OperationError, Operations};
use crate::finding::{Evidence, Finding, compare};
use crate::intent::Intent;
use crate::journal::Change;
use crate::lesson::Lesson;
use crate::row::Row;
use crate::sight::{Reader, Sight, SightError, Standing};
use crate::state::{OperationId, State};
use crate::traffic_move::TrafficMove;
use crate::view::OperationView;

impl Operations {
    /// Looks once more, because a person asked.
    ///
    /// # Errors
    /// [`OperationError`]; nothing changed.
    pub async fn look(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        let own = (self.clone(), id.clone());
        let looked = tokio::spawn(async move { own.0.look_once(&own.1).await }).await;
        looked.unwrap_or(Err(OperationError::Stopped))?;
        self.get(id)
    }

    /// The look before a send. `Changed` when the dialog showed other figures.
    pub(crate) async fn baseline(&self, intent: &Intent) -> Result<Option<Sight>, OperationError> {
        let Some(moved) = intent.moved() else { return Ok(None) };
        let reader = self.reader().ok_or(SightError::Vendor(Error::NotSent(NotSent::NoCredentials)))?;
        let sight = reader.look(moved, None).await?;
        let recharged = sight.standing.as_ref().and_then(|standing: &Standing| standing.recharged);
        if recharged != moved.shown_recharged {
            return Err(crate::confirmation::NotConfirmed::Changed.into());
        }
        Ok(Some(sight))
    }

    /// Plans the next look of every operation that waits for one: after the start, with a new token.
    pub(crate) fn look_at_all(&self) {
        let rows = self.journal().all().unwrap_or_default();
        for row in rows.into_iter().filter(|row| row.intent.moved().is_some()) {
            if matches!(row.state, State::Verifying | State::Unknown) {
                let left = row.next_at.unwrap_or_default().saturating_sub(self.now()).max(0);
                // A wall clock that was set back must not make a look wait for hours.
                let longest = self.schedule().looks.first().copied().unwrap_or_default();
                self.look_later(row, Duration::from_millis(left.unsigned_abs()).min(longest));
            }
        }
    }

    pub(crate) fn look_later(&self, planned: Row, wait: Duration) {
        let inner = self.downgrade();
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            let Some(operations) = inner.upgrade().map(Operations) else { return };
            // A person may have settled it meanwhile: then this plan is void.
            let current = operations.journal().find(&planned.id);
            let waits = |row: &Row| row.state == planned.state && row.next_at == planned.next_at;
            if !matches!(current, Ok(Some(row)) if waits(&row)) {
                return;
            }
            if let Err(error) = operations.look_once(&planned.id).await {
                tracing::warn!(%error, "not looked at");
            }
        });
    }

    /// One look, its decision durable before anybody sees it.
    async fn look_once(&self, id: &OperationId) -> Result<(), OperationError> {
        let row = self.journal().find(id)?.ok_or(OperationError::NotFound)?;
        let moved = row.intent.moved().ok_or(Impossible)?.clone();
        // Only what may be looked at is read for.
        decide(row.situation(), Event::Looked { finding: Finding::Unreadable, age: Duration::ZERO }, self.schedule())?;
        let began = Instant::now();
        let (finding, evidence) = self.read(&row, &moved).await;
        tracing::debug!(took = ?began.elapsed(), finding = finding.word(), "looked");
        let Some(committed) = self.commit_look(&row, finding, evidence.as_ref())? else { return Ok(()) };
        self.tell(id);
        if let Some(lesson) = lesson(&row, finding, evidence.as_ref(), self.now()) {
            self.learn(&lesson)?;
        }
        self.after_look(committed).await
    }

    async fn read(&self, row: &Row, moved: &TrafficMove) -> (Finding, Option<Evidence>) {
        let (Some(reader), Some(before)) = (self.reader(), row.baseline.as_ref()) else {
            return (Finding::Unreadable, None);
        };
        match reader.look(moved, Some(before.day)).await {
            Ok(after) => {
                let known = self.learnt().ok().flatten().map(|lesson| lesson.factor);
                let (finding, evidence) = compare(moved, before, &after, known);
                (finding, Some(evidence))
            }
            Err(error) => {
                tracing::info!(%error, "the ledger can not be read");
                (Finding::Unreadable, None)
            }
        }
    }

    /// `None`: it was settled while this look was under way.
    fn commit_look(
        &self,
        row: &Row,
        finding: Finding,
        evidence: Option<&Evidence>,
    ) -> Result<Option<(Row, Decision)>, OperationError> {
        let age = Duration::from_millis(self.now().saturating_sub(row.created).unsigned_abs());
        let decision = decide(row.situation(), Event::Looked { finding, age }, self.schedule())?;
        if decision.next == Next::Send {
            self.ensure_running()?;
        }
        let change = Change {
            cause: finding.word(),
            counts_as_repeat: decision.next == Next::Send,
            finding: Some(finding),
            evidence,
            ..Change::default()
        };
        let committed = self.journal().commit(row, &decision, &change, self.now())?;
        Ok(committed.map(|row| (row, decision)))
    }

    async fn after_look(&self, (row, decision): (Row, Decision)) -> Result<(), OperationError> {
        match decision.next {
            Next::LookAfter(wait) => {
                self.look_later(row, wait);
                Ok(())
            }
            // The row says `sending` already: durable before the first byte.
            Next::Send => Box::pin(self.transmit(row)).await.map(|_| ()),
            Next::Rest | Next::RepeatAfter(_) => Ok(()),
        }
    }

    /// What looks at the vendor's ledger, once there is an account.
    pub fn reader(&self) -> Option<Reader> {
        self.account().map(|account| account.reader)
    }
}

/// A single record that agrees with the second witness teaches how the vendor counts.
fn lesson(row: &Row, finding: Finding, evidence: Option<&Evidence>, now: i64) -> Option<Lesson> {
    let Finding::Once { factor } = finding else { return None };
    let record = evidence?.records.first()?;
    Some(Lesson {
        factor,
        word: record.kind.clone(),
        lag: now.saturating_sub(row.created),
        operation: row.id.clone(),
        at: now,
    })
}
