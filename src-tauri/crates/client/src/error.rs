//! The classes of failure. A caller acts on the class; a person reads the sentence that belongs to it.

use wire::envelope::{ReadError, Refusal};

/// Why a request has no typed answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It certainly never left this computer.
    #[error("not sent: {0}")]
    NotSent(NotSent),
    /// It may have arrived; nobody can tell from here.
    #[error("no usable answer: {0}")]
    OutcomeUnknown(Lost),
    /// Credentials missing, wrong, disabled or rotated.
    #[error("not authenticated (code {})", .0.code)]
    NotAuthenticated(Refusal),
    /// The vendor said no, with a code.
    #[error("refused (code {})", .0.code)]
    Refused(Refusal),
    /// Something answered that is not the vendor's interface.
    #[error("not this service (HTTP {status})")]
    NotThisService {
        /// HTTP status.
        status: u16,
    },
    /// The vendor said yes, but the data cannot be read.
    #[error("cannot be read at {path}: {reason}")]
    Unreadable {
        /// HTTP status.
        status: u16,
        /// JSON path of the value, from the root.
        path: String,
        /// What was expected there.
        reason: String,
        /// The vendor's trace identifier.
        trace_id: Option<String>,
    },
    /// A list whose pages never fit together: no part of it is taken for the whole.
    #[error("the list changes while it is read")]
    Restless,
}

/// The proofs that nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    /// This connection has no credentials for the area.
    #[error("no credentials for this area")]
    NoCredentials,
    /// The secret that belongs into the request is not at hand.
    #[error("the secret of this request is gone")]
    NoSecret,
    /// A token holds characters that no header can carry.
    #[error("the token holds characters that cannot be sent")]
    BadCredentials,
    /// It was prepared for another account than the one that would carry it out.
    #[error("prepared for another account")]
    OtherAccount,
    /// This computer has no certificates to know a server by.
    #[error("this computer trusts no certificate authority")]
    NoCertificates,
    /// No connection could be made.
    #[error("no connection")]
    NoConnection,
}

/// The ways to lose an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// The connection ended before or within the answer.
    #[error("the connection ended")]
    Cut,
    /// The time was up.
    #[error("no answer in time")]
    TimedOut,
    /// The answer was larger than any that belongs here.
    #[error("the answer was too large")]
    TooLarge,
    /// A redirect, which is never followed.
    #[error("the service points elsewhere")]
    Redirected,
}

impl Error {
    /// "Too many requests", from the service or from something before it.
    pub fn asks_to_wait(&self) -> bool {
        match self {
            Self::Refused(refusal) => refusal.status == 429 || refusal.code == "429",
            Self::NotThisService { status } | Self::Unreadable { status, .. } => *status == 429,
            _ => false,
        }
    }

    /// The service has no such endpoint.
    pub fn is_absent(&self) -> bool {
        match self {
            Self::Refused(refusal) => refusal.status == 404,
            Self::NotThisService { status } => *status == 404,
            _ => false,
        }
    }
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::NotAuthenticated(refusal) => Self::NotAuthenticated(refusal),
            ReadError::Refused(refusal) => Self::Refused(refusal),
            ReadError::NotThisService { status } => Self::NotThisService { status },
            ReadError::Unreadable { status, path, reason, trace_id } => {
                Self::Unreadable { status, path, reason, trace_id }
            }
        }
    }
}
