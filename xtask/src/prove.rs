//! `prove`: the long runs at full figures, in pieces that are kept, so that an interrupted run goes on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{packages, run};

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
    /// It looks for what leaks, not for what is done.
    leaks: bool,
}

impl Proof {
    /// How many are run of the full figure's part: whole pieces.
    fn share(&self, part: u64) -> u64 {
        (self.full / part).max(1).div_ceil(self.piece) * self.piece
    }
}

const PROOFS: [Proof; 19] = [
    Proof {
        name: "simulation",
        what: "T1: schedules of the simulation (`operations`, README \"Simulation\")",
        full: 1_000_000,
        piece: 20_000,
        seeds: 20_000,
        test: &["test", "--package", "operations", "--lib", "simulation", "--", "--nocapture"],
        asks: ["PROXYTILL_SCHEDULES", "PROXYTILL_FROM"],
        word: "schedules",
        leaks: false,
    },
    Proof {
        name: "kills",
        what: "T2: `kill -9` of the headless core while it writes (`tests/faults/kills.rs`)",
        full: 5_000,
        piece: 100,
        seeds: 4,
        test: &["test", "--package", "tests", "--test", "faults", "kills", "--", "--nocapture"],
        asks: ["PROXYTILL_KILLS", "PROXYTILL_SEED"],
        word: "kills",
        leaks: false,
    },
    Proof {
        name: "window-kills",
        what: "T3: `kill -9` of the window at marked points of a write (`tests/e2e/killed.rs`)",
        full: 308,
        piece: 14,
        seeds: 0,
        test: &["test", "--package", "tests", "--test", "e2e", "killed", "--", "--nocapture"],
        asks: ["PROXYTILL_WINDOW_KILLS", "PROXYTILL_FROM"],
        word: "window kills",
        leaks: false,
    },
    Proof {
        name: "images",
        what: "T4: disks that a power cut could leave (`tests/faults/power.rs`)",
        full: 2_000,
        piece: 1_000,
        seeds: 1_000,
        test: &["test", "--package", "tests", "--test", "faults", "power", "--", "--nocapture"],
        asks: ["PROXYTILL_IMAGES", "PROXYTILL_FROM"],
        word: "images",
        leaks: false,
    },
    Proof {
        name: "wire",
        what: "T5: seeds of sixteen ways to lose an answer at each of six writes (`tests/faults/wire_faults.rs`)",
        full: 50,
        piece: 5,
        seeds: 5,
        test: &["test", "--package", "tests", "--test", "faults", "a_write_that_is_lost", "--", "--nocapture"],
        asks: ["PROXYTILL_WIRE_SEEDS", "PROXYTILL_FROM"],
        word: "wire seeds",
        leaks: false,
    },
    Proof {
        name: "doubles",
        what: "T6: deductions that a real nginx doubles (`tests/faults/doubled.rs`)",
        full: 200,
        piece: 20,
        seeds: 0,
        test: &["test", "--package", "tests", "--test", "faults", "doubled::", "--", "--nocapture"],
        asks: ["PROXYTILL_DOUBLES", "PROXYTILL_FROM"],
        word: "doubles",
        leaks: false,
    },
    Proof {
        name: "rotations",
        what: "T7: tokens rotated at any step of a write (`tests/faults/wire_faults.rs`)",
        full: 500,
        piece: 50,
        seeds: 50,
        test: &["test", "--package", "tests", "--test", "faults", "a_token_that_is_rotated", "--", "--nocapture"],
        asks: ["PROXYTILL_ROTATIONS", "PROXYTILL_FROM"],
        word: "rotations",
        leaks: false,
    },
    Proof {
        name: "clocks",
        what: "T8: clocks that are wrong, set or asleep while a price runs out (`operations`, `confirmation.rs`)",
        full: 500,
        piece: 500,
        seeds: 500,
        test: &["test", "--package", "operations", "--lib", "whatever_the_clocks", "--", "--nocapture"],
        asks: ["PROXYTILL_ALL", "PROXYTILL_FROM"],
        word: "clocks",
        leaks: false,
    },
    Proof {
        name: "set-clocks",
        what: "T8: orders of a real core whose wall clock somebody sets while its prices run out (`tests/faults/clocks.rs`)",
        full: 560,
        piece: 80,
        seeds: 4,
        test: &["test", "--package", "tests", "--test", "faults", "whatever_somebody_sets", "--", "--nocapture"],
        asks: ["PROXYTILL_ORDERS", "PROXYTILL_SEED"],
        word: "orders",
        leaks: false,
    },
    Proof {
        name: "bursts",
        what: "T9: bursts of clicks and Enter on one confirmation (`tests/e2e/bursts.rs`)",
        full: 1_000,
        piece: 50,
        seeds: 50,
        test: &["test", "--package", "tests", "--test", "e2e", "bursts", "--", "--nocapture"],
        asks: ["PROXYTILL_BURSTS", "PROXYTILL_FROM"],
        word: "bursts",
        leaks: false,
    },
    Proof {
        name: "starts",
        what: "T10: starts of one program, with a session bus and as many without (`tests/e2e/instances.rs`)",
        full: 100,
        piece: 20,
        seeds: 0,
        test: &["test", "--package", "tests", "--test", "e2e", "instances", "--", "--nocapture"],
        asks: ["PROXYTILL_STARTS", "PROXYTILL_FROM"],
        word: "starts",
        leaks: false,
    },
    Proof {
        name: "keychains",
        what: "T11: keychains in each of ten states (`tests/faults/keychain.rs`)",
        full: 20,
        piece: 20,
        seeds: 0,
        test: &["test", "--package", "tests", "--test", "faults", "keychain", "--", "--nocapture"],
        asks: ["PROXYTILL_KEYCHAINS", "PROXYTILL_ALL"],
        word: "keychains of each state",
        leaks: false,
    },
    Proof {
        name: "decoders",
        what: "T12: inputs of every decoder (`tests/fuzz`)",
        full: 100_000_000,
        piece: 1_000_000,
        seeds: 1_000_000,
        test: &["test", "--package", "fuzz", "--lib", "no_answer", "--", "--nocapture"],
        asks: ["PROXYTILL_INPUTS", "PROXYTILL_FROM"],
        word: "decoders inputs",
        leaks: false,
    },
    Proof {
        name: "imports",
        what: "T12: inputs of every import parser (`tests/fuzz`)",
        full: 10_000_000,
        piece: 1_000_000,
        seeds: 1_000_000,
        test: &["test", "--package", "fuzz", "--lib", "nothing_that", "--", "--nocapture"],
        asks: ["PROXYTILL_INPUTS", "PROXYTILL_FROM"],
        word: "imports inputs",
        leaks: false,
    },
    Proof {
        name: "cells",
        what: "T16: cells that LibreOffice reads back (`tests/faults/spreadsheets.rs`)",
        full: 100_000,
        piece: 10_000,
        seeds: 0,
        test: &["test", "--package", "tests", "--test", "faults", "spreadsheets", "--", "--nocapture"],
        asks: ["PROXYTILL_CELLS", "PROXYTILL_SEED"],
        word: "cells",
        leaks: false,
    },
    Proof {
        name: "damages",
        what: "T20: damaged files of a journal (`tests/faults/damage.rs`)",
        full: 10_000,
        piece: 1_000,
        seeds: 1_000,
        test: &["test", "--package", "tests", "--test", "faults", "damage_to", "--", "--nocapture"],
        asks: ["PROXYTILL_DAMAGES", "PROXYTILL_FROM"],
        word: "damages",
        leaks: false,
    },
    Proof {
        name: "secrets",
        what: "T13: secrets, each in eight forms, searched in every file, log, argument and environment (`tests/e2e/secrets.rs`)",
        full: 40,
        piece: 40,
        seeds: 0,
        test: &["test", "--package", "tests", "--test", "e2e", "secrets", "--", "--nocapture"],
        asks: ["PROXYTILL_ALL", "PROXYTILL_FROM"],
        word: "canaries",
        leaks: true,
    },
    Proof {
        name: "redirects",
        what: "T14: ways of a server to point elsewhere, each at eight calls (`tests/faults/leaks.rs`)",
        full: 15,
        piece: 15,
        seeds: 0,
        test: &["test", "--package", "tests", "--test", "faults", "leaks", "--", "--nocapture"],
        asks: ["PROXYTILL_ALL", "PROXYTILL_FROM"],
        word: "ways",
        leaks: true,
    },
    Proof {
        name: "payloads",
        what: "T15: payloads in texts of the vendor, on screen (`tests/e2e/hostile.rs`)",
        full: 200,
        piece: 200,
        seeds: 0,
        test: &["test", "--package", "tests", "--test", "e2e", "hostile", "--", "--nocapture"],
        asks: ["PROXYTILL_ALL", "PROXYTILL_FROM"],
        word: "payloads",
        leaks: true,
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
    packages::ensure(packages::WINDOW)?;
    packages::ensure(packages::PEERS)?;
    crate::build()?;
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
