//! Hazard 6: the token is rotated in the vendor's console during work.

use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn a_token_rotated_in_mid_work_is_replaced_and_work_goes_on() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    service.world.rotate_static_token("second-token");
    window.press("buy-get-price").await;
    window.see("[data-testid='error-panel'][data-code='20000']").await;
    replace(&window, "second-token").await;
    window.get_price().await;
    // Rotated again between the price and the payment: the order is refused, and then paid unchanged.
    service.world.rotate_static_token("third-token");
    window.pay().await;
    window.see_state("order-result", "rejected").await;
    assert!(service.world.ledger().expect("a ledger").orders.is_empty());
    replace(&window, "third-token").await;
    window.press("operation-resend").await;
    window.see(&testid("operation-resend-confirm")).await;
    assert_eq!(window.axe().await, [""; 0]);
    window.press("operation-resend-confirm").await;
    window.see_state("order-result", "applied").await;
    let ledger = service.world.ledger().expect("a ledger");
    assert_eq!((ledger.orders.len(), ledger.wallet.to_string().as_str()), (1, "991.45"));
}

async fn replace(window: &Window, token: &str) {
    window.press("error-replace-token").await;
    window.press("token-save").await;
    window.see(&testid("token-new-error")).await;
    window.fill("token-new", token).await;
    window.press("token-save").await;
    window.see_gone(&testid("token-new")).await;
}
