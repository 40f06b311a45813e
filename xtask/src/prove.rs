//! `prove`: the long runs at full figures, in pieces that are kept, so that an interrupted run goes on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{packages, run};

/// Where the test of a kind is.
#[derive(Clone, Copy)]
enum Suite {
    /// Beside the code of a package.
    Unit(&'static str),
    Faults,
    Window,
}

/// One kind of run.
struct Proof {
    /// Name of its pieces.
    name: &'static str,
    /// What was run, for the report.
    what: &'static str,
    suite: Suite,
    /// Part of the test's name.
    test: &'static str,
    /// The variables that say how many and from which seed on.
    asks: [&'static str; 2],
    /// At full figures; `prove tenth` runs a tenth.
    full: u64,
    /// So many at a time.
    piece: u64,
    /// What it prints when so many were run.
    word: &'static str,
    /// How many seeds each piece plays.
    seeds: u64,
    /// It looks for what leaks, not for what is done.
    leaks: bool,
}

impl Proof {
    const fn of(name: &'static str, what: &'static str) -> Self {
        let (suite, asks) = (Suite::Faults, [""; 2]);
        Self { name, what, suite, test: "", asks, full: 0, piece: 0, word: "", seeds: 0, leaks: false }
    }

    const fn tests(self, suite: Suite, test: &'static str, asks: [&'static str; 2]) -> Self {
        Self { suite, test, asks, ..self }
    }

    const fn plays(self, full: u64, piece: u64, word: &'static str) -> Self {
        Self { full, piece, word, ..self }
    }

    const fn seeds(self, seeds: u64) -> Self {
        Self { seeds, ..self }
    }

    const fn leaks(self) -> Self {
        Self { leaks: true, ..self }
    }

    /// How many are run of the full figure's part: whole pieces.
    fn share(&self, part: u64) -> u64 {
        (self.full / part).max(1).div_ceil(self.piece) * self.piece
    }

