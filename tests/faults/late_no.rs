//! Refused writes that are carried out later all the same: a gateway gave up while the service went on.

use std::time::Duration;

use operations::{
    AccountChange, Direction, Intent, OperationError, OperationId, OperationView, Reason, Schedule, State, TrafficMove,
};
use sandbox::Fault;
use tests::order::{Buyer, at_once};
use tests::service::{fault, requests};
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::until;
use wire::ids::CustomerId;

use crate::meanwhile::wait_out;

/// Checks for a second and a half.
fn patient() -> Schedule {
    let checks = [20, 60, 120, 300, 1_000].map(Duration::from_millis).to_vec();
    Schedule { checks, ..at_once(5) }
}

/// Checks for six seconds, so that even on a slow computer the second move leaves before the first is carried out.
fn steady() -> Schedule {
    let checks = [500, 1_500, 6_000].map(Duration::from_millis).to_vec();
    Schedule { checks, ..at_once(3) }
}

fn late(ms: u64) -> Fault {
    Fault::LateNo { code: Some("500".into()), ms }
}

/// Refused in words that prove nothing, and not carried out.
fn no() -> Fault {
    Fault::Refuse { code: Some("500".into()) }
}

fn was_ever(operation: &OperationView, state: State) -> bool {
    operation.events.iter().any(|event| event.what == state.word())
}

#[tokio::test]
async fn a_move_that_was_refused_and_carried_out_later_is_found_and_never_called_rejected() {
    for direction in [Direction::Recharge, Direction::Deduction] {
        for ms in [0, 100, 400] {
            let buyer = Buyer::with(patient()).await;
            let sent = buyer.move_traffic(direction, "0.5", Some(late(ms))).await;
            assert_eq!((sent.state, sent.may_resend, sent.may_judge), (State::Refused, false, false), "{ms} ms");
            let decided = buyer.decided().await;
            assert_eq!((decided.state, decided.alarm), (State::ResolvedApplied, true), "{direction:?} after {ms} ms");
            assert!(!was_ever(&decided, State::Rejected), "{decided:?}");
            assert_eq!((buyer.moves().len(), buyer.sends(direction)), (1, 1));
        }
    }
}

#[tokio::test]
async fn a_doubled_move_is_no_question_any_more_once_its_refused_counter_move_is_found_done() {
    let buyer = Buyer::with(patient()).await;
    buyer.move_traffic(Direction::Deduction, "0.5", Some(Fault::Twice)).await;
    let doubled = buyer.see(State::NeedsYou).await;
    let back = TrafficMove { counter_of: Some(doubled.id.clone()), ..buyer.moving(Direction::Recharge, "0.5").await };
    fault(&buyer.service, endpoint(Direction::Recharge), late(400));
    assert_eq!(buyer.send_move(back).await.state, State::Refused);
    let closed = until("the question is answered", async || {
        let now = buyer.operations.get(&doubled.id).expect("a journal");
        (now.state == State::ResolvedApplied).then_some(now)
    });
    assert_eq!(closed.await.reason, None);
    assert_eq!(buyer.operations.history().list().expect("a journal")[0].state, State::ResolvedApplied);
    assert_eq!(buyer.moves(), ["-512", "-512", "512"]);
}

#[tokio::test]
async fn a_refused_move_locks_nobody_out_and_the_same_one_asks_once_more() {
    let buyer = Buyer::with(steady()).await;
    buyer.move_traffic(Direction::Deduction, "0.5", Some(late(3_000))).await;
    let same = buyer.moving(Direction::Deduction, "0.5").await;
    let token = buyer.operations.offer(same, None).expect("nobody is locked out").token;
    let asked = buyer.operations.confirm(&token).await.expect_err("the same again");
    assert!(matches!(asked, OperationError::StillWatched), "{asked:?}");
    assert_eq!(buyer.sends(Direction::Deduction), 1, "nothing was sent");
    // Another amount is not a repeat.
    let other = buyer.move_traffic(Direction::Deduction, "0.25", None).await;
    assert_eq!(other.state, State::Verifying);
    let states = until("both are found", async || {
        let all = buyer.operations.history().list().expect("a journal");
        let states: Vec<State> = all.iter().map(|one| one.state).collect();
        (states == [State::Applied, State::ResolvedApplied]).then_some(states)
    });
    states.await;
    let mut moves = buyer.moves();
    moves.sort();
    assert_eq!(moves, ["-256", "-512"]);
}

