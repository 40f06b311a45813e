//! IPs renewed from My IPs: the price, the payment, and the later end that proves it.

use sandbox::{Capability, Fault, Options, Service};
use serde_json::json;
use tests::service;
use tests::window::{Window, testid};

use crate::bursts::click;
use crate::ips::{see_ips, sold, with_order};

/// The endpoint that spends money.
pub(crate) const PAYING: &str = "renewals/orders/place-and-pay";

/// A window whose agent has selected the three IPs of an order.
async fn with_three_selected(options: Options) -> (Service, Window) {
    let service = service::start_with(options).await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    window.press("nav-ips").await;
    window.see_state("ips-table", "ready").await;
    window.press("ips-select-all").await;
    (service, window)
}

/// Opens the dialog and goes on to its payment.
async fn offer(window: &Window) {
    window.press("ips-renew").await;
    window.press("renew-period-90").await;
    window.see_state("renew-price", "ready").await;
    window.press("renew-next").await;
    window.see(&testid("renew-pay")).await;
}

/// Makes the vendor's list report an id that it does not renew for the first IP, and a later end for all. Returns that
/// IP.
pub(crate) async fn list_one_that_is_not_renewed(service: &Service) -> String {
    let listed = service::client(service).call(client::ips::page(1, 99)).await.expect("a page").data.rows;
    let row = |(at, ip): (usize, &wire::ips::ListedIp)| {
        let id = if at == 0 { "1" } else { ip.id.as_str() };
        json!({ "id": id, "ip": ip.host, "port": ip.port, "orderNo": ip.order_no, "expireTime": "2041-01-01 00:00:00" })
    };
    let rows: Vec<_> = listed.iter().enumerate().map(row).collect();
    service.world.answer_with("ips/page", Some(json!({ "results": rows })));
    listed.into_iter().next().expect("an IP").host
}

fn renewals(service: &Service) -> usize {
    service.world.ledger().expect("a ledger").renewals.len()
}

fn later(how_many: usize) -> String {
    format!("return document.querySelectorAll('[data-testid=renewal-ip][data-later=true]').length === {how_many}")
}

/// Waits until My IPs shows that all three last longer than their order says.
async fn see_extended(window: &Window) {
    let extended =
        "return document.querySelectorAll('[data-testid=ips-row] [title^=\"Expires after its order\"]').length";
    tests::until("the list shows it", async || (window.run(extended).await == 3).then_some(())).await;
}

#[tokio::test]
async fn ips_are_renewed_in_one_payment_and_their_later_end_is_shown() {
    let (service, window) = with_three_selected(Options::default()).await;
    offer(&window).await;
    let sum = window.attribute("pay-sum", "data-value").await;
    window.press("renew-pay").await;
    window.see_state("operation-card", "applied").await;
    tests::until("the later ends are shown", async || (window.run(&later(3)).await == true).then_some(())).await;
    let paid = service.world.ledger().expect("a ledger").renewals;
    assert_eq!(paid.iter().map(|one| (one.ips.len(), one.days)).collect::<Vec<_>>(), [(3, 90)]);
    assert_eq!(paid[0].amount.to_string(), sum);
    window.press("renew-close").await;
    // My IPs learns it from the vendor's list.
    window.see("[data-testid='ips-row'][data-state='active']").await;
    see_extended(&window).await;
    window.press("nav-activity").await;
    window.choose("activity-kind", "renew").await;
    window.see_operation("applied").await;
}

#[tokio::test]
async fn a_price_that_changed_before_the_payment_sends_nothing_and_is_shown() {
    let (service, window) = with_three_selected(Options::default()).await;
    offer(&window).await;
    let before = window.attribute("pay-sum", "data-value").await;
    service.world.set_prices(200);
    window.press("renew-pay").await;
    window.see_error("price-changed").await;
    window.see_state("renew-price", "ready").await;
    assert_ne!(window.attribute("renew-price", "data-value").await, before);
    assert_eq!(renewals(&service), 0);
    window.press("renew-next").await;
    window.press("renew-pay").await;
    window.see_state("operation-card", "applied").await;
    assert_eq!(renewals(&service), 1);
}

#[tokio::test]
async fn a_renewal_whose_answer_is_lost_shows_its_evidence_and_is_paid_once() {
    let (service, window) = with_three_selected(Options::default()).await;
    offer(&window).await;
    service::always(&service, PAYING, Fault::DropAfter);
    window.press("renew-pay").await;
    window.see_state("operation-card", "unknown").await;
    tests::until("the evidence is shown", async || (window.run(&later(3)).await == true).then_some(())).await;
    service.world.clear_faults();
    window.press("operation-resend").await;
    window.see_state("operation-card", "applied").await;
    assert_eq!(renewals(&service), 1);
}

