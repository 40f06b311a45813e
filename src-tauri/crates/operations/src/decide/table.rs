//! Every event in every state, as a table that a person has read: `cells.txt`. Changing a decision changes a line
//! there. `PROXYTILL_WRITE_CELLS=1` writes the table again.

use std::fmt::Write as _;
use std::time::Duration;

use super::*;
use crate::words::finding::Finding;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/decide/cells.txt");

const KINDS: [Kind; 6] = [Kind::PlaceAndPay, Kind::Renew, Kind::Recharge, Kind::Deduction, Kind::Create, Kind::Status];

/// An operation that is young and checked for the first time, and one whose scheduled checks are over.
const AGES: [(&str, usize, u64); 2] = [("first", 0, 2), ("last", 9, 1_000)];

fn events() -> Vec<(String, Event, usize)> {
    let mut all = vec![
        ("send".to_owned(), Event::Send, 0),
        ("restart".into(), Event::Restarted, 0),
        ("person repeats".into(), Event::RepeatByPerson { age: Duration::from_secs(60) }, 0),
        ("person repeats late".into(), Event::RepeatByPerson { age: Duration::from_secs(601) }, 0),
        ("schedule repeats".into(), Event::RepeatBySchedule { age: Duration::from_secs(60) }, 0),
        ("schedule repeats late".into(), Event::RepeatBySchedule { age: Duration::from_secs(601) }, 0),
        ("judged done".into(), Event::Judged(Verdict::Done), 0),
        ("judged not done".into(), Event::Judged(Verdict::NotDone), 0),
        ("judged done, looks over".into(), Event::Judged(Verdict::Done), 9),
        ("secrets saved".into(), Event::SecretsSaved, 0),
        ("retried".into(), Event::Retried, 0),
    ];
    let findings = [
        Finding::Unreadable,
        Finding::Nothing,
        Finding::Once { factor: GbFactor::Binary },
        Finding::Once { factor: GbFactor::Thousand },
        Finding::Twice,
        Finding::Listed { saved: true },
        Finding::Listed { saved: false },
        Finding::Disagree,
        Finding::Surplus,
    ];
    for finding in findings {
        let beside = match finding {
            Finding::Once { factor: GbFactor::Thousand } => " by 1000",
            Finding::Listed { saved: false } => " unsaved",
            _ => "",
        };
        for (age, checks, seconds) in AGES {
            let since = Duration::from_secs(seconds);
            let check = Check { finding, age: since, since, unplanned: false };
            all.push((format!("{}{beside}, {age}", finding.cause().word()), Event::Checked(check), checks));
        }
        let check = Check { finding, age: Duration::ZERO, since: Duration::ZERO, unplanned: true };
        all.push((format!("{}{beside}, asked for", finding.cause().word()), Event::Checked(check), 1));
    }
    all
}

/// Each state; the one that asks a person, with each of its reasons.
fn places() -> Vec<(State, Option<Reason>)> {
    let plain = State::ALL.iter().filter(|state| **state != State::NeedsYou).map(|state| (*state, None));
    plain.chain(Reason::ALL.iter().map(|reason| (State::NeedsYou, Some(*reason)))).collect()
}

fn result(decision: Decision) -> String {
    let mut text = decision.state.word().to_owned();
    if let Some(reason) = decision.reason {
        let _ = write!(text, "/{}", reason.word());
    }
    if decision.alarm {
        text.push('!');
    }
    match decision.next {
        Next::Rest => {}
        Next::Send => text.push_str(" send"),
        Next::AsPlanned => text.push_str(" as-planned"),
        Next::RepeatAfter(wait) => drop(write!(text, " repeat-{}s", wait.as_secs())),
        Next::CheckAfter(wait) => drop(write!(text, " look-{}s", wait.as_secs())),
    }
    text
}

/// States with equal results share one entry: `state, state: result`.
fn line(kind: Kind, in_doubt: bool, said: Option<Said>, event: Event, checks: usize) -> String {
    let mut cells: Vec<(String, Vec<String>)> = Vec::new();
    for (state, reason) in places() {
        let agreeing = checks;
        // An operation that raised an alarm keeps it: the question about a doubled move.
        let alarm = reason == Some(Reason::Doubled);
        // The price of an order ends in time, a renewal has none.
        let only_key_protects = kind == Kind::Renew;
        let at = Situation {
            kind,
            state,
            reason,
            in_doubt,
            only_key_protects,
            said,
            checks,
            agreeing,
            alarm,
            ..Situation::default()
        };
        let Ok(decision) = decide(at, event, &Schedule::default()) else { continue };
        let name = reason.map_or(state.word(), Reason::word).to_owned();
        let unchanged = decision.state == state && decision.reason == reason && decision.next == Next::Rest;
        let result = if unchanged && !decision.alarm { "stays".to_owned() } else { result(decision) };
        match cells.iter_mut().find(|(known, _)| *known == result) {
            Some((_, names)) => names.push(name),
            None => cells.push((result, vec![name])),
        }
    }
    cells.iter().map(|(result, names)| format!("{} -> {result}", names.join(" "))).collect::<Vec<_>>().join(" | ")
}

fn table() -> String {
    let mut text = String::new();
    for (name, event, checks) in events() {
        let _ = writeln!(text, "{name}");
        let mut rows: Vec<(String, Vec<String>)> = Vec::new();
        for kind in KINDS {
            for (doubt, in_doubt) in [("", false), (" in doubt", true)] {
                for (answer, said) in [("", None), (" no", Some(Said::No)), (" away", Some(Said::TurnedAway))] {
                    let row = line(kind, in_doubt, said, event, checks);
                    let who = format!("{}{doubt}{answer}", kind.word());
                    match rows.iter_mut().find(|(known, _)| *known == row) {
                        Some((_, names)) => names.push(who),
                        None => rows.push((row, vec![who])),
                    }
                }
            }
        }
        for (row, names) in rows.into_iter().filter(|(row, _)| !row.is_empty()) {
            let _ = writeln!(text, "  {}:\n    {row}", names.join(", "));
        }
    }
    text
}

#[test]
fn every_event_in_every_state_is_decided_as_the_table_says() {
    let table = table();
    if std::env::var_os("PROXYTILL_WRITE_CELLS").is_some() {
        std::fs::write(FILE, &table).unwrap();
    }
    for (line, (expected, found)) in include_str!("cells.txt").lines().zip(table.lines()).enumerate() {
        assert_eq!(found, expected, "line {}", line + 1);
    }
    assert_eq!(include_str!("cells.txt").lines().count(), table.lines().count());
}
