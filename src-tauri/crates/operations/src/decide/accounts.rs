//! The cells of create, password and status. A name can be given only once, so a creation that is certainly not in the
//! list may be sent again. Setting a password or a status twice changes nothing, but no read shows them.

use super::{Check, Decision, Next, Outcome, Situation, ask, moves, repeat_or_ask, to};
use crate::words::finding::Finding;
use crate::words::schedule::Schedule;
use crate::words::state::{Reason, Said, State};

/// Decides after the send of a creation ended.
pub(super) fn created(at: Situation, outcome: Outcome, schedule: &Schedule) -> Decision {
    match outcome {
        Outcome::Success { .. } => to(State::Applied),
        Outcome::Unsaved => ask(Reason::UnsavedSecret),
        // 202: whoever has the name, it is not ours, and no send of ours created it.
        Outcome::Declined => to(State::Rejected),
        // 201 for the first send can be our own creation, which arrived twice: the name was not in the list before.
        outcome => moves::answered(at, outcome, schedule),
    }
}

/// Decides after the list was checked for a name. `None`: there is nothing to check in this state.
pub(super) fn checked(at: Situation, check: Check, schedule: &Schedule) -> Option<Decision> {
    let waits = matches!(at.state, State::Verifying | State::Unknown | State::Refused);
    // The list says nothing about an unsaved secret.
    let is_about_secrets = matches!(at.reason, Some(Reason::UnsavedSecret | Reason::LostSecret));
    let asks = at.state == State::NeedsYou && !is_about_secrets;
    if !waits && !asks && at.state != State::Rejected {
        return None;
    }
    if let Finding::Listed { saved } = check.finding {
        let unexpected = at.said == Some(Said::No) && !at.in_doubt;
        let found = if saved { to(State::ResolvedApplied) } else { ask(Reason::UnsavedSecret) };
        return Some(Decision { alarm: unexpected, ..found });
    }
    Some(if !waits {
        Decision { reason: at.reason, alarm: at.alarm, ..to(at.state) }
    } else if check.unplanned {
        Decision { next: Next::AsPlanned, ..to(at.state) }
    } else {
        moves::undecided(at, check, schedule)
    })
}