/// After a start nobody knows how old its key is (seed 15254).
#[tokio::test]
async fn a_renewal_in_doubt_is_not_sent_again_after_a_start_and_a_person_says_how_it_ended() {
    let (service, mut window) = with_three_selected(Options::default()).await;
    offer(&window).await;
    service::always(&service, PAYING, Fault::DropAfter);
    window.press("renew-pay").await;
    window.see_state("operation-card", "unknown").await;
    window.kill().await;
    service.world.clear_faults();
    let sent = service::requests(&service, PAYING);
    window.start_again().await;
    window.press("nav-activity").await;
    window.see_state("activity-row", "unknown").await;
    tests::until("the evidence is shown", async || (window.run(&later(3)).await == true).then_some(())).await;
    window.see_gone(&testid("operation-resend")).await;
    window.press("operation-mark-done").await;
    window.press("judge-confirm").await;
    window.see_state("activity-row", "resolved-applied").await;
    assert_eq!((renewals(&service), service::requests(&service, PAYING)), (1, sent));
}

#[tokio::test]
async fn a_renewal_of_some_of_the_ips_shows_which_were_not_renewed_and_why() {
    let (service, window) = with_three_selected(Options::default()).await;
    window.press("ips-select-none").await;
    let first = list_one_that_is_not_renewed(&service).await;
    window.press("ips-refresh").await;
    see_extended(&window).await;
    window.press("ips-select-all").await;
    offer(&window).await;
    window.press("renew-pay").await;
    window.see_state("operation-card", "applied").await;
    window.see(&format!("{}[data-renewed='false']", testid("renewal-ip"))).await;
    let not_renewed = window.text_of(&format!("{}[data-renewed='false']", testid("renewal-ip"))).await;
    assert!(not_renewed.contains(&first) && not_renewed.contains("unknown IP"), "{not_renewed}");
    let done = "return document.querySelectorAll('[data-testid=renewal-ip][data-renewed=true]').length";
    assert_eq!((window.run(done).await, renewals(&service)), (json!(2), 1));
}

#[tokio::test]
async fn a_burst_of_clicks_pays_one_renewal() {
    let (service, window) = with_three_selected(Options::default()).await;
    offer(&window).await;
    click(&window, "renew-pay", &[0, 20, 150, 300]).await;
    window.see_state("operation-card", "applied").await;
    assert_eq!((renewals(&service), service::requests(&service, PAYING)), (1, 1));
}

#[tokio::test]
async fn where_the_vendor_does_not_renew_the_same_is_bought_again() {
    let without = vec![Capability::Renewals];
    let (service, window) = with_three_selected(Options { without, ..Options::default() }).await;
    window.press("ips-again").await;
    window.see(&format!("{}[data-value='8.55']", testid("price-amount"))).await;
    assert_eq!(service.world.ledger().expect("a ledger").orders.len(), 1, "a price is no order");
    window.press("nav-ips").await;
    window.see_gone(&testid("ips-renew")).await;
}

#[tokio::test]
async fn ips_from_elsewhere_are_listed_filtered_and_renewed() {
    let (service, window) = with_three_selected(Options::default()).await;
    window.press("ips-select-none").await;
    tests::agent::buy_elsewhere(&service.base_url()).await;
    window.press("ips-refresh").await;
    window.see(&format!("{}[data-count='6']", testid("ips-rows"))).await;
    window.pick("ips-order", "elsewhere").await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
    window.press("ips-select-all").await;
    offer(&window).await;
    window.press("renew-pay").await;
    window.see_state("operation-card", "applied").await;
    assert_eq!(renewals(&service), 1);
}

#[tokio::test]
async fn an_order_is_handed_over_found_by_its_ip_renewed_and_the_others_found_expired() {
    let (service, window) = with_order(40).await;
    let number = window.attribute("order-no", "data-value").await;
    window.press("order-hand-over").await;
    window.pick("hand-buyer", "ali from the chat").await;
    window.see_state("hand-message", "concealed").await;
    window.press("hand-copy").await;
    window.see(&format!("{}[data-value='copied']", testid("hand-sent"))).await;
    window.press("hand-close").await;
    see_ips(&window).await;
    let sold = sold(&service, &number).await;
    let row = |at: usize, state: &str| {
        let key = format!("{number} {} {}", sold[at].host, sold[at].port);
        format!("{}[data-key='{key}'][data-state='{state}']", testid("ips-row"))
    };
    window.fill("ips-search", &sold[1].host).await;
    window.see(&format!("{}[data-count='1'] {}", testid("ips-rows"), row(1, "expired"))).await;
    window.press("ips-select-all").await;
    offer(&window).await;
    window.press("renew-pay").await;
    window.see_state("operation-card", "applied").await;
    window.press("renew-close").await;
    window.press("ips-select-none").await;
    window.fill("ips-search", "").await;
    for (at, state) in [(0, "expired"), (1, "active"), (2, "expired")] {
        let buyer = "[data-testid='ips-row-buyer'][data-value='ali from the chat']";
        window.see(&format!("{} {buyer}", row(at, state))).await;
    }
    window.choose("ips-ends", "expired").await;
    window.see(&format!("{}[data-count='2']", testid("ips-rows"))).await;
    window.see_gone(&row(1, "active")).await;
    assert_eq!(renewals(&service), 1);
}
