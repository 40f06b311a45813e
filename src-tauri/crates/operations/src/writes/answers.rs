//! What the answers to all writes under `/api/agent/` have in common.

use wire::envelope::Refusal;

/// Whether the token was refused for certain. "Authentication of the /api/agent/ paths: not shown": there, code 200 with
/// `data: null` may be a yes that has nothing else to say.
pub(super) fn is_turned_away(refusal: &Refusal) -> bool {
    refusal.status < 500 && refusal.code != "200"
}

#[cfg(test)]
pub(super) mod tests {
    use client::Error;

    use super::*;

    fn refusal(status: u16, code: &str) -> Refusal {
        Refusal { status, code: code.into(), message: String::new(), trace_id: None, timestamp: None }
    }

    /// The vendor refuses with a code.
    pub(in crate::writes) fn refused(status: u16, code: &str) -> Error {
        Error::Refused(refusal(status, code))
    }

    /// The vendor turns the token away.
    pub(in crate::writes) fn turned_away(status: u16) -> Error {
        Error::NotAuthenticated(refusal(status, "401"))
    }

    /// Code 200 with `data: null`.
    pub(in crate::writes) fn without_data() -> Error {
        Error::NotAuthenticated(refusal(200, "200"))
    }
}
