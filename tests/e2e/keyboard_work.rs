//! The work of a day, practice and the settings without a pointer.

use fantoccini::key::Key;
use tests::service;
use tests::steps::at_customers;
use tests::window::{Window, testid};

use crate::keyboard::{choose, press, reach, type_into};

/// The MB of every move in the ledger, with sign.
fn moved(service: &sandbox::Service) -> Vec<String> {
    service.world.ledger().expect("a ledger").moves.iter().map(|one| one.mb.to_string()).collect()
}

#[tokio::test]
async fn many_customers_are_topped_up_without_a_pointer() {
    let (service, window) = at_customers().await;
    press(&window, "bulk-paste").await;
    window.see_focus("bulk-text").await;
    window.keys(&format!("100001 1g{}100002 2", Key::Enter)).await;
    press(&window, "bulk-preview").await;
    window.see_focus("bulk-total").await;
    // A number without a unit is a question.
    reach(&window, "bulk-unit-gb").await;
    window.keys(" ").await;
    window.see(&format!("{}[data-value='3']", testid("bulk-total"))).await;
    press(&window, "bulk-start").await;
    window.see(&format!("{}[data-value='2']", testid("bulk-result"))).await;
    let mut moved = moved(&service);
    moved.sort();
    assert_eq!(moved, ["1024", "2048"]);
}

#[tokio::test]
async fn lists_are_filtered_without_a_pointer() {
    let (service, window) = at_customers().await;
    choose(&window, "customers-status", "Dis", "disabled").await;
    window.see(&testid("outside-show")).await;
    press(&window, "outside-show").await;
    window.see(&testid("customer-row")).await;
    assert_eq!(window.value("customers-status").await, "");
    press(&window, "nav-buy").await;
    window.buy_three_in_japan().await;
    press(&window, "nav-orders").await;
    window.see(&testid("order-row")).await;
    choose(&window, "orders-shown", "Oth", "other").await;
    window.see_gone(&testid("order-row")).await;
    press(&window, "outside-show").await;
    window.see(&testid("order-row")).await;
    press(&window, "nav-activity").await;
    window.see(&testid("activity-row")).await;
    choose(&window, "activity-kind", "Ded", "deduction").await;
    window.see_gone(&testid("activity-row")).await;
    press(&window, "outside-show").await;
    window.see(&testid("activity-row")).await;
    assert_eq!(service.world.ledger().expect("a ledger").orders.len(), 1);
}

#[tokio::test]
async fn practice_is_set_up_and_begun_again_without_a_pointer() {
    let window = Window::open().await;
    press(&window, "welcome-practice").await;
    window.see(&testid("buy-country")).await;
    press(&window, "practice-menu").await;
    type_into(&window, "practice-wallet", &format!("77{}", Key::Enter)).await;
    let wallet = "return document.querySelector('label[for=practice-wallet]')?.textContent";
    let says = async |sum: &str| {
        tests::until(&format!("the wallet has {sum}"), async || {
            window.run(wallet).await.as_str()?.contains(sum).then_some(())
        })
        .await;
    };
    says("77").await;
    reach(&window, "practice-speed-1").await;
    window.keys(&Key::Right.to_string()).await;
    window.see("[data-testid='practice-speed-10'][aria-checked='true']").await;
    choose(&window, "practice-mishap", "Resp", "lost-answer").await;
    press(&window, "practice-reset").await;
    window.see_focus("practice-reset-cancel").await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid("practice-reset-confirm")).await;
    press(&window, "practice-reset").await;
    press(&window, "practice-reset-confirm").await;
    says("1,000").await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("practice-wallet")).await;
    window.see_focus("practice-menu").await;
    press(&window, "practice-leave").await;
    window.see(&testid("welcome-practice")).await;
}

#[tokio::test]
async fn a_wallet_is_typed_raised_and_corrected_without_a_pointer() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    press(&window, "wallet-open").await;
    window.see_focus("wallet-amount").await;
    window.keys(&format!("1000{}", Key::Enter)).await;
    let sum = |value: &str| format!("{}[data-value='{value}']", testid("wallet-sum"));
    window.see(&sum("1000")).await;
    reach(&window, "wallet-what-balance").await;
    window.keys(&Key::Right.to_string()).await;
    window.see("[data-testid='wallet-what-added'][aria-checked='true']").await;
    type_into(&window, "wallet-amount", &format!("5{}", Key::Enter)).await;
    window.see(&sum("1005")).await;
    press(&window, "wallet-remove").await;
    window.see(&sum("1000")).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("wallet-sum")).await;
    window.see_focus("wallet-open").await;
}

#[tokio::test]
async fn settings_are_chosen_and_saved_without_a_pointer() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    press(&window, "nav-settings").await;
    reach(&window, "settings-theme-system").await;
    window.keys(&format!("{}{}", Key::Right, Key::Right)).await;
    tests::until("the page is dark", async || {
        (window.run("return document.documentElement.dataset.theme").await == "dark").then_some(())
    })
    .await;
    type_into(&window, "limit-pay", "x").await;
    window.see(&testid("limit-pay-error")).await;
    window.keys(&format!("{}5", Key::Backspace)).await;
    press(&window, "limit-save").await;
    window.see(&testid("toast")).await;
    reach(&window, "settings-language-en").await;
    window.keys(&Key::Right.to_string()).await;
    tests::until("the page is in Chinese", async || {
        (window.run("return document.documentElement.lang").await == "zh-CN").then_some(())
    })
    .await;
}
