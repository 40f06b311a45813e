//! Taking back a move: the same amount in the other direction, once, and only if the move was done.

use operations::NotConfirmed;
use operations::Reason;
use operations::{Direction, OperationError, State, TrafficMove};
use sandbox::Fault;
use tests::order::Buyer;
use tests::service::{account, fault};
use tests::traffic_move::endpoint;

#[tokio::test]
async fn a_doubled_deduction_raises_the_alarm_and_is_taken_back_once() {
    let mut buyer = Buyer::new(0).await;
    buyer.move_traffic(Direction::Deduction, "0.5", Some(Fault::Twice)).await;
    let doubled = buyer.decided().await;
    assert_eq!((doubled.state, doubled.reason), (State::NeedsYou, Some(Reason::Doubled)));
    assert!(doubled.alarm && doubled.may_take_back && !doubled.may_resend);
    assert_eq!(buyer.moves(), ["-512", "-512"]);
    let held = buyer.operations.offer(buyer.moving(Direction::Recharge, "0.5").await, None);
    assert!(held.is_err(), "the customer waits for the question");
    let counter =
        TrafficMove { counter_of: Some(doubled.id.clone()), ..buyer.moving(Direction::Recharge, "0.5").await };
    buyer.send_move(counter).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    assert_eq!(buyer.moves(), ["-512", "-512", "512"]);
    let all = buyer.operations.history().list().expect("a journal");
    assert_eq!((all[1].state, all[1].countered_by.as_ref()), (State::ResolvedApplied, Some(&all[0].id)));
    assert!(!all[1].may_take_back, "once");
    let words: Vec<&str> = all[1].events.iter().map(|event| event.what.as_str()).collect();
    assert!(words.ends_with(&["taken-back", "resolved-applied"]), "{words:?}");
    buyer.restart();
    assert!(buyer.operations.history().restorations().expect("a journal").is_empty(), "its seal fits");
}

#[tokio::test]
async fn a_move_takes_back_only_what_was_done_to_the_same_customer_and_only_once() {
    let buyer = Buyer::new(0).await;
    buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    let first = buyer.decided().await;
    let back = async |direction, gb: &str| {
        let moved = TrafficMove { counter_of: Some(first.id.clone()), ..buyer.moving(direction, gb).await };
        buyer.operations.offer(moved, None)
    };
    assert!(back(Direction::Recharge, "0.5").await.is_err(), "not the way back");
    assert!(back(Direction::Deduction, "0.6").await.is_err(), "more than was given");
    let (one, other) = (back(Direction::Deduction, "0.5").await, back(Direction::Deduction, "0.5").await);
    let token = one.expect("the way back").token;
    buyer.operations.confirm(&token).await.expect("it is sent");
    buyer.decided().await;
    assert!(buyer.operations.confirm(&other.expect("offered before").token).await.is_err(), "once");
    assert_eq!(buyer.moves(), ["512", "-512"]);
    let events = buyer.operations.get(&first.id).expect("a row").events;
    assert_eq!(events.len(), first.events.len(), "what was done stays as it was");
}

#[tokio::test]
async fn a_doubled_one_stays_a_question_when_its_counter_comes_to_nothing() {
    let buyer = Buyer::new(0).await;
    buyer.move_traffic(Direction::Deduction, "0.5", Some(Fault::Twice)).await;
    let doubled = buyer.decided().await;
    let counter =
        TrafficMove { counter_of: Some(doubled.id.clone()), ..buyer.moving(Direction::Recharge, "0.5").await };
    fault(&buyer.service, endpoint(Direction::Recharge), Fault::Refuse { code: Some("204".into()) });
    buyer.send_move(counter).await;
    let all = buyer.operations.history().list().expect("a journal");
    assert_eq!((all[0].state, all[1].state, all[1].reason), (State::Rejected, State::NeedsYou, Some(Reason::Doubled)));
    assert!(all[1].may_take_back, "it may be tried again");
}

#[tokio::test]
async fn what_was_not_done_is_not_taken_back() {
    let buyer = Buyer::new(0).await;
    buyer.move_traffic(Direction::Recharge, "0.5", Some(Fault::Refuse { code: Some("204".into()) })).await;
    let refused = buyer.decided().await;
    assert_eq!(refused.state, State::Rejected);
    let back = TrafficMove { counter_of: Some(refused.id), ..buyer.moving(Direction::Deduction, "0.5").await };
    assert!(matches!(buyer.operations.offer(back, None), Err(OperationError::Impossible(_))));
}

#[tokio::test]
async fn a_counter_move_that_never_left_is_not_sent_behind_another_one() {
    let buyer = Buyer::new(0).await;
    buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    let first = buyer.decided().await;
    let back = TrafficMove { counter_of: Some(first.id.clone()), ..buyer.moving(Direction::Deduction, "0.5").await };
    buyer.send_to_nobody();
    let kept = buyer.send_move(back.clone()).await;
    assert_eq!(kept.state, State::NotSent);
    buyer.use_account(account(&buyer.service.base_url()));
    buyer.send_move(back).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    let refused = buyer.operations.resend(&kept.id).await;
    let changed = NotConfirmed::Changed;
    assert!(matches!(refused, Err(OperationError::NotConfirmed(said)) if said == changed), "{refused:?}");
    assert_eq!(buyer.moves(), ["512", "-512"]);
}

/// A replica that lags behind shows less than was seen before.
#[tokio::test]
async fn what_was_seen_twice_stays_a_question_while_an_older_view_shows_it_once() {
    let audit = std::time::Duration::from_secs(2);
    let buyer = Buyer::with(operations::Schedule { audit, ..tests::order::at_once(0) }).await;
    let sent = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    buyer.service.world.snapshot().expect("a snapshot");
    buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
    buyer.see(State::NeedsYou).await;
    assert!(buyer.service.world.restore().expect("a ledger"));
    let checked = buyer.operations.check(&sent.id).await.expect("it may be checked");
    assert_eq!((checked.state, checked.reason, checked.alarm), (State::NeedsYou, Some(Reason::Doubled), true));
    assert_eq!(checked.evidence.map(|seen| seen.records.len()), Some(2), "both records are still shown");
}
