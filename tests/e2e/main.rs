//! The real window: one user story per file.

mod accessibility;
mod activity;
mod answers;
mod back;
mod balance;
mod bulk;
mod bursts;
mod buy_focus;
mod charts;
/// X11 presses the button of the title bar.
#[cfg(target_os = "linux")]
mod closing;
mod connections;
mod crash;
mod customers;
mod damage;
mod dark_desktop;
/// X11 drags a file.
#[cfg(target_os = "linux")]
mod drops;
mod edge_screens;
mod effort;
mod explain;
mod first_start;
mod half_chosen;
mod health;
mod hostile;
mod instances;
mod ips;
mod ips_screens;
mod judgement;
mod keyboard;
mod keychain;
mod killed;
mod late_no;
mod limits;
mod lost_answer;
mod moves;
mod notifications;
mod old_figures;
mod option_shapes;
mod order_shapes;
mod orders;
mod overview;
mod palette;
mod panels;
mod place_search;
mod practice_menu;
mod price_expired;
mod proxy_tests;
mod renewals;
mod rotated_token;
mod saved;
mod scripts;
mod secrets;
mod segments;
mod strict_vendor;
mod tables;
mod top_up;
mod traffic;
mod updates;
mod wallet;
mod working_day;
