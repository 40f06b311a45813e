//! Operations: everything that spends money, moves traffic or changes a customer goes through here.
//!
//! The promise: nothing is done twice, lost or reported wrongly. `README.md` lists the states and the hazards;
//! [`decide`] makes every decision as a pure function; [`journal`] makes each step durable before the next; [`engine`]
//! is the only user of the money sender.
//!
//! Absent on purpose: a way to send without a journal row, a way to change the bytes of a row, an automatic repeat
//! after a restart (except of a recharge, under its order id), the word "failed" for an outcome that is not known.

pub mod decide;
pub mod engine;
pub mod evidence;
pub mod journal;
mod kill_points;
#[cfg(test)]
mod simulation;
pub mod views;
pub mod words;
pub mod writes;

pub use engine::anchor::{AnchorEntry, anchor_account};
pub use engine::confirmations::Offer;
pub use engine::secrets::Secrets;
pub use engine::{AccountAccess, NotAnew, NotConfirmed, OperationError, Operations, SteadyClock, WallClock};
pub use evidence::compare::Evidence;
pub use evidence::learned::Learned;
pub use evidence::reader::{Reader, SnapshotError};
pub use evidence::snapshot::{Balance, Snapshot};
pub use journal::bulk::{BulkCounts, BulkView};
pub use journal::bulk_row::{BulkRowView, NotDone, RowsWanted};
pub use journal::event::{Touch, Touches};
pub use journal::goods::{Assign, Assignment, Buyer, Delivery, Marks};
pub use journal::note::Note;
pub use journal::operation::customer::{KnownSecrets, LastStatus};
pub use journal::restoration::Restoration;
pub use journal::{Journal, JournalError};
pub use views::activity::{Activity, ActivityEntry};
pub use views::operation::{OperationEvent, OperationView};
pub use views::orders::BookedOrder;
pub use views::wallet::{WalletFigure, WalletLine, WalletView};
pub use words::activity::{ActivityQuery, EntryOrder, Standing};
pub use words::bulk::{BulkId, BulkProblem, BulkState, OwnState, Retried, RowReason, RowState};
pub use words::cause::{Cause, EventWord};
pub use words::fingerprint::{Fingerprint, Fingerprints};
pub use words::gb::{BadGb, Gb, GbFactor};
pub use words::goods::{BuyerId, GoodsKey, NoGoodsKey, SentHow};
pub use words::left_out::LeftOut;
pub use words::schedule::Schedule;
pub use words::secret::{Owner, SecretKind};
pub use words::state::{Family, Kind, OperationId, Reason, State, Verdict};
pub use words::wallet::{Doubt as WalletDoubt, Effect as WalletEffect, Typed as WalletTyped};
pub use writes::account_change::{AccountChange, folded};
pub use writes::bulk::{BulkPlan, PlannedRow};
pub use writes::intent::Intent;
pub use writes::order::PlaceAndPay;
pub use writes::password;
pub use writes::renewal::{Renewal, RenewedIp};
pub use writes::traffic_move::{Direction, TrafficMove};
