//! Everything that an agent can do, without a window: connect, buy, recharge, look after customers. A front end opens a
//! [`Till`] with its [`Host`], calls the functions of these modules (one per command), and shows what they return and
//! every [`Event`].

pub mod accounts;
pub mod activity;
mod app;
pub mod bulk;
pub mod bulk_export;
pub mod calls;
pub mod charts;
pub mod clipboard;
pub mod connections;
pub mod customers;
mod downloads;
mod error;
mod events;
pub mod exports;
pub mod field;
mod gate;
pub mod host;
mod late_orders;
mod limits;
pub mod locations;
pub mod memory;
pub mod moves;
pub mod notices;
mod notifications;
pub mod orders;
pub mod overview;
pub mod practice;
pub mod purchase;
pub mod report;
pub mod saved;
mod session;
pub mod settings;
pub mod start;
mod store;
mod stored;
pub mod traffic;
pub mod updates;
pub mod usage;
pub mod wallet;
mod words;

pub use app::{FORMER_IDENTIFIER, IDENTIFIER, Opening, Till};
pub use error::{Code, CommandError, Details};
pub use events::{Event, ExportProgress};
pub use host::{Host, Question};
pub use store::Geometry;
pub use words::{Words, in_both_languages};
