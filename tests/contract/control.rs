//! `/_control/…`: only when it was requested at the start.

use reqwest::Method;
use sandbox::Options;
use serde_json::{Value, json};
use tests::caller::{Caller, send};
use tests::service::http;

async fn control(caller: &Caller, method: Method, what: &str, body: Value) -> u16 {
    send(caller.bare(method, &format!("/_control/{what}")).json(&body)).await.status
}

#[tokio::test]
async fn without_control_there_is_no_control() {
    let service = sandbox::start(Options::default()).await.expect("it starts");
    for path in ["ledger", "wallet", "faults", "reset", "clock"] {
        let asked = http().post(format!("{}/_control/{path}", service.base_url())).body("{}");
        assert_eq!(send(asked).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn wallet_clock_and_reset_do_what_they_say_and_the_ledger_tells() {
    let caller = Caller::new().await;
    let ledger = async || send(caller.bare(Method::GET, "/_control/ledger")).await.body;
    assert_eq!(control(&caller, Method::POST, "wallet", json!({"amount": "20.00"})).await, 204);
    let order = caller.order_for(json!({})).await;
    caller.place(&order, Some("key-1")).await.data();
    let told = ledger().await;
    assert_eq!((&told["wallet"], &told["orders"][0]["key"]), (&json!("11.45"), &json!("key-1")));
    let text = told.to_string();
    assert!(!text.contains("practice-static-token"), "requests are told without secrets");
    let before = caller.service.world.clock.now();
    assert_eq!(control(&caller, Method::POST, "clock", json!({"advance_ms": 60_000})).await, 204);
    assert!(caller.service.world.clock.now() >= before + 60_000);
    assert_eq!(control(&caller, Method::POST, "reset", json!({"seed": 2})).await, 204);
    let told = ledger().await;
    assert_eq!((&told["wallet"], &told["orders"]), (&json!("1000"), &json!([])));
}

#[tokio::test]
async fn a_fault_hits_as_often_as_it_was_told_and_can_be_taken_back() {
    let caller = Caller::new().await;
    let rule = |times| json!({"endpoint": "location/continents", "fault": "status", "code": 503, "times": times});
    control(&caller, Method::POST, "faults", rule(2)).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(caller.get("location/continents").await.status);
    }
    assert_eq!(statuses, [503, 503, 200]);
    control(&caller, Method::POST, "faults", rule(9)).await;
    assert_eq!(control(&caller, Method::DELETE, "faults", json!({})).await, 204);
    assert_eq!(caller.get("location/continents").await.status, 200);
}

#[tokio::test]
async fn the_ledger_outlives_the_service_when_it_has_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = || Options { data: Some(folder.path().join("ledger.db")), control: true, ..Options::default() };
    let service = sandbox::start(options()).await.expect("it starts");
    service.world.set_wallet("7.25".parse().expect("an amount")).expect("a ledger");
    drop(service);
    let service = sandbox::start(options()).await.expect("it starts again");
    assert_eq!(service.world.wallet().expect("a ledger").to_string(), "7.25");
}

#[tokio::test]
async fn a_new_price_list_makes_older_prices_stale() {
    let caller = Caller::new().await;
    let order = caller.order_for(json!({})).await;
    assert_eq!(control(&caller, Method::POST, "prices", json!({"percent": 110})).await, 204);
    let refused = caller.place(&order, Some("k")).await;
    assert_eq!(refused.body["code"], json!("60307"));
    let dearer = caller.order_for(json!({})).await;
    assert_ne!(dearer["quoteVersion"], order["quoteVersion"]);
    assert_eq!(caller.place(&dearer, Some("k2")).await.data()["amount"], json!(9.41));
}

#[tokio::test]
async fn a_snapshot_brings_ledger_and_clock_back() {
    let caller = Caller::new().await;
    assert_eq!(control(&caller, Method::POST, "restore", json!({})).await, 409, "nothing was kept");
    assert_eq!(control(&caller, Method::POST, "snapshot", json!({})).await, 204);
    let before = caller.service.world.clock.now();
    let order = caller.order_for(json!({})).await;
    caller.place(&order, Some("k")).await.data();
    caller.service.world.clock.advance(3_600_000);
    assert_eq!(control(&caller, Method::POST, "reset", json!({"seed": 7})).await, 204);
    assert_eq!(control(&caller, Method::POST, "prices", json!({"percent": 150})).await, 204);
    assert_eq!(control(&caller, Method::POST, "restore", json!({})).await, 204);
    let again = caller.order_for(json!({})).await;
    assert_eq!(again["quoteVersion"], order["quoteVersion"], "the same prices");
    let ledger = caller.service.world.ledger().expect("a ledger");
    assert_eq!((ledger.orders.len(), ledger.wallet.to_string().as_str()), (0, "1000"));
    assert!(caller.service.world.clock.now() < before + 3_600_000);
}
