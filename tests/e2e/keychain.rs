//! The keychain in the way: locked, and not answering.

use tests::desk::Desk;
use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn a_locked_keychain_is_named_nothing_is_saved_and_the_session_can_go_on_without() {
    let service = service::start().await;
    let window = Window::open_at(Desk::with_locked_keychain(), &["--lang", "en"]).await;
    window.press("welcome-connect").await;
    window.describe_connection(&service.base_url()).await;
    window.press("connection-save").await;
    let said = window.see_error("locked").await;
    assert!(said.contains("locked") && said.contains("Nothing was saved"), "{said}");
    window.press("connection-session-only").await;
    window.press("connection-save").await;
    window.press("nav-buy").await;
    window.see(&testid("buy-country")).await;
}

#[tokio::test]
async fn a_keychain_that_does_not_answer_is_said_so_while_the_window_goes_on_and_can_be_asked_again() {
    let window = Window::open().await;
    window.practise().await;
    window.desk().hang_keychain(true);
    window.press("nav-settings").await;
    window.press("nav-buy").await;
    window.see(&testid("buy-country")).await;
    window.press("nav-settings").await;
    window.see_state("keychain-state", "not-answering").await;
    window.desk().hang_keychain(false);
    window.press("keychain-retry").await;
    window.see_state("keychain-state", "available").await;
}
