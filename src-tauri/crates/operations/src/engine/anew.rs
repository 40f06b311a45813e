//! Resets practice: its journal is put aside, and an empty one takes its place.

use std::path::{Path, PathBuf};

use wire::Day;

use crate::engine::Operations;
use crate::journal::{Journal, JournalError, recovery};
use crate::words::fingerprint::Fingerprints;
use crate::words::state::State;

/// Why practice was not reset. The journal is as it was; if it cannot be opened again, nothing more is sent.
#[derive(Debug, thiserror::Error)]
pub enum NotAnew {
    /// Only practice can: what was sent to a vendor is never put aside.
    #[error("not the journal of practice")]
    NotPractice,
    /// Something is being sent.
    #[error("something is being sent")]
    Busy,
    /// The journal cannot be put aside.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Operations {
    /// Puts the journal of practice and its backups aside, and goes on with an empty one. Deletes nothing. `file` is the
    /// journal's. Returns the folder where the old one is.
    ///
    /// # Errors
    /// [`NotAnew`] on a connection to a vendor, while anything is being sent, or when a file cannot be moved.
    pub fn begin_anew(&self, file: &Path) -> Result<PathBuf, NotAnew> {
        if self.access().get().is_none_or(|account| account.whose != Fingerprints::of_practice()) {
            return Err(NotAnew::NotPractice);
        }
        // Held until the end, so that no bulk begins.
        let running = self.runs().running();
        let mut journal = self.journal();
        let is_sent = |state: State| matches!(state, State::Prepared | State::Sending);
        if !running.is_empty() || journal.operations().under_way()?.iter().any(|row| is_sent(row.state)) {
            return Err(NotAnew::Busy);
        }
        let now = self.times().now();
        let aside = recovery::before_reset(file, &format!("{}-{now}", Day::of(now, 0)));
        // No system moves a file that is open everywhere.
        drop(std::mem::replace(&mut *journal, Journal::in_memory()?));
        let begun = recovery::move_aside(file, &aside).map_err(JournalError::from);
        match begun.and_then(|()| recovery::open(file, now)) {
            Ok(empty) => *journal = empty,
            Err(error) => {
                match recovery::move_back(file, &aside)
                    .map_err(JournalError::from)
                    .and_then(|()| recovery::open(file, now))
                {
                    Ok(old) => *journal = old,
                    // Without its journal the engine must not send.
                    Err(_) => self.guards().stop(),
                }
                return Err(error.into());
            }
        }
        // What was planned, asked and checked belongs to the old journal.
        self.confirmations().forget();
        self.due().forget_all();
        self.checking().clear();
        Ok(aside)
    }
}
