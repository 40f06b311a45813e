//! Makes every decision, each as one pure function: no clock, no disk, no network.
//!
//! The cells are those of the hazard table in `README.md`.

mod accounts;
mod moves;
mod orders;
#[cfg(test)]
mod table;

use std::time::Duration;

use crate::words::finding::Finding;
use crate::words::gb::GbFactor;
use crate::words::outcome::Outcome;
use crate::words::schedule::Schedule;
use crate::words::state::{Family, Kind, Reason, Said, State, Verdict};

/// The facts about an operation when something happens to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// Its kind.
    pub kind: Kind,
    /// Its state.
    pub state: State,
    /// Whether an earlier send may have been carried out: it was once unknown, or a question to a person.
    pub in_doubt: bool,
    /// Whether only its key protects a payment from being made twice: it has no price whose end the vendor checks, or
    /// one that may outlive the key.
    pub only_key_protects: bool,
    /// Whether its refusal was about the credentials alone.
    pub credentials_refused: bool,
    /// Automatic repeats so far; more than any schedule has once only a person may repeat it.
    pub repeats: usize,
    /// Why a person is already being asked; `None` without a question.
    pub reason: Option<Reason>,
    /// The meaning of the last answer; `None` if it said nothing, or if the last send had no answer.
    pub said: Option<Said>,
    /// Planned checks since the last send, or since the last start.
    pub checks: usize,
    /// How many checks in a row found nothing. An unreadable one neither counts nor interrupts.
    pub agreeing: usize,
    /// MB of a GB, as the person saw it.
    pub factor: GbFactor,
    /// Whether the person was already alarmed.
    pub alarm: bool,
}

impl Situation {
    /// What the answer to a send says about the operation; `None`: nothing. A send that was turned away did nothing, but
    /// an earlier one may still show (seed 124510).
    pub(crate) fn said(&self, outcome: Outcome) -> Option<Said> {
        outcome.said().filter(|said| *said != Said::TurnedAway || !self.in_doubt)
    }
}

/// Something that happens to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The confirmed intent is about to be sent for the first time.
    Send,
    /// By schedule, it is time to repeat.
    RepeatBySchedule {
        /// Age of its key.
        age: Duration,
    },
    /// A person asked to send the same row again.
    RepeatByPerson {
        /// Age of its key; the longest where this run of the program did not send it.
        age: Duration,
    },
    /// The send ended.
    Answered(Outcome),
    /// A check of what the vendor shows ended.
    Checked(Check),
    /// The program starts and finds the operation.
    Restarted,
    /// A person checked in the vendor's console and says how it ended.
    Judged(Verdict),
    /// The secrets of a created customer are finally in the keychain.
    SecretsSaved,
    /// Another operation does what this one certainly did not.
    Retried,
}

/// A check, and what else is known when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its result.
    pub finding: Finding,
    /// The longer of two times: since its row was made, by the wall clock, and since its key first left or the program
    /// started, by the steady one.
    pub age: Duration,
    /// Time since its last send, or since the start of the program, by the steady clock.
    pub since: Duration,
    /// Whether it was made because a person asked or a token came: then it is outside the schedule and never sends.
    pub unplanned: bool,
}

/// The new state and the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// New state.
    pub state: State,
    /// Why a person is asked; only with [`State::NeedsYou`].
    pub reason: Option<Reason>,
    /// The next step of the program by itself.
    pub next: Next,
    /// Whether to alarm the person: the vendor's figures differ from the confirmed ones, it was done twice or in spite
    /// of a no, or the witnesses disagree to the end.
    pub alarm: bool,
}

/// A step of the program by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Rest,
    /// Send the stored bytes now.
    Send,
    /// Send the stored bytes again after this time.
    RepeatAfter(Duration),
    /// Check the vendor's ledger after this time.
    CheckAfter(Duration),
    /// Nothing new: the earlier plan stays.
    AsPlanned,
}

/// The event makes no sense in this state; nothing changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not possible in this state")]
pub struct Impossible;

/// The contract does not say how long a key is remembered. After this time the program repeats nothing by itself, and a
/// person may repeat only what is protected by more than its key.
pub(crate) const KEY_IS_TRUSTED_FOR: Duration = Duration::from_secs(10 * 60);

/// How long a closed move is watched while the witnesses disagree, by the steady clock: an HTTP proxy may have sent it
/// again, or someone else may have moved traffic.
pub(crate) const LATE_COPY_WITHIN: Duration = Duration::from_secs(600);

fn to(state: State) -> Decision {
    Decision { state, reason: None, next: Next::Rest, alarm: false }
}

