//! The client of the vendor's interface: request (pure, no I/O) → sender → typed answer.
//!
//! Two senders, never mixed: [`Client`] reads and may be called freely; [`money::MoneySender`] changes things
//! at the vendor and is for the `operations` crate alone (a tidy test proves it).
//!
//! Absent on purpose: repeated writes, redirects, Referer, cookies, a log of bodies.

pub mod account;
pub mod call;
pub mod customers;
pub mod error;
pub mod inventory;
pub mod ips;
pub mod locations;
pub mod money;
pub mod orders;
pub mod pages;
pub mod ping;
pub mod pulse;
pub mod purchase;
pub mod renewals;
pub mod request;
pub mod traffic;
pub mod usage;

mod gate;
mod pauses;
mod retry_after;
mod transport;
mod waits;

pub use pauses::Pauses;
pub use pulse::{Heard, Pulse, Sign, Signs};
pub use transport::Patience;
pub use waits::Waits;

pub use account::{Account, Address, AddressError};
pub use call::{Call, Client};
pub use error::{Error, Lost, NotSent};
pub use request::{Area, Method, Request};
