//! What the vendor reports, stored locally in `cache.db`: usage by customer and day with its sums, and the vendor's own
//! list of IPs.
//!
//! The file may be deleted at any time: the vendor has all of it, but for IPs that it lists no more. Nothing here
//! assumes that a day and a customer occur only once, or that the vendor's pages keep their order.

pub mod ips;
pub mod ips_sync;
pub mod outlook;
pub mod query;
pub mod rows;
pub mod store;
pub mod sync;

mod insert;
mod ips_gone;
mod ips_same;
mod key;
mod pages;
mod window;

pub use ips::{NewSince, VendorIp, VendorIps};
pub use ips_sync::{IpsPlan, sync_ips};
pub use query::{CustomerUse, DayUse};
pub use store::{Store, StoreError};
pub use sync::{Progress, SyncError, sync};
pub use window::Window;
