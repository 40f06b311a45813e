//! Usage: who used how much. The report is read once, queried on this computer, saved as a table.

use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use tests::service::requests;
use till::Code;
use till::usage::{export_usage, usage_by_customer, usage_by_time, usage_rows, usage_select, usage_state, usage_sync};

/// Makes an agent that has read the report. Returns its first and last day too.
async fn synced() -> (Agent, Value, Value) {
    let agent = Agent::connected_to(sandbox::Options { customers: 12, ..Default::default() }).await;
    assert_eq!(usage_state(&agent.till, ()).await.expect("a state").rows, 0);
    let state = usage_sync(&agent.till, ()).await.expect("it is read");
    assert!(state.rows > 0 && state.unreadable == 0);
    (agent, json!(state.oldest), json!(state.through))
}

fn asked(from: &Value, to: &Value, unit: &str) -> Value {
    json!({ "customerId": null, "from": from, "to": to, "unit": unit })
}

#[tokio::test]
async fn the_report_is_read_with_its_progress_and_asked_here() {
    let (agent, from, to) = synced().await;
    assert!(agent.host.heard("usage-progress") > 0);
    let before = requests(&agent.service, "flowReport");
    let days = usage_by_time(&agent.till, page(asked(&from, &to, "day"))).await.expect("days");
    let months = usage_by_time(&agent.till, page(asked(&from, &to, "month"))).await.expect("months");
    let sum = |rows: &[usage::DayUse]| rows.iter().map(|row| row.sum.micro).sum::<i64>();
    assert!(months.len() < days.len());
    assert_eq!(sum(&days), sum(&months));
    let customers = usage_by_customer(&agent.till, page(asked(&from, &to, "day"))).await.expect("customers");
    assert_eq!(customers.iter().map(|one| one.sum.micro).sum::<i64>(), sum(&days));
    let mut one = asked(&from, &to, "day");
    one["customerId"] = json!(customers[0].customer_id);
    assert_eq!(usage_by_customer(&agent.till, page(one)).await.expect("one").len(), 1);
    assert_eq!(requests(&agent.service, "flowReport"), before, "the vendor is not asked again");
    assert_eq!(
        field(usage_by_time(&agent.till, page(asked(&to, &from, "day"))).await),
        wrong("usage-to", "before-from")
    );
}

#[tokio::test]
async fn rows_are_put_in_order_once_shown_by_windows_and_saved_whole() {
    let (agent, from, to) = synced().await;
    let wanted = json!({ "customerId": null, "from": from, "to": to, "order": "oldest" });
    let chosen = usage_select(&agent.till, page(wanted)).await.expect("rows");
    let window = json!({ "number": chosen.number, "first": 0, "count": 2 });
    let bytes = usage_rows(&agent.till, page(window)).await.expect("rows");
    let text = String::from_utf8(bytes).expect("text");
    assert_eq!(text.lines().count(), 10, "five lines for each row");
    assert!(text.lines().next() >= from.as_str(), "{text}");
    let columns = ["day", "customer", "number", "upload", "download"];
    let export = |number: u32| json!({ "number": number, "kind": "csv", "name": "use", "columns": columns });
    let path = export_usage(&agent.till, page(export(chosen.number))).await.expect("a file");
    let saved = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(saved.lines().count(), chosen.count + 1);
    assert!(agent.host.heard("export-progress") > 0);
    assert_eq!(code(export_usage(&agent.till, page(export(99))).await), Code::GivenUp);
    let gone = json!({ "number": 99, "first": 0, "count": 2 });
    assert_eq!(code(usage_rows(&agent.till, page(gone)).await), Code::GivenUp);
    assert_eq!(tests::files(&agent.downloads()).len(), 1);
}
