//! Records of traffic: which move one may show, from which day they are, how often one occurs. Pure.

use std::borrow::Borrow;
use std::collections::HashMap;

use wire::traffic::TrafficRecord;
use wire::{Amount, Day};

use crate::words::gb::GbFactor;
use crate::writes::traffic_move::{Direction, TrafficMove};

/// Whether a record shows the move, by this count of a GB. A recharge shows with its sign; the contract does not
/// promise where and with which sign a deduction shows. `strict` accepts only the sign of the move's direction.
pub(crate) fn is_it(moved: &TrafficMove, row: &TrafficRecord, factor: GbFactor, strict: bool) -> bool {
    if strict && moved.direction == Direction::Deduction && row.count > Amount::ZERO {
        return false;
    }
    let (count, wanted) = (row.count.value(), moved.change(factor).value());
    let count = if moved.direction == Direction::Recharge { count } else { -count.abs() };
    (count - wanted).abs() <= moved.gb.tolerance(factor)
}

/// Whether a record may show a move, by either count of a GB.
pub(crate) fn may_be(moved: &TrafficMove, row: &TrafficRecord, strict: bool) -> bool {
    GbFactor::ALL.into_iter().any(|factor| is_it(moved, row, factor, strict))
}

/// The records of the amount of a move, by either count of a GB.
pub(crate) fn alike<'a>(
    moved: &TrafficMove,
    records: impl IntoIterator<Item = &'a TrafficRecord>,
) -> Vec<TrafficRecord> {
    records.into_iter().filter(|record| may_be(moved, record, false)).cloned().collect()
}

/// The records of the sign that most of them have. Copies of one request have one sign; the other is that of whoever
/// moved it back.
pub(crate) fn of_one_sign<R: Borrow<TrafficRecord>>(rows: impl IntoIterator<Item = R>) -> Vec<R> {
    let (back, forth): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.borrow().count < Amount::ZERO);
    if back.len() >= forth.len() { back } else { forth }
}

/// Whether two records name one operator.
pub(crate) fn are_of_one_operator(one: &TrafficRecord, other: &TrafficRecord) -> bool {
    one.create_id == other.create_id && one.create_by == other.create_by
}

/// The records from a day on. A record whose day cannot be read stays.
pub(crate) fn since(day: Day, rows: &[TrafficRecord]) -> Vec<TrafficRecord> {
    let day_of = |row: &TrafficRecord| row.create_time.get(..10).and_then(|day| day.parse::<Day>().ok());
    rows.iter().filter(|row| day_of(row).is_none_or(|of| of >= day)).cloned().collect()
}

/// Counts how often each row occurs: equal rows in one second are both real.
pub(crate) fn counted<'a>(rows: impl IntoIterator<Item = &'a TrafficRecord>) -> HashMap<&'a TrafficRecord, usize> {
    let mut counts = HashMap::new();
    for row in rows {
        *counts.entry(row).or_default() += 1;
    }
    counts
}
