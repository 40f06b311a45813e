//! Recharge and deduction: proved by reading, never done twice, never reported wrongly.

use operations::Reason;
use operations::{Direction, GbFactor, OperationError, OperationView, State, TrafficMove, Verdict};
use sandbox::{Fault, Options};
use tests::order::Buyer;
use tests::service::{account, fault, requests, start_with};
use tests::traffic_move::endpoint;

const BOTH: [(Direction, &str); 2] = [(Direction::Recharge, "512"), (Direction::Deduction, "-512")];

/// Every way to lose an answer, and whether that send carried out the move.
fn lost() -> Vec<(Fault, bool)> {
    vec![
        (Fault::DropBefore, false),
        (Fault::DropAfter, true),
        (Fault::Delay { ms: 60_000 }, true),
        (Fault::Cut { at: 0 }, true),
        (Fault::Cut { at: 10 }, true),
        (Fault::Html, false),
        (Fault::Redirect, false),
        (Fault::Status { code: 500 }, false),
        (Fault::Status { code: 502 }, false),
        (Fault::NullData, false),
    ]
}

fn saw(operation: &OperationView, what: &str) -> bool {
    operation.events.iter().any(|event| event.what == what)
}

#[tokio::test]
async fn a_move_is_applied_when_a_read_shows_it_and_not_before() {
    for (direction, mb) in BOTH {
        let buyer = Buyer::new(0).await;
        let sent = buyer.move_traffic(direction, "0.5", None).await;
        assert_eq!(sent.state, State::Verifying, "a code 200 proves nothing");
        let done = buyer.decided().await;
        assert_eq!((done.state, done.alarm), (State::Applied, false));
        assert!(saw(&done, "looked-once"));
        assert_eq!(buyer.moves(), [mb]);
        let evidence = done.evidence.expect("what was seen");
        assert_eq!(evidence.records.len(), 1);
        let given = |standing: Option<operations::Balance>| standing.and_then(|standing| standing.recharged);
        let change =
            given(evidence.after).expect("a figure").value() - given(evidence.before).expect("a figure").value();
        assert_eq!(change.to_string(), mb);
    }
}

#[tokio::test]
async fn a_deduction_whose_answer_is_lost_is_sent_once_and_ends_in_a_verdict_or_a_question() {
    for (fault, carried_out) in lost() {
        let buyer = Buyer::new(0).await;
        let sent = buyer.move_traffic(Direction::Deduction, "0.5", Some(fault.clone())).await;
        assert_eq!(sent.state, State::Unknown, "{fault:?}: nobody can tell yet");
        let decided = buyer.decided().await;
        let expected =
            if carried_out { (State::ResolvedApplied, None) } else { (State::NeedsYou, Some(Reason::NotSeen)) };
        assert_eq!((decided.state, decided.reason), expected, "{fault:?}");
        assert!(!decided.may_resend, "{fault:?}: a deduction is never sent again");
        assert_eq!(
            (buyer.sends(Direction::Deduction), buyer.moves().len()),
            (1, usize::from(carried_out)),
            "{fault:?}"
        );
    }
}

#[tokio::test]
async fn a_recharge_whose_answer_is_lost_is_repeated_under_its_order_id_and_done_once() {
    for (fault, carried_out) in lost() {
        let buyer = Buyer::new(0).await;
        let sent = buyer.move_traffic(Direction::Recharge, "0.5", Some(fault.clone())).await;
        assert_eq!(sent.state, State::Unknown, "{fault:?}");
        assert_eq!(buyer.decided().await.state, State::ResolvedApplied, "{fault:?}");
        let sends = if carried_out { 1 } else { 2 };
        assert_eq!((buyer.sends(Direction::Recharge), buyer.moves()), (sends, vec!["512".into()]), "{fault:?}");
    }
}

#[tokio::test]
async fn a_doubled_recharge_is_told_already_done_and_is_done_once() {
    let buyer = Buyer::new(0).await;
    let sent = buyer.move_traffic(Direction::Recharge, "0.5", Some(Fault::Twice)).await;
    assert_eq!(sent.refusal.map(|no| no.code).as_deref(), Some("203"));
    assert_eq!((buyer.decided().await.state, buyer.moves().len()), (State::Applied, 1));
}

