//! Every decision, as one pure function: no clock, no disk, no network.
//!
//! The cells are those of the hazard table in `README.md`.

use std::time::Duration;

use crate::state::{Kind, Reason, State, Verdict};

/// What is known of the operation when something happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// What it does.
    pub kind: Kind,
    /// Where it stands.
    pub state: State,
    /// An earlier send may have been carried out: its answer was lost.
    pub in_doubt: bool,
    /// The refusal that it stands on was about the credentials alone.
    pub credentials_refused: bool,
    /// Automatic repeats made since the answer was first lost.
    pub repeats: usize,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The confirmed intent is about to be sent for the first time.
    Send,
    /// The schedule says it is time to repeat.
    RepeatBySchedule {
        /// Since the operation was confirmed, by the wall clock: a computer that slept wakes up late.
        age: Duration,
    },
    /// A person asked for the same row to be sent again.
    RepeatByPerson,
    /// The send ended.
    Answered(Outcome),
    /// The program starts and finds the operation.
    Restarted,
    /// A person looked in the vendor's console.
    Judged(Verdict),
}

/// The class of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It certainly never left (hazard 1).
    NotSent,
    /// Yes (hazard 15).
    Success {
        /// The vendor's figures are those that the person confirmed.
        as_confirmed: bool,
    },
    /// No, with a code, and nothing was applied (hazards 7, 8, 13, 14).
    Refused,
    /// The credentials were refused before anything was looked at (hazard 6).
    NotAuthenticated,
    /// Everything else: nobody can tell (hazards 2, 3, 10, 11, 12).
    Lost,
}

/// Where it stands now and what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// New state.
    pub state: State,
    /// Why a person is asked; only with [`State::NeedsYou`].
    pub reason: Option<Reason>,
    /// What the program does by itself.
    pub next: Next,
    /// The vendor's figures differ from the confirmed ones: tell the person.
    pub alarm: bool,
}

/// What the program does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Rest,
    /// Send the stored bytes now.
    Send,
    /// Send the stored bytes again after this time.
    RepeatAfter(Duration),
}

/// The event makes no sense in this state; nothing is to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not possible in this state")]
pub struct Impossible;

/// The contract does not say how long a key is remembered: later than this only a person repeats.
const KEY_IS_TRUSTED_FOR: Duration = Duration::from_secs(10 * 60);

fn to(state: State) -> Decision {
    Decision { state, reason: None, next: Next::Rest, alarm: false }
}

fn ask(reason: Reason) -> Decision {
    Decision { reason: Some(reason), ..to(State::NeedsYou) }
}

/// Decides. `repeats` is the schedule of automatic repeats after a lost answer.
///
/// # Errors
/// [`Impossible`] when the event does not belong to the state.
pub fn decide(at: Situation, event: Event, repeats: &[Duration]) -> Result<Decision, Impossible> {
    let send = Decision { next: Next::Send, ..to(State::Sending) };
    match (at.state, event) {
        (State::Prepared, Event::Send) => Ok(send),
        (State::Unknown, Event::RepeatBySchedule { age }) if repeats_itself(at.kind) => {
            Ok(if age <= KEY_IS_TRUSTED_FOR { send } else { ask(Reason::OrderUnknown) })
        }
        (_, Event::RepeatByPerson) if may_be_repeated(at) => Ok(send),
        (State::Sending, Event::Answered(outcome)) => Ok(answered(at, outcome, repeats)),
        // Hazard 4: what was being sent may have arrived. A person decides when it is repeated.
        (State::Sending, Event::Restarted) => Ok(to(State::Unknown)),
        (State::Prepared, Event::Restarted) => Ok(to(State::NotSent)),
        (state, Event::Restarted) => Ok(Decision { next: Next::Rest, ..to(state) }),
        (State::Unknown | State::NeedsYou, Event::Judged(Verdict::Done)) => Ok(to(State::ResolvedApplied)),
        (State::Unknown | State::NeedsYou, Event::Judged(Verdict::NotDone)) => Ok(to(State::ResolvedNot)),
        _ => Err(Impossible),
    }
}

/// Whether the program may repeat by itself: only where a key protects against doing it twice.
fn repeats_itself(kind: Kind) -> bool {
    match kind {
        Kind::PlaceAndPay => true,
    }
}

fn may_be_repeated(at: Situation) -> bool {
    match at.state {
        State::NotSent | State::Unknown => true,
        State::NeedsYou => match at.kind {
            Kind::PlaceAndPay => true,
        },
        State::Rejected => at.credentials_refused,
        _ => false,
    }
}

fn answered(at: Situation, outcome: Outcome, repeats: &[Duration]) -> Decision {
    match (at.kind, outcome) {
        (Kind::PlaceAndPay, Outcome::Success { as_confirmed }) => {
            Decision { alarm: !as_confirmed, ..to(State::Applied) }
        }
        // A repeat that never left says nothing about the first send.
        (_, Outcome::NotSent) if at.in_doubt => repeat_or_ask(at, repeats),
        (_, Outcome::NotSent) => to(State::NotSent),
        // The repeat was turned away at the door; the first send may still have been let in.
        (_, Outcome::NotAuthenticated) if at.in_doubt => to(State::Unknown),
        (_, Outcome::NotAuthenticated) => to(State::Rejected),
        // Hazards 7 and 8: our own first send may be what emptied the wallet or used up the price.
        (Kind::PlaceAndPay, Outcome::Refused) if at.in_doubt => ask(Reason::OrderUnknown),
        (_, Outcome::Refused) => to(State::Rejected),
        (_, Outcome::Lost) => repeat_or_ask(at, repeats),
    }
}

