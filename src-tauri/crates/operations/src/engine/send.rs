//! The send protocol: a row is durable before its first byte, the class of its answer before anyone sees it.

use std::time::Duration;

use client::{Error, NotSent};
use wire::accounts::CreatedAccount;

use crate::decide::{Event, Impossible, Next, decide, is_too_late_to_repeat};
use crate::engine::NotConfirmed;
use crate::engine::{AccountAccess, OperationError, Operations};
use crate::evidence::snapshot::Snapshot;
use crate::journal::operation::commit::Change;
use crate::journal::row::{Row, StoredRefusal};
use crate::journal::{Journal, JournalError};
use crate::kill_points::{Point, reached};
use crate::views::operation::OperationView;
use crate::words::cause::Cause;
use crate::words::outcome::Outcome;
use crate::words::secret::Owner;
use crate::words::state::{Family, Kind, OperationId, Said, State};
use crate::writes::intent::{Sent, Yes};

/// A new snapshot for a row that never left.
pub(crate) struct Fresh {
    pub(crate) snapshot: Snapshot,
    /// The last event of the journal before it was read.
    pub(crate) seen: i64,
}

/// Sends operations.
pub(crate) struct Sends<'a>(pub(super) &'a Operations);

impl Sends<'_> {
    /// Sends in a task of its own, so that a caller that no longer waits does not leave a row in `sending`.
    pub(crate) async fn send_to_the_end(
        &self,
        id: OperationId,
        event: Event,
        fresh: Option<Fresh>,
    ) -> Result<OperationView, OperationError> {
        let own = self.0.clone();
        let sent = tokio::spawn(async move { own.sends().send(&id, event, fresh.as_ref()).await }).await;
        sent.unwrap_or_else(|_| {
            // It can only have panicked: only what is on disk is known.
            self.0.guards().stop();
            Err(OperationError::Stopped)
        })
    }

    pub(super) async fn send(
        &self,
        id: &OperationId,
        event: Event,
        fresh: Option<&Fresh>,
    ) -> Result<OperationView, OperationError> {
        let sending = self.begin(id, event, fresh)?;
        if sending.state != State::Sending {
            return self.0.get(id);
        }
        self.transmit(sending).await
    }

    /// Makes a row durable in `sending`, or in another state if the event leads there.
    pub(crate) fn begin(&self, id: &OperationId, event: Event, fresh: Option<&Fresh>) -> Result<Row, OperationError> {
        self.0.guards().ensure_running()?;
        let sending = {
            let mut journal = self.0.journal();
            let row = journal.operations().find(id)?.ok_or(OperationError::NotFound)?;
            if let Some(fresh) = fresh {
                if row.state != State::NotSent {
                    // Another repeat was quicker: the new snapshot may already show its effect.
                    return Err(Impossible.into());
                }
                if journal.events().was_sent_since(&row.target, fresh.seen)? {
                    return Err(NotConfirmed::Changed.into());
                }
            }
            let by_person = matches!(event, Event::RepeatByPerson { .. });
            if by_person && row.state == State::NotSent && self.0.guards().is_watched(&journal, &row.intent)? {
                return Err(OperationError::StillWatched);
            }
            if by_person && row.kind.family() == Family::Setting {
                ensure_newest(&journal, &row)?;
                self.0.guards().ensure_settled_in(&journal, &row.intent)?;
            }
            let may_be_sent = self
                .0
                .access()
                .ensure_as_meant(&row.intent)
                .and_then(|()| self.0.access().ensure_same(row.fingerprint.as_ref(), &row.intent));
            let event = match (may_be_sent, event) {
                // A first send for another account goes on: it is turned back later and becomes `not-sent`.
                (Ok(()) | Err(NotConfirmed::OtherAccount), Event::Send) => event,
                (Ok(()), event) => event,
                // The old number would do the opposite, another account something else. A person is asked, as when
                // it is too late to repeat.
                (Err(_), Event::RepeatBySchedule { .. }) => Event::RepeatBySchedule { age: Duration::MAX },
                (Err(turned), _) => return Err(turned.into()),
            };
            if let Event::RepeatByPerson { age } = event
                && is_too_late_to_repeat(row.situation(), age)
            {
                return Err(OperationError::TooLate);
            }
            let decision = decide(row.situation(), event, self.0.schedule())?;
            let change = Change {
                cause: match event {
                    Event::RepeatBySchedule { .. } => Some(Cause::RepeatedBySchedule),
                    Event::RepeatByPerson { .. } => Some(Cause::RepeatedByPerson),
                    _ => None,
                },
                counts_as_repeat: matches!(event, Event::RepeatBySchedule { .. }),
                baseline: fresh.map(|fresh| &fresh.snapshot),
                ..Change::default()
            };
            if by_person && self.0.times().price_is_over(&row) {
                return Err(NotConfirmed::PriceExpired.into());
            }
            // Durable before the first byte. If this fails, nothing is sent.
            let committed = journal.commit(&row, &decision, &change, self.0.times().now());
            self.recorded(committed)?.ok_or(OperationError::TargetHeld)?
        };
        self.0.tell(id);
        Ok(sending)
    }

    /// Stops all sends when a send was committed but not recorded: it must not leave. Its row says `sending`, and the
    /// next start decides about it.
    pub(crate) fn recorded<T>(&self, committed: Result<T, JournalError>) -> Result<T, JournalError> {
        if matches!(committed, Err(JournalError::NotRecorded(_))) {
            self.0.guards().stop();
        }
        committed
    }

    /// Sends a row that is durable in `sending`.
    pub(crate) async fn transmit(&self, sending: Row) -> Result<OperationView, OperationError> {
        let answered = self.transmit_row(sending).await?;
        self.0.get(&answered.id)
    }

    /// Sends it without reading its view.
    pub(crate) async fn transmit_row(&self, sending: Row) -> Result<Row, OperationError> {
        let Some(account) = self.0.access().get().filter(|_| self.0.guards().ensure_running().is_ok()) else {
            return self.commit_answer(
                &sending,
                &Err(Error::NotSent(NotSent::NoCredentials)),
                &CreatedAccount::default(),
                true,
            );
        };
        if !account.is_for(&sending) {
            let turned_back = Err(Error::NotSent(NotSent::OtherAccount));
            return self.commit_answer(&sending, &turned_back, &CreatedAccount::default(), true);
        }
        self.0.times().note_send(&sending.id);
        let sent = send_once(&account, &sending).await;
        reached(Point::Answered);
        let saved = keep_secrets(&account, &sending, &sent.account).await;
        reached(Point::Saved);
        let answered = self.commit_answer(&sending, &sent.answer, &sent.account, saved)?;
        self.0.saving().tidy_secrets(&answered).await;
        Ok(answered)
    }

    /// Commits the class of the answer before anything shows it. `saved` says whether the secrets that came with it are
    /// in the keychain.
    pub(crate) fn commit_answer(
        &self,
        sending: &Row,
        answer: &Result<Yes, Error>,
        created: &CreatedAccount,
        saved: bool,
    ) -> Result<Row, OperationError> {
        let refusal = answer.as_ref().err().map(StoredRefusal::of);
        let was_refused = sending.kind.family() == Family::Order && sending.said == Some(Said::No);
        let code = |no: &Option<StoredRefusal>| no.as_ref().map(|no| no.code.clone());
        let is_same = code(&refusal) == code(&sending.refusal);
        let outcome = match sending.intent.outcome(answer) {
            Outcome::Success { .. } if !saved => Outcome::Unsaved,
            // The same no twice to an order's key is believed. Another one may be about something else: a limit of
            // requests, or a wallet that this very order has emptied (seed 108).
            Outcome::Refused if was_refused && is_same => Outcome::Declined,
            Outcome::Declined if was_refused && !is_same => Outcome::Refused,
            outcome => outcome,
        };
        let decision = decide(sending.situation(), Event::Answered(outcome), self.0.schedule())?;
        let placed = match answer {
            Ok(Yes::Order(placed)) => Some(placed),
            _ => None,
        };
        let change = Change {
            answer: placed,
            refusal: refusal.as_ref(),
            answered: true,
            said: sending.situation().said(outcome),
            customer: created.customer_id.as_ref(),
            ..Change::default()
        };
        let committed = self.0.journal().commit(sending, &decision, &change, self.0.times().now());
        let Ok(Some(committed)) = committed else {
            // It is not known what the row on disk says. If it says `sending`, the next start decides about it.
            self.0.guards().stop();
            tracing::error!("the journal failed after an answer; nothing more is sent");
            return Err(OperationError::Stopped);
        };
        if matches!(committed.state, State::NotSent | State::Rejected) {
            self.0.times().forget_key(&sending.id);
        }
        reached(Point::Settled);
        self.0.tell(&sending.id);
        reached(Point::Told);
        match decision.next {
            Next::RepeatAfter(wait) => self.0.later().plan_repeat(&committed, wait),
            // The rows of a bulk are checked together. A bulk that sends makes its own rounds and plans the next one at
            // its end: to plan one after each of its rows would read all of them each time.
            Next::CheckAfter(_) if committed.bulk.is_some() => {
                if !self.0.runs().is_any() {
                    self.0.later().plan_round();
                }
            }
            Next::CheckAfter(wait) => self.0.later().plan_check(&committed, wait),
            Next::Rest | Next::Send | Next::AsPlanned => {}
        }
        Ok(committed)
    }
}

