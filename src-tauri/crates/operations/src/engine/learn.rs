//! What was learned about this vendor from moves of traffic.

use wire::traffic::TrafficRecord;

use crate::engine::check::Seen;
use crate::engine::{OperationError, Operations};
use crate::evidence::compare::Evidence;
use crate::evidence::learned::{Creator, Learned};
use crate::evidence::record::is_it;
use crate::journal::row::Row;
use crate::words::finding::Finding;
use crate::words::state::{Said, State};
use crate::writes::intent::Intent;

/// Learns about the vendor, and forgets.
pub struct Lessons<'a>(pub(super) &'a Operations);

impl Lessons<'_> {
    /// What was learned about this vendor; `None` if nothing was yet.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn learned(&self) -> Result<Option<Learned>, OperationError> {
        Ok(self.0.journal().lessons().learned()?)
    }

    /// Forgets it: the connection leads elsewhere, or a person knows better.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn forget_learned(&self) -> Result<(), OperationError> {
        Ok(self.0.journal().lessons().forget_learned()?)
    }

    /// Forgets which operator our records name: the token was replaced, maybe by another operator's. Moves teach one again
    /// after [`Operations::use_account`].
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn forget_creators(&self) -> Result<(), OperationError> {
        Ok(self.0.journal().lessons().forget_creators()?)
    }

    /// Stores what the check of a move teaches, if nothing taught it before. `before` is the row that was checked,
    /// `row` the same after its commit.
    pub(crate) fn learn_from(&self, before: &Row, row: &Row, seen: &Seen) -> Result<(), OperationError> {
        if before.state != State::Verifying {
            return Ok(());
        }
        let finding = seen.finding;
        let record = plain_record(row, finding, seen.evidence.as_ref());
        let journal = self.0.journal();
        if let Some((moved, creator)) = row.intent.moved().zip(record.and_then(Creator::of)) {
            journal.lessons().learn_creator(row, moved.direction, &creator)?;
        }
        if let Some(learned) = learned_from(row, finding, record, self.0.times().now()) {
            journal.lessons().learn(&learned)?;
        }
        Ok(())
    }
}

/// The record of a plain move: a yes to the first send, and no other record of its amount since.
fn plain_record<'a>(row: &Row, finding: Finding, evidence: Option<&'a Evidence>) -> Option<&'a TrafficRecord> {
    let plain = row.state == State::Applied && row.said == Some(Said::Yes) && !row.in_doubt;
    let (Finding::Once { factor }, Intent::Move(moved), true) = (finding, &row.intent, plain) else { return None };
    let mut alike = evidence?.records.iter().filter(|record| is_it(moved, record, factor, false));
    alike.next().filter(|_| alike.next().is_none())
}

/// What a single record that agrees with the second witness teaches about the vendor's count.
fn learned_from(row: &Row, finding: Finding, record: Option<&TrafficRecord>, now: i64) -> Option<Learned> {
    let Finding::Once { factor } = finding else { return None };
    let record = record.filter(|_| row.intent.moved().is_some_and(|moved| moved.gb.tells_factor()))?;
    Some(Learned {
        factor,
        word: record.kind.clone(),
        lag: now.saturating_sub(row.created),
        operation: row.id.clone(),
        at: now,
    })
}
