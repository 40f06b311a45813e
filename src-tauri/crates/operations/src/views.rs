//! What a person is shown, made from the journal's tables, and what a person stores there.

pub mod activity;
mod customers;
mod goods;
pub mod operation;
mod operations;
pub mod orders;
pub mod wallet;