/// Decides after the send of a password or a status ended.
pub(super) fn set(at: Situation, outcome: Outcome, schedule: &Schedule) -> Decision {
    match outcome {
        Outcome::Success { .. } | Outcome::Unsaved => to(State::Applied),
        Outcome::NotSent if !at.in_doubt => to(State::NotSent),
        Outcome::NotAuthenticated if at.in_doubt => to(State::Unknown),
        Outcome::Refused | Outcome::Declined | Outcome::AlreadyDone if at.in_doubt => ask(Reason::NoRead),
        Outcome::Declined | Outcome::AlreadyDone | Outcome::NotAuthenticated => to(State::Rejected),
        // No read shows it, now or later: neither done nor certainly not done. The same value may be set again at any
        // time.
        Outcome::Refused => to(State::Refused),
        Outcome::Exposed => ask(Reason::Exposed),
        Outcome::NotSent | Outcome::Lost => repeat_or_ask(at, &schedule.settings),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::BY_PERSON;
    use super::super::{Event, Impossible, Verdict, decide};
    use super::*;
    use crate::words::state::Kind;

    fn at(kind: Kind, state: State) -> Situation {
        Situation { kind, state, ..Situation::default() }
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn answered(situation: Situation, outcome: Outcome) -> Decision {
        decide(situation, Event::Answered(outcome), &Schedule::default()).unwrap()
    }

    fn checked(situation: Situation, finding: Finding, after: u64) -> Decision {
        let check = Check { finding, age: seconds(after), since: seconds(after), unplanned: false };
        decide(situation, Event::Checked(check), &Schedule::default()).unwrap()
    }

    #[test]
    fn each_answer_to_a_creation_is_decided_as_the_hazard_table_says() {
        let check = |state| Decision { next: Next::CheckAfter(seconds(2)), ..to(state) };
        let cases = [
            ("1", Outcome::NotSent, to(State::NotSent), check(State::Unknown)),
            ("2, 3, 10-12", Outcome::Lost, check(State::Unknown), check(State::Unknown)),
            ("6", Outcome::NotAuthenticated, check(State::Unknown), check(State::Unknown)),
            ("13", Outcome::Refused, check(State::Refused), check(State::Unknown)),
            ("14, 201", Outcome::AlreadyDone, check(State::Verifying), check(State::Verifying)),
            ("14, 202", Outcome::Declined, to(State::Rejected), to(State::Rejected)),
            ("15", Outcome::Success { as_confirmed: true }, to(State::Applied), to(State::Applied)),
            ("15, keychain down", Outcome::Unsaved, ask(Reason::UnsavedSecret), ask(Reason::UnsavedSecret)),
        ];
        for (cell, outcome, first, in_doubt) in cases {
            let sending = at(Kind::Create, State::Sending);
            assert_eq!(answered(sending, outcome), first, "{cell}");
            assert_eq!(answered(Situation { in_doubt: true, ..sending }, outcome), in_doubt, "{cell} in doubt");
        }
    }

    #[test]
    fn a_creation_is_found_in_the_list_or_sent_again_when_three_checks_agree_that_it_is_not_there() {
        let unknown = Situation { in_doubt: true, ..at(Kind::Create, State::Unknown) };
        assert_eq!(checked(unknown, Finding::Listed { saved: true }, 2), to(State::ResolvedApplied));
        assert_eq!(checked(unknown, Finding::Listed { saved: false }, 2), ask(Reason::UnsavedSecret));
        let twice = Situation { checks: 2, agreeing: 2, ..unknown };
        assert_eq!(checked(twice, Finding::Nothing, 65).next, Next::Send);
        assert_eq!(checked(twice, Finding::Nothing, 64).state, State::Unknown, "not before a minute is over");
        assert_eq!(checked(twice, Finding::Unreadable, 65).state, State::Unknown, "what is not read is no proof");
        let tired = Situation { repeats: 2, checks: 4, agreeing: 4, ..unknown };
        assert_eq!(checked(tired, Finding::Nothing, 901), ask(Reason::NotSeen));
    }

    #[test]
    fn each_answer_to_a_setting_is_decided_as_the_hazard_table_says() {
        let again = Decision { next: Next::RepeatAfter(seconds(65)), ..to(State::Unknown) };
        let no_read = ask(Reason::NoRead);
        let cases = [
            ("1", Outcome::NotSent, to(State::NotSent), again),
            ("2, 3, 10, 11", Outcome::Lost, again, again),
            ("6", Outcome::NotAuthenticated, to(State::Rejected), to(State::Unknown)),
            ("12", Outcome::Exposed, ask(Reason::Exposed), ask(Reason::Exposed)),
            ("14", Outcome::AlreadyDone, to(State::Rejected), no_read),
            ("declined", Outcome::Declined, to(State::Rejected), no_read),
            ("refused", Outcome::Refused, to(State::Refused), no_read),
            ("15", Outcome::Success { as_confirmed: true }, to(State::Applied), to(State::Applied)),
        ];
        for kind in [Kind::Password, Kind::Status] {
            for (cell, outcome, first, in_doubt) in cases {
                let sending = at(kind, State::Sending);
                assert_eq!(answered(sending, outcome), first, "{cell} {kind:?}");
                assert_eq!(answered(Situation { in_doubt: true, ..sending }, outcome), in_doubt, "{cell} {kind:?}");
            }
        }
    }

    #[test]
    fn a_refused_setting_is_never_called_certainly_not_done() {
        for kind in [Kind::Password, Kind::Status] {
            let refused = at(kind, State::Refused);
            let happens = |event| decide(refused, event, &Schedule::default());
            assert_eq!(happens(Event::Restarted), Ok(to(State::Refused)));
            let check = Check { finding: Finding::Nothing, age: seconds(901), since: seconds(901), unplanned: false };
            for event in [BY_PERSON, Event::Retried, Event::Checked(check)] {
                assert_eq!(happens(event), Err(Impossible), "{kind:?} {event:?}");
            }
        }
    }

    #[test]
    fn after_a_restart_a_setting_that_may_have_arrived_is_a_question_and_never_sent_by_itself() {
        for kind in [Kind::Password, Kind::Status] {
            for state in [State::Sending, State::Unknown] {
                assert_eq!(decide(at(kind, state), Event::Restarted, &Schedule::default()), Ok(ask(Reason::NoRead)));
            }
            let asked = Situation { reason: Some(Reason::NoRead), ..at(kind, State::NeedsYou) };
            assert!(decide(asked, BY_PERSON, &Schedule::default()).is_ok());
            let exposed = Situation { reason: Some(Reason::Exposed), ..asked };
            assert_eq!(decide(exposed, BY_PERSON, &Schedule::default()), Err(Impossible), "another value");
        }
    }

    #[test]
    fn only_a_secret_that_is_unsaved_can_be_saved_and_only_what_was_not_done_be_replaced() {
        for state in State::ALL {
            let here = Situation { reason: Some(Reason::UnsavedSecret), ..at(Kind::Create, *state) };
            let saved = decide(here, Event::SecretsSaved, &Schedule::default());
            assert_eq!(saved.is_ok(), *state == State::NeedsYou, "{state:?}");
            let retried = decide(here, Event::Retried, &Schedule::default());
            assert_eq!(retried.is_ok(), matches!(state, State::NotSent | State::Rejected), "{state:?}");
        }
        let unsaved = Situation { reason: Some(Reason::UnsavedSecret), ..at(Kind::Create, State::NeedsYou) };
        assert_eq!(decide(unsaved, BY_PERSON, &Schedule::default()), Err(Impossible));
        let restarted = decide(unsaved, Event::Restarted, &Schedule::default());
        assert_eq!(restarted, Ok(ask(Reason::LostSecret)), "memory does not survive");
        assert!(decide(unsaved, Event::Judged(Verdict::Done), &Schedule::default()).is_ok());
    }
}
