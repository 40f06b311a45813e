//! Activity: every operation, and what a person can do about an open one.

use operations::{OperationView, State};
use sandbox::Fault;
use serde_json::{Value, json};
use tests::agent::{Agent, code, page};
use tests::service::always;
use tests::until;
use till::Code;
use till::activity::{
    check_operation, judge_operation, list_activity, list_operations, operations_of, operations_touched,
    resend_operation,
};

fn query(search: &str) -> Value {
    json!({ "search": search, "kind": null, "standing": null, "order": "when", "down": true, "most": 50 })
}

/// Buys an order whose answer is lost.
async fn in_doubt(agent: &Agent) -> OperationView {
    always(&agent.service, "place-and-pay", Fault::DropBefore);
    agent.buy().await
}

#[tokio::test]
async fn what_was_done_is_listed_and_found_by_its_name() {
    let agent = Agent::connected().await;
    let before = operations_touched(&agent.till, -1).await.expect("where it stands");
    assert!(before.rows.is_empty());
    let moved = agent.recharge("1").await;
    let bought = agent.buy().await;
    let listed: Vec<_> =
        list_operations(&agent.till, ()).await.expect("a list").into_iter().map(|one| one.id).collect();
    assert_eq!(listed, [bought.id.clone(), moved.id.clone()], "newest first");
    let all = list_activity(&agent.till, page(query(""))).await.expect("activity");
    let found = list_activity(&agent.till, page(query(&moved.user_name))).await.expect("activity");
    assert_eq!((all.total, found.total), (2, 1));
    let touched = operations_touched(&agent.till, before.position).await.expect("what happened since");
    assert!(touched.position > before.position && touched.rows.len() == 2);
    let one = operations_of(&agent.till, vec![moved.id.clone()]).await.expect("one");
    assert_eq!(one[0].id, moved.id);
}

#[tokio::test]
async fn a_search_says_how_many_the_filters_hide() {
    let agent = Agent::connected().await;
    let moved = agent.recharge("1").await;
    always(&agent.service, "rechargeTrafficCount", Fault::DropBefore);
    let token = agent.offer_recharge("2").await;
    agent.confirm_move(&token).await.expect("it is sent");
    for (search, outside) in [(moved.user_name.as_str(), 1), ("", 0)] {
        let mut filtered = query(search);
        filtered["standing"] = json!("done");
        let found = list_activity(&agent.till, page(filtered)).await.expect("activity");
        assert_eq!((found.total, found.outside), (1, outside), "{search}");
    }
}

#[tokio::test]
async fn the_page_hears_of_each_operation() {
    let agent = Agent::connected().await;
    agent.buy().await;
    until("the page hears of it", async || (agent.host.heard("operation-changed") > 0).then_some(())).await;
}

#[tokio::test]
async fn what_is_settled_is_neither_sent_again_nor_judged() {
    let agent = Agent::connected().await;
    let bought = agent.buy().await;
    assert_eq!(code(resend_operation(&agent.till, bought.id.clone()).await), Code::NotPossible);
    let judgement = json!({ "id": bought.id, "verdict": "not-done" });
    assert_eq!(code(judge_operation(&agent.till, page(judgement)).await), Code::NotPossible);
    assert_eq!(agent.orders(), 1);
}

#[tokio::test]
async fn an_order_that_never_left_is_sent_again_within_the_limits_and_paid_once() {
    let agent = Agent::connected().await;
    let lost = in_doubt(&agent).await;
    assert_ne!(lost.state, State::Applied);
    agent.service.world.clear_faults();
    let resent = until("it may be sent again", async || {
        let now = operations_of(&agent.till, vec![lost.id.clone()]).await.expect("the order").remove(0);
        if now.state == State::Applied {
            return Some(now);
        }
        resend_operation(&agent.till, lost.id.clone()).await.ok()
    })
    .await;
    assert_eq!(resent.id, lost.id);
    until("it is paid", async || (agent.orders() == 1).then_some(())).await;
}

#[tokio::test]
async fn a_move_is_checked_for_when_a_person_asks_and_never_sent_by_that() {
    let agent = Agent::connected().await;
    let token = agent.offer_recharge("1").await;
    let sent = agent.confirm_move(&token).await.expect("sent");
    check_operation(&agent.till, sent.id.clone()).await.expect("it is looked for");
    agent.applied(sent).await;
    assert_eq!(agent.moved(), ["1024"]);
    let bought = agent.buy().await;
    assert_eq!(code(check_operation(&agent.till, bought.id).await), Code::NotPossible, "an order has its number");
}

#[tokio::test]
async fn an_order_in_doubt_is_judged_by_a_person_once() {
    let agent = Agent::connected().await;
    let lost = in_doubt(&agent).await;
    let judgement = json!({ "id": lost.id, "verdict": "not-done" });
    let judged =
        until("a person may judge", async || judge_operation(&agent.till, page(judgement.clone())).await.ok()).await;
    assert_eq!(judged.state, State::ResolvedNot);
    assert_eq!(code(judge_operation(&agent.till, page(judgement)).await), Code::NotPossible);
    assert_eq!(agent.orders(), 0);
}
