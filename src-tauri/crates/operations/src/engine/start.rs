//! Decides about everything that a start finds: nothing stays in `sending`.

use crate::decide::restarted;
use crate::journal::operation::commit::Change;
use crate::journal::{Journal, JournalError};
use crate::words::cause::Cause;
use crate::words::schedule::Schedule;
use crate::words::state::Kind;

/// Decides about whatever the last run left open, or was brought back. `now`: wall clock, ms since 1970.
pub(crate) fn settle(journal: &mut Journal, schedule: &Schedule, now: i64) -> Result<(), JournalError> {
    for row in journal.under_way()? {
        let decision = restarted(row.situation(), schedule);
        let waits = row.next_at.is_some() && row.state.is_open();
        if decision.state != row.state || decision.reason != row.reason || waits {
            // A name protects as a key does, but after a crash a person decides (hazard 4).
            let no_more_repeats = row.kind == Kind::Create;
            let change =
                Change { cause: Some(Cause::Restarted), counts_anew: true, no_more_repeats, ..Change::default() };
            journal.commit(&row, &decision, &change, now)?;
        }
    }
    Ok(())
}
