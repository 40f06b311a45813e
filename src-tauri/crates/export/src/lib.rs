//! What leaves the program for buyers: proxy lists in the formats they ask for.

pub mod proxy_list;

pub use proxy_list::{Format, colons_break, line};
