//! The cells of recharge and deduction. A deduction is never sent twice; a recharge is, under its
//! order id, and only after looks that agree that nothing is there.

use std::time::Duration;

use super::{Decision, KEY_IS_TRUSTED_FOR, Next, Outcome, Situation, ask, to};
use crate::finding::Finding;
use crate::schedule::Schedule;
use crate::state::{Kind, Reason, Said, State};

/// "Not seen is never proof": so many looks must agree before a person is asked.
const AGREEING: usize = 3;

/// The send ended.
pub(super) fn answered(at: Situation, outcome: Outcome, schedule: &Schedule) -> Decision {
    match outcome {
        Outcome::NotSent if !at.in_doubt => to(State::NotSent),
        Outcome::Success { .. } | Outcome::AlreadyDone => look_on(fresh(at, State::Verifying), schedule),
        // Hazard 8: the no is believed when a look agrees.
        Outcome::Refused if !at.in_doubt => look_on(fresh(at, State::Verifying), schedule),
        Outcome::NotSent | Outcome::Refused | Outcome::NotAuthenticated | Outcome::Lost => {
            look_on(fresh(at, State::Unknown), schedule)
        }
    }
}

/// Where it stands behind its newest send.
fn fresh(at: Situation, state: State) -> Situation {
    Situation { state, looks: 0, agreeing: 0, ..at }
}

/// A look ended. `age`: since the operation was confirmed.
pub(super) fn looked(at: Situation, finding: Finding, age: Duration, schedule: &Schedule) -> Decision {
    let behind = Situation { looks: at.looks + 1, ..at };
    match finding {
        Finding::Once { factor } => {
            let plain = at.state == State::Verifying && !at.in_doubt && at.said != Some(Said::No);
            let state = if plain { State::Applied } else { State::ResolvedApplied };
            let unexpected = at.said == Some(Said::No) && !at.in_doubt;
            Decision { alarm: factor != at.factor || unexpected, ..to(state) }
        }
        Finding::Twice => Decision { alarm: true, ..ask(Reason::Doubled) },
        Finding::Nothing if at.state == State::Verifying && at.said == Some(Said::No) => to(State::Rejected),
        _ if at.state == State::NeedsYou => Decision { reason: at.reason, ..to(State::NeedsYou) },
        Finding::Nothing => nothing(behind, age, schedule),
        Finding::Disagree if behind.looks >= plan(at, schedule).len() => {
            Decision { alarm: true, ..ask(Reason::Contradiction) }
        }
        Finding::Disagree | Finding::Unreadable => look_on(behind, schedule),
    }
}

fn nothing(at: Situation, age: Duration, schedule: &Schedule) -> Decision {
    let at = Situation { agreeing: at.agreeing + 1, ..at };
    if at.looks < plan(at, schedule).len() || at.agreeing < AGREEING {
        look_on(at, schedule)
    } else if repeats(at, schedule) && age <= KEY_IS_TRUSTED_FOR {
        Decision { next: Next::Send, ..to(State::Sending) }
    } else {
        ask(Reason::NotSeen)
    }
}

fn look_on(at: Situation, schedule: &Schedule) -> Decision {
    let plan = plan(at, schedule);
    let wait = plan.get(at.looks).or(plan.last()).copied().unwrap_or_default();
    Decision { next: Next::LookAfter(wait), ..to(at.state) }
}

fn plan(at: Situation, schedule: &Schedule) -> &[Duration] {
    if repeats(at, schedule) {
        &schedule.looks_before_repeat
    } else if at.said == Some(Said::TurnedAway) {
        &schedule.looks_turned_away
    } else {
        &schedule.looks
    }
}

/// Whether the program itself may send it again: only where an order id protects from doing it twice.
fn repeats(at: Situation, schedule: &Schedule) -> bool {
    at.kind == Kind::Recharge && at.state == State::Unknown && at.repeats < schedule.recharge_repeats
}

