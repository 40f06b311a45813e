//! `inventory/countries`, as the field notes describe it.

use serde_json::{Value, json};
use tests::caller::Caller;

async fn stock(caller: &Caller, query: Value) -> Value {
    caller.post("inventory/countries", query).await.data().clone()
}

#[tokio::test]
async fn stock_is_told_by_country_and_city_and_adds_up() {
    let caller = Caller::new().await;
    let japan = stock(&caller, json!({"countryCode": "JP"})).await;
    assert_eq!(japan.as_array().map(Vec::len), Some(1));
    let cities = japan[0]["cities"].as_array().expect("cities");
    let sum: i64 = cities.iter().filter_map(|city| city["available"].as_i64()).sum();
    assert_eq!(japan[0]["available"], json!(sum));
    assert!(sum > 0 && cities.iter().all(|city| city["cityId"].is_string()));
}

#[tokio::test]
async fn without_a_country_or_with_all_every_country_is_told() {
    let caller = Caller::new().await;
    let all = stock(&caller, json!({})).await;
    assert!(all.as_array().expect("a list").len() > 200);
    assert_eq!(stock(&caller, json!({"countryCode": "ALL"})).await, all);
    assert!(all.as_array().expect("a list").iter().any(|country| country["available"] == json!(0)), "some have none");
}

#[tokio::test]
async fn what_is_bought_is_no_longer_in_stock() {
    let caller = Caller::new().await;
    let before = stock(&caller, json!({"countryCode": "JP"})).await[0]["available"].as_i64();
    let order = caller.order_for(json!({})).await;
    caller.place(&order, Some("k")).await.data();
    let after = stock(&caller, json!({"countryCode": "JP"})).await[0]["available"].as_i64();
    assert_eq!(before.map(|count| count - 3), after);
}

#[tokio::test]
async fn stock_is_found_by_the_name_of_a_country_or_city_and_may_be_left_uncounted() {
    let caller = Caller::new().await;
    let japan = stock(&caller, json!({"keyword": "日本"})).await;
    assert_eq!(japan[0]["countryCode"], "JP");
    assert!(japan[0]["cities"].as_array().expect("cities").len() > 1, "a country that is named is told whole");
    let tokyo = stock(&caller, json!({"keyword": "tokyo", "countryCode": "JP"})).await;
    let named = tokyo[0]["cities"].as_array().expect("cities");
    assert!(
        !named.is_empty() && named.iter().all(|city| city["nameEn"].to_string().to_lowercase().contains("tokyo")),
        "{named:?}"
    );
    let uncounted = stock(&caller, json!({"countryCode": "JP", "needInventory": false})).await;
    assert!(uncounted[0]["available"].is_null() && uncounted[0]["cities"][0]["available"].is_null());
}

#[tokio::test]
async fn stock_by_segment_is_priced_and_can_be_bought() {
    let caller = Caller::new().await;
    let query = json!({"countryCode": "PT", "condition": {"sellMode": 1, "lineType": "standard"}});
    let told = stock_of(&caller, query).await;
    let first = &told[0];
    assert_eq!((&first["unitPrice"], &first["currency"]), (&json!("0.14"), &json!("USD")));
    let before = first["available"].as_i64().expect("a count");
    let order = caller
        .order_for(json!({"allocateStrategy": 2, "quotaItems": null, "purchaseIpCount": 2, "segmentItems": [
            {"cidr": first["cidr"], "cidrId": first["cidrId"], "countryCode": "PT", "cityId": first["cityId"], "purchaseIpCount": 2}
        ]}))
        .await;
    caller.place(&order, Some("k")).await.data();
    let after = stock_of(&caller, json!({"countryCode": "PT", "cityCode": first["cityId"], "condition": {}})).await;
    let same = after.as_array().expect("a list").iter().find(|row| row["cidr"] == first["cidr"]).expect("it is there");
    assert_eq!(same["available"], json!(before - 2));
}

async fn stock_of(caller: &Caller, query: Value) -> Value {
    caller.post("inventory/cidrs", query).await.data().clone()
}
