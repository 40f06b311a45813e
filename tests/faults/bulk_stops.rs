//! Reasons to pause a bulk before all of its rows fail, and to let a row wait.

use std::time::Duration;

use operations::{
    AccountAccess, AccountChange, BulkId, BulkPlan, BulkProblem, BulkState, Direction, Intent, RowReason, RowsWanted,
    Schedule, State,
};
use sandbox::Fault;
use tests::accounts::status;
use tests::bulk::plan;
use tests::order::{Buyer, access, at_once};
use tests::service::{account, fault, requests};
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::until;
use wire::ids::CustomerId;

/// Far more than can be under way at once.
const ROWS: usize = 40;

fn statuses() -> BulkPlan {
    let off = |number: usize| {
        Intent::from(AccountChange::Status {
            customer_id: CustomerId::new((100_001 + number).to_string()),
            user_name: format!("{number}@x.com"),
            active: false,
            customer_state: 0,
        })
    };
    plan((0..ROWS).map(off).collect())
}

fn passwords(buyer: &Buyer) -> BulkPlan {
    let set = |number: usize| {
        let AccountChange::Password { reference, user_name, typed, .. } = buyer.password("abc-DEF-123") else {
            panic!("a password");
        };
        let customer_id = CustomerId::new((100_001 + number).to_string());
        Intent::from(AccountChange::Password { customer_id, user_name, reference, typed })
    };
    plan((0..ROWS).map(set).collect())
}

/// Waits until the bulk is paused for this problem, with most rows still to come.
async fn see_paused(buyer: &Buyer, bulk: &BulkId, problem: &str) {
    let paused = buyer.see_bulk(bulk, "it is paused", |bulk| bulk.state == BulkState::Paused).await;
    assert_eq!(paused.problem.map(BulkProblem::word), Some(problem), "{paused:?}");
    assert!(paused.counts.waiting >= ROWS / 2, "{paused:?}");
}

#[tokio::test]
async fn rows_that_do_not_leave_pause_the_bulk_and_it_goes_on_when_they_do() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let bulk = buyer.start_bulk(statuses()).await;
    see_paused(&buyer, &bulk.id, "not-sent").await;
    assert!(buyer.accounts().is_empty());
    buyer.use_account(account(&buyer.service.base_url()));
    buyer.operations.bulks().resume(&bulk.id).expect("it goes on");
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!(ended.problem, None);
    assert_eq!(ended.counts.done + ended.counts.not_done, ROWS, "{ended:?}");
    assert_eq!(buyer.accounts().len(), ended.counts.done);
}

#[tokio::test]
async fn who_goes_on_in_the_moment_of_a_pause_finds_the_bulk_going_on() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let at_once = "CREATE TRIGGER goes_on AFTER UPDATE ON bulk WHEN new.state = 'paused'
         BEGIN UPDATE bulk SET state = 'running' WHERE id = new.id; END";
    buyer.journal_beside().execute_batch(at_once).expect("SQLite");
    let bulk = buyer.start_bulk(statuses()).await;
    let ended = buyer.see_bulk(&bulk.id, "it ends", |bulk| bulk.state == BulkState::Finished).await;
    assert_eq!((ended.counts.waiting, ended.counts.not_done), (0, ROWS), "{ended:?}");
}

#[tokio::test]
async fn a_vendor_that_asks_for_a_slower_pace_pauses_the_bulk() {
    let buyer = Buyer::new(0).await;
    buyer.always("changeStatus", Fault::Refuse { code: Some("429".into()) });
    let bulk = buyer.start_bulk(statuses()).await;
    see_paused(&buyer, &bulk.id, "no-answer").await;
}

#[tokio::test]
async fn one_row_that_is_turned_away_stops_no_other() {
    let buyer = Buyer::new(0).await;
    fault(&buyer.service, "changeStatus", Fault::Refuse { code: Some("429".into()) });
    let bulk = buyer.start_bulk(statuses()).await;
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.state, ended.problem), (BulkState::Finished, None));
    // No read can show a status, so it is neither done nor certainly not done.
    assert_eq!((ended.counts.unconfirmed, ended.counts.waiting), (1, 0));
}

