//! Elsewhere and back: a place is as it was left, by keys, by the mouse and by the side bar.

use fantoccini::key::Key;
use serde_json::Value;
use tests::service;
use tests::steps::at_customers;
use tests::traffic_move::CUSTOMER;
use tests::window::{Window, testid};

/// Where the list of customers is scrolled to, in px; nothing without a list.
const LIST: &str = "return document.querySelector('[data-testid=customers-rows]')?.scrollTop ?? null";

/// Presses an arrow with Alt held, then releases it.
pub(crate) fn alt(arrow: Key) -> String {
    format!("{}{arrow}{}", Key::Alt, Key::Null)
}

/// Presses a button of the mouse that the driver does not have: 3 is Back, 4 is Forward.
async fn mouse(window: &Window, button: u8) {
    let script =
        "document.body.dispatchEvent(new MouseEvent('mouseup', { bubbles: true, cancelable: true, button: %% }))";
    window.run(&script.replace("%%", &button.to_string())).await;
}

async fn see_place(window: &Window, place: &str) {
    window.see(&format!("{}[aria-current='page']", testid(place))).await;
}

async fn see_scrolled(window: &Window, script: &str, wanted: u64) {
    tests::until(&format!("scrolled to {wanted}"), async || (window.run(script).await == wanted).then_some(())).await;
}

#[tokio::test]
async fn customers_are_as_they_were_left_by_keys_by_the_mouse_and_by_the_side_bar() {
    let (_service, window) = at_customers().await;
    window.run("document.querySelector('[data-testid=customers-rows]').scrollTop = 900").await;
    see_scrolled(&window, LIST, 900).await;
    window.press("nav-activity").await;
    see_place(&window, "nav-activity").await;
    window.keys(&alt(Key::Left)).await;
    see_place(&window, "nav-customers").await;
    see_scrolled(&window, LIST, 900).await;
    // One customer's page begins at its top, and the list is where it was. The driver's own press would scroll it.
    window.run("document.querySelectorAll('[data-testid=customer-open]')[8].click()").await;
    window.see(&testid("customer-page")).await;
    mouse(&window, 3).await;
    see_scrolled(&window, LIST, 900).await;
    mouse(&window, 4).await;
    window.see(&testid("customer-page")).await;
    window.press("nav-orders").await;
    window.press("nav-customers").await;
    see_scrolled(&window, LIST, 900).await;
    window.press("sort-name").await;
    window.fill("customers-search", CUSTOMER).await;
    window.press("nav-overview").await;
    see_place(&window, "nav-overview").await;
    window.keys(&alt(Key::Left)).await;
    window.see(&format!("[aria-sort='ascending'] {}", testid("sort-name"))).await;
    assert_eq!(window.value("customers-search").await, CUSTOMER);
    window.see(&format!("{} [data-count='1']", testid("customers-table"))).await;
    window.choose("customers-runs-out", "7").await;
    window.press("nav-overview").await;
    see_place(&window, "nav-overview").await;
    window.keys(&alt(Key::Left)).await;
    assert_eq!(window.value("customers-runs-out").await, "7");
    window.keys(&alt(Key::Right)).await;
    see_place(&window, "nav-overview").await;
    // The buttons do the same, and the last step ahead leaves a button that says that there is none.
    window.press("go-back").await;
    see_place(&window, "nav-customers").await;
    window.press("go-forward").await;
    see_place(&window, "nav-overview").await;
    window.see(&format!("{}[aria-disabled='true']", testid("go-forward"))).await;
}

#[tokio::test]
async fn the_side_bar_leads_to_the_list_from_inside_customers_and_pasted_lines_are_there_again() {
    let (_service, window) = at_customers().await;
    window.press("bulk-paste").await;
    window.press("bulk-deduct").await;
    window.fill("bulk-text", "100001 1g").await;
    window.press("nav-customers").await;
    window.see_state("customers-table", "ready").await;
    window.press("bulk-paste").await;
    assert_eq!(window.value("bulk-text").await, "100001 1g");
    window.see_state("bulk-deduct", "checked").await;
    window.press("nav-customers").await;
    window.press("customer-open").await;
    window.see(&testid("customer-page")).await;
    window.press("nav-customers").await;
    window.see_state("customers-table", "ready").await;
    window.keys(&alt(Key::Left)).await;
    window.see(&testid("customer-page")).await;
}

