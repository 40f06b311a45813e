//! Knowing the vendor, in the window: the card, the sign in the frame, a change that is told, the clue on the card of
//! an order, the search and the order of segments.

use fantoccini::key::Key;
use sandbox::{Capability, Fault, Options, Service};
use tests::service::{self, requests};
use tests::steps::at_customers;
use tests::traffic_move::CUSTOMER;
use tests::window::{Window, testid};

use crate::accessibility::clean;

/// The place of a line or a capability of the card.
fn of_card(id: &str, key: &str, state: &str) -> String {
    format!("{}[data-key='{key}'][data-state='{state}']", testid(id))
}

#[tokio::test]
async fn the_card_says_how_everything_is_known_and_a_check_finds_out_more() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.see_state("health-mood", "good").await;
    window.press("health-open").await;
    window.see_state("health-card", "good").await;
    window.press("health-details").await;
    window.see(&of_card("health-line", "report-rows", "documented")).await;
    window.see(&of_card("health-line", "gb", "assumed")).await;
    window.press("health-check").await;
    window.see(&of_card("health-line", "agent-token", "learned")).await;
    window.see(&of_card("health-capability", "ip-list", "present")).await;
    window.see(&of_card("health-capability", "renewals", "untried")).await;
    window.type_keys("health-close", &Key::Escape.to_string()).await;
    window.see_gone(&testid("health-card")).await;
    window.see_focus("health-open").await;
    service.world.rotate_agent_token("another");
    window.press("nav-settings").await;
    window.press("connection-health").await;
    window.press("health-check").await;
    window.see_state("health-card", "bad").await;
    window.see(&format!("{}[data-value='Refused']", of_card("health-line", "agent-token", "learned"))).await;
    window.press("health-close").await;
    window.see_state("health-mood", "bad").await;
    window.press("health-open").await;
    window.press("health-replace-token").await;
    window.fill("token-new", "another").await;
    window.press("token-save").await;
    window.see_gone(&testid("token-save")).await;
    window.press("health-open").await;
    window.press("health-check").await;
    window.see_state("health-card", "good").await;
}

#[tokio::test]
async fn what_a_transfer_showed_leads_to_the_transfer_and_its_record() {
    let (_service, window) = at_customers().await;
    window.begin_move(CUSTOMER, "customer-recharge", "1").await;
    window.press("amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.see_operation("applied").await;
    window.press("nav-customers").await;
    window.press("health-open").await;
    window.see(&of_card("health-line", "gb", "learned")).await;
    window.press("health-evidence").await;
    window.see_gone(&testid("health-card")).await;
    window.see(&format!("{}[data-value='1024']", testid("evidence-record"))).await;
}

#[tokio::test]
async fn what_the_vendor_no_longer_has_is_told_until_somebody_has_read_it() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("health-open").await;
    window.see(&of_card("health-capability", "ip-list", "present")).await;
    service.world.offer(Capability::Ips, false);
    window.press("health-check").await;
    window.see(&testid("health-changes")).await;
    window.press("health-close").await;
    window.see(&testid("vendor-changes")).await;
    window.see_state("health-mood", "look").await;
    window.press("vendor-changes-seen").await;
    window.see_gone(&testid("vendor-changes")).await;
    window.see_state("health-mood", "good").await;
}

#[tokio::test]
async fn new_ips_in_the_vendors_list_are_a_clue_on_the_card_of_an_order() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    // Tried once, and read once.
    tests::until("the list was read", async || (requests(&service, "ips/page") >= 2).then_some(())).await;
    service::always(&service, "place-and-pay", Fault::DropAfter);
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "unknown").await;
    window.see_state("new-ips", "ready").await;
    assert_eq!(window.attribute("new-ips", "data-value").await, "3");
    window.see(&testid("new-ip")).await;
}

#[tokio::test]
async fn segments_are_searched_and_sorted_where_the_vendor_does_that() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("buy-strategy-2").await;
    window.pick("buy-country", "portugal").await;
    window.see_state("segment-stock", "ready").await;
    window.see(&testid("segment-search")).await;
    let first = window.attribute("segment-row", "data-key").await;
    window.fill("segment-search", "no such place").await;
    window.see_state("segment-stock", "empty").await;
    window.fill("segment-search", &first).await;
    window.see(&format!("{}[data-key='{first}']", testid("segment-row"))).await;
    window.see_focus("segment-search").await;
    window.fill("segment-search", "").await;
    window.choose("segment-sort", "stock").await;
    window.see(&format!("{}:nth-child(3)", testid("segment-row"))).await;
}

#[tokio::test]
async fn what_a_vendor_lacks_is_offered_nowhere_and_not_asked_for_again() {
    let service = service::start_with(Options { without: Capability::ALL.to_vec(), ..Options::default() }).await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    window.press("health-open").await;
    window.press("health-check").await;
    for capability in ["ping", "segments", "order-status", "ip-list"] {
        window.see(&of_card("health-capability", capability, "absent")).await;
    }
    window.press("health-close").await;
    let beyond = ["main/ping", "inventory/cidrs", "orders/status", "ips/page", "ips/detail", "renewals/quote"];
    let asked = || beyond.map(|path| requests(&service, path));
    let before = asked();
    window.press("nav-ips").await;
    window.press("ips-select-all").await;
    window.see(&testid("ips-again")).await;
    window.see_gone(&testid("ips-renew")).await;
    window.press("nav-buy").await;
    window.press("buy-strategy-2").await;
    window.pick("buy-country", "portugal").await;
    window.see_gone(&testid("segment-stock")).await;
    window.press("buy-strategy-1").await;
    service::always(&service, "place-and-pay", Fault::DropAfter);
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "unknown").await;
    window.see_gone(&testid("new-ips")).await;
    assert_eq!(asked(), before);
}

/// The card and the report of a change, for the story of all screens. Begins and ends in Settings.
pub(crate) async fn screens(window: &Window, service: &Service) {
    window.press("connection-health").await;
    window.see_state("health-card", "good").await;
    window.press("health-check").await;
    window.see(&of_card("health-capability", "renewals", "present")).await;
    clean(window, "vendor health").await;
    window.press("health-details").await;
    window.run("document.querySelector('[data-testid=health-capability]').scrollIntoView()").await;
    clean(window, "vendor health below").await;
    service.world.offer(Capability::Renewals, false);
    window.press("health-check").await;
    window.see(&testid("health-changes")).await;
    window.run("document.querySelector('[data-testid=health-summary]').scrollIntoView()").await;
    clean(window, "vendor health with a change").await;
    window.press("health-close").await;
    window.see(&testid("vendor-changes")).await;
    clean(window, "vendor change").await;
    window.press("vendor-changes-seen").await;
    window.see_gone(&testid("vendor-changes")).await;
    window.press("nav-buy").await;
    window.press("buy-strategy-2").await;
    window.pick("buy-country", "portugal").await;
    window.see_state("segment-stock", "ready").await;
    window.run("document.querySelector('[data-testid=segment-stock]').scrollIntoView()").await;
    clean(window, "segments").await;
    window.press("nav-settings").await;
    window.see_state("keychain-state", "available").await;
}
