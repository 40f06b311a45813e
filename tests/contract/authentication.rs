//! "Authentication" and the first rows of "Errors".

use reqwest::Method;
use serde_json::json;
use tests::caller::{Caller, send};

const STATIC: [(Method, &str); 9] = [
    (Method::GET, "location/continents"),
    (Method::POST, "location/countries"),
    (Method::POST, "location/states"),
    (Method::POST, "location/cities"),
    (Method::GET, "purchase/options"),
    (Method::POST, "purchase/quote"),
    (Method::POST, "purchase/orders/place-and-pay"),
    (Method::POST, "inventory/countries"),
    (Method::POST, "orders/detail"),
];

#[tokio::test]
async fn every_static_endpoint_names_what_is_missing_or_wrong_before_it_reads_the_body() {
    let caller = Caller::new().await;
    let headers: [(&[(&str, &str)], &str); 5] = [
        (&[], "20010"),
        (&[("Token", "practice-static-token")], "20010"),
        (&[("UserId", "practice-agent")], "20011"),
        (&[("UserId", "practice-agent"), ("Token", "rotated")], "20000"),
        (&[("UserId", "somebody"), ("Token", "practice-static-token")], "20000"),
    ];
    for (method, path) in STATIC {
        for (sent, code) in headers {
            let mut request = caller.bare(method.clone(), &format!("/api/open/staticip/{path}")).body("not JSON");
            for (name, value) in sent {
                request = request.header(*name, *value);
            }
            assert_eq!(send(request).await.refusal(), (401, code), "{path} {sent:?}");
        }
    }
}

#[tokio::test]
async fn the_agent_area_answers_a_wrong_token_with_code_200_and_no_data() {
    let caller = Caller::new().await;
    for token in [None, Some("rotated"), Some("")] {
        let mut request = caller.bare(Method::GET, "/prod-api/open/customer/list");
        if let Some(token) = token {
            request = request.header("token", token);
        }
        let said = send(request).await;
        assert_eq!(said.status, 200);
        assert_eq!(said.body, json!({"code": 200, "msg": "无效的认证令牌", "data": null}), "{token:?}");
    }
}

#[tokio::test]
async fn the_token_of_one_area_opens_nothing_in_the_other() {
    let caller = Caller::new().await;
    let crossed = caller.bare(Method::GET, "/api/open/staticip/location/continents");
    let crossed = crossed.header("UserId", "practice-agent").header("Token", "practice-agent-token");
    assert_eq!(send(crossed).await.refusal(), (401, "20000"));
    let crossed = caller.bare(Method::GET, "/prod-api/open/customer/list").header("token", "practice-static-token");
    assert!(send(crossed).await.body["data"].is_null());
}
