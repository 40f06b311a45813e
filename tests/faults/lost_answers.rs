//! Hazards 2, 3, 10, 11, 12: an order whose answer is lost is repeated under its key and paid once.

use std::time::Duration;

use operations::{Intent, OperationError, Reason, State, Verdict};
use sandbox::Fault;
use serde_json::json;
use tests::order::{Buyer, at_once};

/// Every way to lose an answer, and whether that send carried out the order.
fn all() -> Vec<(Fault, bool)> {
    vec![
        (Fault::DropBefore, false),
        (Fault::DropAfter, true),
        (Fault::Late { ms: 100 }, true),
        (Fault::Delay { ms: 60_000 }, true),
        (Fault::Cut { at: 0 }, true),
        (Fault::Cut { at: 60 }, true),
        (Fault::Html, false),
        (Fault::Redirect, false),
        (Fault::Status { code: 500 }, false),
        (Fault::Status { code: 502 }, false),
        (Fault::Status { code: 504 }, false),
        (Fault::NullData, false),
    ]
}

#[tokio::test]
async fn a_lost_answer_is_repeated_by_itself_and_charged_once() {
    for (fault, _) in all() {
        let buyer = Buyer::new(3).await;
        buyer.fault(fault.clone());
        let sent = buyer.buy().await;
        assert_eq!(sent.state, State::Unknown, "{fault:?}: nobody can tell yet");
        let done = buyer.see(State::Applied).await;
        assert_eq!(buyer.charged(), (1, "991.45".into()), "{fault:?}");
        let keys = buyer.keys_seen();
        assert!(keys.len() == 2 && keys[0] == keys[1], "{fault:?}: the same row, the same key: {keys:?}");
        let ledger = buyer.service.world.ledger().expect("a ledger");
        assert_eq!(done.order.expect("an order").order_no.as_str(), ledger.orders[0].order_no, "{fault:?}");
    }
}

#[tokio::test]
async fn when_every_repeat_is_lost_a_person_is_asked_and_the_same_row_can_still_be_sent() {
    for (fault, carried_out) in all() {
        let buyer = Buyer::new(1).await;
        buyer.fault(fault.clone());
        buyer.fault(fault.clone());
        buyer.buy().await;
        let asked = buyer.see(State::NeedsYou).await;
        assert_eq!(asked.reason, Some(Reason::OrderUnknown), "{fault:?}");
        assert!(asked.may_resend && asked.may_judge);
        if carried_out {
            tests::until("the late send is carried out", async || (buyer.charged().0 == 1).then_some(())).await;
        }
        let done = buyer.operations.resend(&asked.id).await.expect("it may be sent again");
        assert_eq!((done.state, done.id), (State::Applied, asked.id), "{fault:?}");
        assert_eq!(buyer.charged(), (1, "991.45".into()), "{fault:?}");
        let words: Vec<&str> = done.events.iter().map(|event| event.what.as_str()).collect();
        assert!(words.contains(&"repeated-by-schedule") && words.contains(&"repeated-by-person"), "{words:?}");
    }
}

/// Lets the key of an order become old.
type Wait = fn(&mut Buyer, Duration);

/// A vendor that had forgotten the key of a renewal renewed once more (seed 15254).
#[tokio::test]
async fn what_only_its_key_protects_is_not_sent_again_after_ten_minutes_by_either_clock_nor_after_a_start() {
    let late = Duration::from_secs(601);
    let waits: [(&str, Wait); 4] = [
        ("the wall clock", |buyer, late| buyer.set_clock(late.as_millis() as i64)),
        ("a wall clock that was set back", |buyer, late| buyer.set_clock(-(late.as_millis() as i64))),
        ("the steady clock", |buyer, late| buyer.pass(late)),
        ("a start", |buyer, _| buyer.restart()),
    ];
    for (what, wait) in waits {
        for renews in [true, false] {
            let mut buyer = Buyer::new(0).await;
            let lasting = if renews { buyer.renewal().await.into() } else { Intent::from(buyer.priced().await) };
            buyer.fault(Fault::DropAfter);
            let asked = buyer.send(lasting).await;
            assert_eq!((asked.may_resend, asked.is_too_late_to_resend), (true, false), "{what}");
            let sent = buyer.keys_seen().len();
            wait(&mut buyer, late);
            let now = buyer.operations.get(&asked.id).expect("a row");
            assert_eq!((now.may_resend, now.is_too_late_to_resend, now.may_judge), (false, true, true), "{what}");
            let refused = buyer.operations.resend(&asked.id).await;
            assert!(matches!(refused, Err(OperationError::TooLate)), "{what}: {refused:?}");
            assert_eq!(buyer.keys_seen().len(), sent, "{what}: nothing left");
            buyer.operations.judge(&asked.id, Verdict::Done).expect("a person says how it ended");
        }
    }
}

