//! Confirming one write: what is checked before it becomes a row, and the commit that makes it one.

use std::time::Instant;

use crate::decide::{Event, Impossible};
use crate::engine::confirmations::{Offer, Spent, Write};
use crate::engine::{NotConfirmed, OperationError, Operations};
use crate::evidence::snapshot::Snapshot;
use crate::kill_points::{Point, reached};
use crate::views::operation::OperationView;
use crate::words::price::PriceEnds;
use crate::writes::account_change::AccountChange;
use crate::writes::intent::Intent;

impl Operations {
    /// Opens a confirmation. `price_ends` is when the price expires, on the steady clock; `None` without a price.
    ///
    /// # Errors
    /// [`OperationError::TargetHeld`] while another operation holds the wallet or the customer,
    /// [`OperationError::TooSoon`] while another value may still be under way, [`OperationError::Impossible`] when a
    /// move cannot be taken back.
    pub fn offer(&self, intent: impl Into<Intent>, price_ends: Option<Instant>) -> Result<Offer, OperationError> {
        let seen = self.history().position()?;
        self.offer_as_of(seen, intent, price_ends)
    }

    /// The same for figures that were read earlier, when the last event of the journal was `seen`
    /// ([`History::position`](crate::views::history::History::position)).
    ///
    /// # Errors
    /// As [`Self::offer`].
    pub fn offer_as_of(
        &self,
        seen: i64,
        intent: impl Into<Intent>,
        price_ends: Option<Instant>,
    ) -> Result<Offer, OperationError> {
        let intent = intent.into();
        let countered = intent.moved().and_then(|moved| moved.counter_of.as_ref());
        if let Some((moved, first)) = intent.moved().zip(countered) {
            let first = self.get(first)?;
            let back = first.moved.as_ref().is_some_and(|first| moved.takes_back(first));
            if !back || !first.may_take_back {
                return Err(Impossible.into());
            }
        }
        if self.journal().is_held(&intent.target(), countered)? {
            return Err(OperationError::TargetHeld);
        }
        self.guards().ensure_settled(&intent)?;
        let fingerprint = self.access().fingerprint(&intent);
        Ok(self.confirmations().offer(intent, seen, price_ends, fingerprint, self.times().both()))
    }

    /// The intent of a confirmation, without spending it; `None` if it is spent or too old.
    pub fn offered(&self, token: &str) -> Option<Intent> {
        self.confirmations().peek(token, self.times().steady())
    }

    /// Spends a confirmation: commits the intent, sends it once, commits the class of the answer. Sends nothing if the
    /// same move was refused before and turns out to be done ([`OperationError::DoneAfterAll`]).
    ///
    /// # Errors
    /// [`OperationError`] when it was not sent. Whatever happens after the first byte is a state, but
    /// [`OperationError::Stopped`] and [`OperationError::Journal`] may also mean that it could not be written or read.
    pub async fn confirm(&self, token: &str) -> Result<OperationView, OperationError> {
        self.confirm_knowing(token, false).await
    }

    /// Confirms although the vendor may still carry out what it refused before, as the person knows.
    ///
    /// # Errors
    /// As [`Self::confirm`].
    pub async fn confirm_anyway(&self, token: &str) -> Result<OperationView, OperationError> {
        self.confirm_knowing(token, true).await
    }

    async fn confirm_knowing(&self, token: &str, anyway: bool) -> Result<OperationView, OperationError> {
        if let Some(intent) = self.offered(token).filter(|_| !anyway) {
            self.guards().ensure_not_watched(&intent)?;
        }
        self.guards().ensure_running()?;
        let Spent { what: write, fingerprint } = self.confirmations().spend(token, self.times().both())?;
        reached(Point::Confirmed);
        let Write { nonce, intent, price_ends, seen } = write;
        self.access().ensure_as_meant(&intent)?;
        self.guards().ensure_settled(&intent)?;
        self.access().ensure_same(fingerprint.as_ref(), &intent)?;
        self.saving().save_password(&intent).await?;
        let event = self.journal().events().last_number()?;
        let baseline = self.baseline(&intent, Some(seen)).await?;
        self.guards().ensure_settled(&intent)?;
        // The account may have changed while the snapshot was read.
        self.access().ensure_same(fingerprint.as_ref(), &intent)?;
        let fingerprint = fingerprint.or_else(|| self.access().fingerprint(&intent));
        let now = self.times().now();
        // Converts the end by the steady clock to the wall clock, the only one that a later start knows.
        let steady = price_ends.and_then(|ends| ends.steady);
        let by_steady = steady.map_or(i64::MAX, |ends| PriceEnds::at(ends, self.times().both()).wall);
        let price_ends = price_ends.map(|ends| ends.wall.min(by_steady));
        let (baseline, fingerprint) = (baseline.as_ref(), fingerprint.as_ref());
        let prepared = {
            let mut journal = self.journal();
            // A write that was sent meanwhile is missing in the snapshot. And any write may have been refused
            // meanwhile, whether it was sent just now or before.
            if (baseline.is_some() && journal.events().was_sent_since(&intent.target(), event)?)
                || (!anyway && self.guards().is_watched(&journal, &intent)?)
            {
                return Err(NotConfirmed::Changed.into());
            }
            journal.prepare(&nonce, &intent, baseline, price_ends, fingerprint, now)?
        };
        let Some(row) = prepared else {
            if let Some(reference) = intent.account().and_then(|change| change.reference()) {
                self.secrets()?.forget(reference).await;
            }
            return Err(OperationError::TargetHeld);
        };
        reached(Point::Prepared);
        if let Some(ends) = steady {
            self.times().note_price(&row.id, ends);
        }
        self.tell(&row.id);
        self.sends().send_to_the_end(row.id, Event::Send, None).await
    }

    /// The snapshot before a send. The current figures have to be those that were shown. `seen`: the last event of the
    /// journal when they were read; `None` for a repeat.
    pub(super) async fn baseline(
        &self,
        intent: &Intent,
        seen: Option<i64>,
    ) -> Result<Option<Snapshot>, OperationError> {
        match intent {
            Intent::Account(change @ AccountChange::Create { .. }) => {
                let reader = self.access().reader()?;
                let there = reader.named(change.user_name()).await.map_err(crate::SnapshotError::Vendor)?;
                if there.is_some() { Err(OperationError::NameTaken) } else { Ok(Some(reader.nothing_there())) }
            }
            Intent::Move(moved) => {
                let snapshot = self.access().reader()?.snapshot(moved, None).await?;
                if let Some(seen) = seen {
                    // First, because it says more than that the figures are others.
                    self.guards().ensure_not_done_after_all(intent, seen, &snapshot).await?;
                }
                if snapshot.recharged() != moved.shown_recharged {
                    Err(NotConfirmed::Changed.into())
                } else {
                    Ok(Some(snapshot))
                }
            }
            Intent::Account(_) | Intent::Order(_) | Intent::Renewal(_) => Ok(None),
        }
    }
}
