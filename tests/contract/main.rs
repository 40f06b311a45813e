//! The practice service against the contract: each endpoint and each refusal, over bare HTTP.
//!
//! `recorded` reads answers that did not come from the practice service, so that an error it shares with the client
//! is noticed.

mod accounts;
mod authentication;
mod bodies;
mod capabilities;
mod control;
mod customer_list;
mod foreign;
mod inventory;
mod ips_sync;
mod locations;
mod order_detail;
mod place_and_pay;
mod purchase_options;
mod quote;
mod recorded;
mod traffic;
mod typed;
mod usage;
mod usage_sync;
mod waits;
