//! Handing over when something is odd: an IP that its order no longer lists, a format that cannot be remembered.

use serde_json::json;
use tests::agent::{field, page, wrong};
use till::buyers::list_buyers;
use till::goods::read_goods;
use till::hand_over::{copy_delivery, save_delivery};
use till::orders::order_detail;

use crate::goods::{assign, found, hand_over, new, with_goods};

const DETAIL: &str = "orders/detail";

#[tokio::test]
async fn an_ip_that_its_order_no_longer_lists_stays_with_its_buyer_and_is_not_handed_over() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let parts: Vec<&str> = keys[1].split(' ').collect();
    let left = json!([{ "ip": parts[1], "port": parts[2], "username": "u", "password": "p" }]);
    agent.service.world.answer_with(DETAIL, Some(json!({ "details": left })));
    agent.service.world.answer_with("ips/page", Some(json!({ "total": 0, "results": [] })));
    read_goods(&agent.till, true).await.expect("the vendor's list is read");
    let shown = order_detail(&agent.till, page(json!(parts[0]))).await.expect("it is read");
    assert_eq!(shown.addresses.len(), 1, "what the vendor lists");
    let unlisted: Vec<bool> = shown.particulars.proxies.iter().map(|one| one.no_longer_listed).collect();
    assert_eq!(unlisted, [false, true, true]);
    let rows = found(&agent, json!({ "buyer": { "of": "one", "id": ali } })).await.rows;
    let gone: Vec<&str> =
        rows.iter().filter(|row| row.item.no_longer_listed).map(|row| row.item.host.as_str()).collect();
    assert_eq!((rows.len(), gone.len(), gone.contains(&parts[1])), (3, 2, false));
    assert_eq!(
        field(copy_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await),
        wrong("delivery", "missing")
    );
    agent.service.world.answer_with(DETAIL, None);
    order_detail(&agent.till, page(json!(parts[0]))).await.expect("it is read");
    let rows = found(&agent, json!({})).await.rows;
    assert!(rows.len() == 3 && rows.iter().all(|row| !row.item.no_longer_listed), "they are listed again");
}

#[tokio::test]
async fn what_was_copied_or_saved_is_not_called_failed_because_its_format_is_not_remembered() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a start").active.expect("a connection");
    let journal = rusqlite::Connection::open(agent.data(&format!("connections/{id}/journal.db"))).expect("SQLite");
    let full = "CREATE TRIGGER meddles BEFORE UPDATE ON buyer BEGIN SELECT raise(FAIL, 'the disk is full'); END";
    journal.execute_batch(full).expect("SQLite");
    copy_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await.expect("it is copied");
    assert!(agent.host.clipboard().0.is_some_and(|text| text.contains("ali")));
    let saved = save_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await.expect("it is saved");
    assert!(std::fs::read_to_string(&saved.path).is_ok_and(|text| text.contains("ali")));
    assert!(list_buyers(&agent.till, ()).await.expect("buyers")[0].layout.is_none(), "it was not remembered");
}
