//! What may stand among the records of a move besides its own: what somebody else moved, and other moves of this
//! program that the vendor refused and may still carry out. Pure; `known.rs` asks the journal.

mod records;

use rust_decimal::Decimal;
use wire::traffic::TrafficRecord;

use self::records::{take_records, times};
use crate::evidence::compare::is_it;
use crate::evidence::learned::Creator;
use crate::evidence::snapshot::Snapshot;
use crate::writes::gb::GbFactor;
use crate::writes::traffic_move::{Direction, TrafficMove};

/// What is known of a vendor and of a customer when records are compared.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// MB of a GB, once learnt.
    pub factor: Option<GbFactor>,
    /// Who our own records of this direction name, once learnt.
    pub creator: Option<Creator>,
    /// Other moves of the customer whose records may be new as well.
    pub beside: Vec<Beside>,
}

/// Another move of the same customer.
#[derive(Clone, Debug)]
pub struct Beside {
    /// What it moves.
    pub moved: TrafficMove,
    /// Records of its amount, where a look has shown them.
    pub records: Option<Vec<TrafficRecord>>,
    /// How many of them are its own: one, or two of a move that was done twice.
    pub copies: usize,
    /// Of two moves of one amount it is the one whose record is seen first.
    pub goes_first: bool,
    /// What was there before it was sent: none of that is its own.
    pub before: Option<Snapshot>,
}

impl Beside {
    /// What was there before it was sent, of one of the lists.
    fn before(&self, list: fn(&Snapshot) -> &Vec<TrafficRecord>) -> &[TrafficRecord] {
        self.before.as_ref().map_or(&[], |before| list(before))
    }
}

/// New records of one look, those of others taken away.
pub(crate) struct Ours {
    /// Records of type 0.
    pub(crate) given: Vec<TrafficRecord>,
    /// Records of type 1.
    pub(crate) taken: Vec<TrafficRecord>,
    /// What others changed of the figure, MB.
    pub(crate) explained: Decimal,
    /// Somebody else's records of the very amount.
    pub(crate) alike_of_others: usize,
    /// Only records with the sign of their direction count.
    pub(crate) strict: bool,
    /// A record is of this move by one count of a GB, and of another move by the other count.
    pub(crate) is_ambiguous: bool,
    /// Moves of the same amount whose records nobody can tell from ours: how many come before, how many behind.
    rivals: [usize; 2],
}

impl Ours {
    /// How many of so many records alike are ours.
    pub(crate) fn share(&self, alike: usize) -> usize {
        let [before, behind] = self.rivals;
        let left = alike.saturating_sub(before);
        // One for each that comes behind; what is too much for all is told of the first.
        if before > 0 { left.min(1) } else { left.min(1) + left.saturating_sub(1 + behind) }
    }
}

impl Known {
    /// Takes away what is certainly not the move's own.
    pub(crate) fn split(
        &self,
        moved: &TrafficMove,
        before: &Snapshot,
        given: &[TrafficRecord],
        taken: &[TrafficRecord],
    ) -> Ours {
        let strict = self.beside.iter().any(|other| other.moved.direction != moved.direction);
        let (given, taken) = (given.to_vec(), taken.to_vec());
        let explained = Decimal::ZERO;
        let mut ours =
            Ours { given, taken, explained, alike_of_others: 0, strict, is_ambiguous: false, rivals: [0; 2] };
        self.take_strangers(moved, &mut ours);
        // What is known comes first: only what is left may be a rival's.
        let (seen, unseen): (Vec<_>, Vec<_>) = self.beside.iter().partition(|other| other.records.is_some());
        take_records(&seen, before, &mut ours);
        let mut most = [0; 2];
        for other in unseen {
            if (moved.direction, moved.gb) == (other.moved.direction, other.moved.gb) {
                let (side, free) = (usize::from(!other.goes_first), self.free_for(other, moved, before, &ours));
                ours.rivals[side] += usize::from(free > 0);
                most[side] = free.max(most[side]);
            } else {
                self.take_alike(moved, other, &mut ours);
            }
        }
        ours.rivals = [0, 1].map(|side| ours.rivals[side].min(most[side]));
        ours
    }

    /// How many of the records alike may be another move's: those that were there before it was sent are not.
    fn free_for(&self, other: &Beside, moved: &TrafficMove, before: &Snapshot, ours: &Ours) -> usize {
        let free = |new: &[TrafficRecord], list: fn(&Snapshot) -> &Vec<TrafficRecord>| {
            let between = |row| times(row, other.before(list)).saturating_sub(times(row, list(before)));
            let is_free = |at: usize| times(&new[at], &new[..=at]) > between(&new[at]);
            (0..new.len()).filter(|at| self.is_any(moved, &new[*at], ours.strict) && is_free(*at)).count()
        };
        // One move may show in both lists; that is still one.
        free(&ours.given, |snapshot| &snapshot.given).max(free(&ours.taken, |snapshot| &snapshot.taken))
    }

    fn is_any(&self, moved: &TrafficMove, row: &TrafficRecord, strict: bool) -> bool {
        GbFactor::possible(self.factor).any(|factor| is_it(moved, row, factor, strict))
    }

    /// Records that name another operator than ours do. Use is recorded too: only the word of a deduction counts.
    fn take_strangers(&self, moved: &TrafficMove, ours: &mut Ours) {
        let Some(creator) = &self.creator else { return };
        let (mut explained, mut alike, mut shown) = (Decimal::ZERO, [0; 2], Vec::new());
        let mut take = |row: &TrafficRecord, list: usize| {
            if !creator.is_another(row) {
                return true;
            }
            alike[list] += usize::from(self.is_any(moved, row, false));
            let amount = row.count.value();
            if list == 0 {
                explained += amount;
                shown.push(amount.abs());
            } else if let Some(at) = shown.iter().position(|one| *one == amount.abs()) {
                // One move may show in both lists; that is still one.
                shown.remove(at);
            } else if !creator.word.is_empty() && row.kind == creator.word {
                explained -= amount.abs();
            }
            false
        };
        ours.given.retain(|row| take(row, 0));
        if moved.direction == Direction::Deduction {
            ours.taken.retain(|row| take(row, 1));
        }
        ours.explained += explained;
        ours.alike_of_others = alike[0].max(alike[1]);
    }

    /// Records of a move that is still watched, where its amount tells them from ours.
    fn take_alike(&self, moved: &TrafficMove, other: &Beside, ours: &mut Ours) {
        let strict = ours.strict;
        let mut explained = Decimal::ZERO;
        let is_theirs =
            |row: &TrafficRecord| self.is_any(&other.moved, row, strict) && !self.is_any(moved, row, strict);
        let is_either = |row: &TrafficRecord| self.is_any(&other.moved, row, strict) && self.is_any(moved, row, strict);
        ours.is_ambiguous |= ours.given.iter().chain(&ours.taken).any(is_either);
        let all_given = ours.given.len();
        ours.given.retain(|row| {
            let theirs = is_theirs(row);
            explained += if theirs { row.count.value() } else { Decimal::ZERO };
            !theirs
        });
        let is_shown = ours.given.len() < all_given;
        ours.taken.retain(|row| {
            let theirs = other.moved.direction == Direction::Deduction && is_theirs(row);
            // One move may show in both lists; that is still one.
            explained -= if theirs && !is_shown { row.count.value().abs() } else { Decimal::ZERO };
            !theirs
        });
        ours.explained += explained;
    }
}

#[cfg(test)]
mod tests;
