//! The palette finds every customer and every order, best first.

use serde_json::json;
use tests::agent::{Agent, page};
use till::palette::{Found, find_anything};

async fn find(agent: &Agent, text: &str) -> Found {
    find_anything(&agent.till, page(json!({ "text": text, "most": 5 }))).await.expect("an answer")
}

#[tokio::test]
async fn every_customer_is_found_by_name_id_or_note_and_the_best_comes_first() {
    let agent = Agent::connected().await;
    let all = till::customers::list_customers(&agent.till, true).await.expect("a list");
    let none = find(&agent, "").await;
    assert_eq!((none.customers.len(), none.all_customers), (5, all.len()));
    let last = all.last().expect("a customer");
    let short = last.user_name.split('@').next().expect("a name").to_uppercase();
    assert_eq!(find(&agent, &short).await.customers[0].customer_id, last.customer_id);
    let found = find(&agent, last.customer_id.as_str()).await;
    assert_eq!(found.customers[0].customer_id, last.customer_id);
    let note = json!({ "customerId": "100007", "note": { "note": "pays late", "tags": ["vip"] } });
    till::customers::save_note(&agent.till, page(note)).await.expect("it is saved");
    let found = find(&agent, "VIP late").await;
    assert_eq!(found.customers.iter().map(|one| one.customer_id.as_str()).collect::<Vec<_>>(), ["100007"]);
    assert_eq!(find(&agent, "nobody at all").await.all_customers, 0);
}

#[tokio::test]
async fn every_order_is_found_by_number_place_or_ip() {
    let agent = Agent::connected().await;
    agent.buy().await;
    let orders = till::orders::list_orders(&agent.till, ()).await.expect("a list");
    let number = orders[0].order_no.clone();
    let detail = till::orders::order_detail(&agent.till, number.clone()).await.expect("a detail");
    let host = detail.particulars.proxies[0].host.clone();
    till::locations::refresh_places(&agent.till, ()).await.expect("places");
    for (text, by_ip) in
        [(number.as_str(), false), ("japan", false), ("\u{65e5}\u{672c}", false), (host.as_str(), true)]
    {
        let found = find(&agent, text).await;
        assert_eq!((found.all_orders, found.orders[0].order_no.clone()), (1, number.clone()), "{text}");
        assert_eq!(found.orders[0].ip.is_some(), by_ip, "{text}");
    }
    for other in ["germany", "255.255.255", "no such order"] {
        assert_eq!(find(&agent, other).await.all_orders, 0, "{other}");
    }
}

#[tokio::test]
async fn every_buyer_is_found_by_name_contact_or_note_until_the_buyer_is_deleted() {
    let agent = Agent::connected().await;
    let mut ids = Vec::new();
    for (name, contact, note) in [("Ümit", "wechat um-7", ""), ("Ali", "", "pays late")] {
        let buyer =
            json!({ "id": null, "name": name, "customer": null, "contact": contact, "language": "en", "note": note });
        ids.push(till::buyers::save_buyer(&agent.till, page(buyer)).await.expect("it is saved"));
    }
    let names =
        async |text: &str| -> Vec<String> { find(&agent, text).await.buyers.into_iter().map(|one| one.name).collect() };
    assert_eq!(names("").await, ["Ali", "Ümit"], "by name");
    assert_eq!(
        [names("ÜMIT").await, names("um-7 wechat").await, names("late").await].concat(),
        ["Ümit", "Ümit", "Ali"]
    );
    assert_eq!(find(&agent, "nobody").await.all_buyers, 0);
    till::buyers::delete_buyer(&agent.till, ids[1]).await.expect("it is deleted");
    assert!(names("ali").await.is_empty());
}
