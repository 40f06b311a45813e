//! Bulks: drafted, judged, confirmed once, exported.

use std::collections::HashMap;

use base64::Engine;
use operations::{BulkId, BulkState};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, seen_by_page, wrong};
use tests::desk::Keychain;
use tests::{until, until_at_last};
use till::Code;
use till::bulk::{act_on_bulk, bulk_rows, confirm_bulk, count_bulk_rows, list_bulks, offer_bulk};
use till::bulk_draft::{answer_draft, draft_bulk, draft_rows, judge_draft};
use till::bulk_export::export_bulk;

use crate::keychain::is_at;

fn recharge(source: Value) -> Value {
    json!({ "kind": "recharge", "active": false, "source": source })
}

fn text(lines: &str) -> Value {
    recharge(json!({ "from": "text", "text": lines }))
}

fn selected(ids: &[&str], gb: &str) -> Value {
    recharge(json!({ "from": "selected", "ids": ids, "gb": gb }))
}

const TWO: [&str; 2] = ["100001", "100002"];

async fn see_finished(agent: &Agent, id: &BulkId) {
    until_at_last("the bulk is finished", async || {
        let all = list_bulks(&agent.till, ()).await.expect("bulks");
        all.into_iter().find(|bulk| bulk.id == *id && bulk.state == BulkState::Finished)
    })
    .await;
}

async fn drafted(agent: &Agent, draft: u32) -> Vec<Value> {
    let window = json!({ "draft": draft, "first": 0, "count": 10, "onlyProblems": false });
    let rows = draft_rows(&agent.till, page(window)).await.expect("rows");
    rows.iter().map(|row| seen_by_page(&row.row)).collect()
}

/// Drafts and confirms a recharge of two customers, 1 GB each.
async fn start(agent: &Agent) -> BulkId {
    start_with(agent, &TWO, "1").await
}

/// Drafts and confirms a recharge of as many customers as these ids, 0.001 GB each.
async fn start_many(agent: &Agent, ids: std::ops::Range<u32>) -> BulkId {
    let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
    start_with(agent, &ids.iter().map(String::as_str).collect::<Vec<_>>(), "0.001").await
}

async fn start_with(agent: &Agent, ids: &[&str], gb: &str) -> BulkId {
    let draft = draft_bulk(&agent.till, page(selected(ids, gb))).await.expect("a draft").draft;
    let offered = offer_bulk(&agent.till, draft).await.expect("an offer");
    let confirmed = json!({ "token": offered.token, "typed": "" });
    confirm_bulk(&agent.till, page(confirmed)).await.expect("it begins").id
}

fn export(id: &BulkId, credentials: bool) -> Value {
    let columns = ["number", "customer", "GB", "state", "reason", "token", "password"];
    json!({
        "id": id, "kind": "csv", "columns": columns[..if credentials { 7 } else { 5 }],
        "states": { "applied": "done", "skipped": "left out", "unknown": "not confirmed" },
        "reasons": { "unknown": "nobody" }, "credentials": credentials,
    })
}

#[tokio::test]
async fn pasted_lines_are_judged_asked_about_and_sent_once() {
    let agent = Agent::connected().await;
    let totals = draft_bulk(&agent.till, page(text("100001 1\n100002 0.5\nnobody@x.com 3g"))).await.expect("a draft");
    assert_eq!((totals.rows, totals.good, totals.without_unit), (3, 0, 2));
    assert_eq!(totals.without_unit_text, "100001 1");
    assert_eq!(field(offer_bulk(&agent.till, totals.draft).await), wrong("bulk-start", "nothing"));
    let unit = json!({ "draft": totals.draft, "answer": { "answer": "unit", "unit": "gb" } });
    let totals = answer_draft(&agent.till, page(unit)).await.expect("judged");
    assert_eq!((totals.good, totals.gb.to_string().as_str()), (2, "1.5"));
    let window = json!({ "draft": totals.draft, "first": 0, "count": 10, "onlyProblems": true });
    let rows = draft_rows(&agent.till, page(window)).await.expect("rows");
    assert_eq!(rows.iter().map(|row| row.at).collect::<Vec<_>>(), [2]);
    let offered = offer_bulk(&agent.till, totals.draft).await.expect("an offer");
    assert!(!offered.typed && agent.moved().is_empty(), "an offer sends nothing");
    let confirmed = || page(json!({ "token": offered.token, "typed": "" }));
    let bulk = confirm_bulk(&agent.till, confirmed()).await.expect("it begins");
    assert_eq!(code(confirm_bulk(&agent.till, confirmed()).await), Code::Changed);
    see_finished(&agent, &bulk.id).await;
    let mut moved = agent.moved();
    moved.sort();
    assert_eq!(moved, ["1024", "512"]);
    until("its end is said once", async || (agent.host.notifications().len() == 1).then_some(())).await;
}

