//! The agent's customers: searching and sorting them, finding them by the names that people use, and drafts of bulk
//! operations.
//!
//! Nothing here sends anything: a draft becomes a plan, and `operations` has it confirmed.

pub mod cells;
pub mod draft;
mod facts;
pub mod file;
mod file_limits;
pub mod lines;
pub mod list;
pub mod message;
pub mod naming;
pub mod preview;
mod workbook;

pub use draft::Draft;
pub use facts::Facts;
pub use lines::{Entry, Unit, Wants};
pub use list::{CustomerRow, ListFilter, ListOrder, ListQuery};
pub use preview::{DraftRow, DraftTotals};
