//! Buyers and customers of one name.

use operations::BuyerId;
use serde_json::{Value, json};
use tests::agent::{field, page, seen_by_page, wrong};
use till::buyers::{assign_goods, list_buyers, read_pasted, save_buyer};
use till::customers::read_customers;

use crate::goods::{assign, with_goods};

#[tokio::test]
async fn a_customer_with_the_name_of_another_customers_buyer_is_neither_taken_for_it_nor_made_one_with_it() {
    let (agent, keys) = with_goods().await;
    read_customers(&agent.till, true).await.expect("customers");
    let customers = till::customers::list_customers(&agent.till, false).await.expect("customers");
    let (one, other) = (&customers[3], &customers[5]);
    let draft = json!({ "id": null, "name": other.user_name, "customer": one.customer_id, "contact": "", "language": "en", "note": "" });
    let buyer: BuyerId = save_buyer(&agent.till, page(draft)).await.expect("a buyer");
    let host = keys[0].split(' ').nth(1).expect("a host");
    let lines = read_pasted(&agent.till, format!("{host} {}", other.user_name)).await.expect("lines");
    let meant = seen_by_page(&lines[0].meant);
    let perhaps: Vec<&Value> =
        meant["perhaps"].as_array().expect("a list").iter().map(|who| &who["who"]["what"]).collect();
    assert_eq!((&meant["one"], perhaps), (&Value::Null, vec![&json!("buyer"), &json!("customer")]), "a question");
    let who = json!({ "what": "customer", "id": other.customer_id, "name": other.user_name });
    let all = json!([{ "keys": keys, "who": who, "note": null }]);
    assert_eq!(field(assign_goods(&agent.till, page(all)).await), wrong("buyer-name", "taken"));
    let buyers = list_buyers(&agent.till, ()).await.expect("buyers");
    let [left] = buyers.as_slice() else { panic!("one buyer: {buyers:?}") };
    assert_eq!((left.id, left.ips, left.customer.as_ref()), (buyer, 0, Some(&one.customer_id)));
    // The customer whose buyer it is still means it.
    let who = json!({ "what": "customer", "id": one.customer_id, "name": one.user_name });
    assert_eq!(assign(&agent, &keys, who).await[0].ips, 3);
}