#[tokio::test]
async fn a_file_is_read_and_one_that_is_none_is_refused() {
    let agent = Agent::connected().await;
    let file = |bytes: &[u8]| {
        page(recharge(
            json!({ "from": "file", "base64": base64::engine::general_purpose::STANDARD.encode(bytes), "text": false }),
        ))
    };
    let totals = draft_bulk(&agent.till, file(b"customer,amount\n100001,2 GB\n")).await.expect("a draft");
    assert_eq!((totals.good, totals.gb.to_string().as_str()), (1, "2"));
    assert_eq!(field(draft_bulk(&agent.till, file(b"")).await), wrong("bulk-file", "empty"));
    let no_file = page(recharge(json!({ "from": "file", "base64": "%%%", "text": false })));
    assert_eq!(field(draft_bulk(&agent.till, no_file).await), wrong("bulk-file", "not-text"));
    assert_eq!(field(draft_bulk(&agent.till, page(selected(&TWO, "much"))).await), wrong("amount-gb", "not-a-number"));
    assert_eq!(field(draft_bulk(&agent.till, page(selected(&TWO, "1,5"))).await), wrong("amount-gb", "ambiguous"));
    let totals = draft_bulk(&agent.till, page(selected(&TWO, "500 mb"))).await.expect("a draft");
    assert_eq!((totals.good, totals.gb.to_string().as_str()), (2, "0.9766"));
}

#[tokio::test]
async fn what_is_asked_about_amounts_is_answered_for_all_rows_and_a_row_is_rewritten() {
    let agent = Agent::connected().await;
    let totals = draft_bulk(&agent.till, page(text("100001: 1,5g\n100002\nnobody 3g"))).await.expect("a draft");
    assert_eq!((totals.good, totals.without_amount, totals.comma.map(|asked| asked.rows)), (0, 1, Some(1)));
    let draft = totals.draft;
    let answer =
        async |answer: Value| answer_draft(&agent.till, page(json!({ "draft": draft, "answer": answer }))).await;
    answer(json!({ "answer": "comma", "comma": "decimal" })).await.expect("judged");
    // Elsewhere the comma in "1,250" separates thousands; here a comma was said to be the decimal sign.
    for gb in ["2,5", "1,250"] {
        let refused = answer(json!({ "answer": "each", "gb": gb })).await;
        assert_eq!(field(refused), wrong("amount-gb", "comma"), "{gb}");
    }
    let totals = answer(json!({ "answer": "each", "gb": "512mb" })).await.expect("judged");
    assert_eq!((totals.good, totals.gb.to_string().as_str()), (2, "2"));
    let rewrite = |was: &str| json!({ "answer": "text", "at": 2, "was": was, "text": "100003 - 3 GB pls" });
    assert_eq!(code(answer(rewrite("nobody 4g")).await), Code::Changed, "another row stands there");
    let meant = json!({ "answer": "meant", "at": 2, "was": "100001: 1,5g", "customerId": "100001" });
    assert_eq!(code(answer(meant).await), Code::Changed);
    let totals = answer(rewrite("nobody 3g")).await.expect("judged");
    assert_eq!((totals.good, totals.gb.to_string().as_str()), (3, "5"));
}