fn repeat_or_ask(at: Situation, repeats: &[Duration]) -> Decision {
    match (at.kind, repeats.get(at.repeats)) {
        (Kind::PlaceAndPay, Some(wait)) => Decision { next: Next::RepeatAfter(*wait), ..to(State::Unknown) },
        (Kind::PlaceAndPay, None) => ask(Reason::OrderUnknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPEATS: [Duration; 2] = [Duration::from_secs(8), Duration::from_secs(15)];

    fn pay(state: State) -> Situation {
        Situation { kind: Kind::PlaceAndPay, state, in_doubt: false, credentials_refused: false, repeats: 0 }
    }

    fn doubt(state: State) -> Situation {
        Situation { in_doubt: true, ..pay(state) }
    }

    #[test]
    fn each_cell_of_place_and_pay_is_decided_as_the_hazard_table_says() {
        let again = |seconds| Decision { next: Next::RepeatAfter(Duration::from_secs(seconds)), ..to(State::Unknown) };
        let sending = pay(State::Sending);
        let cases = [
            ("1 not sent", sending, Outcome::NotSent, to(State::NotSent)),
            ("1 repeat not sent", doubt(State::Sending), Outcome::NotSent, again(8)),
            ("2 no answer", sending, Outcome::Lost, again(8)),
            ("2 again", Situation { repeats: 1, ..doubt(State::Sending) }, Outcome::Lost, again(15)),
            ("2 at last", Situation { repeats: 2, ..doubt(State::Sending) }, Outcome::Lost, ask(Reason::OrderUnknown)),
            ("6 token", sending, Outcome::NotAuthenticated, to(State::Rejected)),
            ("6 token after doubt", doubt(State::Sending), Outcome::NotAuthenticated, to(State::Unknown)),
            ("7, 8 refused", sending, Outcome::Refused, to(State::Rejected)),
            ("7, 8 after doubt", doubt(State::Sending), Outcome::Refused, ask(Reason::OrderUnknown)),
            ("15 yes", sending, Outcome::Success { as_confirmed: true }, to(State::Applied)),
            (
                "15 other amount",
                sending,
                Outcome::Success { as_confirmed: false },
                Decision { alarm: true, ..to(State::Applied) },
            ),
            ("15 yes after doubt", doubt(State::Sending), Outcome::Success { as_confirmed: true }, to(State::Applied)),
        ];
        for (cell, situation, outcome, expected) in cases {
            assert_eq!(decide(situation, Event::Answered(outcome), &REPEATS), Ok(expected), "{cell}");
        }
    }

    #[test]
    fn after_a_restart_nothing_is_sent_without_a_person() {
        for state in State::ALL {
            let decision = decide(doubt(*state), Event::Restarted, &REPEATS).unwrap();
            assert_eq!(decision.next, Next::Rest, "{state:?}");
            assert_ne!(decision.state, State::Sending, "nothing stays in sending");
        }
        assert_eq!(decide(pay(State::Sending), Event::Restarted, &REPEATS).unwrap().state, State::Unknown);
        assert_eq!(decide(pay(State::Prepared), Event::Restarted, &REPEATS).unwrap().state, State::NotSent);
    }

    #[test]
    fn what_is_decided_is_never_sent_again() {
        for state in [
            State::Applied,
            State::Rejected,
            State::ResolvedApplied,
            State::ResolvedNot,
            State::Sending,
            State::Verifying,
        ] {
            for event in [Event::Send, Event::RepeatByPerson, Event::RepeatBySchedule { age: Duration::ZERO }] {
                assert_eq!(decide(pay(state), event, &REPEATS), Err(Impossible), "{state:?} {event:?}");
            }
        }
    }

    #[test]
    fn nothing_is_repeated_by_itself_after_ten_minutes() {
        for (seconds, state) in [(0, State::Sending), (600, State::Sending), (601, State::NeedsYou)] {
            let event = Event::RepeatBySchedule { age: Duration::from_secs(seconds) };
            assert_eq!(decide(doubt(State::Unknown), event, &REPEATS).unwrap().state, state, "{seconds} s");
        }
    }

    #[test]
    fn a_refused_token_may_be_replaced_and_the_same_row_sent_again() {
        let at = Situation { credentials_refused: true, ..pay(State::Rejected) };
        assert_eq!(decide(at, Event::RepeatByPerson, &REPEATS).unwrap().state, State::Sending);
    }

    #[test]
    fn only_what_is_open_to_doubt_can_be_judged_by_a_person() {
        for state in State::ALL {
            let judged = decide(pay(*state), Event::Judged(Verdict::Done), &REPEATS);
            assert_eq!(judged.is_ok(), state.is_unconfirmed(), "{state:?}");
        }
    }

    #[test]
    fn an_answer_belongs_to_a_send() {
        for state in State::ALL.iter().filter(|state| **state != State::Sending) {
            let late = decide(pay(*state), Event::Answered(Outcome::Success { as_confirmed: true }), &REPEATS);
            assert_eq!(late, Err(Impossible), "{state:?}");
        }
    }
}