/// Found at the start: whatever was under way is looked at, nothing is sent.
pub(super) fn restarted(at: Situation, schedule: &Schedule) -> Decision {
    match at.state {
        State::Prepared => to(State::NotSent),
        State::Sending => look_on(fresh(at, State::Unknown), schedule),
        State::Verifying | State::Unknown => look_on(fresh(at, at.state), schedule),
        state => to(state),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Event, Impossible, Verdict, decide};
    use super::*;
    use crate::gb::GbFactor;

    fn at(kind: Kind, state: State) -> Situation {
        Situation { kind, state, ..Situation::default() }
    }

    fn look(seconds: u64, state: State) -> Decision {
        Decision { next: Next::LookAfter(Duration::from_secs(seconds)), ..to(state) }
    }

    fn after(situation: Situation, finding: Finding) -> Decision {
        let looked = Event::Looked { finding, age: Duration::from_secs(70) };
        decide(situation, looked, &Schedule::default()).unwrap()
    }

    const ONCE: Finding = Finding::Once { factor: GbFactor::Binary };

    #[test]
    fn each_answer_is_decided_as_the_hazard_table_says() {
        let cases = [
            ("1", Outcome::NotSent, to(State::NotSent), look(2, State::Unknown)),
            ("2, 3, 10-12", Outcome::Lost, look(2, State::Unknown), look(2, State::Unknown)),
            ("6", Outcome::NotAuthenticated, look(2, State::Unknown), look(2, State::Unknown)),
            ("8", Outcome::Refused, look(2, State::Verifying), look(2, State::Unknown)),
            ("14", Outcome::AlreadyDone, look(2, State::Verifying), look(2, State::Verifying)),
            ("15", Outcome::Success { as_confirmed: true }, look(2, State::Verifying), look(2, State::Verifying)),
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
    fn what_both_witnesses_show_once_is_done() {
        let verifying = Situation { said: Some(Said::Yes), ..at(Kind::Deduction, State::Verifying) };
        assert_eq!(after(verifying, ONCE), to(State::Applied));
        let in_doubt = Situation { in_doubt: true, ..verifying };
        assert_eq!(after(in_doubt, ONCE), to(State::ResolvedApplied));
        for state in [State::Unknown, State::NeedsYou] {
            assert_eq!(after(at(Kind::Recharge, state), ONCE), to(State::ResolvedApplied));
        }
        let refused = Situation { said: Some(Said::No), ..verifying };
        assert_eq!(after(refused, ONCE), Decision { alarm: true, ..to(State::ResolvedApplied) }, "no, and yet done");
        let short = Finding::Once { factor: GbFactor::Thousand };
        assert_eq!(after(verifying, short), Decision { alarm: true, ..to(State::Applied) }, "another amount");
    }

    #[test]
    fn two_records_for_one_send_raise_the_alarm_wherever_it_stands() {
        for kind in [Kind::Recharge, Kind::Deduction] {
            for state in [State::Verifying, State::Unknown, State::NeedsYou] {
                let doubled = Decision { alarm: true, ..ask(Reason::Doubled) };
                assert_eq!(after(at(kind, state), Finding::Twice), doubled, "{kind:?} {state:?}");
            }
        }
    }

    #[test]
    fn a_no_is_believed_when_a_look_agrees() {
        let refused = Situation { said: Some(Said::No), ..at(Kind::Deduction, State::Verifying) };
        assert_eq!(after(refused, Finding::Nothing), to(State::Rejected));
        assert_eq!(after(refused, Finding::Unreadable), look(8, State::Verifying));
    }

    #[test]
    fn a_deduction_that_is_not_seen_is_never_sent_again() {
        let mut situation = at(Kind::Deduction, State::Unknown);
        for (looks, wait) in [(0, 8), (1, 50), (2, 240), (3, 600)] {
            situation = Situation { looks, agreeing: looks, ..situation };
            assert_eq!(after(situation, Finding::Nothing), look(wait, State::Unknown));
        }
        situation = Situation { looks: 4, agreeing: 4, ..situation };
        assert_eq!(after(situation, Finding::Nothing), ask(Reason::NotSeen));
        let too_few = Situation { agreeing: 1, ..situation };
        assert_eq!(after(too_few, Finding::Nothing), look(600, State::Unknown), "three looks have to agree");
        for state in State::ALL.iter().filter(|state| **state != State::NotSent) {
            let again = decide(at(Kind::Deduction, *state), Event::RepeatByPerson, &Schedule::default());
            assert_eq!(again, Err(Impossible), "{state:?}");
        }
    }

    #[test]
    fn a_recharge_that_is_not_seen_is_sent_again_under_its_order_id_and_then_a_person_is_asked() {
        let third = Situation { looks: 2, agreeing: 2, ..at(Kind::Recharge, State::Unknown) };
        let again = Decision { next: Next::Send, ..to(State::Sending) };
        assert_eq!(after(third, Finding::Nothing), again);
        let old = Event::Looked { finding: Finding::Nothing, age: KEY_IS_TRUSTED_FOR + Duration::from_secs(1) };
        assert_eq!(
            decide(third, old, &Schedule::default()),
            Ok(ask(Reason::NotSeen)),
            "nobody says how long an id lives"
        );
        let spent = Situation { repeats: 2, looks: 4, agreeing: 4, ..third };
        assert_eq!(after(spent, Finding::Nothing), ask(Reason::NotSeen));
        let verifying = Situation { state: State::Verifying, said: Some(Said::Already), ..third };
        assert_eq!(
            after(verifying, Finding::Nothing).next,
            Next::LookAfter(Duration::from_secs(240)),
            "no repeat of a yes"
        );
    }

    #[test]
    fn a_refused_token_is_decided_sooner() {
        let at =
            Situation { said: Some(Said::TurnedAway), looks: 2, agreeing: 2, ..at(Kind::Deduction, State::Unknown) };
        assert_eq!(after(at, Finding::Nothing), ask(Reason::NotSeen));
    }

    #[test]
    fn witnesses_that_disagree_to_the_end_are_shown_to_a_person() {
        let at = |looks| Situation { looks, ..at(Kind::Deduction, State::Verifying) };
        assert_eq!(after(at(3), Finding::Disagree), look(600, State::Verifying));
        assert_eq!(after(at(4), Finding::Disagree), Decision { alarm: true, ..ask(Reason::Contradiction) });
        assert_eq!(
            after(at(9), Finding::Unreadable),
            look(600, State::Verifying),
            "what can not be read decides nothing"
        );
    }

    #[test]
    fn a_look_that_a_person_asked_for_never_hides_the_question() {
        let asked = Situation { reason: Some(Reason::NotSeen), ..at(Kind::Deduction, State::NeedsYou) };
        for finding in [Finding::Nothing, Finding::Unreadable, Finding::Disagree] {
            assert_eq!(after(asked, finding), ask(Reason::NotSeen), "{finding:?}");
        }
    }

    #[test]
    fn after_a_restart_it_is_looked_at_and_not_sent() {
        for kind in [Kind::Recharge, Kind::Deduction] {
            for state in State::ALL {
                let decided = decide(at(kind, *state), Event::Restarted, &Schedule::default()).unwrap();
                assert_ne!(decided.next, Next::Send, "{kind:?} {state:?}");
                let looks = matches!(state, State::Sending | State::Verifying | State::Unknown);
                assert_eq!(matches!(decided.next, Next::LookAfter(_)), looks, "{kind:?} {state:?}");
            }
            assert_eq!(
                decide(at(kind, State::Sending), Event::Restarted, &Schedule::default()).unwrap().state,
                State::Unknown
            );
        }
    }

    #[test]
    fn only_moves_that_are_open_can_be_looked_at() {
        for state in State::ALL {
            let open = matches!(state, State::Verifying | State::Unknown | State::NeedsYou);
            let event = Event::Looked { finding: Finding::Nothing, age: Duration::ZERO };
            assert_eq!(decide(at(Kind::Deduction, *state), event, &Schedule::default()).is_ok(), open, "{state:?}");
            assert_eq!(decide(at(Kind::PlaceAndPay, *state), event, &Schedule::default()), Err(Impossible));
        }
        let judged = Event::Judged(Verdict::Done);
        assert!(decide(at(Kind::Deduction, State::Unknown), judged, &Schedule::default()).is_ok());
    }
}
