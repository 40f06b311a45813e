//! Decides which records belong to other moves that were found.

use rust_decimal::Decimal;
use wire::traffic::TrafficRecord;

use super::{Beside, Ours};
use crate::evidence::snapshot::Snapshot;

type List = fn(&Snapshot) -> &Vec<TrafficRecord>;

/// How often a row occurs: equal rows in one second are both real.
pub(super) fn times(row: &TrafficRecord, rows: &[TrafficRecord]) -> usize {
    rows.iter().filter(|one| *one == row).count()
}

/// Takes away the new records of moves that were found. A check also shows the records of others, so one record may fit
/// several moves. Each move gets as many records as are its own, preferably of those that were there before this move
/// was sent.
pub(super) fn take_records(others: &[&Beside], before: &Snapshot, ours: &mut Ours) {
    let given = Owned::of(others, before, |snapshot| &snapshot.given, &ours.given);
    let taken = Owned::of(others, before, |snapshot| &snapshot.taken, &ours.taken);
    for (at, other) in others.iter().enumerate() {
        let of_given = given.old[at] + given.new_of(at).count();
        let given_to_them = given.new_of(at).map(|row| ours.given[row].count.value());
        let explained = given_to_them.fold(Decimal::ZERO, Decimal::saturating_add);
        // One move may show in both lists; that is still one.
        let unshown = taken.new_of(at).skip(of_given.saturating_sub(taken.old[at]));
        let taken_from_them = unshown.map(|row| ours.taken[row].count.value().abs());
        let explained = taken_from_them.fold(explained, Decimal::saturating_sub);
        ours.explain(explained, other.came_before);
    }
    given.keep_free(&mut ours.given);
    taken.keep_free(&mut ours.taken);
}

/// The owners of the records of one list.
struct Owned {
    /// How many of the old records each move owns.
    old: Vec<usize>,
    /// The owner of each new record.
    new: Vec<Option<usize>>,
}

impl Owned {
    fn of(others: &[&Beside], before: &Snapshot, list: List, new: &[TrafficRecord]) -> Self {
        let is_anyones =
            |row: &&TrafficRecord| others.iter().any(|other| other.records.iter().flatten().any(|one| one == *row));
        let old: Vec<&TrafficRecord> = list(before).iter().filter(is_anyones).collect();
        let rows: Vec<&TrafficRecord> = old.iter().copied().chain(new).collect();
        let is_its = |at: usize, other: &Beside| {
            // Of equal rows, the first are those that were there before a move was sent.
            let earlier = rows[..at].iter().filter(|row| *row == &rows[at]).count();
            other.records.iter().flatten().any(|row| row == rows[at]) && earlier >= times(rows[at], other.before(list))
        };
        let slots: Vec<usize> = others
            .iter()
            .enumerate()
            .flat_map(|(at, other)| {
                std::iter::repeat_n(at, other.copies.min(other.records.as_ref().map_or(0, Vec::len)))
            })
            .collect();
        let edges = slots.iter().map(|other| (0..rows.len()).filter(|at| is_its(*at, others[*other])).collect());
        let mut matching = Matching { edges: edges.collect(), slot_of: vec![None; rows.len()] };
        matching.fill(old.len());
        matching.fill(rows.len());
        let owners: Vec<Option<usize>> = matching.slot_of.iter().map(|slot| slot.map(|slot| slots[slot])).collect();
        let (of_old, of_new) = owners.split_at(old.len());
        let count = |at| of_old.iter().filter(|owner| **owner == Some(at)).count();
        Self { old: (0..others.len()).map(count).collect(), new: of_new.to_vec() }
    }

    /// The new records of a move, by their positions in the list.
    fn new_of(&self, of: usize) -> impl Iterator<Item = usize> {
        (0..self.new.len()).filter(move |at| self.new[*at] == Some(of))
    }

    /// Keeps only the records without an owner.
    fn keep_free(&self, rows: &mut Vec<TrafficRecord>) {
        let mut owners = self.new.iter();
        rows.retain(|_| owners.next().is_none_or(Option::is_none));
    }
}

/// Gives as many records as possible an owner, by augmenting paths.
struct Matching {
    /// The records that each slot can take.
    edges: Vec<Vec<usize>>,
    /// The slot that took each record.
    slot_of: Vec<Option<usize>>,
}

impl Matching {
    /// Fills the free slots from the first `within` records.
    fn fill(&mut self, within: usize) {
        for slot in 0..self.edges.len() {
            if !self.slot_of.contains(&Some(slot)) {
                self.augment(slot, within, &mut vec![false; within]);
            }
        }
    }

    fn augment(&mut self, slot: usize, within: usize, seen: &mut [bool]) -> bool {
        for at in self.edges[slot].clone().into_iter().filter(|at| *at < within) {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            if self.slot_of[at].is_none_or(|owner| self.augment(owner, within, seen)) {
                self.slot_of[at] = Some(slot);
                return true;
            }
        }
        false
    }
}