#[tokio::test]
async fn no_list_is_read_for_what_no_read_can_show() {
    let buyer = Buyer::new(0).await;
    fault(&buyer.service, "changeStatus", Fault::DropBefore);
    let bulk = buyer.start_bulk(statuses()).await;
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!(ended.counts.done, ROWS, "{ended:?}");
    assert_eq!(requests(&buyer.service, "customer/list"), 0);
}

#[tokio::test]
async fn what_is_not_seen_before_it_is_time_counts_as_nothing() {
    let buyer = Buyer::with(Schedule { checks: vec![Duration::from_secs(3_600); 3], ..at_once(0) }).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 4).await;
    buyer.always(endpoint(Direction::Recharge), Fault::LedgerLag { ms: 600_000 });
    let bulk = buyer.start_bulk(all).await;
    // By then its snapshot has been taken.
    buyer.see_bulk(&bulk.id, "it has ended", |bulk| bulk.state == BulkState::Finished).await;
    let all = buyer.operations.history().list().expect("a journal");
    assert_eq!(all.len(), 4);
    for one in all {
        assert_eq!(one.state, State::Verifying);
        assert!(!one.events.iter().any(|event| event.what.starts_with("looked")), "{:?}", one.events);
    }
}

#[tokio::test]
async fn a_token_that_is_rotated_in_the_middle_of_a_bulk_pauses_it() {
    let buyer = Buyer::new(0).await;
    buyer.always("changeStatus", Fault::Delay { ms: 50 });
    let bulk = buyer.start_bulk(statuses()).await;
    buyer.see_bulk(&bulk.id, "some are done", |bulk| bulk.counts.done > 0).await;
    buyer.service.world.rotate_agent_token("another");
    let paused = buyer.see_bulk(&bulk.id, "it is paused", |bulk| bulk.state == BulkState::Paused).await;
    assert_eq!(paused.problem.map(BulkProblem::word), Some("credentials"), "{paused:?}");
}

#[tokio::test]
async fn one_password_that_was_pointed_elsewhere_pauses_the_bulk_before_more_are_shown() {
    let buyer = Buyer::new(0).await;
    buyer.always("updatePwd", Fault::Redirect);
    let bulk = buyer.start_bulk(passwords(&buyer)).await;
    see_paused(&buyer, &bulk.id, "exposed").await;
}

#[tokio::test]
async fn a_connection_without_credentials_pauses_the_bulk() {
    let buyer = Buyer::new(0).await;
    buyer.always("updatePwd", Fault::Delay { ms: 50 });
    let bulk = buyer.start_bulk(passwords(&buyer)).await;
    buyer.operations.use_account(None);
    let paused = buyer.see_bulk(&bulk.id, "it is paused", |bulk| bulk.state == BulkState::Paused).await;
    assert_eq!(paused.problem.map(BulkProblem::word), Some("credentials"), "{paused:?}");
}

#[tokio::test]
async fn a_row_waits_until_an_earlier_value_has_certainly_arrived() {
    let apart = Duration::from_millis(400);
    let buyer = Buyer::with(Schedule { settings: vec![apart], ..at_once(0) }).await;
    let sent = std::time::Instant::now();
    buyer.change(status(true), None).await;
    let bulk = buyer.start_bulk(plan(vec![status(false).into()])).await;
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!(ended.counts.done, 1, "{ended:?}");
    assert!(sent.elapsed() >= apart, "it waited");
    assert_eq!(buyer.accounts()[0].statuses, [true, false]);
}

#[tokio::test]
async fn what_is_turned_while_a_row_waits_is_left_out() {
    let buyer = Buyer::with(Schedule { settings: vec![Duration::from_secs(2)], ..at_once(0) }).await;
    buyer.change(status(true), None).await;
    let mut all = statuses();
    all.rows.truncate(2);
    let bulk = buyer.start_bulk(all).await;
    buyer.see_bulk(&bulk.id, "the other is done, this one waits", |bulk| bulk.counts.done == 1).await;
    let turned = AccountAccess { states: [0, 1], ..access(&buyer.service, account(&buyer.service.base_url())) };
    buyer.operations.use_account(Some(turned));
    buyer.see_bulk_ended(&bulk.id).await;
    let rows = buyer.operations.bulks().rows(&bulk.id, RowsWanted::default(), 0, 9).expect("rows");
    assert_eq!((rows[0].state.word(), rows[0].reason.map(RowReason::word)), ("skipped", Some("turned")));
    let set = buyer.accounts().into_iter().find(|one| one.customer_id.to_string() == CUSTOMER).expect("it was set");
    assert_eq!(set.statuses, [true]);
}

