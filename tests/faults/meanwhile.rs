//! Actions of a person while a check, a repeat or a row is on its way.

use std::time::{Duration, Instant};

use operations::Reason;
use operations::{
    AccountAccess, BulkState, Direction, NotConfirmed, OperationError, OperationId, RowReason, RowsWanted, Schedule,
    State, Verdict,
};
use sandbox::Fault;
use tests::accounts::{NEW, create, status};
use tests::bulk::plan;
use tests::order::{Buyer, access, at_once};
use tests::service::{account, fault, requests};
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::until;

/// Longer than any action that these tests take in between.
const A_WHILE: Duration = Duration::from_millis(400);

async fn next_read(buyer: &Buyer) {
    let before = requests(&buyer.service, "customer/list");
    until("it reads", async || (requests(&buyer.service, "customer/list") > before).then_some(())).await;
}

/// Waits: only time can show that something does not happen.
pub(crate) async fn wait_out(time: Duration) {
    let end = Instant::now() + time;
    until("its time is over", async || (Instant::now() > end).then_some(())).await;
}

#[tokio::test]
async fn a_verdict_that_comes_while_it_is_checked_stands() {
    let buyer = Buyer::with(Schedule::default()).await;
    let sent = buyer.move_traffic(Direction::Recharge, "0.5", Some(Fault::DropBefore)).await;
    buyer.always("customer/list", Fault::Delay { ms: 200 });
    let (operations, id) = (buyer.operations.clone(), sent.id.clone());
    let look = tokio::spawn(async move { operations.check(&id).await.map(|_| ()) });
    next_read(&buyer).await;
    buyer.operations.judge(&sent.id, Verdict::NotDone).expect("a person looked");
    look.await.expect("it ends").expect_err("what it saw belongs to the past");
    let judged = buyer.operations.get(&sent.id).expect("a journal");
    assert_eq!(
        (judged.state, judged.events.last().map(|last| last.what.as_str())),
        (State::ResolvedNot, Some("resolved-not"))
    );
}

/// The planned check was scheduled before the person's check, and would have removed the check for a second copy
/// (issue 6).
#[tokio::test]
async fn a_planned_check_behind_that_of_a_person_leaves_the_check_for_a_second_copy() {
    let schedule = Schedule { checks: vec![A_WHILE; 5], audit: 5 * A_WHILE, ..at_once(0) };
    let buyer = Buyer::with(schedule).await;
    let sent = buyer.move_traffic(Direction::Deduction, "0.5", Some(Fault::DropAfter)).await;
    // Two of these reads take longer than the plan waits.
    buyer.always("customer/list", Fault::Delay { ms: 300 });
    let looked = buyer.operations.check(&sent.id).await.expect("it may be looked at");
    assert_eq!(looked.state, State::ResolvedApplied);
    // Let the planned check finish.
    wait_out(2 * A_WHILE).await;
    buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
    assert_eq!(buyer.see(State::NeedsYou).await.reason, Some(Reason::Doubled));
}

/// Waits until `doubled` is called doubled and the checks of the other have ended.
async fn only_the_first_is_doubled(buyer: &Buyer, doubled: &OperationId, other: &OperationId) {
    let now = |id| buyer.operations.get(id).expect("a journal");
    let alarmed = async || (now(doubled).reason == Some(Reason::Doubled)).then_some(());
    until("it is called doubled", alarmed).await;
    until("the look at the other one ends", async || now(other).next_at.is_none().then_some(())).await;
    assert_eq!((now(other).state, now(other).alarm), (State::Applied, false));
}

/// If each of two equal deductions claimed the copy, two would be taken back instead of one.
#[tokio::test]
async fn of_two_equal_deductions_and_one_late_copy_a_single_one_is_called_doubled() {
    let buyer = Buyer::with(Schedule { audit: 5 * A_WHILE, ..at_once(0) }).await;
    let first = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    let second = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
    only_the_first_is_doubled(&buyer, &second.id, &first.id).await;
}

/// A second deduction after the first one's copy used to hide that copy, so that it was not reported.
#[tokio::test]
async fn a_late_copy_is_told_where_the_same_was_sent_behind_it() {
    let buyer = Buyer::with(Schedule { audit: 5 * A_WHILE, ..at_once(0) }).await;
    let first = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
    let second = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    only_the_first_is_doubled(&buyer, &first.id, &second.id).await;
}

