//! The operations of a connection: the send protocol around the pure decisions.
//!
//! The order never changes: commit `prepared`, commit `sending`, send, commit the class of the answer, and only then
//! show it. A row of a bulk is committed as `sending` at once. Nothing uses the network inside a database transaction.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use client::money::MoneySender;
use tokio::sync::broadcast;
use vault::KeychainState;

use crate::decide::{Event, Impossible, decide};
use crate::engine::bulk::Runs;
use crate::engine::confirm::{Confirmations, NotConfirmed, Offer};
use crate::engine::secrets::Secrets;
use crate::engine::start;
use crate::evidence::reader::{Reader, SnapshotError};
use crate::journal::operation::Change;
use crate::journal::row::Row;
use crate::journal::{Journal, JournalError, recovery};
use crate::kill_points::{Point, reached};
use crate::views::operation::OperationView;
use crate::words::finding::Finding;
use crate::words::fingerprint::Fingerprints;
use crate::words::price::{Now, PriceEnds};
use crate::words::schedule::Schedule;
use crate::words::state::{Family, OperationId, State, Verdict};
use crate::writes::intent::Intent;

/// Why an operation could not begin or change. Nothing was sent, except as [`Operations::confirm`] says.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// The confirmation is not accepted.
    #[error(transparent)]
    NotConfirmed(#[from] NotConfirmed),
    /// A customer already has this name.
    #[error("a customer already has this name")]
    NameTaken,
    /// Another value was sent to this customer a moment ago: "65 s between different values".
    #[error("another value was sent to this customer a moment ago")]
    TooSoon {
        /// How long to wait.
        wait: Duration,
    },
    /// This computer gives no random numbers.
    #[error("no random numbers")]
    NoRandomness,
    /// A secret cannot be saved. A new password is then not sent.
    #[error("a secret cannot be saved: {0}")]
    NotSaved(KeychainState),
    /// Another operation holds the target.
    #[error("another operation is still open")]
    TargetHeld,
    /// The vendor refused the same write before and may still carry it out: a person has to know that.
    #[error("the same write was refused and may still be carried out")]
    StillWatched,
    /// No such operation.
    #[error("no such operation")]
    NotFound,
    /// Its state does not allow this.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// The vendor's figures cannot be read, or there is no account to read them with.
    #[error(transparent)]
    NotRead(#[from] SnapshotError),
    /// The journal failed after an answer, or a send could not be recorded: nothing is sent until the next start.
    #[error("the journal stopped; nothing more is sent")]
    Stopped,
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Milliseconds since 1970 on this computer's wall clock.
pub type WallClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// The clock that cannot be set.
pub type SteadyClock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// The access to the vendor: one part sends, another reads.
#[derive(Clone)]
pub struct AccountAccess {
    /// Sends confirmed intents.
    pub sender: MoneySender,
    /// Reads whether they were carried out.
    pub reader: Reader,
    /// Stores the customers' secrets.
    pub secrets: Secrets,
    /// The values of `customerState` that currently mean active and disabled, in this order.
    pub states: [u8; 2],
    /// The accounts that they belong to, one for each area.
    pub whose: Fingerprints,
}

impl AccountAccess {
    /// Whether this is the account that a row was prepared for.
    pub(crate) fn is_for(&self, row: &Row) -> bool {
        self.whose.fit(row.fingerprint.as_ref(), row.intent.area())
    }
}

/// The operations of one connection.
#[derive(Clone)]
pub struct Operations(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    journal: Mutex<Journal>,
    pub(crate) confirmations: Confirmations,
    account: RwLock<Option<AccountAccess>>,
    schedule: Schedule,
    wall: WallClock,
    steady: SteadyClock,
    pub(crate) stopped: AtomicBool,
    /// When each row was last sent in this run, on the steady clock.
    pub(crate) sent: Mutex<HashMap<OperationId, Instant>>,
    /// When the price of each order of this run expires, on the steady clock.
    pub(crate) priced: Mutex<HashMap<OperationId, Instant>>,
    /// When this run began, on the steady clock. The time since a send of an earlier run counts from here.
    started: Instant,
    /// Operations that have a plan in this run.
    planned: Mutex<HashSet<OperationId>>,
    /// Locks that allow one check at a time for each operation.
    checking: Mutex<HashMap<OperationId, Arc<tokio::sync::Mutex<()>>>>,
    changed: broadcast::Sender<OperationId>,
    /// The previews and runs of bulks.
    pub(crate) runs: Runs,
    /// The task that stores the newest send in the keychain.
    pub(crate) anchoring: Mutex<Option<tokio::task::AbortHandle>>,
}

impl Operations {
    /// Opens the journal, pauses all bulks and decides about whatever the last run left open: nothing stays in
    /// `sending`.
    ///
    /// # Errors
    /// [`JournalError`] when the journal can neither be used nor restored; then nothing may be sent.
    pub fn open(file: &Path, schedule: Schedule, wall: WallClock) -> Result<Self, JournalError> {
        Self::open_by(file, schedule, wall, Arc::new(Instant::now))
    }

    /// Opens it with another steady clock.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_by(
        file: &Path,
        schedule: Schedule,
        wall: WallClock,
        steady: SteadyClock,
    ) -> Result<Self, JournalError> {
        let mut journal = recovery::open(file, wall())?;
        journal.pause_bulks()?;
        start::settle(&mut journal, &schedule, wall())?;
        Ok(Self(Arc::new(Inner {
            journal: Mutex::new(journal),
            confirmations: Confirmations::default(),
            account: RwLock::new(None),
            schedule,
            wall,
            stopped: AtomicBool::new(false),
            sent: Mutex::default(),
            priced: Mutex::default(),
            started: steady(),
            steady,
            planned: Mutex::default(),
            checking: Mutex::default(),
            changed: broadcast::channel(64).0,
            runs: Runs::default(),
            anchoring: Mutex::default(),
        })))
    }

    /// Sets or replaces the access to the vendor, after a token was entered or rotated, and checks whatever waits for a
    /// check. Needs a tokio runtime.
    pub fn use_account(&self, account: Option<AccountAccess>) {
        *self.0.account.write().unwrap_or_else(PoisonError::into_inner) = account;
        self.check_all();
    }

    /// Reports each operation that changed; an empty id means that a bulk stopped sending.
    pub fn changes(&self) -> broadcast::Receiver<OperationId> {
        self.0.changed.subscribe()
    }

    /// Opens a confirmation. `price_ends` is when the price expires, on the steady clock; `None` without a price.
    ///
    /// # Errors
    /// [`OperationError::TargetHeld`] while another operation holds the wallet or the customer,
    /// [`OperationError::TooSoon`] while another value may still be under way, [`OperationError::Impossible`] when a
    /// move cannot be taken back.
    pub fn offer(&self, intent: impl Into<Intent>, price_ends: Option<Instant>) -> Result<Offer, OperationError> {
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
        self.ensure_settled(&intent)?;
        let fingerprint = self.fingerprint(&intent);
        Ok(self.0.confirmations.offer(intent, price_ends, fingerprint, self.both_clocks()))
    }

    /// The intent of a confirmation, without spending it; `None` if it is spent or too old.
    pub fn offered(&self, token: &str) -> Option<Intent> {
        self.0.confirmations.peek(token, self.steady())
    }

    /// Spends a confirmation: commits the intent, sends it once, commits the class of the answer.
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
            self.ensure_not_watched(&intent)?;
        }
        self.ensure_running()?;
        let spent = self.0.confirmations.spend(token, self.both_clocks())?;
        reached(Point::Confirmed);
        self.ensure_as_meant(&spent.intent)?;
        self.ensure_settled(&spent.intent)?;
        self.ensure_same_account(spent.fingerprint.as_ref(), &spent.intent)?;
        self.save_password(&spent.intent).await?;
        let event = self.journal().last_event()?;
        let baseline = self.baseline(&spent.intent).await?;
        self.ensure_settled(&spent.intent)?;
        // The account may have changed while the snapshot was read.
        self.ensure_same_account(spent.fingerprint.as_ref(), &spent.intent)?;
        let fingerprint = spent.fingerprint.or_else(|| self.fingerprint(&spent.intent));
        let now = self.now();
        // Converts the end by the steady clock to the wall clock, the only one that a later start knows.
        let steady = spent.price_ends.and_then(|ends| ends.steady);
        let by_steady = steady.map_or(i64::MAX, |ends| PriceEnds::at(ends, self.both_clocks()).wall);
        let price_ends = spent.price_ends.map(|ends| ends.wall.min(by_steady));
        let (baseline, fingerprint) = (baseline.as_ref(), fingerprint.as_ref());
        let prepared = {
            let mut journal = self.journal();
            // A write that was sent meanwhile is missing in the snapshot. And any write may have been refused
            // meanwhile, whether it was sent just now or before.
            if (baseline.is_some() && journal.was_sent_since(&spent.intent.target(), event)?)
                || (!anyway && self.is_watched(&journal, &spent.intent)?)
            {
                return Err(NotConfirmed::Changed.into());
            }
            journal.prepare(&spent.nonce, &spent.intent, baseline, price_ends, fingerprint, now)?
        };
        let Some(row) = prepared else {
            if let Some(reference) = spent.intent.account().and_then(|change| change.reference()) {
                self.secrets()?.forget(reference).await;
            }
            return Err(OperationError::TargetHeld);
        };
        reached(Point::Prepared);
        if let Some(ends) = steady {
            self.0.priced.lock().unwrap_or_else(PoisonError::into_inner).insert(row.id.clone(), ends);
        }
        self.tell(&row.id);
        self.send_to_the_end(row.id, Event::Send, None).await
    }

    /// Sends the same row again, because a person asked.
    ///
    /// # Errors
    /// As [`Self::confirm`].
    pub async fn resend(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        self.ensure_running()?;
        self.keep_apart(id).await;
        let row = self.journal().find(id)?.ok_or(OperationError::NotFound)?;
        if row.state == State::NotSent {
            self.ensure_not_watched(&row.intent)?;
        }
        self.ensure_as_meant(&row.intent)?;
        self.ensure_same_account(row.fingerprint.as_ref(), &row.intent)?;
        if row.kind.family() == Family::Setting {
            let last = self.journal().last_sent(row.kind, &row.target)?;
            if last.is_some_and(|last| last.id != row.id && last.created > row.created) {
                // A newer value was set since: the old one would come back.
                return Err(Impossible.into());
            }
        }
        // An operation that never left gets a new snapshot, as at first: if the figures are no longer those that were
        // shown, someone else may have done it. One that may have arrived is compared with its old snapshot.
        let baseline = if row.state == State::NotSent { self.baseline(&row.intent).await? } else { None };
        if baseline.is_none() && row.kind.family().is_checked() {
            // It may have arrived, so it is checked first: the vendor does not say how long it knows an order id.
            match self.check_once(id, None).await? {
                Finding::Nothing => {}
                Finding::Unreadable => return Err(SnapshotError::Restless.into()),
                _ => return self.get(id),
            }
        }
        self.send_to_the_end(id.clone(), Event::RepeatByPerson, baseline).await
    }

    /// Records what a person found in the vendor's console.
    ///
    /// # Errors
    /// [`OperationError`] when its state does not allow this or the journal fails; nothing changed.
    pub fn judge(&self, id: &OperationId, verdict: Verdict) -> Result<OperationView, OperationError> {
        let row = self.journal().find(id)?.ok_or(OperationError::NotFound)?;
        let decision = decide(row.situation(), Event::Judged(verdict), &self.0.schedule)?;
        let change = Change { cause: "judged", ..Change::default() };
        let committed = self.journal().commit(&row, &decision, &change, self.now())?;
        committed.ok_or(OperationError::Impossible(Impossible))?;
        self.tell(id);
        self.get(id)
    }

    /// Time since a row was last sent, or since the start, on the steady clock.
    pub(crate) fn since_send(&self, id: &OperationId) -> Duration {
        let sent = self.0.sent.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied();
        self.steady().saturating_duration_since(sent.unwrap_or(self.0.started))
    }

    /// Notes that something is planned for it. Returns whether nothing was planned before in this run.
    pub(crate) fn is_first_plan(&self, id: &OperationId) -> bool {
        self.0.planned.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone())
    }

    /// The lock to hold while an operation is checked.
    pub(crate) fn checking(&self, id: &OperationId) -> Arc<tokio::sync::Mutex<()>> {
        let mut all = self.0.checking.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Time since it was confirmed, by the wall clock. If the clock was set back before that, the difference counts.
    pub(crate) fn age(&self, row: &Row) -> Duration {
        Duration::from_millis(self.now().saturating_sub(row.created).unsigned_abs())
    }

    /// Notes that its first byte is about to leave.
    pub(crate) fn note_send(&self, id: &OperationId) {
        self.0.sent.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), self.steady());
    }

    pub(crate) fn both_clocks(&self) -> Now {
        Now { steady: self.steady(), wall: self.now() }
    }

    pub(crate) fn steady(&self) -> Instant {
        (self.0.steady)()
    }

    pub(crate) fn forget_plan(&self, id: &OperationId) {
        self.0.planned.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.0.checking.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.0.sent.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    pub(crate) fn tell(&self, id: &OperationId) {
        // It is fine if nothing listens: the journal is the truth.
        let _ = self.0.changed.send(id.clone());
    }
}
