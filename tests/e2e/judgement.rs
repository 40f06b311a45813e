//! A person's final decision on an operation: confirmed once more, with the consequences if it is wrong.

use fantoccini::key::Key;
use sandbox::{Fault, Service};
use tests::order::ENDPOINT;
use tests::service;
use tests::steps::at_customers;
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::window::{Window, testid};

async fn dialog(window: &Window) -> String {
    window.text_of("[role='dialog']").await
}

/// An order whose answer was lost and whose repeat was refused.
async fn with_a_question() -> (Service, Window) {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    service::fault(&service, ENDPOINT, Fault::DropBefore);
    window.press("pay-open").await;
    service.world.set_wallet("1".parse().expect("an amount")).expect("a ledger");
    window.press("pay-confirm").await;
    window.see_state("order-result", "needs-you").await;
    (service, window)
}

#[tokio::test]
async fn that_an_order_is_not_there_is_asked_with_its_sum_and_what_follows_and_enter_alone_says_nothing() {
    let (service, window) = with_a_question().await;
    window.press("operation-mark-not-done").await;
    let said = dialog(&window).await;
    for part in ["Record that it didn't go through?", "Buy 3 IPs", "8.55 USD", "Sent", "means paying twice"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(window.text("judge-confirm").await, "Record that it didn't go through");
    window.see_focus("judge-cancel").await;
    // The focus stays inside the dialog.
    for expected in ["judge-confirm", "judge-cancel", "judge-confirm"] {
        window.keys(&Key::Tab.to_string()).await;
        window.see_focus(expected).await;
    }
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("judge-confirm")).await;
    window.see_focus("operation-mark-not-done").await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_focus("judge-cancel").await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid("judge-confirm")).await;
    window.see_state("order-result", "needs-you").await;
    assert!(!window.is_enabled("buy-get-price").await, "the wallet is still held");
    window.press("operation-mark-not-done").await;
    window.press("judge-confirm").await;
    window.see_state("order-result", "resolved-not").await;
    assert!(window.is_enabled("buy-get-price").await, "the wallet is free");
    assert!(service.world.ledger().expect("a ledger").orders.is_empty());
}

#[tokio::test]
async fn that_an_order_is_there_says_what_is_lost_if_it_is_not() {
    let (_service, window) = with_a_question().await;
    window.press("operation-mark-done").await;
    let said = dialog(&window).await;
    for part in ["Record that it went through?", "8.55 USD", "nothing will arrive"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    window.press("judge-cancel").await;
    window.see_gone(&testid("judge-confirm")).await;
    window.press("operation-mark-done").await;
    window.press("judge-confirm").await;
    window.see_state("order-result", "resolved-applied").await;
}

#[tokio::test]
async fn a_move_is_judged_by_the_customers_name_and_its_amount_and_a_doubled_one_is_left_knowingly() {
    let (service, window) = at_customers().await;
    let name = {
        window.fill("customers-search", CUSTOMER).await;
        window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-row"))).await;
        window.text("customer-open").await
    };
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    service::fault(&service, endpoint(operations::Direction::Deduction), Fault::Twice);
    window.press("amount-confirm").await;
    window.see_operation("needs-you").await;
    window.press("operation-mark-done").await;
    let said = dialog(&window).await;
    for part in ["Leave both as they are?", &name, "0.5 GB (512 MB)", "stays deducted twice"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(window.text("judge-confirm").await, "Leave both");
    window.press("judge-confirm").await;
    window.see_state("activity-row", "resolved-applied").await;
}

#[tokio::test]
async fn whoever_says_that_a_move_went_through_is_told_of_the_like_records_from_before() {
    let (service, window) = at_customers().await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    window.press("amount-confirm").await;
    window.see_operation("applied").await;
    window.press("nav-customers").await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    service::fault(&service, endpoint(operations::Direction::Deduction), Fault::DropBefore);
    window.press("amount-confirm").await;
    window.see_operation("unknown").await;
    window.open_operation().await;
    window.see(&testid("evidence-before")).await;
    window.press("operation-mark-not-done").await;
    window.see(&testid("judge-confirm")).await;
    window.see_gone(&testid("judge-there-before")).await;
    window.press("judge-cancel").await;
    window.press("operation-mark-done").await;
    let said = window.text("judge-there-before").await;
    assert_eq!(said, "The vendor already had 1 record of this amount before this was sent, so that isn't this one.");
}
