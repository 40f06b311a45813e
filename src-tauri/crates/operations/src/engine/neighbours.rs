//! Other moves of a customer, whose records a check of one of them may show.

use wire::traffic::TrafficRecord;

use crate::decide::Check;
use crate::engine::OperationError;
use crate::engine::check::{AUDITED_FOR, Checks};
use crate::evidence::beside::{Beside, Known};
use crate::evidence::compare::{Evidence, compare};
use crate::evidence::record::may_be;
use crate::evidence::snapshot::Snapshot;
use crate::journal::row::Row;
use crate::journal::{Journal, JournalError};
use crate::words::cause::Cause;
use crate::words::finding::Finding;
use crate::words::state::{Kind, Reason, Said, State};
use crate::writes::traffic_move::TrafficMove;

impl Checks<'_> {
    /// Compares a snapshot with the one before the move. Returns the finding and its evidence.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read; then the snapshot says nothing.
    pub(crate) fn compare_beside(
        &self,
        row: &Row,
        (moved, before): (&TrafficMove, &Snapshot),
        after: &Snapshot,
    ) -> Result<(Finding, Evidence), OperationError> {
        // Once a like move was sent, its records cannot be told from a copy of this one. The snapshot before that send
        // is the last that can tell.
        let like = if row.state.is_done() { self.like_since(row, moved)? } else { None };
        let known = self.known_beside(row, moved, like.as_ref())?;
        match like {
            Some(like) => Ok(compare_until(&like, (row, moved, before), &known)),
            None => Ok(compare(moved, before, after, &known)),
        }
    }

    /// The first move that was sent since and whose records could be those of a second copy of this one: the same
    /// again, or the one that takes it back. A move that certainly did nothing does not count.
    pub(crate) fn like_since(&self, row: &Row, moved: &TrafficMove) -> Result<Option<Row>, OperationError> {
        let factor = self.0.lessons().learned()?.map(|learned| learned.factor);
        // A no that was believed at once is certain; one that was waited for may still be carried out.
        let did_nothing =
            |other: &Row| other.state == State::NotSent || (other.state == State::Rejected && other.checks == 0);
        let is_like = |other: &Row| {
            other
                .intent
                .moved()
                .is_some_and(|other| other.counter_of.as_ref() == Some(&row.id) || other.is_alike(moved, factor))
        };
        let later = self.0.journal().operations().moves_sent_after(row)?;
        Ok(later.into_iter().find(|other| !did_nothing(other) && is_like(other)))
    }

    /// Whether a deduction without a yes may still be carried out, although a check has found it: what was found may be
    /// a copy of a like one (seed 624321). Both of them are checked until the schedule of the first is over.
    pub(crate) fn may_another_come(&self, row: &Row, check: Check) -> Result<bool, OperationError> {
        let Some(moved) = row.intent.moved().filter(|_| row.kind == Kind::Deduction && row.state.is_done()) else {
            return Ok(false);
        };
        if row.said != Some(Said::Yes) && check.since < self.0.schedule().checks.iter().sum() {
            return Ok(true);
        }
        let factor = self.0.lessons().learned()?.map(|learned| learned.factor);
        let before = self.0.journal().operations().deductions_without_yes_before(row)?;
        // One that can never be read must not keep this one watched for ever.
        let is_read = |other: &&Row| self.0.times().since_send(&other.id) < AUDITED_FOR;
        let mut others = before.iter().filter(is_read).filter_map(|other| other.intent.moved());
        Ok(others.any(|other| other.is_alike(moved, factor)))
    }

    /// The facts to compare a move with. `until` excludes that move and everything sent after it.
    fn known_beside(&self, row: &Row, moved: &TrafficMove, until: Option<&Row>) -> Result<Known, OperationError> {
        let journal = self.0.journal();
        let factor = journal.lessons().learned()?.map(|learned| learned.factor);
        let (creator, beside) = (journal.lessons().creator(moved.direction)?, beside(&journal, row, until)?);
        Ok(Known { factor, creator, beside })
    }
}

/// Compares with the snapshot before a later move was sent. `Nothing` if the two snapshots cannot be compared.
fn compare_until(
    like: &Row,
    (row, moved, before): (&Row, &TrafficMove, &Snapshot),
    known: &Known,
) -> (Finding, Evidence) {
    let seen = like.baseline.as_ref().filter(|_| like.kind == row.kind).map(|after| {
        // A snapshot of the next day reaches back less far.
        let before = before.since(after.day.plus(-1));
        compare(moved, &before, after, known)
    });
    seen.filter(|(finding, _)| *finding != Finding::Unreadable).unwrap_or((Finding::Nothing, Evidence::default()))
}

