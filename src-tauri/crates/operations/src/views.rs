//! What a person is shown of the journal.

pub mod activity;
pub mod bulk;
pub mod operation;
pub mod touches;
