//! Checks that can block a send, apart from the state of its row.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::engine::{OperationError, Operations};
use crate::evidence::snapshot::Snapshot;
use crate::journal::row::Row;
use crate::journal::{Journal, JournalError};
use crate::words::state::Family;
use crate::writes::intent::Intent;

/// Finds what stands in the way of a send.
pub(crate) struct Guards<'a>(pub(super) &'a Operations);

impl Guards<'_> {
    /// Stops all sends until the next start.
    pub(crate) fn stop(&self) {
        self.0.stopped().store(true, Ordering::SeqCst);
    }

    /// Fails after [`Self::stop`], with [`OperationError::Stopped`].
    pub(crate) fn ensure_running(&self) -> Result<(), OperationError> {
        if self.0.stopped().load(Ordering::SeqCst) { Err(OperationError::Stopped) } else { Ok(()) }
    }

    /// "65 s between different values": the value set last may still be under way.
    pub(crate) fn ensure_settled(&self, intent: &Intent) -> Result<(), OperationError> {
        self.ensure_settled_in(&self.0.journal(), intent)
    }

    /// The same under the caller's lock.
    pub(crate) fn ensure_settled_in(&self, journal: &Journal, intent: &Intent) -> Result<(), OperationError> {
        if intent.kind().family() != Family::Setting {
            return Ok(());
        }
        let Some(last) = journal.operations().last_sent(intent.kind(), &intent.target())? else { return Ok(()) };
        let apart = self.0.schedule().settings.first().copied().unwrap_or_default();
        let wait = apart.saturating_sub(self.0.times().since_send(&last.id));
        let is_same = last.intent.account() == intent.account();
        if is_same || wait.is_zero() { Ok(()) } else { Err(OperationError::TooSoon { wait }) }
    }

    /// Fails if the same write was refused and may still be carried out: done now, it might be done twice, or undone by
    /// the late one.
    pub(crate) fn ensure_not_watched(&self, intent: &Intent) -> Result<(), OperationError> {
        if self.is_watched(&self.0.journal(), intent)? { Err(OperationError::StillWatched) } else { Ok(()) }
    }

    /// The same check under the caller's lock, so that no refusal comes between it and what follows.
    pub(crate) fn is_watched(&self, journal: &Journal, intent: &Intent) -> Result<bool, JournalError> {
        Ok(!self.watched(journal, intent)?.is_empty())
    }

    /// Fails if the same move was refused before and is done after all: a check found it after the event `seen`, when
    /// the figures were read, or the snapshot before this send shows it. The person who goes on did not know that. Only
    /// moves are checked: the vendor refuses a second customer of one name, and setting the same value twice is harmless.
    pub(crate) async fn ensure_not_done_after_all(
        &self,
        intent: &Intent,
        seen: i64,
        baseline: &Snapshot,
    ) -> Result<(), OperationError> {
        let Some(moved) = intent.moved() else { return Ok(()) };
        let watched = {
            let journal = self.0.journal();
            let factor = journal.lessons().learned()?.map(|learned| learned.factor);
            let found = journal.operations().found_done_since(&intent.target(), seen)?;
            if found.iter().filter_map(|row| row.intent.moved()).any(|other| other.is_alike(moved, factor)) {
                return Err(OperationError::DoneAfterAll);
            }
            self.watched(&journal, intent)?
        };
        let account = self.0.access().get();
        for row in watched.iter().filter(|row| account.as_ref().is_some_and(|account| account.is_for(row))) {
            if self.is_shown(row, baseline)? {
                // A check of its own makes it durable. If it fails, the next dialog asks again.
                let _ = self.0.check(&row.id).await;
                return Err(OperationError::DoneAfterAll);
            }
        }
        Ok(())
    }

    /// Whether a snapshot shows that a refused move is done.
    pub(crate) fn is_shown(&self, row: &Row, after: &Snapshot) -> Result<bool, OperationError> {
        let Some((moved, before)) = row.intent.moved().zip(row.baseline.as_ref()) else { return Ok(false) };
        // A snapshot of the next day reaches back less far.
        let before = before.since(after.day.plus(-1));
        let (finding, _) = self.0.checks().compare_beside(row, (moved, &before), after)?;
        Ok(self.0.checks().doubted(row, finding)?.shows())
    }

    /// The same writes that were refused and may still be carried out.
    pub(crate) fn watched(&self, journal: &Journal, intent: &Intent) -> Result<Vec<Row>, JournalError> {
        if intent.kind().family() == Family::Order {
            return Ok(Vec::new());
        }
        let factor = journal.lessons().learned()?.map(|learned| learned.factor);
        let is_same = |row: &Row| match (row.intent.moved(), intent.moved()) {
            (Some(one), Some(other)) => one.is_alike(other, factor),
            _ => row.kind == intent.kind(),
        };
        // A write that no read can show is watched by the clock alone.
        let watched_for = self.0.schedule().checks.iter().sum::<Duration>();
        let is_open = |row: &Row| row.next_at.is_some() || self.0.times().since_send(&row.id) < watched_for;
        let refused = journal.operations().refused(&intent.target())?;
        Ok(refused.into_iter().filter(|row| is_same(row) && is_open(row)).collect())
    }
}
