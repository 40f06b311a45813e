//! Every command, without a window: what a person relies on, played through `till` with the practice service over HTTP
//! and files on disk. `tests/e2e` checks what only a window can show.

mod accounts;
mod activity;
mod bulk;
mod buyers;
mod charts;
mod closing;
mod connections;
mod customers;
mod drops;
mod goods;
mod goods_reading;
mod hand_over;
mod health;
mod host;
mod keychain;
#[cfg(target_os = "linux")]
mod linux;
mod locations;
mod moves;
mod notifications;
mod orders;
mod outlook;
mod palette;
mod practice;
mod proxy_tests;
mod purchase;
mod remembered;
mod renewals;
mod report;
mod saved_configurations;
mod saved_files;
mod second_service;
mod settings;
mod start;
mod top_up;
mod traffic;
mod updates;
mod usage;
mod vendor_ips;
mod wallet;
