//! `prove`: the long runs at full figures, in pieces that are kept, so that an interrupted run goes on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run;

/// Schedules of a release; `prove tenth` runs a tenth of them.
const SCHEDULES: u64 = 1_000_000;
/// Schedules of a piece.
const PIECE: u64 = 20_000;
const REPORT: &str = "target/prove/report.md";

/// How often each cell was reached: kind, hazard, first send or in doubt.
type Cells = BTreeMap<[String; 3], u64>;

pub(crate) fn all(share: Option<&str>) -> Result<(), String> {
    let schedules = match share {
        None => SCHEDULES,
        Some("tenth") => SCHEDULES / 10,
        Some(other) => return Err(format!("`{other}`: say `prove` or `prove tenth`")),
    };
    let commit = commit()?;
    let folder = run::root().join("target/prove").join(&commit);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut cells = Cells::new();
    for from in (0..schedules).step_by(usize::try_from(PIECE).unwrap_or_default()) {
        let told = piece(&folder, from)?;
        println!("{} of {schedules} schedules", from + PIECE);
        add(&mut cells, &told);
    }
    let report = report(&commit, schedules, &cells);
    fs::write(run::root().join(REPORT), &report).map_err(|error| error.to_string())?;
    println!("{REPORT}\n\n{report}");
    Ok(())
}

/// What was built. Changes that are not committed belong to no commit: their pieces can not be kept.
fn commit() -> Result<String, String> {
    let changed = run::program("git", &["status", "--porcelain"]).captured()?;
    if !changed.trim().is_empty() {
        return Err("commit first: a proof names what it is a proof of".into());
    }
    Ok(run::program("git", &["rev-parse", "--short=10", "HEAD"]).captured()?.trim().to_owned())
}

/// What a piece printed, from its file when it was run before.
fn piece(folder: &Path, from: u64) -> Result<String, String> {
    let file: PathBuf = folder.join(format!("simulation-{from}.txt"));
    if let Ok(told) = fs::read_to_string(&file) {
        return Ok(told);
    }
    let mut test = run::cargo(&["test", "--package", "operations", "--lib", "simulation", "--", "--nocapture"]);
    test.env("PROXYTILL_FROM", from.to_string()).env("PROXYTILL_SCHEDULES", PIECE.to_string());
    let told = test.captured().map_err(|told| format!("schedules from seed {from} went wrong:\n{told}"))?;
    if !told.contains(&format!("{PIECE} schedules from seed {from}")) {
        return Err(format!("schedules from seed {from} were not run:\n{told}"));
    }
    fs::write(&file, &told).map_err(|error| error.to_string())?;
    Ok(told)
}

/// Lines of a kind, a hazard, `first` or `in doubt`, and a number, two spaces apart at least.
fn add(cells: &mut Cells, told: &str) {
    for line in told.lines() {
        let parts: Vec<&str> = line.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
        if let [kind, hazard, when @ ("first" | "in doubt"), times] = parts[..]
            && let Ok(times) = times.parse::<u64>()
        {
            *cells.entry([kind, hazard, when].map(str::to_owned)).or_default() += times;
        }
    }
}

fn report(commit: &str, schedules: u64, cells: &Cells) -> String {
    let last = schedules - 1;
    let mut text = format!(
        "# Proof\n\nCommit `{commit}`. Written by `cargo xtask prove`, which stops at the first thing that goes wrong.\n\n\
         | What | Run | Seeds | Done twice | Lost | Reported wrongly |\n|---|---|---|---|---|---|\n\
         | Schedules of the simulation (`operations`, README \"Simulation\") | {schedules} | 0 to {last} | 0 | 0 | 0 |\n\n\
         \"Done twice\" counts what the program sent twice; a proxy that repeats a deduction is part of the schedules, and there \
         the person is told.\n\n## Cells\nHow often each cell of the hazard table was reached.\n\n\
         | Write | Hazard | First send | After a lost answer |\n|---|---|---|---|\n"
    );
    let pairs: BTreeMap<[&String; 2], [u64; 2]> =
        cells.iter().fold(BTreeMap::new(), |mut pairs, ([kind, hazard, when], times)| {
            let slot: &mut [u64; 2] = pairs.entry([kind, hazard]).or_default();
            slot[usize::from(when == "in doubt")] += times;
            pairs
        });
    for ([kind, hazard], [first, in_doubt]) in pairs {
        let in_doubt = if in_doubt == 0 { "-".to_owned() } else { in_doubt.to_string() };
        let _ = writeln!(text, "| {kind} | {hazard} | {first} | {in_doubt} |");
    }
    text
}
