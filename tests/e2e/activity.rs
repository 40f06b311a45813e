//! Activity has every operation, with bulks as one row, found by the names of their customers.

use fantoccini::key::Key;
use sandbox::Service;
use tests::service;
use tests::steps::at_customers;
use tests::traffic_move::CUSTOMER;
use tests::window::{Window, testid};

async fn names(service: &Service) -> Vec<String> {
    let all = client::customers::all(&service::client(service), None).await.expect("a list");
    all.iter().map(|one| one.user_name.clone()).collect()
}

async fn count(window: &Window, id: &str, wanted: usize) {
    let all = format!("return document.querySelectorAll(\"{}\").length", testid(id));
    tests::until(&format!("{wanted} {id}"), async || (window.run(&all).await == wanted).then_some(())).await;
}

/// Opens Activity with a bulk of three customers, and an operation on one of them.
async fn with_a_bulk() -> (Service, Window, Vec<String>) {
    let (service, window) = at_customers().await;
    let names = names(&service).await;
    window.press("bulk-paste").await;
    let lines: Vec<String> = names.iter().take(3).map(|name| format!("{name} 256m")).collect();
    window.fill("bulk-text", &format!("{}\nnobody@x.com 1g", lines.join("\n"))).await;
    window.press("bulk-preview").await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='3']", testid("bulk-result"))).await;
    window.press("bulk-back").await;
    window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
    window.press("amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.see_operation("applied").await;
    (service, window, names)
}

#[tokio::test]
async fn a_bulk_is_one_row_that_opens_into_its_rows_by_keyboard_and_each_into_its_card() {
    let (_service, window, _) = with_a_bulk().await;
    count(&window, "activity-bulk", 1).await;
    count(&window, "activity-row", 1).await;
    count(&window, "bulk-row", 0).await;
    assert_eq!(window.attribute("activity-bulk-turn", "aria-expanded").await, "false");
    window.type_keys("activity-bulk-turn", &Key::Enter.to_string()).await;
    count(&window, "bulk-row", 4).await;
    assert_eq!(window.attribute("activity-bulk-turn", "aria-expanded").await, "true");
    window.see(&format!("{}[data-state='skipped'][data-reason='unknown']", testid("bulk-row"))).await;
    window.press("bulk-row-open").await;
    window.see(&testid("operation-take-back")).await;
    let card = window.text_of("section.operation").await;
    assert!(card.contains("0.25 GB (256 MB)"), "{card}");
    window.press("activity-bulk-turn").await;
    count(&window, "bulk-row", 0).await;
    window.press("activity-bulk-turn").await;
    window.press("activity-bulk-open").await;
    window.see(&format!("{}[data-value='3']", testid("bulk-result"))).await;
}

#[tokio::test]
async fn a_customer_is_found_in_single_operations_and_in_the_rows_of_bulks() {
    let (_service, window, names) = with_a_bulk().await;
    window.press("nav-activity").await;
    window.keys(&format!("{}f{}", Key::Control, Key::Null)).await;
    tests::until("the search has the focus", async || {
        (window.run("return document.activeElement?.dataset.testid").await == "activity-search").then_some(())
    })
    .await;
    // This customer has no single operation.
    window.keys(&names[0].to_uppercase()).await;
    count(&window, "activity-row", 0).await;
    window.see(&format!("{}[data-value='1']", testid("activity-bulk"))).await;
    window.press("activity-bulk-turn").await;
    count(&window, "bulk-row", 1).await;
    assert!(window.text("bulk-row").await.contains(&names[0]));
    window.run("document.querySelector('[data-testid=bulk-row] [data-testid=row-more]').click()").await;
    window.press("row-customer").await;
    window.see(&testid("customer-page")).await;
    assert_eq!(window.run("return document.querySelector('h1').textContent").await, names[0]);
    window.press("go-back").await;
    window.fill("activity-search", CUSTOMER).await;
    count(&window, "activity-row", 1).await;
    window.see(&format!("{}[data-value='1']", testid("activity-bulk"))).await;
    window.fill("activity-search", "who@never.was").await;
    window.see_state("activity-table", "empty").await;
    assert!(window.text("activity-table").await.contains("who@never.was"));
    window.press("activity-search-clear").await;
    count(&window, "activity-row", 1).await;
}

#[tokio::test]
async fn what_a_filter_hides_is_counted_in_every_list_and_one_press_shows_it() {
    let (_service, window, _) = with_a_bulk().await;
    window.fill("activity-search", CUSTOMER).await;
    window.choose("activity-kind", "password").await;
    outside(&window, "2", "Proxy passwords").await;
    count(&window, "activity-row", 1).await;
    assert_eq!(window.value("activity-search").await, CUSTOMER, "what is searched for stays");
    window.press("activity-bulk-turn").await;
    window.press("activity-bulk-open").await;
    window.press("bulk-only-not-done").await;
    count(&window, "bulk-row", 1).await;
    window.press("bulk-back").await;
    // Customers: the search finds one, the filter hides them.
    window.fill("customers-search", CUSTOMER).await;
    window.choose("customers-status", "disabled").await;
    outside(&window, "1", "Disabled").await;
    window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-row"))).await;
    assert_eq!(window.value("customers-search").await, CUSTOMER);
    // Traffic: usage and records of other days.
    window.press("nav-traffic").await;
    window.see_state("usage-table", "ready").await;
    window.see_gone(&testid("usage-progress")).await;
    window.fill("usage-from", "2001-01-01").await;
    window.fill("usage-to", "2001-01-02").await;
    window.see(&testid("outside-filters")).await;
    window.press("outside-show").await;
    window.see_state("usage-table", "ready").await;
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    window.fill("records-from", "2001-01-01").await;
    window.fill("records-to", "2001-01-02").await;
    window.see(&testid("outside-filters")).await;
    window.press("outside-show").await;
    window.see_state("records-table", "ready").await;
}

/// Checks the number of entries outside the filters, which are named; a press shows them.
async fn outside(window: &Window, count: &str, filter: &str) {
    window.see(&format!("{}[data-value='{count}']", testid("outside-filters"))).await;
    let said = window.text("outside-filters").await;
    assert!(said.contains("Nothing matches your filters") && said.contains(count) && said.contains(filter), "{said}");
    window.press("outside-show").await;
    window.see_gone(&testid("outside-filters")).await;
}
