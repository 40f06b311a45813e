//! The wallet holds too little money.

use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn too_small_a_balance_buys_nothing_and_says_so() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    service.world.set_wallet("8.54".parse().expect("an amount")).expect("a ledger");
    window.pay().await;
    window.see_state("order-result", "rejected").await;
    let said = window.text("order-result").await;
    assert!(said.contains("Nothing was charged"), "{said}");
    assert!(service.world.ledger().expect("a ledger").orders.is_empty());
    service.world.set_wallet("100".parse().expect("an amount")).expect("a ledger");
    window.see(&testid("buy-line")).await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
    let ledger = service.world.ledger().expect("a ledger");
    assert_eq!((ledger.orders.len(), ledger.wallet.to_string().as_str()), (1, "91.45"));
}
