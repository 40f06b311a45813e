//! `orders/detail`, as the field notes describe it.

use serde_json::json;
use tests::caller::Caller;

#[tokio::test]
async fn an_order_tells_what_was_paid_and_its_proxies() {
    let caller = Caller::new().await;
    let order = caller.order_for(json!({"proxyType": "http"})).await;
    let placed = caller.place(&order, Some("key-1")).await;
    let said = caller.post("orders/detail", json!({"orderNo": placed.data()["orderNo"]})).await;
    let detail = said.data();
    assert_eq!(detail["orderNo"], placed.data()["orderNo"]);
    assert_eq!((&detail["amount"], &detail["discountAmount"]), (&json!(8.55), &json!(0.45)));
    assert_eq!((&detail["purchaseIpCount"], &detail["deliverIpCount"]), (&json!(3), &json!(3)));
    let proxies = detail["details"]["ips"].as_array().expect("a list");
    assert_eq!(proxies.len(), 3);
    for proxy in proxies {
        assert!(proxy["proxyIp"].is_string() && proxy["proxyPort"].is_i64(), "{proxy}");
        assert!(proxy["proxyUser"].is_string() && proxy["proxyPassword"].is_string(), "{proxy}");
        assert_eq!((&proxy["protocol"], &proxy["countryCode"]), (&json!("http"), &json!("JP")));
    }
}

#[tokio::test]
async fn an_unknown_order_is_refused() {
    let caller = Caller::new().await;
    assert_eq!(caller.post("orders/detail", json!({"orderNo": "1"})).await.refusal(), (200, "60301"));
}
