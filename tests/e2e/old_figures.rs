//! Figures that an operation changed are read again when it ends, and marked until then.

use operations::Direction;
use sandbox::{Fault, Service};
use tests::service;
use tests::steps::at_customers;
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::window::{Window, testid};

/// The text of the mark.
const WORDS: &str = "Not refreshed since the last operation";

/// Traffic that a customer has left at the vendor, in MB.
async fn left(service: &Service, customer: &str) -> String {
    let all = client::customers::all(&service::client(service), None).await.expect("a list");
    let one = all.iter().find(|one| one.customer_id.as_str() == customer).expect("the customer");
    one.residual_flow.expect("an amount").to_string()
}

/// The list of customers of a vendor whose clock stands still: customers use traffic as time passes, and these stories
/// compare what they have left.
async fn at_still_customers() -> (Service, Window) {
    let (service, window) = at_customers().await;
    service.world.clock.set_speed(0.0);
    (service, window)
}

/// Waits until the list shows the vendor's figures, without a mark.
async fn see_fresh(window: &Window, service: &Service, customer: &str) {
    let row = format!("{}[data-key='{customer}']", testid("customer-row"));
    window.see(&row).await;
    let figures = format!(
        "const row = document.querySelector(\"{row}\");
         return [row?.querySelector('.number')?.dataset.value ?? '', row?.querySelector('[data-testid=figure-old]') !== null]"
    );
    tests::until("the list shows the vendor's figure", async || {
        let now = serde_json::json!([left(service, customer).await, false]);
        (window.run(&figures).await == now).then_some(())
    })
    .await;
}

#[tokio::test]
async fn after_take_it_back_the_list_shows_the_figure_of_now_without_a_press() {
    let (service, window) = at_still_customers().await;
    let before = left(&service, CUSTOMER).await;
    window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
    window.press("amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.see_operation("applied").await;
    window.see_customers().await;
    window.fill("customers-search", CUSTOMER).await;
    see_fresh(&window, &service, CUSTOMER).await;
    assert_ne!(left(&service, CUSTOMER).await, before);
    // Taken back from Activity, while the list is not visible.
    window.press("nav-activity").await;
    window.open_operation().await;
    window.press("operation-take-back").await;
    window.press("amount-confirm").await;
    let taken = format!("{}[data-kind='deduction'][data-state='applied']", testid("activity-row"));
    window.see(&taken).await;
    assert_eq!(left(&service, CUSTOMER).await, before);
    window.see_customers().await;
    window.fill("customers-search", CUSTOMER).await;
    see_fresh(&window, &service, CUSTOMER).await;
    // The same on the customer's page, where the records are read again too.
    window.press("customer-open").await;
    window.see(&format!("{}[data-value='{before}']", testid("customer-left"))).await;
    // Records are in the order of their seconds.
    service.world.clock.advance(1_000);
    window.press("customer-recharge").await;
    window.fill("amount-gb", "0.25").await;
    window.press("amount-confirm").await;
    tests::until("the page shows the vendor's figure", async || {
        let shown = window.attribute("customer-left", "data-value").await;
        (shown != before && shown == left(&service, CUSTOMER).await).then_some(())
    })
    .await;
    let newest = format!("{} li:first-child", testid("customer-records"));
    tests::until("and the record of it", async || window.text_of(&newest).await.contains("0.25 GB").then_some(()))
        .await;
    window.see_gone(&testid("figure-old")).await;
}

#[tokio::test]
async fn until_it_is_read_again_a_touched_figure_is_marked_for_the_eye_and_the_ear() {
    let (service, window) = at_still_customers().await;
    let before = left(&service, CUSTOMER).await;
    window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
    // Long enough to be visible.
    service::always(&service, endpoint(Direction::Recharge), Fault::Delay { ms: 3_000 });
    window.press("amount-confirm").await;
    let cell = format!("{}[data-key='{CUSTOMER}'] [data-old]", testid("customer-row"));
    window.see(&cell).await;
    let marked = format!(
        "const cell = document.querySelector(\"{cell}\"); return [cell.dataset.value, cell.textContent, cell.querySelector('[title]').title]"
    );
    let [value, heard, seen] = serde_json::from_value::<[String; 3]>(window.run(&marked).await).expect("a cell");
    assert_eq!(value, before, "the figure of before");
    assert!(heard.contains(WORDS) && seen == WORDS, "{heard} {seen}");
    see_fresh(&window, &service, CUSTOMER).await;
    window.see_gone(&testid("figure-old")).await;
    assert_ne!(left(&service, CUSTOMER).await, before);
}

#[tokio::test]
async fn at_the_end_of_a_bulk_list_and_totals_are_read_again_once() {
    let (service, window) = at_still_customers().await;
    let all = client::customers::all(&service::client(&service), None).await.expect("a list");
    let lines: Vec<String> = all.iter().take(12).map(|one| format!("{} 256m", one.user_name)).collect();
    let last = all[11].customer_id.as_str().to_owned();
    window.press("bulk-paste").await;
    window.fill("bulk-text", &lines.join("\n")).await;
    service::always(&service, endpoint(Direction::Recharge), Fault::Delay { ms: 700 });
    window.press("bulk-preview").await;
    window.press("bulk-start").await;
    window.see(&testid("bulk-progress")).await;
    // The person goes elsewhere while it continues in the background.
    window.press("nav-traffic").await;
    window.see(&testid("total-secondary-left")).await;
    tests::until("the totals are those of now", async || {
        let told = service::client(&service).call(client::traffic::totals()).await.expect("totals").data;
        let left = told.secondary?.left?.to_string();
        let ended = service.world.ledger().expect("a ledger").moves.len() == 12;
        (ended && window.attribute("total-secondary-left", "data-value").await == left).then_some(())
    })
    .await;
    window.see_gone(&testid("figure-old")).await;
    window.see_customers().await;
    window.fill("customers-search", &last).await;
    see_fresh(&window, &service, &last).await;
}
