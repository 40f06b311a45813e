//! Which of the new records belong to another move that was found.

use wire::traffic::TrafficRecord;

use super::{Beside, Ours};
use crate::sight::Sight;

/// How often a row occurs: equal rows in one second are both real.
pub(super) fn times(row: &TrafficRecord, rows: &[TrafficRecord]) -> usize {
    rows.iter().filter(|one| *one == row).count()
}

/// The records of a move that was found, as far as they are new: no more of a list than are its own. `claimed`: what was
/// given and taken before this move was sent, and is another's already.
pub(super) fn take_records(other: &Beside, before: &Sight, claimed: &mut [Vec<TrafficRecord>; 2], ours: &mut Ours) {
    let records = other.records.as_deref().unwrap_or_default();
    let is_old = |row: &TrafficRecord, list: fn(&Sight) -> &Vec<TrafficRecord>| {
        times(row, list(before)) > times(row, other.before(list))
    };
    let [of_given, of_taken] = claimed;
    let mut of_given = claim(other, before, |sight| &sight.given, of_given);
    let mut of_taken = claim(other, before, |sight| &sight.taken, of_taken);
    for record in records.iter().filter(|row| !is_old(row, |sight| &sight.given) && !is_old(row, |sight| &sight.taken))
    {
        if let Some(at) = ours.given.iter().position(|row| row == record).filter(|_| of_given < other.copies) {
            ours.given.remove(at);
            ours.explained += record.count.value();
            of_given += 1;
        } else if let Some(at) = ours.taken.iter().position(|row| row == record).filter(|_| of_taken < other.copies) {
            ours.taken.remove(at);
            of_taken += 1;
            // One move may show in both lists; that is still one.
            if of_taken > of_given {
                ours.explained -= record.count.value().abs();
            }
        }
    }
}

/// What came before this move was sent, was not there before the other one, and is nobody else's: so many are the other
/// one's own already.
fn claim(
    other: &Beside,
    before: &Sight,
    list: fn(&Sight) -> &Vec<TrafficRecord>,
    claimed: &mut Vec<TrafficRecord>,
) -> usize {
    let mut own = 0;
    for row in other.records.iter().flatten() {
        let of_others = times(row, other.before(list)).max(times(row, claimed));
        if own < other.copies && times(row, list(before)) > of_others {
            claimed.push(row.clone());
            own += 1;
        }
    }
    own
}
