//! Practice: a service inside the program that needs nothing.

use operations::NotAnew;
use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use tests::order::Buyer;
use till::Code;
use till::bulk::{confirm_bulk, list_bulks, offer_bulk};
use till::bulk_draft::draft_bulk;
use till::buyers::assign_goods;
use till::connections::{leave_practice, start_practice};
use till::goods::{find_goods, found_goods};
use till::orders::order_detail;
use till::practice::{
    Mishap, practice_mishap, practice_reset, practice_set_speed, practice_set_wallet, practice_state,
};

fn every_ip() -> Value {
    let filter = json!({ "ends": null, "buyer": null, "country": null, "order": null, "between": null });
    json!({ "search": "", "order": "added", "down": true, "filter": filter })
}

#[tokio::test]
async fn practice_buys_with_money_that_is_not_real_and_begins_again() {
    let agent = Agent::new().await;
    let screen = start_practice(&agent.till, ()).await.expect("practice");
    assert!(screen.practice && screen.active.as_deref() == Some("practice"));
    practice_set_wallet(&agent.till, page(json!("10"))).await.expect("it is filled");
    agent.buy().await;
    let after = practice_state(&agent.till, ()).await.expect("a state");
    assert_eq!((after.wallet.to_string().as_str(), after.speed), ("1.45", 1));
    assert_eq!(agent.orders(), 0, "the vendor is not paid");
    let fresh = practice_reset(&agent.till, ()).await.expect("a new world");
    assert_ne!(fresh.wallet, after.wallet);
}

#[tokio::test]
async fn a_reset_puts_the_journal_of_practice_aside_and_no_other() {
    let agent = Agent::connected().await;
    agent.buy().await;
    let real = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("a connection");
    let listed = async || till::activity::list_operations(&agent.till, ()).await.expect("a list").len();
    start_practice(&agent.till, ()).await.expect("practice");
    agent.buy().await;
    assert_eq!(listed().await, 1);
    practice_reset(&agent.till, ()).await.expect("a new world");
    assert_eq!(listed().await, 0, "the new world knows nothing of the old operations");
    assert!(till::orders::list_orders(&agent.till, ()).await.expect("a list").is_empty());
    assert!(agent.host.heard("operation-changed") > 0);
    let before = agent.data("connections/practice/before-reset");
    let asides = || std::fs::read_dir(&before).expect("a folder").map(|one| one.expect("an entry").path());
    let [aside] = asides().collect::<Vec<_>>().try_into().expect("one journal");
    let kept = operations::Journal::open(&aside.join("journal.db")).expect("it is sound");
    assert_eq!(kept.operations().all().expect("rows").len(), 1, "nothing is deleted");
    assert!(aside.join("journal.backups").is_dir());
    drop(kept);
    agent.buy().await;
    assert_eq!(listed().await, 1, "the new journal takes what is done from here on");
    practice_reset(&agent.till, ()).await.expect("a new world");
    assert_eq!((listed().await, asides().count()), (0, 2));
    till::connections::open_connection(&agent.till, real.clone()).await.expect("it opens");
    assert_eq!(listed().await, 1, "what was sent to a vendor is untouched");
    assert!(!agent.data(&format!("connections/{real}/before-reset")).exists());
}

#[tokio::test]
async fn my_ips_are_those_of_the_new_world_after_a_reset() {
    let agent = Agent::new().await;
    start_practice(&agent.till, ()).await.expect("practice");
    let owned_by = async |name: &str| {
        let order = agent.buy().await.order.expect("an order").order_no;
        let addresses = order_detail(&agent.till, order.clone()).await.expect("it is read").addresses;
        let keys: Vec<String> = addresses.iter().map(|one| format!("{order} {}", one.replace(':', " "))).collect();
        let who = json!({ "what": "new", "name": name });
        let asked = json!([{ "keys": keys, "who": who, "note": null }]);
        assign_goods(&agent.till, page(asked)).await.expect("it is recorded");
        let found = find_goods(&agent.till, page(every_ip())).await.expect("a list");
        let names: Vec<String> = found.rows.iter().filter_map(|row| Some(row.buyer.as_ref()?.name.clone())).collect();
        (found.number, names)
    };
    let (number, names) = owned_by("ali").await;
    assert_eq!(names, ["ali"; 3]);
    practice_reset(&agent.till, ()).await.expect("a new world");
    let window = page(json!({ "number": number, "first": 0, "count": 3 }));
    assert_eq!(code(found_goods(&agent.till, window).await), Code::Changed, "the old list is gone");
    // As many changes as in the old world: nothing of it may be taken for these.
    assert_eq!(owned_by("bob").await.1, ["bob"; 3]);
}

