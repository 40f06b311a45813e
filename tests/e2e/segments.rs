//! Stock by network segment: shown where the vendor tells it, absent where not.

use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn a_segment_in_stock_is_taken_by_a_press_and_bought_with_its_id() {
    let service = service::start().await;
    service.world.offer_segments();
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("buy-strategy-2").await;
    window.pick("buy-country", "portugal").await;
    window.see_state("segment-stock", "ready").await;
    let cidr = window.attribute("segment-row", "data-key").await;
    window.fill("buy-cidr-quantity", "2").await;
    window.press("segment-take").await;
    let typed = window.see(&testid("buy-cidr")).await.prop("value").await.expect("a value").unwrap_or_default();
    let words: Vec<_> = typed.split(' ').collect();
    assert_eq!(words[..2], [cidr.as_str(), "2"]);
    assert!(words[2].parse::<u64>().is_ok(), "{typed}");
    window.pick("buy-business", "own shops").await;
    window.press("buy-add-line").await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
}

#[tokio::test]
async fn where_the_vendor_tells_no_stock_by_segment_nothing_is_said_of_it() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("buy-strategy-2").await;
    window.pick("buy-country", "portugal").await;
    let asked = || {
        let requests = service.world.ledger().expect("a ledger").requests;
        requests.iter().filter(|seen| seen.path.ends_with("inventory/cidrs")).count()
    };
    tests::until("it was asked", async || (asked() == 1).then_some(())).await;
    window.pick("buy-country", "japan").await;
    window.see_gone(&testid("segment-stock")).await;
    window.see_gone(&testid("error-panel")).await;
    assert_eq!(asked(), 1, "asked once for each opening");
}
