//! The journal: one SQLite file for each connection, every commit synced to the disk.
//!
//! The table `operation` holds the state of each operation. The table `event` holds how it got there; it is
//! append-only, and each event carries the SHA-256 of the one before it. Nothing here decides anything.

pub(crate) mod activity;
mod backups;
pub mod bulk;
pub mod bulk_row;
mod bulk_steps;
mod chain;
mod error;
pub mod event;
mod file;
pub mod goods;
mod lesson;
pub mod note;
pub mod operation;
mod order_note;
pub(crate) mod order_seen;
pub(crate) mod recovery;
pub mod restoration;
pub mod row;
pub(crate) mod schema;
mod search;
pub(crate) mod send_log;
pub(crate) mod sets;
mod tables;
mod template;
pub(crate) mod wallet;

pub use error::JournalError;
pub use file::Journal;
