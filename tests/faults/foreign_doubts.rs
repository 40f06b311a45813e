//! Unusual behaviour of the second service: a late refusal, a colleague, live usage, busy hours. Each test covers one
//! defect that was fixed.

use operations::Reason;
use operations::{OperationView, Schedule, State};
use std::time::Duration;
use tests::foreign::Stranger;
use tests::order::at_once;
use tests::until;
use vendor::{Busy, Choices, LiveUse, Mishap, SameAgain, SeenKey, UseRows, Write};

fn choices(change: impl FnOnce(&mut Choices)) -> Choices {
    let mut choices = Choices::named("plain").expect("a preset");
    change(&mut choices);
    choices
}

/// Watches a refused move for longer than the two seconds of a late effect.
fn patient() -> Schedule {
    let checks = vec![Duration::from_millis(500); 8];
    Schedule { checks, ..at_once(2) }
}

/// Returns the end of a write, and the number of times it is done in the end.
async fn end(choices: Choices, write: Write, mishap: Option<Mishap>) -> Result<(OperationView, usize), String> {
    eprintln!("{write:?}");
    let stranger = Stranger::by(choices, patient()).await;
    let view = stranger.does(write, mishap).await;
    stranger.is_settled().await;
    Ok((view, stranger.times(write)))
}

fn denies(view: &OperationView) -> bool {
    matches!(view.state, State::Rejected | State::NotSent | State::ResolvedNot)
}

/// D1: a refusal with a code that the contract does not list, where the write is done two seconds later.
async fn late_no(write: Write) {
    for code in [500, 400, -1] {
        let mishap = Mishap::RefusedAndDone { code: Some(code), after_ms: 2_000 };
        let (view, times) = end(choices(|_| {}), write, Some(mishap)).await.expect("an end");
        assert!(!denies(&view), "{write:?} {code}: {:?}, and it was done {times} times", view.state);
    }
}

