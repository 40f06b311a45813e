//! Traffic: totals, usage by customer, records given.

use fantoccini::key::Key;
use sandbox::Fault;
use serde_json::Value;
use tests::service;
use tests::window::{Window, testid};

use crate::tables::{hide_column, reach_row, shift_f10};

async fn told(service: &sandbox::Service, path: &str) -> Value {
    let token = &service.world.options.credentials.agent_token;
    let asked = service::http().get(format!("{}/prod-api{path}", service.base_url())).header("token", token);
    let answer: Value = asked.send().await.expect("an answer").json().await.expect("JSON");
    answer["data"].clone()
}

#[tokio::test]
async fn totals_and_usage_are_the_services_own() {
    // The clock stands still, so that the content can be compared.
    let options = sandbox::Options { speed: 0.0, ..sandbox::Options::default() };
    let service = service::start_with(options).await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    let totals = told(&service, "/api/agent/getFlowTotalFull").await;
    for (id, account) in [("primary", "account"), ("secondary", "account2")] {
        for (part, field) in [("recharged", "flowCount"), ("consumed", "consumeFlow"), ("left", "residualFlow")] {
            let shown: f64 = window.attribute(&format!("total-{id}-{part}"), "data-value").await.parse().expect("MB");
            assert_eq!(Some(shown), totals[account][field].as_f64(), "{id} {part}");
        }
    }
    let report = told(&service, "/open/dynamic/flowReport?pageSize=2000").await;
    let total = report["total"].as_i64().expect("a total");
    window.see(&format!("{}[data-value='{total}']", testid("usage-rows"))).await;
    window.see_gone(&testid("usage-progress")).await;
    // The past day with the most rows, summed from the report.
    let rows = report["rows"].as_array().expect("rows");
    let day = rows[200]["reportDate"].as_str().expect("a day");
    let of_day = rows.iter().filter(|row| row["reportDate"] == day);
    let sum: f64 = of_day.filter_map(|row| row["downloadFlow"].as_f64()).sum();
    let shown = window
        .run(&format!("return document.querySelector('[data-testid=usage-row][data-key=\"{day}\"] [data-value]:nth-child(3)').dataset.value"))
        .await;
    let shown: f64 = shown.as_str().expect("MB").parse().expect("a number");
    assert!((shown - sum).abs() < 0.005, "{day}: {shown} {sum}");
    window.press("usage-by-customer").await;
    window.press("usage-last-365").await;
    tests::until("every customer is there", async || {
        let count: usize = window.attribute("usage-list", "data-count").await.parse().ok()?;
        (count > 40).then_some(())
    })
    .await;
    window.fill("usage-from", "2026-02-30").await;
    window.see(&testid("usage-from-error")).await;
    window.fill("usage-from", "2030-01-01").await;
    window.see(&testid("usage-to-error")).await;
}

#[tokio::test]
async fn the_last_totals_stay_with_their_time_while_the_vendor_cannot_be_read() {
    let service = service::start().await;
    let mut window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    let left = window.attribute("total-primary-left", "data-value").await;
    service::always(&service, "getFlowTotalFull", Fault::Html);
    for place in ["nav-overview", "nav-traffic"] {
        window.press(place).await;
        window.see(&testid("last-read")).await;
        assert_eq!(window.attribute("total-primary-left", "data-value").await, left);
    }
    window.kill().await;
    window.start_again().await;
    window.see(&testid("last-read")).await;
    assert_eq!(window.attribute("total-primary-left", "data-value").await, left);
}

#[tokio::test]
async fn reading_usage_can_be_paused_and_goes_on() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    service::fault(&service, "flowReport", Fault::Delay { ms: 50_000 });
    window.press("nav-traffic").await;
    window.see(&testid("usage-progress")).await;
    // It goes on while the window shows another place.
    window.press("nav-orders").await;
    window.see(&testid("usage-progress")).await;
    window.press("usage-cancel").await;
    window.see_gone(&testid("usage-progress")).await;
    window.see_gone(&testid("error-panel")).await;
    window.press("nav-traffic").await;
    window.press("usage-refresh").await;
    window.see_state("usage-table", "ready").await;
}

