//! The evidence for a write: what the vendor shows before it and after it, and what a comparison of the two says.

pub(crate) mod beside;
pub mod compare;
pub mod learned;
pub(crate) mod print;
pub mod reader;
pub(crate) mod record;
pub mod snapshot;
pub(crate) mod source;
pub mod survey;
pub(crate) mod use_rows;
