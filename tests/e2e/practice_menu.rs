//! The menu of practice: wallet, clock, mishaps and a fresh start.

use tests::service::{Process, http};
use tests::traffic_move::CUSTOMER;
use tests::window::{Window, testid};

use crate::late_no::see_late;

/// Practice with this mishap planned.
async fn with_mishap(mishap: &str) -> Window {
    let window = Window::open().await;
    window.practise().await;
    window.press("practice-menu").await;
    window.press("practice-speed-60").await;
    window.choose("practice-mishap", mishap).await;
    window.press("practice-close").await;
    window
}

#[tokio::test]
async fn the_practice_wallet_is_set_spent_and_given_back() {
    let window = Window::open().await;
    window.practise().await;
    window.press("practice-menu").await;
    window.fill("practice-wallet", "-5").await;
    window.see(&testid("practice-wallet-error")).await;
    window.fill("practice-wallet", "5").await;
    window.press("practice-wallet-set").await;
    window.press("practice-speed-10").await;
    window.see("[data-testid='practice-speed-10'][aria-checked='true']").await;
    window.press("practice-speed-1").await;
    window.press("practice-close").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "rejected").await;
    window.press("practice-menu").await;
    window.press("practice-reset").await;
    window.see_focus("practice-reset-cancel").await;
    window.press("practice-reset-confirm").await;
    tests::until("the wallet is full again", async || {
        window
            .run("return document.querySelector('label[for=practice-wallet]')?.textContent")
            .await
            .as_str()?
            .contains("1,000")
            .then_some(())
    })
    .await;
    window.press("practice-close").await;
    // The new world knows nothing of what was done in the old one, and the form is a new one.
    window.press("nav-activity").await;
    window.see_state("activity-table", "empty").await;
    window.press("nav-buy").await;
    window.buy_three_in_japan().await;
    window.press("nav-activity").await;
    window.see(&testid("activity-row")).await;
    assert_eq!(window.run("return document.querySelectorAll('[data-testid=activity-row]').length").await, 1);
}

#[tokio::test]
async fn a_lost_answer_is_rehearsed_in_practice_and_ends_as_what_it_is() {
    let window = with_mishap("lost-answer").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "unknown").await;
    window.see_state("order-result", "applied").await;
    window.press("nav-orders").await;
    window.see(&testid("order-row")).await;
    assert_eq!(
        window.run("return document.querySelectorAll('[data-testid=order-row]').length").await.as_u64(),
        Some(1)
    );
}

#[tokio::test]
async fn a_price_that_runs_out_is_rehearsed_and_the_order_is_bought_at_the_next() {
    let window = with_mishap("expired-price").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see(&testid("price-expired")).await;
    window.see_state("order-result", "rejected").await;
    window.get_price().await;
    window.see_gone(&testid("price-expired")).await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
}

#[tokio::test]
async fn a_slow_delivery_is_rehearsed_and_every_proxy_arrives() {
    let window = with_mishap("slow-delivery").await;
    window.buy_three_in_japan().await;
    let late = format!("{} .late", testid("order-proxies"));
    window.see(&late).await;
    window.press("practice-menu").await;
    window.press("practice-speed-60").await;
    window.press("practice-close").await;
    window.see_gone(&late).await;
    window.press("nav-ips").await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
}

#[tokio::test]
async fn a_doubled_deduction_is_rehearsed_and_the_second_one_is_taken_back() {
    let window = with_mishap("doubled-deduction").await;
    window.see_customers().await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    window.press("amount-confirm").await;
    window.see_operation("needs-you").await;
    window.press("operation-take-back").await;
    window.press("amount-confirm").await;
    window.see(&format!("{}[data-kind='recharge'][data-state='applied']", testid("activity-row"))).await;
    window.see(&format!("{}[data-kind='deduction'][data-state='resolved-applied']", testid("activity-row"))).await;
}

#[tokio::test]
async fn a_no_that_takes_effect_late_is_rehearsed_and_never_called_rejected() {
    let window = with_mishap("late-refusal").await;
    window.see_customers().await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    window.press("amount-confirm").await;
    window.see_operation("refused").await;
    let row = |state: &str| format!("{}[data-state='{state}']", testid("activity-row"));
    see_late(&window, &row("resolved-applied"), &row("rejected")).await;
}

#[tokio::test]
async fn an_argument_of_the_practice_service_switches_an_endpoint_off() {
    for (arguments, expected) in [(&[][..], 200), (&["--without", "ping"], 404)] {
        let service = Process::start_with(arguments);
        let answer = http().get(format!("{}/api/open/main/ping", service.base_url)).send().await.expect("an answer");
        assert_eq!(answer.status(), expected, "{arguments:?}");
    }
}
