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
mod clocks;
mod counter_moves;
mod damage;
mod doubled;
mod earlier_journal;
mod foreign;
mod foreign_doubts;
mod foreign_ways;
mod foreign_wire;
mod full_disk;
mod journal;
mod journal_fails;
mod kept_secrets;
mod keychain;
mod kills;
mod large_answers;
mod late_no;
mod leaks;
mod lost_answers;
mod meanwhile;
mod order_book;
mod other_account;
#[cfg(unix)]
mod power;
mod refusals;
mod restarts;
mod restored;
mod rolled_back;
mod secrets;
mod spreadsheets;
mod strict_vendor;
mod traffic_moves;
mod traffic_seeds;
mod updates;
mod wire_faults;
