use wire::ids::OperatorId;

use super::*;
use crate::evidence::compare::compare;
use crate::evidence::snapshot::Balance;
use crate::words::finding::Finding;
use crate::writes::traffic_move::tests::moving;

fn record(mb: &str, by: &str, second: u32) -> TrafficRecord {
    let json = format!(
        r#"{{"customerId":7,"flowCount":{mb},"createId":"{by}","createBy":"{by}","typeDesc":"moved","createTime":"2026-11-21 10:00:{second:02}"}}"#
    );
    serde_json::from_str(&json).unwrap()
}

fn snapshot(recharged: &str, given: &[TrafficRecord], taken: &[TrafficRecord]) -> Snapshot {
    let balance = Balance { recharged: Some(recharged.parse().unwrap()), left: None };
    let (given, taken) = (given.to_vec(), taken.to_vec());
    Snapshot { balance: Some(balance), given, taken, ..Snapshot::default() }
}

fn creator() -> Creator {
    Creator { id: OperatorId::new("us"), name: "us".into(), word: "moved".into() }
}

const ONCE: Finding = Finding::Once { factor: GbFactor::Binary };

#[test]
fn what_another_operator_moved_is_neither_ours_nor_in_the_way() {
    let known = Known { creator: Some(creator()), ..Known::default() };
    let (five, before) = (moving(Direction::Deduction, "5"), snapshot("10240", &[], &[]));
    let ours = record("-5120", "us", 1);
    let cases = [
        ("theirs beside ours", "0", vec![ours.clone(), record("-5120", "colleague", 2)], ONCE),
        ("theirs alone, of our amount", "5120", vec![record("-5120", "colleague", 2)], Finding::Disagree),
        ("theirs alone, of another", "9216", vec![record("-1024", "colleague", 2)], Finding::Nothing),
        ("ours twice", "0", vec![ours.clone(), ours.clone()], Finding::Twice),
        ("nobody's name", "5120", vec![record("-5120", "", 2)], ONCE),
    ];
    for (name, recharged, taken, expected) in cases {
        let after = snapshot(recharged, &[], &taken);
        assert_eq!(compare(&five, &before, &after, &known).0, expected, "{name}");
    }
}

#[test]
fn records_of_others_that_no_decimal_sums_are_no_proof_and_no_panic() {
    let known = Known { creator: Some(creator()), ..Known::default() };
    let before = snapshot("0", &[], &[]);
    for (direction, huge) in [(Direction::Recharge, "9e27"), (Direction::Deduction, "-9e27")] {
        let theirs: Vec<_> = (0..12).map(|second| record(huge, "colleague", second)).collect();
        let after = snapshot("-9e27", &theirs, &theirs);
        assert_eq!(compare(&moving(direction, "5"), &before, &after, &known).0, Finding::Disagree, "{direction:?}");
    }
}

#[test]
fn a_refused_move_that_is_carried_out_late_is_told_from_the_one_after_it() {
    let refused = |gb: &str, goes_first| Beside {
        moved: moving(Direction::Recharge, gb),
        records: None,
        copies: 1,
        goes_first,
        came_before: true,
        before: None,
    };
    let known = |beside| Known { beside: vec![beside], ..Known::default() };
    let five = moving(Direction::Recharge, "5");
    let before = snapshot("0", &[], &[]);
    let after = |recharged: &str, rows: &[&str]| {
        let rows: Vec<_> = rows.iter().zip(0..).map(|(mb, second)| record(mb, "us", second)).collect();
        snapshot(recharged, &rows, &[])
    };
    // Name, the other move, the snapshot, the finding for ours.
    let cases = [
        ("the other alone", refused("3", false), after("3072", &["3072"]), Finding::Nothing),
        ("both", refused("3", false), after("8192", &["3072", "5120"]), ONCE),
        ("ours alone", refused("3", false), after("5120", &["5120"]), ONCE),
        ("one of two alike, ours first", refused("5", false), after("5120", &["5120"]), ONCE),
        ("one of two alike, the other first", refused("5", true), after("5120", &["5120"]), Finding::Disagree),
        ("two of two alike", refused("5", true), after("10240", &["5120", "5120"]), ONCE),
        ("three of two", refused("5", false), after("15360", &["5120", "5120", "5120"]), Finding::Twice),
        ("a figure without records", refused("5", false), after("5120", &[]), Finding::Disagree),
    ];
    for (name, other, after, expected) in cases {
        assert_eq!(compare(&five, &before, &after, &known(other)).0, expected, "{name}");
    }
}

