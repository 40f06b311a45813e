//! Bulks: every row ends in exactly one state, and the service's ledger agrees.

use operations::{BulkProblem, BulkState, Direction, Intent, RowReason, RowsWanted, State};
use sandbox::Fault;
use tests::accounts::create;
use tests::bulk::plan;
use tests::order::Buyer;
use tests::service::{client, fault, requests};
use tests::traffic_move::endpoint;

#[tokio::test]
async fn every_row_of_a_bulk_is_sent_once_and_proved_by_shared_reads() {
    let buyer = Buyer::new(0).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 40).await;
    let bulk = buyer.start_bulk(all).await;
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.state, ended.counts.done, ended.rows), (BulkState::Finished, 40, 40), "{ended:?}");
    assert_eq!(buyer.moves(), vec!["512"; 40]);
    let reads = requests(&buyer.service, "") - buyer.sends(Direction::Recharge);
    assert!(reads < 60, "one look for all, not one for each: {reads}");
    assert!(buyer.operations.history().list().expect("a journal").iter().all(|one| one.state == State::Applied));
}

#[tokio::test]
async fn a_record_of_anybody_that_cannot_be_read_keeps_no_row_from_being_proved() {
    let buyer = Buyer::new(0).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 12).await;
    buyer.always(endpoint(Direction::Recharge), Fault::Delay { ms: 100 });
    let bulk = buyer.start_bulk(all).await;
    // The read before the first send is over. From now on the list of all records has a gap.
    tests::until("it sends", async || (!buyer.moves().is_empty()).then_some(())).await;
    buyer.always("myRechargeFlowList", Fault::BadRow);
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.counts.done, buyer.moves().len()), (12, 12), "{ended:?}");
}

#[tokio::test]
async fn a_row_that_does_not_fit_what_is_there_now_is_left_out_with_its_reason() {
    let buyer = Buyer::new(0).await;
    let there = client::customers::all(&client(&buyer.service), None).await.expect("a list").remove(0);
    let customer_id = wire::ids::CustomerId::new("999999");
    let stranger = operations::TrafficMove { customer_id, ..buyer.moving(Direction::Recharge, "1").await };
    let cases = [
        (buyer.planned_moves(Direction::Deduction, "900000", 1).await, "beyond-left"),
        (plan(vec![create(&there.user_name).into()]), "name-taken"),
        (plan(vec![stranger.into()]), "not-yours"),
    ];
    for (all, reason) in cases {
        let bulk = buyer.start_bulk(all).await;
        buyer.see_bulk_ended(&bulk.id).await;
        let rows = buyer.operations.bulks().rows(&bulk.id, RowsWanted::default(), 0, 9).expect("rows");
        assert_eq!((rows[0].state.word(), rows[0].reason.map(RowReason::word)), ("skipped", Some(reason)));
    }
    assert!(buyer.moves().is_empty() && buyer.accounts().is_empty(), "nothing was sent");
}

#[tokio::test]
async fn a_bulk_that_is_not_there_is_not_found() {
    let (buyer, unknown) = (Buyer::new(0).await, operations::BulkId("unknown".into()));
    let found = buyer.operations.bulks().get(&unknown);
    assert!(matches!(found, Err(operations::OperationError::NotFound)), "{found:?}");
    assert!(buyer.operations.bulks().certainly_not_done(&unknown).expect("a journal").is_empty());
}

#[tokio::test]
async fn the_confirmation_of_a_bulk_is_spent_once() {
    let buyer = Buyer::new(0).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 3).await;
    let token = buyer.operations.bulks().offer(all).expect("a confirmation");
    let bulk = buyer.operations.bulks().confirm(&token).await.expect("it begins");
    buyer.operations.bulks().confirm(&token).await.expect_err("it is spent");
    buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!(buyer.moves().len(), 3);
}

#[tokio::test]
async fn a_customer_that_occurs_twice_is_sent_once_and_one_that_is_held_is_left_out() {
    let buyer = Buyer::new(0).await;
    fault(&buyer.service, endpoint(Direction::Deduction), Fault::LedgerLag { ms: 3_600_000 });
    buyer.move_traffic(Direction::Deduction, "0.25", None).await;
    let mut all = buyer.planned_moves(Direction::Recharge, "0.5", 4).await;
    let again = all.rows[0].clone();
    all.rows.push(again);
    let bulk = buyer.start_bulk(all).await;
    buyer.see_bulk_ended(&bulk.id).await;
    let rows = buyer.operations.bulks().rows(&bulk.id, RowsWanted::default(), 0, 10).expect("rows");
    let reasons: Vec<_> = rows.iter().map(|row| row.reason.map(RowReason::word)).collect();
    assert_eq!(reasons, [None, Some("held"), None, None, Some("duplicate")], "{rows:?}");
    assert_eq!(buyer.moves().len(), 4, "the deduction and three rows");
}

