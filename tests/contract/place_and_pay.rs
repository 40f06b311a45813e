//! `purchase/orders/place-and-pay`: one step, all or nothing, idempotent by its key.

use std::collections::HashSet;
use std::net::Ipv4Addr;

use serde_json::{Value, json};
use tests::caller::{Caller, with};

fn orders(caller: &Caller) -> usize {
    caller.service.world.ledger().expect("a ledger").orders.len()
}

#[tokio::test]
async fn an_order_is_placed_and_paid_in_one_step() {
    let caller = Caller::new().await;
    let order = caller.order_for(json!({})).await;
    let said = caller.place(&order, Some("key-1")).await;
    let placed = said.data();
    assert!(placed["orderNo"].is_string() && placed["orderId"].is_string(), "{placed}");
    assert_eq!((&placed["amount"], &placed["currency"]), (&json!(8.55), &json!("USD")));
    assert_eq!((&placed["status"], &placed["deliverIpCount"]), (&json!(20), &json!(3)));
    assert_eq!(caller.wallet(), "991.45");
}

#[tokio::test]
async fn the_same_key_and_body_answer_the_first_answer_for_ever() {
    let caller = Caller::new().await;
    let order = caller.order_for(json!({})).await;
    let first = caller.place(&order, Some("key-1")).await;
    // Long after the price has expired.
    caller.service.world.clock.advance(3_600_000);
    for _ in 0..3 {
        assert_eq!(caller.place(&order, Some("key-1")).await.data(), first.data());
    }
    assert_eq!((orders(&caller), caller.wallet().as_str()), (1, "991.45"));
}

#[tokio::test]
async fn two_at_once_under_one_key_are_one_order() {
    let caller = Caller::new().await;
    let order = caller.order_for(json!({})).await;
    let (one, two) = tokio::join!(caller.place(&order, Some("key-1")), caller.place(&order, Some("key-1")));
    assert_eq!(one.data(), two.data());
    assert_eq!((orders(&caller), caller.wallet().as_str()), (1, "991.45"));
}

#[tokio::test]
async fn without_a_key_nothing_protects_against_paying_twice() {
    let caller = Caller::new().await;
    let order = caller.order_for(json!({})).await;
    caller.place(&order, None).await.data();
    caller.place(&order, None).await.data();
    assert_eq!((orders(&caller), caller.wallet().as_str()), (2, "982.9"));
}

#[tokio::test]
async fn each_refusal_has_its_code_and_applies_nothing() {
    let twist = |change: Value| move |order: Value| with(order, change.clone());
    type Twist = Box<dyn Fn(Value) -> Value>;
    let cases: [(&str, i64, Twist); 5] = [
        ("60306", 300_000, Box::new(|order| order)),
        ("60307", 0, Box::new(twist(json!({"quoteVersion": "stale"})))),
        ("60307", 0, Box::new(twist(json!({"quoteId": "1"})))),
        (
            "60309",
            0,
            Box::new(|order| {
                let config = with(order["config"].clone(), json!({"days": 60}));
                with(order, json!({"config": config}))
            }),
        ),
        (
            "60309",
            0,
            Box::new(|order| {
                let config = with(order["config"].clone(), json!({"proxyType": "http"}));
                with(order, json!({"config": config}))
            }),
        ),
    ];
    for (code, later, twist) in cases {
        let caller = Caller::new().await;
        let order = twist(caller.order_for(json!({})).await);
        caller.service.world.clock.advance(later);
        assert_eq!(caller.place(&order, Some("key-1")).await.refusal(), (200, code));
        assert_eq!((orders(&caller), caller.wallet().as_str()), (0, "1000"), "{code}");
    }
}

#[tokio::test]
async fn a_key_used_with_another_body_is_refused() {
    let caller = Caller::new().await;
    let (one, two) = (caller.order_for(json!({})).await, caller.order_for(json!({"days": 60})).await);
    caller.place(&one, Some("key-1")).await.data();
    assert_eq!(caller.place(&two, Some("key-1")).await.refusal(), (200, "60308"));
    assert_eq!(orders(&caller), 1);
}

#[tokio::test]
async fn too_small_a_balance_applies_nothing_and_is_not_remembered_under_the_key() {
    let caller = Caller::new().await;
    let order = caller.order_for(json!({})).await;
    caller.service.world.set_wallet("8.54".parse().expect("an amount")).expect("a ledger");
    assert_eq!(caller.place(&order, Some("key-1")).await.refusal(), (200, "60004"));
    assert_eq!((orders(&caller), caller.wallet().as_str()), (0, "8.54"));
    caller.service.world.set_wallet("8.55".parse().expect("an amount")).expect("a ledger");
    caller.place(&order, Some("key-1")).await.data();
    assert_eq!(caller.wallet(), "0");
}

