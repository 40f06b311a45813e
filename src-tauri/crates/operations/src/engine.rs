//! The engine: the send protocol around the pure decisions. The only user of the money sender.
//!
//! The order never changes: commit `prepared`, commit `sending`, send, commit the class of the answer,
//! and only then show it. No network inside a database transaction.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use client::Error;
use client::money::MoneySender;
use tokio::sync::broadcast;

use crate::confirmation::{Confirmations, NotConfirmed, Offer};
use crate::decide::{Event, Impossible, Next, decide};
use crate::finding::Finding;
use crate::intent::{Intent, Yes};
use crate::journal::{Change, Journal, JournalError};
use crate::row::{Row, StoredRefusal};
use crate::schedule::Schedule;
use crate::sight::{Reader, Sight, SightError};
use crate::state::{OperationId, State, Verdict};
use crate::view::OperationView;

/// Why an operation could not begin or change. Nothing was sent.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// The confirmation is spent, too old, or its price is over.
    #[error(transparent)]
    NotConfirmed(#[from] NotConfirmed),
    /// Another operation holds the target.
    #[error("another operation is still open")]
    TargetHeld,
    /// No such operation.
    #[error("no such operation")]
    NotFound,
    /// Its state does not allow that.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// What has to be read before a move of traffic can not be read.
    #[error(transparent)]
    NotRead(#[from] SightError),
    /// The journal failed after an answer: nothing is sent until the program starts again.
    #[error("the journal stopped; nothing more is sent")]
    Stopped,
    /// The journal can not be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Milliseconds since 1970 on this computer's wall clock.
pub type WallClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// The two ways to the vendor: one sends, one looks.
#[derive(Clone)]
pub struct AccountAccess {
    /// Sends what was confirmed.
    pub sender: MoneySender,
    /// Looks whether it was carried out.
    pub reader: Reader,
}

/// The operations of one connection.
#[derive(Clone)]
pub struct Operations(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    journal: Mutex<Journal>,
    confirmations: Confirmations,
    account: RwLock<Option<AccountAccess>>,
    schedule: Schedule,
    wall: WallClock,
    stopped: AtomicBool,
    /// When each row was sent last, on the steady clock.
    sent: Mutex<HashMap<OperationId, Instant>>,
    /// When this run began: what an earlier one sent counts from here.
    started: Instant,
    /// Operations that have a plan in this run.
    planned: Mutex<HashSet<OperationId>>,
    /// One look at a time for each operation.
    looking: Mutex<HashMap<OperationId, Arc<tokio::sync::Mutex<()>>>>,
    changed: broadcast::Sender<OperationId>,
}

impl Operations {
    /// Opens the journal and settles what the last run left open: nothing stays in `sending`.
    ///
    /// # Errors
    /// [`JournalError`]: nothing may be sent then.
    pub fn open(file: &Path, schedule: Schedule, wall: WallClock) -> Result<Self, JournalError> {
        let mut journal = Journal::open(file)?;
        for row in journal.all()? {
            if let Ok(decision) = decide(row.situation(), Event::Restarted, &schedule) {
                let waits = row.next_at.is_some() && row.state.is_open();
                if decision.state != row.state || waits {
                    let decision = crate::decide::Decision { reason: row.reason, ..decision };
                    let change = Change { cause: "restarted", counts_anew: true, ..Change::default() };
                    journal.commit(&row, &decision, &change, wall())?;
                }
            }
        }
        Ok(Self(Arc::new(Inner {
            journal: Mutex::new(journal),
            confirmations: Confirmations::default(),
            account: RwLock::new(None),
            schedule,
            wall,
            stopped: AtomicBool::new(false),
            sent: Mutex::default(),
            started: Instant::now(),
            planned: Mutex::default(),
            looking: Mutex::default(),
            changed: broadcast::channel(64).0,
        })))
    }

    /// Sets or replaces the ways to the vendor, after a token was entered or rotated, and looks at what
    /// waits for a look. Needs a tokio runtime.
    pub fn use_account(&self, account: Option<AccountAccess>) {
        *self.0.account.write().unwrap_or_else(PoisonError::into_inner) = account;
        self.look_at_all();
    }

    /// Tells each change of an operation.
    pub fn changes(&self) -> broadcast::Receiver<OperationId> {
        self.0.changed.subscribe()
    }

    /// Opens a confirmation. `price_ends`: when the price expires, on the steady clock.
    ///
    /// # Errors
    /// [`OperationError::TargetHeld`] while another operation holds the wallet or the customer.
    pub fn offer(&self, intent: impl Into<Intent>, price_ends: Option<Instant>) -> Result<Offer, OperationError> {
        let intent = intent.into();
        let countered = intent.moved().and_then(|moved| moved.counter_of.as_ref());
        if let Some((moved, first)) = intent.moved().zip(countered) {
            let all = self.list()?;
            let first = all.iter().find(|one| one.id == *first).ok_or(OperationError::NotFound)?;
            let back = first.moved.as_ref().is_some_and(|first| moved.takes_back(first));
            if !back || !first.may_take_back {
                return Err(Impossible.into());
            }
        }
        let held = |row: &Row| row.target == intent.target() && row.state.is_open() && Some(&row.id) != countered;
        if self.journal().all()?.iter().any(held) {
            return Err(OperationError::TargetHeld);
        }
        Ok(self.0.confirmations.offer(intent, price_ends, Instant::now()))
    }

    /// What a confirmation would do, without spending it.
    pub fn offered(&self, token: &str) -> Option<Intent> {
        self.0.confirmations.peek(token, Instant::now())
    }

    /// Spends a confirmation: commits the intent, sends it once, commits the class of the answer.
    ///
    /// # Errors
    /// [`OperationError`]; nothing was sent. Whatever happens after the first byte is a state, not an error.
    pub async fn confirm(&self, token: &str) -> Result<OperationView, OperationError> {
        self.ensure_running()?;
        let spent = self.0.confirmations.spend(token, Instant::now())?;
        let baseline = self.baseline(&spent.intent, true).await?;
        let now = self.now();
        let price_ends = spent.price_ends.map(|ends| now + ends.duration_since(Instant::now()).as_millis() as i64);
        let prepared = self.journal().prepare(&spent.nonce, &spent.intent, baseline.as_ref(), price_ends, now)?;
        let row = prepared.ok_or(OperationError::TargetHeld)?;
        self.tell(&row.id);
        self.send_to_the_end(row.id, Event::Send, None).await
    }

    /// Sends the same row again, because a person asked.
    ///
    /// # Errors
    /// [`OperationError`]; nothing was sent.
    pub async fn resend(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        self.ensure_running()?;
        self.keep_apart(id).await;
        let row = self.journal().find(id)?.ok_or(OperationError::NotFound)?;
        // What never left is compared with what is there now; what may have arrived, with what was there then.
        let baseline = if row.state == State::NotSent { self.baseline(&row.intent, false).await? } else { None };
        if baseline.is_none() && row.intent.moved().is_some() {
            // A recharge that may have arrived is looked for first: nobody says how long its id is known.
            match self.look_once(id, true).await? {
                Finding::Nothing => {}
                Finding::Unreadable => return Err(SightError::Restless.into()),
                _ => return self.get(id),
            }
        }
        self.send_to_the_end(id.clone(), Event::RepeatByPerson, baseline).await
    }

    /// Records what a person found in the vendor's console.
    ///
    /// # Errors
    /// [`OperationError`]; nothing changed.
    pub fn judge(&self, id: &OperationId, verdict: Verdict) -> Result<OperationView, OperationError> {
        let row = self.journal().find(id)?.ok_or(OperationError::NotFound)?;
        let decision = decide(row.situation(), Event::Judged(verdict), &self.0.schedule)?;
        let change = Change { cause: "judged", ..Change::default() };
        let committed = self.journal().commit(&row, &decision, &change, self.now())?;
        committed.ok_or(OperationError::Impossible(Impossible))?;
        self.tell(id);
        self.get(id)
    }

    /// Since a row was sent last, or since the start, on the steady clock.
    pub(crate) fn since_send(&self, id: &OperationId) -> Duration {
        let sent = self.0.sent.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied();
        sent.unwrap_or(self.0.started).elapsed()
    }

    /// Whether nothing was planned for it in this run before.
    pub(crate) fn is_first_plan(&self, id: &OperationId) -> bool {
        self.0.planned.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone())
    }

    /// Held while an operation is looked at.
    pub(crate) fn looking(&self, id: &OperationId) -> Arc<tokio::sync::Mutex<()>> {
        let mut all = self.0.looking.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(id.clone()).or_default().clone()
    }

    pub(crate) fn downgrade(&self) -> std::sync::Weak<Inner> {
        Arc::downgrade(&self.0)
    }

    pub(crate) fn schedule(&self) -> &Schedule {
        &self.0.schedule
    }

    pub(crate) fn account(&self) -> Option<AccountAccess> {
        self.0.account.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn journal(&self) -> MutexGuard<'_, Journal> {
        self.0.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn now(&self) -> i64 {
        (self.0.wall)()
    }

    pub(crate) fn tell(&self, id: &OperationId) {
        // Nobody listening is fine: the journal is the truth.
        let _ = self.0.changed.send(id.clone());
    }

    pub(crate) fn ensure_running(&self) -> Result<(), OperationError> {
        if self.0.stopped.load(Ordering::SeqCst) { Err(OperationError::Stopped) } else { Ok(()) }
    }

    async fn keep_apart(&self, id: &OperationId) {
        let last = self.0.sent.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied();
        if let Some(at) = last {
            tokio::time::sleep_until((at + self.0.schedule.apart).into()).await;
        }
    }

    /// In a task of its own: a caller that no longer waits must not leave a row in `sending`.
    async fn send_to_the_end(
        &self,
        id: OperationId,
        event: Event,
        baseline: Option<Sight>,
    ) -> Result<OperationView, OperationError> {
        let own = self.clone();
        let sent = tokio::spawn(async move { own.send(&id, event, baseline.as_ref()).await }).await;
        // It can only have panicked: what is on disk is all that is known.
        sent.unwrap_or(Err(OperationError::Stopped))
    }

    async fn send(
        &self,
        id: &OperationId,
        event: Event,
        baseline: Option<&Sight>,
    ) -> Result<OperationView, OperationError> {
        self.ensure_running()?;
        let sending = {
            let mut journal = self.journal();
            let row = journal.find(id)?.ok_or(OperationError::NotFound)?;
            if baseline.is_some() && row.state != State::NotSent {
                // Another repeat was quicker: what was just read may show its effect already.
                return Err(Impossible.into());
            }
            let decision = decide(row.situation(), event, &self.0.schedule)?;
            let change = Change {
                cause: match event {
                    Event::RepeatBySchedule { .. } => "repeated-by-schedule",
                    Event::RepeatByPerson => "repeated-by-person",
                    _ => "",
                },
                counts_as_repeat: matches!(event, Event::RepeatBySchedule { .. }),
                baseline,
                ..Change::default()
            };
            if event == Event::RepeatByPerson && row.price_is_over(self.now()) {
                return Err(NotConfirmed::PriceExpired.into());
            }
            // Durable before the first byte. A failure here means: do not send.
            journal.commit(&row, &decision, &change, self.now())?.ok_or(OperationError::TargetHeld)?
        };
        self.tell(id);
        if sending.state != State::Sending {
            return self.get(id);
        }
        self.transmit(sending).await
    }

    /// Sends a row that is durable in `sending`.
    pub(crate) async fn transmit(&self, sending: Row) -> Result<OperationView, OperationError> {
        self.0.sent.lock().unwrap_or_else(PoisonError::into_inner).insert(sending.id.clone(), Instant::now());
        let answer = match self.account().filter(|_| self.ensure_running().is_ok()) {
            Some(account) => sending.intent.send(&account.sender, &sending.request).await,
            None => Err(Error::NotSent(client::NotSent::NoCredentials)),
        };
        self.settle(&sending, &answer)
    }

    /// Commits the class of the answer before anything shows it.
    fn settle(&self, sending: &Row, answer: &Result<Yes, Error>) -> Result<OperationView, OperationError> {
        let outcome = sending.intent.outcome(answer);
        let decision = decide(sending.situation(), Event::Answered(outcome), &self.0.schedule)?;
        let refusal = answer.as_ref().err().map(StoredRefusal::of);
        let placed = match answer {
            Ok(Yes::Order(placed)) => Some(placed),
            _ => None,
        };
        let change = Change {
            cause: &refusal.as_ref().map_or_else(String::new, |no| no.evidence()),
            answer: placed,
            refusal: refusal.as_ref(),
            answered: true,
            said: outcome.said(),
            ..Change::default()
        };
        let committed = self.journal().commit(sending, &decision, &change, self.now());
        let Ok(Some(committed)) = committed else {
            // The row on disk says `sending` and becomes `unknown` at the next start.
            self.0.stopped.store(true, Ordering::SeqCst);
            tracing::error!("the journal failed after an answer; nothing more is sent");
            return Err(OperationError::Stopped);
        };
        self.tell(&sending.id);
        match decision.next {
            Next::RepeatAfter(wait) => self.repeat_later(committed, wait),
            Next::LookAfter(wait) => self.look_later(committed, wait),
            Next::Rest | Next::Send | Next::AsPlanned => {}
        }
        self.get(&sending.id)
    }

    fn repeat_later(&self, planned: Row, wait: Duration) {
        let inner = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            let Some(operations) = inner.upgrade().map(Operations) else { return };
            // A person may have settled or repeated it meanwhile: then this plan is void.
            let current = operations.get(&planned.id);
            let waiting = current.is_ok_and(|now| now.state == State::Unknown && now.next_at == planned.next_at);
            let age = Duration::from_millis(operations.now().saturating_sub(planned.created).unsigned_abs());
            let repeat = Event::RepeatBySchedule { age };
            if waiting && let Err(error) = Box::pin(operations.send(&planned.id, repeat, None)).await {
                tracing::warn!(%error, "not repeated");
            }
        });
    }
}
