//! Compares two snapshots of a customer: was the move carried out, and how often? Pure.
//!
//! There are two witnesses: the new records, and the change of what the customer was given in all (use does not change
//! it).

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::traffic::TrafficRecord;
use wire::{Amount, Day};

use crate::evidence::beside::{Known, Ours};
use crate::evidence::record::{self, are_of_one_operator, counted, is_it, of_one_sign};
use crate::evidence::snapshot::{Balance, Snapshot};
use crate::evidence::use_rows::new_beside_use;
use crate::words::finding::Finding;
use crate::words::gb::GbFactor;
use crate::writes::traffic_move::{Direction, TrafficMove};

/// What the newest check saw: the evidence that a person reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// Day of the check, in the vendor's zone.
    pub day: Day,
    /// Records that were not there before the send.
    pub records: Vec<TrafficRecord>,
    /// The customer's figures before the send.
    pub before: Option<Balance>,
    /// The customer's figures at the check.
    pub after: Option<Balance>,
}

/// Compares a snapshot with the one before the send.
pub fn compare(moved: &TrafficMove, before: &Snapshot, after: &Snapshot, known: &Known) -> (Finding, Evidence) {
    // A snapshot shared with an older move reaches further back than the one before this move.
    let recent = |rows: &[TrafficRecord]| record::since(before.day.plus(-1), rows);
    let given = new_rows(&before.given, &recent(&after.given));
    let beside_use = new_beside_use(&before.taken, &after.taken);
    // A recharge never shows among what was taken, and those records are not read for it.
    let takes = moved.direction == Direction::Deduction;
    let whole = holds(&before.given, &after.given) && (!takes || beside_use.is_some());
    let taken = recent(&beside_use.unwrap_or_default());
    // Another account, another user name, a page that shifted: then the snapshot says nothing about the move.
    let finding = if !whole || (is_known(before) && !is_known(after)) {
        Finding::Unreadable
    } else {
        let ours = known.split(moved, before, &given, if takes { &taken } else { &[] });
        find(moved, &ours, (change(before, after), spent(before, after)), known.factor)
    };
    let evidence = Evidence {
        day: after.day,
        records: given.into_iter().chain(taken).collect(),
        before: before.balance.clone(),
        after: after.balance.clone(),
    };
    (finding, evidence)
}

/// The records that are there now and were not before, each as often as it is new.
fn new_rows(before: &[TrafficRecord], after: &[TrafficRecord]) -> Vec<TrafficRecord> {
    let mut old = counted(before);
    let mut new = Vec::new();
    for row in after {
        match old.get_mut(row) {
            Some(left) if *left > 0 => *left -= 1,
            _ => new.push(row.clone()),
        }
    }
    new
}

/// Whether all old records are still there.
fn holds(before: &[TrafficRecord], after: &[TrafficRecord]) -> bool {
    let now = counted(after);
    counted(before).into_iter().all(|(row, times)| now.get(row).copied().unwrap_or_default() >= times)
}

fn is_known(snapshot: &Snapshot) -> bool {
    snapshot.recharged().is_some()
}

/// The change of what the customer was given in all, MB; `None` if it is not reported.
fn change(before: &Snapshot, after: &Snapshot) -> Option<Decimal> {
    Some(after.recharged()?.value() - before.recharged()?.value())
}

/// How much less is left, MB; `None` if it is not reported. Use lowers it too, so it is at least what was deducted.
fn spent(before: &Snapshot, after: &Snapshot) -> Option<Decimal> {
    let left = |snapshot: &Snapshot| snapshot.balance.as_ref()?.left.map(Amount::value);
    Some(left(before)? - left(after)?)
}

