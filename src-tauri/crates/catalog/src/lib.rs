//! The dictionary of places, complete and local: four levels, both languages.
//!
//! [`Dictionary`] holds the vendor's lists, as they are stored on disk. [`Catalog`] is the index over it, searched
//! while somebody types: English, Chinese, pinyin and initials, best match first.
//!
//! Absent on purpose: the network (`till` fetches the dictionary), fuzzy matches (a wrong city costs money), a
//! database (the whole is a few megabytes of text).

pub mod dictionary;
pub mod fold;
pub mod index;
pub mod search;

pub use dictionary::{Dictionary, DictionaryError};
pub use index::Catalog;
pub use search::{Hit, Level, Stock};
