//! What an agent who keeps the window open all day relies on: nothing that was chosen is lost, nothing is empty without
//! a way on, and the last figures stay when there is no network.

use std::collections::HashSet;

use client::traffic::{RecordType, RecordsQuery};
use fantoccini::key::Key;
use sandbox::{Fault, Options};
use tests::service;
use tests::steps::at_customers;
use tests::window::{Window, testid};

/// Waits until a part of the screen says when its figures were read.
async fn see_last_read(window: &Window, within: &str) {
    window.see(&format!("{} {}[data-value]", testid(within), testid("last-read"))).await;
}

#[tokio::test]
async fn the_last_figures_stay_after_a_start_without_a_network_with_the_time_of_their_read() {
    let (service, mut window) = at_customers().await;
    window.begin_move("100001", "customer-recharge", "1").await;
    window.press("amount-confirm").await;
    window.see_operation("applied").await;
    window.press("nav-overview").await;
    window.see(&testid("total-secondary-left")).await;
    window.press("nav-traffic").await;
    window.see_usage_read().await;
    window.press("traffic-part-consumption").await;
    window.see_state("consumption-table", "ready").await;
    let day = window.attribute("consumption-row", "data-key").await;
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    window.kill().await;
    drop(service);
    window.start_again().await;
    window.press("nav-overview").await;
    see_last_read(&window, "overview-left").await;
    let through = format!("{}[data-value]", testid("usage-through"));
    window.see(&format!("{} {through}", testid("overview-chart"))).await;
    window.press("nav-traffic").await;
    window.see(&through).await;
    window.press("traffic-part-consumption").await;
    window.see_state("consumption-table", "ready").await;
    see_last_read(&window, "consumption-table").await;
    assert_eq!(window.attribute("consumption-row", "data-key").await, day);
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    see_last_read(&window, "records-table").await;
}

#[tokio::test]
async fn an_order_and_the_ips_stay_after_a_start_without_a_network_with_the_time_of_their_read() {
    let service = service::start().await;
    let mut window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    window.kill().await;
    drop(service);
    window.start_again().await;
    window.press("nav-ips").await;
    window.see_state("ips-table", "ready").await;
    window.see(&format!("{}[data-value]", testid("last-read"))).await;
    window.press("nav-orders").await;
    window.press("order-row").await;
    window.see_state("order-proxies", "error").await;
    see_last_read(&window, "order-detail").await;
}

#[tokio::test]
async fn who_runs_out_stays_on_the_first_screen_when_the_customers_cannot_be_read() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-overview").await;
    window.see_state("overview-runs-out", "ready").await;
    let first = window.attribute("runs-out-row", "data-key").await;
    service::always(&service, "customer/list", Fault::Status { code: 404 });
    window.keys(&format!("{}r{}", Key::Control, Key::Null)).await;
    see_last_read(&window, "overview-runs-out").await;
    assert_eq!(window.attribute("runs-out-row", "data-key").await, first);
    // A name leads to its customer.
    window.run("document.querySelector('[data-testid=runs-out-row] strong button').click()").await;
    window.see(&format!("{}[data-key='{first}']", testid("customer-page"))).await;
}

#[tokio::test]
async fn a_selection_is_there_again_after_another_place() {
    let (_service, window) = at_customers().await;
    for at in [0, 2] {
        window.run(&format!("document.querySelectorAll('[data-testid=customer-choose]')[{at}].click()")).await;
    }
    window.see(&format!("{}[data-value='2']", testid("customers-chosen"))).await;
    window.press("nav-overview").await;
    window.see_gone(&testid("customers-chosen")).await;
    window.press("nav-customers").await;
    window.see(&format!("{}[data-value='2']", testid("customers-chosen"))).await;
}

#[tokio::test]
async fn connecting_asks_first_only_for_what_every_agent_has() {
    let window = Window::open().await;
    window.press("welcome-connect").await;
    window.see(&testid("connection-name")).await;
    let visible = "return [...document.querySelector('[data-testid=connection-name]').closest('form').querySelectorAll('input, select')].filter(one => one.checkVisibility()).map(one => one.dataset.testid)";
    let fields: Vec<String> = serde_json::from_value(window.run(visible).await).expect("fields");
    let asked = ["name", "base-url", "user-id", "static-token", "agent-token"].map(|one| format!("connection-{one}"));
    assert_eq!(fields, asked);
    window.press("connection-advanced").await;
    window.see(&testid("connection-time-zone")).await;
}

