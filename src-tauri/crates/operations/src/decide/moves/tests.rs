use super::super::tests::BY_PERSON;
use super::super::{Event, Impossible, Verdict, decide};
use super::*;
use crate::words::gb::GbFactor;

fn at(kind: Kind, state: State) -> Situation {
    Situation { kind, state, ..Situation::default() }
}

fn check(seconds: u64, state: State) -> Decision {
    Decision { next: Next::CheckAfter(Duration::from_secs(seconds)), ..to(state) }
}

fn checked_after(seconds: u64, situation: Situation, finding: Finding, unplanned: bool) -> Decision {
    let time = Duration::from_secs(seconds);
    let checked = Event::Checked(Check { finding, age: time, since: time, unplanned });
    decide(situation, checked, &Schedule::default()).unwrap()
}

/// When every schedule is over, but an order id is still trusted.
fn after(situation: Situation, finding: Finding) -> Decision {
    checked_after(70, situation, finding, false)
}

/// When every schedule is over.
fn at_the_end(situation: Situation, finding: Finding) -> Decision {
    checked_after(901, situation, finding, false)
}

const ONCE: Finding = Finding::Once { factor: GbFactor::Binary };

#[test]
fn each_answer_is_decided_as_the_hazard_table_says() {
    let cases = [
        ("1", Outcome::NotSent, to(State::NotSent), check(2, State::Unknown)),
        ("2, 3, 10-12", Outcome::Lost, check(2, State::Unknown), check(2, State::Unknown)),
        ("6", Outcome::NotAuthenticated, check(2, State::Unknown), check(2, State::Unknown)),
        ("8", Outcome::Refused, check(2, State::Refused), check(2, State::Unknown)),
        ("204", Outcome::Declined, to(State::Rejected), check(2, State::Unknown)),
        ("14", Outcome::AlreadyDone, check(2, State::Verifying), check(2, State::Verifying)),
        ("15", Outcome::Success { as_confirmed: true }, check(2, State::Verifying), check(2, State::Verifying)),
    ];
    for kind in [Kind::Recharge, Kind::Deduction] {
        for (cell, outcome, first, in_doubt) in cases {
            let sending = at(kind, State::Sending);
            let decided = |at| decide(at, Event::Answered(outcome), &Schedule::default()).unwrap();
            assert_eq!(decided(sending), first, "{cell} {kind:?}");
            assert_eq!(decided(Situation { in_doubt: true, ..sending }), in_doubt, "{cell} {kind:?} in doubt");
        }
    }
}

#[test]
fn the_checks_after_an_answer_are_those_of_what_it_said() {
    let seconds = |first| vec![Duration::from_secs(first)];
    let [checks, checks_turned_away] = [1, 2].map(seconds);
    let schedule = Schedule { checks, checks_turned_away, ..Schedule::default() };
    let cases = [
        (Outcome::Lost, check(1, State::Unknown)),
        (Outcome::NotAuthenticated, check(2, State::Unknown)),
        (Outcome::Refused, check(1, State::Refused)),
    ];
    for (outcome, expected) in cases {
        let decided = decide(at(Kind::Deduction, State::Sending), Event::Answered(outcome), &schedule);
        assert_eq!(decided.unwrap(), expected, "{outcome:?}");
    }
}

/// Seed 124510.
#[test]
fn a_send_that_is_turned_away_does_not_shorten_the_checks_of_an_earlier_one() {
    let sending = Situation { said: Some(Said::TurnedAway), repeats: 2, ..at(Kind::Recharge, State::Sending) };
    let again = Situation { in_doubt: true, ..sending };
    assert_eq!([sending, again].map(|at| at.said(Outcome::NotAuthenticated)), [sending.said, None]);
    let schedule = Schedule { checks: vec![Duration::from_secs(1)], ..Schedule::default() };
    for event in [Event::Answered(Outcome::NotAuthenticated), Event::Restarted] {
        assert_eq!(decide(again, event, &schedule), Ok(check(1, State::Unknown)), "{event:?}");
    }
}

#[test]
fn two_repeats_of_a_recharge_are_not_followed_by_a_third() {
    let nearly = Situation { checks: 2, agreeing: 2, ..at(Kind::Recharge, State::Unknown) };
    let sends = |repeats| after(Situation { repeats, ..nearly }, Finding::Nothing).next == Next::Send;
    assert_eq!([0, 1, 2, 3].map(sends), [true, true, false, false]);
}

#[test]
fn what_both_witnesses_show_once_is_done() {
    let verifying = Situation { said: Some(Said::Yes), ..at(Kind::Recharge, State::Verifying) };
    assert_eq!(after(verifying, ONCE), to(State::Applied));
    let in_doubt = Situation { in_doubt: true, ..verifying };
    assert_eq!(after(in_doubt, ONCE), to(State::ResolvedApplied));
    for state in [State::Unknown, State::NeedsYou] {
        assert_eq!(after(at(Kind::Recharge, state), ONCE), to(State::ResolvedApplied));
    }
    let refused = Situation { said: Some(Said::No), ..at(Kind::Recharge, State::Refused) };
    assert_eq!(after(refused, ONCE), Decision { alarm: true, ..to(State::ResolvedApplied) }, "no, and yet done");
    let late = Situation { said: Some(Said::No), ..at(Kind::Recharge, State::Rejected) };
    assert_eq!(after(late, ONCE), Decision { alarm: true, ..to(State::ResolvedApplied) }, "seen too late");
    let short = Finding::Once { factor: GbFactor::Thousand };
    assert_eq!(after(verifying, short), Decision { alarm: true, ..to(State::Applied) }, "another amount");
}