#[tokio::test]
async fn a_late_copy_is_told_where_the_same_certainly_did_nothing_since() {
    for turned_away in [true, false] {
        let buyer = Buyer::with(Schedule { audit: 5 * A_WHILE, ..at_once(0) }).await;
        let first = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
        assert_eq!(buyer.decided().await.state, State::Applied);
        let through = Fault::Refuse { code: Some("204".into()) };
        if !turned_away {
            buyer.send_to_nobody();
        }
        let again = buyer.move_traffic(Direction::Deduction, "0.5", turned_away.then_some(through)).await;
        assert_eq!(again.state, if turned_away { State::Rejected } else { State::NotSent });
        buyer.use_account(account(&buyer.service.base_url()));
        buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
        let told = async || buyer.operations.get(&first.id).is_ok_and(|now| now.reason == Some(Reason::Doubled));
        until("it is called doubled", async || told().await.then_some(())).await;
    }
}

#[tokio::test]
async fn a_verdict_that_comes_while_rows_are_surveyed_stands() {
    let buyer = Buyer::with(Schedule { checks: vec![A_WHILE; 20], ..at_once(0) }).await;
    let all = buyer.planned_moves(Direction::Deduction, "0.25", 2).await;
    buyer.always(endpoint(Direction::Deduction), Fault::DropBefore);
    let bulk = buyer.start_bulk(all).await;
    buyer.see_bulk(&bulk.id, "nobody heard an answer", |bulk| bulk.counts.unconfirmed == 2).await;
    buyer.always("customer/list", Fault::Delay { ms: 200 });
    next_read(&buyer).await;
    let [one, other] = [0, 1].map(|at| buyer.operations.history().list().expect("a journal")[at].id.clone());
    let looks = || {
        let events = buyer.operations.get(&other).expect("a journal").events;
        events.iter().filter(|event| event.what == "looked-nothing").count()
    };
    let (judged, before) = (buyer.operations.judge(&one, Verdict::NotDone).expect("a person looked"), looks());
    until("the other was looked at", async || (looks() > before).then_some(())).await;
    let now = buyer.operations.get(&one).expect("a journal");
    assert_eq!((now.state, now.events.len()), (State::ResolvedNot, judged.events.len()));
}

#[tokio::test]
async fn what_was_judged_is_not_checked() {
    let buyer = Buyer::with(Schedule { checks: vec![A_WHILE; 20], ..at_once(0) }).await;
    let sent = buyer.move_traffic(Direction::Deduction, "0.5", Some(Fault::DropBefore)).await;
    buyer.operations.judge(&sent.id, Verdict::NotDone).expect("a person looked");
    let before = requests(&buyer.service, "");
    wait_out(2 * A_WHILE).await;
    assert_eq!(requests(&buyer.service, ""), before);
}

#[tokio::test]
async fn what_never_left_waits_while_another_one_holds_its_customer() {
    let buyer = Buyer::with(Schedule::default()).await;
    buyer.send_to_nobody();
    let kept = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(kept.state, State::NotSent);
    buyer.use_account(account(&buyer.service.base_url()));
    buyer.move_traffic(Direction::Recharge, "0.25", Some(Fault::DropBefore)).await;
    let refused = buyer.operations.resend(&kept.id).await;
    assert!(matches!(refused, Err(OperationError::TargetHeld)), "{refused:?}");
    assert_eq!(buyer.sends(Direction::Deduction), 0);
}

#[tokio::test]
async fn a_setting_that_was_judged_is_not_repeated() {
    let buyer = Buyer::with(Schedule { settings: vec![A_WHILE; 3], ..at_once(0) }).await;
    let sent = buyer.change(status(false), Some(Fault::DropBefore)).await;
    assert_eq!(sent.state, State::Unknown);
    buyer.operations.judge(&sent.id, Verdict::NotDone).expect("a person looked");
    wait_out(2 * A_WHILE).await;
    assert_eq!(requests(&buyer.service, "changeStatus"), 1);
    assert_eq!(buyer.operations.get(&sent.id).expect("a journal").state, State::ResolvedNot);
}

#[tokio::test]
async fn a_repeat_whose_number_would_mean_the_opposite_becomes_a_question() {
    let buyer = Buyer::with(Schedule { settings: vec![A_WHILE; 3], ..at_once(0) }).await;
    buyer.change(status(false), Some(Fault::DropBefore)).await;
    let turned = AccountAccess { states: [0, 1], ..access(&buyer.service, account(&buyer.service.base_url())) };
    buyer.operations.use_account(Some(turned));
    assert_eq!(buyer.see(State::NeedsYou).await.reason, Some(Reason::NoRead));
    assert_eq!(requests(&buyer.service, "changeStatus"), 1);
}

