//! Hazard 2, as seen by a person who waits.

use sandbox::Fault;
use tests::order::ENDPOINT;
use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn a_lost_answer_is_called_not_confirmed_repeated_by_itself_and_charged_once() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    service::fault(&service, ENDPOINT, Fault::DropAfter);
    window.pay().await;
    window.see_state("order-result", "unknown").await;
    let said = window.text("order-result").await;
    assert!(said.contains("Not confirmed") && !said.to_lowercase().contains("fail"), "{said}");
    window.see(&testid("unconfirmed-badge")).await;
    assert!(!window.is_enabled("buy-get-price").await, "no new price while its order is unknown");
    window.see_state("order-result", "applied").await;
    window.see_gone(&testid("unconfirmed-badge")).await;
    window.see_gone(&testid("buy-line")).await;
    let ledger = service.world.ledger().expect("a ledger");
    assert_eq!((ledger.orders.len(), ledger.wallet.to_string().as_str()), (1, "991.45"));
    let keys: Vec<_> =
        ledger.requests.iter().filter(|seen| seen.path.ends_with(ENDPOINT)).map(|seen| &seen.key).collect();
    assert!(keys.len() == 2 && keys[0] == keys[1], "{keys:?}");
}
