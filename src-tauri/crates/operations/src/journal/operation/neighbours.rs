//! What the table `operation` knows of a customer's other moves, in the order of their sends.

use rusqlite::params;

use crate::journal::JournalError;
use crate::journal::operation::OperationTable;
use crate::journal::row::Row;
use crate::journal::sets::{done_states, states_without_effect};

/// The snapshot before a move may be older than done moves before it, but not older than this many.
const STALE_BY: usize = 8;

/// The number of the event of an operation's last send, or 0 if it was never sent, as part of a query.
fn last_send(id: &str) -> String {
    format!("(SELECT coalesce(max(number), 0) FROM event WHERE event.operation = {id} AND what = 'sending')")
}

impl OperationTable<'_> {
    /// Moves of the same customer that were sent after this one was last sent, in that order.
    pub(crate) fn moves_sent_after(&self, row: &Row) -> Result<Vec<Row>, JournalError> {
        let (theirs, own) = (last_send("operation.id"), last_send("?2"));
        self.select(
            &format!(
                "WHERE target = ?1 AND id <> ?2 AND kind IN ('recharge', 'deduction') AND {theirs} > {own}
                 ORDER BY {theirs}"
            ),
            [&row.target, &row.id.0],
        )
    }

    /// Deductions of the same customer that were sent before this one, got no yes, and are still checked.
    pub(crate) fn deductions_without_yes_before(&self, row: &Row) -> Result<Vec<Row>, JournalError> {
        let (theirs, own) = (last_send("operation.id"), last_send("?2"));
        self.select(
            &format!(
                "WHERE target = ?1 AND kind = 'deduction' AND said IS NOT 'yes' AND next_at IS NOT NULL
                 AND {theirs} < {own}"
            ),
            [&row.target, &row.id.0],
        )
    }

    /// Whether the last send of `one` came after the last send of `other`.
    pub(crate) fn was_sent_after(&self, one: &Row, other: &Row) -> Result<bool, JournalError> {
        let query = format!("SELECT {} > {}", last_send("?1"), last_send("?2"));
        Ok(self.0.db.prepare_cached(&query)?.query_row([&one.id.0, &other.id.0], |row| row.get(0))?)
    }

    /// Other moves of the same customer: those that were refused, those of its own direction done before it, and, if
    /// `later`, those sent after it. `until` leaves out everything that was sent from that move on.
    pub(crate) fn moves_beside(&self, row: &Row, later: bool, until: Option<&Row>) -> Result<Vec<Row>, JournalError> {
        let (theirs, own) = (last_send("operation.id"), last_send("?2"));
        let other_moves = "target = ?1 AND id <> ?2 AND kind IN ('recharge', 'deduction') AND counter_of IS NOT ?2
             AND (SELECT counter_of FROM operation AS own WHERE own.id = ?2) IS NOT id";
        let done_before = format!(
            "SELECT id FROM operation WHERE {other_moves} AND kind = ?5 AND state IN ({}) AND {theirs} < {own}
             ORDER BY {theirs} DESC LIMIT {STALE_BY}",
            done_states()
        );
        self.select(
            &format!(
                "WHERE {other_moves} AND state NOT IN ('prepared', {})
                 AND (said = 'no' OR (?3 AND {theirs} > {own}) OR id IN ({done_before}))
                 AND (?4 IS NULL OR {theirs} < {}) ORDER BY {theirs}",
                states_without_effect(),
                last_send("?4")
            ),
            params![row.target, row.id.0, later, until.map(|row| &row.id.0), row.kind.word()],
        )
    }
}
