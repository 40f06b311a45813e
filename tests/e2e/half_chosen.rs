//! No selection is silently left out of an order, and no price is for less than is on screen.

use fantoccini::Locator;
use fantoccini::key::Key;
use sandbox::Service;
use tests::service;
use tests::window::{Window, testid};

async fn at_buy() -> (Service, Window) {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    (service, window)
}

async fn is_there(window: &Window, id: &str) -> bool {
    !window.driver.find_all(Locator::Css(&testid(id))).await.expect("a page").is_empty()
}

async fn lacks(window: &Window, id: &str) {
    window.see(&format!("{}[data-value='{id}']", testid("buy-line-open"))).await;
}

#[tokio::test]
async fn a_city_stands_before_the_province_of_its_name_each_with_its_kind() {
    let (service, window) = at_buy().await;
    window.fill("buy-search", "osaka").await;
    let kinds = async || {
        let all = "return [...document.querySelectorAll('[data-testid=buy-search-option]')].map((one) => one.textContent.replace(/\\s+/g, ' ').trim())";
        let all: Vec<String> = serde_json::from_value(window.run(all).await).ok()?;
        // Not what the first letters have found.
        (all.len() > 1 && all[0].contains("Osaka")).then_some(all)
    };
    let all = tests::until("several are found", kinds).await;
    assert!(all[0].starts_with("Osaka City") && all[0].contains("Japan"), "{all:?}");
    assert!(all.iter().any(|one| one.contains("State or province")), "{all:?}");
    window.type_keys("buy-search", &Key::Enter.to_string()).await;
    window.see(&format!("{}:not([data-value=''])", testid("buy-city"))).await;
    window.fill("buy-quantity", "3").await;
    window.type_keys("buy-quantity", &Key::Enter.to_string()).await;
    window.see(&format!("{}[data-value='3']", testid("buy-line"))).await;
    window.pick("buy-business", "own shops").await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
    let bought = service.world.ledger().expect("a ledger").orders[0].config["quotaItems"][0].clone();
    assert_eq!((bought["type"].as_str(), &bought["quantity"]), (Some("city"), &serde_json::json!(3)));
}

#[tokio::test]
async fn while_a_place_is_half_chosen_there_is_no_price_and_nothing_to_pay() {
    let (service, window) = at_buy().await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    assert!(is_there(&window, "pay-open").await);
    // Only the province is chosen: its city stays empty.
    window.press("buy-quota-type-city").await;
    window.pick("buy-country", "japan").await;
    lacks(&window, "buy-state").await;
    assert!(!is_there(&window, "price-amount").await && !is_there(&window, "pay-open").await);
    window.pick("buy-state", "osaka").await;
    lacks(&window, "buy-city").await;
    window.fill("buy-quantity", "3").await;
    let asked = service::requests(&service, "purchase/quote");
    window.press("buy-get-price").await;
    let said = window.text("buy-open").await;
    assert!(said.contains("Osaka is not in the order yet") && said.contains("Select the city"), "{said}");
    assert_eq!(window.text("buy-city-error").await, "Select the city.");
    window.see_focus("buy-city").await;
    assert!(!is_there(&window, "pay-open").await);
    assert_eq!(service::requests(&service, "purchase/quote"), asked, "nothing was asked");
    // Once a person leaves it out, the price is back.
    window.press("buy-open-leave").await;
    window.see(&testid("pay-open")).await;
    assert_eq!(window.attribute("price-amount", "data-value").await, "8.55");
    // Once complete, it is bought too.
    window.press("buy-quota-type-city").await;
    window.pick("buy-country", "japan").await;
    window.pick("buy-state", "osaka").await;
    window.pick("buy-city", "osaka").await;
    window.fill("buy-quantity", "2").await;
    window.see_state("buy-line-open", "whole").await;
    assert!(!is_there(&window, "pay-open").await, "not added yet");
    window.type_keys("buy-quantity", &Key::Enter.to_string()).await;
    window.see_gone(&testid("buy-line-open")).await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
    let config = service.world.ledger().expect("a ledger").orders[0].config.clone();
    assert_eq!((config["purchaseIpCount"].as_i64(), config["quotaItems"].as_array().map(Vec::len)), (Some(5), Some(2)));
}

#[tokio::test]
async fn a_number_a_segment_or_an_ip_that_is_typed_and_not_added_holds_the_price() {
    let (service, window) = at_buy().await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.fill("buy-quantity", "3").await;
    lacks(&window, "buy-country").await;
    assert!(!is_there(&window, "pay-open").await, "three, but where?");
    window.fill("buy-quantity", "1").await;
    window.see(&testid("pay-open")).await;
    // "Anywhere" counts as a selection too.
    window.press("buy-quota-type-global_random").await;
    window.see_state("buy-line-open", "whole").await;
    assert!(!is_there(&window, "pay-open").await);
    window.press("buy-open-leave").await;
    window.see(&testid("pay-open")).await;
    // Another way to choose begins a separate order, which has no price until what is not in it is left out.
    window.press("buy-strategy-2").await;
    window.fill("buy-cidr", "203.0.113.0/24 2").await;
    window.press("buy-add-line").await;
    window.see(&format!("{}[data-value='1']", testid("buy-elsewhere"))).await;
    let asked = service::requests(&service, "purchase/quote");
    window.press("buy-get-price").await;
    window.see_focus("buy-elsewhere-show").await;
    assert_eq!(service::requests(&service, "purchase/quote"), asked, "nothing was asked");
    window.press("buy-elsewhere-show").await;
    window.see(&format!("{}[data-value='3']", testid("buy-line"))).await;
    window.see(&format!("{}[data-value='1']", testid("buy-elsewhere"))).await;
    window.press("buy-strategy-2").await;
    window.press("buy-elsewhere-leave").await;
    window.see_gone(&testid("buy-elsewhere")).await;
    window.fill("buy-cidr", "nonsense").await;
    lacks(&window, "buy-cidr").await;
    window.press("buy-open-leave").await;
    window.get_price().await;
    assert_eq!(window.attribute("price-amount", "data-value").await, "5.7");
    window.fill("buy-cidr", "198.51.100.0/24 1").await;
    window.see_state("buy-line-open", "whole").await;
    assert!(!is_there(&window, "pay-open").await);
}