/// Moves of the same customer whose records a check of this row may show: refused moves; done moves of its own
/// direction before it, which the snapshot before it may have missed; and, if this one was refused or is done, moves
/// that came after it.
fn beside(journal: &Journal, row: &Row, until: Option<&Row>) -> Result<Vec<Beside>, JournalError> {
    let lets_others_go = row.said == Some(Said::No) || row.state.is_done();
    let rows = journal.operations().moves_beside(row, lets_others_go, until)?;
    // If both directions are there, the sign tells them apart.
    let strict = rows.iter().any(|other| other.kind != row.kind);
    let other = |other: Row| -> Result<Option<Beside>, JournalError> {
        let Some(moved) = other.intent.moved().cloned() else { return Ok(None) };
        let comes_later = journal.operations().was_sent_after(&other, row)?;
        // A person's verdict changes the state, not what was seen.
        let is_decided = other.state.is_done() || other.reason == Some(Reason::Doubled);
        let was_doubled = journal.events().has(&other, Cause::SawTwice)?
            || is_decided && journal.events().has(&other, Cause::SawSurplus)?;
        let is_seen = other.state.is_done() || was_doubled;
        let records = other.evidence.filter(|_| is_seen).map(|evidence| evidence.records);
        let refused = [other.said, row.said].map(|said| said == Some(Said::No));
        let goes_first = if refused[0] == refused[1] { !comes_later } else { refused[1] };
        let copies = if was_doubled { 2 } else { 1 };
        let creator = journal.lessons().creator(moved.direction)?;
        let is_strange = |record: &TrafficRecord| creator.as_ref().is_some_and(|creator| creator.is_another(record));
        let of_it = |mut records: Vec<TrafficRecord>| {
            records.retain(|record| may_be(&moved, record, strict) && !is_strange(record));
            records
        };
        let records = records.map(of_it).filter(|records: &Vec<TrafficRecord>| !records.is_empty());
        // A move that a person found done without a record is past, unless its record may lag.
        let may_lag = may_lag(&moved, other.baseline.as_ref(), row.baseline.as_ref());
        let is_past = other.state.is_done() && records.is_none() && !comes_later && !may_lag;
        let before = other.baseline;
        Ok((!is_past).then_some(Beside { records, copies, goes_first, came_before: !comes_later, moved, before }))
    };
    rows.into_iter().map(other).filter_map(Result::transpose).collect()
}

/// Whether the record of a done move may appear only after a later move was sent (seed 77445): at most a day lies between
/// them, and the snapshot before the later one shows no new record of the amount.
fn may_lag(moved: &TrafficMove, before: Option<&Snapshot>, later: Option<&Snapshot>) -> bool {
    let Some((before, later)) = before.zip(later) else { return false };
    let old = before.since(later.day.plus(-1));
    let count = |rows: &[TrafficRecord]| rows.iter().filter(|row| may_be(moved, row, false)).count();
    let is_shown = count(&later.given) > count(&old.given) || count(&later.taken) > count(&old.taken);
    later.day <= before.day.plus(1) && !is_shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::gb::{Gb, GbFactor};
    use crate::writes::traffic_move::Direction;

    #[test]
    fn a_record_may_lag_for_a_day_until_the_snapshot_before_the_next_move_shows_a_new_one() {
        let moved = TrafficMove {
            direction: Direction::Recharge,
            customer_id: wire::ids::CustomerId::new("7"),
            user_name: "one@x.com".into(),
            gb: Gb::parse("5", GbFactor::Binary).unwrap(),
            factor: GbFactor::Binary,
            shown_recharged: None,
            counter_of: None,
        };
        let record = |mb: i64, time: &str| -> TrafficRecord {
            let json = format!(r#"{{"customerId":7,"flowCount":{mb},"createTime":"2026-11-26 {time}"}}"#);
            serde_json::from_str(&json).unwrap()
        };
        let on =
            |day: &str, given: Vec<TrafficRecord>| Snapshot { day: day.parse().unwrap(), given, ..Snapshot::default() };
        let old = record(5120, "10:00:00");
        let before = on("2026-11-26", vec![old.clone()]);
        let cases = [
            ("not yet", on("2026-11-26", vec![old.clone()]), true),
            ("another amount", on("2026-11-26", vec![old.clone(), record(1024, "11:00:00")]), true),
            ("shown", on("2026-11-26", vec![old.clone(), record(5120, "11:00:00")]), false),
            ("the next day", on("2026-11-27", vec![old]), true),
            ("long ago", on("2026-11-28", Vec::new()), false),
        ];
        for (name, later, expected) in cases {
            assert_eq!(may_lag(&moved, Some(&before), Some(&later)), expected, "{name}");
        }
        assert!(!may_lag(&moved, None, Some(&before)), "nothing to compare with");
    }
}
