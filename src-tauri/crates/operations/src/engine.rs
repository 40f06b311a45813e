//! Keeps the order of every write: confirm, commit, record, send, commit the answer, verify by reading. The only user
//! of the money sender. Apart from the recovery of a journal, nothing else changes an operation in it.

pub(crate) mod access;
pub(crate) mod anchor;
mod anew;
pub mod bulk;
pub(crate) mod check;
pub(crate) mod confirm;
pub(crate) mod confirmations;
pub(crate) mod due;
mod error;
mod guards;
mod jobs;
mod later;
pub mod learn;
mod neighbours;
pub(crate) mod operations;
mod resend;
mod rounds;
mod saving;
pub mod secrets;
pub(crate) mod send;
pub(crate) mod start;
pub(crate) mod times;

pub use access::AccountAccess;
pub use anew::NotAnew;
pub use error::{NotConfirmed, OperationError};
pub use operations::Operations;
pub use times::{SteadyClock, WallClock};