#[tokio::test]
async fn the_journal_of_a_vendor_is_never_put_aside() {
    let buyer = Buyer::new(0).await;
    buyer.buy().await;
    assert!(matches!(buyer.operations.begin_anew(&buyer.journal()), Err(NotAnew::NotPractice)));
    assert_eq!(buyer.operations.history().list().expect("a journal").len(), 1);
    assert!(buyer.journal().is_file());
}

#[tokio::test]
async fn nothing_is_reset_while_a_bulk_sends() {
    let agent = Agent::new().await;
    start_practice(&agent.till, ()).await.expect("practice");
    let all = till::customers::list_customers(&agent.till, true).await.expect("a list");
    let ids: Vec<&str> = all.iter().map(|one| one.customer_id.as_str()).collect();
    let source = json!({ "from": "selected", "ids": ids, "gb": "0.1" });
    let draft = draft_bulk(&agent.till, page(json!({ "kind": "recharge", "active": false, "source": source })))
        .await
        .expect("a draft")
        .draft;
    let token = offer_bulk(&agent.till, draft).await.expect("an offer").token;
    let bulk = confirm_bulk(&agent.till, page(json!({ "token": token, "typed": "" }))).await.expect("it begins");
    assert_eq!(field(practice_reset(&agent.till, ()).await), wrong("practice-reset", "busy"));
    let of = async || list_bulks(&agent.till, ()).await.expect("bulks").into_iter().find(|one| one.id == bulk.id);
    assert_eq!(of().await.expect("it goes on").rows, all.len());
    tests::until_at_last("practice is reset", async || practice_reset(&agent.till, ()).await.ok()).await;
    assert!(of().await.is_none());
}

#[tokio::test]
async fn the_menu_refuses_what_it_does_not_offer() {
    let agent = Agent::new().await;
    start_practice(&agent.till, ()).await.expect("practice");
    let wallet = practice_set_wallet(&agent.till, page(json!("-1"))).await;
    assert_eq!(field(wallet), wrong("practice-wallet", "not-an-amount"));
    assert_eq!(field(practice_set_speed(&agent.till, 7).await), wrong("practice-speed", "not-offered"));
    assert_eq!(practice_set_speed(&agent.till, 60).await.expect("it runs").speed, 60);
}

#[tokio::test]
async fn a_mishap_is_planned_until_it_has_happened_or_is_called_off() {
    let agent = Agent::new().await;
    start_practice(&agent.till, ()).await.expect("practice");
    let planned = async || practice_state(&agent.till, ()).await.expect("a state").mishap;
    for mishap in ["lost-answer", "late-refusal", "doubled-deduction", "expired-price", "slow-delivery"] {
        let told = practice_mishap(&agent.till, page(json!(mishap))).await.expect("planned");
        assert_eq!(serde_json::to_value(told.mishap).expect("a word"), mishap, "in place of the one before");
    }
    agent.buy().await;
    assert_eq!(planned().await, None, "it has happened to the order");
    practice_mishap(&agent.till, Some(Mishap::LostAnswer)).await.expect("planned");
    agent.buy().await;
    assert_eq!(planned().await, Some(Mishap::LostAnswer), "a top-up is still to come");
    practice_mishap(&agent.till, None).await.expect("called off");
    assert_eq!(planned().await, None);
}

#[tokio::test]
async fn practice_is_left_for_the_first_connection_or_for_welcome() {
    let agent = Agent::new().await;
    start_practice(&agent.till, ()).await.expect("practice");
    assert!(leave_practice(&agent.till, ()).await.expect("a screen").active.is_none());
    assert_eq!(code(practice_state(&agent.till, ()).await), Code::NoConnection);
    let saved = agent.connect().await;
    start_practice(&agent.till, ()).await.expect("practice");
    let screen = leave_practice(&agent.till, ()).await.expect("a screen");
    assert_eq!((screen.active, screen.practice), (Some(saved.id), false));
    assert_eq!(code(practice_reset(&agent.till, ()).await), Code::NoConnection, "the menu is for practice alone");
}
