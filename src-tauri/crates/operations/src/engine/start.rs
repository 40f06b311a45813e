//! What a start does with what it finds: nothing stays in `sending`.

use crate::decide::restarted;
use crate::journal::operation::Change;
use crate::journal::{Journal, JournalError};
use crate::words::schedule::Schedule;
use crate::words::state::Kind;

/// Settles what the last run left open, or what was brought back. `now`: wall clock, ms since 1970.
pub(crate) fn settle(journal: &mut Journal, schedule: &Schedule, now: i64) -> Result<(), JournalError> {
    for row in journal.under_way()? {
        let decision = restarted(row.situation(), schedule);
        let waits = row.next_at.is_some() && row.state.is_open();
        if decision.state != row.state || decision.reason != row.reason || waits {
            // A name protects as a key does, but a person decides after a crash (hazard 4).
            let no_more_repeats = row.kind == Kind::Create;
            let change = Change { cause: "restarted", counts_anew: true, no_more_repeats, ..Change::default() };
            journal.commit(&row, &decision, &change, now)?;
        }
    }
    Ok(())
}