#[tokio::test]
async fn a_repeat_that_cannot_be_written_down_is_not_sent() {
    let buyer = Buyer::with(Schedule { settings: vec![A_WHILE; 3], ..at_once(0) }).await;
    let sent = buyer.change(status(false), Some(Fault::DropBefore)).await;
    buyer.refuse("operation", "new.state = 'sending'");
    wait_out(2 * A_WHILE).await;
    assert_eq!((requests(&buyer.service, "changeStatus"), buyer.see(State::Unknown).await.id), (1, sent.id.clone()));
    buyer.mend();
    // A person may send it; a planned repeat may be quicker.
    let by_person = buyer.operations.resend(&sent.id).await;
    assert!(matches!(by_person, Ok(_) | Err(OperationError::Impossible(_))), "{by_person:?}");
    assert_eq!(buyer.see(State::Applied).await.id, sent.id);
    assert_eq!(requests(&buyer.service, "changeStatus"), 2, "once more, by one of them");
}

#[tokio::test]
async fn two_who_send_again_what_never_left_send_it_once() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let kept = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(kept.state, State::NotSent);
    buyer.use_account(account(&buyer.service.base_url()));
    buyer.always("customer/list", Fault::Delay { ms: 100 });
    let (one, other) = tokio::join!(buyer.operations.resend(&kept.id), buyer.operations.resend(&kept.id));
    let late = [one, other].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert!(matches!(late.as_slice(), [OperationError::Impossible(_)]), "{late:?}");
    assert_eq!((buyer.decided().await.state, buyer.sends(Direction::Deduction)), (State::Applied, 1));
}

#[tokio::test]
async fn what_never_left_is_not_sent_once_another_move_was_sent_while_its_figures_were_read() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let kept = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(kept.state, State::NotSent);
    buyer.use_account(account(&buyer.service.base_url()));
    let other = buyer.moving(Direction::Recharge, "0.25").await;
    fault(&buyer.service, endpoint(Direction::Recharge), Fault::Refuse { code: Some("204".into()) });
    fault(&buyer.service, "customer/list", Fault::Delay { ms: 800 });
    let (operations, id) = (buyer.operations.clone(), kept.id.clone());
    let resend = tokio::spawn(async move { operations.resend(&id).await });
    next_read(&buyer).await;
    assert_eq!(buyer.send_move(other).await.state, State::Rejected);
    let changed = resend.await.expect("it ends");
    assert!(matches!(changed, Err(OperationError::NotConfirmed(NotConfirmed::Changed))), "{changed:?}");
    assert_eq!(buyer.sends(Direction::Deduction), 0);
}

#[tokio::test]
async fn a_token_that_is_replaced_while_a_move_is_checked_leaves_its_operator_unknown() {
    let buyer = Buyer::with(Schedule { checks: vec![A_WHILE; 5], ..at_once(0) }).await;
    let lessons = || {
        let journal = buyer.journal_beside();
        let mut query = journal.prepare("SELECT name FROM lesson ORDER BY name").expect("SQLite");
        let names = query.query_map([], |row| row.get::<_, String>(0)).expect("SQLite");
        names.collect::<Result<Vec<_>, _>>().expect("SQLite")
    };
    buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    buyer.operations.lessons().forget_creators().expect("a journal");
    assert_eq!(buyer.decided().await.state, State::Applied);
    until("it taught the count", async || lessons().contains(&"traffic".to_owned()).then_some(())).await;
    assert_eq!(lessons(), ["creators since", "traffic"]);
    // With the old token still, because the new one is not in use yet.
    for is_new in [false, true] {
        if is_new {
            buyer.use_account(account(&buyer.service.base_url()));
        }
        assert_eq!(lessons(), ["creators since", "traffic"]);
        buyer.move_traffic(Direction::Recharge, "0.5", None).await;
        assert_eq!(buyer.decided().await.state, State::Applied);
    }
    let learned = async || (lessons() == ["creator of recharges", "creators since", "traffic"]).then_some(());
    until("the next one teaches its operator", learned).await;
}

/// The wall clock may have been set back meanwhile.
#[tokio::test]
async fn a_recharge_whose_order_id_is_old_by_the_steady_clock_is_not_sent_again() {
    let buyer = Buyer::with(Schedule { checks_before_repeat: vec![A_WHILE; 3], ..at_once(0) }).await;
    let lost = buyer.move_traffic(Direction::Recharge, "0.5", Some(Fault::DropBefore)).await;
    buyer.pass(Duration::from_secs(601));
    assert_eq!(buyer.see(State::NeedsYou).await.reason, Some(Reason::NotSeen));
    assert_eq!(buyer.sends(Direction::Recharge), 1);
    // Nor by itself after a person has sent it once more.
    fault(&buyer.service, endpoint(Direction::Recharge), Fault::DropBefore);
    let again = buyer.operations.resend(&lost.id).await.expect("a person may send it");
    assert_eq!(again.state, State::Unknown);
    assert_eq!(buyer.see(State::NeedsYou).await.reason, Some(Reason::NotSeen));
    assert_eq!(buyer.sends(Direction::Recharge), 2);
}

