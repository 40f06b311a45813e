//! Orders are read so that My IPs can show what they delivered: each once, until it is complete, and not against refusals.

use sandbox::{Capability, Fault, FaultRule, Options};
use serde_json::{Value, json};
use tests::agent::{Agent, code, page};
use tests::service::{fault, requests};
use till::Code;
use till::goods::read_goods;

use crate::goods::found;

const DETAIL: &str = "orders/detail";

#[tokio::test]
async fn an_order_whose_answer_was_lost_is_read_once_and_one_that_is_refused_only_when_asked_for() {
    let agent = Agent::connected().await;
    agent.buy().await;
    fault(&agent.service, DETAIL, Fault::Refuse { code: Some("60301".into()) });
    let read = read_goods(&agent.till, false).await.expect("an answer");
    assert_eq!((read.read, read.refused), (0, 1));
    assert_eq!(found(&agent, json!({})).await.all, 0);
    let before = requests(&agent.service, DETAIL);
    assert_eq!(read_goods(&agent.till, false).await.expect("an answer").refused, 1);
    assert_eq!(requests(&agent.service, DETAIL), before, "it is not asked for again by itself");
    let read = read_goods(&agent.till, true).await.expect("an answer");
    assert_eq!((read.read, read.refused), (1, 0));
    assert_eq!(found(&agent, json!({})).await.all, 3);
    let before = requests(&agent.service, DETAIL);
    read_goods(&agent.till, true).await.expect("an answer");
    assert_eq!(requests(&agent.service, DETAIL), before, "what is complete is not read again");
}

#[tokio::test]
async fn an_order_that_lists_its_ips_later_than_it_says_that_it_is_complete_is_read_again() {
    let agent = Agent::connected_to(Options { without: vec![Capability::Ips], ..Options::default() }).await;
    let number = agent.buy().await.order.expect("an order").order_no;
    let empty = json!({ "orderNo": number, "status": 20, "purchaseIpCount": 3, "deliverIpCount": 3, "details": [] });
    agent.service.world.answer_with(DETAIL, Some(empty));
    for _ in 0..2 {
        assert_eq!(read_goods(&agent.till, false).await.expect("an answer").read, 1);
    }
    assert_eq!(found(&agent, json!({})).await.all, 0);
    agent.service.world.answer_with(DETAIL, None);
    assert_eq!(read_goods(&agent.till, false).await.expect("an answer").read, 1);
    assert_eq!(found(&agent, json!({})).await.all, 3);
    assert_eq!(read_goods(&agent.till, false).await.expect("an answer").read, 0, "now it is complete");
}

#[tokio::test]
async fn reading_ends_where_all_orders_are_refused_and_goes_on_behind_them_after_the_next_start() {
    const ORDERS: usize = 12;
    let mut agent = Agent::connected_to(Options { without: vec![Capability::Ips], ..Options::default() }).await;
    for _ in 0..ORDERS {
        agent.buy().await;
    }
    agent.service.world.add_fault(FaultRule {
        endpoint: DETAIL.into(),
        fault: Fault::Refuse { code: Some("60301".into()) },
        times: 100,
    });
    let first = read_goods(&agent.till, false).await.expect("an answer");
    assert_eq!((first.read, first.refused, first.left), (0, 5, 7), "it does not ask for all of them");
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a start").active.expect("a connection");
    agent.start_again();
    // Its tokens were in memory only.
    let mut connection = agent.draft();
    connection["id"] = json!(id);
    till::connections::save_connection(&agent.till, page(connection)).await.expect("it is saved");
    till::connections::open_connection(&agent.till, id).await.expect("it opens");
    let second = read_goods(&agent.till, false).await.expect("an answer");
    assert_eq!((second.read, second.refused, second.left), (0, 10, 2), "the next ones");
    let third = read_goods(&agent.till, true).await.expect("an answer");
    assert_eq!((third.read, third.refused, third.left), (0, 12, 7), "a person's refresh goes on with the last two");
    agent.service.world.clear_faults();
    let none = read_goods(&agent.till, false).await.expect("an answer");
    assert_eq!((none.read, none.refused, none.left), (0, 12, 0));
    let all = read_goods(&agent.till, true).await.expect("an answer");
    assert_eq!((all.read, all.refused, all.left), (ORDERS, 0, 0), "when a person asks");
}

#[tokio::test]
async fn reading_ends_at_the_first_error_that_is_no_refusal_of_one_order() {
    let agent = Agent::connected().await;
    agent.buy().await;
    fault(&agent.service, DETAIL, Fault::Status { code: 503 });
    assert_eq!(code(read_goods(&agent.till, false).await), Code::VendorTrouble);
    assert_eq!(read_goods(&agent.till, false).await.expect("it goes on").read, 1);
}

#[tokio::test]
async fn an_order_that_cannot_be_read_hides_no_other() {
    // The vendor's own list would show its IPs all the same, as from elsewhere.
    let agent = Agent::connected_to(Options { without: vec![Capability::Ips], ..Options::default() }).await;
    agent.buy().await;
    read_goods(&agent.till, false).await.expect("it is read");
    agent.buy().await;
    agent.buy().await;
    let nothing = ["orderNo", "status", "productName", "amount", "discountAmount", "currency", "createTime", "payTime"];
    let nothing = nothing.into_iter().chain(["purchaseIpCount", "deliverIpCount", "details", "refundSummary"]);
    let odd: Value = nothing.map(|name| (name.to_owned(), Value::Null)).collect::<serde_json::Map<_, _>>().into();
    agent.service.world.answer_with(DETAIL, Some(odd));
    let read = read_goods(&agent.till, false).await.expect("an answer");
    assert_eq!((read.read, read.refused, found(&agent, json!({})).await.all), (0, 2, 3));
    agent.service.world.answer_with(DETAIL, None);
    assert_eq!(read_goods(&agent.till, true).await.expect("an answer").read, 2);
    assert_eq!(found(&agent, json!({})).await.all, 9);
}