#[tokio::test]
async fn a_second_copy_that_comes_late_is_noticed_after_all() {
    let audit = std::time::Duration::from_secs(2);
    let buyer = Buyer::with(operations::Schedule { audit, ..tests::order::at_once(0) }).await;
    buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    // The copy that a proxy had kept.
    buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
    let doubled = tests::until("it is noticed", async || {
        let newest = buyer.operations.history().list().expect("a journal").into_iter().next()?;
        (newest.state == State::NeedsYou).then_some(newest)
    });
    assert_eq!(doubled.await.reason, Some(Reason::Doubled));
}

/// Seed 827 of the simulation: the check for a second copy gave up if there was another operation on the customer
/// since.
#[tokio::test]
async fn a_second_copy_that_comes_late_is_noticed_beside_another_move_of_the_customer() {
    let audit = std::time::Duration::from_secs(2);
    for (direction, gb) in [(Direction::Recharge, "0.25"), (Direction::Deduction, "0.25"), (Direction::Recharge, "0.5")]
    {
        let buyer = Buyer::with(operations::Schedule { audit, ..tests::order::at_once(0) }).await;
        let first = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
        assert_eq!(buyer.decided().await.state, State::Applied);
        buyer.move_traffic(direction, gb, None).await;
        assert_eq!(buyer.decided().await.state, State::Applied);
        buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
        let what = format!("it is noticed beside {direction:?} of {gb}");
        let doubled = tests::until(&what, async || {
            let first = buyer.operations.get(&first.id).expect("a journal");
            (first.state == State::NeedsYou).then_some(first)
        });
        assert_eq!(doubled.await.reason, Some(Reason::Doubled));
    }
}