fn find(
    moved: &TrafficMove,
    ours: &Ours,
    (change, spent): (Option<Decimal>, Option<Decimal>),
    known: Option<GbFactor>,
) -> Finding {
    let left_by = |explained: &Decimal| change.map(|change| change.saturating_sub(*explained));
    let changes: Vec<Decimal> = ours.explanations().iter().filter_map(left_by).collect();
    let (mut seen, mut copies) = (0, 0);
    for factor in GbFactor::possible(known) {
        let lists = records_of(moved, ours, factor);
        // One move may show in both lists; that is still one.
        let times = lists.each_ref().map(Vec::len).into_iter().max().unwrap_or_default();
        let share = ours.share(times);
        let by_one = lists.iter().map(|rows| most_by_one(rows)).max().unwrap_or_default();
        (seen, copies) = (seen.max(times), copies.max(ours.share(by_one)));
        // Only of two records is it tried whether the figure before included others already: of one, a copy whose
        // record is still to come would be missed.
        let changes = &changes[..if share > 1 { changes.len() } else { changes.len().min(1) }];
        let expected = moved.change(factor).value() * Decimal::from(times);
        let slack = moved.gb.tolerance(factor) * Decimal::from(times);
        let is_shown = changes.iter().any(|change| change.saturating_sub(expected).abs() <= slack);
        // "Recharged traffic" need not fall with a deduction. If it does not, what is left has to.
        let stays = moved.direction == Direction::Deduction && changes.iter().any(Decimal::is_zero);
        let is_spent = stays && spent.is_some_and(|spent| spent + slack >= -expected);
        if times > 0 && !ours.is_ambiguous && (is_shown || is_spent) {
            return match share {
                // All these records may belong to like moves that come first: until a check of those finds theirs, the
                // witnesses disagree (seed 232864).
                0 => Finding::Disagree,
                1 => Finding::Once { factor },
                _ => Finding::Twice,
            };
        }
    }
    let unchanged = left_by(&ours.explained).is_none_or(|change| change.is_zero());
    match copies {
        2.. if !ours.is_ambiguous => Finding::Surplus,
        // Another operator's record of exactly this amount, and none of ours: it cannot be ruled out that it is ours.
        _ if seen == 0 && ours.alike_of_others == 0 && unchanged => Finding::Nothing,
        _ => Finding::Disagree,
    }
}

/// The records of both lists that may show the move by this count of a GB.
fn records_of<'a>(moved: &TrafficMove, ours: &'a Ours, factor: GbFactor) -> [Vec<&'a TrafficRecord>; 2] {
    let alike =
        |rows: &'a [TrafficRecord]| of_one_sign(rows.iter().filter(|row| is_it(moved, row, factor, ours.strict)));
    let taken = if moved.direction == Direction::Recharge { &[] } else { &ours.taken[..] };
    [alike(&ours.given), alike(taken)]
}

