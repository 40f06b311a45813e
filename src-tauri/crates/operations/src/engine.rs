//! Keeps the order of every write: confirm, commit, record, send, commit the answer, verify by reading. The only user
//! of the money sender. Apart from the recovery of a journal, nothing else changes an operation in it.

pub(crate) mod anchor;
pub mod bulk;
pub mod confirm;
mod guards;
mod learn;
mod neighbours;
mod operations;
mod saving;
pub mod secrets;
mod send;
pub(crate) mod start;
mod verify;

pub use operations::{AccountAccess, OperationError, Operations, SteadyClock, WallClock};