#[tokio::test]
async fn where_nothing_is_yet_each_part_leads_to_the_next_step() {
    let service = service::start_with(Options { customers: 0, ..Options::default() }).await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    let parts = [
        ("overview", None, "overview-runs-out", "runs-out-customers"),
        ("traffic", Some("traffic-part-records"), "records-table", "records-customers"),
    ];
    for (place, part, table, step) in parts {
        window.press(&format!("nav-{place}")).await;
        if let Some(part) = part {
            window.press(part).await;
        }
        window.see_state(table, "empty").await;
        window.press(step).await;
        window.see(&format!("{}[aria-current='page']", testid("nav-customers"))).await;
    }
    window.press("nav-ips").await;
    window.press("ips-buy").await;
    window.see(&format!("{}[aria-current='page']", testid("nav-buy"))).await;
}

#[tokio::test]
async fn days_left_say_that_the_usage_is_not_read_yet() {
    let service = service::start().await;
    service::always(&service, "flowReport", Fault::Status { code: 404 });
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.see_customers().await;
    window.see(&testid("usage-unread")).await;
    service.world.clear_faults();
    window.press("nav-traffic").await;
    window.press("usage-refresh").await;
    window.see_state("usage-chart", "ready").await;
    window.see_gone(&testid("usage-progress")).await;
    window.press("nav-customers").await;
    window.press("customers-refresh").await;
    window.see_gone(&testid("usage-unread")).await;
}

