//! Separates the records of a move from others beside them: those of someone else, and those of this program's other
//! moves, which are done, or were refused and may still be carried out. Pure; `engine/neighbours.rs` asks the journal.

mod records;

use rust_decimal::Decimal;
use wire::traffic::TrafficRecord;

use self::records::{take_records, times};
use crate::evidence::learned::Creator;
use crate::evidence::record::is_it;
use crate::evidence::snapshot::Snapshot;
use crate::words::gb::GbFactor;
use crate::writes::traffic_move::{Direction, TrafficMove};

/// Facts about a vendor and a customer for the comparison of records.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// MB of a GB, once learned.
    pub factor: Option<GbFactor>,
    /// The operator that our own records of this direction name, once learned.
    pub creator: Option<Creator>,
    /// Other moves of the customer whose records may also be new.
    pub beside: Vec<Beside>,
}

/// Another move of the same customer.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The move itself.
    pub moved: TrafficMove,
    /// Records of its amount; `None` if no check has shown any.
    pub records: Option<Vec<TrafficRecord>>,
    /// How many of these records are its own: one, or two if the move was done twice.
    pub copies: usize,
    /// Whether its record comes first, of two moves of the same amount.
    pub goes_first: bool,
    /// Whether it was sent before this move: then the figure before this move may include it, although its record was
    /// read later, or lagged.
    pub came_before: bool,
    /// The snapshot before it was sent: none of those records is its own.
    pub before: Option<Snapshot>,
}

impl Beside {
    /// One list of the snapshot before it was sent.
    fn before(&self, list: fn(&Snapshot) -> &Vec<TrafficRecord>) -> &[TrafficRecord] {
        self.before.as_ref().map_or(&[], |before| list(before))
    }
}

/// The new records of one snapshot, without those of others.
pub(crate) struct Ours {
    /// Records of type 0.
    pub(crate) given: Vec<TrafficRecord>,
    /// Records of type 1.
    pub(crate) taken: Vec<TrafficRecord>,
    /// The part of the figure's change that is due to others, MB. A sum too long for a decimal is rounded; it
    /// then differs from the figure's change, and the witnesses disagree.
    pub(crate) explained: Decimal,
    /// Parts of it that the figure before the send may include already, MB: first those of others, then our own.
    early: Vec<Decimal>,
    /// Number of records of exactly this amount that name another operator.
    pub(crate) alike_of_others: usize,
    /// Whether only records with the sign of the move's direction count.
    pub(crate) strict: bool,
    /// Whether a record fits this move by one count of a GB and another move by the other count.
    pub(crate) is_ambiguous: bool,
    /// Number of moves of the same amount whose records cannot be told from ours: those that come before, and those
    /// that come after.
    rivals: [usize; 2],
}

/// The most early parts that are tried: with enough of them, every figure would fit.
const EARLY: usize = 4;

impl Ours {
    /// Notes that others changed the figure; `may_be_early` if the figure before the send may include it already.
    fn explain(&mut self, amount: Decimal, may_be_early: bool) {
        self.explained = self.explained.saturating_add(amount);
        if may_be_early && !amount.is_zero() {
            self.early.push(amount);
        }
    }

    /// What others may have changed since the figure before the send, MB: everything that is explained, then the same
    /// without some early parts, our own first.
    pub(crate) fn explanations(&self) -> Vec<Decimal> {
        let mut all = vec![self.explained];
        for early in self.early.iter().rev().take(EARLY) {
            let without: Vec<_> = all.iter().map(|sum| sum.saturating_sub(*early)).collect();
            all.extend(without);
        }
        all
    }

    /// How many of so many like records are ours.
    pub(crate) fn share(&self, alike: usize) -> usize {
        let [before, after] = self.rivals;
        let left = alike.saturating_sub(before);
        // Each move that comes after gets one. Any excess over all of them is reported for the move that comes first.
        if before > 0 { left.min(1) } else { left.min(1) + left.saturating_sub(1 + after) }
    }
}

impl Known {
    /// Takes away what certainly does not belong to the move.
    pub(crate) fn split(
        &self,
        moved: &TrafficMove,
        before: &Snapshot,
        given: &[TrafficRecord],
        taken: &[TrafficRecord],
    ) -> Ours {
        let strict = self.beside.iter().any(|other| other.moved.direction != moved.direction);
        let (given, taken) = (given.to_vec(), taken.to_vec());
        let mut ours = Ours {
            given,
            taken,
            explained: Decimal::ZERO,
            early: Vec::new(),
            alike_of_others: 0,
            strict,
            is_ambiguous: false,
            rivals: [0; 2],
        };
        self.take_strangers(moved, &mut ours);
        // Known records are taken first: only what is left may belong to a rival.
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

    /// How many of the like records may belong to the other move: not those that were there before it was sent.
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

    /// Takes away the records that name another operator than ours do. Use is recorded among what was taken too, so
    /// there only rows with the word of a deduction explain the figure.
    fn take_strangers(&self, moved: &TrafficMove, ours: &mut Ours) {
        let Some(creator) = &self.creator else { return };
        let (mut explained, mut alike, mut shown) = (Vec::new(), [0; 2], Vec::new());
        let mut take = |row: &TrafficRecord, list: usize| {
            if !creator.is_another(row) {
                return true;
            }
            alike[list] += usize::from(self.is_any(moved, row, false));
            let amount = row.count.value();
            if list == 0 {
                explained.push(amount);
                shown.push(amount.abs());
            } else if let Some(at) = shown.iter().position(|one| *one == amount.abs()) {
                // One move may show in both lists; that is still one.
                shown.remove(at);
            } else if !creator.word.is_empty() && row.kind == creator.word {
                explained.push(-amount.abs());
            }
            false
        };
        ours.given.retain(|row| take(row, 0));
        if moved.direction == Direction::Deduction {
            ours.taken.retain(|row| take(row, 1));
        }
        for amount in explained {
            ours.explain(amount, true);
        }
        ours.alike_of_others = alike[0].max(alike[1]);
    }

    /// Takes away the records of a move that is still watched, where the amount tells them from ours.
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
        ours.explain(explained, other.came_before);
    }
}

#[cfg(test)]
mod tests;