fn ask(reason: Reason) -> Decision {
    Decision { reason: Some(reason), ..to(State::NeedsYou) }
}

/// Decides what an event means. `schedule` says when the program repeats and checks by itself.
///
/// # Errors
/// [`Impossible`] when the event does not belong to the state.
pub fn decide(at: Situation, event: Event, schedule: &Schedule) -> Result<Decision, Impossible> {
    let send = Decision { next: Next::Send, ..to(State::Sending) };
    let family = at.kind.family();
    let has_schedule = matches!(family, Family::Order | Family::Setting);
    let is_checked = family.is_checked();
    match (at.state, event) {
        (State::Prepared, Event::Send) => Ok(send),
        (State::Unknown | State::Verifying, Event::RepeatBySchedule { age }) if has_schedule => {
            Ok(if age <= KEY_IS_TRUSTED_FOR { send } else { ask(unknowable(family)) })
        }
        (_, Event::RepeatByPerson { age }) if may_be_repeated(at, age) => Ok(send),
        (State::Sending, Event::Answered(outcome)) => Ok(match family {
            Family::Order => orders::answered(at, outcome, schedule),
            Family::Move => moves::answered(at, outcome, schedule),
            Family::Create => accounts::created(at, outcome, schedule),
            Family::Setting => accounts::set(at, outcome, schedule),
        }),
        (_, Event::Checked(check)) => match family {
            Family::Move => moves::checked(at, check, schedule),
            Family::Create => accounts::checked(at, check, schedule),
            Family::Order | Family::Setting => None,
        }
        .ok_or(Impossible),
        (_, Event::Restarted) => Ok(restarted(at, schedule)),
        (State::NeedsYou, Event::SecretsSaved) if at.reason == Some(Reason::UnsavedSecret) => Ok(to(State::Applied)),
        (State::NotSent | State::Rejected, Event::Retried) => Ok(to(State::ResolvedNot)),
        // Whatever could not be read for the whole schedule may never be readable.
        (State::Verifying | State::Refused, Event::Judged(verdict))
            if is_checked && at.checks >= schedule.checks.len() =>
        {
            Ok(to(judged(verdict)))
        }
        (State::Unknown | State::NeedsYou, Event::Judged(verdict)) => Ok(to(judged(verdict))),
        _ => Err(Impossible),
    }
}

/// Decides about an operation that the start of the program finds.
pub(crate) fn restarted(at: Situation, schedule: &Schedule) -> Decision {
    let family = at.kind.family();
    match at.state {
        // Secrets that were only in memory are gone.
        State::NeedsYou if at.reason == Some(Reason::UnsavedSecret) => ask(Reason::LostSecret),
        _ if family.is_checked() => moves::restarted(at, schedule),
        State::Sending | State::Unknown if family == Family::Setting => ask(Reason::NoRead),
        State::NeedsYou => Decision { reason: at.reason, alarm: at.alarm, ..to(at.state) },
        // Hazard 4: whatever was being sent may have arrived. A person decides when it is repeated.
        State::Sending | State::Verifying => to(State::Unknown),
        State::Prepared => to(State::NotSent),
        state => to(state),
    }
}

fn judged(verdict: Verdict) -> State {
    match verdict {
        Verdict::Done => State::ResolvedApplied,
        Verdict::NotDone => State::ResolvedNot,
    }
}

/// The reason for asking a person when neither a repeat nor a check can find out.
fn unknowable(family: Family) -> Reason {
    if family == Family::Setting { Reason::NoRead } else { Reason::OrderUnknown }
}

/// Whether a person may send the same row again: if it never left, if a key or a name protects it, or if doing it twice
/// changes nothing.
fn may_be_repeated(at: Situation, age: Duration) -> bool {
    let is_protected = at.kind != Kind::Deduction && !(at.only_key_protects && age > KEY_IS_TRUSTED_FOR);
    match at.state {
        State::NotSent => true,
        State::Unknown => is_protected,
        State::NeedsYou => {
            let asks_something_else =
                [Reason::Doubled, Reason::UnsavedSecret, Reason::LostSecret, Reason::Exposed].map(Some);
            is_protected && !asks_something_else.contains(&at.reason)
        }
        State::Rejected => at.credentials_refused,
        _ => false,
    }
}

/// Whether the age of its key is the only reason why a person may not send the same row again.
pub(crate) fn is_too_late_to_repeat(at: Situation, age: Duration) -> bool {
    may_be_repeated(at, Duration::ZERO) && !may_be_repeated(at, age)
}

