//! The classes of failure. Callers act on the class; the page has a sentence for each.

use wire::envelope::{ReadError, Refusal};

/// Why a request has no typed answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The request certainly never left this computer.
    #[error("not sent: {0}")]
    NotSent(NotSent),
    /// The request may have arrived; this side cannot tell.
    #[error("no usable answer: {0}")]
    OutcomeUnknown(Lost),
    /// Credentials are missing, wrong, disabled or rotated.
    #[error("not authenticated (code {})", .0.code)]
    NotAuthenticated(Refusal),
    /// The vendor refused, with a code.
    #[error("refused (code {})", .0.code)]
    Refused(Refusal),
    /// The answer does not come from the vendor's interface.
    #[error("not this service (HTTP {status})")]
    NotThisService {
        /// HTTP status.
        status: u16,
    },
    /// The vendor reported success, but the data cannot be read.
    #[error("cannot be read at {path}: {reason}")]
    Unreadable {
        /// HTTP status.
        status: u16,
        /// JSON path of the value, from the root.
        path: String,
        /// The expected type.
        reason: String,
        /// The vendor's trace identifier.
        trace_id: Option<String>,
    },
    /// The pages of a list never fitted together. A part is never taken for the whole.
    #[error("the list changes while it is read")]
    Restless,
}

/// Reasons that prove nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    /// This connection has no credentials for the area.
    #[error("no credentials for this area")]
    NoCredentials,
    /// The secret that the request needs is not available.
    #[error("the secret of this request is not available")]
    NoSecret,
    /// A token contains characters that a header cannot carry.
    #[error("the token holds characters that cannot be sent")]
    BadCredentials,
    /// The request was prepared for a different account from the one that would send it.
    #[error("prepared for another account")]
    OtherAccount,
    /// This computer has no certificates to verify a server with.
    #[error("this computer trusts no certificate authority")]
    NoCertificates,
    /// No connection could be made.
    #[error("no connection")]
    NoConnection,
}

/// The ways to lose an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// The connection ended before the answer or within it.
    #[error("the connection ended")]
    Cut,
    /// The time limit passed.
    #[error("no answer in time")]
    TimedOut,
    /// The answer was larger than the request allows.
    #[error("the answer was too large")]
    TooLarge,
    /// A redirect, which is never followed.
    #[error("the service redirects elsewhere")]
    Redirected,
}

impl Error {
    /// Whether this is "too many requests", from the service or from something in front of it.
    pub fn asks_to_wait(&self) -> bool {
        match self {
            Self::Refused(refusal) => refusal.status == 429 || refusal.code == "429",
            Self::NotThisService { status } | Self::Unreadable { status, .. } => *status == 429,
            _ => false,
        }
    }

    /// Whether the service has no such endpoint.
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