#[tokio::test]
async fn more_than_is_in_stock_is_refused_and_nothing_is_taken() {
    let caller = Caller::new().await;
    let line = |count: i64| json!({"purchaseIpCount": count, "quotaItems": [{"type": "country_random", "quantity": count, "countryCode": "VA"}]});
    let stock = caller.post("inventory/countries", json!({"countryCode": "VA"})).await;
    let available = stock.data()[0]["available"].as_i64().expect("a count");
    assert!(available < 500, "the smallest country has {available}");
    let order = caller.order_for(line(available + 1)).await;
    assert_eq!(caller.place(&order, Some("key-1")).await.refusal(), (200, "60310"));
    assert_eq!((orders(&caller), caller.wallet().as_str()), (0, "1000"));
    let stock = caller.post("inventory/countries", json!({"countryCode": "VA"})).await;
    assert_eq!(stock.data()[0]["available"], json!(available));
}

#[tokio::test]
async fn one_city_delivers_in_part_and_completes_a_minute_later() {
    let caller = Caller::new().await;
    let cities = caller.post("location/cities", json!({"keyword": "Lisbon"})).await;
    let line = json!({"type": "city", "quantity": 4, "cityId": cities.data()[0]["cityId"]});
    let order = caller.order_for(json!({"purchaseIpCount": 4, "quotaItems": [line]})).await;
    let placed = caller.place(&order, Some("key-1")).await;
    assert_eq!((&placed.data()["status"], &placed.data()["deliverIpCount"]), (&json!(3), &json!(2)));
    let number = json!({"orderNo": placed.data()["orderNo"]});
    let detail = async || caller.post("orders/detail", number.clone()).await.data().clone();
    assert_eq!(detail().await["details"]["ips"].as_array().map(Vec::len), Some(2));
    caller.service.world.clock.advance(60_000);
    let complete = detail().await;
    assert_eq!((&complete["status"], &complete["deliverIpCount"]), (&json!(20), &json!(4)));
    assert_eq!(complete["details"]["ips"].as_array().map(Vec::len), Some(4));
}

/// The IPs that an order delivers.
async fn delivered(caller: &Caller, placed: &Value) -> Vec<String> {
    let detail = caller.post("orders/detail", json!({"orderNo": placed["orderNo"]})).await;
    let ips = detail.data()["details"]["ips"].as_array().cloned().unwrap_or_default();
    ips.iter().filter_map(|proxy| proxy["proxyIp"].as_str()).map(str::to_owned).collect()
}

#[tokio::test]
async fn any_ips_of_a_place_are_ipv4_and_each_is_delivered_once() {
    let caller = Caller::new().await;
    let items = json!([
        {"type": "country_random", "quantity": 250, "countryCode": "JP"}, {"type": "global_random", "quantity": 150},
    ]);
    caller.service.world.set_wallet("100000".parse().expect("an amount")).expect("a ledger");
    let order = caller.order_for(json!({"purchaseIpCount": 400, "quotaItems": items})).await;
    let placed = caller.place(&order, Some("key-1")).await;
    let ips = delivered(&caller, placed.data()).await;
    let different: HashSet<Ipv4Addr> = ips.iter().map(|ip| ip.parse().expect("IPv4")).collect();
    assert_eq!((ips.len(), different.len()), (400, 400));
}

#[tokio::test]
async fn a_segment_delivers_ips_of_that_segment_in_that_region() {
    for (cidr, prefix) in [("203.0.113.0/24", "203.0.113."), ("2001:db8::/32", "2001:db8:")] {
        let caller = Caller::new().await;
        let line = json!({"cidr": cidr, "countryCode": "JP", "purchaseIpCount": 3});
        let change = json!({"allocateStrategy": 2, "quotaItems": null, "segmentItems": [line]});
        let order = caller.order_for(change).await;
        let placed = caller.place(&order, Some("key-1")).await;
        let ips = delivered(&caller, placed.data()).await;
        assert!(ips.len() == 3 && ips.iter().all(|ip| ip.starts_with(prefix)), "{cidr}: {ips:?}");
    }
}

#[tokio::test]
async fn a_given_ip_is_delivered_once_and_then_sold_out() {
    let caller = Caller::new().await;
    let tokyo = caller.post("location/cities", json!({"countryCode": "JP", "keyword": "Tokyo"})).await;
    let city = tokyo.data()[0]["cityId"].clone();
    let line = json!({"type": "city", "quantity": 3, "cityId": city});
    let any = caller.order_for(json!({"quotaItems": [line]})).await;
    let placed = caller.place(&any, Some("key-1")).await;
    let wanted = delivered(&caller, placed.data()).await;
    let items: Vec<Value> = wanted.iter().map(|ip| json!({"proxyIp": ip, "cityId": city})).collect();
    let change = json!({"allocateStrategy": 3, "quotaItems": null, "specificIpItems": items});
    let order = caller.order_for(change.clone()).await;
    assert_eq!(caller.place(&order, Some("key-2")).await.refusal(), (200, "60310"), "sold already");
    caller.service.world.reset(1).expect("a ledger");
    let order = caller.order_for(change).await;
    let placed = caller.place(&order, Some("key-3")).await;
    assert_eq!(delivered(&caller, placed.data()).await, wanted);
}