#[tokio::test]
async fn a_row_whose_customer_has_changed_since_the_preview_is_left_out() {
    let buyer = Buyer::new(0).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 3).await;
    buyer.call_directly("/api/agent/rechargeTrafficCount?customerId=100001&orderId=other&trafficCount=1").await;
    let bulk = buyer.start_bulk(all).await;
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.counts.done, ended.counts.skipped), (2, 1), "{ended:?}");
    let rows = buyer
        .operations
        .bulks()
        .rows(&bulk.id, RowsWanted { only_not_done: true, ..RowsWanted::default() }, 0, 10)
        .expect("rows");
    assert_eq!(rows.iter().map(|row| row.reason.map(RowReason::word)).collect::<Vec<_>>(), [Some("changed")]);
}

#[tokio::test]
async fn a_bulk_is_paused_after_a_restart_and_goes_on_when_it_is_told_to() {
    let mut buyer = Buyer::new(0).await;
    buyer.always(endpoint(Direction::Recharge), Fault::Delay { ms: 30 });
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 60).await;
    let (bulk, doomed) = buyer.start_doomed_bulk(all).await;
    buyer.see_bulk(&bulk.id, "some are sent", |bulk| bulk.counts.waiting < 55).await;
    doomed.crash();
    buyer.restart();
    let paused = buyer.operations.bulks().get(&bulk.id).expect("a bulk");
    assert_eq!(paused.state, BulkState::Paused);
    assert!(paused.counts.waiting > 0, "{paused:?}");
    buyer.operations.bulks().resume(&bulk.id).expect("it goes on");
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.state, ended.counts.done), (BulkState::Finished, 60), "{ended:?}");
    assert_eq!(buyer.moves(), vec!["512"; 60]);
}

#[tokio::test]
async fn a_cancelled_bulk_finishes_what_is_under_way_and_begins_nothing_more() {
    let buyer = Buyer::new(0).await;
    buyer.always(endpoint(Direction::Deduction), Fault::Delay { ms: 30 });
    let all = buyer.planned_moves(Direction::Deduction, "0.0625", 60).await;
    let bulk = buyer.start_bulk(all).await;
    buyer.see_bulk(&bulk.id, "some are sent", |bulk| bulk.counts.waiting < 55).await;
    buyer.operations.bulks().cancel(&bulk.id).expect("it is cancelled");
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!(ended.state, BulkState::Finished);
    assert_eq!(ended.counts.done + ended.counts.skipped, 60, "{ended:?}");
    assert_eq!(buyer.moves().len(), ended.counts.done);
    let not_done = buyer.operations.bulks().certainly_not_done(&bulk.id).expect("rows");
    assert_eq!(not_done.len(), ended.counts.skipped, "retrying begins with these and no others");
}

#[tokio::test]
async fn a_network_that_is_gone_pauses_the_bulk_instead_of_failing_every_row() {
    let buyer = Buyer::new(0).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 40).await;
    let mut stale = tests::service::account(&buyer.service.base_url());
    stale.agent_token = Some("stale".to_owned().into());
    buyer.use_account(stale);
    let bulk = buyer.start_bulk(all).await;
    let paused = buyer.see_bulk(&bulk.id, "it is paused", |bulk| bulk.state == BulkState::Paused).await;
    assert_eq!((paused.problem.map(BulkProblem::word), paused.counts.waiting), (Some("credentials"), 40), "{paused:?}");
    buyer.use_account(tests::service::account(&buyer.service.base_url()));
    buyer.operations.bulks().resume(&bulk.id).expect("it goes on");
    assert_eq!(buyer.see_bulk_ended(&bulk.id).await.counts.done, 40);
}

#[tokio::test]
async fn what_is_retried_is_closed_and_cannot_be_sent_beside_its_successor() {
    let buyer = Buyer::new(0).await;
    fault(&buyer.service, "addUser", Fault::Refuse { code: Some("202".into()) });
    let names = ["a@x.com", "b@x.com", "c@x.com"];
    let bulk = buyer.start_bulk(plan(names.map(|name| Intent::from(create(name))).to_vec())).await;
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.counts.done, ended.counts.not_done), (2, 1), "{ended:?}");
    let not_done = buyer.operations.bulks().certainly_not_done(&bulk.id).expect("rows");
    assert_eq!(not_done.len(), 1);
    let first = not_done[0].row.operation.clone().expect("it was sent");
    let mut again = plan(vec![not_done[0].intent.clone().expect("an intent")]);
    again.rows[0].retries = Some(not_done[0].row.clone());
    let second = buyer.start_bulk(again).await;
    assert_eq!(buyer.see_bulk_ended(&second.id).await.counts.done, 1);
    let old = buyer.operations.get(&first).expect("it stays");
    assert_eq!((old.state, old.may_resend), (State::ResolvedNot, false));
    assert!(buyer.operations.bulks().certainly_not_done(&bulk.id).expect("rows").is_empty(), "it was done again");
    assert_eq!(buyer.accounts().len(), 3);
}

