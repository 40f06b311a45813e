//! Stock by network segment: shown where the vendor reports it, and absent otherwise.

use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn a_segment_in_stock_is_taken_by_a_press_and_bought_with_its_id() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("buy-strategy-2").await;
    window.pick("buy-country", "portugal").await;
    window.see_state("segment-stock", "ready").await;
    let cidr = window.attribute("segment-row", "data-key").await;
    window.fill("buy-cidr-quantity", "2").await;
    window.press("segment-take").await;
    window.see(&testid("buy-line")).await;
    window.pick("buy-business", "own shops").await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
    let bought = service.world.ledger().expect("a ledger").orders[0].config["segmentItems"][0].clone();
    assert_eq!((bought["cidr"].as_str(), &bought["purchaseIpCount"]), (Some(cidr.as_str()), &serde_json::json!(2)));
    assert!(bought["cidrId"].is_string() && bought["cityId"].is_string() && bought["countryCode"] == "PT", "{bought}");
}

#[tokio::test]
async fn where_the_vendor_tells_no_stock_by_segment_nothing_is_said_of_it() {
    let service = service::start().await;
    service.world.offer(sandbox::Capability::Cidrs, false);
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("buy-strategy-2").await;
    window.pick("buy-country", "portugal").await;
    let asked = || service::requests(&service, "inventory/cidrs");
    tests::until("it was asked", async || (asked() == 1).then_some(())).await;
    window.pick("buy-country", "japan").await;
    // The next request comes a moment after the choice, and so does the one for the states.
    window.pick("buy-country", "brazil").await;
    window.see(&testid("buy-state")).await;
    window.pick("buy-country", "portugal").await;
    window.see_gone(&testid("buy-state")).await;
    assert_eq!(asked(), 1, "asked once for each opening");
}
