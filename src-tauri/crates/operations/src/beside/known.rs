//! What the journal knows of other moves of a customer.

use wire::traffic::TrafficRecord;

use super::{Beside, Known};
use crate::engine::{OperationError, Operations};
use crate::finding::may_be;
use crate::journal::{Journal, JournalError};
use crate::row::Row;
use crate::sets::states_without_effect;
use crate::state::{Reason, Said};
use crate::traffic_move::TrafficMove;

impl Operations {
    /// What is known when the records of a row are compared.
    ///
    /// # Errors
    /// The journal: without it nothing can be said.
    pub(crate) fn known_beside(&self, row: &Row) -> Result<Known, OperationError> {
        let factor = self.learnt()?.map(|lesson| lesson.factor);
        let direction = row.intent.moved().map(|moved| moved.direction);
        let creator = direction.map(|direction| self.creator(direction)).transpose()?.flatten();
        let beside = self.journal().beside(row)?;
        Ok(Known { factor, creator, beside })
    }
}

/// The number of an operation's last send, 0 without one, as a part of a query.
fn last_send(id: &str) -> String {
    format!("(SELECT coalesce(max(number), 0) FROM event WHERE event.operation = {id} AND what = 'sending')")
}

impl Journal {
    /// Whether a move was sent since whose records could be those of a second copy of this one: the same again, or the one
    /// that takes it back.
    pub(crate) fn was_its_like_sent_since(&self, row: &Row, moved: &TrafficMove) -> Result<bool, JournalError> {
        let (theirs, own) = (last_send("operation.id"), last_send("?2"));
        let later = self.select(
            &format!("WHERE target = ?1 AND id <> ?2 AND kind IN ('recharge', 'deduction') AND {theirs} > {own}"),
            [&row.target, &row.id.0],
        )?;
        let is_like = |other: &Row| {
            other
                .intent
                .moved()
                .is_some_and(|other| other.counter_of.as_ref() == Some(&row.id) || other.is_alike(moved))
        };
        Ok(later.iter().any(is_like))
    }

    /// Moves of the same customer whose records a look at this row may show: those that were refused, and, where this
    /// one was or is done, those that came after it.
    fn beside(&self, row: &Row) -> Result<Vec<Beside>, JournalError> {
        let lets_others_go = row.said == Some(Said::No) || row.state.is_done();
        let (theirs, own) = (last_send("operation.id"), last_send("?2"));
        let rows = self.select(
            &format!(
                "WHERE target = ?1 AND id <> ?2 AND kind IN ('recharge', 'deduction') AND counter_of IS NOT ?2
                 AND (SELECT counter_of FROM operation AS own WHERE own.id = ?2) IS NOT id
                 AND state NOT IN ('prepared', {}) AND (said = 'no' OR (?3 AND {theirs} > {own})) ORDER BY {theirs}",
                states_without_effect()
            ),
            rusqlite::params![row.target, row.id.0, lets_others_go],
        )?;
        let later = format!("SELECT {} > {}", last_send("?1"), last_send("?2"));
        let other = |other: Row| -> Result<Option<Beside>, JournalError> {
            let Some(moved) = other.intent.moved().cloned() else { return Ok(None) };
            let comes_later: bool = self.db.query_row(&later, [&other.id.0, &row.id.0], |row| row.get(0))?;
            let was_doubled = other.reason == Some(Reason::Doubled);
            let is_seen = other.state.is_done() || was_doubled;
            let records = other.evidence.filter(|_| is_seen).map(|evidence| evidence.records);
            let refused = [other.said, row.said].map(|said| said == Some(Said::No));
            let goes_first = if refused[0] == refused[1] { !comes_later } else { refused[1] };
            let copies = if was_doubled { usize::MAX } else { 1 };
            let of_it = |records: Vec<TrafficRecord>| -> Vec<TrafficRecord> {
                records.into_iter().filter(|record| may_be(&moved, record)).collect()
            };
            let records = records.map(of_it).filter(|records| !records.is_empty());
            // What a person found without a record shows nothing here any more.
            let is_past = other.state.is_done() && records.is_none() && !comes_later;
            Ok((!is_past).then_some(Beside { records, copies, goes_first, moved, before: other.baseline }))
        };
        rows.into_iter().map(other).filter_map(Result::transpose).collect()
    }
}