/// Fails if a newer value was set since: the old one would come back. By the order of the journal, because the wall clock
/// may have been set back.
fn ensure_newest(journal: &Journal, row: &Row) -> Result<(), OperationError> {
    let Some(last) = journal.operations().last_sent(row.kind, &row.target)? else { return Ok(()) };
    let begun = |id| -> Result<_, OperationError> { Ok(journal.events().of(id)?.first().map(|event| event.number)) };
    if last.id != row.id && begun(&last.id)? > begun(&row.id)? { Err(Impossible.into()) } else { Ok(()) }
}

/// Sends, with the secret if the request has a place for one.
async fn send_once(account: &AccountAccess, sending: &Row) -> Sent {
    let mut secret = None;
    if let Some(place) = &sending.request.secret {
        secret = account.secrets.read(&place.reference).await.unwrap_or_default();
    }
    sending.intent.send(&account.sender, &sending.request, secret.as_ref()).await
}

/// "The keychain first, then the journal": saves the secrets of an answer. Returns whether all of them are saved.
async fn keep_secrets(account: &AccountAccess, sending: &Row, created: &CreatedAccount) -> bool {
    if sending.kind != Kind::Create {
        return true;
    }
    let owner = match &created.customer_id {
        Some(customer) => Owner::Customer(customer.clone()),
        None => Owner::Operation(sending.id.clone()),
    };
    account.secrets.keep_account(&owner, created).await.is_ok()
}
