//! Exports to files: proxy lists in the formats that buyers ask for, and tables as they are shown.

pub mod file;
pub mod picture;
pub mod proxy_list;
pub mod table;

pub use file::FileKind;
pub use proxy_list::{Format, Layout, colons_break, line, preview, unknown_words};
pub use table::{Cell, Table, TableKind};
