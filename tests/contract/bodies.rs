//! Bodies that are not a request of the contract.

use reqwest::Method;
use serde_json::json;
use tests::caller::{Caller, config, send, with};

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused_with_the_name_of_the_field() {
    let caller = Caller::new().await;
    let config = |change| with(config(), change);
    let cases = [
        ("location/countries", "{".to_owned(), "EOF"),
        ("location/cities", "[1".to_owned(), ""),
        ("location/states", json!({"keyword": 7}).to_string(), "keyword"),
        ("inventory/countries", json!({"countryCode": {}}).to_string(), "countryCode"),
        ("orders/detail", "{}".to_owned(), "orderNo"),
        ("orders/detail", String::new(), "EOF"),
        ("purchase/quote", "{}".to_owned(), "config"),
        ("purchase/quote", json!({"config": config(json!({"days": "soon"}))}).to_string(), "config.days"),
        ("purchase/quote", json!({"config": config(json!({"isUdp": null}))}).to_string(), "isUdp"),
        ("purchase/quote", json!({"config": config(json!({"sellMode": null}))}).to_string(), "sellMode"),
        ("purchase/quote", json!({"config": config(json!({"lineType": 1}))}).to_string(), "lineType"),
        ("purchase/orders/place-and-pay", json!({"quoteVersion": "v", "config": {}}).to_string(), "quoteId"),
        ("purchase/orders/place-and-pay", json!({"quoteId": "1", "config": {}}).to_string(), "quoteVersion"),
        ("purchase/orders/place-and-pay", json!({"quoteId": "1", "quoteVersion": "v"}).to_string(), "config"),
    ];
    for (path, body, field) in cases {
        let said = caller.post_text(path, body.clone()).await;
        assert_eq!(said.refusal(), (400, "40000"), "{path} {body}");
        assert!(said.message().contains(field), "{path} {body}: {}", said.message());
    }
}

#[tokio::test]
async fn an_unknown_path_is_answered_in_the_envelope_of_its_area() {
    let caller = Caller::new().await;
    for path in ["inventory/segments", "renewals/price", "ips"] {
        let said = send(caller.to_static(Method::POST, path)).await;
        assert_eq!(said.refusal(), (404, "40400"), "{path}");
    }
    for path in ["/prod-api/open/nothing", "/elsewhere", "/open/staticip/location/continents"] {
        let said = send(caller.bare(Method::GET, path)).await;
        assert_eq!((said.status, &said.body["code"]), (404, &json!(404)), "{path}");
    }
}

#[tokio::test]
async fn a_body_over_a_mebibyte_is_not_read() {
    let caller = Caller::new().await;
    let padded = |bytes: usize| format!("{{\"keyword\":\"{}\"}}", "x".repeat(bytes - 14));
    assert_eq!(caller.post_text("location/countries", padded(1024 * 1024 + 1)).await.status, 413);
    assert_eq!(caller.post_text("location/countries", padded(1024 * 1024)).await.status, 200);
}
