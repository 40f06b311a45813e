//! Buy works, whatever the shape of the vendor's options.

use fantoccini::Locator;
use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn options_of_any_shape_leave_every_field_of_buy_in_place() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    for (name, data) in tests::option_shapes::all() {
        window.press("nav-activity").await;
        window.see(&testid("activity-table")).await;
        service.world.answer_options_with(Some(data));
        let asked = options_read(&service);
        window.press("nav-buy").await;
        tests::until("the options are read again", async || (options_read(&service) > asked).then_some(())).await;
        window.see(&testid("buy-get-price")).await;
        for id in [
            "buy-sell-mode",
            "buy-line-type",
            "buy-business",
            "buy-days",
            "buy-bandwidth",
            "buy-conn-limit",
            "buy-quantity",
        ] {
            let found = window.driver.find_all(Locator::Css(&format!("[data-testid^='{id}']"))).await.expect("a page");
            assert!(!found.is_empty(), "{name}: {id} is there in some form");
        }
    }
}

#[tokio::test]
async fn without_usable_options_everything_can_be_typed_and_bought() {
    let service = service::start().await;
    service.world.answer_options_with(Some(serde_json::json!([])));
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.pick("buy-country", "japan").await;
    window.fill("buy-quantity", "3").await;
    for (field, text) in
        [("buy-business", "1001"), ("buy-days", "30"), ("buy-bandwidth", "10"), ("buy-conn-limit", "100")]
    {
        window.fill(field, text).await;
    }
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
    assert_eq!(service.world.ledger().expect("a ledger").wallet.to_string(), "991.45");
}

fn options_read(service: &sandbox::Service) -> usize {
    let requests = service.world.ledger().expect("a ledger").requests;
    requests.iter().filter(|seen| seen.path.ends_with("purchase/options")).count()
}

/// Reopens Buy with these choices of UDP.
async fn offer_udp(service: &sandbox::Service, window: &Window, udp: serde_json::Value) {
    window.press("nav-activity").await;
    window.see(&testid("activity-table")).await;
    service.world.answer_options_with(Some(serde_json::json!({"udpOptions": udp})));
    let asked = options_read(service);
    window.press("nav-buy").await;
    tests::until("the options are read again", async || (options_read(service) > asked).then_some(())).await;
}

#[tokio::test]
async fn udp_offers_what_the_vendor_offers_and_nothing_else() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    let switch = "[data-testid='buy-udp'][role='switch']";
    offer_udp(&service, &window, serde_json::json!(null)).await;
    window.see(switch).await;
    window.press("buy-udp").await;
    window.see(&format!("{switch}[aria-checked='true']")).await;
    offer_udp(&service, &window, serde_json::json!([{"value": 0, "nameZh": "关闭", "nameEn": "Closed"}, "sometimes"]))
        .await;
    window.see("[data-testid='buy-udp'][data-value='false']").await;
    window.see_gone(switch).await;
    let said = window.text("buy-udp").await;
    assert!(said.contains("Off") && said.contains("Closed"), "in our word, with the vendor's beside it: {said}");
    assert!(window.text("buy-udp-unread").await.contains("sometimes"));
    window.run("document.querySelector('[data-testid=buy-udp]').scrollIntoView({block: 'center'})").await;
    window.picture(&tests::root().join("target/pictures/udp-off-alone.png")).await;
    for (field, text) in
        [("buy-business", "1001"), ("buy-days", "30"), ("buy-bandwidth", "10"), ("buy-conn-limit", "100")]
    {
        window.fill(field, text).await;
    }
    window.pick("buy-country", "japan").await;
    window.get_price().await;
    let japan = window.attribute("price-amount", "data-value").await;
    offer_udp(&service, &window, serde_json::json!(["on"])).await;
    window.see("[data-testid='buy-udp'][data-value='true']").await;
    window.get_price().await;
    let with_udp = window.attribute("price-amount", "data-value").await;
    assert_ne!(japan, with_udp, "UDP costs more: it is what was asked for");
    offer_udp(&service, &window, serde_json::json!([true, false])).await;
    window.see(switch).await;
}