/// How many of these records name the same operator, as copies of one request do.
fn most_by_one(rows: &[&TrafficRecord]) -> usize {
    let named = |row: &TrafficRecord| rows.iter().filter(|other| are_of_one_operator(row, other)).count();
    rows.iter().map(|row| named(row)).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writes::traffic_move::tests::moving;

    fn record(mb: &str) -> TrafficRecord {
        record_of("2026-11-21", mb)
    }

    fn record_of(day: &str, mb: &str) -> TrafficRecord {
        let json = format!(r#"{{"customerId":7,"flowCount":{mb},"createTime":"{day} 10:00:00"}}"#);
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn a_record_from_before_the_day_before_the_send_is_none_of_it() {
        let before = Snapshot { day: "2026-11-21".parse().unwrap(), ..snapshot(Some("0"), &[], &[]) };
        let cases = [
            ("2026-11-19", Finding::Disagree),
            ("2026-11-20", Finding::Once { factor: GbFactor::Binary }),
            ("2026-11-21", Finding::Once { factor: GbFactor::Binary }),
        ];
        for (day, expected) in cases {
            let after = Snapshot { given: vec![record_of(day, "5120")], ..snapshot(Some("5120"), &[], &[]) };
            assert_eq!(
                compare(&moving(Direction::Recharge, "5"), &before, &after, &Known::default()).0,
                expected,
                "{day}"
            );
        }
    }

    fn snapshot(recharged: Option<&str>, given: &[&str], taken: &[&str]) -> Snapshot {
        let rows = |texts: &[&str]| texts.iter().map(|mb| record(mb)).collect();
        let balance = Balance { recharged: recharged.map(|mb| mb.parse().unwrap()), left: None };
        Snapshot { day: Day::new(0), balance: Some(balance), given: rows(given), taken: rows(taken) }
    }

    #[test]
    fn a_figure_that_was_not_told_before_proves_nothing() {
        for (given, expected) in [(&[][..], Finding::Nothing), (&["5120"], Finding::Disagree)] {
            for told_now in [None, Some("5120")] {
                let (before, after) = (snapshot(None, &[], &[]), snapshot(told_now, given, &[]));
                assert_eq!(
                    compare(&moving(Direction::Recharge, "5"), &before, &after, &Known::default()).0,
                    expected,
                    "{told_now:?}"
                );
            }
        }
    }

    const ONCE: Finding = Finding::Once { factor: GbFactor::Binary };
    const SHORT: Finding = Finding::Once { factor: GbFactor::Thousand };

    #[test]
    fn a_deduction_is_found_by_both_witnesses_together() {
        /// Name, the figure, records given and taken, the finding.
        type Case<'a> = (&'a str, Option<&'a str>, &'a [&'a str], &'a [&'a str], Finding);
        let cases: [Case<'_>; 15] = [
            ("nothing", Some("10000"), &[], &["-5120"], Finding::Nothing),
            ("once", Some("4880"), &[], &["-5120", "-5120"], ONCE),
            ("once, rounded", Some("4880"), &[], &["-5120", "-5120.01"], ONCE),
            ("once, positive", Some("4880"), &[], &["-5120", "5120"], ONCE),
            ("once, in the other list", Some("4880"), &["-5120"], &["-5120"], ONCE),
            ("once, in both lists", Some("4880"), &["-5120"], &["-5120", "-5120"], ONCE),
            ("once, counted by 1000", Some("5000"), &[], &["-5120", "-5000"], SHORT),
            ("twice", Some("-240"), &[], &["-5120", "-5120", "-5120"], Finding::Twice),
            ("two records, one in the figure", Some("4880"), &[], &["-5120", "-5120", "-5120"], Finding::Surplus),
            ("moved back by somebody", Some("10000"), &[], &["-5120", "-5120", "5120"], Finding::Disagree),
            ("a record alone", Some("10000"), &[], &["-5120", "-5120"], Finding::Disagree),
            ("the figure alone", Some("4880"), &[], &["-5120"], Finding::Disagree),
            ("somebody else", Some("9000"), &[], &["-5120", "-1000"], Finding::Disagree),
            ("no second witness", None, &[], &["-5120", "-5120"], Finding::Unreadable),
            ("an old record is gone", Some("10000"), &[], &[], Finding::Unreadable),
        ];
        for (name, recharged, given, taken, expected) in cases {
            let before = snapshot(Some("10000"), &[], &["-5120"]);
            let (finding, _) = compare(
                &moving(Direction::Deduction, "5"),
                &before,
                &snapshot(recharged, given, taken),
                &Known::default(),
            );
            assert_eq!(finding, expected, "{name}");
        }
    }

    #[test]
    fn a_deduction_may_lower_what_is_left_and_not_what_was_recharged() {
        let five = moving(Direction::Deduction, "5");
        let with_left = |left: &str, taken: &[&str]| {
            let balance = Balance { recharged: "10000".parse().ok(), left: left.parse().ok() };
            Snapshot { balance: Some(balance), ..snapshot(None, &[], taken) }
        };
        let before = with_left("8000", &[]);
        let cases: [(&str, &str, &[&str], Finding); 6] = [
            ("once", "2880", &["-5120"], ONCE),
            ("once, and use beside it", "2000", &["-5120"], ONCE),
            ("a record alone", "8000", &["-5120"], Finding::Disagree),
            ("less left, no record", "2880", &[], Finding::Nothing),
            ("twice", "-2240", &["-5120", "-5120"], Finding::Twice),
            ("two records, one of which shows", "2880", &["-5120", "-5120"], Finding::Surplus),
        ];
        for (name, left, taken, expected) in cases {
            let found = compare(&five, &before, &with_left(left, taken), &Known::default()).0;
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn a_recharge_is_found_in_its_own_list_with_its_own_sign() {
        let before = snapshot(Some("0"), &["5120"], &[]);
        let cases: [(&str, &[&str], &[&str], Finding); 4] = [
            ("5120", &["5120", "5120"], &[], ONCE),
            ("5120", &["5120", "-5120"], &[], Finding::Disagree),
            ("5120", &["5120"], &["5120"], Finding::Disagree),
            ("10240", &["5120", "5120", "5120"], &[], Finding::Twice),
        ];
        for (recharged, given, taken, expected) in cases {
            let after = snapshot(Some(recharged), given, taken);
            let (finding, evidence) = compare(&moving(Direction::Recharge, "5"), &before, &after, &Known::default());
            assert_eq!(finding, expected, "{recharged} {given:?} {taken:?}");
            assert_eq!(evidence.records.len(), given.len() + taken.len() - 1, "the old record is no evidence");
        }
    }

    #[test]
    fn two_records_of_which_the_figure_shows_neither_sum_are_no_proof() {
        let before = snapshot(Some("0"), &[], &[]);
        let found = |recharged| {
            let after = snapshot(Some(recharged), &["5120", "5120"], &[]);
            compare(&moving(Direction::Recharge, "5"), &before, &after, &Known::default()).0
        };
        assert_eq!(found("10240.02"), Finding::Twice, "each may be rounded");
        assert_eq!(found("10240.03"), Finding::Surplus);
    }

    #[test]
    fn records_of_the_day_before_the_first_check_still_count_as_old() {
        let dated = |day: &str| {
            let json = format!(r#"{{"customerId":7,"flowCount":5120,"createTime":"{day} 10:00:00"}}"#);
            serde_json::from_str::<TrafficRecord>(&json).unwrap()
        };
        let day: Day = "2026-11-21".parse().unwrap();
        let at =
            |recharged: &str, given: Vec<TrafficRecord>| Snapshot { day, given, ..snapshot(Some(recharged), &[], &[]) };
        let before = at("0", vec![dated("2026-11-20")]);
        let same = at("0", vec![dated("2026-11-20")]);
        assert_eq!(compare(&moving(Direction::Recharge, "5"), &before, &same, &Known::default()).0, Finding::Nothing);
        // A shared snapshot may reach further back: records older than both days say nothing.
        let further = at("0", vec![dated("2026-11-19"), dated("2026-11-20")]);
        assert_eq!(
            compare(&moving(Direction::Recharge, "5"), &before, &further, &Known::default()).0,
            Finding::Nothing
        );
        let gone = at("0", vec![]);
        assert_eq!(
            compare(&moving(Direction::Recharge, "5"), &before, &gone, &Known::default()).0,
            Finding::Unreadable
        );
    }

    #[test]
    fn each_finding_has_its_own_word_for_the_history() {
        let all = [
            Finding::Unreadable,
            Finding::Nothing,
            ONCE,
            Finding::Twice,
            Finding::Listed { saved: true },
            Finding::Disagree,
            Finding::Surplus,
        ];
        let words = all.map(|finding| finding.cause().word());
        assert!(words.iter().all(|word| word.starts_with("looked-")), "{words:?}");
        assert_eq!(words.iter().collect::<std::collections::HashSet<_>>().len(), all.len());
    }

    #[test]
    fn once_learned_the_other_factor_is_no_match() {
        let (before, after) = (snapshot(Some("0"), &[], &[]), snapshot(Some("5000"), &["5000"], &[]));
        let found = |known| {
            compare(&moving(Direction::Recharge, "5"), &before, &after, &Known { factor: known, ..Known::default() }).0
        };
        assert_eq!(found(None), SHORT);
        assert_eq!(found(Some(GbFactor::Binary)), Finding::Disagree);
    }
}
