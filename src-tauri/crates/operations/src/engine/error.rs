//! Why nothing began, or nothing changed.

use std::time::Duration;

use vault::KeychainState;

use crate::decide::Impossible;
use crate::evidence::reader::SnapshotError;
use crate::journal::JournalError;

/// Why a confirmation is not accepted. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotConfirmed {
    /// Unknown, already spent or too old.
    #[error("the confirmation is spent or too old")]
    Stale,
    /// The price has expired or is about to.
    #[error("the price has expired")]
    PriceExpired,
    /// The customer's figures are no longer those that the dialog showed, or a write was sent or refused meanwhile.
    #[error("the customer's figures have changed")]
    Changed,
    /// The meaning of 0 and 1 was swapped since.
    #[error("the meaning of the status numbers was swapped")]
    Turned,
    /// The current account is not the one that it was prepared for.
    #[error("it was prepared for another account")]
    OtherAccount,
}

/// Why an operation could not begin or change. Nothing was sent, except as
/// [`confirm`](crate::Operations::confirm) says.
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
    /// The same move was refused and was carried out after all: a check since then, or the snapshot before this send,
    /// shows it.
    #[error("what was refused was carried out after all")]
    DoneAfterAll,
    /// Nothing but its key protects it, and the vendor may have forgotten the key: sent again, it may be paid twice.
    #[error("too late to send it again")]
    TooLate,
    /// No such operation.
    #[error("no such operation")]
    NotFound,
    /// Its state does not allow this.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// The vendor's figures cannot be read, or there is no account to read them with.
    #[error(transparent)]
    NotRead(#[from] SnapshotError),
    /// Nothing is sent until the next start: the journal failed after an answer or a reset, a send could not be
    /// recorded, or a task that sends panicked.
    #[error("the journal stopped; nothing more is sent")]
    Stopped,
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}