#[tokio::test]
async fn a_move_that_is_sent_while_the_check_for_a_second_copy_reads_is_none() {
    let audit = std::time::Duration::from_millis(500);
    let buyer = Buyer::with(operations::Schedule { audit, ..tests::order::at_once(0) }).await;
    let first = buyer.move_traffic(Direction::Deduction, "0.25", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    fault(&buyer.service, "customer/list", Fault::Delay { ms: 3_000 });
    let before = requests(&buyer.service, "customer/list");
    tests::until("the look begins", async || (requests(&buyer.service, "customer/list") > before).then_some(())).await;
    buyer.move_traffic(Direction::Deduction, "0.25", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    let ended = tests::until("the look ends", async || {
        let now = buyer.operations.get(&first.id).expect("a journal");
        now.next_at.is_none().then_some(now)
    });
    assert_eq!((ended.await.state, buyer.moves().len()), (State::Applied, 2));
}

#[tokio::test]
async fn a_second_copy_is_waited_for_when_only_its_figure_shows() {
    let audit = std::time::Duration::from_secs(2);
    let buyer = Buyer::with(operations::Schedule { audit, ..tests::order::at_once(0) }).await;
    buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    fault(&buyer.service, endpoint(Direction::Deduction), Fault::LedgerLag { ms: 600_000 });
    buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
    buyer.see_reads(12).await;
    assert_eq!(buyer.decided().await.state, State::Applied, "a figure alone says nothing");
    buyer.service.world.clock.advance(600_000);
    let doubled = buyer.see(State::NeedsYou).await;
    assert_eq!(doubled.reason, Some(Reason::Doubled));
}

#[tokio::test]
async fn records_that_are_not_as_many_as_the_vendor_says_prove_nothing() {
    let buyer = Buyer::new(0).await;
    let token = buyer.operations.offer(buyer.moving(Direction::Deduction, "0.5").await, None).expect("free").token;
    buyer.always("myRechargeFlowList", Fault::Short);
    let refused = buyer.operations.confirm(&token).await;
    let is_restless = matches!(refused, Err(OperationError::NotRead(operations::SnapshotError::Restless)));
    assert!(is_restless, "{refused:?}");
    assert_eq!(
        (buyer.sends(Direction::Deduction), buyer.operations.history().list().expect("a journal").len()),
        (0, 0)
    );
}

#[tokio::test]
async fn an_older_row_is_not_sent_behind_a_newer_one_and_a_third_is_no_second_copy() {
    let audit = std::time::Duration::from_secs(2);
    let buyer = Buyer::with(operations::Schedule { audit, ..tests::order::at_once(0) }).await;
    let bad =
        client::Account { agent_token: Some("bad\ntoken".to_owned().into()), ..account(&buyer.service.base_url()) };
    let good = tests::order::access(&buyer.service, account(&buyer.service.base_url()));
    let sender = tests::order::access(&buyer.service, bad).sender;
    buyer.operations.use_account(Some(operations::AccountAccess { sender, ..good }));
    let kept = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(kept.state, State::NotSent);
    buyer.use_account(account(&buyer.service.base_url()));
    let newer = buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    buyer.operations.resend(&kept.id).await.expect_err("the figures have changed");
    buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    // The check after the newer move finds both records, and knows that the other move was sent since.
    let looked = buyer.operations.check(&newer.id).await.expect("it may be looked at");
    assert_eq!((looked.state, looked.alarm), (State::Applied, false));
    assert_eq!(buyer.moves(), ["-512", "-512"]);
}

#[tokio::test]
async fn a_person_who_checks_often_changes_no_schedule_and_sends_nothing() {
    let slow = operations::Schedule::default();
    let buyer = Buyer::with(slow).await;
    let sent = buyer.move_traffic(Direction::Recharge, "0.5", Some(Fault::DropBefore)).await;
    for _ in 0..6 {
        let looked = buyer.operations.check(&sent.id).await.expect("it may be looked at");
        assert_eq!(looked.state, State::Unknown);
    }
    assert_eq!((buyer.sends(Direction::Recharge), buyer.moves().len()), (1, 0));
    let done = buyer.operations.resend(&sent.id).await.expect("an order id protects it");
    assert_eq!((done.state, buyer.sends(Direction::Recharge), buyer.moves().len()), (State::Verifying, 2, 1));
}

#[tokio::test]
async fn who_asks_for_a_repeat_of_what_is_there_is_told_so_and_nothing_is_sent() {
    let buyer = Buyer::with(operations::Schedule::default()).await;
    let sent = buyer.move_traffic(Direction::Recharge, "0.5", Some(Fault::DropAfter)).await;
    let found = buyer.operations.resend(&sent.id).await.expect("it is looked for first");
    assert_eq!((found.state, buyer.sends(Direction::Recharge)), (State::ResolvedApplied, 1));
}

#[tokio::test]
async fn another_token_whose_lists_lack_the_customer_says_nothing() {
    let buyer = Buyer::new(0).await;
    let sent = buyer.move_traffic(Direction::Deduction, "0.5", Some(Fault::DropBefore)).await;
    // Another agent's service: it answers, but does not know this customer.
    let elsewhere = start_with(Options { customers: 1, ..Options::default() }).await;
    let account = account(&elsewhere.base_url());
    let blind = tests::order::access(&elsewhere, account);
    buyer.operations.use_account(Some(blind));
    tests::until("it was looked at in vain", async || {
        let now = buyer.operations.get(&sent.id).expect("a row");
        (now.events.iter().filter(|event| event.what == "looked-unreadable").count() > 6).then_some(())
    })
    .await;
    assert_eq!(buyer.operations.get(&sent.id).expect("a row").state, State::Unknown, "nothing is no proof");
}

#[tokio::test]
async fn a_repeat_that_cannot_be_checked_first_is_not_sent() {
    let buyer = Buyer::new(0).await;
    for _ in 0..3 {
        fault(&buyer.service, endpoint(Direction::Recharge), Fault::DropBefore);
    }
    buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    let asked = buyer.decided().await;
    assert!(asked.state == State::NeedsYou && asked.may_resend, "{asked:?}");
    buyer.always("customer/list", Fault::Status { code: 503 });
    let refused = buyer.operations.resend(&asked.id).await.expect_err("nobody knows whether it arrived");
    assert!(matches!(refused, OperationError::NotRead(_)), "{refused:?}");
    assert_eq!(buyer.sends(Direction::Recharge), 3);
}

#[tokio::test]
async fn a_refusal_is_believed_when_a_read_agrees() {
    for (direction, gb) in [(Direction::Recharge, "9000000"), (Direction::Deduction, "800000")] {
        let buyer = Buyer::new(0).await;
        let sent = buyer.move_traffic(direction, gb, None).await;
        assert_eq!(sent.state, State::Refused);
        let decided = buyer.decided().await;
        assert_eq!(decided.state, State::Rejected);
        assert!(saw(&decided, "looked-nothing") && buyer.moves().is_empty());
    }
    let buyer = Buyer::new(0).await;
    let stranger = TrafficMove {
        customer_id: wire::ids::CustomerId::new("999999"),
        user_name: "nobody@x.com".into(),
        shown_recharged: None,
        ..buyer.moving(Direction::Recharge, "1").await
    };
    buyer.send_move(stranger).await;
    let decided = buyer.decided().await;
    assert_eq!((decided.state, decided.refusal.expect("words").code.as_str()), (State::Rejected, "204"));
}

#[tokio::test]
async fn a_vendor_that_counts_a_gb_as_1000_mb_is_noticed_and_remembered() {
    let buyer = Buyer::new(0).await;
    buyer.move_traffic(Direction::Recharge, "2", Some(Fault::Factor1000)).await;
    let done = buyer.decided().await;
    assert_eq!((done.state, done.alarm), (State::Applied, true), "another amount than the one shown");
    let lesson = buyer.operations.lessons().learned().expect("a journal").expect("a lesson");
    assert_eq!((lesson.factor, lesson.operation, lesson.word.as_str()), (GbFactor::Thousand, done.id, "充值"));
}

#[tokio::test]
async fn records_that_come_late_are_waited_for() {
    for (direction, mb) in BOTH {
        let buyer = Buyer::new(0).await;
        buyer.move_traffic(direction, "0.5", Some(Fault::LedgerLag { ms: 3_600_000 })).await;
        tests::until("the witnesses disagree", async || {
            saw(&buyer.operations.history().list().expect("a journal")[0], "looked-disagree").then_some(())
        })
        .await;
        buyer.service.world.clock.advance(3_600_001);
        let decided = buyer.decided().await;
        // Either a later check saw the record, or the checks were over and a person is asked: one more check then
        // decides.
        let decided = match decided.state {
            State::NeedsYou => buyer.operations.check(&decided.id).await.expect("it may be looked at"),
            _ => decided,
        };
        assert!(matches!(decided.state, State::Applied | State::ResolvedApplied), "{:?}", decided.state);
        assert_eq!(buyer.moves(), [mb]);
    }
}

#[tokio::test]
async fn what_cannot_be_checked_stays_unknown_until_it_can() {
    let buyer = Buyer::new(0).await;
    let rotated =
        client::Account { agent_token: Some("rotated".to_owned().into()), ..account(&buyer.service.base_url()) };
    let moved = buyer.moving(Direction::Deduction, "0.5").await;
    fault(&buyer.service, endpoint(Direction::Deduction), Fault::DropAfter);
    let token = buyer.operations.offer(moved, None).expect("nothing else is open").token;
    let sent = buyer.operations.confirm(&token).await.expect("it is sent");
    buyer.use_account(rotated);
    tests::until("it was looked at in vain", async || {
        saw(&buyer.operations.history().list().expect("a journal")[0], "looked-unreadable").then_some(())
    })
    .await;
    buyer.operations.use_account(None);
    assert_eq!(buyer.operations.check(&sent.id).await.expect("it may be looked at").state, State::Unknown);
    buyer.use_account(account(&buyer.service.base_url()));
    assert_eq!(buyer.decided().await.state, State::ResolvedApplied);
    assert_eq!(buyer.moves(), ["-512"]);
}

#[tokio::test]
async fn nothing_is_sent_when_the_figures_changed_or_cannot_be_read() {
    let buyer = Buyer::new(0).await;
    let shown = buyer.moving(Direction::Deduction, "0.5").await;
    let token = buyer.operations.offer(shown.clone(), None).expect("nothing else is open").token;
    let console = "/api/agent/rechargeTrafficCount?customerId=100001&orderId=console&trafficCount=1";
    buyer.call_directly(console).await;
    assert!(buyer.operations.confirm(&token).await.is_err(), "the dialog showed other figures");
    let token = buyer.operations.offer(buyer.moving(Direction::Deduction, "0.5").await, None).expect("free").token;
    fault(&buyer.service, "customer/list", Fault::Html);
    assert!(buyer.operations.confirm(&token).await.is_err(), "what cannot be read before cannot be proved after");
    assert_eq!(buyer.sends(Direction::Deduction), 0);
    assert!(buyer.operations.history().list().expect("a journal").is_empty(), "nothing is held");
}

#[tokio::test]
async fn what_never_left_is_compared_with_what_is_there_when_it_is_sent() {
    let mut buyer = Buyer::new(0).await;
    let moved = buyer.moving(Direction::Deduction, "0.5").await;
    let token = buyer.operations.offer(moved, None).expect("nothing else is open").token;
    let bad =
        client::Account { agent_token: Some("bad\ntoken".to_owned().into()), ..account(&buyer.service.base_url()) };
    let good = tests::order::access(&buyer.service, account(&buyer.service.base_url()));
    let bad = tests::order::access(&buyer.service, bad);
    // Checks use one token, and sends one that no header can carry: nothing is ever sent.
    buyer.operations.use_account(Some(operations::AccountAccess { sender: bad.sender, ..good }));
    let kept = buyer.operations.confirm(&token).await.expect("it is tried");
    assert!(kept.state == State::NotSent && kept.may_resend);
    buyer.restart();
    buyer.operations.resend(&kept.id).await.expect("it may be sent");
    let done = buyer.decided().await;
    assert_eq!((done.id, done.state, buyer.moves()), (kept.id, State::Applied, vec!["-512".into()]));
}

#[tokio::test]
async fn a_move_cut_off_while_sending_is_checked_after_the_start_and_a_deduction_not_sent_again() {
    for (direction, mb) in BOTH {
        let mut buyer = Buyer::new(0).await;
        let moved = buyer.moving(direction, "0.5").await;
        fault(&buyer.service, endpoint(direction), Fault::Delay { ms: 60_000 });
        let token = buyer.operations.offer(moved, None).expect("nothing else is open").token;
        let operations = buyer.operations.clone();
        let sending = tokio::spawn(async move { operations.confirm(&token).await.map(|_| ()) });
        tests::until("it was carried out", async || (buyer.moves().len() == 1).then_some(())).await;
        sending.abort();
        buyer.restart();
        assert_eq!(buyer.decided().await.state, State::ResolvedApplied);
        assert_eq!((buyer.sends(direction), buyer.moves()), (1, vec![mb.into()]));
    }
}

#[tokio::test]
async fn a_person_may_settle_what_is_not_seen_and_the_customer_is_free_again() {
    let buyer = Buyer::new(0).await;
    buyer.move_traffic(Direction::Deduction, "0.5", Some(Fault::DropBefore)).await;
    let asked = buyer.decided().await;
    let judged = buyer.operations.judge(&asked.id, Verdict::NotDone).expect("a person looked");
    assert_eq!(judged.state, State::ResolvedNot);
    buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!((buyer.decided().await.state, buyer.moves().len()), (State::Applied, 1));
}

#[tokio::test]
async fn one_customer_is_found_among_thousands_whose_names_are_alike() {
    let service = start_with(Options { customers: 300, ..Options::default() }).await;
    let mut buyer = Buyer::new(0).await;
    buyer.service = service;
    buyer.use_account(account(&buyer.service.base_url()));
    buyer.move_traffic(Direction::Deduction, "0.5", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
}
