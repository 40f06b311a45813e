//! Customers are created, get a password and are disabled. The input is checked first.

use operations::State;
use sandbox::Fault;
use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use tests::desk::Keychain;
use tests::service::fault;
use tests::traffic_move::CUSTOMER;
use till::Code;
use till::accounts::{confirm_change, generate_password, offer_change, save_secrets};
use till::connections::Polarity;
use till::customers::{customer_page, read_customers, reveal_customer};
use till::health::{Mood, polarity_checked, vendor_changes_seen, vendor_health};

use crate::keychain::is_at;

fn changes(agent: &Agent) -> usize {
    agent.service.world.ledger().expect("a ledger").accounts.len()
}

async fn agent() -> Agent {
    let agent = Agent::connected().await;
    read_customers(&agent.till, true).await.expect("a list");
    agent
}

async fn confirmed(agent: &Agent, change: Value) -> operations::OperationView {
    let offered = offer_change(&agent.till, page(change)).await.expect("an offer");
    let confirmed = json!({ "token": offered.token, "anyway": false });
    confirm_change(&agent.till, page(confirmed)).await.expect("it is sent")
}

#[tokio::test]
async fn a_customer_is_created_once_and_its_secrets_can_be_revealed() {
    let agent = agent().await;
    let create = json!({ "change": "create", "userName": " new@x.com " });
    let offered = offer_change(&agent.till, page(create)).await.expect("an offer");
    assert_eq!(changes(&agent), 0, "an offer sends nothing");
    let confirmed = || page(json!({ "token": offered.token, "anyway": false }));
    let made = confirm_change(&agent.till, confirmed()).await.expect("it is sent");
    assert_eq!((made.state, made.user_name.as_str()), (State::Applied, "new@x.com"));
    assert_eq!(code(confirm_change(&agent.till, confirmed()).await), Code::StaleConfirmation);
    assert_eq!(changes(&agent), 1);
    let revealed = reveal_customer(&agent.till, made.customer_id.expect("an id")).await.expect("its secrets");
    assert!(revealed.token.is_some() && revealed.password.is_some());
    assert!(!format!("{revealed:?}").contains(&tests::agent::seen_by_page(&revealed)["token"].to_string()));
}

#[tokio::test]
async fn a_name_that_is_none_or_taken_is_refused_before_anything_is_sent() {
    let agent = agent().await;
    let named = |name: &str| page(json!({ "change": "create", "userName": name }));
    let is_wrong = async |name: &str| field(offer_change(&agent.till, named(name)).await);
    assert_eq!(is_wrong("no address").await, wrong("create-username", "not-an-email"));
    let list = till::customers::list_customers(&agent.till, false).await.expect("a list");
    let taken = list[0].user_name.to_uppercase();
    assert_eq!(is_wrong(&taken).await, wrong("create-username", "taken"), "large letters make no other name");
    assert_eq!(changes(&agent), 0);
}

#[tokio::test]
async fn a_password_is_checked_set_and_the_one_that_is_revealed() {
    let name = "accounts::a_password_is_checked_set_and_the_one_that_is_revealed";
    if !is_at(Keychain::Unlocked, name, &[]) {
        return;
    }
    let agent = agent().await;
    let with = |password: &str| json!({ "change": "password", "customerId": CUSTOMER, "password": password });
    let short = field(offer_change(&agent.till, page(with("a"))).await);
    assert_eq!(short, wrong("password-new", "too-short"));
    let made = generate_password(&agent.till, ()).await.expect("a password");
    assert_ne!(made, generate_password(&agent.till, ()).await.expect("another one"));
    assert_eq!(confirmed(&agent, with(&made)).await.state, State::Applied);
    let revealed = reveal_customer(&agent.till, page(json!(CUSTOMER))).await.expect("its secrets");
    assert_eq!(tests::agent::seen_by_page(&revealed)["password"], json!(made));
}

#[tokio::test]
async fn a_status_is_sent_as_this_vendor_counts_and_only_for_customers_of_the_agent() {
    let agent = agent().await;
    let of = |customer: &str| json!({ "change": "status", "customerId": customer, "active": false });
    assert_eq!(field(offer_change(&agent.till, page(of("1"))).await), wrong("customer", "not-yours"));
    assert_eq!(confirmed(&agent, of(CUSTOMER)).await.active, Some(false));
    read_customers(&agent.till, false).await.expect("a list");
    let row = customer_page(&agent.till, page(json!(CUSTOMER))).await.expect("a page").row;
    assert_eq!(row.status.map(|status| status.active), Some(false));
}

#[tokio::test]
async fn secrets_that_are_saved_need_no_second_saving() {
    let agent = agent().await;
    let made = confirmed(&agent, json!({ "change": "create", "userName": "new@x.com" })).await;
    assert_eq!(code(save_secrets(&agent.till, made.id).await), Code::NotPossible);
}

#[tokio::test]
async fn a_refusal_of_the_vendor_is_the_outcome_of_the_change() {
    let agent = agent().await;
    fault(&agent.service, "changeStatus", Fault::Refuse { code: None });
    let status = json!({ "change": "status", "customerId": CUSTOMER, "active": false });
    let refused = confirmed(&agent, status).await;
    assert!(matches!(refused.state, State::Refused | State::Rejected), "{:?}", refused.state);
    assert_eq!(changes(&agent), 0);
}

#[tokio::test]
async fn a_check_of_0_and_1_says_what_the_vendor_means_by_the_number_that_was_sent() {
    let agent = agent().await;
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    read_customers(&agent.till, true).await.expect("a list");
    let status = |active: bool| json!({ "change": "status", "customerId": CUSTOMER, "active": active });
    let checked = async |operation: &operations::OperationId, works: bool| {
        polarity_checked(&agent.till, page(json!({ "operation": operation, "works": works }))).await
    };
    let disabled = confirmed(&agent, status(false)).await;
    for (works, expected, mood) in
        [(true, Polarity::ZeroIsActive, Mood::Look), (false, Polarity::OneIsActive, Mood::Look)]
    {
        assert_eq!(checked(&disabled.id, works).await.expect("it is recorded"), expected);
        let health = vendor_health(&agent.till, id.clone()).await.expect("a card");
        let seen = health.polarity_seen.expect("it is known");
        assert_eq!((seen.polarity, seen.operation, health.mood), (expected, disabled.id.clone(), mood));
    }
    let health = vendor_changes_seen(&agent.till, id).await.expect("a card");
    assert_eq!((health.mood, health.polarity), (Mood::Good, Polarity::OneIsActive), "the setting is the contract's");
    fault(&agent.service, "changeStatus", Fault::Refuse { code: Some("500".into()) });
    tests::until("it may be changed again", async || {
        let offered = offer_change(&agent.till, page(status(false))).await.ok()?;
        let confirmed = json!({ "token": offered.token, "anyway": true });
        let refused = confirm_change(&agent.till, page(confirmed)).await.ok()?;
        assert_eq!(code(checked(&refused.id, true).await), Code::Changed, "what was refused shows nothing");
        Some(())
    })
    .await;
}
