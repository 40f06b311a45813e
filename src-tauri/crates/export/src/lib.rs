//! What leaves the program for buyers: proxy lists in the formats they ask for.

pub mod file;
pub mod proxy_list;

pub use file::FileKind;
pub use proxy_list::{Format, Layout, colons_break, line, unknown_words};
