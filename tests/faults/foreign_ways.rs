//! Writes to a service whose lists, caches and gateways differ from those of the practice service.

use std::time::Duration;

use operations::{Schedule, State};
use tests::foreign::Stranger;
use tests::order::at_once;
use vendor::{Beyond, Choices, DeductionRows, Filter, Mishap, SameAgain, Write};

fn choices(change: impl FnOnce(&mut Choices)) -> Choices {
    let mut choices = Choices::named("plain").expect("a preset");
    change(&mut choices);
    choices
}

/// Checks that every write is applied, because the records prove it.
async fn all_is_applied(change: impl Fn(&mut Choices)) {
    for write in [Write::Recharge, Write::Deduction, Write::AddUser] {
        // Checks must go on for longer than the data lag: a short watch would rightly ask a person.
        let checks = vec![Duration::from_millis(500); 12];
        let stranger = Stranger::by(choices(&change), Schedule { checks, ..at_once(2) }).await;
        let view = stranger.does(write, None).await;
        let times = stranger.times(write);
        assert_eq!((view.state, view.alarm, times), (State::Applied, false, 1), "{write:?}: {:?}", view.reason);
    }
}

#[tokio::test]
async fn a_deduction_may_be_listed_among_the_recharges() {
    all_is_applied(|choices| choices.lists.deductions = DeductionRows::Recharges).await;
}

#[tokio::test]
async fn a_cache_may_show_the_old_answer_and_records_may_lag() {
    all_is_applied(|choices| {
        choices.manners.stale_reads = 3;
        choices.manners.records_lag_ms = 1_000;
    })
    .await;
}

#[tokio::test]
async fn pages_may_be_small_the_last_one_come_again_and_a_filter_find_parts() {
    all_is_applied(|choices| {
        choices.lists.filter = Filter::Part;
        choices.lists.largest_page = 10;
        choices.lists.newest_first = false;
        choices.lists.beyond = Beyond::LastAgain;
    })
    .await;
}

#[tokio::test]
async fn a_late_effect_of_a_refused_order_is_not_denied_and_charges_once() {
    for code in [500, 400, -1] {
        let stranger = Stranger::new(choices(|_| {})).await;
        let mishap = Mishap::RefusedAndDone { code: Some(code), after_ms: 2_000 };
        let view = stranger.does(Write::Order, Some(mishap)).await;
        stranger.is_settled().await;
        let denied = matches!(view.state, State::Rejected | State::NotSent | State::ResolvedNot);
        assert_eq!((denied, stranger.times(Write::Order)), (false, 1), "{code}: {:?}", view.state);
    }
}

#[tokio::test]
async fn what_is_done_after_the_gateway_gave_up_is_neither_denied_nor_done_twice() {
    for mishap in [Mishap::Gateway { done_after_ms: Some(2_000) }, Mishap::LostAndDone { after_ms: 2_000 }] {
        for write in Write::ALL {
            let stranger = Stranger::new(choices(|_| {})).await;
            let view = stranger.does(write, Some(mishap.clone())).await;
            stranger.is_settled().await;
            let denied = matches!(view.state, State::Rejected | State::NotSent | State::ResolvedNot);
            assert!(!denied, "{mishap:?} {write:?}: {:?}", view.state);
            // Setting the same value again is harmless.
            let least = if matches!(write, Write::Password | Write::Status) { 2 } else { 1 };
            assert!((1..=least).contains(&stranger.times(write)), "{mishap:?} {write:?}: {}", stranger.times(write));
        }
    }
}

#[tokio::test]
async fn a_repeat_that_is_refused_as_the_same_again_does_not_deny_the_first() {
    for write in [Write::Recharge, Write::AddUser, Write::Password, Write::Status] {
        let same = SameAgain { within_ms: 60_000, reads: false };
        let stranger = Stranger::new(choices(|choices| choices.manners.same_again = Some(same))).await;
        let view = stranger.does(write, Some(Mishap::LostAfter)).await;
        let denied = matches!(view.state, State::Rejected | State::NotSent | State::ResolvedNot);
        assert_eq!((denied, stranger.times(write)), (false, 1), "{write:?}: {:?}", view.state);
    }
}