/// A check also sees a colleague's moves, which are not the refused ones.
#[tokio::test]
async fn of_two_refused_moves_one_was_carried_out_and_a_colleague_moved_the_same() {
    let buyer = Buyer::with(steady()).await;
    buyer.move_traffic(Direction::Recharge, "3", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied, "our own name is learnt");
    assert_eq!(buyer.move_traffic(Direction::Recharge, "5", Some(no())).await.state, State::Refused);
    buyer.service.world.move_in_console(&CustomerId::new(CUSTOMER), 5, true).expect("a ledger");
    let token = buyer.operations.offer(buyer.moving(Direction::Recharge, "5").await, None).expect("free").token;
    fault(&buyer.service, endpoint(Direction::Recharge), late(50));
    assert_eq!(buyer.operations.confirm_anyway(&token).await.expect("the risk is known").state, State::Refused);
    let ended = async || {
        let all = buyer.operations.history().list().expect("a journal");
        all.iter().all(|one| one.next_at.is_none()).then_some(all)
    };
    let all = until("every look is over", ended).await;
    let states: Vec<State> = all.iter().map(|one| one.state).collect();
    assert_eq!(states, [State::Rejected, State::ResolvedApplied, State::Applied]);
}

/// Before the GB factor is learned, a record of 1,024,000 MB fits either.
#[tokio::test]
async fn an_amount_that_is_the_same_by_another_count_of_a_gb_asks_once_more() {
    let buyer = Buyer::with(steady()).await;
    assert_eq!(buyer.move_traffic(Direction::Recharge, "1000", Some(no())).await.state, State::Refused);
    for (gb, is_asked) in [("1024", true), ("1000", true), ("1001", false)] {
        let token = buyer.operations.offer(buyer.moving(Direction::Recharge, gb).await, None).expect("free").token;
        let confirmed = buyer.operations.confirm(&token).await;
        assert_eq!(matches!(confirmed, Err(OperationError::StillWatched)), is_asked, "{gb}: {confirmed:?}");
    }
}

#[tokio::test]
async fn who_knows_the_risk_sends_the_same_move_again_and_both_are_told() {
    let buyer = Buyer::with(steady()).await;
    buyer.move_traffic(Direction::Recharge, "0.5", Some(late(3_000))).await;
    let token = buyer.operations.offer(buyer.moving(Direction::Recharge, "0.5").await, None).expect("free").token;
    assert!(buyer.operations.confirm(&token).await.is_err());
    buyer.operations.confirm_anyway(&token).await.expect("the risk is known");
    until("both are found", async || {
        let all = buyer.operations.history().list().expect("a journal");
        let done = |one: &OperationView| matches!(one.state, State::Applied | State::ResolvedApplied);
        (all.len() == 2 && all.iter().all(done)).then_some(())
    })
    .await;
    assert_eq!(buyer.moves(), ["512", "512"]);
}

#[tokio::test]
async fn who_knows_the_risk_sends_nothing_once_the_refused_move_shows_as_done() {
    for direction in [Direction::Recharge, Direction::Deduction] {
        // No check comes by itself: only the one before the second send can find the first.
        let rare = Schedule { checks: vec![Duration::from_secs(600); 3], ..at_once(3) };
        let buyer = Buyer::with(rare).await;
        let refused = buyer.move_traffic(direction, "0.5", Some(late(0))).await;
        assert_eq!(refused.state, State::Refused);
        until("it is carried out", async || (buyer.moves().len() == 1).then_some(())).await;
        let token = buyer.operations.offer(buyer.moving(direction, "0.5").await, None).expect("free").token;
        let said = buyer.operations.confirm_anyway(&token).await.expect_err("the first was done");
        assert!(matches!(said, OperationError::DoneAfterAll), "{said:?}");
        assert_eq!(buyer.operations.get(&refused.id).expect("a journal").state, State::ResolvedApplied);
        assert_eq!((buyer.moves().len(), buyer.sends(direction)), (1, 1), "{direction:?}");
        // Whoever wants it twice confirms the new figures.
        let token = buyer.operations.offer(buyer.moving(direction, "0.5").await, None).expect("free").token;
        buyer.operations.confirm(&token).await.expect("a second one on purpose");
        assert_eq!(buyer.sends(direction), 2);
    }
}

