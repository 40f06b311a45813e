//! What is learned, what stays, and what is told as a change.

use super::*;
use Finding::{Absent, OtherShape, Present, Unanswered, Untried};

const DAY: Day = Day::new(20_000);

fn found(findings: &[Finding]) -> Record {
    let mut record = Record::default();
    for (at, finding) in (0..).zip(findings) {
        record.find(Capability::IpList, *finding, DAY, at);
    }
    record
}

#[test]
fn a_failed_network_never_changes_what_is_known_and_a_change_is_told() {
    let cases: [(&[Finding], Finding, usize); 7] = [
        (&[Unanswered], Unanswered, 0),
        (&[Unanswered, Present], Present, 0),
        (&[Present, Unanswered, Untried, Present], Present, 0),
        (&[Absent, Unanswered], Absent, 0),
        (&[Absent, Present], Present, 1),
        (&[Present, Absent, Present], Present, 2),
        (&[Present, OtherShape], OtherShape, 1),
    ];
    for (findings, expected, changes) in cases {
        let record = found(findings);
        assert_eq!(record.finding(Capability::IpList), Some(expected), "{findings:?}");
        assert_eq!(record.changes.len(), changes, "{findings:?}");
    }
}

#[test]
fn a_capability_is_due_once_a_day_or_when_it_could_not_be_told() {
    let tomorrow = DAY.plus(1);
    let due = |finding: Finding, day, sample| found(&[finding]).is_due(Capability::IpList, day, sample, 0);
    assert!(Record::default().is_due(Capability::Ping, DAY, false, 0));
    for decided in [Present, Absent, OtherShape] {
        assert!(!due(decided, DAY, true) && due(decided, tomorrow, false), "{decided:?}");
    }
    assert!(due(Unanswered, DAY, false));
    assert!(!due(Untried, DAY, false) && due(Untried, DAY, true) && due(Untried, tomorrow, false));
}

#[test]
fn what_cannot_be_told_is_probed_again_after_pauses_that_grow_until_the_next_day() {
    const HALF_AN_HOUR: i64 = 30 * 60_000;
    for finding in [Unanswered, Untried] {
        // The second time is when there is something to try with.
        for (times, halves) in [(1, 0), (2, 1), (3, 2), (4, 4), (5, 8), (6, 12), (60, 12)] {
            let record = found(&vec![finding; times]);
            let due = |after| record.is_due(Capability::IpList, DAY, true, times as i64 - 1 + after);
            let pause = halves * HALF_AN_HOUR;
            assert_eq!((due(pause), pause > 0 && due(pause - 1)), (true, false), "{finding:?} {times}");
            assert!(due(-1), "a clock that was set back");
            assert!(record.is_due(Capability::IpList, DAY.plus(1), true, 0), "a new day");
        }
    }
    // A network that is down makes nothing wait.
    let mut offline = found(&[Unanswered]);
    offline.hear(Token::Static, Heard::Nothing, None, 1);
    for at in 2..9 {
        offline.find(Capability::IpList, Unanswered, DAY, at);
    }
    assert!(offline.is_due(Capability::IpList, DAY, true, 9));
    // What was known before is known still, and is not asked for all day either.
    let record = found(&[Present, Unanswered, Unanswered]);
    assert!(
        record.is_due(Capability::IpList, DAY.plus(1), false, 3) && record.finding(Capability::IpList) == Some(Present)
    );
    assert!(!record.is_due(Capability::IpList, DAY, false, 3));
}

#[test]
fn since_when_stays_until_it_changes() {
    let mut record = Record::default();
    let took = Some(Duration::from_millis(40));
    for (heard, at) in [(Heard::Answered, 1), (Heard::Answered, 2), (Heard::Something, 3), (Heard::Nothing, 4)] {
        record.hear(Token::Agent, heard, took.filter(|_| heard != Heard::Nothing), at);
    }
    assert_eq!(record.agent_token, Some(TokenSeen { accepted: true, since: 1, at: 2 }));
    assert_eq!(record.reach, Some(Reach { reached: false, since: 4, at: 4 }));
    assert_eq!((record.latency, record.static_token), (Some(Latency { ms: 40, at: 3 }), None));
    record.hear(Token::Agent, Heard::TurnedAway, took, 5);
    assert_eq!(record.agent_token, Some(TokenSeen { accepted: false, since: 5, at: 5 }));
}