/// Seed 550567: the record of a refused recharge lagged behind its figure, which was there before the deduction.
#[test]
fn a_move_whose_figure_came_before_its_record_does_not_hide_a_second_copy() {
    let (theirs, five) = (record("5120", "us", 1), moving(Direction::Deduction, "5"));
    let beside = |found: bool, came_before| Beside {
        moved: moving(Direction::Recharge, "5"),
        records: found.then(|| vec![theirs.clone()]),
        copies: 1,
        goes_first: false,
        came_before,
        before: None,
    };
    let compared = |beside: Beside, recharged: &str, copies: usize| {
        let after = snapshot(recharged, std::slice::from_ref(&theirs), &vec![record("-5120", "us", 2); copies]);
        let known = Known { beside: vec![beside], ..Known::default() };
        compare(&five, &snapshot("20480", &[], &[]), &after, &known).0
    };
    for found in [false, true] {
        assert_eq!(compared(beside(found, true), "10240", 2), Finding::Twice, "the figure before includes it");
        assert_eq!(compared(beside(found, true), "15360", 2), Finding::Twice, "it came after the figure before");
        assert_eq!(compared(beside(found, true), "20480", 1), ONCE);
        // One record, and a copy whose record is still to come, look the same.
        assert_eq!(compared(beside(found, true), "15360", 1), Finding::Disagree);
        assert_eq!(compared(beside(found, false), "10240", 2), Finding::Surplus, "it was sent later");
        assert_eq!(compared(beside(found, true), "12000", 2), Finding::Surplus, "no figure fits");
        assert_eq!(compared(beside(found, true), "20480", 0), Finding::Disagree, "it rules nothing of ours out");
    }
}

#[test]
fn a_colleague_whose_figure_came_before_the_record_does_not_hide_a_second_copy() {
    let known = Known { creator: Some(creator()), ..Known::default() };
    let copies = vec![record("-5120", "us", 1), record("-5120", "us", 2)];
    let after = snapshot("10240", &[record("1024", "colleague", 1)], &copies);
    let found = compare(&moving(Direction::Deduction, "5"), &snapshot("20480", &[], &[]), &after, &known).0;
    assert_eq!(found, Finding::Twice);
}

#[test]
fn records_of_two_operators_are_no_copies_of_one_request() {
    let found = |other: &str| {
        let after = snapshot(
            "13312",
            &[record("3072", "colleague", 3)],
            &[record("-5120", "us", 1), record("-5120", other, 2)],
        );
        compare(&moving(Direction::Deduction, "5"), &snapshot("20480", &[], &[]), &after, &Known::default()).0
    };
    assert_eq!([found("us"), found("colleague")], [Finding::Surplus, Finding::Disagree]);
}

#[test]
fn of_many_figures_that_may_have_come_before_their_records_only_some_are_tried() {
    let known = Known { creator: Some(creator()), ..Known::default() };
    let copies = vec![record("-5120", "us", 1), record("-5120", "us", 2)];
    let found = |colleagues: u32| {
        let theirs: Vec<_> = (0..colleagues).map(|second| record("1024", "colleague", second)).collect();
        let after = snapshot("10240", &theirs, &copies);
        compare(&moving(Direction::Deduction, "5"), &snapshot("20480", &[], &[]), &after, &known).0
    };
    assert_eq!([4, 5].map(found), [Finding::Twice, Finding::Surplus]);
}

#[test]
fn the_record_of_a_move_that_was_found_is_taken_for_no_other() {
    let (theirs, ours) = (record("5120", "us", 1), record("5120", "us", 2));
    let found = Beside {
        moved: moving(Direction::Recharge, "5"),
        // Its check saw both.
        records: Some(vec![theirs.clone(), ours.clone()]),
        copies: 1,
        goes_first: true,
        came_before: true,
        before: None,
    };
    let known = Known { beside: vec![found], ..Known::default() };
    let five = moving(Direction::Recharge, "5");
    let compared = |before: Snapshot, after: Snapshot| compare(&five, &before, &after, &known).0;
    let empty = snapshot("0", &[], &[]);
    assert_eq!(compared(empty.clone(), snapshot("5120", std::slice::from_ref(&theirs), &[])), Finding::Nothing);
    assert_eq!(compared(empty, snapshot("10240", &[theirs.clone(), ours.clone()], &[])), ONCE);
    let there_before = snapshot("5120", std::slice::from_ref(&theirs), &[]);
    assert_eq!(compared(there_before, snapshot("10240", &[theirs, ours], &[])), ONCE);
}

/// The check of the first of three like moves, which was carried out last, has shown the records of all three. The
/// second had its own before the third was sent.
#[test]
fn a_record_that_is_anothers_already_is_none_of_what_a_check_has_shown_beside_it() {
    let [late, second, third] = [3, 1, 2].map(|at| record("5120", "us", at));
    let found = |records: &[TrafficRecord]| Beside {
        moved: moving(Direction::Recharge, "5"),
        records: Some(records.to_vec()),
        copies: 1,
        goes_first: true,
        came_before: true,
        before: Some(snapshot("0", &[], &[])),
    };
    let all = [second.clone(), third, late];
    let beside = vec![found(&all), found(std::slice::from_ref(&second))];
    let known = Known { beside, ..Known::default() };
    let (before, after) = (snapshot("5120", std::slice::from_ref(&second), &[]), snapshot("15360", &all, &[]));
    assert_eq!(compare(&moving(Direction::Recharge, "5"), &before, &after, &known).0, ONCE);
}