macro_rules! late_no {
    ($($name:ident: $write:ident),+ $(,)?) => { $(#[tokio::test] async fn $name() { late_no(Write::$write).await; })+ };
}
late_no! {
    a_late_no_to_a_recharge: Recharge,
    a_late_no_to_a_deduction: Deduction,
    a_late_no_to_a_creation: AddUser,
    a_late_no_to_a_password: Password,
    a_late_no_to_a_status: Status,
}

/// D5: the codes of a stale price are also those of a known key.
#[tokio::test]
async fn an_idempotency_error_on_a_first_send_is_not_believed() {
    for code in [60306, 60307, 60308, 60309] {
        let mishap = Mishap::RefusedAndDone { code: Some(code), after_ms: 0 };
        let change = |choices: &mut Choices| choices.deeds.seen_key = SeenKey::SameOrder;
        let (view, times) = end(choices(change), Write::Order, Some(mishap)).await.expect("an end");
        assert!(!denies(&view), "{code}: {:?}, and it was charged {times} times", view.state);
    }
}

/// The second is offered and confirmed while the first is on its way, and the first is refused before the second is
/// sent. Sent silently, it would be the same deduction twice.
#[tokio::test]
async fn the_same_move_that_is_refused_while_another_is_confirmed_does_not_leave_unseen() {
    let slow = |choices: &mut Choices| (choices.manners.slow_write_ms, choices.manners.slow_read_ms) = (600, 250);
    let stranger = Stranger::by(choices(|choices| slow(choices)), patient()).await;
    let mishap = Mishap::RefusedAndDone { code: Some(500), after_ms: 2_000 };
    let intent = stranger.intent(Write::Deduction).await;
    let sent = || stranger.foreign.vendor.seen().iter().filter(|seen| seen.what.ends_with("deductionFlow")).count();
    let [first, second] = [0, 1].map(|_| {
        stranger.foreign.vendor.arrange(Write::Deduction, mishap.clone());
        stranger.operations.offer(intent.clone(), None).expect("nothing is open").token
    });
    let (one, other) = tokio::join!(stranger.operations.confirm(&first), async {
        until("the first is on its way", async || {
            let newest = stranger.operations.history().list().expect("a journal").into_iter().next();
            newest.filter(|newest| newest.state == State::Sending)
        })
        .await;
        stranger.operations.confirm(&second).await
    });
    assert_eq!(one.expect("it was sent").state, State::Refused);
    assert!(other.is_err(), "{other:?}");
    assert_eq!(sent(), 1);
}

async fn plain(what: &str, change: impl Fn(&mut Choices)) {
    for write in [Write::Recharge, Write::Deduction, Write::AddUser] {
        let (view, times) = end(choices(&change), write, None).await.expect("an end");
        assert_eq!((view.state, view.alarm, times), (State::Applied, false, 1), "{what} {write:?}: {:?}", view.reason);
    }
}

/// A customer's recharged total does not have to fall with a deduction ("recharged traffic, MB").
#[tokio::test]
async fn a_deduction_that_lowers_only_what_is_left() {
    plain("recharged stays", |choices| choices.lists.deduction_lowers_recharged = false).await;
}

/// D11: rows of usage that grow or stream in all the time.
#[tokio::test]
async fn use_goes_on_in_growing_rows() {
    plain("growing", |choices| {
        choices.lists.use_rows = UseRows::GrowInPlace;
        choices.manners.live_use = Some(LiveUse { every_ms: 50, most_cmb: 50 });
    })
    .await;
}

#[tokio::test]
async fn use_goes_on_in_rows_that_stream_in() {
    plain("streaming", |choices| {
        choices.lists.use_rows = UseRows::Stream;
        // Keep to one page: rows that stream in on every page of a long list leave it restless.
        choices.manners.live_use = Some(LiveUse { every_ms: 200, most_cmb: 50 });
    })
    .await;
}

/// D12: busy now and then, and the same GET refused within five seconds.
#[tokio::test]
async fn a_service_that_is_busy_now_and_then() {
    plain("busy", |choices| choices.manners.busy = Some(Busy { every: 5, retry_after_s: Some(1), writes: false }))
        .await;
}

#[tokio::test]
async fn a_service_that_refuses_the_same_get_within_five_seconds() {
    plain("same", |choices| choices.manners.same_again = Some(SameAgain { within_ms: 5_000, reads: true })).await;
}

/// D2: a colleague moves the same amount at the same time.
#[tokio::test]
async fn the_same_move_of_a_colleague_is_not_ours() {
    let stranger = Stranger::new(choices(|_| {})).await;
    let customer = stranger.foreign.vendor.customers()[4].id;
    let gb = "2.5".parse().expect("a decimal");
    stranger.foreign.vendor.arrange(Write::Deduction, Mishap::LostBefore);
    let (ours, ()) = tokio::join!(stranger.does(Write::Deduction, None), async {
        until("it was sent", async || {
            let seen = stranger.foreign.vendor.seen();
            seen.iter().any(|seen| seen.what.ends_with("deductionFlow")).then_some(())
        })
        .await;
        let theirs = vendor::Command::Deduct { customer, gb };
        let done = stranger.foreign.vendor.act(&vendor::Actor::colleague(), &theirs, tests::wall());
        done.expect("it is done");
    });
    // The first move cannot be distinguished: the view names the owner of the record, and does not claim that the
    // vendor confirmed it.
    let found = ours.found.expect("the record that was found");
    assert_eq!((ours.said, found.create_by.is_empty()), (None, false), "{found:?}");
    // Once our own name is learned, another operator's record proves nothing.
    let stranger = Stranger::new(choices(|_| {})).await;
    let learned = stranger.does(Write::Deduction, None).await;
    assert_eq!(learned.state, State::Applied);
    let customer = stranger.foreign.vendor.customers()[4].id;
    stranger.foreign.vendor.arrange(Write::Deduction, Mishap::LostBefore);
    let (ours, ()) = tokio::join!(stranger.does(Write::Deduction, None), async {
        until("it was sent again", async || {
            let seen = stranger.foreign.vendor.seen();
            (seen.iter().filter(|seen| seen.what.ends_with("deductionFlow")).count() > 1).then_some(())
        })
        .await;
        let theirs = vendor::Command::Deduct { customer, gb };
        let done = stranger.foreign.vendor.act(&vendor::Actor::colleague(), &theirs, tests::wall());
        done.expect("it is done");
    });
    assert_eq!((ours.state, ours.reason), (State::NeedsYou, Some(Reason::Contradiction)));
}
