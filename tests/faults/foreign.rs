//! The writes with the second service: the end of an operation never contradicts that service's ledger.

use operations::Reason;
use operations::{OperationView, State};
use tests::foreign::Stranger;
use vendor::{Choices, Mishap, Write};

const PRESETS: [&str; 3] = ["own", "plain", "wordy"];

/// Compares the end of an operation with the number of times it was really done.
fn contradicts(write: Write, view: &OperationView, times: usize) -> Option<String> {
    let fits = match view.state {
        State::Applied | State::ResolvedApplied => times == 1 || (times > 1 && is_setting(write)),
        State::Rejected | State::NotSent | State::ResolvedNot => times == 0,
        // A person is asked, so nothing is claimed.
        _ => true,
    };
    let once = !matches!(write, Write::Deduction | Write::Password | Write::Status);
    let allowed = times <= 1 || !once;
    (!fits || !allowed).then(|| format!("{write:?}: {:?} {:?}, done {times} times", view.state, view.reason))
}

fn is_setting(write: Write) -> bool {
    matches!(write, Write::Password | Write::Status)
}

/// Sends every write through the same mishap, with each preset. Returns the end of each, and the number of times
/// it was done.
async fn all(mishap: Option<Mishap>) -> Vec<(String, Write, OperationView, usize)> {
    let mut ends = Vec::new();
    for preset in PRESETS {
        for write in Write::ALL {
            let choices = Choices::named(preset).expect("a preset");
            let stranger = Stranger::new(choices).await;
            let view = stranger.does(write, mishap.clone()).await;
            let times = stranger.times(write);
            assert_eq!(contradicts(write, &view, times), None, "{preset} {mishap:?}");
            ends.push((format!("{preset} {write:?}"), write, view, times));
        }
    }
    ends
}

#[tokio::test]
async fn a_plain_success_is_applied_and_done_once() {
    for (what, _, view, times) in all(None).await {
        assert_eq!((view.state, view.alarm, times), (State::Applied, false, 1), "{what}: {:?}", view.reason);
    }
}

#[tokio::test]
async fn an_answer_lost_before_anything_was_done_leads_to_one_or_to_a_question() {
    for (what, write, view, times) in all(Some(Mishap::LostBefore)).await {
        // A deduction has no key and is not resent.
        let expected =
            if write == Write::Deduction { (State::NeedsYou, Some(Reason::NotSeen), 0) } else { (view.state, None, 1) };
        assert_eq!((view.state, view.reason, times), expected, "{what}");
    }
}

#[tokio::test]
async fn an_answer_lost_after_it_was_done_is_found_and_not_done_again() {
    for (what, write, view, times) in all(Some(Mishap::LostAfter)).await {
        let least = if is_setting(write) { times } else { 1 };
        assert!(times >= 1 && times == least, "{what}: {times}");
        assert!(!matches!(view.state, State::Rejected | State::NotSent | State::ResolvedNot), "{what}: {view:?}");
    }
}

#[tokio::test]
async fn an_answer_cut_short_is_as_good_as_lost() {
    for (what, _, view, times) in all(Some(Mishap::CutShort)).await {
        assert!(times >= 1, "{what}");
        assert!(!matches!(view.state, State::Rejected | State::NotSent | State::ResolvedNot), "{what}: {view:?}");
    }
}

#[tokio::test]
async fn a_copy_on_the_way_is_done_once_or_seen_to_be_doubled() {
    for (what, write, view, times) in all(Some(Mishap::Doubled { after_ms: 0 })).await {
        if write == Write::Deduction {
            assert_eq!((view.state, view.reason, times), (State::NeedsYou, Some(Reason::Doubled), 2), "{what}");
        } else {
            assert_eq!(view.state, State::Applied, "{what}: {:?}", view.reason);
        }
    }
}

#[tokio::test]
async fn a_no_that_means_it_changes_nothing() {
    for (what, _, view, times) in all(Some(Mishap::Refused { code: None })).await {
        assert_eq!(
            times,
            usize::from(matches!(view.state, State::Applied | State::ResolvedApplied)),
            "{what}: {view:?}"
        );
    }
}

#[tokio::test]
async fn a_gateway_that_gives_up_before_it_was_done_claims_nothing() {
    for (what, write, view, times) in all(Some(Mishap::Gateway { done_after_ms: None })).await {
        let sent_again = write != Write::Deduction;
        assert_eq!(
            times > 0,
            sent_again && view.state != State::NeedsYou,
            "{what}: {:?} {:?}",
            view.state,
            view.reason
        );
    }
}
