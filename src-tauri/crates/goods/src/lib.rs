//! Delivered proxies: the list of all of them, searched, filtered and sorted; when they run out; what people paste
//! about them; the message that hands them over.
//!
//! Nothing here sends anything, and no credentials pass through.

pub mod ends;
mod facts;
pub mod list;
pub mod message;
pub mod paste;
pub mod row;
mod rows;
mod sort;
pub mod stock;

pub use ends::GoodsEnd;
pub use list::{Ends, GoodsCounts, GoodsFilter, GoodsOrder, GoodsQuery, OfBuyer};
pub use paste::{Meant, PastedLine, Who, WhoNamed};
pub use row::{EndState, GoodsRow, GoodsView};
pub use rows::Rows;
pub use stock::Stock;
