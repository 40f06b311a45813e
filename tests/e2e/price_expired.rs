//! Hazard 7: the price expires before it is paid.

use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn an_expired_price_is_fetched_again_and_every_choice_is_kept() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.press("buy-days-60").await;
    window.get_price().await;
    assert_eq!(window.attribute("price-amount", "data-value").await, "16.56");
    service.world.clock.advance(300_000);
    window.pay().await;
    window.see(&testid("price-expired")).await;
    window.see_state("order-result", "rejected").await;
    assert!(service.world.ledger().expect("a ledger").orders.is_empty());
    assert_eq!(window.attribute("buy-days-60", "aria-checked").await, "true");
    window.press("buy-get-price").await;
    window.see(&format!("{}[data-value]", testid("price-change"))).await;
    window.see_gone(&testid("price-expired")).await;
    assert_eq!(window.attribute("price-amount", "data-value").await, "16.56");
    window.pay().await;
    window.see_state("order-result", "applied").await;
    let ledger = service.world.ledger().expect("a ledger");
    assert_eq!((ledger.orders.len(), ledger.wallet.to_string().as_str()), (1, "983.44"));
}
