//! Connections: tested, saved, opened, replaced, removed. The rules about one journal per account.

use sandbox::{Credentials, Fault};
use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use tests::desk::Keychain;
use tests::service::{always, requests};
use till::Code;
use till::calls::of_page;
use till::connections::{Probe, open_connection, remove_connection, replace_token, save_connection, test_connection};

use crate::keychain::is_at;

fn with(agent: &Agent, changes: &[(&str, Value)]) -> Value {
    let mut draft = agent.draft();
    for (name, value) in changes {
        draft[name] = value.clone();
    }
    draft
}

#[tokio::test]
async fn a_form_with_a_mistake_is_refused_with_its_field_and_nothing_is_saved() {
    let agent = Agent::new().await;
    let cases = [
        ("name", json!(" "), ["name", "empty"]),
        ("timeZone", json!(900), ["time-zone", "out-of-range"]),
        ("baseUrl", json!("http://vendor.example"), ["base-url", "not-https"]),
        ("baseUrl", json!("vendor"), ["base-url", "not-an-address"]),
        ("agentPrefix", json!("/a?b"), ["agent-prefix", "bad-prefix"]),
        ("userId", json!(""), ["user-id", "empty"]),
    ];
    for (name, value, [which, why]) in cases {
        let draft = with(&agent, &[(name, value)]);
        assert_eq!(field(save_connection(&agent.till, page(draft.clone())).await), wrong(which, why));
        assert_eq!(field(test_connection(&agent.till, page(draft)).await), wrong(which, why));
    }
    let without = with(&agent, &[("staticToken", json!("")), ("agentToken", json!(" "))]);
    assert_eq!(field(save_connection(&agent.till, page(without)).await), wrong("static-token", "no-token"));
    let boot = till::start::boot(&agent.till, "en".into()).await.expect("a first screen");
    assert!(boot.connections.is_empty());
    assert_eq!(requests(&agent.service, ""), 0, "the network is not asked about a form with a mistake");
}

#[tokio::test]
async fn a_test_says_for_each_area_what_is_wrong_and_saves_nothing() {
    let agent = Agent::new().await;
    let good = test_connection(&agent.till, page(agent.draft())).await.expect("a test");
    assert_eq!((good.static_area, good.agent_area), (Some(Probe::Ok), Some(Probe::Ok)));
    let draft = with(&agent, &[("agentToken", json!("another")), ("staticToken", json!(""))]);
    let one = test_connection(&agent.till, page(draft)).await.expect("a test");
    assert_eq!((one.static_area, one.agent_area), (None, Some(Probe::AuthFailed)));
    let draft = with(&agent, &[("staticPrefix", json!("/nowhere"))]);
    let other = test_connection(&agent.till, page(draft)).await.expect("a test");
    assert_eq!(other.static_area, Some(Probe::NotThisService));
    always(&agent.service, "continents", Fault::DropBefore);
    let gone = test_connection(&agent.till, page(agent.draft())).await.expect("a test");
    assert_eq!(gone.static_area, Some(Probe::Unreachable));
    assert_eq!(code(till::traffic::traffic_totals(&agent.till, ()).await), Code::NoConnection);
}

#[tokio::test]
async fn two_connections_to_one_account_are_refused() {
    let agent = Agent::new().await;
    agent.connect().await;
    assert_eq!(field(save_connection(&agent.till, page(agent.draft())).await), wrong("user-id", "connected"));
    let agent_area = with(&agent, &[("staticToken", json!("")), ("userId", json!(""))]);
    assert_eq!(field(save_connection(&agent.till, page(agent_area)).await), wrong("agent-token", "connected"));
}

#[tokio::test]
async fn tokens_go_to_the_host_they_were_typed_for_alone() {
    let name = "connections::tokens_go_to_the_host_they_were_typed_for_alone";
    if !is_at(Keychain::Unlocked, name, &[]) {
        return;
    }
    let agent = Agent::new().await;
    let saved = agent.connect().await;
    let elsewhere = tests::service::start().await;
    let id = ("id", json!(saved.id));
    let kept = [("staticToken", json!("")), ("agentToken", json!(""))];
    let mut draft = with(&agent, &[id, kept[0].clone(), kept[1].clone()]);
    draft["name"] = json!("Another name");
    save_connection(&agent.till, page(draft.clone())).await.expect("its tokens stay");
    draft["baseUrl"] = json!(elsewhere.base_url());
    assert_eq!(field(test_connection(&agent.till, page(draft.clone())).await), wrong("static-token", "new-address"));
    assert_eq!(field(save_connection(&agent.till, page(draft)).await), wrong("static-token", "new-address"));
    assert_eq!(requests(&elsewhere, ""), 0);
}

#[tokio::test]
async fn a_connection_with_an_open_order_leads_nowhere_else_and_is_not_removed() {
    let agent = Agent::connected().await;
    always(&agent.service, "place-and-pay", Fault::DropBefore);
    agent.buy().await;
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    assert_eq!(code(remove_connection(&agent.till, id.clone()).await), Code::ConnectionInUse);
    let moved = with(&agent, &[("id", json!(id)), ("userId", json!("another"))]);
    assert_eq!(code(save_connection(&agent.till, page(moved)).await), Code::ConnectionInUse);
}