#[tokio::test]
async fn rows_are_checked_again_when_the_ledger_can_be_read_again() {
    let often = Schedule { checks: vec![Duration::from_millis(100); 200], ..at_once(0) };
    for without_account in [true, false] {
        let buyer = Buyer::with(often.clone()).await;
        let all = buyer.planned_moves(Direction::Recharge, "0.5", 4).await;
        buyer.always(endpoint(Direction::Recharge), Fault::LedgerLag { ms: 600_000 });
        let bulk = buyer.start_bulk(all).await;
        buyer.see_bulk(&bulk.id, "all are sent", |bulk| bulk.counts.waiting == 0).await;
        if without_account {
            buyer.operations.use_account(None);
        } else {
            buyer.always("customer/list", Fault::Status { code: 503 });
        }
        until("nothing can be read", async || {
            let all = buyer.operations.history().list().expect("a journal");
            let in_vain =
                |one: &operations::OperationView| one.events.iter().any(|event| event.what == "looked-unreadable");
            all.iter().all(in_vain).then_some(())
        })
        .await;
        buyer.service.world.clear_faults();
        buyer.service.world.clock.advance(600_000);
        buyer.use_account(account(&buyer.service.base_url()));
        let ended = buyer.see_bulk_ended(&bulk.id).await;
        assert_eq!((ended.counts.done, buyer.moves().len()), (4, 4), "{ended:?}");
    }
}

#[tokio::test]
async fn more_rows_than_a_round_checks_one_by_one_are_proved_all_the_same() {
    let buyer = Buyer::with_customers(260).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 250).await;
    buyer.always(endpoint(Direction::Recharge), Fault::Delay { ms: 20 });
    let bulk = buyer.start_bulk(all).await;
    until("it sends", async || (!buyer.moves().is_empty()).then_some(())).await;
    buyer.always("myRechargeFlowList", Fault::BadRow);
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.counts.done, buyer.moves().len()), (250, 250), "{ended:?}");
    assert!(buyer.operations.history().list().expect("a journal").iter().all(|one| one.state == State::Applied));
}

#[tokio::test]
async fn a_bulk_that_waited_leaves_out_a_customer_whose_status_somebody_set_meanwhile() {
    let buyer = Buyer::new(0).await;
    buyer.always("changeStatus", Fault::Delay { ms: 500 });
    let bulk = buyer.start_bulk(statuses()).await;
    assert_eq!(buyer.operations.bulks().pause(&bulk.id).expect("a bulk").state, BulkState::Paused);
    buyer.service.world.clear_faults();
    buyer.see_bulk(&bulk.id, "nothing is under way", |bulk| bulk.counts.under_way == 0).await;
    let last = CustomerId::new((100_000 + ROWS).to_string());
    let user_name = format!("{}@x.com", ROWS - 1);
    let on = AccountChange::Status { customer_id: last.clone(), user_name, active: true, customer_state: 1 };
    assert_eq!(buyer.change(on, None).await.state, State::Applied);
    buyer.operations.bulks().resume(&bulk.id).expect("a bulk");
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.counts.done, ended.counts.skipped), (ROWS - 1, 1));
    let left = buyer
        .operations
        .bulks()
        .rows(&bulk.id, RowsWanted { only_not_done: true, ..RowsWanted::default() }, 0, 9)
        .expect("a journal")
        .remove(0);
    assert_eq!(left.reason.map(RowReason::word), Some("set-since"));
    let accounts = buyer.accounts();
    let is_on = |id: &str| accounts.iter().find(|one| one.customer_id.to_string() == id).expect("a customer").active;
    assert!(is_on(last.as_str()) && !is_on(CUSTOMER), "the newer value stays");
}
