//! The journal's knowledge of customers, days and texts, apart from the operations themselves.

use operations::{AccountChange, BulkState, Direction, Note, State};
use sandbox::Fault;
use tests::accounts::{NEW, create, status};
use tests::bulk::plan;
use tests::order::Buyer;
use tests::service::fault;
use tests::traffic_move::{CUSTOMER, endpoint};
use wire::ids::CustomerId;

fn customer() -> CustomerId {
    CustomerId::new(CUSTOMER)
}

#[tokio::test]
async fn notes_and_texts_are_kept_as_they_were_written() {
    let mut buyer = Buyer::new(0).await;
    let note = |note: &str, tags: &[&str]| Note {
        note: note.into(),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
    };
    assert!(buyer.operations.customers().notes().expect("a journal").is_empty());
    assert_eq!(buyer.operations.templates().get("message").expect("a journal"), None);
    for (written, kept) in [
        (note("pays late", &[" VIP ", "", "东京"]), note("pays late", &["VIP", "东京"])),
        (note("", &[]), note("", &[])),
    ] {
        buyer.operations.customers().set_note(&customer(), &written).expect("a journal");
        buyer.restart();
        let notes = buyer.operations.customers().notes().expect("a journal");
        assert_eq!(notes.into_iter().collect::<Vec<_>>(), [(customer(), kept)]);
    }
    for text in ["Hello {name}", "你好"] {
        buyer.operations.templates().set("message", text).expect("a journal");
        buyer.restart();
        assert_eq!(buyer.operations.templates().get("message").expect("a journal").as_deref(), Some(text));
        assert_eq!(buyer.operations.templates().get("another").expect("a journal"), None);
    }
}

#[tokio::test]
async fn what_was_moved_today_counts_what_a_bulk_is_still_to_move_and_nothing_that_came_to_nothing() {
    let buyer = Buyer::new(0).await;
    let moved = |since: i64| buyer.operations.customers().moved_since(since).expect("a journal").to_string();
    buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    fault(&buyer.service, endpoint(Direction::Recharge), Fault::Refuse { code: Some("500".into()) });
    buyer.move_traffic(Direction::Recharge, "32", None).await;
    assert_eq!(buyer.decided().await.state, State::Rejected);
    assert_eq!((moved(0), moved(i64::MAX)), ("0.5".into(), "0".into()));
    let fault = Fault::Delay { ms: 100 };
    buyer.always(endpoint(Direction::Recharge), fault);
    let all = buyer.planned_moves(Direction::Recharge, "1.25", 40).await;
    assert!(!buyer.operations.bulks().has_open().expect("a journal"));
    let bulk = buyer.start_bulk(all).await;
    let paused = buyer.operations.bulks().pause(&bulk.id).expect("a bulk");
    assert!(paused.state == BulkState::Paused && paused.counts.waiting > 20, "{paused:?}");
    assert_eq!(moved(0), "50.5", "begun or not");
    assert!(buyer.operations.bulks().has_open().expect("a journal"));
    buyer.see_bulk(&bulk.id, "nothing is under way", |bulk| bulk.counts.under_way == 0).await;
    buyer.operations.bulks().cancel(&bulk.id).expect("a bulk");
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    let sent = in_all(ended.counts.done);
    assert_eq!(moved(0), sent, "what was cancelled moves nothing");
    assert!(!buyer.operations.bulks().has_open().expect("a journal"));
}

