//! The real window: one user story a file.

mod accessibility;
mod answers;
mod balance;
mod bulk;
mod charts;
mod connections;
mod crash;
mod customers;
mod damage;
mod first_start;
mod keyboard;
mod keychain;
mod limits;
mod lost_answer;
mod moves;
mod notifications;
mod option_shapes;
mod orders;
mod overview;
mod place_search;
mod practice_menu;
mod price_expired;
mod rotated_token;
mod secrets;
mod segments;
mod traffic;
