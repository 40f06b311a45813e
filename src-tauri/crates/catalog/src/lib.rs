//! The dictionary of places, whole and local: four levels, both languages.
//!
//! [`Dictionary`] is what the vendor lists and what is kept on disk; [`Catalog`] is the index over it,
//! searched while somebody types: English, Chinese, pinyin and initials, best first.
//!
//! Absent on purpose: the network (the shell brings the dictionary), fuzzy matches (a wrong city costs
//! money), a database (the whole is some megabytes of text).

pub mod dictionary;
pub mod fold;
pub mod index;
pub mod search;

pub use dictionary::{Dictionary, DictionaryError};
pub use index::Catalog;
pub use search::{Hit, Level, Stock};
