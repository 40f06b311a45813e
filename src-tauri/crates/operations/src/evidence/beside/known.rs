//! What the journal knows of other moves of a customer.

use wire::traffic::TrafficRecord;

use super::{Beside, Known};
use crate::engine::{OperationError, Operations};
use crate::evidence::compare::{Evidence, Finding, compare, may_be};
use crate::evidence::snapshot::Sight;
use crate::journal::lesson;
use crate::journal::row::Row;
use crate::journal::sets::{done_states, states_without_effect};
use crate::journal::{Journal, JournalError};
use crate::words::state::{Said, State};
use crate::writes::gb::GbFactor;
use crate::writes::traffic_move::TrafficMove;

/// The look before a move may be older than moves before it, but not than so many that are done.
const STALE_BY: usize = 8;

impl Operations {
    /// Compares a look with the one before the move. Returns the finding and the evidence for it.
    ///
    /// # Errors
    /// The journal: without it nothing can be said.
    pub(crate) fn compare_beside(
        &self,
        row: &Row,
        (moved, before): (&TrafficMove, &Sight),
        after: &Sight,
    ) -> Result<(Finding, Evidence), OperationError> {
        // Once a like move was sent, nobody can tell its records from a copy of this one. The look before that send is the
        // last one that can.
        let like = if row.state.is_done() { self.like_since(row, moved)? } else { None };
        let known = self.known_beside(row, moved, like.as_ref())?;
        match like {
            Some(like) => Ok(compare_until(&like, (row, moved, before), &known)),
            None => Ok(compare(moved, before, after, &known)),
        }
    }

    /// The first move that was sent since, and whose records could be those of a second copy of this one.
    pub(crate) fn like_since(&self, row: &Row, moved: &TrafficMove) -> Result<Option<Row>, OperationError> {
        let factor = self.learnt()?.map(|lesson| lesson.factor);
        Ok(self.journal().like_since(row, moved, factor)?)
    }

    /// `until`: nothing that was sent from this move on.
    fn known_beside(&self, row: &Row, moved: &TrafficMove, until: Option<&Row>) -> Result<Known, OperationError> {
        let factor = self.learnt()?.map(|lesson| lesson.factor);
        Ok(Known { factor, creator: self.creator(moved.direction)?, beside: self.journal().beside(row, until)? })
    }
}

/// Compares with the look before a later move was sent. `Nothing` where the two looks cannot be compared.
fn compare_until(like: &Row, (row, moved, before): (&Row, &TrafficMove, &Sight), known: &Known) -> (Finding, Evidence) {
    let seen = like.baseline.as_ref().filter(|_| like.kind == row.kind).map(|after| {
        // A look of the next day reaches back less far.
        let before = before.since(after.day.plus(-1));
        compare(moved, &before, after, known)
    });
    seen.filter(|(finding, _)| *finding != Finding::Unreadable).unwrap_or((Finding::Nothing, Evidence::default()))
}

/// The number of an operation's last send, 0 without one, as a part of a query.
fn last_send(id: &str) -> String {
    format!("(SELECT coalesce(max(number), 0) FROM event WHERE event.operation = {id} AND what = 'sending')")
}

impl Journal {
    /// The same again, or the one that takes it back; not one that certainly did nothing.
    fn like_since(
        &self,
        row: &Row,
        moved: &TrafficMove,
        factor: Option<GbFactor>,
    ) -> Result<Option<Row>, JournalError> {
        let (theirs, own) = (last_send("operation.id"), last_send("?2"));
        let later = self.select(
            &format!(
                "WHERE target = ?1 AND id <> ?2 AND kind IN ('recharge', 'deduction') AND {theirs} > {own}
                 ORDER BY {theirs}"
            ),
            [&row.target, &row.id.0],
        )?;
        // A no that was believed at once is certain; one that was waited for may still be carried out.
        let did_nothing =
            |other: &Row| other.state == State::NotSent || (other.state == State::Rejected && other.looks == 0);
        let is_like = |other: &Row| {
            other
                .intent
                .moved()
                .is_some_and(|other| other.counter_of.as_ref() == Some(&row.id) || other.is_alike(moved, factor))
        };
        Ok(later.into_iter().find(|other| !did_nothing(other) && is_like(other)))
    }

    /// A person's verdict changes the state, not what was seen.
    fn was_seen_twice(&self, row: &Row) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM event WHERE operation = ?1 AND what = ?2)";
        Ok(self.db.query_row(query, [&row.id.0, Finding::Twice.word()], |row| row.get(0))?)
    }

    /// Moves of the same customer whose records a look at this row may show: those that were refused, those of its own
    /// direction done before it, which the look before it may have missed, and, where this one was refused or is done, those that came after it.
    fn beside(&self, row: &Row, until: Option<&Row>) -> Result<Vec<Beside>, JournalError> {
        let lets_others_go = row.said == Some(Said::No) || row.state.is_done();
        let (theirs, own) = (last_send("operation.id"), last_send("?2"));
        let other_moves = "target = ?1 AND id <> ?2 AND kind IN ('recharge', 'deduction') AND counter_of IS NOT ?2
             AND (SELECT counter_of FROM operation AS own WHERE own.id = ?2) IS NOT id";
        let done_before = format!(
            "SELECT id FROM operation WHERE {other_moves} AND kind = ?5 AND state IN ({}) AND {theirs} < {own}
             ORDER BY {theirs} DESC LIMIT {STALE_BY}",
            done_states()
        );
        let rows = self.select(
            &format!(
                "WHERE {other_moves} AND state NOT IN ('prepared', {})
                 AND (said = 'no' OR (?3 AND {theirs} > {own}) OR id IN ({done_before}))
                 AND (?4 IS NULL OR {theirs} < {}) ORDER BY {theirs}",
                states_without_effect(),
                last_send("?4")
            ),
            rusqlite::params![row.target, row.id.0, lets_others_go, until.map(|row| &row.id.0), row.kind.word()],
        )?;
        // Where both directions are there, the sign tells them apart.
        let strict = rows.iter().any(|other| other.kind != row.kind);
        let later = format!("SELECT {} > {}", last_send("?1"), last_send("?2"));
        let other = |other: Row| -> Result<Option<Beside>, JournalError> {
            let Some(moved) = other.intent.moved().cloned() else { return Ok(None) };
            let comes_later: bool = self.db.query_row(&later, [&other.id.0, &row.id.0], |row| row.get(0))?;
            let was_doubled = self.was_seen_twice(&other)?;
            let is_seen = other.state.is_done() || was_doubled;
            let records = other.evidence.filter(|_| is_seen).map(|evidence| evidence.records);
            let refused = [other.said, row.said].map(|said| said == Some(Said::No));
            let goes_first = if refused[0] == refused[1] { !comes_later } else { refused[1] };
            let copies = if was_doubled { 2 } else { 1 };
            let creator = lesson::creator(&self.db, moved.direction)?;
            let is_strange =
                |record: &TrafficRecord| creator.as_ref().is_some_and(|creator| creator.is_another(record));
            let of_it = |mut records: Vec<TrafficRecord>| {
                records.retain(|record| may_be(&moved, record, strict) && !is_strange(record));
                records
            };
            let records = records.map(of_it).filter(|records: &Vec<TrafficRecord>| !records.is_empty());
            // What a person found without a record shows nothing here any more.
            let is_past = other.state.is_done() && records.is_none() && !comes_later;
            Ok((!is_past).then_some(Beside { records, copies, goes_first, moved, before: other.baseline }))
        };
        rows.into_iter().map(other).filter_map(Result::transpose).collect()
    }
}
