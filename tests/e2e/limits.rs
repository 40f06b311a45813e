//! Above a limit the system's own dialog asks again, and nothing is sent until a person agrees.

use operations::Direction;
use tests::service::{self, requests};
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::window::{Window, testid};

const TITLE: &str = "Above your limit";

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
    // Up to the limit there is no question.
    window.begin_move(CUSTOMER, "customer-recharge", "1").await;
    window.press("amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.see_operation("applied").await;
    assert_eq!(sends(), 1);
    window.see_customers().await;
    window.begin_move(CUSTOMER, "customer-recharge", "1.5").await;
    window.press("amount-confirm").await;
    window.answer(TITLE, "Escape").await;
    window.see_error("declined").await;
    assert_eq!(sends(), 1, "a no sends nothing");
    window.press("error-retry").await;
    window.press("amount-confirm").await;
    window.answer(TITLE, "Return").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.see_operation("applied").await;
    assert_eq!(sends(), 2);
    // Each day has its own limit: 2.5 GB have been moved, and 0.5 more exceed it.
    window.press("nav-settings").await;
    window.fill("limit-day", "2.8").await;
    window.press("limit-save").await;
    window.see_customers().await;
    window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
    window.press("amount-confirm").await;
    window.answer(TITLE, "Escape").await;
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
    window.answer(TITLE, "Escape").await;
    window.see_error("declined").await;
    assert!(service.world.ledger().expect("a ledger").orders.is_empty());
}

#[tokio::test]
async fn a_limit_is_lowered_at_once_and_raised_only_after_the_systems_dialog() {
    let window = Window::open().await;
    window.practise().await;
    window.press("nav-settings").await;
    let saved = async |limit: &str| {
        window.fill("limit-operation", limit).await;
        window.press("limit-save").await;
    };
    let is_saved =
        async || tests::until("it is saved", async || (!window.is_enabled("limit-save").await).then_some(())).await;
    for limit in ["5", "1"] {
        saved(limit).await;
        is_saved().await;
    }
    saved("2").await;
    window.answer("Raise your limits", "Escape").await;
    window.see_error("declined").await;
    assert!(window.is_enabled("limit-save").await, "what was typed is not saved");
    window.press("limit-save").await;
    window.answer("Raise your limits", "Return").await;
    is_saved().await;
    saved("").await;
    window.answer("Raise your limits", "Return").await;
    is_saved().await;
}
