//! The program's own client with the practice service: every answer is read completely.

use client::customers::ListQuery;
use sandbox::THREE_IN_JAPAN;
use serde_json::value::RawValue;
use tests::service;
use wire::inventory::InventoryQuery;
use wire::locations::{CitiesQuery, CountriesQuery, StatesQuery};
use wire::orders::OrderStatus;

#[tokio::test]
async fn the_client_reads_every_answer_of_the_static_area() {
    let service = service::start().await;
    let client = service::client(&service);
    assert_eq!(client.call(client::locations::continents()).await.expect("continents").data.len(), 7);
    assert!(
        client.call(client::locations::countries(&CountriesQuery::default())).await.expect("countries").data.len()
            > 200
    );
    assert!(!client.call(client::locations::states(&StatesQuery::default())).await.expect("states").data.is_empty());
    assert!(client.call(client::locations::cities(&CitiesQuery::default())).await.expect("cities").data.len() > 1000);
    let options = client.call(client::purchase::options()).await.expect("options").data;
    for choices in [&options.exclusivity, &options.quality, &options.bandwidth, &options.duration] {
        assert!(choices.known.len() >= 2 && choices.unread.is_empty(), "{choices:?}");
    }
    let stock = client.call(client::inventory::countries(&InventoryQuery::default())).await.expect("stock").data;
    assert!(stock.iter().all(|country| country.available.is_some()));
    let config = RawValue::from_string(THREE_IN_JAPAN.into()).expect("JSON");
    let answer = client.call(client::purchase::quote(&config, None)).await.expect("a price");
    assert_eq!(answer.data.amount.to_string(), "8.55");
    assert!(answer.data.expires_at.is_some());
}

#[tokio::test]
async fn the_client_reads_an_order_and_its_proxies() {
    let caller = tests::caller::Caller::new().await;
    let order = caller.order_for(serde_json::json!({})).await;
    let placed = caller.place(&order, Some("key-1")).await;
    let number = wire::ids::OrderNo::new(placed.data()["orderNo"].as_str().expect("a number"));
    let client = service::client(&caller.service);
    let detail = client.call(client::orders::detail(&number)).await.expect("an order").data;
    assert_eq!((detail.status.clone(), detail.proxies().len()), (Some(OrderStatus("20".into())), 3));
    assert!(detail.proxies().iter().all(|proxy| !proxy.password.is_empty() && proxy.port > 0));
}

#[tokio::test]
async fn the_client_reads_the_customer_list_and_sees_a_refused_token() {
    let service = service::start().await;
    let page = service::client(&service).call(client::customers::list(&ListQuery::default())).await.expect("a page");
    assert_eq!((page.data.total, page.data.rows.len()), (60, 60));
    let mut account = service::account(&service.base_url());
    account.agent_token = Some("rotated".into());
    let client = client::Client::new(std::sync::Arc::new(account), client::Patience::default()).expect("a client");
    let refused = client.call(client::customers::list(&ListQuery::default())).await;
    assert!(matches!(refused, Err(client::Error::NotAuthenticated(_))), "code 200 without data is no list");
}
