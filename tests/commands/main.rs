//! Every command, without a window: what a person relies on, played through `till` at the practice service over HTTP,
//! with files on disk. What only a window can show is checked in `tests/e2e`.

mod accounts;
mod activity;
mod bulk;
mod charts;
mod connections;
mod customers;
mod host;
mod keychain;
mod locations;
mod moves;
mod orders;
mod overview;
mod practice;
mod purchase;
mod report;
mod settings;
mod start;
mod traffic;
mod updates;
mod usage;
