//! The operations of a connection: the send protocol around the pure decisions.
//!
//! The order never changes: commit `prepared`, commit `sending`, send, commit the class of the answer, and only then
//! show it. A row of a bulk is committed as `sending` at once. Nothing uses the network inside a database transaction.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};
use std::time::Instant;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::broadcast;
use tokio::task::AbortHandle;

use crate::decide::{Event, Impossible, decide};
use crate::engine::OperationError;
use crate::engine::access::{Access, AccountAccess};
use crate::engine::bulk::runs::Runs;
use crate::engine::confirmations::Confirmations;
use crate::engine::due::Due;
use crate::engine::start;
use crate::engine::times::{SteadyClock, Times, WallClock};
use crate::evidence::reader::Reader;
use crate::journal::operation::commit::Change;
use crate::journal::{Journal, JournalError, recovery};
use crate::views::operation::OperationView;
use crate::words::cause::Cause;
use crate::words::schedule::Schedule;
use crate::words::state::{OperationId, Verdict};

pub(super) type Checking = HashMap<OperationId, Arc<tokio::sync::Mutex<()>>>;

/// The operations of one connection.
#[derive(Clone)]
pub struct Operations(pub(super) Arc<Inner>);

pub(super) struct Inner {
    journal: Mutex<Journal>,
    access: Access,
    confirmations: Confirmations,
    times: Times,
    due: Due,
    schedule: Schedule,
    stopped: AtomicBool,
    checking: Mutex<Checking>,
    changed: broadcast::Sender<OperationId>,
    runs: Runs,
    anchoring: Mutex<Option<AbortHandle>>,
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
        journal.bulks().pause_all()?;
        start::settle(&mut journal, &schedule, wall())?;
        Ok(Self(Arc::new(Inner {
            journal: Mutex::new(journal),
            access: Access::default(),
            confirmations: Confirmations::default(),
            times: Times::new(wall, steady),
            due: Due::default(),
            schedule,
            stopped: AtomicBool::new(false),
            checking: Mutex::default(),
            changed: broadcast::channel(64).0,
            runs: Runs::default(),
            anchoring: Mutex::default(),
        })))
    }

    /// Sets or replaces the access to the vendor, after a token was entered or rotated, and checks whatever waits for a
    /// check. Needs a tokio runtime.
    pub fn use_account(&self, account: Option<AccountAccess>) {
        let is_open = account.is_some();
        self.access().replace(account);
        if is_open && let Err(error) = self.journal().lessons().begin_creators() {
            // Then no move teaches an operator.
            tracing::warn!(%error, "it cannot be stored that the token is in use");
        }
        self.checks().plan_all();
    }

    /// Reports each operation that changed; an empty id means that a bulk stopped sending.
    pub fn changes(&self) -> broadcast::Receiver<OperationId> {
        self.0.changed.subscribe()
    }

    /// Records what a person found in the vendor's console.
    ///
    /// # Errors
    /// [`OperationError`] when its state does not allow this or the journal fails; nothing changed.
    pub fn judge(&self, id: &OperationId, verdict: Verdict) -> Result<OperationView, OperationError> {
        let row = self.journal().operations().find(id)?.ok_or(OperationError::NotFound)?;
        let decision = decide(row.situation(), Event::Judged(verdict), &self.0.schedule)?;
        let change = Change { cause: Some(Cause::Judged), ..Change::default() };
        let committed = self.journal().commit(&row, &decision, &change, self.times().now())?;
        committed.ok_or(OperationError::Impossible(Impossible))?;
        self.tell(id);
        self.get(id)
    }

    /// The reader of the vendor's ledger; `None` without an account.
    pub fn reader(&self) -> Option<Reader> {
        self.access().reader().ok()
    }

    pub(crate) fn access(&self) -> &Access {
        &self.0.access
    }

    pub(super) fn confirmations(&self) -> &Confirmations {
        &self.0.confirmations
    }

    pub(crate) fn times(&self) -> &Times {
        &self.0.times
    }

    pub(super) fn due(&self) -> &Due {
        &self.0.due
    }

    /// The running bulks.
    pub(super) fn runs(&self) -> &Runs {
        &self.0.runs
    }

    /// Set once all sends are stopped until the next start.
    pub(super) fn stopped(&self) -> &AtomicBool {
        &self.0.stopped
    }

    /// Locks that allow one check at a time for each operation.
    pub(super) fn checking(&self) -> MutexGuard<'_, Checking> {
        self.0.checking.lock()
    }

    /// The task that stores the newest send in the keychain.
    pub(super) fn anchoring(&self) -> MutexGuard<'_, Option<AbortHandle>> {
        self.0.anchoring.lock()
    }

    pub(super) fn downgrade(&self) -> Weak<Inner> {
        Arc::downgrade(&self.0)
    }

    pub(crate) fn schedule(&self) -> &Schedule {
        &self.0.schedule
    }

    pub(crate) fn journal(&self) -> MutexGuard<'_, Journal> {
        self.0.journal.lock()
    }

    pub(crate) fn tell(&self, id: &OperationId) {
        // It is fine if nothing listens: the journal is the truth.
        let _ = self.0.changed.send(id.clone());
    }
}