#[tokio::test]
async fn a_refused_move_that_is_found_while_the_same_is_confirmed_ends_the_confirmation() {
    for direction in [Direction::Recharge, Direction::Deduction] {
        // No check comes by itself.
        let rare = Schedule { checks: vec![Duration::from_secs(600); 3], ..at_once(3) };
        let buyer = Buyer::with(rare).await;
        let refused = buyer.move_traffic(direction, "0.5", Some(late(500))).await;
        let (seen, early) =
            (buyer.operations.history().position().expect("a journal"), buyer.moving(direction, "0.5").await);
        until("it is carried out", async || (buyer.moves().len() == 1).then_some(())).await;
        // The figures include the move, but no check has found it.
        let late = buyer.moving(direction, "0.5").await;
        let offers = [early, late.clone()].map(|moved| buyer.operations.offer(moved, None).expect("free").token);
        let found = buyer.operations.check(&refused.id).await.expect("it is read");
        assert_eq!(found.state, State::ResolvedApplied);
        // The amount was typed after the check, below figures from before it.
        let typed = buyer.operations.offer_as_of(seen, late.clone(), None).expect("free").token;
        for token in offers.iter().chain([&typed]) {
            let said = buyer.operations.confirm(token).await;
            assert!(matches!(said, Err(OperationError::DoneAfterAll)), "{direction:?}: {said:?}");
        }
        assert_eq!((buyer.moves().len(), buyer.sends(direction)), (1, 1));
        // With figures that were read after it, the person knows.
        let token = buyer.operations.offer(late, None).expect("free").token;
        buyer.operations.confirm(&token).await.expect("a second one on purpose");
        assert_eq!(buyer.sends(direction), 2);
    }
}

/// Seed 93714.
#[tokio::test]
async fn who_is_asked_about_a_move_is_shown_the_like_records_that_were_there_before_it() {
    for (direction, mb) in [(Direction::Recharge, "512"), (Direction::Deduction, "-512")] {
        let buyer = Buyer::new(0).await;
        for gb in ["0.5", "0.25"] {
            buyer.move_traffic(direction, gb, None).await;
            assert!(buyer.decided().await.there_before.is_empty(), "nobody is asked");
        }
        let asked = buyer.move_traffic(direction, "0.5", Some(Fault::DropBefore)).await;
        assert!(asked.may_judge);
        let before: Vec<String> = asked.there_before.iter().map(|record| record.count.to_string()).collect();
        assert_eq!(before, [mb], "of the same amount alone");
    }
}

#[tokio::test]
async fn a_row_of_a_bulk_that_was_refused_is_not_certainly_not_done_before_its_time() {
    let buyer = Buyer::with(patient()).await;
    fault(&buyer.service, endpoint(Direction::Deduction), late(400));
    let bulk = buyer.start_bulk(buyer.planned_moves(Direction::Deduction, "0.5", 1).await).await;
    let watched = buyer.see_bulk(&bulk.id, "the row is refused", |bulk| bulk.counts.under_way == 1).await;
    let is_refused = async || {
        buyer.operations.history().list().expect("a journal").first().is_some_and(|row| row.state == State::Refused)
    };
    until("it is refused", async || is_refused().await.then_some(())).await;
    assert_eq!((watched.counts.not_done, watched.counts.again), (0, 0));
    assert!(buyer.operations.bulks().certainly_not_done(&bulk.id).expect("rows").is_empty());
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.counts.done, ended.counts.again), (1, 0));
    assert_eq!(buyer.sends(Direction::Deduction), 1);
}

#[tokio::test]
async fn a_customer_who_is_created_in_spite_of_a_no_is_found() {
    let buyer = Buyer::with(patient()).await;
    fault(&buyer.service, "addUser", late(300));
    let create = AccountChange::Create { user_name: "late@x.com".into() };
    let sent = buyer.send(create.clone().into()).await;
    assert_eq!(sent.state, State::Refused);
    let token = buyer.operations.offer(create, None).expect("nobody is locked out").token;
    assert!(matches!(buyer.operations.confirm(&token).await, Err(OperationError::StillWatched)));
    let decided = buyer.decided().await;
    assert_eq!((decided.state, decided.alarm), (State::ResolvedApplied, true));
    assert_eq!(requests(&buyer.service, "addUser"), 1);
}

#[tokio::test]
async fn a_refused_setting_is_neither_done_nor_not_done_and_may_be_set_again() {
    let buyer = Buyer::with(patient()).await;
    let status = |active: bool| -> Intent {
        AccountChange::Status {
            customer_id: CustomerId::new(tests::traffic_move::CUSTOMER),
            user_name: "x".into(),
            active,
            customer_state: u8::from(active),
        }
        .into()
    };
    fault(&buyer.service, "changeStatus", late(50));
    let sent = buyer.send(status(false)).await;
    assert_eq!((sent.state, sent.next_at, sent.may_resend), (State::Refused, None, false));
    let token = buyer.operations.offer(status(false), None).expect("nobody is locked out").token;
    assert!(matches!(buyer.operations.confirm(&token).await, Err(OperationError::StillWatched)));
    let again = buyer.operations.confirm_anyway(&token).await.expect("the same value again is harmless");
    assert_eq!(again.state, State::Applied);
}

