//! `prove`: the long runs at full figures, in pieces that are kept, so that an interrupted run goes on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run;

/// One kind of run.
struct Proof {
    /// Name of its pieces.
    name: &'static str,
    /// What was run, for the report.
    what: &'static str,
    /// At full figures; `prove tenth` runs a tenth.
    full: u64,
    /// So many at a time.
    piece: u64,
    /// How many seeds each of them plays.
    seeds: u64,
    test: &'static [&'static str],
    /// The variables that say how many and from which seed on.
    asks: [&'static str; 2],
    /// What it prints when so many were run.
    word: &'static str,
}

const PROOFS: [Proof; 2] = [
    Proof {
        name: "simulation",
        what: "Schedules of the simulation (`operations`, README \"Simulation\")",
        full: 1_000_000,
        piece: 20_000,
        seeds: 20_000,
        test: &["test", "--package", "operations", "--lib", "simulation", "--", "--nocapture"],
        asks: ["PROXYTILL_SCHEDULES", "PROXYTILL_FROM"],
        word: "schedules",
    },
    Proof {
        name: "kills",
        what: "`kill -9` of the headless core while it writes (`tests/faults/kills.rs`)",
        full: 5_000,
        piece: 100,
        seeds: 4,
        test: &["test", "--package", "tests", "--test", "faults", "kills", "--", "--nocapture"],
        asks: ["PROXYTILL_KILLS", "PROXYTILL_SEED"],
        word: "kills",
    },
];
const REPORT: &str = "target/prove/report.md";

/// How often each cell was reached: kind, hazard, first send or in doubt.
type Cells = BTreeMap<[String; 3], u64>;

pub(crate) fn all(share: Option<&str>) -> Result<(), String> {
    let part = match share {
        None => 1,
        Some("tenth") => 10,
        Some(other) => return Err(format!("`{other}`: say `prove` or `prove tenth`")),
    };
    let commit = commit()?;
    let folder = run::root().join("target/prove").join(&commit);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut cells = Cells::new();
    for proof in &PROOFS {
        let all = proof.full / part;
        for from in (0..all).step_by(usize::try_from(proof.piece).unwrap_or_default()) {
            let told = piece(proof, &folder, from)?;
            println!("{} of {all} {}", from + proof.piece, proof.word);
            add(&mut cells, &told);
        }
    }
    let report = report(&commit, part, &cells);
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
fn piece(proof: &Proof, folder: &Path, from: u64) -> Result<String, String> {
    let file: PathBuf = folder.join(format!("{}-{from}.txt", proof.name));
    if let Ok(told) = fs::read_to_string(&file) {
        return Ok(told);
    }
    let mut test = run::cargo(proof.test);
    test.env(proof.asks[0], proof.piece.to_string()).env(proof.asks[1], from.to_string());
    let told = test.captured().map_err(|told| format!("{} from seed {from} went wrong:\n{told}", proof.word))?;
    if !told.contains(&format!("{} {} from seed {from}", proof.piece, proof.word)) {
        return Err(format!("{} from seed {from} were not run:\n{told}", proof.word));
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

fn report(commit: &str, part: u64, cells: &Cells) -> String {
    let mut text = format!(
        "# Proof\n\nCommit `{commit}`. Written by `cargo xtask prove`, which stops at the first thing that goes wrong.\n\n\
         | What | Run | Goal of a release | Seeds | Done twice | Lost | Reported wrongly |\n|---|---|---|---|---|---|---|\n"
    );
    for proof in &PROOFS {
        let run = proof.full / part;
        let seeds = if proof.seeds == proof.piece {
            format!("0 to {}", run - 1)
        } else {
            format!("the first {} of every {} below {run}", proof.seeds, proof.piece)
        };
        let _ = writeln!(text, "| {} | {run} | {} | {seeds} | 0 | 0 | 0 |", proof.what, proof.full);
    }
    text.push_str(
        "\n\"Done twice\" counts what the program sent twice; a proxy that repeats a deduction is part of the schedules, and \
         there the person is told.\n\n## Cells\nHow often the simulation reached each cell of the hazard table.\n\n\
         | Write | Hazard | First send | After a lost answer |\n|---|---|---|---|\n",
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
