//! Buyers: one who is a customer too, and what stays with one when the vendor shows it no more.

use serde_json::json;
use tests::agent::buy_elsewhere;
use tests::service;
use tests::window::{Window, testid};

use crate::ips::{see_ips, with_order};

#[tokio::test]
async fn a_buyer_who_is_a_customer_shows_their_traffic_and_leads_to_their_page() {
    let (service, window) = with_order(0).await;
    let client = service::client(&service);
    let first = client::customers::all(&client, None).await.expect("customers").swap_remove(0);
    see_ips(&window).await;
    window.press("ips-view-buyers").await;
    window.press("buyers-create-first").await;
    window.pick("buyer-customer", &first.user_name).await;
    window.press("buyer-save").await;
    // Their page opens, with the name of the customer.
    window.see_gone(&testid("buyer-save")).await;
    let left = first.residual_flow.expect("an amount").to_string();
    window.see(&format!("{}[data-value='{left}']", testid("buyer-left"))).await;
    let link = format!("{} {}", testid("buyer-page"), testid("customer-link"));
    window.see(&format!("{link}[data-key='{}']", first.customer_id)).await;
    // IPs are chosen for them from those of nobody.
    window.press("ips-choose-free").await;
    window.press("ips-select-all").await;
    window.press("ips-assign").await;
    window.pick("assign-buyer", &first.user_name).await;
    window.press("assign-save").await;
    window.see_gone(&testid("assign-save")).await;
    // Nobody's are shown, and none is left.
    window.press("outside-show").await;
    window.press("ips-open-buyer").await;
    window.see(&format!("{}[data-value='3']", testid("buyer-ips"))).await;
    window.run(&format!("document.querySelector(\"{link}\").click()")).await;
    window.see(&format!("{}[data-key='{}']", testid("customer-page"), first.customer_id)).await;
}

#[tokio::test]
async fn an_ip_from_elsewhere_that_the_vendor_lists_no_more_stays_with_its_buyer() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    buy_elsewhere(&service.base_url()).await;
    window.press("nav-ips").await;
    window.press("ips-refresh").await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
    window.run("document.querySelector('[data-testid=ips-choose]').click()").await;
    window.press("ips-assign").await;
    window.pick("assign-buyer", "eve").await;
    window.press("assign-save").await;
    window.see_gone(&testid("assign-save")).await;
    window.see(&format!("{}[data-value='eve']", testid("ips-row-buyer"))).await;
    service.world.answer_with("ips/page", Some(json!({ "total": 0, "results": [] })));
    window.press("ips-refresh").await;
    let gone = format!("{}[data-count='1'] {}[data-state='unlisted']", testid("ips-rows"), testid("ips-row"));
    window.see(&format!("{gone} {}[data-value='eve']", testid("ips-row-buyer"))).await;
    window.run(&format!("document.querySelector(\"{gone}\").click()")).await;
    window.see_state("ip-detail", "unlisted").await;
    let said = window.text("ip-detail").await;
    assert!(said.contains("The vendor's list no longer shows this IP") && said.contains("used to show it"), "{said}");
    window.press("ip-hand-over").await;
    window.see(&format!("{}[data-value='1']", testid("hand-unreadable"))).await;
    assert!(!window.is_enabled("hand-copy").await, "there is nothing to hand over");
}
