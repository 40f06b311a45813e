//! The words that the journal and its readers use: kinds, states, reasons, names, schedules. Plain types without I/O.

pub mod activity;
pub(crate) mod anchor;
pub mod bulk;
pub mod finding;
pub mod fingerprint;
pub mod gb;
pub mod outcome;
pub mod price;
pub mod schedule;
pub mod secret;
pub mod state;