#[tokio::test]
async fn records_are_chosen_by_direction_type_account_and_days() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    let shown = async || window.text("records-table").await;
    assert!(shown().await.contains("Added"));
    let told = window.text("records-row").await;
    // "createId" is the operator, "customerId" the customer.
    assert!(told.contains("9001") && told.contains("1000"), "{told}");
    window.press("export-csv").await;
    let file = window.home().join("Downloads/proxytill-records-recharged.csv");
    let saved =
        tests::until("it is saved", async || std::fs::read_to_string(&file).ok().filter(|text| !text.is_empty()));
    let saved = saved.await;
    let first: Vec<&str> = saved.lines().nth(1).expect("a row").split(',').collect();
    assert_eq!(first.last(), Some(&"\"9001\""), "{saved}");
    assert!(saved.lines().next().is_some_and(|heads| heads.contains("\"Customer ID\",\"Operator ID\"")), "{saved}");
    window.press("sort-amount").await;
    let sorted = |way: &str| format!("[role=columnheader][aria-sort={way}] {}", testid("sort-amount"));
    window.see(&sorted("descending")).await;
    let most = window.attribute("records-row", "data-amount").await;
    window.press("sort-amount").await;
    window.see(&sorted("ascending")).await;
    let least = window.attribute("records-row", "data-amount").await;
    let [most, least] = [most, least].map(|amount| amount.parse::<f64>().expect("MB"));
    assert!(most > least, "{most} {least}");
    window.press("sort-when").await;
    window.see(&format!("[role=columnheader][aria-sort=descending] {}", testid("sort-when"))).await;
    window.press("records-type-1").await;
    tests::until("what was used is there", async || shown().await.contains("Used").then_some(())).await;
    window.press("records-received").await;
    tests::until("what was received is there", async || shown().await.contains("vendor").then_some(())).await;
    window.press("records-given").await;
    window.fill("records-account", "nobody@example.com").await;
    window.see_state("records-table", "empty").await;
    window.fill("records-account", "").await;
    window.see_state("records-table", "ready").await;
    window.press("records-more").await;
    service::fault(&service, "myRechargeFlowList", Fault::NullData);
    window.press("records-type-0").await;
    let said = window.see_error("200").await;
    assert!(said.contains("did not accept this token"), "{said}");
}

#[tokio::test]
async fn consumption_is_told_by_day_general_and_nni() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    window.press("traffic-part-consumption").await;
    window.see_state("consumption-table", "ready").await;
    let day = window.attribute("consumption-row", "data-key").await;
    let span = format!("startDate={day}&endDate={day}");
    let shown = async || {
        let amounts = format!("[data-testid=consumption-row][data-key='{day}'] > .number");
        let last = format!("return [...document.querySelectorAll(\"{amounts}\")].at(-1)?.dataset.value");
        let value = window.run(&last).await;
        value.as_str().and_then(|text| text.parse::<f64>().ok())
    };
    let general = told(&service, &format!("/api/agent/getFlowConsumeDetail?{span}")).await;
    let sum = general[0]["uploadFlow"].as_f64().expect("MB") + general[0]["downloadFlow"].as_f64().expect("MB");
    assert!((shown().await.expect("a sum") - sum).abs() < 0.005, "{day}");
    window.press("consumption-nni").await;
    let nni = told(&service, &format!("/api/agent/getNNIFlowConsumeDetail?{span}")).await;
    let flow = nni[0]["flow"].as_f64().expect("MB");
    tests::until("NNI is shown", async || shown().await.filter(|shown| (shown - flow).abs() < 0.005).map(|_| ())).await;
    window.fill("consumption-to", "2020-01-01").await;
    window.see(&testid("consumption-to-error")).await;
}

#[tokio::test]
async fn who_used_a_day_of_the_consumption_is_shown_from_its_menu_and_its_columns_are_chosen_by_keyboard() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    window.press("traffic-part-consumption").await;
    window.see_state("consumption-table", "ready").await;
    hide_column(&window, "consumption-table", "column-upload", 5).await;
    reach_row(&window, "consumption-row").await;
    let day = window.run("return document.activeElement.dataset.key").await;
    let day = day.as_str().expect("a day");
    window.keys(&shift_f10()).await;
    window.see(&testid("row-copy-day")).await;
    assert_eq!(window.axe().await, [""; 0]);
    window.keys(&Key::Enter.to_string()).await;
    window.see_state("usage-table", "ready").await;
    let ends = async || [window.value("usage-from").await, window.value("usage-to").await];
    assert_eq!(ends().await, [day, day]);
    window.see(&format!("{}[aria-checked='true']", testid("usage-by-customer"))).await;
    // A click on the row shows it as well.
    window.press("traffic-part-consumption").await;
    window.see_state("consumption-table", "ready").await;
    let first = window.attribute("consumption-row", "data-key").await;
    window.press("consumption-row").await;
    window.see_state("usage-table", "ready").await;
    assert_eq!(ends().await, [first.clone(), first]);
}

#[tokio::test]
async fn an_end_of_the_span_is_chosen_from_a_calendar_by_keyboard() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    window.see_state("usage-table", "ready").await;
    let first = window.value("usage-from").await;
    window.type_keys("usage-from-calendar", &Key::Enter.to_string()).await;
    tests::until("the day of the field has the focus", async || {
        (window.run("return document.activeElement.dataset.value ?? ''").await == first).then_some(())
    })
    .await;
    let findings = window.axe().await;
    assert!(findings.is_empty(), "{findings:?}");
    window.keys(&Key::Right.to_string()).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid("calendar-day")).await;
    let next = format!("return new Date(Date.parse('{first}') + 864e5).toISOString().slice(0, 10)");
    assert_eq!(window.run(&next).await, window.value("usage-from").await);
}

#[tokio::test]
async fn the_name_of_an_icon_appears_for_the_focus_and_goes_with_escape() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    // The button is another one while usage is read.
    window.see_usage_read().await;
    let name = window.attribute("usage-refresh", "aria-label").await;
    window.run("document.querySelector('[data-testid=usage-refresh]').focus()").await;
    assert_eq!(window.text_of(".tooltip").await, name);
    let findings = window.axe().await;
    assert!(findings.is_empty(), "{findings:?}");
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(".tooltip").await;
}
