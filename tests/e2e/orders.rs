//! The order book: late delivery, export, orders from elsewhere.

use fantoccini::key::Key;
use sandbox::Service;
use serde_json::{Value, json};
use tests::caller::Caller;
use tests::service;
use tests::window::{Window, testid};

/// Buys four IPs in the city that delivers in part at first.
async fn buy_in_lisbon(window: &Window) -> String {
    window.press("buy-quota-type-city").await;
    window.pick("buy-country", "portugal").await;
    window.pick("buy-city", "lisbon").await;
    window.fill("buy-quantity", "4").await;
    window.pick("buy-business", "own shops").await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-proxies", "ready").await;
    window.attribute("order-no", "data-value").await
}

#[tokio::test]
async fn a_late_delivery_is_followed_until_it_is_complete_and_goes_to_the_buyer_of_its_first_part() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    let number = buy_in_lisbon(&window).await;
    assert_eq!(window.attribute("order-delivered", "data-value").await, "2");
    window.fill("order-buyer", "Dora from the chat").await;
    window.see(&testid("order-buyer-option")).await;
    window.keys(&Key::Enter.to_string()).await;
    let is_for_dora = format!("{}[data-value='Dora from the chat']", testid("order-for"));
    window.see(&is_for_dora).await;
    window.see_focus("order-hand-over").await;
    service.world.clock.advance(60_000);
    // Nothing is pressed.
    window.see(&format!("{}[data-value='4']", testid("order-delivered"))).await;
    // What came later has no buyer yet.
    window.see(&format!("{}:not([data-value='Dora from the chat'])", testid("order-for"))).await;
    window.press("order-rest").await;
    window.see(&is_for_dora).await;
    window.see_focus("order-hand-over").await;
    window.press("order-hand-over").await;
    window.press("hand-copy").await;
    window.see(&format!("{}[data-value='copied']", testid("hand-sent"))).await;
    window.press("hand-close").await;
    // The buyer of all leads to their page, where every address that was sent can be seen.
    window.press("order-open-buyer").await;
    window.see(&format!("{}[data-value='4']", testid("buyer-ips"))).await;
    window.see(&format!("{}[data-value='1']", testid("buyer-deliveries"))).await;
    let addresses = testid("delivery-addresses");
    window.run(&format!("document.querySelector(\"{addresses} summary\").click()")).await;
    assert_eq!(window.text_of(&format!("{addresses} p")).await.matches(':').count(), 1, "the fourth");
    window.press("nav-orders").await;
    window.see(&format!("{}[data-key='{number}'][data-state='20']", testid("order-row"))).await;
}

#[tokio::test]
async fn proxies_are_exported_as_they_are_in_every_kind_of_file() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-proxies", "ready").await;
    window.press("nav-orders").await;
    window.press("order-row").await;
    window.see_state("order-proxies", "ready").await;
    let number = window.attribute("order-detail", "data-key").await;
    let sold = sold(&service, &number).await;
    window.choose("order-format", "own").await;
    window.fill("order-template", "%login%|%password%|%ip%|%port%|%pasword%").await;
    window.press("order-export").await;
    window.see(&testid("order-template-error")).await;
    window.fill("order-template", "%login%|%password%|%ip%|%port%").await;
    let expected: String = sold
        .iter()
        .map(|one| {
            format!(
                "{}|{}|{}|{}\n",
                word(one, "proxyUser"),
                word(one, "proxyPassword"),
                word(one, "proxyIp"),
                one["proxyPort"]
            )
        })
        .collect();
    assert_eq!(exported(&window, &number, "txt").await, expected);
    let table = exported(&window, &number, "csv").await;
    assert!(table.starts_with('\u{feff}') && table.lines().count() == 4, "{table}");
    assert!(sold.iter().all(|one| table.contains(word(one, "proxyPassword"))));
    let listed: Value = serde_json::from_str(&exported(&window, &number, "json").await).expect("JSON");
    assert_eq!((&listed[0]["ip"], &listed[2]["password"]), (&sold[0]["proxyIp"], &sold[2]["proxyPassword"]));
}

#[tokio::test]
async fn an_order_from_elsewhere_is_added_by_its_number_and_a_wrong_number_is_named() {
    let caller = Caller::new().await;
    let order = caller.order_for(json!({})).await;
    let placed = caller.place(&order, Some("elsewhere")).await;
    let number = placed.data()["orderNo"].as_str().expect("a number").to_owned();
    let mut window = Window::open().await;
    window.connect_to(&caller.service.base_url()).await;
    window.press("nav-orders").await;
    window.see_state("orders-table", "empty").await;
    window.press("order-add").await;
    window.fill("order-add-number", "1").await;
    window.press("order-add-confirm").await;
    assert!(window.text("order-add-number-error").await.contains("unknown order"));
    window.fill("order-add-number", &format!(" {number} ")).await;
    window.press("order-add-confirm").await;
    window.see_state("order-proxies", "ready").await;
    window.kill().await;
    window.start_again().await;
    window.press("nav-orders").await;
    window.see(&format!("{}[data-key='{number}']", testid("order-row"))).await;
}

#[tokio::test]
async fn an_order_is_found_by_its_place_and_bought_again_with_one_confirmation() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    let number = buy_in_lisbon(&window).await;
    service.world.clock.advance(60_000);
    let first = format!("{}[data-key='{number}']", testid("order-row"));
    window.press("nav-orders").await;
    window.fill("orders-search", "ｌｉｓｂｏｎ").await;
    window.see(&format!("{first}[data-state='20']")).await;
    window.choose("orders-shown", "progress").await;
    window.see(&format!("{}[data-value='1']", testid("outside-filters"))).await;
    window.press("outside-show").await;
    window.press("order-row").await;
    window.see(&testid("purchase-where")).await;
    window.press("nav-buy").await;
    window.press("buy-quota-type-global_random").await;
    window.press("nav-orders").await;
    window.press("order-again").await;
    // What is selected in Buy is not lost without a word.
    window.press("order-again-cancel").await;
    window.press("order-again").await;
    window.press("order-again-replace").await;
    window.see_focus("pay-open").await;
    assert_eq!(window.attribute("buy-line", "data-value").await, "4");
    assert_eq!(service::requests(&service, "place-and-pay"), 1, "a price is all that was asked for");
    window.pay().await;
    window.see(&format!("{}:not([data-value='{number}'])", testid("order-no"))).await;
    window.press("nav-orders").await;
    window.fill("orders-search", "").await;
    window.see(&format!("{} ~ {first}", testid("order-row"))).await;
    window.press("sort-since").await;
    window.see(&format!("{first} ~ {}", testid("order-row"))).await;
}

fn word<'a>(one: &'a Value, name: &str) -> &'a str {
    one[name].as_str().expect("text")
}

/// The proxies sold, from the service's own answer.
async fn sold(service: &Service, number: &str) -> Vec<Value> {
    let client = service::client(service);
    let detail = client.call(client::orders::detail(&wire::ids::OrderNo::new(number))).await.expect("an order").data;
    let details = serde_json::to_value(&detail.details).expect("JSON");
    details["ips"].as_array().expect("a list").clone()
}

/// Exports an order, and reads the file.
async fn exported(window: &Window, number: &str, kind: &str) -> String {
    window.choose("order-file-kind", kind).await;
    window.press("order-export").await;
    let file = window.home().join(format!("Downloads/proxies-{number}.{kind}"));
    tests::until("the file is written", async || std::fs::read_to_string(&file).ok().filter(|text| !text.is_empty()))
        .await
}
