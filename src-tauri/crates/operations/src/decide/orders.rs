//! The cells of place-and-pay and of renewals. Their key protects them, and no read decides about them.

use super::{Decision, Next, Outcome, Situation, ask, repeat_or_ask, to};
use crate::words::schedule::Schedule;
use crate::words::state::{Reason, Said, State};

/// Decides after the send ended.
pub(super) fn answered(at: Situation, outcome: Outcome, schedule: &Schedule) -> Decision {
    let repeats = &schedule.repeats;
    let was_refused = at.said == Some(Said::No);
    match outcome {
        Outcome::Success { as_confirmed } => Decision { alarm: !as_confirmed, ..to(State::Applied) },
        // A repeat that never left says nothing about the first send.
        Outcome::NotSent if at.in_doubt || was_refused => repeat_or_ask(at, repeats),
        Outcome::NotSent => to(State::NotSent),
        // The repeat's credentials were refused; the first send's may still have been accepted.
        Outcome::NotAuthenticated if at.in_doubt || was_refused => to(State::Unknown),
        Outcome::NotAuthenticated => to(State::Rejected),
        Outcome::Refused | Outcome::Declined if at.in_doubt => ask(Reason::OrderUnknown),
        Outcome::Declined => to(State::Rejected),
        // A different no than before: one of the two is not about this order.
        Outcome::Refused if was_refused => ask(Reason::OrderUnknown),
        // It may be about the key itself, so the order is asked for once more under the same key.
        Outcome::Refused => Decision { next: Next::RepeatAfter(schedule.apart), ..to(State::Verifying) },
        Outcome::AlreadyDone | Outcome::Lost | Outcome::Unsaved | Outcome::Exposed => repeat_or_ask(at, repeats),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::{doubt, pay, two_repeats};
    use super::super::{Event, decide};
    use super::*;

    #[test]
    fn each_cell_of_place_and_pay_is_decided_as_the_hazard_table_says() {
        let again = |seconds| Decision { next: Next::RepeatAfter(Duration::from_secs(seconds)), ..to(State::Unknown) };
        let sending = pay(State::Sending);
        let refused = Situation { said: Some(Said::No), ..sending };
        let once_more = Decision { next: Next::RepeatAfter(Duration::from_secs(6)), ..to(State::Verifying) };
        let cases = [
            ("1 not sent", sending, Outcome::NotSent, to(State::NotSent)),
            ("1 repeat not sent", doubt(State::Sending), Outcome::NotSent, again(8)),
            ("2 no answer", sending, Outcome::Lost, again(8)),
            ("2 again", Situation { repeats: 1, ..doubt(State::Sending) }, Outcome::Lost, again(15)),
            ("2 at last", Situation { repeats: 2, ..doubt(State::Sending) }, Outcome::Lost, ask(Reason::OrderUnknown)),
            ("6 token", sending, Outcome::NotAuthenticated, to(State::Rejected)),
            ("6 token after doubt", doubt(State::Sending), Outcome::NotAuthenticated, to(State::Unknown)),
            ("8 declined", sending, Outcome::Declined, to(State::Rejected)),
            ("8 after doubt", doubt(State::Sending), Outcome::Declined, ask(Reason::OrderUnknown)),
            ("7 refused", sending, Outcome::Refused, once_more),
            ("7 refused twice", refused, Outcome::Declined, to(State::Rejected)),
            ("7 refused otherwise", refused, Outcome::Refused, ask(Reason::OrderUnknown)),
            ("7, 1 repeat not sent", refused, Outcome::NotSent, again(8)),
            ("7, 6 token", refused, Outcome::NotAuthenticated, to(State::Unknown)),
            ("7, 15 yes", refused, Outcome::Success { as_confirmed: true }, to(State::Applied)),
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
            assert_eq!(decide(situation, Event::Answered(outcome), &two_repeats()), Ok(expected), "{cell}");
        }
    }
}