    fn run(&self) -> run::Run {
        let place = match self.suite {
            Suite::Unit(package) => ["--package", package, "--lib", self.test].to_vec(),
            Suite::Faults => ["--package", "tests", "--test", "faults", self.test].to_vec(),
            Suite::Window => ["--package", "tests", "--test", "e2e", self.test].to_vec(),
        };
        run::cargo(&[&["test"], &place[..], &["--", "--nocapture"]].concat())
    }
}

const PROOFS: [Proof; 19] = [
    Proof::of("simulation", "T1: schedules of the simulation (`operations`, README \"Simulation\")")
        .tests(Suite::Unit("operations"), "simulation", ["PROXYTILL_SCHEDULES", "PROXYTILL_FROM"])
        .plays(1_000_000, 20_000, "schedules")
        .seeds(20_000),
    Proof::of("kills", "T2: `kill -9` of the headless core while it writes (`tests/faults/kills.rs`)")
        .tests(Suite::Faults, "kills", ["PROXYTILL_KILLS", "PROXYTILL_SEED"])
        .plays(5_000, 100, "kills")
        .seeds(4),
    Proof::of("window-kills", "T3: `kill -9` of the window at marked points of a write (`tests/e2e/killed.rs`)")
        .tests(Suite::Window, "killed", ["PROXYTILL_WINDOW_KILLS", "PROXYTILL_FROM"])
        .plays(308, 14, "window kills"),
    Proof::of("images", "T4: disks that a power cut could leave (`tests/faults/power.rs`)")
        .tests(Suite::Faults, "power", ["PROXYTILL_IMAGES", "PROXYTILL_FROM"])
        .plays(2_000, 1_000, "images")
        .seeds(1_000),
    Proof::of("wire", "T5: seeds of sixteen ways to lose an answer at each of six writes (`tests/faults/wire_faults.rs`)")
        .tests(Suite::Faults, "a_write_that_is_lost", ["PROXYTILL_WIRE_SEEDS", "PROXYTILL_FROM"])
        .plays(50, 5, "wire seeds")
        .seeds(5),
    Proof::of("doubles", "T6: deductions that a real nginx doubles (`tests/faults/doubled.rs`)")
        .tests(Suite::Faults, "doubled::", ["PROXYTILL_DOUBLES", "PROXYTILL_FROM"])
        .plays(200, 20, "doubles"),
    Proof::of("rotations", "T7: tokens rotated at any step of a write (`tests/faults/wire_faults.rs`)")
        .tests(Suite::Faults, "a_token_that_is_rotated", ["PROXYTILL_ROTATIONS", "PROXYTILL_FROM"])
        .plays(500, 50, "rotations")
        .seeds(50),
    Proof::of("clocks", "T8: clocks that are wrong, set or asleep while a price runs out (`operations`, `confirmation.rs`)")
        .tests(Suite::Unit("operations"), "whatever_the_clocks", ["PROXYTILL_ALL", "PROXYTILL_FROM"])
        .plays(500, 500, "clocks")
        .seeds(500),
    Proof::of("set-clocks", "T8: orders of a real core whose wall clock somebody sets while its prices run out (`tests/faults/clocks.rs`)")
        .tests(Suite::Faults, "whatever_somebody_sets", ["PROXYTILL_ORDERS", "PROXYTILL_SEED"])
        .plays(560, 80, "orders")
        .seeds(4),
    Proof::of("bursts", "T9: bursts of clicks and Enter on one confirmation (`tests/e2e/bursts.rs`)")
        .tests(Suite::Window, "bursts", ["PROXYTILL_BURSTS", "PROXYTILL_FROM"])
        .plays(1_000, 50, "bursts")
        .seeds(50),
    Proof::of("starts", "T10: starts of one program, with a session bus and as many without (`tests/e2e/instances.rs`)")
        .tests(Suite::Window, "instances", ["PROXYTILL_STARTS", "PROXYTILL_FROM"])
        .plays(100, 20, "starts"),
    Proof::of("keychains", "T11: keychains in each of ten states (`tests/faults/keychain.rs`)")
        .tests(Suite::Faults, "keychain::", ["PROXYTILL_KEYCHAINS", "PROXYTILL_ALL"])
        .plays(20, 20, "keychains of each state"),
    Proof::of("decoders", "T12: inputs of every decoder (`tests/fuzz`)")
        .tests(Suite::Unit("fuzz"), "no_answer", ["PROXYTILL_INPUTS", "PROXYTILL_FROM"])
        .plays(100_000_000, 1_000_000, "decoders inputs")
        .seeds(1_000_000),
    Proof::of("imports", "T12: inputs of every import parser (`tests/fuzz`)")
        .tests(Suite::Unit("fuzz"), "nothing_that", ["PROXYTILL_INPUTS", "PROXYTILL_FROM"])
        .plays(10_000_000, 1_000_000, "imports inputs")
        .seeds(1_000_000),
    Proof::of("cells", "T16: cells that LibreOffice reads back (`tests/faults/spreadsheets.rs`)")
        .tests(Suite::Faults, "spreadsheets", ["PROXYTILL_CELLS", "PROXYTILL_SEED"])
        .plays(100_000, 10_000, "cells"),
    Proof::of("damages", "T20: damaged files of a journal (`tests/faults/damage.rs`)")
        .tests(Suite::Faults, "damage_to", ["PROXYTILL_DAMAGES", "PROXYTILL_FROM"])
        .plays(10_000, 1_000, "damages")
        .seeds(1_000),
    Proof::of("secrets", "T13: secrets, each in eight forms, searched in every file, log, argument and environment (`tests/e2e/secrets.rs`)")
        .tests(Suite::Window, "secrets", ["PROXYTILL_ALL", "PROXYTILL_FROM"])
        .plays(40, 40, "canaries")
        .leaks(),
    Proof::of("redirects", "T14: ways of a server to point elsewhere, each at eight calls (`tests/faults/leaks.rs`)")
        .tests(Suite::Faults, "leaks", ["PROXYTILL_ALL", "PROXYTILL_FROM"])
        .plays(15, 15, "ways")
        .leaks(),
    Proof::of("payloads", "T15: payloads in texts of the vendor, on screen (`tests/e2e/hostile.rs`)")
        .tests(Suite::Window, "hostile", ["PROXYTILL_ALL", "PROXYTILL_FROM"])
        .plays(200, 200, "payloads")
        .leaks(),
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
    packages::ensure(packages::WINDOW)?;
    packages::ensure(packages::PEERS)?;
    crate::build(&["proxytill"])?;
    let folder = run::root().join("target/prove").join(&commit);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut cells = Cells::new();
    for proof in &PROOFS {
        let all = proof.share(part);
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
    let mut test = proof.run();
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
         | What | Run | Goal of a release | Seeds | Done twice | Lost | Reported wrongly | Leaked |\n|---|---|---|---|---|---|---|---|\n"
    );
    for proof in &PROOFS {
        let run = proof.share(part);
        let seeds = if proof.seeds == proof.piece {
            format!("0 to {}", run - 1)
        } else if proof.seeds == 0 {
            "-".to_owned()
        } else {
            format!("the first {} of every {} below {run}", proof.seeds, proof.piece)
        };
        let wrong = if proof.leaks { "- | - | - | 0" } else { "0 | 0 | 0 | -" };
        let _ = writeln!(text, "| {} | {run} | {} | {seeds} | {wrong} |", proof.what, proof.full);
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