#[test]
fn a_deduction_that_was_seen_once_is_checked_again_for_a_late_second_one() {
    let done = after(Situation { said: Some(Said::Yes), ..at(Kind::Deduction, State::Verifying) }, ONCE);
    assert_eq!(done, Decision { next: Next::CheckAfter(Duration::from_secs(65)), ..to(State::Applied) });
    let applied = at(Kind::Deduction, State::Applied);
    for finding in [ONCE, Finding::Nothing, Finding::Disagree, Finding::Unreadable] {
        assert_eq!(after(applied, finding), to(State::Applied), "{finding:?}");
    }
    assert_eq!(after(applied, Finding::Twice), doubled());
}

/// Seed 550567.
#[test]
fn two_records_that_no_figure_confirms_raise_the_alarm_when_the_watch_for_a_late_copy_is_over() {
    for state in [State::Applied, State::ResolvedApplied] {
        let after =
            |seconds, finding, unplanned| checked_after(seconds, at(Kind::Deduction, state), finding, unplanned);
        assert_eq!(after(600, Finding::Surplus, false), doubled());
        assert_eq!(after(599, Finding::Surplus, false), to(state), "it is still watched");
        assert_eq!(after(600, Finding::Disagree, false), to(state), "one record, as it was sent");
        assert_eq!(after(600, Finding::Surplus, true), to(state), "a person who asks ends no watch");
    }
}

#[test]
fn two_records_for_one_send_raise_the_alarm_wherever_it_stands() {
    for kind in [Kind::Recharge, Kind::Deduction] {
        for state in [State::Verifying, State::Unknown, State::Refused, State::NeedsYou] {
            assert_eq!(after(at(kind, state), Finding::Twice), doubled(), "{kind:?} {state:?}");
        }
    }
}

#[test]
fn a_no_is_believed_when_the_checks_of_a_quarter_of_an_hour_agree() {
    for kind in [Kind::Recharge, Kind::Deduction, Kind::Create] {
        let refused =
            |checks, agreeing| Situation { said: Some(Said::No), checks, agreeing, ..at(kind, State::Refused) };
        for (checks, wait) in [(0, 8), (1, 50), (2, 240), (3, 600)] {
            let decided = checked_after(901, refused(checks, checks), Finding::Nothing, false);
            assert_eq!(decided, check(wait, State::Refused), "{kind:?} {checks}");
        }
        assert_eq!(checked_after(901, refused(4, 4), Finding::Nothing, false), to(State::Rejected));
        let too_soon = checked_after(899, refused(4, 4), Finding::Nothing, false);
        assert_eq!(too_soon, check(600, State::Refused), "15 min have to pass");
        let too_few = checked_after(901, refused(4, 1), Finding::Nothing, false);
        assert_eq!(too_few, check(600, State::Refused), "three looks have to agree");
        assert_eq!(checked_after(901, refused(4, 4), Finding::Unreadable, false), check(600, State::Refused));
    }
}

#[test]
fn a_deduction_that_is_not_seen_is_never_sent_again() {
    let mut situation = at(Kind::Deduction, State::Unknown);
    for (checks, wait) in [(0, 8), (1, 50), (2, 240), (3, 600)] {
        situation = Situation { checks, agreeing: checks, ..situation };
        assert_eq!(at_the_end(situation, Finding::Nothing), check(wait, State::Unknown));
    }
    situation = Situation { checks: 4, agreeing: 4, ..situation };
    assert_eq!(at_the_end(situation, Finding::Nothing), ask(Reason::NotSeen));
    assert_eq!(
        checked_after(899, situation, Finding::Nothing, false),
        check(600, State::Unknown),
        "15 min have to pass"
    );
    let too_few = Situation { agreeing: 1, ..situation };
    assert_eq!(at_the_end(too_few, Finding::Nothing), check(600, State::Unknown), "three looks have to agree");
    for state in State::ALL.iter().filter(|state| **state != State::NotSent) {
        let again = decide(at(Kind::Deduction, *state), BY_PERSON, &Schedule::default());
        assert_eq!(again, Err(Impossible), "{state:?}");
    }
}

