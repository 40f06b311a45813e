//! The engine: the send protocol around the pure decisions. The only user of the money sender.
//!
//! The order never changes: commit `prepared`, commit `sending`, send, commit the class of the answer,
//! and only then show it. No network inside a database transaction.

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
use crate::engine::together::Together;
use crate::evidence::compare::Finding;
use crate::evidence::snapshot::{Reader, SnapshotError};
use crate::journal::operation::Change;
use crate::journal::row::Row;
use crate::journal::{Journal, JournalError, recovery};
use crate::kill_points::{Point, reached};
use crate::views::operation::OperationView;
use crate::words::fingerprint::Fingerprints;
use crate::words::price::{Now, PriceEnds};
use crate::words::schedule::Schedule;
use crate::words::state::{Family, OperationId, State, Verdict};
use crate::writes::intent::Intent;

/// Why an operation could not begin or change. Nothing was sent.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// The confirmation is spent, too old, or its price is over.
    #[error(transparent)]
    NotConfirmed(#[from] NotConfirmed),
    /// The name is that of a customer already.
    #[error("there is such a customer")]
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
    /// The new password cannot be saved, so it is not sent.
    #[error("a secret cannot be saved: {0}")]
    NotSaved(KeychainState),
    /// Another operation holds the target.
    #[error("another operation is still open")]
    TargetHeld,
    /// The vendor refused the same before, and may still carry it out: a person has to know that.
    #[error("the same was refused and may still be carried out")]
    StillWatched,
    /// No such operation.
    #[error("no such operation")]
    NotFound,
    /// Its state does not allow that.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// What has to be read before a move of traffic cannot be read.
    #[error(transparent)]
    NotRead(#[from] SnapshotError),
    /// The journal failed after an answer: nothing is sent until the program starts again.
    #[error("the journal stopped; nothing more is sent")]
    Stopped,
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Milliseconds since 1970 on this computer's wall clock.
pub type WallClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// The clock that nobody sets.
pub type SteadyClock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// The two ways to the vendor: one sends, one looks.
#[derive(Clone)]
pub struct AccountAccess {
    /// Sends what was confirmed.
    pub sender: MoneySender,
    /// Looks whether it was carried out.
    pub reader: Reader,
    /// Keeps what customers keep secret.
    pub secrets: Secrets,
    /// What `customerState` this vendor calls active and disabled now.
    pub states: [u8; 2],
    /// Where both lead and as whom.
    pub whose: Fingerprints,
}

impl AccountAccess {
    /// Whether it is the account that a row was prepared for.
    pub(crate) fn is_for(&self, row: &Row) -> bool {
        self.whose.fit(row.fingerprint.as_ref(), row.intent.area())
    }
}

/// The operations of one connection.
#[derive(Clone)]
pub struct Operations(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    journal: Mutex<Journal>,
    pub(crate) together: Together,
    pub(crate) confirmations: Confirmations,
    account: RwLock<Option<AccountAccess>>,
    schedule: Schedule,
    wall: WallClock,
    steady: SteadyClock,
    pub(crate) stopped: AtomicBool,
    /// When each row was sent last, on the steady clock.
    pub(crate) sent: Mutex<HashMap<OperationId, Instant>>,
    /// When the price of each order of this run expires, on the steady clock.
    pub(crate) priced: Mutex<HashMap<OperationId, Instant>>,
    /// When this run began: what an earlier one sent counts from here.
    started: Instant,
    /// Operations that have a plan in this run.
    planned: Mutex<HashSet<OperationId>>,
    /// One look at a time for each operation.
    looking: Mutex<HashMap<OperationId, Arc<tokio::sync::Mutex<()>>>>,
    changed: broadcast::Sender<OperationId>,
    /// What runs of bulks.
    pub(crate) runs: Runs,
    /// What keeps the newest send in the keychain.
    pub(crate) anchoring: Mutex<Option<tokio::task::AbortHandle>>,
}

impl Operations {
    /// Opens the journal and settles what the last run left open: nothing stays in `sending`.
    ///
    /// # Errors
    /// [`JournalError`]: nothing may be sent then.
    pub fn open(file: &Path, schedule: Schedule, wall: WallClock) -> Result<Self, JournalError> {
        Self::open_by(file, schedule, wall, Arc::new(Instant::now))
    }

    /// The same, by another steady clock.
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
            together: Together::default(),
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
            looking: Mutex::default(),
            changed: broadcast::channel(64).0,
            runs: Runs::default(),
            anchoring: Mutex::default(),
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

    /// What a confirmation would do, without spending it.
    pub fn offered(&self, token: &str) -> Option<Intent> {
        self.0.confirmations.peek(token, self.steady())
    }

    /// Spends a confirmation: commits the intent, sends it once, commits the class of the answer.
    ///
    /// # Errors
    /// [`OperationError`]; nothing was sent. Whatever happens after the first byte is a state, not an error.
    pub async fn confirm(&self, token: &str) -> Result<OperationView, OperationError> {
        self.confirm_knowing(token, false).await
    }

    /// The same, by somebody who knows that the vendor may still carry out what it refused before.
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
        // What was read belongs to whoever was there then.
        self.ensure_same_account(spent.fingerprint.as_ref(), &spent.intent)?;
        let fingerprint = spent.fingerprint.or_else(|| self.fingerprint(&spent.intent));
        let now = self.now();
        // Left of the price by the steady clock, told by the other: a start knows only that one.
        let steady = spent.price_ends.and_then(|ends| ends.steady);
        let by_steady = steady.map_or(i64::MAX, |ends| PriceEnds::at(ends, self.both_clocks()).wall);
        let price_ends = spent.price_ends.map(|ends| ends.wall.min(by_steady));
        let (baseline, fingerprint) = (baseline.as_ref(), fingerprint.as_ref());
        let prepared = {
            let mut journal = self.journal();
            // What another window sent meanwhile is not in what was just read, and may have been refused since; what was
            // under way before may have been refused meanwhile.
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
    /// [`OperationError`]; nothing was sent.
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
        // What never left is compared with what is there now, as at first: its figures are those that were shown, or
        // somebody did it meanwhile. What may have arrived, with what was there then.
        let baseline = if row.state == State::NotSent { self.baseline(&row.intent).await? } else { None };
        if baseline.is_none() && row.kind.family().is_looked_up() {
            // What may have arrived is looked for first: nobody says how long an order id is known.
            match self.look_once(id, None).await? {
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
        self.steady().saturating_duration_since(sent.unwrap_or(self.0.started))
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

    /// Since it was confirmed, by the wall clock; one that was set counts as long ago.
    pub(crate) fn age(&self, row: &Row) -> Duration {
        Duration::from_millis(self.now().saturating_sub(row.created).unsigned_abs())
    }

    /// Its first byte is about to leave.
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
        self.0.looking.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.0.sent.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    pub(crate) fn tell(&self, id: &OperationId) {
        // Nobody listening is fine: the journal is the truth.
        let _ = self.0.changed.send(id.clone());
    }
}
