//! The effects of networks, crashes and impatient people on orders and other writes. The practice service's ledger is
//! the truth.
//!
//! The hazards are those of the table in the README of `operations`.

mod account_book;
mod accounts;
mod activity;
mod bulk_seeds;
mod bulk_stops;
mod bulks;
mod clicks;
mod counter_moves;
mod damage;
mod earlier_journal;
mod foreign;
mod foreign_doubts;
mod foreign_ways;
mod foreign_wire;
mod journal;
mod journal_fails;
mod kills;
mod large_answers;
mod late_no;
mod leaks;
#[cfg(target_os = "linux")]
mod linux;
mod lost_answers;
mod meanwhile;
mod order_book;
mod other_account;
mod refusals;
mod restarts;
mod restored;
mod secrets;
mod strict_vendor;
mod traffic_moves;
mod traffic_seeds;
mod wire_faults;