/// The first of the two can choose, so it does without the record that is the other's only one.
#[test]
fn of_two_moves_that_were_found_each_has_a_record_before_any_is_taken_from_this_one() {
    let [q, p, r] = [1, 2, 3].map(|at| record("5120", "us", at));
    let found = |records: [&TrafficRecord; 2], before: &[TrafficRecord]| Beside {
        records: Some(records.map(Clone::clone).to_vec()),
        ..rival(before)
    };
    let known = |p: &TrafficRecord| Known {
        beside: vec![found([p, &q], &[]), found([&r, p], std::slice::from_ref(&q))],
        ..Known::default()
    };
    let (before, after) = ([p.clone(), q.clone()], [r.clone(), p.clone(), q.clone()]);
    let (before, after) = (snapshot("10240", &before, &[]), snapshot("15360", &after, &[]));
    assert_eq!(compare(&moving(Direction::Recharge, "5"), &before, &after, &known(&p)).0, ONCE);
}

#[test]
fn a_record_that_is_of_two_moves_by_two_counts_of_a_gb_proves_neither() {
    let refused = Beside { moved: moving(Direction::Recharge, "1000"), ..rival(&[]) };
    let found = |mb: &str, factor| {
        let known = Known { beside: vec![refused.clone()], factor, ..Known::default() };
        let after = snapshot(mb, &[record(mb, "us", 1)], &[]);
        compare(&moving(Direction::Recharge, "1024"), &snapshot("0", &[], &[]), &after, &known).0
    };
    let once = |factor| Finding::Once { factor };
    assert_eq!(found("1024000", None), Finding::Disagree);
    assert_eq!(found("1024000", Some(GbFactor::Thousand)), once(GbFactor::Thousand));
    assert_eq!(found("1024000", Some(GbFactor::Binary)), Finding::Nothing, "it is the other one");
    assert_eq!(found("1048576", None), once(GbFactor::Binary));
}

/// Another recharge of 5 GB, first in turn; `before` holds the records that were there before it.
fn rival(before: &[TrafficRecord]) -> Beside {
    Beside {
        moved: moving(Direction::Recharge, "5"),
        records: None,
        copies: 1,
        goes_first: true,
        came_before: true,
        before: Some(snapshot("5120", before, &[])),
    }
}

/// Seed 42899 of the simulation: a refused recharge that was carried out was called rejected. Its record was taken for
/// that of the next recharge, although it had been seen before that one was sent.
#[test]
fn a_record_that_was_there_before_the_other_move_is_none_of_it() {
    let (ours, next) = (record("5120", "us", 1), record("5120", "us", 2));
    let found = |rival: Beside, recharged: &str, after: &[TrafficRecord]| {
        let known = Known { beside: vec![rival], ..Known::default() };
        compare(&moving(Direction::Recharge, "5"), &snapshot("0", &[], &[]), &snapshot(recharged, after, &[]), &known).0
    };
    let alone = std::slice::from_ref(&ours);
    assert_eq!(found(rival(alone), "5120", alone), ONCE);
    assert_eq!(found(rival(&[]), "5120", alone), Finding::Disagree, "it may be the other's");
    assert_eq!(found(rival(alone), "10240", &[ours.clone(), next]), ONCE, "each has its own");
    assert_eq!(found(rival(alone), "10240", &[ours.clone(), ours.clone()]), ONCE, "equal rows are both real");
}

#[test]
fn as_many_rivals_as_rows_that_may_be_theirs() {
    let (ours, next) = (record("5120", "us", 1), record("5120", "us", 2));
    // Only one of the two rows appeared after either of them was sent.
    let known = Known { beside: vec![rival(std::slice::from_ref(&ours)); 2], ..Known::default() };
    let after = snapshot("10240", &[ours.clone(), next], &[]);
    assert_eq!(compare(&moving(Direction::Recharge, "5"), &snapshot("0", &[], &[]), &after, &known).0, ONCE);
}

#[test]
fn equal_rows_of_one_second_belong_to_as_many_moves() {
    let row = record("5120", "us", 1);
    let rows = |times| vec![row.clone(); times];
    // One was there before this move, which has the second; the other move has the third.
    let found = |records: Option<Vec<TrafficRecord>>, seen: usize| {
        let other = Beside {
            moved: moving(Direction::Recharge, "5"),
            records,
            copies: 1,
            goes_first: false,
            came_before: false,
            before: Some(snapshot("10240", &rows(2), &[])),
        };
        let known = Known { beside: vec![other], ..Known::default() };
        let after = snapshot(&(5120 * seen).to_string(), &rows(seen), &[]);
        compare(&moving(Direction::Recharge, "5"), &snapshot("5120", &rows(1), &[]), &after, &known).0
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
        came_before: true,
        before: None,
    };
    let known = Known { beside: vec![refused], ..Known::default() };
    let five = moving(Direction::Recharge, "5");
    let before = snapshot("0", &[], &[]);
    let both = snapshot("0", &[record("5120", "us", 1), record("-5120", "us", 2)], &[]);
    assert_eq!(compare(&five, &before, &both, &known).0, ONCE);
    let theirs = snapshot("-5120", &[record("-5120", "us", 2)], &[]);
    assert_eq!(compare(&five, &before, &theirs, &known).0, Finding::Nothing);
}
