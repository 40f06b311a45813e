//! The practice service: the vendor's interface over real HTTP on loopback, with its own ledger.
//!
//! The program embeds it for practice; tests and demos use it like any other server; it also runs alone (`main.rs`).
//! `README.md` lists the decisions where the contract is silent.

pub mod capabilities;
pub mod clock;
pub mod control;
pub mod faults;

mod accounts;
mod body;
mod customers;
mod elsewhere;
mod envelope;
mod hostile;
mod inventory;
mod ips;
mod ledger;
mod lines;
mod locations;
mod manners;
mod orders;
mod paging;
mod places;
mod pricing;
mod purchase;
mod purchase_options;
mod random;
mod renewals;
mod server;
mod shapes;
mod stock;
mod store;
mod traffic;
mod usage;
mod world;

pub use accounts::{LedgerAccount, TAKEN};
pub use capabilities::Capability;
pub use clock::Clock;
pub use faults::{Fault, FaultRule};
pub use ledger::{Ledger, LedgerOrder, RequestSeen};
pub use purchase::THREE_IN_JAPAN;
pub use renewals::LedgerRenewal;
pub use server::{Offline, Service, start};
pub use traffic::LedgerMove;
pub use world::{Credentials, Options, StartError, World};
