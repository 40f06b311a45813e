//! Everything in the vendor's prices and orders is on screen, whatever its shape.

use sandbox::Fault;
use serde_json::{Value, json};
use tests::service;
use tests::window::{Window, testid};

/// A price in shapes that the contract does not show.
fn price() -> Value {
    json!({
        "regionLines": {"JP": {"countryName": "Japan", "city": "Tokyo", "qty": 3, "unit_price": "0.10", "tags": ["a", "b"]},
            "hand-made": [["first line", 7]]},
        "orderSummary": {"originalAmount": 9.00, "loyalty": {"tier": {"name": "gold", "since": 2024}}, "note": "5 % off"},
    })
}

fn order() -> Value {
    json!({
        "orderNo": null, "serviceLevel": "gold", "payTime": 1_783_934_675_000_i64, "refundSummary": {"refundAmount": 1.5, "reason": "one IP replaced"},
        "details": [{"lineType": "premium", "days": 30, "bandwidthLimit": 0, "businessName": "Own shops", "countryCode": "JP",
            "countryNameEn": "Japan", "countryNameZh": "日本", "cityNameEn": "Tokyo", "cityNameZh": "东京", "expireTime": 1_786_526_661_000_i64,
            "ips": [{"proxyIp": "203.0.113.7", "proxyPort": "10080", "proxyUser": "px1", "proxyPassword": "hunter2hunter2", "asn": 64_500},
                {"proxyIp": "2001:db8::7", "proxyPort": 10_081, "proxyUser": "px2", "proxyPassword": "hunter2hunter3", "expiresAt": "soon", "protocol": "http"}]}],
    })
}

/// Checks that an element's text contains all of these.
async fn reads(window: &Window, id: &str, words: &[&str]) {
    let text = window.text(id).await;
    let missing: Vec<_> = words.iter().filter(|word| !text.contains(**word)).collect();
    assert!(missing.is_empty(), "{id} lacks {missing:?}: {text}");
}

async fn picture(window: &Window, name: &str) {
    window.picture(&tests::root().join(format!("target/pictures/{name}.png"))).await;
}

async fn story(language: &str, lines: &[&str], specification: &[&str], row: &[&str]) {
    let service = service::start().await;
    service.world.answer_with("purchase/quote", Some(price()));
    service.world.answer_with("orders/detail", Some(order()));
    let window = Window::open_with(&["--lang", language]).await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    reads(&window, "price-lines", lines).await;
    reads(&window, "price-discounts", &["9.00", "loyalty", "gold", "2024", "5 % off"]).await;
    picture(&window, &format!("price-{language}")).await;
    window.press("pay-open").await;
    window.press("pay-breakdown-open").await;
    reads(&window, "pay-breakdown", lines).await;
    picture(&window, &format!("pay-{language}")).await;
    window.press("pay-confirm").await;
    window.see_state("order-proxies", "ready").await;
    window.press("nav-orders").await;
    window.press("order-row").await;
    window.see(&format!("{}[data-value='2']", testid("order-goods"))).await;
    reads(&window, "order-specification", specification).await;
    reads(&window, "order-refund", &["1.50", "one IP replaced"]).await;
    reads(&window, "order-goods", row).await;
    // The vendor's time is shown in this computer's zone, and its own text on hover.
    window.see(&format!("{} time[title*='2026-08-12 17:24:21']", testid("order-goods"))).await;
    assert!(!window.text("order-detail").await.contains("hunter2"), "concealed until asked for");
    picture(&window, &format!("order-{language}")).await;
    window.resize(900, 600).await;
    picture(&window, &format!("order-small-{language}")).await;
    window.run("document.querySelector('[data-testid=order-goods]').scrollIntoView({block: 'center'})").await;
    picture(&window, &format!("goods-small-{language}")).await;
    assert_eq!(window.axe().await, [""; 0]);
    // The vendor cannot be reached: its earlier answer is still shown.
    service::always(&service, "orders/detail", Fault::Html);
    window.press("nav-activity").await;
    window.see(&testid("activity-table")).await;
    window.press("nav-orders").await;
    window.see(&format!("{}[data-value='2']", testid("order-goods"))).await;
    reads(&window, "order-specification", specification).await;
    window.see(&testid("error-panel")).await;
}

#[tokio::test]
async fn prices_and_orders_of_any_shape_are_read_in_english() {
    story(
        "en",
        &["JP: Japan · Tokyo × 3", "Unit price: 0.10", "a, b", "hand-made", "first line", "7"],
        &[
            "Line quality: Premium",
            "Days: 30",
            "Bandwidth, M/s: Unlimited",
            "Purpose: Own shops",
            "serviceLevel",
            "gold",
        ],
        &[
            "203.0.113.7:10080",
            "[2001:db8::7]:10081",
            "Japan (JP)",
            "Tokyo",
            "Aug 12, 2026",
            "soon",
            "http",
            "asn: 64500",
        ],
    )
    .await;
}

#[tokio::test]
async fn prices_and_orders_of_any_shape_are_read_in_chinese() {
    story(
        "zh-CN",
        &["JP：Japan · Tokyo × 3", "单价：0.10", "a, b", "hand-made", "first line", "7"],
        &["线路质量：优质", "天数：30", "带宽（M/s）：不限", "用途：Own shops", "serviceLevel", "gold"],
        &[
            "203.0.113.7:10080",
            "[2001:db8::7]:10081",
            "日本 (JP)",
            "东京",
            "2026年8月12日",
            "soon",
            "http",
            "asn：64500",
        ],
    )
    .await;
}
