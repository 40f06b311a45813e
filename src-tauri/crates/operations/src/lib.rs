//! Operations: everything that spends money, moves traffic or changes a customer goes through here.
//!
//! The promise: nothing is done twice, lost, or reported wrongly. `README.md` has the states and the
//! hazards; [`decide`] holds every decision as one pure function; [`journal`] makes each step durable
//! before the next; [`engine`] is the only user of the money sender.
//!
//! Absent on purpose: a way to send without a journal row, a way to change the bytes of a row, an
//! automatic repeat after a restart, the word "failed" for an outcome that is not known.

mod account_book;
mod activity;
mod anchor;
mod beside;
mod chain;
mod guards;
mod insert;
mod looks;
mod mark;
mod print;
mod queries;
mod recovery;
mod saving;
mod schema;
mod sending;
mod sends;
mod sets;
#[cfg(test)]
mod simulation;
mod start;
mod touches;
mod use_rows;

pub mod account_change;
pub mod bulk;
pub mod confirmation;
pub mod decide;
pub mod engine;
pub mod finding;
pub mod fingerprint;
pub mod gb;
pub mod intent;
pub mod journal;
pub mod lesson;
pub mod order_book;
pub mod password;
pub mod place_and_pay;
pub mod row;
pub mod schedule;
pub mod secrets;
pub mod sight;
pub mod state;
pub mod survey;
pub mod traffic_move;
pub mod view;

pub use account_book::{KnownSecrets, LastStatus, Note};
pub use account_change::AccountChange;
pub use activity::{Activity, ActivityEntry, ActivityQuery, Standing};
pub use anchor::{AnchorEntry, anchor_account};
pub use bulk::{BulkCounts, BulkId, BulkPlan, BulkRowView, BulkState, BulkView, NotDone, PlannedRow, Retried};
pub use confirmation::{Confirmations, Offer, Spent};
pub use engine::{AccountAccess, OperationError, Operations, SteadyClock, WallClock};
pub use fingerprint::{Fingerprint, Fingerprints};
pub use gb::{BadGb, Gb, GbFactor};
pub use intent::Intent;
pub use journal::JournalError;
pub use order_book::BookedOrder;
pub use place_and_pay::PlaceAndPay;
pub use recovery::Restoration;
pub use schedule::Schedule;
pub use secrets::Secrets;
pub use sight::{Reader, SightError};
pub use state::{Kind, OperationId, Reason, State, Verdict};
pub use touches::{Touch, Touches};
pub use traffic_move::{Direction, TrafficMove};
pub use view::{OperationEvent, OperationView};
