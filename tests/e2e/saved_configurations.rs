//! Saved configurations and what was chosen last.

use std::path::Path;

use tests::desk::PICTURES;
use tests::service;
use tests::window::{Window, testid};

async fn picture(window: &Window, name: &str) {
    if let Some(folder) = std::env::var_os(PICTURES) {
        window.picture(&Path::new(&folder).join(format!("saved-{name}.png"))).await;
    }
}

#[tokio::test]
async fn a_configuration_is_saved_chosen_renamed_and_deleted() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    // Nothing is selected yet: what is missing is shown.
    window.press("buy-save").await;
    window.see(&testid("buy-get-price-error")).await;
    window.choose_three_in_japan().await;
    window.press("buy-save").await;
    window.fill("saved-name", "Japan month").await;
    picture(&window, "save").await;
    window.press("saved-confirm").await;
    window.see(&testid("buy-saved")).await;
    window.press("buy-line-remove").await;
    window.press("buy-saved").await;
    picture(&window, "menu").await;
    window.press("buy-saved-option").await;
    window.see(&format!("{}[data-value='8.55']", testid("price-amount"))).await;
    // From anywhere, by its name.
    window.press("buy-line-remove").await;
    window.press("nav-orders").await;
    window.say("japan month", "saved-1").await;
    window.see(&format!("{}[data-value='8.55']", testid("price-amount"))).await;
    assert_eq!(service.world.ledger().expect("a ledger").orders.len(), 0, "a price is no order");
    // What is selected is replaced only if asked to.
    window.press("buy-saved").await;
    window.press("buy-saved-option").await;
    window.press("buy-saved-cancel").await;
    window.press("buy-saved").await;
    window.press("buy-saved-manage").await;
    window.press("saved-rename-begin").await;
    window.fill("saved-rename", "Japan").await;
    window.press("saved-rename-confirm").await;
    window.see(&testid("saved-rename-begin")).await;
    let row = window.text("saved-row").await;
    assert!(row.starts_with("Japan") && !row.contains("month"), "{row}");
    picture(&window, "manage").await;
    assert_eq!(window.axe().await, [""; 0]);
    window.press("saved-delete").await;
    window.press("saved-delete-confirm").await;
    window.see_gone(&testid("saved-row")).await;
    window.see_gone(&testid("buy-saved")).await;
}

#[tokio::test]
async fn the_next_start_begins_with_what_was_chosen_last_and_orders_name_their_purpose() {
    let mut window = Window::open().await;
    window.practise().await;
    window.press("buy-days-7").await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    window.choose("order-format", "at").await;
    window.press("order-copy").await;
    window.see(".toast.shown").await;
    let purpose = window.value("buy-business").await;
    window.kill().await;
    window.start_again().await;
    // Buy was not opened in this run.
    window.press("nav-orders").await;
    window.press("order-row").await;
    window.see_state("order-proxies", "ready").await;
    assert_eq!(window.text("purchase-business").await, purpose);
    assert_eq!(window.value("order-format").await, "at");
    window.press("nav-buy").await;
    window.see("[data-testid='buy-days-7'][data-state='checked']").await;
    assert_eq!(window.value("buy-business").await, purpose);
    picture(&window, "last-choices").await;
}