#[test]
fn a_recharge_that_is_not_seen_is_sent_again_under_its_order_id_and_then_a_person_is_asked() {
    let third = Situation { checks: 2, agreeing: 2, ..at(Kind::Recharge, State::Unknown) };
    let again = Decision { next: Next::Send, ..to(State::Sending) };
    assert_eq!(after(third, Finding::Nothing), again);
    assert_eq!(checked_after(64, third, Finding::Nothing, false), check(55, State::Unknown), "65 s have to pass");
    let old = Situation { checks: 4, agreeing: 4, ..third };
    assert_eq!(at_the_end(old, Finding::Nothing), ask(Reason::NotSeen), "nobody says how long an id lives");
    let spent = Situation { repeats: 2, checks: 4, agreeing: 4, ..third };
    assert_eq!(at_the_end(spent, Finding::Nothing), ask(Reason::NotSeen));
    let verifying = Situation { state: State::Verifying, said: Some(Said::Already), ..third };
    assert_eq!(after(verifying, Finding::Nothing), check(240, State::Verifying), "no repeat of a yes");
}

#[test]
fn a_check_outside_of_the_schedule_neither_counts_nor_sends() {
    for kind in [Kind::Recharge, Kind::Deduction] {
        for finding in [Finding::Nothing, Finding::Disagree, Finding::Unreadable] {
            let ripe = Situation { checks: 9, agreeing: 9, ..at(kind, State::Unknown) };
            let kept = Decision { next: Next::AsPlanned, ..to(State::Unknown) };
            assert_eq!(checked_after(70, ripe, finding, true), kept, "{kind:?} {finding:?}");
        }
    }
    assert_eq!(checked_after(70, at(Kind::Recharge, State::Unknown), ONCE, true), to(State::ResolvedApplied));
}

#[test]
fn a_refused_token_is_decided_sooner() {
    let at = Situation { said: Some(Said::TurnedAway), checks: 2, agreeing: 2, ..at(Kind::Deduction, State::Unknown) };
    assert_eq!(checked_after(90, at, Finding::Nothing, false), ask(Reason::NotSeen));
    assert_eq!(checked_after(89, at, Finding::Nothing, false), check(80, State::Unknown));
}

#[test]
fn witnesses_that_disagree_to_the_end_are_shown_to_a_person() {
    let at = |checks| Situation { checks, ..at(Kind::Deduction, State::Verifying) };
    assert_eq!(at_the_end(at(3), Finding::Disagree), check(600, State::Verifying));
    assert_eq!(at_the_end(at(4), Finding::Disagree), Decision { alarm: true, ..ask(Reason::Contradiction) });
    assert_eq!(
        at_the_end(at(9), Finding::Unreadable),
        check(600, State::Verifying),
        "what cannot be read decides nothing"
    );
}

#[test]
fn a_lost_recharge_whose_record_lags_is_no_question_for_a_quarter_of_an_hour() {
    let lost = |checks| Situation { checks, ..at(Kind::Recharge, State::Unknown) };
    assert_eq!(after(lost(2), Finding::Disagree), check(240, State::Unknown));
    let refused = Situation { said: Some(Said::No), checks: 3, ..at(Kind::Recharge, State::Refused) };
    assert_eq!(after(refused, Finding::Disagree), check(600, State::Refused));
}

#[test]
fn what_cannot_be_read_for_so_long_may_be_settled_by_a_person() {
    let judged = |checks| {
        let verifying = Situation { checks, ..at(Kind::Deduction, State::Verifying) };
        decide(verifying, Event::Judged(Verdict::Done), &Schedule::default())
    };
    assert_eq!(judged(4), Err(Impossible));
    assert_eq!(judged(5), Ok(to(State::ResolvedApplied)));
}

#[test]
fn a_check_that_a_person_asked_for_never_hides_the_question() {
    let asked = Situation { reason: Some(Reason::NotSeen), ..at(Kind::Deduction, State::NeedsYou) };
    for finding in [Finding::Nothing, Finding::Unreadable, Finding::Disagree] {
        assert_eq!(after(asked, finding), ask(Reason::NotSeen), "{finding:?}");
    }
}

#[test]
fn after_a_restart_it_is_checked_and_not_sent() {
    for kind in [Kind::Recharge, Kind::Deduction] {
        for state in State::ALL {
            let decided = decide(at(kind, *state), Event::Restarted, &Schedule::default()).unwrap();
            assert_ne!(decided.next, Next::Send, "{kind:?} {state:?}");
            let checks = matches!(state, State::Sending | State::Verifying | State::Unknown | State::Refused);
            assert_eq!(matches!(decided.next, Next::CheckAfter(_)), checks, "{kind:?} {state:?}");
        }
        assert_eq!(
            decide(at(kind, State::Sending), Event::Restarted, &Schedule::default()).unwrap().state,
            State::Unknown
        );
    }
}

#[test]
fn only_moves_that_were_sent_can_be_checked() {
    for state in State::ALL {
        let none = [State::Prepared, State::Sending, State::NotSent, State::ResolvedNot].contains(state);
        let event = Event::Checked(Check {
            finding: Finding::Nothing,
            age: Duration::ZERO,
            since: Duration::ZERO,
            unplanned: true,
        });
        assert_eq!(decide(at(Kind::Deduction, *state), event, &Schedule::default()).is_err(), none, "{state:?}");
        assert_eq!(decide(at(Kind::PlaceAndPay, *state), event, &Schedule::default()), Err(Impossible));
    }
    let judged = Event::Judged(Verdict::Done);
    assert!(decide(at(Kind::Deduction, State::Unknown), judged, &Schedule::default()).is_ok());
}