#[tokio::test]
async fn above_a_limit_the_total_is_typed_and_a_person_asked_and_a_no_sends_nothing() {
    let agent = Agent::connected().await;
    agent.set_limits(None, Some("1.5"), None).await;
    let draft = draft_bulk(&agent.till, page(selected(&TWO, "1"))).await.expect("a draft").draft;
    let offered = offer_bulk(&agent.till, draft).await.expect("an offer");
    assert!(offered.typed);
    let typed = |text: &str| page(json!({ "token": offered.token, "typed": text }));
    assert_eq!(field(confirm_bulk(&agent.till, typed("1")).await), wrong("bulk-typed", "not-the-total"));
    assert!(agent.host.questions().is_empty(), "a wrong total is refused before the question");
    agent.host.answers(Some(false));
    assert_eq!(code(confirm_bulk(&agent.till, typed("2")).await), Code::Declined);
    assert!(list_bulks(&agent.till, ()).await.expect("bulks").is_empty() && agent.moved().is_empty());
    agent.host.answers(Some(true));
    let bulk = confirm_bulk(&agent.till, typed("2")).await.expect("it begins");
    see_finished(&agent, &bulk.id).await;
    assert_eq!(agent.moved(), ["1024", "1024"]);
}

#[tokio::test]
async fn another_draft_takes_the_confirmation_of_the_one_before() {
    let agent = Agent::connected().await;
    let draft = draft_bulk(&agent.till, page(selected(&TWO, "1"))).await.expect("a draft").draft;
    let offered = offer_bulk(&agent.till, draft).await.expect("an offer");
    let other = draft_bulk(&agent.till, page(selected(&TWO, "7"))).await.expect("another draft").draft;
    let confirmed = page(json!({ "token": offered.token, "typed": "" }));
    assert_eq!(code(confirm_bulk(&agent.till, confirmed).await), Code::Changed);
    // Nor does a form that still shows the first one see, change or get an offer for the rows of the other.
    assert_eq!(code(offer_bulk(&agent.till, draft).await), Code::Changed);
    assert_eq!(code(judge_draft(&agent.till, draft).await), Code::Changed);
    let text = json!({ "answer": "text", "at": 0, "was": "100001", "text": "100001 9g" });
    let answered = page(json!({ "draft": draft, "answer": text }));
    assert_eq!(code(answer_draft(&agent.till, answered).await), Code::Changed);
    assert!(drafted(&agent, draft).await.is_empty() && drafted(&agent, other).await.len() == 2);
    assert_eq!(offer_bulk(&agent.till, other).await.expect("an offer").totals.gb.to_string(), "14");
    assert!(agent.moved().is_empty());
}

#[tokio::test]
async fn a_preview_of_an_earlier_session_never_shows_the_draft_of_a_later_one() {
    let agent = Agent::connected().await;
    let shown = till::start::boot(&agent.till, "en".into()).await.expect("a start").active;
    let draft = draft_bulk(&agent.till, page(selected(&TWO, "1"))).await.expect("a draft").draft;
    till::connections::open_connection(&agent.till, shown.expect("it is open")).await.expect("it opens");
    draft_bulk(&agent.till, page(selected(&TWO, "7"))).await.expect("another draft");
    assert_eq!(code(judge_draft(&agent.till, draft).await), Code::Changed);
}

#[tokio::test]
async fn a_preview_that_was_left_is_judged_with_figures_of_now_and_confirmed_anew() {
    let agent = Agent::connected().await;
    let totals = draft_bulk(&agent.till, page(text("100001 1"))).await.expect("a draft");
    let unit = json!({ "draft": totals.draft, "answer": { "answer": "unit", "unit": "gb" } });
    answer_draft(&agent.till, page(unit)).await.expect("judged");
    let offered = offer_bulk(&agent.till, totals.draft).await.expect("an offer");
    let before = drafted(&agent, totals.draft).await;
    agent.recharge("2").await;
    let totals = judge_draft(&agent.till, totals.draft).await.expect("judged");
    assert_eq!((totals.good, totals.gb.to_string().as_str()), (1, "1"), "the unit stays answered");
    let now = drafted(&agent, totals.draft).await;
    let mb = |rows: &[Value]| rows[0]["before"].as_str().and_then(|mb| mb.parse::<Decimal>().ok()).expect("a figure");
    // Less what the customer used in between: a thousandth of the day is reported every 86.4 s.
    let more = mb(&now) - mb(&before);
    assert!(more > Decimal::from(2000) && more <= Decimal::from(2048), "{more} MB more");
    let confirmed = page(json!({ "token": offered.token, "typed": "" }));
    assert_eq!(code(confirm_bulk(&agent.till, confirmed).await), Code::Changed, "it was of other figures");
}

