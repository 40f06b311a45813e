//! A connection that is edited, or an older file of connections, leads elsewhere: an operation prepared for one
//! account is never sent to another, and data of the other account prove nothing about it.

use std::time::Duration;

use operations::NotConfirmed;
use operations::{BulkProblem, BulkState, Direction, OperationError, Reason, Schedule, State};
use sandbox::Fault;
use tests::order::{Buyer, at_once};
use tests::service::{account, requests};
use tests::traffic_move::endpoint;
use tests::until;

fn refused<T>(said: Result<T, OperationError>) {
    let refused = said.map(|_| ()).expect_err("another account is there");
    assert!(matches!(refused, OperationError::NotConfirmed(NotConfirmed::OtherAccount)), "{refused:?}");
}

fn back(buyer: &Buyer) {
    buyer.use_account(account(&buyer.service.base_url()));
}

#[tokio::test]
async fn what_was_confirmed_for_one_account_is_not_sent_to_another() {
    let buyer = Buyer::new(0).await;
    let order = buyer.offer().await;
    let moved = buyer.moving(Direction::Deduction, "0.5").await;
    let deduction = buyer.operations.offer(moved, None).expect("nothing else is open").token;
    buyer.use_another_account();
    refused(buyer.operations.confirm(&order).await);
    refused(buyer.operations.confirm(&deduction).await);
    assert!(buyer.operations.history().list().expect("a journal").is_empty(), "nothing was prepared");
    assert!(buyer.keys_seen().is_empty() && buyer.moves().is_empty());
}

#[tokio::test]
async fn an_account_that_changes_while_the_customer_is_read_gets_nothing() {
    let buyer = Buyer::new(0).await;
    let moved = buyer.moving(Direction::Recharge, "0.5").await;
    let token = buyer.operations.offer(moved, None).expect("nothing else is open").token;
    let before = requests(&buyer.service, "myRechargeFlowList");
    buyer.always("myRechargeFlowList", Fault::Delay { ms: 200 });
    let operations = buyer.operations.clone();
    let confirming = tokio::spawn(async move { operations.confirm(&token).await });
    until("it is read", async || (requests(&buyer.service, "myRechargeFlowList") > before).then_some(())).await;
    buyer.use_another_account();
    refused(confirming.await.expect("no panic"));
    assert_eq!(buyer.sends(Direction::Recharge), 0);
}

#[tokio::test]
async fn what_never_left_waits_for_its_own_account() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let kept = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(kept.state, State::NotSent);
    buyer.use_another_account();
    refused(buyer.operations.resend(&kept.id).await);
    assert_eq!(buyer.operations.get(&kept.id).expect("a row").state, State::NotSent);
    assert_eq!(buyer.sends(Direction::Deduction), 0);
    back(&buyer);
    buyer.operations.resend(&kept.id).await.expect("it is the same account, whatever its token");
    assert_eq!(buyer.sends(Direction::Deduction), 1);
}

#[tokio::test]
async fn an_order_whose_answer_was_lost_is_not_repeated_to_another_account() {
    let repeats = vec![Duration::from_millis(300)];
    let buyer = Buyer::with(Schedule { repeats, ..at_once(0) }).await;
    buyer.fault(Fault::DropAfter);
    let lost = buyer.buy().await;
    assert!(lost.next_at.is_some(), "a repeat is planned");
    buyer.use_another_account();
    let asked = buyer.see(State::NeedsYou).await;
    assert_eq!((asked.reason, buyer.keys_seen().len()), (Some(Reason::OrderUnknown), 1), "a person is asked");
    refused(buyer.operations.resend(&lost.id).await);
    assert_eq!(buyer.keys_seen().len(), 1);
    back(&buyer);
    assert_eq!(buyer.operations.resend(&lost.id).await.expect("its own account").state, State::Applied);
}

#[tokio::test]
async fn what_another_account_shows_is_no_proof_that_a_recharge_was_not_done() {
    let buyer = Buyer::new(0).await;
    let moved = buyer.moving(Direction::Recharge, "0.5").await;
    // None of its reads can finish before the account changes.
    buyer.always("customer/list", Fault::Delay { ms: 100 });
    tests::service::fault(&buyer.service, endpoint(Direction::Recharge), Fault::DropBefore);
    let sent = buyer.send_move(moved).await;
    buyer.use_another_account();
    until("it was looked at in vain", async || {
        let now = buyer.operations.get(&sent.id).expect("a row");
        (now.events.iter().filter(|event| event.what == "looked-unreadable").count() > 6).then_some(())
    })
    .await;
    let now = buyer.operations.get(&sent.id).expect("a row");
    assert_eq!((now.state, buyer.sends(Direction::Recharge)), (State::Unknown, 1), "nothing is no proof");
    back(&buyer);
    until("its own account proves it", async || (buyer.sends(Direction::Recharge) == 2).then_some(())).await;
    assert_eq!((buyer.decided().await.state, buyer.moves().len()), (State::ResolvedApplied, 1));
}

#[tokio::test]
async fn the_rest_of_a_bulk_is_not_sent_to_another_account() {
    let buyer = Buyer::new(0).await;
    buyer.always("rechargeTrafficCount", Fault::Delay { ms: 50 });
    let bulk = buyer.start_bulk(buyer.planned_moves(Direction::Recharge, "0.5", 30).await).await;
    buyer.operations.bulks().pause(&bulk.id).expect("a bulk");
    buyer.see_bulk(&bulk.id, "nothing is under way", |bulk| bulk.counts.under_way == 0).await;
    let sent = buyer.sends(Direction::Recharge);
    buyer.use_another_account();
    buyer.operations.bulks().resume(&bulk.id).expect("a person asked");
    buyer.see_bulk(&bulk.id, "it says why", |bulk| bulk.problem.map(BulkProblem::word) == Some("other-account")).await;
    assert_eq!(buyer.sends(Direction::Recharge), sent);
    back(&buyer);
    buyer.operations.bulks().resume(&bulk.id).expect("a person asked");
    buyer.see_bulk(&bulk.id, "it goes on", |bulk| bulk.state == BulkState::Finished).await;
    assert_eq!(buyer.moves().len(), 30, "each once");
}
