//! The vendor's list of IPs: read in the background, and the second witness of an order that is not confirmed.

use operations::OperationView;
use sandbox::{Capability as Offered, Fault, Options};
use serde_json::json;
use tests::agent::Agent;
use tests::service::{always, requests};
use till::connections::open_connection;
use till::vendor_ips::{NewIps, new_ips, vendor_ips};
use wire::ids::OrderNo;

async fn read_again(agent: &Agent, rows: usize) {
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    open_connection(&agent.till, id).await.expect("it opens again");
    listed(agent, rows).await;
}

/// Waits until the background has read the whole list.
async fn listed(agent: &Agent, rows: usize) {
    tests::until("the list is read", async || {
        let list = vendor_ips(&agent.till).await.expect("a list");
        (list.read_at.is_some() && list.rows.len() == rows).then_some(())
    })
    .await;
}

async fn told(agent: &Agent, of: &OperationView) -> Option<NewIps> {
    new_ips(&agent.till, of.id.clone()).await.expect("it is told")
}

#[tokio::test]
async fn the_list_is_kept_with_its_places_and_without_credentials() {
    let agent = Agent::connected().await;
    listed(&agent, 0).await;
    agent.buy().await;
    read_again(&agent, 3).await;
    let list = vendor_ips(&agent.till).await.expect("a list");
    let first = &list.rows[0].ip;
    assert!(!first.host.is_empty() && first.about.country_code == "JP" && !first.about.expires.is_empty(), "{first:?}");
    assert!(list.rows.iter().all(|row| row.first_seen <= tests::wall()) && list.unreadable == 0);
}

#[tokio::test]
async fn a_vendor_without_the_list_is_not_asked_for_it_again() {
    let without = vec![Offered::Ips];
    let agent = Agent::connected_to(Options { without, ..Options::default() }).await;
    tests::until("it was tried", async || (requests(&agent.service, "ips/page") == 1).then_some(())).await;
    always(&agent.service, "orders/place-and-pay", Fault::DropAfter);
    let sent = agent.buy().await;
    assert_eq!(told(&agent, &sent).await, None);
    assert_eq!(requests(&agent.service, "ips/page"), 1);
}

#[tokio::test]
async fn new_ips_are_evidence_of_an_order_whose_answer_was_lost() {
    let agent = Agent::connected().await;
    listed(&agent, 0).await;
    always(&agent.service, "orders/place-and-pay", Fault::DropAfter);
    let sent = agent.buy().await;
    assert!(sent.is_unconfirmed, "{:?}", sent.state);
    let new = told(&agent, &sent).await.expect("the vendor has a list");
    assert_eq!((new.total, new.ips.len()), (3, 3));
    assert!(new.since < Some(sent.created) && new.read_at > Some(sent.created), "{new:?}");
    assert_eq!((new.ips[0].country_en.as_str(), new.ips[0].country_zh.as_str()), ("Japan", "日本"));
    let now = till::activity::operations_of(&agent.till, vec![sent.id.clone()]).await.expect("it is there");
    assert!(now[0].is_unconfirmed, "evidence proves nothing: the key does");
}

#[tokio::test]
async fn an_order_that_never_arrived_shows_no_new_ip_and_other_orders_explain_theirs() {
    let agent = Agent::connected().await;
    listed(&agent, 0).await;
    let other = agent.buy().await.order.expect("an order").order_no;
    till::orders::order_detail(&agent.till, other).await.expect("it is read");
    always(&agent.service, "orders/place-and-pay", Fault::DropBefore);
    let sent = agent.buy().await;
    let new = told(&agent, &sent).await.expect("the vendor has a list");
    assert_eq!((new.total, new.since.is_some()), (0, true), "{new:?}");
}

#[tokio::test]
async fn an_order_whose_ips_were_not_read_yet_explains_them_by_its_number() {
    let agent = Agent::connected().await;
    listed(&agent, 0).await;
    let other = agent.buy().await.order.expect("an order").order_no;
    always(&agent.service, "orders/place-and-pay", Fault::DropBefore);
    let sent = agent.buy().await;
    let row = |order: &OrderNo| json!({ "id": "9", "ip": "192.0.2.9", "orderNo": order });
    for (order, total) in [(other, 0), (OrderNo::new("A2"), 1)] {
        agent.service.world.answer_with("ips/page", Some(json!({ "results": [row(&order)], "total": 1 })));
        till::goods::read_goods(&agent.till, true).await.expect("it is read");
        let new = told(&agent, &sent).await.expect("the vendor has a list");
        assert_eq!((new.total, new.since.is_some()), (total, true), "{new:?}");
    }
}

#[tokio::test]
async fn an_answer_without_an_order_number_explains_nothing_and_is_no_order_of_the_book() {
    let agent = Agent::connected().await;
    listed(&agent, 0).await;
    agent.service.world.answer_with("purchase/orders/place-and-pay", Some(json!({ "orderNo": "" })));
    let sent = agent.buy().await;
    assert!(sent.is_unconfirmed, "{:?}", sent.state);
    let new = told(&agent, &sent).await.expect("the vendor has a list");
    assert_eq!(new.total, 3, "the list names no order: {new:?}");
    assert_eq!(till::orders::list_orders(&agent.till, ()).await.expect("a book").len(), 0);
}

#[tokio::test]
async fn an_order_added_by_its_number_may_be_the_one_that_is_not_confirmed() {
    let agent = Agent::connected().await;
    listed(&agent, 0).await;
    always(&agent.service, "orders/place-and-pay", Fault::DropAfter);
    let sent = agent.buy().await;
    let number = OrderNo::new(agent.service.world.ledger().expect("a ledger").orders[0].order_no.as_str());
    till::orders::order_detail(&agent.till, number).await.expect("it is added");
    let new = told(&agent, &sent).await.expect("the vendor has a list");
    assert_eq!(new.total, 3, "they are still evidence: {new:?}");
}

#[tokio::test]
async fn without_a_reading_before_the_send_nothing_is_told() {
    let agent = Agent::connected().await;
    always(&agent.service, "ips/page", Fault::Refuse { code: None });
    till::connections::start_practice(&agent.till, ()).await.expect("practice");
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").connections[0].id.clone();
    std::fs::remove_file(agent.data(&format!("connections/{id}/cache.db"))).unwrap_or_default();
    open_connection(&agent.till, id.clone()).await.expect("it opens");
    always(&agent.service, "orders/place-and-pay", Fault::DropAfter);
    let sent = agent.buy().await;
    agent.service.world.clear_faults();
    always(&agent.service, "orders/place-and-pay", Fault::DropAfter);
    till::health::check_vendor(&agent.till, id).await.expect("it is checked");
    let new = told(&agent, &sent).await.expect("the vendor has a list");
    assert_eq!((new.total, new.since), (0, None), "{new:?}");
    assert!(new.read_at.is_some());
}
