//! The views of a person, made from the journal's tables.

pub mod activity;
mod customers;
mod goods;
pub mod operation;
mod operations;
pub mod orders;
pub mod wallet;
