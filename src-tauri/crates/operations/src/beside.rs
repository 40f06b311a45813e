//! What may stand among the records of a move besides its own: what somebody else moved, and other moves of this
//! program that the vendor refused and may still carry out. Pure; `known.rs` asks the journal.

mod known;
mod records;

use rust_decimal::Decimal;
use wire::traffic::TrafficRecord;

use self::records::{take_records, times};
use crate::finding::is_it;
use crate::gb::GbFactor;
use crate::lesson::Creator;
use crate::sight::Sight;
use crate::traffic_move::{Direction, TrafficMove};

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
    pub before: Option<Sight>,
}

impl Beside {
    /// What was there before it was sent, of one of the lists.
    fn before(&self, list: fn(&Sight) -> &Vec<TrafficRecord>) -> &[TrafficRecord] {
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
        before: &Sight,
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
        let (mut seen, unseen): (Vec<_>, Vec<_>) = self.beside.iter().partition(|other| other.records.is_some());
        // A look shows the records of others too: whoever could have the fewest has the first choice.
        seen.sort_by_key(|other| other.records.as_ref().map_or(0, Vec::len));
        let mut claimed = [Vec::new(), Vec::new()];
        seen.into_iter().for_each(|other| take_records(other, before, &mut claimed, &mut ours));
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
    fn free_for(&self, other: &Beside, moved: &TrafficMove, before: &Sight, ours: &Ours) -> usize {
        let free = |new: &[TrafficRecord], list: fn(&Sight) -> &Vec<TrafficRecord>| {
            let between = |row| times(row, other.before(list)).saturating_sub(times(row, list(before)));
            let is_free = |at: usize| times(&new[at], &new[..=at]) > between(&new[at]);
            (0..new.len()).filter(|at| self.is_any(moved, &new[*at], ours.strict) && is_free(*at)).count()
        };
        // One move may show in both lists; that is still one.
        free(&ours.given, |sight| &sight.given).max(free(&ours.taken, |sight| &sight.taken))
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
mod tests {
    use super::*;
    use crate::finding::{Finding, compare};
    use crate::sight::Standing;
    use crate::traffic_move::tests::moving;
    use wire::ids::OperatorId;

    fn record(mb: &str, by: &str, second: u32) -> TrafficRecord {
        let json = format!(
            r#"{{"customerId":7,"flowCount":{mb},"createId":"{by}","createBy":"{by}","typeDesc":"moved","createTime":"2026-11-21 10:00:{second:02}"}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    fn sight(recharged: &str, given: &[TrafficRecord], taken: &[TrafficRecord]) -> Sight {
        let standing = Standing { recharged: Some(recharged.parse().unwrap()), left: None };
        let (given, taken) = (given.to_vec(), taken.to_vec());
        Sight { standing: Some(standing), given, taken, ..Sight::default() }
    }

    fn creator() -> Creator {
        Creator { id: OperatorId::new("us"), name: "us".into(), word: "moved".into() }
    }

    const ONCE: Finding = Finding::Once { factor: GbFactor::Binary };

    #[test]
    fn what_another_operator_moved_is_neither_ours_nor_in_the_way() {
        let known = Known { creator: Some(creator()), ..Known::default() };
        let (five, before) = (moving(Direction::Deduction, "5"), sight("10240", &[], &[]));
        let ours = record("-5120", "us", 1);
        let cases = [
            ("theirs beside ours", "0", vec![ours.clone(), record("-5120", "colleague", 2)], ONCE),
            ("theirs alone, of our amount", "5120", vec![record("-5120", "colleague", 2)], Finding::Disagree),
            ("theirs alone, of another", "9216", vec![record("-1024", "colleague", 2)], Finding::Nothing),
            ("ours twice", "0", vec![ours.clone(), ours.clone()], Finding::Twice),
            ("nobody's name", "5120", vec![record("-5120", "", 2)], ONCE),
        ];
        for (name, recharged, taken, expected) in cases {
            let after = sight(recharged, &[], &taken);
            assert_eq!(compare(&five, &before, &after, &known).0, expected, "{name}");
        }
    }

    #[test]
    fn a_refused_move_that_is_carried_out_late_is_told_from_the_one_behind_it() {
        let refused = |gb: &str, goes_first| Beside {
            moved: moving(Direction::Recharge, gb),
            records: None,
            copies: 1,
            goes_first,
            before: None,
        };
        let known = |beside| Known { beside: vec![beside], ..Known::default() };
        let five = moving(Direction::Recharge, "5");
        let before = sight("0", &[], &[]);
        let after = |recharged: &str, rows: &[&str]| {
            let rows: Vec<_> = rows.iter().zip(0..).map(|(mb, second)| record(mb, "us", second)).collect();
            sight(recharged, &rows, &[])
        };
        // Name, the other move, what is seen, what is found for ours.
        let cases = [
            ("the other alone", refused("3", false), after("3072", &["3072"]), Finding::Nothing),
            ("both", refused("3", false), after("8192", &["3072", "5120"]), ONCE),
            ("ours alone", refused("3", false), after("5120", &["5120"]), ONCE),
            ("one of two alike, ours first", refused("5", false), after("5120", &["5120"]), ONCE),
            ("one of two alike, the other first", refused("5", true), after("5120", &["5120"]), Finding::Nothing),
            ("two of two alike", refused("5", true), after("10240", &["5120", "5120"]), ONCE),
            ("three of two", refused("5", false), after("15360", &["5120", "5120", "5120"]), Finding::Twice),
            ("a figure without records", refused("5", false), after("5120", &[]), Finding::Disagree),
        ];
        for (name, other, after, expected) in cases {
            assert_eq!(compare(&five, &before, &after, &known(other)).0, expected, "{name}");
        }
    }

    #[test]
    fn the_record_of_a_move_that_was_found_is_taken_for_no_other() {
        let (theirs, ours) = (record("5120", "us", 1), record("5120", "us", 2));
        let found = Beside {
            moved: moving(Direction::Recharge, "5"),
            // Its look saw both.
            records: Some(vec![theirs.clone(), ours.clone()]),
            copies: 1,
            goes_first: true,
            before: None,
        };
        let known = Known { beside: vec![found], ..Known::default() };
        let five = moving(Direction::Recharge, "5");
        let compared = |before: Sight, after: Sight| compare(&five, &before, &after, &known).0;
        let empty = sight("0", &[], &[]);
        assert_eq!(compared(empty.clone(), sight("5120", std::slice::from_ref(&theirs), &[])), Finding::Nothing);
        assert_eq!(compared(empty, sight("10240", &[theirs.clone(), ours.clone()], &[])), ONCE);
        let there_before = sight("5120", std::slice::from_ref(&theirs), &[]);
        assert_eq!(compared(there_before, sight("10240", &[theirs, ours], &[])), ONCE);
    }

    /// The look at the first of three moves alike, carried out last, has shown the records of all; the second had its own
    /// before the third was sent.
    #[test]
    fn a_record_that_is_anothers_already_is_none_of_what_a_look_has_shown_beside_it() {
        let [late, second, third] = [3, 1, 2].map(|at| record("5120", "us", at));
        let found = |records: &[TrafficRecord]| Beside {
            moved: moving(Direction::Recharge, "5"),
            records: Some(records.to_vec()),
            copies: 1,
            goes_first: true,
            before: Some(sight("0", &[], &[])),
        };
        let all = [second.clone(), third, late];
        let beside = vec![found(&all), found(std::slice::from_ref(&second))];
        let known = Known { beside, ..Known::default() };
        let (before, after) = (sight("5120", std::slice::from_ref(&second), &[]), sight("15360", &all, &[]));
        assert_eq!(compare(&moving(Direction::Recharge, "5"), &before, &after, &known).0, ONCE);
    }

    #[test]
    fn a_record_that_is_of_two_moves_by_two_counts_of_a_gb_proves_neither() {
        let refused = Beside { moved: moving(Direction::Recharge, "1000"), ..rival(&[]) };
        let found = |mb: &str, factor| {
            let known = Known { beside: vec![refused.clone()], factor, ..Known::default() };
            let after = sight(mb, &[record(mb, "us", 1)], &[]);
            compare(&moving(Direction::Recharge, "1024"), &sight("0", &[], &[]), &after, &known).0
        };
        let once = |factor| Finding::Once { factor };
        assert_eq!(found("1024000", None), Finding::Disagree);
        assert_eq!(found("1024000", Some(GbFactor::Thousand)), once(GbFactor::Thousand));
        assert_eq!(found("1024000", Some(GbFactor::Binary)), Finding::Nothing, "it is the other one");
        assert_eq!(found("1048576", None), once(GbFactor::Binary));
    }

    /// Another recharge of 5 GB, first in turn, before which these records were there.
    fn rival(before: &[TrafficRecord]) -> Beside {
        Beside {
            moved: moving(Direction::Recharge, "5"),
            records: None,
            copies: 1,
            goes_first: true,
            before: Some(sight("5120", before, &[])),
        }
    }

    /// Seed 42899 of the simulation: a refused recharge that was carried out was called rejected, because its record
    /// was taken for that of the next one, before which it had been seen.
    #[test]
    fn a_record_that_was_there_before_the_other_move_is_none_of_it() {
        let (ours, next) = (record("5120", "us", 1), record("5120", "us", 2));
        let found = |rival: Beside, recharged: &str, after: &[TrafficRecord]| {
            let known = Known { beside: vec![rival], ..Known::default() };
            compare(&moving(Direction::Recharge, "5"), &sight("0", &[], &[]), &sight(recharged, after, &[]), &known).0
        };
        let alone = std::slice::from_ref(&ours);
        assert_eq!(found(rival(alone), "5120", alone), ONCE);
        assert_eq!(found(rival(&[]), "5120", alone), Finding::Nothing, "it may be the other's");
        assert_eq!(found(rival(alone), "10240", &[ours.clone(), next]), ONCE, "each has its own");
        assert_eq!(found(rival(alone), "10240", &[ours.clone(), ours.clone()]), ONCE, "equal rows are both real");
    }

    #[test]
    fn as_many_rivals_as_rows_that_may_be_theirs() {
        let (ours, next) = (record("5120", "us", 1), record("5120", "us", 2));
        // Only one of the two rows came after either of them.
        let known = Known { beside: vec![rival(std::slice::from_ref(&ours)); 2], ..Known::default() };
        let after = sight("10240", &[ours.clone(), next], &[]);
        assert_eq!(compare(&moving(Direction::Recharge, "5"), &sight("0", &[], &[]), &after, &known).0, ONCE);
    }

    #[test]
    fn equal_rows_of_one_second_belong_to_as_many_moves() {
        let row = record("5120", "us", 1);
        let rows = |times| vec![row.clone(); times];
        // One was there before this move, which has the second, and the other one has the third.
        let found = |records: Option<Vec<TrafficRecord>>, seen: usize| {
            let other = Beside {
                moved: moving(Direction::Recharge, "5"),
                records,
                copies: 1,
                goes_first: false,
                before: Some(sight("10240", &rows(2), &[])),
            };
            let known = Known { beside: vec![other], ..Known::default() };
            let after = sight(&(5120 * seen).to_string(), &rows(seen), &[]);
            compare(&moving(Direction::Recharge, "5"), &sight("5120", &rows(1), &[]), &after, &known).0
        };
        for records in [None, Some(rows(1))] {
            assert_eq!(found(records.clone(), 3), ONCE, "{records:?}");
            assert_eq!(found(records.clone(), 4), Finding::Twice, "{records:?}");
        }
    }

    #[test]
    fn a_refused_deduction_and_a_recharge_of_one_amount_are_told_by_their_signs() {
        let refused = Beside {
            moved: moving(Direction::Deduction, "5"),
            records: None,
            copies: 1,
            goes_first: true,
            before: None,
        };
        let known = Known { beside: vec![refused], ..Known::default() };
        let five = moving(Direction::Recharge, "5");
        let before = sight("0", &[], &[]);
        let both = sight("0", &[record("5120", "us", 1), record("-5120", "us", 2)], &[]);
        assert_eq!(compare(&five, &before, &both, &known).0, ONCE);
        let theirs = sight("-5120", &[record("-5120", "us", 2)], &[]);
        assert_eq!(compare(&five, &before, &theirs, &known).0, Finding::Nothing);
    }
}
