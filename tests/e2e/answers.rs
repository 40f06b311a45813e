//! Wrong, slow and refusing answers: the message that a person reads; the choices stay.

use fantoccini::key::Key;
use sandbox::Fault;
use tests::service;
use tests::window::{Window, testid};

const PRICE: &str = "purchase/quote";

fn refuse(code: &str) -> Fault {
    Fault::Refuse { code: Some(code.into()) }
}

#[tokio::test]
async fn whatever_comes_instead_of_a_price_is_told_in_words() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    let cases = [
        (Fault::Html, "not-this-service", "it is not the vendor's interface"),
        (Fault::Redirect, "not-this-service", "it is not the vendor's interface"),
        (Fault::Large { mib: 12 }, "too-large", "far larger than it should be"),
        (Fault::Status { code: 503 }, "vendor-trouble", "server has a problem"),
        (Fault::Cut { at: 40 }, "no-answer", "response didn't arrive"),
        (Fault::DropBefore, "no-answer", "response didn't arrive"),
        (Fault::NullData, "unreadable", "can't be read"),
        (refuse("20000"), "20000", "did not accept the developer ID or the token"),
        (refuse("20010"), "20010", "developer ID is missing"),
        (refuse("20011"), "20011", "token is missing"),
        (refuse("60004"), "60004", "balance is too low"),
        (refuse("60310"), "60310", "The vendor refused this request: “refused”"),
        (refuse("99999"), "99999", "The vendor refused this request"),
    ];
    for (fault, code, sentence) in cases {
        service::fault(&service, PRICE, fault.clone());
        window.press("buy-get-price").await;
        let said = window.see_error(code).await;
        assert!(said.contains(sentence), "{fault:?}: {said}");
        let words = said.split(" Code ").next().unwrap_or_default();
        assert!(words.matches('.').count() >= 2, "{fault:?}: it says what to do: {said}");
    }
    window.get_price().await;
    assert_eq!(window.attribute("price-amount", "data-value").await, "8.55");
}

#[tokio::test]
async fn a_wrong_prefix_is_not_this_service_and_can_be_corrected() {
    let service = service::start().await;
    let window = Window::open().await;
    window.press("welcome-connect").await;
    window.describe_connection(&service.base_url()).await;
    window.press("connection-advanced").await;
    window.fill("connection-static-prefix", "/apo").await;
    window.press("connection-test").await;
    window.see_state("connection-static-result", "not-this-service").await;
    window.fill("connection-static-prefix", "/api").await;
    window.press("connection-test").await;
    window.see_state("connection-static-result", "ok").await;
}

#[tokio::test]
async fn who_stops_waiting_for_a_slow_price_keeps_every_choice_and_may_ask_again() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    service::fault(&service, PRICE, Fault::Delay { ms: 50_000 });
    window.type_keys("buy-get-price", &Key::Enter.to_string()).await;
    // The button that waits keeps the focus, and says for what.
    window.see(&format!("{}[aria-busy='true'][data-why]", testid("buy-get-price"))).await;
    window.see_focus("buy-get-price").await;
    window.press("stop-waiting").await;
    window.see_gone(&testid("stop-waiting")).await;
    window.see_gone(&testid("error-panel")).await;
    window.get_price().await;
    assert_eq!(window.attribute("price-amount", "data-value").await, "8.55");
}

#[tokio::test]
async fn a_price_list_that_changed_before_payment_buys_nothing_and_shows_by_how_much() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    service.world.set_prices(110);
    window.pay().await;
    window.see_state("order-result", "rejected").await;
    assert!(service.world.ledger().expect("a ledger").orders.is_empty());
    window.press("buy-get-price").await;
    window.see(&format!("{}[data-value='0.86']", testid("price-change"))).await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
    let ledger = service.world.ledger().expect("a ledger");
    assert_eq!((ledger.orders.len(), ledger.wallet.to_string().as_str()), (1, "990.59"));
}
