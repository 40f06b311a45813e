//! The writes at the vendor: each kind knows its target, its request and the meaning of its answers.

pub mod account_change;
mod answers;
pub mod bulk;
pub mod intent;
pub mod order;
pub mod password;
pub mod renewal;
pub mod traffic_move;