#[tokio::test]
async fn rows_that_were_tampered_with_are_not_sent() {
    let buyer = Buyer::new(0).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 40).await;
    let bulk = buyer.start_bulk(all).await;
    buyer.operations.bulks().pause(&bulk.id).expect("it is paused");
    buyer.see_bulk(&bulk.id, "nothing is under way", |bulk| bulk.counts.under_way == 0).await;
    let sent = buyer.moves().len();
    let journal = rusqlite::Connection::open(buyer.journal()).expect("a journal");
    let changed = journal
        .execute("UPDATE bulk_row SET intent = replace(intent, '\"0.5\"', '\"500\"') WHERE state = 'waiting'", []);
    assert!(changed.expect("it is written") > 0, "some rows wait");
    buyer.operations.bulks().resume(&bulk.id).expect("it is asked");
    let stopped = buyer.see_bulk(&bulk.id, "it stops", |bulk| bulk.state == BulkState::Paused).await;
    assert_eq!((stopped.problem.map(BulkProblem::word), buyer.moves().len()), (Some("changed"), sent));
}

#[tokio::test]
async fn rows_that_were_left_out_are_done_again_once_however_often_it_is_asked() {
    let buyer = Buyer::new(0).await;
    buyer.always(endpoint(Direction::Recharge), Fault::Delay { ms: 30 });
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 40).await;
    let bulk = buyer.start_bulk(all).await;
    buyer.operations.bulks().cancel(&bulk.id).expect("it is cancelled");
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    let not_done = buyer.operations.bulks().certainly_not_done(&bulk.id).expect("rows");
    assert!(not_done.len() == ended.counts.again && not_done.len() > 20, "{ended:?}");
    let again = |fresh: operations::BulkPlan| {
        let rows = not_done.iter().map(|row| {
            let fits = |one: &&operations::PlannedRow| one.name == row.name;
            let todo = fresh.rows.iter().find(fits).expect("a customer").todo.clone();
            operations::PlannedRow { name: row.name.clone(), todo, retries: Some(row.row.clone()) }
        });
        operations::BulkPlan { kind: operations::Kind::Recharge, rows: rows.collect() }
    };
    let fresh = buyer.planned_moves(Direction::Recharge, "0.5", 40).await;
    let second = buyer.start_bulk(again(fresh)).await;
    buyer.see_bulk_ended(&second.id).await;
    assert_eq!(buyer.moves().len(), 40);
    assert_eq!(buyer.operations.bulks().get(&bulk.id).expect("a bulk").counts.again, 0);
    // Two previews of the same rows: the second finds them done.
    let fresh = buyer.planned_moves(Direction::Recharge, "0.5", 40).await;
    let third = buyer.start_bulk(again(fresh)).await;
    let ended = buyer.see_bulk_ended(&third.id).await;
    assert_eq!((ended.counts.skipped, buyer.moves().len()), (not_done.len(), 40), "{ended:?}");
}

#[tokio::test]
async fn a_customer_that_was_worked_on_since_the_survey_is_left_out() {
    let buyer = Buyer::new(0).await;
    buyer.always(endpoint(Direction::Recharge), Fault::Delay { ms: 60 });
    let mut all = buyer.planned_moves(Direction::Recharge, "0.5", 60).await;
    let last = all.rows.remove(1);
    all.rows.push(last);
    let bulk = buyer.start_bulk(all).await;
    buyer.see_bulk(&bulk.id, "its survey is over", |bulk| bulk.counts.waiting < 59).await;
    buyer.move_traffic(Direction::Deduction, "0.25", None).await;
    buyer.see_bulk_ended(&bulk.id).await;
    let rows = buyer.operations.bulks().rows(&bulk.id, RowsWanted::default(), 59, 1).expect("rows");
    assert!(matches!(rows[0].reason.map(RowReason::word), Some("changed" | "held")), "{rows:?}");
    assert_eq!(buyer.moves().iter().filter(|mb| *mb == "512").count(), 59);
}

#[tokio::test]
async fn answers_that_are_lost_one_after_the_other_pause_the_bulk() {
    let buyer = Buyer::new(0).await;
    buyer.always(endpoint(Direction::Deduction), Fault::Html);
    let all = buyer.planned_moves(Direction::Deduction, "0.0625", 60).await;
    let bulk = buyer.start_bulk(all).await;
    let paused = buyer.see_bulk(&bulk.id, "it is paused", |bulk| bulk.state == BulkState::Paused).await;
    assert_eq!(paused.problem.map(BulkProblem::word), Some("no-answer"), "{paused:?}");
    assert!(paused.counts.waiting >= 40, "{paused:?}");
}
