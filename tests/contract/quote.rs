//! `purchase/quote`.

use serde_json::{Value, json};
use tests::caller::{Caller, config, with};

async fn quote(caller: &Caller, change: Value) -> Value {
    caller.post("purchase/quote", json!({"config": with(config(), change)})).await.data().clone()
}

#[tokio::test]
async fn a_price_has_the_fields_of_the_contract_and_charges_nothing() {
    let caller = Caller::new().await;
    let price = quote(&caller, json!({})).await;
    assert!(price["quoteId"].is_string() && price["quoteVersion"].is_string(), "{price}");
    assert_eq!((&price["amount"], &price["currency"]), (&json!(8.55), &json!("USD")));
    assert_eq!(price["regionLines"][0]["quantity"], 3);
    assert_eq!(price["orderSummary"]["discounts"][0]["type"], "duration");
    assert_eq!(caller.wallet(), "1000");
    assert!(caller.service.world.ledger().expect("a ledger").orders.is_empty());
}

#[tokio::test]
async fn the_worked_examples_cost_what_was_worked_out() {
    let caller = Caller::new().await;
    let premium = json!({"lineType": "premium", "isUdp": true, "days": 90, "purchaseIpCount": 12,
        "quotaItems": [{"type": "country_random", "quantity": 12, "countryCode": "JP"}]});
    assert_eq!(quote(&caller, premium).await["amount"], json!(207.42));
}

#[tokio::test]
async fn a_price_lives_five_minutes_of_the_services_clock() {
    let caller = Caller::new().await;
    let said = caller.post("purchase/quote", json!({"config": config()})).await;
    let left = said.data()["expiresAt"].as_i64().expect("ms") - said.body["timestamp"].as_i64().expect("ms");
    assert!((299_000..=300_000).contains(&left), "{left}");
}

#[tokio::test]
async fn the_version_changes_with_the_configuration_and_only_with_it() {
    let caller = Caller::new().await;
    let (one, same) = (quote(&caller, json!({})).await, quote(&caller, json!({})).await);
    let other = quote(&caller, json!({"days": 60})).await;
    assert_eq!(one["quoteVersion"], same["quoteVersion"]);
    assert_ne!(one["quoteVersion"], other["quoteVersion"]);
    let again = json!({"config": config(), "clientQuoteVersion": other["quoteVersion"]});
    assert_eq!(caller.post("purchase/quote", again).await.data()["quoteVersionChanged"], true);
}

#[tokio::test]
async fn each_way_to_spread_random_ips_is_priced() {
    let caller = Caller::new().await;
    let continents = caller.get("location/continents").await;
    let cities = caller.post("location/cities", json!({"keyword": "Tokyo"})).await;
    let lines = [
        json!({"type": "country_random", "quantity": 3, "countryCode": "JP"}),
        json!({"type": "city", "quantity": 3, "cityId": cities.data()[0]["cityId"], "countryCode": "JP"}),
        json!({"type": "city", "quantity": 3, "cityCode": cities.data()[0]["cityId"], "countryCode": "JP"}),
        json!({"type": "continent_random", "quantity": 3, "continentId": continents.data()[0]["continentId"]}),
        json!({"type": "global_random", "quantity": 3}),
    ];
    for line in lines {
        assert_eq!(quote(&caller, json!({"quotaItems": [line]})).await["amount"], json!(8.55), "{line}");
    }
}

/// Strategy 2 with these segments.
fn segments(items: Value) -> Value {
    json!({"allocateStrategy": 2, "quotaItems": null, "segmentItems": items})
}

/// Strategy 3 with these IPs.
fn ips(items: Value) -> Value {
    json!({"allocateStrategy": 3, "quotaItems": null, "specificIpItems": items})
}

#[tokio::test]
async fn segments_and_given_ips_are_priced_by_their_sum() {
    let caller = Caller::new().await;
    let lines = [
        segments(
            json!([{"cidr": "203.0.113.0/24", "purchaseIpCount": 1}, {"cidr": "2001:db8::/32", "purchaseIpCount": 2}]),
        ),
        segments(json!([{"cidr": "192.0.2.0/24", "cidrId": "77", "countryCode": "JP", "purchaseIpCount": 3}])),
        ips(json!([{"proxyIp": "192.0.2.1"}, {"proxyIp": "192.0.2.2", "proxyId": "7"}, {"proxyIp": "2001:db8::1"}])),
    ];
    for line in lines {
        assert_eq!(quote(&caller, line.clone()).await["amount"], json!(8.55), "{line}");
    }
}

#[tokio::test]
async fn what_cannot_be_bought_is_refused_by_the_name_of_its_field() {
    let caller = Caller::new().await;
    let line = |line: Value| json!({"quotaItems": [line]});
    let cases = [
        (json!({"sellMode": 3}), "sellMode"),
        (json!({"lineType": "gold"}), "lineType"),
        (json!({"businessId": "0"}), "businessId"),
        (json!({"bandwidthLimit": 7}), "bandwidthLimit"),
        (json!({"connLimit": 7}), "connLimit"),
        (json!({"days": 8}), "days"),
        (json!({"allocateStrategy": 9}), "allocateStrategy"),
        (json!({"purchaseIpCount": 4}), "purchaseIpCount"),
        (json!({"quotaItems": null}), "quotaItems"),
        (json!({"quotaItems": []}), "quotaItems"),
        (line(json!({"type": "country_random", "quantity": 0, "countryCode": "JP"})), "quantity"),
        (line(json!({"type": "country_random", "quantity": 501, "countryCode": "JP"})), "quantity"),
        (line(json!({"type": "country_random", "quantity": 3, "countryCode": "XX"})), "countryCode"),
        (line(json!({"type": "city", "quantity": 3, "cityId": "0"})), "cityId"),
        (json!({"allocateStrategy": 2}), "segmentItems"),
        (json!({"allocateStrategy": 3}), "specificIpItems"),
        (segments(json!([{"cidr": "203.0.113.0", "purchaseIpCount": 3}])), "segmentItems[0].cidr"),
        (segments(json!([{"cidr": "203.0.113.0/24", "purchaseIpCount": 0}])), "segmentItems[0].purchaseIpCount"),
        (segments(json!([{"cidr": "203.0.113.0/24"}])), "purchaseIpCount"),
        (segments(json!([{"cidr": "203.0.113.0/24", "purchaseIpCount": 3, "countryCode": "XX"}])), "countryCode"),
        (segments(json!([{"cidr": "203.0.113.0/24", "purchaseIpCount": 2}])), "purchaseIpCount"),
        (ips(json!([{"proxyIp": "203.0.113.300"}])), "specificIpItems[0].proxyIp"),
        (ips(json!([{"proxyIp": "203.0.113.1", "cityId": "0"}])), "specificIpItems[0].cityId"),
        (ips(json!([{"proxyIp": "203.0.113.1"}])), "purchaseIpCount"),
    ];
    for (change, field) in cases {
        let said = caller.post("purchase/quote", json!({"config": with(config(), change.clone())})).await;
        assert_eq!(said.refusal(), (400, "40000"), "{change}");
        assert!(said.message().contains(field), "{change}: {}", said.message());
    }
}
