//! In Buy, the focus goes where the next step is.

use fantoccini::key::Key;
use sandbox::Service;
use serde_json::json;
use tests::service;
use tests::window::{Window, testid};

async fn at_buy() -> (Service, Window) {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    (service, window)
}

/// Presses Tab until a control has the focus. Returns how often.
async fn tab_to(window: &Window, id: &str) -> usize {
    let focused = "return document.activeElement?.dataset.testid ?? ''";
    for presses in 0..20 {
        if window.run(focused).await == id {
            return presses;
        }
        window.keys(&Key::Tab.to_string()).await;
    }
    panic!("{id} is too far away")
}

#[tokio::test]
async fn proxies_are_bought_and_copied_with_at_most_twenty_keys_beside_the_words() {
    let (service, window) = at_buy().await;
    let enter = Key::Enter.to_string();
    window.keys(&format!("{}f{}", Key::Control, Key::Null)).await;
    window.see_focus("buy-search").await;
    window.keys("japan").await;
    window.see(&testid("buy-search-option")).await;
    window.keys(&enter).await;
    window.see_focus("buy-quantity").await;
    // The number is selected, so it is replaced.
    window.keys("3").await;
    assert_eq!(window.value("buy-quantity").await, "3");
    let mut presses = 2 + tab_to(&window, "buy-business").await;
    window.keys("own shops").await;
    window.see(&testid("buy-business-option")).await;
    window.keys(&enter).await;
    presses += 1 + tab_to(&window, "buy-get-price").await;
    window.keys(&enter).await;
    window.see_focus("pay-open").await;
    window.keys(&enter).await;
    window.see_focus("pay-cancel").await;
    window.keys(&Key::Tab.to_string()).await;
    window.see_focus("pay-confirm").await;
    window.keys(&enter).await;
    window.see_focus("order-copy").await;
    // Enter that closed the dialog rests for a moment before it does anything else.
    let mut pressed = None::<std::time::Instant>;
    tests::until("they are copied", async || {
        // A press that follows too quickly keeps it at rest.
        if pressed.is_none_or(|at| at.elapsed().as_millis() > 1_000) {
            window.keys(&enter).await;
            pressed = Some(std::time::Instant::now());
        }
        (window.run("return document.querySelector('.toast.shown') !== null").await == true).then_some(())
    })
    .await;
    presses += 5;
    assert!(presses <= 20, "{presses} keys");
    assert_eq!(service.world.ledger().expect("a ledger").orders.len(), 1);
}

#[tokio::test]
async fn what_is_missing_has_the_focus_and_is_in_sight() {
    let (_service, window) = at_buy().await;
    window.resize(900, 600).await;
    window.press("buy-get-price").await;
    window.see_focus("buy-country").await;
    window.pick("buy-country", "japan").await;
    window.press("buy-get-price").await;
    window.see_focus("buy-business").await;
    let in_sight = "const {top, bottom} = document.activeElement.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight";
    tests::until("it is in sight", async || (window.run(in_sight).await == true).then_some(())).await;
}

#[tokio::test]
async fn a_choice_that_cannot_be_sent_has_the_focus_in_its_group_or_in_its_field() {
    let service = service::start().await;
    service.world.answer_options_with(Some(json!({"exclusivityOptions": ["mine", "ours"]})));
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.pick("buy-country", "japan").await;
    window.press("buy-get-price").await;
    window.see_focus("buy-sell-mode-mine").await;
    assert_eq!(window.text("price-scope").await, "1 IP", "no days, as none are chosen");
    // Next to choices that cannot be read there is a field to type.
    service.world.answer_options_with(Some(json!({"durationOptions": [30, {"tier": {"from": 1}}]})));
    window.press("nav-activity").await;
    window.press("nav-buy").await;
    window.press("buy-sell-mode-1").await;
    window.fill("buy-business", "1001").await;
    window.fill("buy-days-typed", "").await;
    window.press("buy-get-price").await;
    window.see_focus("buy-days-typed").await;
}

#[tokio::test]
async fn after_a_line_is_added_or_removed_the_focus_is_where_the_next_one_begins() {
    let (_service, window) = at_buy().await;
    window.press("buy-strategy-2").await;
    window.fill("buy-cidr", "203.0.113.0/24").await;
    window.fill("buy-cidr-quantity", "2").await;
    window.type_keys("buy-cidr-quantity", &Key::Enter.to_string()).await;
    window.see(&format!("{}[data-value='2']", testid("buy-line"))).await;
    window.see_focus("buy-cidr").await;
    window.press("buy-strategy-3").await;
    window.fill("buy-ips", "192.0.2.7 192.0.2.8").await;
    window.press("buy-add-line").await;
    window.see_focus("buy-ips").await;
    window.press("buy-line-remove").await;
    window.see_focus("buy-line-remove").await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_focus("buy-ips").await;
}

#[tokio::test]
async fn the_choices_and_the_price_fit_on_one_screen() {
    let (_service, window) = at_buy().await;
    window.resize(1400, 900).await;
    let over = "const main = document.querySelector('main'); return main.scrollHeight - main.clientHeight";
    tests::until("the choices fit", async || (window.run(over).await.as_f64()? <= 1.0).then_some(())).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    tests::until("the price fits too", async || (window.run(over).await.as_f64()? <= 1.0).then_some(())).await;
}
