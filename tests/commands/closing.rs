//! Closing the window: at once when nothing is under way, else the page asks, and a page that hangs keeps nothing open.

use std::sync::Arc;
use std::time::Duration;

use sandbox::Fault;
use serde_json::{Value, json};
use tests::agent::{Agent, LONG, page};
use tests::service::{always, requests};
use tests::until;
use till::Till;
use till::bulk::{act_on_bulk, confirm_bulk, offer_bulk};
use till::bulk_draft::draft_bulk;
use till::closing::{UnderWay, close_anyway, close_window, work_under_way};

const RECHARGE: &str = "rechargeTrafficCount";
const IMPATIENCE: Duration = Duration::from_millis(50);

async fn under_way(agent: &Agent) -> UnderWay {
    work_under_way(&agent.till, ()).await.expect("it is known")
}

/// An agent whose recharge is under way: the vendor does not answer.
async fn awaiting() -> Agent {
    let agent = Agent::connected().await;
    let token = agent.offer_recharge("1").await;
    always(&agent.service, RECHARGE, Fault::Delay { ms: LONG.as_millis() as u64 });
    let till = agent.till.clone();
    tokio::spawn(
        async move { till::moves::confirm_move(&till, page(json!({ "token": token, "anyway": false }))).await },
    );
    until("it is sent", async || (requests(&agent.service, RECHARGE) > 0).then_some(())).await;
    agent
}

/// Closes the window, and answers as a page does that asks.
async fn close(agent: &Agent) -> bool {
    let (till, before): (Arc<Till>, usize) = (agent.till.clone(), agent.host.heard("close-asked"));
    let closing = tokio::spawn(async move { till.may_close(LONG).await });
    until("the page is told", async || (agent.host.heard("close-asked") > before).then_some(())).await;
    under_way(agent).await;
    closing.await.expect("it ends")
}

#[tokio::test]
async fn a_window_with_nothing_under_way_closes_at_once_and_asks_nobody() {
    let agent = Agent::connected().await;
    agent.recharge("1").await;
    assert!(agent.till.may_close(LONG).await);
    assert_eq!((agent.host.heard("close-asked"), under_way(&agent).await), (0, UnderWay::default()));
}

#[tokio::test]
async fn a_write_without_an_answer_keeps_the_window_open_while_the_page_asks() {
    let agent = awaiting().await;
    assert!(!close(&agent).await, "the page asks");
    assert!(!close(&agent).await, "and may be told again");
    assert_eq!(under_way(&agent).await, UnderWay { awaited: 1, ..UnderWay::default() });
    assert_eq!(agent.host.ends(), (0, 0), "nothing ends by itself");
    close_window(&agent.till, ()).await.expect("it is asked");
    close_anyway(&agent.till, ()).await.expect("it ends");
    assert_eq!(agent.host.ends(), (1, 1));
}

#[tokio::test]
async fn a_page_that_does_not_answer_keeps_no_window_open() {
    let agent = awaiting().await;
    assert!(agent.till.may_close(IMPATIENCE).await);
    assert_eq!(under_way(&agent).await.awaited, 1, "although a write has no answer");
}

#[tokio::test]
async fn a_bulk_that_sends_is_counted_with_its_rows_and_one_that_is_paused_is_not() {
    let agent = Agent::connected().await;
    always(&agent.service, RECHARGE, Fault::Delay { ms: LONG.as_millis() as u64 });
    let ids: Vec<String> = (100_001..=100_030).map(|id: u32| id.to_string()).collect();
    let source: Value = json!({ "from": "selected", "ids": ids, "gb": "1" });
    let drafted = json!({ "kind": "recharge", "active": false, "source": source });
    let draft = draft_bulk(&agent.till, page(drafted)).await.expect("a draft").draft;
    let token = offer_bulk(&agent.till, draft).await.expect("an offer").token;
    let bulk = confirm_bulk(&agent.till, page(json!({ "token": token, "typed": "" }))).await.expect("it begins");
    until("rows are on their way", async || (requests(&agent.service, RECHARGE) > 0).then_some(())).await;
    let found = under_way(&agent).await;
    assert_eq!((found.bulks, found.rows), (1, 30));
    assert!(found.awaited > 0 && found.waiting > 0 && found.awaited + found.waiting <= 30, "{found:?}");
    assert!(!close(&agent).await);
    act_on_bulk(&agent.till, page(json!({ "id": bulk.id, "act": "pause" }))).await.expect("it is paused");
    let found = under_way(&agent).await;
    assert_eq!((found.bulks, found.rows, found.waiting), (0, 0, 0), "its rows wait for a person");
    assert!(found.awaited > 0, "those that were sent have no answer yet");
}
