//! The wallet's figure: typed once, lowered by orders, doubted when the vendor says that it does not suffice.

use std::path::Path;

use fantoccini::key::Key;
use tests::desk::PICTURES;
use tests::service;
use tests::window::{Window, testid};

/// Saves a picture for a person to look at, if any are wanted.
async fn picture(window: &Window, name: &str) {
    if let Some(folder) = std::env::var_os(PICTURES) {
        window.picture(&Path::new(&folder).join(format!("wallet-{name}.png"))).await;
    }
}

async fn see_wallet(window: &Window, value: &str) {
    window.see(&format!("{}[data-state='ready'][data-value='{value}']", testid("wallet-open"))).await;
}

/// Types into the wallet's form and saves.
async fn set(window: &Window, amount: &str) {
    window.press("wallet-open").await;
    window.fill("wallet-amount", amount).await;
    window.press("wallet-save").await;
}

#[tokio::test]
async fn a_balance_is_typed_once_and_follows_the_orders() {
    let service = service::start().await;
    let mut window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.see_state("wallet-open", "empty").await;
    assert_eq!(window.text("wallet-open").await, "Enter balance");
    set(&window, "-5").await;
    assert!(window.text("wallet-amount-error").await.contains("8.55"));
    window.fill("wallet-amount", "1,017.10").await;
    // Enter saves.
    window.keys(&Key::Enter.to_string()).await;
    window.see(&format!("{}[data-value='1017.1']", testid("wallet-sum"))).await;
    picture(&window, "typed").await;
    window.keys(&Key::Escape.to_string()).await;
    see_wallet(&window, "1017.1").await;
    assert!(window.text("wallet-open").await.contains("'s balance"), "it says of which day");
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.press("pay-open").await;
    assert_eq!(window.attribute("pay-wallet", "data-value").await, "1017.1");
    assert_eq!(window.text("pay-wallet-after").await, "1,008.55 USD");
    picture(&window, "paying").await;
    window.press("pay-confirm").await;
    window.see_state("order-result", "applied").await;
    see_wallet(&window, "1008.55").await;
    window.press("wallet-open").await;
    window.see(&format!("{}[data-state='took'][data-value='8.55']", testid("wallet-line"))).await;
    window.press("wallet-what-added").await;
    window.fill("wallet-amount", "500").await;
    window.press("wallet-save").await;
    window.see(&format!("{}[data-value='1508.55']", testid("wallet-sum"))).await;
    picture(&window, "ledger").await;
    assert_eq!(window.axe().await, [""; 0]);
    // What was added is removed again: it is the newest line.
    window.press("wallet-remove").await;
    window.see(&format!("{}[data-value='1008.55']", testid("wallet-sum"))).await;
    window.press("wallet-close").await;
    window.kill().await;
    window.start_again().await;
    see_wallet(&window, "1008.55").await;
}

#[tokio::test]
async fn a_figure_that_does_not_suffice_warns_and_one_that_is_too_high_asks_for_the_balance() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    set(&window, "5").await;
    window.see(&testid("wallet-sum")).await;
    window.press("wallet-close").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.press("pay-open").await;
    window.see_state("pay-wallet-after", "no").await;
    assert!(window.text("pay-wallet-warning").await.contains("too low for this payment"));
    picture(&window, "warned").await;
    assert!(window.is_enabled("pay-confirm").await, "the figure is only our own");
    window.press("pay-cancel").await;
    set(&window, "100").await;
    window.press("wallet-close").await;
    service.world.set_wallet("8.54".parse().expect("an amount")).expect("a ledger");
    window.pay().await;
    window.see_state("order-result", "rejected").await;
    window.see_state("wallet-open", "doubt").await;
    window.press("wallet-open").await;
    let doubt = window.text("wallet-doubt").await;
    assert!(doubt.contains("too high") && doubt.contains("8.55"), "{doubt}");
    picture(&window, "too-high").await;
    window.fill("wallet-amount", "8.54").await;
    window.press("wallet-save").await;
    window.see_gone(&testid("wallet-doubt")).await;
    window.press("wallet-close").await;
    see_wallet(&window, "8.54").await;
}

#[tokio::test]
async fn an_order_that_is_not_confirmed_is_a_range() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    set(&window, "100").await;
    window.press("wallet-close").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    service::fault(&service, "place-and-pay", sandbox::Fault::DropAfter);
    window.pay().await;
    window
        .see(&format!("{}[data-state='uncertain'][data-least='91.45'][data-value='100']", testid("wallet-open")))
        .await;
    picture(&window, "uncertain").await;
    window.see_state("order-result", "applied").await;
    see_wallet(&window, "91.45").await;
}

#[tokio::test]
async fn practice_shows_its_own_wallet_which_nobody_types() {
    let window = Window::open().await;
    window.practise().await;
    see_wallet(&window, "1000").await;
    window.buy_three_in_japan().await;
    see_wallet(&window, "991.45").await;
    window.press("wallet-open").await;
    window.see_gone(&testid("wallet-amount")).await;
    picture(&window, "practice").await;
    window.press("wallet-practice").await;
    window.fill("practice-wallet", "5").await;
    window.press("practice-wallet-set").await;
    window.press("practice-close").await;
    see_wallet(&window, "5").await;
}
