//! Decides about everything that a start finds: nothing stays in `sending`.

use crate::decide::restarted;
use crate::journal::operation::commit::Change;
use crate::journal::{Journal, JournalError};
use crate::words::cause::Cause;
use crate::words::schedule::Schedule;
use crate::words::state::{Kind, State};

/// Decides about whatever the last run left open, or was brought back. `now`: wall clock, ms since 1970.
pub(crate) fn settle(journal: &mut Journal, schedule: &Schedule, now: i64) -> Result<(), JournalError> {
    for row in journal.operations().under_way()? {
        let decision = restarted(row.situation(), schedule);
        let waits = row.next_at.is_some() && row.state.is_open();
        if decision.state != row.state || decision.reason != row.reason || waits {
            // A name protects as a key does, but after a crash a person decides (hazard 4).
            let no_more_repeats = row.kind == Kind::Create;
            let change = Change {
                cause: Some(Cause::Restarted),
                counts_anew: true,
                // An earlier answer says nothing about the send that the crash cut off (seed 124510).
                answered: row.state == State::Sending,
                no_more_repeats,
                ..Change::default()
            };
            journal.commit(&row, &decision, &change, now)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::decide::{Event, decide};
    use crate::journal::row::tests::row;
    use crate::words::outcome::Outcome;
    use crate::words::state::Said;

    /// Seed 124510.
    #[test]
    fn what_an_answer_said_is_forgotten_where_a_later_send_was_cut_off() {
        let mut journal = Journal::in_memory().unwrap();
        let schedule = Schedule::default();
        let mut now = journal.prepare("nonce", &row().intent, None, None, None, 0).unwrap().unwrap();
        let away = Change { answered: true, said: Some(Said::TurnedAway), ..Change::default() };
        let again = Event::RepeatByPerson { age: Duration::ZERO };
        let events = [(Event::Send, Change::default()), (Event::Answered(Outcome::NotAuthenticated), away)];
        for (event, change) in events.into_iter().chain([(again, Change::default())]) {
            let decision = decide(now.situation(), event, &schedule).unwrap();
            now = journal.commit(&now, &decision, &change, 1).unwrap().unwrap();
        }
        assert_eq!((now.state, now.said), (State::Sending, Some(Said::TurnedAway)));
        settle(&mut journal, &schedule, 2).unwrap();
        let settled = journal.operations().find(&now.id).unwrap().unwrap();
        assert_eq!((settled.state, settled.said), (State::Unknown, None));
    }
}