#[tokio::test]
async fn the_age_of_a_key_counts_from_the_send_that_may_have_arrived() {
    let buyer = Buyer::new(1).await;
    buyer.send_to_nobody();
    let kept = buyer.send(buyer.priced().await.into()).await;
    assert_eq!(kept.state, State::NotSent);
    let later = Duration::from_secs(900);
    buyer.set_clock(later.as_millis() as i64);
    buyer.pass(later);
    buyer.use_account(tests::service::account(&buyer.service.base_url()));
    buyer.fault(Fault::DropAfter);
    let sent = buyer.operations.resend(&kept.id).await.expect("it never left");
    assert_eq!((sent.state, sent.is_too_late_to_resend), (State::Unknown, false));
    buyer.see(State::Applied).await;
    assert_eq!((buyer.keys_seen().len(), buyer.charged().0), (2, 1));
}

#[tokio::test]
async fn an_order_whose_price_ends_in_time_is_sent_again_whenever_a_person_asks() {
    let mut buyer = Buyer::new(0).await;
    buyer.fault(Fault::DropAfter);
    let asked = buyer.buy().await;
    buyer.pass(Duration::from_secs(7_200));
    assert!(buyer.operations.get(&asked.id).expect("a row").may_resend);
    buyer.restart_later(Duration::from_secs(86_400));
    let done = buyer.operations.resend(&asked.id).await.expect("the key, and then the end of its price, protects it");
    assert_eq!((done.state, buyer.charged().0), (State::Applied, 1));
}

#[tokio::test]
async fn a_person_who_repeats_at_once_waits_until_the_last_send_is_over() {
    let apart = std::time::Duration::from_millis(400);
    let buyer = Buyer::with(operations::Schedule { apart, ..at_once(0) }).await;
    buyer.fault(Fault::DropAfter);
    let begun = std::time::Instant::now();
    let asked = buyer.buy().await;
    buyer.operations.resend(&asked.id).await.expect("it may be sent again");
    assert!(begun.elapsed() >= apart, "it waited");
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

#[tokio::test]
async fn an_order_carried_out_after_the_repeat_is_still_one_order() {
    let buyer = Buyer::new(3).await;
    // The repeat comes after 20 ms and finds nothing yet; the first send arrives later.
    buyer.fault(Fault::Late { ms: 300 });
    buyer.buy().await;
    buyer.see(State::Applied).await;
    buyer.service.world.clear_faults();
    tests::until("both sends arrived", async || (buyer.keys_seen().len() == 2).then_some(())).await;
    let again = buyer.buy().await;
    assert_eq!(again.state, State::Applied);
    assert_eq!(buyer.charged(), (2, "982.9".into()), "two confirmations, two orders, whatever came late");
}

#[tokio::test]
async fn a_refusal_after_a_lost_answer_is_no_proof() {
    let buyer = Buyer::new(3).await;
    buyer.fault(Fault::DropBefore);
    let token = buyer.offer().await;
    buyer.service.world.set_wallet("1".parse().expect("an amount")).expect("a ledger");
    buyer.operations.confirm(&token).await.expect("it is sent");
    let asked = buyer.see(State::NeedsYou).await;
    assert_eq!(asked.reason, Some(Reason::OrderUnknown), "our own first send may have emptied the wallet");
    let judged = buyer.operations.judge(&asked.id, Verdict::NotDone).expect("a person looked");
    assert_eq!(judged.state, State::ResolvedNot);
    assert!(buyer.operations.resend(&asked.id).await.is_err(), "what is decided is never sent again");
}

#[tokio::test]
async fn another_amount_than_the_one_confirmed_is_told() {
    let buyer = Buyer::new(0).await;
    let intent = buyer.priced().await;
    let shown = operations::PlaceAndPay { amount: "8.00".parse().expect("an amount"), ..intent };
    let offer = buyer.operations.offer(shown, None).expect("nothing else is open");
    let done = buyer.operations.confirm(&offer.token).await.expect("it is sent");
    assert_eq!((done.state, done.alarm), (State::Applied, true));
}

#[tokio::test]
async fn a_renewal_that_is_answered_in_another_shape_is_paid_once_and_then_a_question() {
    let buyer = Buyer::new(2).await;
    let renewal = buyer.renewal().await;
    buyer.service.world.answer_whole_with("renewals/orders/place-and-pay", json!({ "moved": "to version 2" }));
    assert_eq!(buyer.send(renewal.into()).await.state, State::Unknown, "the answer says nothing");
    assert_eq!(buyer.see(State::NeedsYou).await.reason, Some(Reason::OrderUnknown));
    assert_eq!(buyer.service.world.ledger().expect("a ledger").renewals.len(), 1);
}
