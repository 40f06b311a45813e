//! The overview of the day.

use fantoccini::key::Key;
use operations::Direction;
use sandbox::Fault;
use tests::service;
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::window::{Window, testid};

#[tokio::test]
async fn overview_tells_what_is_left_who_runs_out_what_is_open_and_what_was_bought() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.see_customers().await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    service::fault(&service, endpoint(Direction::Deduction), Fault::Twice);
    window.press("amount-confirm").await;
    window.see_operation("needs-you").await;
    window.press("nav-overview").await;
    window.see(&testid("total-secondary-left")).await;
    window.see_state("overview-chart", "ready").await;
    window.see(&format!("{}[data-value='1']", testid("overview-unconfirmed"))).await;
    window.see(&testid("overview-order")).await;
    window.see_state("overview-runs-out", "ready").await;
    let days = "return [...document.querySelectorAll('[data-testid=runs-out-row]')].map(row => [row.dataset.from, row.dataset.to ?? 'later'])";
    let ranges: Vec<[String; 2]> = serde_json::from_value(window.run(days).await).expect("ranges");
    assert!(ranges.is_sorted() && ranges.iter().all(|[from, to]| from <= to), "{ranges:?}");
    let (shown, all) = (window.text("runs-out-count").await, window.text("runs-out-all").await);
    assert!(shown.starts_with(&format!("{} of ", ranges.len())) && all.starts_with("See all "), "{shown}, {all}");
    window.press("overview-operation").await;
    window.see(&testid("operation-take-back")).await;
    window.press("nav-overview").await;
    window.see_state("overview-runs-out", "ready").await;
    let who = window.attribute("runs-out-row", "data-key").await;
    window.press("overview-recharge").await;
    window.fill("amount-gb", "1").await;
    window.press("amount-confirm").await;
    // The row says what became of it, and leads to it.
    let outcome =
        format!("{}[data-key='{who}'] {}[data-state='applied']", testid("runs-out-row"), testid("overview-outcome"));
    window.see(&outcome).await;
    window.press("overview-outcome").await;
    let begun = format!("{}[data-target='{who}'][data-kind='recharge']", testid("activity-row"));
    window.see(&begun).await;
    window.press("nav-overview").await;
    window.see_state("overview-runs-out", "ready").await;
    window.press("runs-out-all").await;
    window.see_state("customers-table", "ready").await;
    assert_eq!(window.value("customers-runs-out").await, "60");
    let found = window.text("customers-table").await;
    assert!(found.contains(&format!("{} of ", all.trim_start_matches("See all "))), "{all}: {found}");
    window.press("nav-overview").await;
    window.press("overview-order").await;
    window.see_state("order-proxies", "ready").await;
    // An order is bought again with three clicks: this one, Pay, and the one that confirms.
    window.press("nav-overview").await;
    window.press("overview-again").await;
    window.see_focus("pay-open").await;
}

#[tokio::test]
async fn days_chosen_on_the_chart_are_shown_alone_and_all_of_them_again() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-overview").await;
    window.see_state("overview-chart", "ready").await;
    window.see_gone(&testid("usage-progress")).await;
    let press = async |keys: String| window.type_keys("chart-hand", &keys).await;
    let at = async || window.attribute("chart-tooltip", "data-key").await;
    press(format!("{}{}{}", Key::Home, Key::Right, Key::Right)).await;
    let first = at().await;
    press(format!("{}{}{}", Key::Shift, Key::Right, Key::Right)).await;
    press(Key::Null.to_string()).await;
    let last = at().await;
    press(Key::Enter.to_string()).await;
    window.see(&testid("chart-whole")).await;
    tests::until("the first chosen day is the first", async || {
        press(Key::Home.to_string()).await;
        (at().await == first).then_some(())
    })
    .await;
    press(Key::End.to_string()).await;
    assert_eq!(at().await, last);
    // They are still chosen for whoever comes back.
    window.press("nav-buy").await;
    window.see(&testid("buy-search")).await;
    window.press("nav-overview").await;
    window.see(&testid("chart-whole")).await;
    window.press("chart-whole").await;
    window.see_gone(&testid("chart-whole")).await;
}

#[tokio::test]
async fn the_program_starts_again_with_the_overview() {
    let service = service::start().await;
    let mut window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.kill().await;
    window.start_again().await;
    window.see_state("overview-chart", "ready").await;
}

#[tokio::test]
async fn half_an_account_has_an_overview_that_says_what_is_missing() {
    let service = service::start().await;
    let window = Window::open().await;
    window.press("welcome-connect").await;
    window.describe_connection(&service.base_url()).await;
    window.fill("connection-agent-token", "").await;
    window.press("connection-save").await;
    window.press("nav-overview").await;
    let said = window.see_error("no-credentials").await;
    assert!(said.contains("no token for this"), "{said}");
    window.see_state("overview-orders", "empty").await;
}
