//! What was chosen last is offered again on the same connection, and never sent by itself.

use serde_json::{Value, json};
use tests::agent::{Agent, page, seen_by_page};
use tests::service::requests;
use till::connections::{remove_connection, start_practice};
use till::orders::{copy_proxies, export_proxies};
use till::remembered::{last_choices, last_hand_over, purposes};

#[tokio::test]
async fn the_choices_of_the_last_priced_purchase_are_remembered_without_its_lines() {
    let agent = Agent::connected().await;
    assert!(last_choices(&agent.till, ()).await.expect("an answer").is_none());
    agent.price().await;
    let choices = last_choices(&agent.till, ()).await.expect("an answer").expect("choices");
    assert_eq!((choices.days, choices.line_type.as_str(), choices.purchase_ip_count), (30, "basic", 0));
    assert!(choices.quota_items.is_empty());
    start_practice(&agent.till, ()).await.expect("practice");
    assert!(last_choices(&agent.till, ()).await.expect("an answer").is_none(), "another connection");
}

#[tokio::test]
async fn the_last_format_and_kind_of_file_are_remembered() {
    let agent = Agent::connected().await;
    let order = seen_by_page(&agent.buy().await.order.expect("an order").order_no);
    let last = async || seen_by_page(&last_hand_over(&agent.till, ()).await.expect("an answer"));
    assert_eq!(last().await, json!({ "format": "host-first", "kind": "txt" }));
    let layout = |format: &str| json!({ "format": format, "template": "" });
    let file = json!({ "orderNo": order, "layout": layout("at"), "kind": "csv" });
    export_proxies(&agent.till, page(file)).await.expect("a file");
    assert_eq!(last().await, json!({ "format": "at", "kind": "csv" }));
    let copied = json!({ "orderNo": order, "layout": layout("socks5") });
    copy_proxies(&agent.till, page(copied)).await.expect("they are copied");
    assert_eq!(last().await, json!({ "format": "socks5", "kind": "csv" }), "a copy is no file");
}

#[tokio::test]
async fn business_purposes_have_names_before_the_form_was_ever_opened_and_are_asked_for_once() {
    let mut agent = Agent::connected().await;
    let name = |all: &Value| {
        let of = all.as_array().expect("a list").iter().find(|one| one["value"] == "1001").expect("it is offered");
        of["nameEn"].as_str().expect("a name").to_owned()
    };
    let asked = seen_by_page(&purposes(&agent.till, ()).await.expect("purposes"));
    assert!(!name(&asked).is_empty());
    assert_eq!(requests(&agent.service, "purchase/options"), 1);
    agent.start_again();
    till::start::boot(&agent.till, "en".into()).await.expect("a screen");
    assert_eq!(seen_by_page(&purposes(&agent.till, ()).await.expect("purposes")), asked);
    assert_eq!(requests(&agent.service, "purchase/options"), 1, "without asking, and without a token");
}

#[tokio::test]
async fn a_removed_connection_leaves_no_choices() {
    let agent = Agent::connected().await;
    agent.price().await;
    let app = || std::fs::read(agent.data("app.db")).expect("a file");
    let is_there = || {
        let db = rusqlite::Connection::open(agent.data("app.db")).expect("SQLite");
        let count = "SELECT count(*) FROM setting WHERE name LIKE 'last %'";
        db.query_row(count, [], |row| row.get::<_, i64>(0)).expect("a number")
    };
    assert!(!app().is_empty() && is_there() > 0);
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    remove_connection(&agent.till, id).await.expect("it is removed");
    assert_eq!(is_there(), 0);
}