fn repeat_or_ask(at: Situation, repeats: &[Duration]) -> Decision {
    match repeats.get(at.repeats) {
        Some(wait) => Decision { next: Next::RepeatAfter(*wait), ..to(State::Unknown) },
        None => ask(unknowable(at.kind.family())),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// At once.
    pub(super) const BY_PERSON: Event = Event::RepeatByPerson { age: Duration::ZERO };

    pub(super) fn two_repeats() -> Schedule {
        Schedule { repeats: vec![Duration::from_secs(8), Duration::from_secs(15)], ..Schedule::default() }
    }

    pub(super) fn pay(state: State) -> Situation {
        Situation { kind: Kind::PlaceAndPay, state, ..Situation::default() }
    }

    pub(super) fn doubt(state: State) -> Situation {
        Situation { in_doubt: true, ..pay(state) }
    }

    #[test]
    fn after_a_restart_nothing_is_sent_without_a_person() {
        for state in State::ALL {
            let decision = decide(doubt(*state), Event::Restarted, &two_repeats()).unwrap();
            assert_eq!(decision.next, Next::Rest, "{state:?}");
            assert_ne!(decision.state, State::Sending, "nothing stays in sending");
        }
        assert_eq!(decide(pay(State::Sending), Event::Restarted, &two_repeats()).unwrap().state, State::Unknown);
        assert_eq!(decide(pay(State::Verifying), Event::Restarted, &two_repeats()).unwrap().state, State::Unknown);
        assert_eq!(decide(pay(State::Prepared), Event::Restarted, &two_repeats()).unwrap().state, State::NotSent);
    }

    #[test]
    fn what_is_decided_is_never_sent_again() {
        for state in [
            State::Applied,
            State::Rejected,
            State::ResolvedApplied,
            State::ResolvedNot,
            State::Sending,
            State::Refused,
        ] {
            for event in [Event::Send, BY_PERSON, Event::RepeatBySchedule { age: Duration::ZERO }] {
                assert_eq!(decide(pay(state), event, &two_repeats()), Err(Impossible), "{state:?} {event:?}");
            }
        }
    }

    #[test]
    fn nothing_is_repeated_by_itself_after_ten_minutes() {
        for (seconds, state) in [(0, State::Sending), (600, State::Sending), (601, State::NeedsYou)] {
            let event = Event::RepeatBySchedule { age: Duration::from_secs(seconds) };
            assert_eq!(decide(doubt(State::Unknown), event, &two_repeats()).unwrap().state, state, "{seconds} s");
        }
    }

    #[test]
    fn a_person_repeats_what_only_its_key_protects_for_ten_minutes_and_what_never_arrived_at_any_time() {
        let late = Event::RepeatByPerson { age: Duration::from_secs(601) };
        let young = Event::RepeatByPerson { age: Duration::from_secs(600) };
        for (only_key_protects, kind) in [(true, Kind::PlaceAndPay), (true, Kind::Renew), (false, Kind::PlaceAndPay)] {
            let question = Situation { reason: Some(Reason::OrderUnknown), ..doubt(State::NeedsYou) };
            for at in [doubt(State::Unknown), question, pay(State::NotSent)] {
                let at = Situation { kind, only_key_protects, ..at };
                let is_too_late = only_key_protects && at.state != State::NotSent;
                assert!(decide(at, young, &two_repeats()).is_ok(), "{at:?}");
                assert_eq!(decide(at, late, &two_repeats()).is_err(), is_too_late, "{at:?}");
                assert_eq!(is_too_late_to_repeat(at, Duration::from_secs(601)), is_too_late, "{at:?}");
            }
        }
        assert!(!is_too_late_to_repeat(pay(State::Applied), Duration::MAX), "it is done");
    }

    #[test]
    fn a_refused_token_may_be_replaced_and_the_same_row_sent_again() {
        let at = Situation { credentials_refused: true, ..pay(State::Rejected) };
        assert_eq!(decide(at, BY_PERSON, &two_repeats()).unwrap().state, State::Sending);
    }

    #[test]
    fn only_what_is_open_to_doubt_can_be_judged_by_a_person() {
        for state in State::ALL {
            let judged = decide(pay(*state), Event::Judged(Verdict::Done), &two_repeats());
            assert_eq!(judged.is_ok(), state.is_unconfirmed(), "{state:?}");
        }
    }

    #[test]
    fn an_answer_belongs_to_a_send() {
        for state in State::ALL.iter().filter(|state| **state != State::Sending) {
            let late = decide(pay(*state), Event::Answered(Outcome::Success { as_confirmed: true }), &two_repeats());
            assert_eq!(late, Err(Impossible), "{state:?}");
        }
    }
}
