//! Usage by customer and day, stored locally: rows of the usage report with their sums, in `cache.db`.
//!
//! The file may be deleted at any time: the vendor has all of it. Nothing here assumes that a day and a customer
//! occur only once, or that the vendor's pages keep their order.

pub mod outlook;
pub mod query;
pub mod rows;
pub mod store;
pub mod sync;

mod insert;
mod key;
mod pages;
mod window;

pub use query::{CustomerUse, DayUse};
pub use store::{Store, StoreError};
pub use sync::{Progress, SyncError, sync};
pub use window::Window;