#[tokio::test]
async fn rows_are_shown_searched_and_what_has_ended_is_left_as_it_is() {
    let agent = Agent::connected().await;
    let id = start(&agent).await;
    see_finished(&agent, &id).await;
    let window = |only_not_done: bool, search: &str| {
        page(json!({ "id": id, "onlyNotDone": only_not_done, "search": search, "first": 0, "count": 10 }))
    };
    let all = bulk_rows(&agent.till, window(false, "")).await.expect("rows");
    assert!(all.len() == 2 && all.iter().all(|row| row.state.word() == "applied"), "{all:?}");
    assert!(bulk_rows(&agent.till, window(true, "")).await.expect("rows").is_empty());
    let found = bulk_rows(&agent.till, window(false, &all[1].name)).await.expect("rows");
    assert_eq!(found.iter().map(|row| row.number).collect::<Vec<_>>(), [all[1].number]);
    let name = &all[1].name;
    assert!(bulk_rows(&agent.till, window(true, name)).await.expect("rows").is_empty(), "it is done");
    for (only_not_done, search, expected) in [(false, "", 2), (true, "", 0), (false, &**name, 1), (true, name, 0)] {
        let of = page(json!({ "id": id, "onlyNotDone": only_not_done, "search": search }));
        assert_eq!(count_bulk_rows(&agent.till, of).await.expect("a count"), expected, "{only_not_done} {search}");
    }
    let again = page(recharge(json!({ "from": "again", "bulk": id })));
    assert_eq!(draft_bulk(&agent.till, again).await.expect("a draft").rows, 0, "all of it is done");
}

#[tokio::test]
async fn a_bulk_is_paused_resumed_and_cancelled() {
    let agent = Agent::connected().await;
    tests::service::always(&agent.service, "rechargeTrafficCount", sandbox::Fault::Delay { ms: 300 });
    let id = start_many(&agent, 100_001..100_041).await;
    let act =
        async |act: &str| act_on_bulk(&agent.till, page(json!({ "id": id, "act": act }))).await.expect("it is done");
    assert_eq!(act("pause").await.state, BulkState::Paused);
    assert_eq!(act("resume").await.state, BulkState::Running);
    act("cancel").await;
    see_finished(&agent, &id).await;
    assert!(agent.moved().len() < 40, "what had not begun was given up");
}

#[tokio::test]
async fn the_end_of_each_bulk_is_said_once_and_with_its_own_numbers() {
    let agent = Agent::connected().await;
    tests::service::always(&agent.service, "rechargeTrafficCount", sandbox::Fault::Delay { ms: 100 });
    let older = start_many(&agent, 100_003..100_023).await;
    let act = async |act: &str| {
        act_on_bulk(&agent.till, page(json!({ "id": older, "act": act }))).await.expect("it is done");
    };
    act("pause").await;
    see_finished(&agent, &start(&agent).await).await;
    let said = async |times: usize| {
        until("an end is said", async || (agent.host.notifications().len() == times).then_some(())).await;
        agent.host.notifications()[times - 1][1].clone()
    };
    assert!(said(1).await.contains("2 of 2 rows"), "{:?}", agent.host.notifications());
    act("resume").await;
    see_finished(&agent, &older).await;
    assert!(said(2).await.contains("20 of 20 rows"), "{:?}", agent.host.notifications());
    let given_up = start_many(&agent, 100_003..100_023).await;
    for act in ["pause", "cancel"] {
        act_on_bulk(&agent.till, page(json!({ "id": given_up, "act": act }))).await.expect("it is done");
        let rests = async || {
            let all = list_bulks(&agent.till, ()).await.expect("bulks");
            all.into_iter().find(|bulk| bulk.id == given_up && bulk.counts.under_way == 0)
        };
        until_at_last("nothing is under way", rests).await;
    }
    see_finished(&agent, &start(&agent).await).await;
    assert!(said(3).await.contains("2 of 2 rows"), "{:?}", agent.host.notifications());
}

