//! What stands in the way of a send, besides the state of its row.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::engine::confirm::NotConfirmed;
use crate::engine::{OperationError, Operations};
use crate::journal::row::Row;
use crate::journal::{Journal, JournalError};
use crate::words::fingerprint::Fingerprint;
use crate::words::state::Family;
use crate::writes::account_change::AccountChange;
use crate::writes::intent::Intent;

impl Operations {
    /// Stops all sends until the next start.
    pub(crate) fn stop(&self) {
        self.0.stopped.store(true, Ordering::SeqCst);
    }

    /// Fails after [`Self::stop`]: the journal failed after an answer, or a send could not be recorded.
    pub(crate) fn ensure_running(&self) -> Result<(), OperationError> {
        if self.0.stopped.load(Ordering::SeqCst) { Err(OperationError::Stopped) } else { Ok(()) }
    }

    /// "65 s between different values": the value set last may still be under way.
    pub(crate) fn ensure_settled(&self, intent: &Intent) -> Result<(), OperationError> {
        if intent.kind().family() != Family::Setting {
            return Ok(());
        }
        let Some(last) = self.journal().last_sent(intent.kind(), &intent.target())? else { return Ok(()) };
        let apart = self.schedule().settings.first().copied().unwrap_or_default();
        let wait = apart.saturating_sub(self.since_send(&last.id));
        let is_same = last.intent.account() == intent.account();
        if is_same || wait.is_zero() { Ok(()) } else { Err(OperationError::TooSoon { wait }) }
    }

    /// The same write was refused and may still be carried out. Done now, it might be done twice, or undone by the late
    /// one.
    pub(crate) fn ensure_not_watched(&self, intent: &Intent) -> Result<(), OperationError> {
        if self.is_watched(&self.journal(), intent)? { Err(OperationError::StillWatched) } else { Ok(()) }
    }

    /// The same check under the caller's lock, so that no refusal comes between it and what follows.
    pub(crate) fn is_watched(&self, journal: &Journal, intent: &Intent) -> Result<bool, JournalError> {
        if intent.kind().family() == Family::Order {
            return Ok(false);
        }
        let factor = journal.learned()?.map(|learned| learned.factor);
        let is_same = |row: &Row| match (row.intent.moved(), intent.moved()) {
            (Some(one), Some(other)) => one.is_alike(other, factor),
            _ => row.kind == intent.kind(),
        };
        // A write that no read can show is watched by the clock alone.
        let watched_for = self.schedule().checks.iter().sum::<Duration>();
        let is_open = |row: &Row| row.next_at.is_some() || self.since_send(&row.id) < watched_for;
        let refused = journal.refused(&intent.target())?;
        Ok(refused.iter().any(|row| is_same(row) && is_open(row)))
    }

    /// The meaning of 0 and 1 may have been swapped in the settings since: the old number would do the opposite.
    pub(crate) fn ensure_as_meant(&self, intent: &Intent) -> Result<(), NotConfirmed> {
        let Some(AccountChange::Status { active, customer_state, .. }) = intent.account() else { return Ok(()) };
        let states = self.account().map(|account| account.states);
        let is_as_meant = states.is_none_or(|states| states[usize::from(!active)] == *customer_state);
        if is_as_meant { Ok(()) } else { Err(NotConfirmed::Turned) }
    }

    /// The account that an intent prepared now belongs to; `None` without an account.
    pub(crate) fn fingerprint(&self, intent: &Intent) -> Option<Fingerprint> {
        self.account().map(|account| account.whose.area(intent.area()).clone())
    }

    /// The connection may have been edited since, or an older file of connections came back. A key, a name and a
    /// customer's number mean nothing to another account.
    pub(crate) fn ensure_same_account(&self, own: Option<&Fingerprint>, intent: &Intent) -> Result<(), NotConfirmed> {
        let is_same = self.account().is_none_or(|account| account.whose.fit(own, intent.area()));
        if is_same { Ok(()) } else { Err(NotConfirmed::OtherAccount) }
    }

    /// Whether the price of an order that certainly never arrived is over, or nearly, by either clock. After a start
    /// only the wall clock is known.
    pub(crate) fn price_is_over(&self, row: &Row) -> bool {
        if row.price_ends.is_none() {
            // Most rows of a list have no price, so the clocks are not read for them.
            return false;
        }
        let priced = self.0.priced.lock().unwrap_or_else(PoisonError::into_inner).get(&row.id).copied();
        row.price_is_over(priced, self.both_clocks())
    }
}
