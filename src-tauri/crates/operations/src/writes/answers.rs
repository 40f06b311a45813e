//! Answers that say no, for the tests of every write.

use client::Error;
use wire::envelope::Refusal;

fn refusal(status: u16, code: &str) -> Refusal {
    Refusal { status, code: code.into(), message: String::new(), trace_id: None, timestamp: None }
}

/// The vendor refuses with a code.
pub(super) fn refused(status: u16, code: &str) -> Error {
    Error::Refused(refusal(status, code))
}

/// The vendor turns the token away.
pub(super) fn turned_away(status: u16) -> Error {
    Error::NotAuthenticated(refusal(status, "401"))
}