#[tokio::test]
async fn searches_filters_and_the_part_of_traffic_are_kept_until_another_connection_opens() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.resize(1000, 640).await;
    window.buy_three_in_japan().await;
    window.fill("buy-quantity", "7").await;
    let page = "return Math.round(document.querySelector('main').scrollTop)";
    window.run("document.querySelector('main').scrollTop = 240").await;
    see_scrolled(&window, page, 240).await;
    window.press("nav-orders").await;
    window.press("order-add").await;
    window.fill("order-add-number", "17").await;
    window.press("nav-activity").await;
    window.fill("activity-search", "japan").await;
    window.choose("activity-kind", "place-and-pay").await;
    window.press("nav-traffic").await;
    window.press("traffic-part-records").await;
    window.fill("records-account", "anna").await;
    window.press("nav-overview").await;
    see_place(&window, "nav-overview").await;
    for place in ["nav-traffic", "nav-activity", "nav-orders", "nav-buy"] {
        window.keys(&alt(Key::Left)).await;
        see_place(&window, place).await;
        match place {
            "nav-traffic" => assert_eq!(window.value("records-account").await, "anna"),
            "nav-activity" => {
                assert_eq!(window.value("activity-search").await, "japan");
                assert_eq!(window.value("activity-kind").await, "place-and-pay");
            }
            "nav-orders" => assert_eq!(window.value("order-add-number").await, "17"),
            _ => assert_eq!(window.value("buy-quantity").await, "7"),
        }
    }
    see_scrolled(&window, page, 240).await;
    window.choose("connection-switch", "practice").await;
    window.see(&testid("practice-band")).await;
    for arrow in [Key::Left, Key::Right] {
        window.keys(&alt(arrow)).await;
        see_place(&window, "nav-buy").await;
        window.see(&testid("practice-band")).await;
    }
    window.press("nav-orders").await;
    window.see_state("orders-table", "empty").await;
    window.see_gone(&testid("order-add-number")).await;
    window.press("nav-traffic").await;
    window.see(&testid("usage-rows")).await;
}

#[tokio::test]
async fn keys_that_go_elsewhere_wait_for_an_open_dialog() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.press("pay-open").await;
    window.see(&testid("pay-confirm")).await;
    for keys in [format!("{},{}", Key::Control, Key::Null), format!("{}k{}", Key::Control, Key::Null), alt(Key::Left)] {
        window.keys(&keys).await;
    }
    mouse(&window, 3).await;
    let dialogs = window.run("return document.querySelectorAll('[role=dialog]').length").await;
    assert_eq!(
        (dialogs, window.run("return document.activeElement.dataset.testid").await),
        (1.into(), Value::from("pay-cancel"))
    );
    see_place(&window, "nav-buy").await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("pay-confirm")).await;
    window.keys(&format!("{},{}", Key::Control, Key::Null)).await;
    see_place(&window, "nav-settings").await;
    window.keys(&alt(Key::Left)).await;
    see_place(&window, "nav-buy").await;
    window.see(&testid("price-amount")).await;
    window.see_gone(&testid("pay-confirm")).await;
    // A focused choice does not take the arrows for its own.
    window.press("buy-quota-type-city").await;
    window.run("document.querySelector('[data-testid=buy-quota-type-city]').focus()").await;
    for (arrow, place) in [(Key::Right, "nav-settings"), (Key::Left, "nav-buy")] {
        window.keys(&alt(arrow)).await;
        see_place(&window, place).await;
    }
    window.see_state("buy-quota-type-city", "checked").await;
    assert!(service.world.ledger().expect("a ledger").orders.is_empty(), "nothing was bought");
}

#[tokio::test]
async fn a_row_of_usage_or_of_records_opens_what_it_is_about_and_back_leads_to_it() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    window.see_usage_read().await;
    // A day opens who used its traffic.
    let day = window.attribute("usage-row", "data-key").await;
    window.press("usage-row").await;
    window.see_state("usage-by-customer", "checked").await;
    assert_eq!((window.value("usage-from").await, window.value("usage-to").await), (day.clone(), day));
    window.see(&format!("{}:not([data-key*='-'])", testid("usage-row"))).await;
    let key = window.attribute("usage-row", "data-key").await;
    window.press("usage-row").await;
    window.see(&format!("{}[data-key='{key}']", testid("customer-page"))).await;
    window.keys(&alt(Key::Left)).await;
    window.see(&format!("{}[data-key='{key}']", testid("usage-row"))).await;
    let find = format!("{}f{}", Key::Control, Key::Null);
    window.keys(&find).await;
    window.see_focus("usage-customer").await;
    window.press("traffic-part-records").await;
    window.see(&testid("records-row")).await;
    window.keys(&find).await;
    window.see_focus("records-account").await;
    window.press("records-row").await;
    window.see(&testid("customer-page")).await;
    window.keys(&alt(Key::Left)).await;
    window.see(&testid("records-row")).await;
}
