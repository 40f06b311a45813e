//! The agent's customers: found and noted, and their secrets copied for a while.

use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use tests::desk::Keychain;
use tests::service::requests;
use tests::traffic_move::CUSTOMER;
use till::Code;
use till::accounts::{confirm_change, offer_change};
use till::customers::{
    copy_secret, customer_page, find_customers, found_customers, found_ids, list_customers, message_template,
    read_customers, reveal_customer, save_note, save_template,
};
use till::usage::usage_sync;

use crate::keychain::is_at;

async fn agent() -> Agent {
    let agent = Agent::connected().await;
    read_customers(&agent.till, true).await.expect("a list");
    agent
}

fn query(search: &str) -> Value {
    let filter = json!({ "active": null, "tag": null, "within": null });
    json!({ "search": search, "order": "vendor", "down": false, "filter": filter })
}

fn secret(customer: &Value, wanted: &str) -> Value {
    json!({ "customerId": customer, "wanted": wanted, "language": "en" })
}

#[tokio::test]
async fn the_list_is_read_once_and_again_only_when_asked_for() {
    let agent = agent().await;
    let before = requests(&agent.service, "customer/list");
    let kept = read_customers(&agent.till, false).await.expect("a list");
    assert_eq!(kept.count, 60);
    assert_eq!(list_customers(&agent.till, false).await.expect("a list").len(), 60);
    assert_eq!(requests(&agent.service, "customer/list"), before);
    list_customers(&agent.till, true).await.expect("a list");
    assert!(requests(&agent.service, "customer/list") > before);
}

#[tokio::test]
async fn the_days_left_follow_the_usage_report_and_the_list_says_whether_enough_of_it_is_read() {
    let agent = agent().await;
    let some_end = async || {
        let found = find_customers(&agent.till, page(query(""))).await.expect("everybody");
        found.rows.iter().any(|row| row.days_left.is_some())
    };
    assert!(!read_customers(&agent.till, false).await.expect("a list").usage_read);
    assert!(!some_end().await);
    usage_sync(&agent.till, ()).await.expect("it is read");
    assert!(read_customers(&agent.till, false).await.expect("a list").usage_read);
    assert!(some_end().await);
}

#[tokio::test]
async fn a_query_is_shown_by_windows_and_says_how_many_its_filters_leave_out() {
    let agent = agent().await;
    let all = find_customers(&agent.till, page(query(""))).await.expect("everybody");
    assert_eq!((all.count, all.rows.len()), (60, 60));
    let window = json!({ "number": all.number, "first": 58, "count": 10 });
    assert_eq!(found_customers(&agent.till, page(window)).await.expect("rows").len(), 2);
    let one = find_customers(&agent.till, page(query(CUSTOMER))).await.expect("one");
    let ids = found_ids(&agent.till, one.number).await.expect("ids");
    assert_eq!(ids.iter().map(|id| id.as_str()).collect::<Vec<_>>(), [CUSTOMER]);
    let mut filtered = query(CUSTOMER);
    filtered["filter"]["tag"] = json!("vip");
    let none = find_customers(&agent.till, page(filtered)).await.expect("nobody");
    assert_eq!((none.count, none.outside), (0, 1));
    // Beside a search the list says so even where the filters leave something.
    let noted = json!({ "customerId": CUSTOMER, "note": { "note": "", "tags": ["vip"] } });
    save_note(&agent.till, page(noted)).await.expect("it is saved");
    read_customers(&agent.till, false).await.expect("a list");
    for (search, outside) in [("1000", 59), ("", 0)] {
        let mut filtered = query(search);
        filtered["filter"]["tag"] = json!("vip");
        let one = find_customers(&agent.till, page(filtered)).await.expect("one");
        assert_eq!((one.count, one.outside), (1, outside), "{search}");
    }
    assert_eq!(code(found_ids(&agent.till, 999).await), Code::Changed);
}

#[tokio::test]
async fn a_note_and_its_tags_stay_here_and_find_their_customer() {
    let agent = agent().await;
    let before = requests(&agent.service, "customer/list");
    let noted = json!({ "customerId": CUSTOMER, "note": { "note": "pays late", "tags": ["vip"] } });
    save_note(&agent.till, page(noted)).await.expect("it is saved");
    assert_eq!(requests(&agent.service, "customer/list"), before, "the vendor hears nothing of it");
    assert_eq!(read_customers(&agent.till, false).await.expect("a list").tags, ["vip"]);
    let found = find_customers(&agent.till, page(query("pays late"))).await.expect("one");
    assert_eq!(found.count, 1);
    let shown = customer_page(&agent.till, page(json!(CUSTOMER))).await.expect("a page");
    assert_eq!((shown.row.note.as_str(), shown.created_here, shown.password_set_here), ("pays late", false, false));
    assert_eq!(field(customer_page(&agent.till, page(json!("1"))).await), wrong("customer", "not-yours"));
}

#[tokio::test]
async fn a_customer_of_whom_nothing_is_kept_has_no_secret_to_copy() {
    let name = "customers::a_customer_of_whom_nothing_is_kept_has_no_secret_to_copy";
    if !is_at(Keychain::Unlocked, name, &[]) {
        return;
    }
    let agent = agent().await;
    let revealed = reveal_customer(&agent.till, page(json!(CUSTOMER))).await.expect("an answer");
    assert!(revealed.token.is_none() && revealed.password.is_none());
    for wanted in ["token", "password", "message"] {
        let refused = copy_secret(&agent.till, page(secret(&json!(CUSTOMER), wanted))).await;
        assert_eq!(field(refused), wrong("customer", "no-secret"), "{wanted}");
    }
    assert_eq!(agent.host.clipboard().0, None);
}

#[tokio::test]
async fn a_secret_is_copied_past_histories_and_a_message_says_it_in_the_agents_own_words() {
    let agent = agent().await;
    let create = json!({ "change": "create", "userName": "new@x.com" });
    let offered = offer_change(&agent.till, page(create)).await.expect("an offer");
    let confirmed = json!({ "token": offered.token, "anyway": false });
    let made = confirm_change(&agent.till, page(confirmed)).await.expect("it is created");
    let id = json!(made.customer_id);
    let usual = message_template(&agent.till, "en".into()).await.expect("a template");
    assert!(usual.contains("{token}"), "{usual}");
    save_template(&agent.till, page(json!({ "language": "en", "body": "Hi {name}: {token}" }))).await.expect("saved");
    assert_ne!(message_template(&agent.till, "zh-CN".into()).await.expect("a template"), "Hi {name}: {token}");
    copy_secret(&agent.till, page(secret(&id, "token"))).await.expect("it is copied");
    let (Some(token), true) = agent.host.clipboard() else { panic!("a secret is concealed") };
    copy_secret(&agent.till, page(secret(&id, "message"))).await.expect("it is copied");
    assert_eq!(agent.host.clipboard().0, Some(format!("Hi new@x.com: {token}")));
    let last = agent.till.take_copied_secret().expect("the program takes it out when it ends");
    assert_eq!(secrecy::ExposeSecret::expose_secret(&last), &format!("Hi new@x.com: {token}"));
    assert!(agent.till.take_copied_secret().is_none());
}