#[tokio::test]
async fn an_order_whose_no_may_be_about_its_key_is_asked_once_more_and_the_same_no_twice_is_the_no() {
    // The first copy buys the order; we receive the refusal of the second.
    let buyer = Buyer::new(3).await;
    buyer.fault(Fault::LateNo { code: Some("60308".into()), ms: 0 });
    let sent = buyer.buy().await;
    assert_eq!(sent.state, State::Verifying);
    let bought = buyer.see(State::Applied).await;
    assert!(bought.order.is_some());
    assert_eq!(buyer.charged().0, 1);
    assert_eq!(buyer.keys_seen().iter().collect::<std::collections::HashSet<_>>().len(), 1, "one key");
    for code in ["60306", "60307", "60308", "60309"] {
        let buyer = Buyer::new(3).await;
        let refuse = || Fault::Refuse { code: Some(code.into()) };
        buyer.fault(refuse());
        buyer.fault(refuse());
        buyer.buy().await;
        buyer.see(State::Rejected).await;
        assert_eq!((buyer.keys_seen().len(), buyer.charged().0), (2, 0), "{code}");
    }
    let buyer = Buyer::new(3).await;
    for code in ["60306", "60309"] {
        buyer.fault(Fault::Refuse { code: Some(code.into()) });
    }
    buyer.buy().await;
    buyer.see(State::NeedsYou).await;
}

/// Seed 108. The first copy bought the order; what stands in front of its key says something else about the second.
#[tokio::test]
async fn another_no_than_the_first_one_is_no_no_to_an_order() {
    for other in ["60004", "60310"] {
        let buyer = Buyer::new(3).await;
        buyer.fault(Fault::LateNo { code: Some("60308".into()), ms: 0 });
        buyer.fault(Fault::Refuse { code: Some(other.into()) });
        assert_eq!(buyer.buy().await.state, State::Verifying);
        let asked = buyer.see(State::NeedsYou).await;
        assert_eq!((asked.reason, buyer.charged().0), (Some(Reason::OrderUnknown), 1), "{other}");
    }
}

/// How long after a check a done deduction is checked once more.
const AUDIT: Duration = Duration::from_millis(200);

/// Checks for twenty seconds.
fn watching() -> Schedule {
    Schedule { checks: vec![AUDIT; 100], audit: AUDIT, ..at_once(3) }
}

/// Deducts once more: as an HTTP proxy that repeats a request, or a gateway that goes on with one it refused or lost.
async fn deducted_elsewhere(buyer: &Buyer) {
    buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
}

/// Waits until the copy was taken for the deduction that may still come, and both were checked once more.
async fn copy_is_taken_for(buyer: &Buyer, late: &OperationId) {
    let found = async || {
        let now = buyer.operations.get(late).expect("a journal");
        (now.state == State::ResolvedApplied).then_some(())
    };
    until("the copy is found", found).await;
    // A check of a done deduction that shows nothing new is not written down: only time tells that it was made.
    wait_out(3 * AUDIT).await;
}

/// Waits until it is called doubled: three were made, two are reported.
async fn third_is_told(buyer: &Buyer, last: &OperationId) {
    let told = async || {
        let now = buyer.operations.get(last).expect("a journal");
        (now.reason == Some(Reason::Doubled)).then_some(now)
    };
    assert!(until("it is called doubled", told).await.alarm);
    assert_eq!(buyer.moves(), ["-512", "-512", "-512"]);
}

/// A copy of the second was taken for the first. When the first came as well, nobody was told (seed 624321).
#[tokio::test]
async fn a_refused_deduction_that_comes_after_a_copy_of_the_next_was_taken_for_it_is_told() {
    let buyer = Buyer::with(watching()).await;
    let refused = buyer.move_traffic(Direction::Deduction, "0.5", Some(no())).await.id;
    let token = buyer.operations.offer(buyer.moving(Direction::Deduction, "0.5").await, None).expect("free").token;
    let next = buyer.operations.confirm_anyway(&token).await.expect("the risk is known").id;
    assert_eq!(buyer.see(State::Applied).await.id, next);
    deducted_elsewhere(&buyer).await;
    copy_is_taken_for(&buyer, &refused).await;
    deducted_elsewhere(&buyer).await;
    third_is_told(&buyer, &next).await;
}

#[tokio::test]
async fn a_deduction_without_a_yes_that_comes_after_a_copy_of_the_one_before_was_taken_for_it_is_told() {
    for fault in [no(), Fault::DropBefore, Fault::NullData] {
        let buyer = Buyer::with(watching()).await;
        buyer.move_traffic(Direction::Deduction, "0.5", None).await;
        buyer.see(State::Applied).await;
        let late = buyer.move_traffic(Direction::Deduction, "0.5", Some(fault)).await.id;
        deducted_elsewhere(&buyer).await;
        copy_is_taken_for(&buyer, &late).await;
        deducted_elsewhere(&buyer).await;
        third_is_told(&buyer, &late).await;
    }
}
