//! Hazard 4: the program ends at any moment and is restarted.

use std::time::Duration;

use operations::{Direction, Reason, Schedule, State};
use sandbox::Fault;
use tests::order::{Buyer, at_once};

#[tokio::test]
async fn an_order_cut_off_while_sending_is_unknown_after_the_start_and_is_not_repeated_by_itself() {
    let mut buyer = Buyer::new(3).await;
    buyer.fault(Fault::Delay { ms: 60_000 });
    let token = buyer.offer().await;
    let operations = buyer.operations.clone();
    let sending = tokio::spawn(async move { operations.confirm(&token).await.map(|_| ()) });
    buyer.see(State::Sending).await;
    tests::until("it was carried out", async || (buyer.charged().0 == 1).then_some(())).await;
    sending.abort();
    assert!(sending.await.expect_err("it was ended").is_cancelled());
    buyer.restart();
    let found = buyer.see(State::Unknown).await;
    assert!(found.next_at.is_none() && found.may_resend, "a person decides");
    assert_eq!(buyer.keys_seen().len(), 1, "nothing was sent by itself");
    let done = buyer.operations.resend(&found.id).await.expect("the person asked");
    assert_eq!((done.state, done.id), (State::Applied, found.id));
    assert_eq!(buyer.keys_seen().len(), 2, "and nothing else was");
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

#[tokio::test]
async fn a_planned_repeat_does_not_survive_a_restart() {
    let an_hour = Schedule { repeats: vec![Duration::from_secs(3600)], ..at_once(0) };
    let mut buyer = Buyer::with(an_hour).await;
    buyer.fault(Fault::DropAfter);
    assert!(buyer.buy().await.next_at.is_some(), "a repeat is planned");
    buyer.restart();
    let found = buyer.see(State::Unknown).await;
    assert!(found.next_at.is_none() && found.may_resend, "a person decides");
    let done = buyer.operations.resend(&found.id).await.expect("the person asked");
    assert_eq!((done.state, buyer.keys_seen().len()), (State::Applied, 2));
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

#[tokio::test]
async fn what_was_decided_is_the_same_after_a_restart() {
    let mut buyer = Buyer::new(0).await;
    let before = buyer.buy().await;
    buyer.restart();
    let after = buyer.see(State::Applied).await;
    assert_eq!((after.id, after.order, after.events.len()), (before.id, before.order, before.events.len()));
    assert_eq!(buyer.buy().await.state, State::Applied, "the wallet is free");
}

/// A person who quits after a deduction misses the check that would have found its late copy.
#[tokio::test]
async fn a_second_copy_of_a_deduction_is_found_although_the_program_ended_before_its_check() {
    let audit = Duration::from_secs(65);
    let mut buyer = Buyer::with(Schedule { audit, ..at_once(0) }).await;
    buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    let done = buyer.decided().await;
    assert!(done.state == State::Applied && done.next_at.is_some(), "one look more is planned");
    // The copy that a proxy had kept.
    buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
    buyer.restart_later(audit);
    let doubled = buyer.see(State::NeedsYou).await;
    assert_eq!((doubled.id, doubled.reason), (done.id, Some(Reason::Doubled)));
}
