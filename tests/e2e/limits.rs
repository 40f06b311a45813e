//! Above a limit the system's own dialog asks again, and nothing is sent before its yes.

use std::process::Stdio;

use operations::Direction;
use tests::service::{self, requests};
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::window::{Window, testid};

/// Presses a key in the system's dialog, once it is there; waits until it is gone.
async fn answer(window: &Window, key: &str) {
    let find = || {
        let mut search = window.desk().command("xdotool");
        search.args(["search", "--onlyvisible", "--name", "Above your limit"]).stderr(Stdio::null());
        let found = search.output().expect("xdotool");
        String::from_utf8_lossy(&found.stdout).lines().next().map(str::to_owned)
    };
    let dialog = tests::until("the system's dialog asks", async || find()).await;
    tests::until("the dialog is answered", async || {
        if find().is_none() {
            return Some(());
        }
        let _ = window.desk().command("xdotool").args(["windowfocus", "--sync", &dialog, "key", key]).status();
        None
    })
    .await;
}

#[tokio::test]
async fn above_a_limit_the_system_asks_and_a_no_sends_nothing() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-settings").await;
    window.fill("limit-operation", "a lot").await;
    window.see(&testid("limit-operation-error")).await;
    window.fill("limit-operation", "1").await;
    window.fill("limit-pay", "5").await;
    window.press("limit-save").await;
    window.see_customers().await;
    let sends = || requests(&service, endpoint(Direction::Recharge));
    // Up to the limit nobody asks.
    window.begin_move(CUSTOMER, "customer-recharge", "1").await;
    window.press("amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.see_operation("applied").await;
    assert_eq!(sends(), 1);
    window.see_customers().await;
    window.begin_move(CUSTOMER, "customer-recharge", "1.5").await;
    window.press("amount-confirm").await;
    answer(&window, "Escape").await;
    window.see_error("declined").await;
    assert_eq!(sends(), 1, "a no sends nothing");
    window.press("error-retry").await;
    window.press("amount-confirm").await;
    answer(&window, "Return").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.see_operation("applied").await;
    assert_eq!(sends(), 2);
    // A day has its own limit: 2.5 GB are moved, 0.5 more are above it.
    window.press("nav-settings").await;
    window.fill("limit-day", "2.8").await;
    window.press("limit-save").await;
    window.see_customers().await;
    window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
    window.press("amount-confirm").await;
    answer(&window, "Escape").await;
    window.see_error("declined").await;
    assert_eq!(sends(), 2);
    window.press("amount-cancel").await;
    window.begin_move(CUSTOMER, "customer-recharge", "0.25").await;
    window.press("amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.press("nav-buy").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    answer(&window, "Escape").await;
    window.see_error("declined").await;
    assert!(service.world.ledger().expect("a ledger").orders.is_empty());
}
