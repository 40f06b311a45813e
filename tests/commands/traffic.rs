//! The agent's traffic: totals, consumption, records.

use sandbox::Fault;
use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use tests::service::always;
use till::Code;
use till::connections::open_connection;
use till::start::boot;
use till::traffic::{
    RecordList, all_records, customer_records, known_consumption, known_customer_records, known_records, known_totals,
    traffic_consumption, traffic_records, traffic_totals,
};

fn records(list: &str, account: &str) -> Value {
    json!({ "list": list, "account": account, "from": null, "to": null, "page": 1 })
}

#[tokio::test]
async fn a_recharge_lowers_what_is_left_and_is_in_the_records_of_what_was_given() {
    let agent = Agent::connected().await;
    let left = async || traffic_totals(&agent.till, ()).await.expect("totals").left().expect("an amount");
    let before = left().await;
    let given = async |account: &str| {
        traffic_records(&agent.till, page(records("recharged", account))).await.expect("records").total
    };
    let (rows, of_a_stranger) = (given("").await, given("nobody@x.com").await);
    assert_eq!(of_a_stranger, 0);
    let moved = agent.recharge("1").await;
    assert_eq!(left().await.value(), before.value() - rust_decimal::Decimal::from(1024));
    assert_eq!(given("").await, rows + 1);
    assert!(given(&format!(" {} ", moved.user_name)).await >= 1, "blanks are no part of a name");
}

#[tokio::test]
async fn days_that_end_before_they_begin_are_refused() {
    let agent = Agent::connected().await;
    let mut asked = records("received", "");
    (asked["from"], asked["to"]) = (json!("2026-11-02"), json!("2026-11-01"));
    assert_eq!(field(traffic_records(&agent.till, page(asked)).await), wrong("records-to", "before-from"));
    let asked = json!({ "nni": false, "from": "2026-11-02", "to": "2026-11-01" });
    assert_eq!(field(traffic_consumption(&agent.till, page(asked)).await), wrong("consumption-to", "before-from"));
}

#[tokio::test]
async fn consumption_comes_by_day_and_the_vendors_own_network_gives_only_sums() {
    let agent = Agent::connected().await;
    let asked = |nni: bool| page(json!({ "nni": nni, "from": null, "to": null }));
    let general = traffic_consumption(&agent.till, asked(false)).await.expect("days");
    let row = general.first().expect("a day");
    let parts = row.upload.expect("an amount").value() + row.download.expect("an amount").value();
    assert_eq!(row.sum.expect("a sum").value(), parts);
    let nni = traffic_consumption(&agent.till, asked(true)).await.expect("days");
    assert!(!nni.is_empty() && nni.iter().all(|row| row.upload.is_none()));
}

#[tokio::test]
async fn the_last_consumption_and_records_are_known_when_they_cannot_be_read_even_at_the_next_start() {
    let mut agent = Agent::connected().await;
    let id = boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    assert!(known_consumption(&agent.till, false).await.expect("an answer").is_none());
    assert!(known_records(&agent.till, RecordList::Recharged).await.expect("an answer").is_none());
    let days = |from: &str, to: Option<&str>| page(json!({ "nni": false, "from": from, "to": to }));
    let told = traffic_consumption(&agent.till, days("2020-01-01", None)).await.expect("days");
    let last = told.last().expect("a day").date.clone();
    // Neither days long past nor a part of what was read today replaces what is stored.
    traffic_consumption(&agent.till, days("2001-01-01", Some("2001-02-01"))).await.expect("days");
    traffic_consumption(&agent.till, days(&last, None)).await.expect("days");
    let records = traffic_records(&agent.till, page(records("recharged", ""))).await.expect("records");
    // A part of a list is not the list.
    let narrow = json!({ "list": "recharged", "account": "nobody", "from": null, "to": null, "page": 1 });
    traffic_records(&agent.till, page(narrow)).await.expect("records");
    agent.start_again();
    // Its tokens were in memory only.
    open_connection(&agent.till, id).await.expect("it opens");
    traffic_consumption(&agent.till, days(&last, None)).await.expect_err("no token");
    let known = known_consumption(&agent.till, false).await.expect("an answer").expect("days");
    assert!(known.rows == told && known.from.is_some_and(|from| from.to_string() == "2020-01-01"));
    let known = known_records(&agent.till, RecordList::Recharged).await.expect("an answer").expect("records");
    assert_eq!((known.page.rows, known.page.total), (records.rows, records.total));
    assert!(known_records(&agent.till, RecordList::Consumed).await.expect("an answer").is_none());
}

#[tokio::test]
async fn the_last_records_of_a_customer_are_known_when_they_cannot_be_read_even_at_the_next_start() {
    let mut agent = Agent::connected().await;
    let id = boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    agent.recharge("1").await;
    let all = till::customers::list_customers(&agent.till, true).await.expect("a list");
    let [first, second] = ["100001", "100002"].map(|id| {
        let one = all.iter().find(|one| one.customer_id.as_str() == id).expect("a customer");
        (one.customer_id.clone(), json!({ "customerId": one.customer_id, "account": one.user_name }))
    });
    assert!(known_customer_records(&agent.till, first.0.clone()).await.expect("an answer").is_none());
    let told = customer_records(&agent.till, page(first.1.clone())).await.expect("records");
    assert!(!told.is_empty());
    customer_records(&agent.till, page(second.1)).await.expect("records");
    agent.start_again();
    // Its tokens were in memory only.
    open_connection(&agent.till, id).await.expect("it opens");
    customer_records(&agent.till, page(first.1)).await.expect_err("no token");
    let known = known_customer_records(&agent.till, first.0).await.expect("an answer").expect("records");
    assert!(known.rows == told && known.read_at > 0);
    assert!(known_customer_records(&agent.till, second.0).await.expect("an answer").is_some());
}

#[tokio::test]
async fn the_last_totals_are_known_when_they_cannot_be_read_even_at_the_next_start() {
    let mut agent = Agent::connected().await;
    let id = boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    assert!(known_totals(&agent.till, ()).await.expect("an answer").is_none());
    let totals = traffic_totals(&agent.till, ()).await.expect("totals");
    agent.start_again();
    // Its tokens were in memory only.
    open_connection(&agent.till, id).await.expect("it opens");
    traffic_totals(&agent.till, ()).await.expect_err("no token");
    let known = known_totals(&agent.till, ()).await.expect("an answer").expect("totals");
    assert_eq!(known.totals, totals);
    assert!(known.read_at > 0);
}

#[tokio::test]
async fn all_records_are_read_as_one_list_that_fits_together_or_not_at_all() {
    let agent = Agent::connected().await;
    let of = || page(records("recharged", ""));
    let first = traffic_records(&agent.till, page(records("recharged", ""))).await.expect("a page");
    let all = all_records(&agent.till, of()).await.expect("all of them");
    assert!(first.total > 50 && all.len() as i64 == first.total, "{} of {}", all.len(), first.total);
    assert_eq!(all[..first.rows.len()], first.rows);
    let each: std::collections::HashSet<_> = all.iter().collect();
    assert_eq!(each.len(), all.len(), "each once");
    let beyond = page(json!({ "list": "recharged", "account": "", "from": "2026-02-02", "to": "2026-02-01" }));
    assert_eq!(field(all_records(&agent.till, beyond).await), wrong("records-to", "before-from"));
    always(&agent.service, "myRechargeFlowList", Fault::Status { code: 503 });
    assert_eq!(code(all_records(&agent.till, of()).await), Code::VendorTrouble);
}