/// 0.5 GB, plus 1.25 GB for each row.
fn in_all(rows: usize) -> String {
    let hundredths = 50 + 125 * rows;
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[tokio::test]
async fn of_a_customer_everything_is_known_that_was_done_and_whether_it_is_held() {
    let buyer = Buyer::new(0).await;
    let of = |most| buyer.operations.history().of_customer(&customer(), most).expect("a journal");
    assert!(of(9).is_empty() && !buyer.operations.may_resend_any().expect("a journal"));
    let moved = buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    buyer.decided().await;
    let set = buyer.change(status(false), None).await;
    assert_eq!(of(9).iter().map(|one| &one.id).collect::<Vec<_>>(), [&set.id, &moved.id], "newest first");
    assert_eq!(of(1).len(), 1);
    assert!(buyer.operations.held().expect("a journal").is_empty());
    fault(&buyer.service, endpoint(Direction::Recharge), Fault::LedgerLag { ms: 3_600_000 });
    let open = buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    let held = buyer.operations.held().expect("a journal");
    assert_eq!(held.keys().collect::<Vec<_>>(), [CUSTOMER]);
    assert!(held[CUSTOMER].0 == open.id && held[CUSTOMER].1.is_open(), "{held:?}");
    buyer.send_to_nobody();
    let other = AccountChange::Status {
        customer_id: CustomerId::new("100002"),
        user_name: "b@x.com".into(),
        active: true,
        customer_state: 1,
    };
    assert_eq!(buyer.change(other, None).await.state, State::NotSent);
    assert!(buyer.operations.may_resend_any().expect("a journal"));
}

#[tokio::test]
async fn what_asks_for_a_person_is_shown_before_what_is_over_and_of_bulks_nothing_else() {
    let buyer = Buyer::new(0).await;
    let recent = |most| buyer.operations.history().recent(most).expect("a journal");
    buyer.fault(Fault::DropAfter);
    let asks = buyer.buy().await;
    assert_eq!(asks.state, State::NeedsYou);
    for _ in 0..3 {
        buyer.change(status(false), None).await;
    }
    fault(&buyer.service, "addUser", Fault::Redirect);
    let rows = plan(["a@x.com", "b@x.com"].map(|name| create(name).into()).to_vec());
    let bulk = buyer.start_bulk(rows).await;
    buyer.see_bulk_ended(&bulk.id).await;
    let newest = buyer.change(status(false), None).await;
    assert_eq!(recent(1).iter().map(|one| &one.id).collect::<Vec<_>>(), [&newest.id, &asks.id]);
    assert_eq!(recent(2).len(), 3);
    assert_eq!(recent(9).len(), 5, "no row of a bulk that is done");
}

#[tokio::test]
async fn a_connection_knows_every_name_under_which_its_customers_secrets_may_be_kept() {
    let buyer = Buyer::new(0).await;
    let created = buyer.change(create(NEW), None).await;
    let password = buyer.password("abc-DEF-123");
    buyer.change(password.clone(), None).await;
    let waiting = AccountChange::Password {
        customer_id: CustomerId::new("100002"),
        user_name: "b@x.com".into(),
        reference: "password/of-a-bulk".into(),
        typed: false,
    };
    let bulk = buyer.start_bulk(plan(vec![waiting.into()])).await;
    buyer.operations.bulks().cancel(&bulk.id).expect("a bulk");
    let id = created.customer_id.expect("it is known");
    let mut expected = vec!["password/of-a-bulk".to_owned(), password.reference().expect("a name").to_owned()];
    for kind in ["token", "password"] {
        expected.extend([format!("customer/{id}/{kind}"), format!("operation/{}/{kind}", created.id.0)]);
    }
    let mut names = buyer.operations.secret_references().expect("a journal");
    names.sort();
    names.dedup();
    expected.sort();
    assert_eq!(names, expected);
}

#[tokio::test]
async fn what_was_learnt_of_the_vendor_is_forgotten_when_somebody_says_so() {
    let mut buyer = Buyer::new(0).await;
    buyer.move_traffic(Direction::Recharge, "2", None).await;
    buyer.decided().await;
    assert!(buyer.operations.lessons().learned().expect("a journal").is_some());
    buyer.operations.lessons().forget_learned().expect("a journal");
    buyer.restart();
    assert!(buyer.operations.lessons().learned().expect("a journal").is_none());
}