#[test]
fn the_way_of_the_answer_is_not_taken_for_a_wrong_clock_and_a_ping_counts_more() {
    let mut record = Record::default();
    record.compare_clocks(ClockSource::Answer, 10_000, Duration::from_millis(400), 10_200);
    assert_eq!(record.clock.unwrap().difference, 0);
    record.compare_clocks(ClockSource::Ping, 13_000, Duration::ZERO, 10_000);
    record.compare_clocks(ClockSource::Answer, 10_000, Duration::ZERO, 10_001);
    assert_eq!((record.clock.unwrap().difference, record.clock.unwrap().source), (3_000, ClockSource::Ping));
    record.compare_clocks(ClockSource::Answer, PING_HOLDS * 2, Duration::ZERO, PING_HOLDS * 2);
    assert_eq!(record.clock.unwrap().source, ClockSource::Answer, "an old ping no longer counts");
}

#[test]
fn a_page_limit_that_was_met_stays_until_another_one_is_met_or_more_rows_come() {
    let page = |rows, limited| PageSize { rows, asked: 100, limited, at: 0 };
    let mut record = Record::default();
    record.see_page(page(7, false));
    record.see_page(page(10, true));
    assert!(record.changes.is_empty(), "a first limit is no change");
    record.see_page(page(8, false));
    assert_eq!(record.page_size, Some(page(10, true)));
    record.see_page(page(50, true));
    record.see_page(page(60, false));
    let told: Vec<Changed> = record.changes.into_iter().map(|change| change.changed).collect();
    assert_eq!(told, [Changed::PageSize { from: 10, to: 50 }, Changed::PageSize { from: 50, to: 60 }]);
}

#[test]
fn a_zone_is_read_from_a_time_without_one_and_a_known_moment() {
    // 2026-07-13T09:24:21Z
    let moment = 1_783_934_661_000;
    for (written, expected) in [
        ("2026-07-13 17:24:21", Some(480)),
        ("2026-07-13T17:26:30", Some(480)),
        ("2026-07-13 09:22:00", Some(0)),
        ("2026-07-13 06:24:21", Some(-180)),
        ("2026-07-13 14:54:21", Some(330)),
        ("2026-07-13 17:32:00", None),
        ("2026-07-14 17:24:21", None),
        ("2026-07-13T17:24:21+08:00", None),
        ("2026-07-13T09:24:21Z", None),
        ("1783934661000", None),
        ("soon", None),
        ("", None),
    ] {
        assert_eq!(zone_of(written, moment), expected, "{written}");
    }
}

#[test]
fn what_moves_teach_anew_is_told() {
    let learned = |factor, word: &str| Learned {
        factor,
        word: word.into(),
        lag: 0,
        operation: operations::OperationId("1".into()),
        at: 0,
    };
    let mut record = Record::default();
    record.see_taught(&learned(GbFactor::Binary, "充值"), 1);
    record.see_taught(&learned(GbFactor::Binary, "充值"), 2);
    assert!(record.changes.is_empty());
    record.see_taught(&learned(GbFactor::Thousand, "Top-up"), 3);
    assert_eq!(record.changes.len(), 2);
}

#[test]
fn what_a_check_of_0_and_1_showed_is_kept_and_the_opposite_is_told() {
    let seen = |polarity, at| PolaritySeen { polarity, operation: operations::OperationId("1".into()), at };
    let mut record = Record::default();
    record.see_polarity(seen(Polarity::OneIsActive, 1));
    record.see_polarity(seen(Polarity::OneIsActive, 2));
    assert!(record.changes.is_empty());
    record.see_polarity(seen(Polarity::ZeroIsActive, 3));
    let change = Changed::Polarity { from: Polarity::OneIsActive, to: Polarity::ZeroIsActive };
    assert_eq!(record.changes, [Change { at: 3, changed: change }]);
    assert_eq!(record.polarity, Some(seen(Polarity::ZeroIsActive, 3)));
}

#[test]
fn a_record_is_the_same_when_read_again_and_an_older_one_can_be_read() {
    let mut record = found(&[Absent, Present]);
    record.hear(Token::Static, Heard::Answered, None, 7);
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    assert_eq!(serde_json::from_str::<Record>("{}").unwrap(), Record::default());
}