#[tokio::test]
async fn a_section_of_settings_is_one_step_away_and_takes_the_focus() {
    let (_service, window) = at_customers().await;
    window.press("nav-settings").await;
    for section in ["about", "limits", "keys", "look"] {
        window.press(&format!("settings-to-{section}")).await;
        let focused = "return document.activeElement.id";
        tests::until("its heading has the focus", async || {
            (window.run(focused).await == format!("section-{section}")).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn days_on_a_customers_chart_are_chosen_and_shown_alone() {
    let (_service, window) = at_customers().await;
    window.press("nav-traffic").await;
    window.see_state("usage-chart", "ready").await;
    window.see_gone(&testid("usage-progress")).await;
    window.press("nav-customers").await;
    window.press("customer-open").await;
    window.see_state("customer-chart", "ready").await;
    window.type_keys("chart-hand", &format!("{}{}", Key::Home, Key::Right)).await;
    window.type_keys("chart-hand", &format!("{}{}{}", Key::Shift, Key::Right, Key::Null)).await;
    window.type_keys("chart-hand", &Key::Enter.to_string()).await;
    window.press("chart-whole").await;
    window.see_gone(&testid("chart-whole")).await;
}

/// Copies a table whose first head is this, pastes it into a field of Customers, and returns it.
pub(crate) async fn copied(window: &Window, id: &str, head: &str) -> String {
    window.press(id).await;
    if id == "bulk-draft-copy" {
        // A preview stays with its form, in the place of the field.
        window.press("bulk-edit").await;
    }
    window.press("nav-customers").await;
    window.press("bulk-paste").await;
    tests::until("it is pasted", async || {
        window.fill("bulk-text", "").await;
        window.type_keys("bulk-text", &format!("{}v{}", Key::Control, Key::Null)).await;
        Some(window.value("bulk-text").await).filter(|text| text.starts_with(&format!("{head}\t")))
    })
    .await
}

#[tokio::test]
async fn records_are_saved_whole_and_bulks_charts_and_buyers_are_copied_as_they_are_shown() {
    let (service, window) = at_customers().await;
    let client = service::client(&service);
    let all = client::customers::all(&client, None).await.expect("customers");
    let lines: Vec<String> = all.iter().map(|one| format!("{} 0.1g", one.customer_id)).collect();
    let preview = async || {
        window.press("bulk-recharge").await;
        window.fill("bulk-text", &lines.join("\n")).await;
        window.press("bulk-preview").await;
        window.see(&testid("bulk-total")).await;
    };
    window.press("bulk-paste").await;
    preview().await;
    let drafted = copied(&window, "bulk-draft-copy", "Line").await;
    assert_eq!(drafted.lines().count(), lines.len() + 1, "{drafted}");
    assert!(drafted.lines().skip(1).all(|line| line.contains("\t0.1\t")), "{drafted}");
    preview().await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='{}']", testid("bulk-result"), lines.len())).await;
    let rows = copied(&window, "bulk-copy", "Row").await;
    assert_eq!(rows.lines().count(), lines.len() + 1, "{rows}");
    assert!(all.iter().all(|one| rows.contains(&format!("{}\t0.1\t", one.user_name))), "{rows}");
    window.press("nav-traffic").await;
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    window.see(&testid("records-more")).await;
    window.press("export-csv").await;
    window.see(&testid("toast-open")).await;
    let file = window.home().join("Downloads/proxytill-records-recharged.csv");
    let saved = std::fs::read_to_string(file).expect("it is saved");
    let rows: HashSet<&str> = saved.lines().skip(1).collect();
    let query = RecordsQuery { page: 1, page_size: 1, account: None, from: None, to: None };
    let listed = client.call(client::traffic::records_given(RecordType::Recharge, &query)).await.expect("a page").data;
    assert_eq!(rows.len() as i64, listed.total, "each once");
    window.press("traffic-part-consumption").await;
    window.see_state("consumption-table", "ready").await;
    window.press("sort-sum").await;
    window.see(&format!("[aria-sort='descending'] {}", testid("sort-sum"))).await;
    window.press("chart-as-table").await;
    window.see(&testid("chart-row")).await;
    let day = window.attribute("chart-row", "data-key").await;
    let days = copied(&window, "chart-copy", "Day").await;
    assert!(days.lines().any(|line| line.starts_with(&format!("{day}\t"))), "{days}");
    window.press("nav-traffic").await;
    window.press("traffic-part-usage").await;
    window.see_usage_read().await;
    window.press("usage-last-7").await;
    window.press("usage-by-row").await;
    window.see(&format!("{}[data-state='ready']", testid("usage-rows-table-row"))).await;
    let count: usize = window.attribute("usage-rows-table", "data-count").await.parse().expect("a number");
    let uses = copied(&window, "export-copy", "Day").await;
    assert_eq!(uses.lines().count(), count + 1, "{uses}");
    assert!(uses.lines().skip(1).all(|line| line.split('\t').count() == 5), "{uses}");
    window.press("nav-ips").await;
    window.press("ips-view-buyers").await;
    for name in ["Bob", "ali"] {
        window.press("buyer-create").await;
        window.fill("buyer-name", name).await;
        window.press("buyer-save").await;
        window.press("buyer-back").await;
        window.see_state("buyers-table", "ready").await;
    }
    let buyers = copied(&window, "export-copy", "Name").await;
    let names: Vec<&str> = buyers.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(names, ["ali", "Bob"], "{buyers}");
}

#[tokio::test]
async fn the_paying_dialog_says_everything_that_is_bought_and_the_time_left_is_spoken_at_its_marks() {
    let service = service::start_with(Options { price_life: 63_000, ..Options::default() }).await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    let spoken = "return document.querySelector('[data-testid=price-countdown] [role=status]').textContent";
    assert_eq!(window.run(spoken).await, "", "nothing is said while there is time");
    tests::until("a minute is left", async || {
        window.run(spoken).await.as_str().is_some_and(|said| said.contains("1:00")).then_some(())
    })
    .await;
    assert_eq!(
        window.run("return document.querySelector('[data-testid=price-countdown] [aria-live]').ariaLive").await,
        "off",
        "the seconds are not spoken"
    );
    window.press("pay-open").await;
    window.see(&testid("pay-confirm")).await;
    for (what, words) in
        [("days", "30"), ("business", "shops"), ("proxy-type", "SOCKS5"), ("line-type", ""), ("sell-mode", "")]
    {
        let said = window.text(&format!("pay-{what}")).await;
        assert!(!said.is_empty() && said.contains(words), "{what}: {said}");
    }
    assert!(window.text_of("[role='dialog']").await.contains("Japan"));
}
