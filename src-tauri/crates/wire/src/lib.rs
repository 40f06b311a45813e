//! The JSON of the vendor's interface, and nothing else: no I/O, no policy.
//!
//! `README.md` of this crate lists the files with the sections they cover; the section names cited in the docs
//! ("Location records", "Purchase config", …) are those of the vendor's contract. Reading is tolerant where the
//! contract is silent and exact where money is concerned.

pub mod accounts;
pub mod amount;
pub mod breakdown;
pub mod choice;
pub mod customers;
pub mod day;
pub mod envelope;
pub mod facts;
pub mod goods;
pub mod ids;
pub mod inventory;
pub mod ips;
pub mod locations;
pub mod micro;
pub mod orders;
pub mod parts;
pub mod ping;
pub mod purchase;
pub mod renewals;
pub mod secrets;
pub mod time;
pub mod traffic;
pub mod tree;
pub mod udp;
pub mod usage;

mod loose;
mod quota;

pub use amount::Amount;
pub use day::Day;
pub use envelope::{Accepted, Answer, ReadError, read_agent, read_agent_write, read_public, read_static};
pub use micro::MicroMb;