#[tokio::test]
async fn a_rotated_token_takes_the_place_of_the_old_one_and_prices_stay() {
    let agent = Agent::connected().await;
    let price = agent.price().await;
    let new = |token: &str| page(json!({ "area": "agent", "token": token }));
    assert_eq!(field(replace_token(&agent.till, new("  ")).await), wrong("token-new", "empty"));
    replace_token(&agent.till, new("another")).await.expect("it is taken");
    assert_eq!(code(till::traffic::traffic_totals(&agent.till, ()).await), Code::NotAuthenticated);
    replace_token(&agent.till, new(&format!(" {}\n", Credentials::well_known().agent_token)))
        .await
        .expect("the right one");
    till::traffic::traffic_totals(&agent.till, ()).await.expect("blanks are no part of a token");
    till::purchase::offer_order(&agent.till, price.quote_id).await.expect("a new token is no new price");
}

#[tokio::test]
async fn a_list_of_ips_goes_on_with_a_new_token() {
    let (agent, keys) = crate::goods::with_goods().await;
    let found = crate::goods::found(&agent, json!({})).await;
    let same = json!({ "area": "agent", "token": Credentials::well_known().agent_token });
    replace_token(&agent.till, page(same)).await.expect("it is taken");
    let all = till::goods::found_goods_keys(&agent.till, found.number).await.expect("the list is still there");
    assert_eq!(all.iter().map(ToString::to_string).collect::<Vec<_>>(), keys);
}

#[tokio::test]
async fn ips_end_by_the_time_zone_that_is_set_now() {
    let (agent, _) = crate::goods::with_goods().await;
    let ends = async || {
        let found = tests::agent::seen_by_page(&crate::goods::found(&agent, json!({})).await);
        found["rows"][0]["ends"].as_i64().expect("a time")
    };
    let (before, shown) = (ends().await, till::start::boot(&agent.till, "en".into()).await.expect("a screen").active);
    let id = shown.expect("it is open");
    let moved = with(&agent, &[("id", json!(id)), ("timeZone", json!(420))]);
    save_connection(&agent.till, page(moved)).await.expect("it is saved");
    open_connection(&agent.till, id).await.expect("it opens");
    assert_eq!(ends().await - before, 3_600_000);
}

#[tokio::test]
async fn what_a_page_wants_of_the_connection_it_shows_is_done_in_no_other() {
    let agent = Agent::connected().await;
    let shown = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active;
    let buyer = json!({ "id": null, "name": "ali", "customer": null, "contact": "", "language": "en", "note": "" });
    let save = async |shown: &Option<String>| {
        of_page(shown.clone(), till::buyers::save_buyer(&agent.till, page(buyer.clone()))).await
    };
    let buyers = async || till::buyers::list_buyers(&agent.till, ()).await.expect("buyers").len();
    till::connections::start_practice(&agent.till, ()).await.expect("it opens");
    assert_eq!(code(save(&shown).await), Code::GivenUp);
    assert_eq!(buyers().await, 0);
    save(&Some("practice".into())).await.expect("it is saved");
    assert_eq!(buyers().await, 1);
    open_connection(&agent.till, shown.clone().expect("it was open")).await.expect("it opens");
    assert_eq!(buyers().await, 0);
    save(&shown).await.expect("it is saved");
    assert_eq!(buyers().await, 1);
}

#[tokio::test]
async fn an_answer_that_comes_after_the_account_was_changed_is_not_stored_with_the_other() {
    for other in [("userId", "another"), ("agentPrefix", "/test-api")] {
        comes_late(other).await;
    }
}

/// Reads the totals, changes this part of the connection before the answer, and sees nothing of it afterwards.
async fn comes_late((part, value): (&str, &str)) {
    let agent = Agent::connected().await;
    let shown = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    tests::service::fault(&agent.service, "getFlowTotalFull", Fault::Delay { ms: 2_000 });
    let till = agent.till.clone();
    let late = tokio::spawn(async move { till::traffic::traffic_totals(&till, ()).await });
    tests::until("it is asked", async || (requests(&agent.service, "getFlowTotalFull") > 0).then_some(())).await;
    let other = with(&agent, &[("id", json!(shown)), (part, json!(value))]);
    save_connection(&agent.till, page(other)).await.expect("it is saved");
    open_connection(&agent.till, shown).await.expect("it opens");
    late.await.expect("it ends").expect("an answer of the account before");
    assert!(till::traffic::known_totals(&agent.till, ()).await.expect("an answer").is_none(), "{part}");
}

#[tokio::test]
async fn a_removed_connection_is_gone_and_its_journal_stays() {
    let agent = Agent::connected().await;
    agent.buy().await;
    let boot = till::start::boot(&agent.till, "en".into()).await.expect("a screen");
    let id = boot.active.expect("it is open");
    till::usage::usage_state(&agent.till, ()).await.expect("the store is made");
    let is_there = |name: &str| agent.data(&format!("connections/{id}/{name}")).exists();
    assert_eq!(["journal.db", "known", "cache.db"].map(is_there), [true; 3]);
    remove_connection(&agent.till, id.clone()).await.expect("it is removed");
    assert_eq!(code(till::orders::list_orders(&agent.till, ()).await), Code::NoConnection);
    assert_eq!(code(open_connection(&agent.till, id.clone()).await), Code::NoConnection);
    assert_eq!(["journal.db", "known", "cache.db"].map(is_there), [true, false, false]);
}

#[tokio::test]
async fn what_cannot_be_opened_leaves_the_open_connection_open() {
    let agent = Agent::connected().await;
    assert_eq!(code(open_connection(&agent.till, "none".into()).await), Code::NoConnection);
    till::traffic::traffic_totals(&agent.till, ()).await.expect("the one before still answers");
}