#[tokio::test]
async fn the_result_is_saved_and_credentials_only_after_a_question() {
    let name = "bulk::the_result_is_saved_and_credentials_only_after_a_question";
    if !is_at(Keychain::Unlocked, name, &[]) {
        return;
    }
    let agent = Agent::connected().await;
    let id = start(&agent).await;
    see_finished(&agent, &id).await;
    let path = export_bulk(&agent.till, page(export(&id, false))).await.expect("a file");
    let saved = std::fs::read_to_string(&path).expect("a file");
    assert!(saved.lines().count() == 3 && saved.contains(r#","done","#) && !saved.contains("token"), "{saved}");
    assert!(agent.host.questions().is_empty());
    agent.host.answers(Some(false));
    assert_eq!(code(export_bulk(&agent.till, page(export(&id, true))).await), Code::Declined);
    assert_eq!(agent.host.questions().len(), 1);
    agent.host.answers(Some(true));
    let path = export_bulk(&agent.till, page(export(&id, true))).await.expect("a file");
    assert!(path.contains("credentials"));
    assert_eq!(tests::files(&agent.downloads()).len(), 2, "a no saves nothing");
}

#[tokio::test]
async fn a_word_for_a_state_and_a_reason_is_saved_as_what_it_is() {
    let agent = Agent::connected().await;
    let draft = draft_bulk(&agent.till, page(text("100001 1g\nnobody@x.com 3g"))).await.expect("a draft").draft;
    let offered = offer_bulk(&agent.till, draft).await.expect("an offer");
    let confirmed = page(json!({ "token": offered.token, "typed": "" }));
    let id = confirm_bulk(&agent.till, confirmed).await.expect("it begins").id;
    see_finished(&agent, &id).await;
    let path = export_bulk(&agent.till, page(export(&id, false))).await.expect("a file");
    let saved = std::fs::read_to_string(&path).expect("a file");
    assert!(saved.contains(r#""left out","nobody""#), "{saved}");
}

#[tokio::test]
async fn credentials_of_created_customers_are_in_the_file_that_asks_for_them() {
    let name = "bulk::credentials_of_created_customers_are_in_the_file_that_asks_for_them";
    if !is_at(Keychain::Unlocked, name, &[]) {
        return;
    }
    let agent = Agent::connected().await;
    let create = json!({ "kind": "create", "active": false, "source": { "from": "text", "text": "one@x.com" } });
    let draft = draft_bulk(&agent.till, page(create)).await.expect("a draft").draft;
    let offered = offer_bulk(&agent.till, draft).await.expect("an offer");
    let confirmed = page(json!({ "token": offered.token, "typed": "" }));
    let id = confirm_bulk(&agent.till, confirmed).await.expect("it begins").id;
    see_finished(&agent, &id).await;
    let window = json!({ "id": id, "onlyNotDone": false, "search": "", "first": 0, "count": 1 });
    let row = bulk_rows(&agent.till, page(window)).await.expect("rows").remove(0);
    let made = till::activity::operations_of(&agent.till, vec![row.operation.expect("it was sent")]).await.expect("it");
    let customer = made[0].customer_id.clone().expect("it was created");
    let secrets = till::customers::reveal_customer(&agent.till, customer).await.expect("its secrets");
    let secrets: HashMap<String, String> = page(seen_by_page(&secrets));
    let path = export_bulk(&agent.till, page(export(&id, true))).await.expect("a file");
    let saved = std::fs::read_to_string(&path).expect("a file");
    assert!(saved.contains(&secrets["token"]), "the token is in the file");
}
