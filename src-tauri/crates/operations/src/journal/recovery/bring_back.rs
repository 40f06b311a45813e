//! Brings back what a journal lacks, in one commit with the report to a person.

use std::time::Instant;

use rusqlite::{Connection, params};

use crate::journal::operation::sent::{RESTORED_AT, SENT_AGAIN};
use crate::journal::restoration::Restoration;
use crate::journal::send_log::Send;
use crate::journal::sets::{kinds_that_show, open_states};
use crate::journal::{Journal, JournalError, bulk, bulk_row, chain, restoration};
use crate::words::cause::Cause;
use crate::words::schedule::MANY;
use crate::words::state::State;

/// Commits what a restoration means: the sends that only the records know, the doubt about whatever may have been sent
/// since, the end of all bulks, and the report to a person.
pub(crate) fn all(journal: &mut Journal, missing: &[&Send], restoration: &Restoration) -> Result<(), JournalError> {
    let started = journal.started;
    let transaction = journal.db.transaction()?;
    for send in missing {
        send.bring_back(&transaction, restoration.at)?;
        chain::append(&transaction, started, send.id(), State::Sending.word(), send.at)?;
        chain::append(&transaction, started, send.id(), Cause::Restored.word(), restoration.at)?;
    }
    if !restoration.complete {
        // It is not known what was sent since: whatever could be sent again counts as sent.
        let may_be_sent = "state IN ('prepared', 'not-sent') OR (state = 'rejected' AND refusal ->> 'credentials')";
        change(&transaction, started, restoration.at, may_be_sent, SENT_AGAIN)?;
        let is_checked = format!("state IN ('refused', 'rejected') AND kind IN ({})", kinds_that_show());
        change(&transaction, started, restoration.at, &is_checked, "")?;
        // Nor is it known whether the vendor's records of a closed operation are its own: it is not checked again.
        transaction.execute(
            &format!("UPDATE operation SET next_at = NULL WHERE state NOT IN ({}, 'refused')", open_states()),
            [],
        )?;
    }
    // What became of it after the backup is not known: only a person repeats it.
    let open = format!("restored IS NOT {} AND state IN ({})", restoration.at, open_states());
    change(&transaction, started, restoration.at, &open, "")?;
    end_bulks(&transaction, started, restoration.at)?;
    restoration::insert(&transaction, restoration)?;
    Ok(transaction.commit()?)
}

/// Ends all bulks. Otherwise rows that were cancelled after the backup would go on, and rows that were done again after
/// it would be done once more.
fn end_bulks(db: &Connection, started: Instant, now: i64) -> Result<(), JournalError> {
    let came_to_nothing = "bulk IS NOT NULL AND state IN ('rejected', 'not-sent')";
    change(db, started, now, came_to_nothing, "state = 'resolved-not',")?;
    bulk_row::skip_restored(db)?;
    Ok(bulk::finish_all(db)?)
}

/// Changes the operations that match a clause; `set` holds further assignments. Their events say only "restored",
/// because none of them is sent now.
fn change(db: &Connection, started: Instant, now: i64, which: &str, set: &str) -> Result<(), JournalError> {
    let mut query = db.prepare(&format!("SELECT id FROM operation WHERE {which}"))?;
    let ids: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for id in ids {
        let update = format!(
            "UPDATE operation SET {set} repeats = ?2, {RESTORED_AT} ?3 END, version = version + 1 WHERE id = ?1"
        );
        db.execute(&update, params![id, MANY, now])?;
        chain::append(db, started, &id, Cause::Restored.word(), now)?;
    }
    Ok(())
}
