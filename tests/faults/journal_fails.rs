//! The journal fails while rows of bulks are on their way. Nothing is lost, and nothing goes on without it.

use std::time::Duration;

use operations::Reason;
use operations::{AccountChange, BulkProblem, BulkState, BulkView, Direction, Intent, OperationError, Schedule, State};
use sandbox::Fault;
use tests::bulk::plan;
use tests::order::{Buyer, at_once};
use tests::service::account;
use tests::traffic_move::endpoint;
use tests::until;
use wire::ids::CustomerId;

/// A bulk whose records arrive late, checked every 50 ms.
async fn waiting(rows: usize) -> (Buyer, BulkView) {
    let buyer = Buyer::with(Schedule { checks: vec![Duration::from_millis(50); 1000], ..at_once(0) }).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", rows).await;
    // Another record, which arrives at once.
    buyer.call_directly("/api/agent/rechargeTrafficCount?customerId=100050&orderId=other&trafficCount=1").await;
    buyer.always(endpoint(Direction::Recharge), Fault::LedgerLag { ms: 600_000 });
    let bulk = buyer.start_bulk(all).await;
    let bulk = buyer.see_bulk(&bulk.id, "all are sent", |bulk| bulk.state == BulkState::Finished).await;
    (buyer, bulk)
}

/// Lets the records arrive, and checks that every row is found once.
async fn see_them_found(buyer: &Buyer, bulk: &BulkView) {
    buyer.service.world.clear_faults();
    buyer.service.world.clock.advance(600_000);
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.counts.done, buyer.moves().len()), (ended.rows, ended.rows + 1), "{ended:?}");
}

fn statuses() -> Vec<Intent> {
    let off = |number: usize| AccountChange::Status {
        customer_id: CustomerId::new((100_101 + number).to_string()),
        user_name: format!("{number}@x.com"),
        active: false,
        customer_state: 0,
    };
    (0..20).map(off).map(Intent::from).collect()
}

#[tokio::test]
async fn rows_whose_checks_cannot_be_written_down_are_checked_until_they_can() {
    let reads =
        [None, Some(("myRechargeFlowList", Fault::BadRow)), Some(("customer/list", Fault::Status { code: 503 }))];
    for is_refused in [true, false] {
        for read in &reads {
            let (buyer, bulk) = waiting(3).await;
            let waits = "old.state = 'verifying'";
            if is_refused {
                buyer.refuse("operation", waits)
            } else {
                buyer.ignore("operation", waits)
            }
            if let Some((path, fault)) = read.clone() {
                buyer.always(path, fault);
            }
            buyer.see_reads(40).await;
            buyer.mend();
            see_them_found(&buyer, &bulk).await;
        }
    }
}

#[tokio::test]
async fn one_move_whose_check_cannot_be_written_down_stays_as_it_is() {
    let buyer = Buyer::with(Schedule::default()).await;
    let sent = buyer.move_traffic(Direction::Recharge, "0.5", Some(Fault::DropAfter)).await;
    buyer.ignore("operation", "1");
    assert_eq!(buyer.operations.check(&sent.id).await.expect("it may be looked at").state, State::Unknown);
    buyer.mend();
    assert_eq!(buyer.operations.check(&sent.id).await.expect("it may be looked at").state, State::ResolvedApplied);
}

#[tokio::test]
async fn a_row_that_cannot_be_read_keeps_no_other_bulk_from_its_end() {
    let (buyer, bulk) = waiting(1).await;
    let db = buyer.journal_beside();
    let baseline: String = db.query_row("SELECT baseline FROM operation", [], |row| row.get(0)).expect("a row");
    db.execute("UPDATE operation SET baseline = 'no JSON'", []).expect("SQLite");
    buyer.always("changeStatus", Fault::Delay { ms: 20 });
    let other = buyer.start_bulk(plan(statuses())).await;
    buyer.see_bulk(&other.id, "it ends", |bulk| bulk.state == BulkState::Finished).await;
    let third = buyer.start_bulk(plan(statuses())).await;
    buyer.see_bulk(&third.id, "it ends too", |bulk| bulk.state == BulkState::Finished).await;
    db.execute("UPDATE operation SET baseline = ?1 WHERE baseline IS NOT NULL", [baseline]).expect("SQLite");
    see_them_found(&buyer, &bulk).await;
}

#[tokio::test]
async fn rows_that_are_repeated_when_the_journal_fails_are_found_after_the_next_start() {
    let mut buyer =
        Buyer::with(Schedule { checks_before_repeat: vec![Duration::from_millis(100); 3], ..at_once(0) }).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 2).await;
    buyer.always(endpoint(Direction::Recharge), Fault::DropBefore);
    let bulk = buyer.start_bulk(all).await;
    buyer.see_bulk(&bulk.id, "nobody heard an answer", |bulk| bulk.counts.unconfirmed == 2).await;
    buyer.service.world.clear_faults();
    // They are sent again, and the answers cannot be stored.
    buyer.refuse("operation", "old.state = 'sending'");
    until("it was carried out", async || (!buyer.moves().is_empty()).then_some(())).await;
    until("nothing more is sent", async || {
        let moved = buyer.moving(Direction::Deduction, "0.25").await;
        let moved = operations::TrafficMove { customer_id: CustomerId::new("100020"), ..moved };
        let token = buyer.operations.offer(moved, None).expect("nobody holds it").token;
        matches!(buyer.operations.confirm(&token).await, Err(OperationError::Stopped)).then_some(())
    })
    .await;
    buyer.mend();
    buyer.restart();
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    // One of them may have been waiting for its repeat: it is then a question, or was never resent.
    let recharged = buyer.moves().iter().filter(|mb| *mb == "512").count();
    assert_eq!(ended.counts.done, recharged, "{ended:?}");
    assert_eq!(ended.counts.done + ended.counts.unconfirmed, 2, "{ended:?}");
}

#[tokio::test]
async fn a_bulk_whose_pause_cannot_be_written_down_stands_still_and_goes_on_when_it_is_told_to() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    buyer.refuse("bulk", "new.state = 'paused'");
    let bulk = buyer.start_bulk(plan(statuses())).await;
    let stands = buyer.see_bulk(&bulk.id, "it stands still", |bulk| bulk.state == BulkState::Paused).await;
    assert_eq!(stands.problem.map(BulkProblem::word), Some("not-sent"), "{stands:?}");
    buyer.mend();
    buyer.use_account(account(&buyer.service.base_url()));
    buyer.operations.bulks().resume(&bulk.id).expect("it goes on");
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.state, ended.counts.waiting, ended.problem), (BulkState::Finished, 0, None));
}

#[tokio::test]
async fn what_cannot_be_learnt_keeps_no_second_copy_from_being_seen() {
    let buyer = Buyer::with(Schedule { audit: Duration::from_secs(3), ..at_once(0) }).await;
    let unlearnt = "CREATE TRIGGER unlearnt BEFORE INSERT ON lesson BEGIN SELECT raise(FAIL, 'the disk is full'); END";
    buyer.journal_beside().execute_batch(unlearnt).expect("SQLite");
    buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    buyer.see(State::Applied).await;
    assert!(buyer.operations.lessons().learned().expect("a journal").is_none());
    buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
    assert_eq!(buyer.see(State::NeedsYou).await.reason, Some(Reason::Doubled));
}