#[tokio::test]
async fn a_connection_that_is_closed_asks_for_nothing_more() {
    let waits = || vec![A_WHILE; 3];
    let buyer =
        Buyer::with(Schedule { settings: waits(), checks: waits(), checks_before_repeat: waits(), ..at_once(0) }).await;
    let mut all = buyer.planned_moves(Direction::Deduction, "0.25", 2).await;
    all.rows.retain(|row| row.todo.as_ref().is_ok_and(|todo| todo.target() != CUSTOMER));
    all.rows.truncate(1);
    buyer.always(endpoint(Direction::Deduction), Fault::DropBefore);
    let bulk = buyer.start_bulk(all).await;
    buyer.see_bulk(&bulk.id, "nobody heard an answer", |bulk| bulk.counts.unconfirmed == 1).await;
    buyer.change(create(NEW), Some(Fault::DropBefore)).await;
    buyer.change(status(false), Some(Fault::DropBefore)).await;
    let open = buyer.journal().with_extension("db-wal");
    let Buyer { service, operations, .. } = buyer;
    assert!(open.exists());
    drop(operations);
    // Everything on its way keeps the journal open.
    until("the journal is closed", async || (!open.exists()).then_some(())).await;
    let before = requests(&service, "");
    wait_out(2 * A_WHILE).await;
    assert_eq!(requests(&service, ""), before);
}

#[tokio::test]
async fn what_is_cancelled_while_a_row_waits_is_not_sent() {
    let buyer = Buyer::with(Schedule { settings: vec![5 * A_WHILE], ..at_once(0) }).await;
    buyer.change(status(true), None).await;
    let bulk = buyer.start_bulk(plan(vec![status(false).into()])).await;
    wait_out(A_WHILE).await;
    buyer.operations.bulks().cancel(&bulk.id).expect("it is cancelled");
    wait_out(5 * A_WHILE).await;
    let ended = buyer.operations.bulks().get(&bulk.id).expect("a bulk");
    assert_eq!((ended.state, ended.counts.skipped), (BulkState::Finished, 1));
    assert_eq!(buyer.accounts()[0].statuses, [true]);
}

#[tokio::test]
async fn a_bulk_that_takes_longer_than_its_survey_is_worth_reads_again() {
    let buyer = Buyer::new(0).await;
    let all = buyer.planned_moves(Direction::Recharge, "0.5", 40).await;
    let last = all.rows[39].todo.as_ref().expect("a move").target();
    buyer.always(endpoint(Direction::Recharge), Fault::Delay { ms: 150 });
    let bulk = buyer.start_bulk(all).await;
    buyer.see_bulk(&bulk.id, "it sends", |bulk| bulk.counts.waiting < 40).await;
    let elsewhere = format!("/api/agent/rechargeTrafficCount?customerId={last}&orderId=console&trafficCount=1");
    buyer.call_directly(&elsewhere).await;
    buyer.pass(Duration::from_secs(300));
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.counts.done, ended.counts.skipped), (39, 1), "{ended:?}");
    let row = buyer.operations.bulks().rows(&bulk.id, RowsWanted::default(), 39, 1).expect("rows").remove(0);
    assert_eq!(row.reason.map(RowReason::word), Some("changed"));
}

#[tokio::test]
async fn a_row_that_a_person_sent_again_is_not_done_again_by_its_successor() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let bulk = buyer.start_bulk(plan(vec![status(false).into()])).await;
    buyer.see_bulk(&bulk.id, "it did not leave", |bulk| bulk.counts.not_done == 1).await;
    let row = buyer.operations.bulks().certainly_not_done(&bulk.id).expect("rows").remove(0);
    let mut again = plan(vec![row.intent.expect("an intent")]);
    again.rows[0].retries = Some(row.row.clone());
    buyer.use_account(account(&buyer.service.base_url()));
    let token = buyer.operations.bulks().offer(again).expect("a preview");
    buyer.operations.resend(&row.row.operation.expect("it was begun")).await.expect("it never left");
    let second = buyer.operations.bulks().confirm(&token).await.expect("it begins");
    buyer.see_bulk_ended(&second.id).await;
    let rows = buyer.operations.bulks().rows(&second.id, RowsWanted::default(), 0, 9).expect("rows");
    assert_eq!((rows[0].state.word(), rows[0].reason.map(RowReason::word)), ("skipped", Some("changed")));
    assert_eq!(requests(&buyer.service, "changeStatus"), 1);
}
