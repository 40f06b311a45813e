//! The kinds of runs, and the command for each.

use xtask::run;

use super::sources::Suite;

/// One kind of run.
pub(super) struct Proof {
    /// Name for its pieces.
    pub(super) name: &'static str,
    /// Description, for the report.
    pub(super) what: &'static str,
    suite: Suite,
    /// Part of the test's name.
    test: &'static str,
    /// Environment variables for the number of runs and the first seed.
    pub(super) asks: [&'static str; 2],
    /// Number of runs; `prove tenth` does a tenth.
    pub(super) full: u64,
    /// Number of runs per piece.
    pub(super) piece: u64,
    /// Word for the count in its output.
    pub(super) word: &'static str,
    /// Number of seeds in each piece.
    pub(super) seeds: u64,
    /// The event that ends the run if it happens once.
    pub(super) stops_at: &'static str,
}

const WRITES: &str = "done twice, lost, called what the ledger denies";

impl Proof {
    const fn of(name: &'static str, what: &'static str) -> Self {
        let (suite, asks) = (Suite::Faults, [""; 2]);
        Self { name, what, suite, test: "", asks, full: 0, piece: 0, word: "", seeds: 0, stops_at: WRITES }
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

    const fn stops_at(self, stops_at: &'static str) -> Self {
        Self { stops_at, ..self }
    }

    /// Number of runs for a part of the full number: whole pieces.
    pub(super) fn share(&self, part: u64) -> u64 {
        (self.full / part).max(1).div_ceil(self.piece) * self.piece
    }

    /// The identity of the sources that a run depends on, as committed.
    ///
    /// # Errors
    /// As [`Suite::sources`].
    pub(super) fn sources(&self) -> Result<String, String> {
        let Self { test, asks, piece, seeds, .. } = self;
        self.suite.sources(&format!("{:?} {:?} {test} {asks:?} {piece} {seeds}", self.suite.flags(), self.target()))
    }

    pub(super) fn run(&self) -> run::Run {
        run::cargo(&[&["test"], self.suite.flags(), self.target(), &[self.test, "--", "--nocapture"]].concat())
    }

    const fn target(&self) -> &'static [&'static str] {
        match self.suite {
            Suite::Operations | Suite::Fuzz => &["--lib"],
            Suite::Faults => &["--test", "faults"],
            Suite::Window => &["--test", "e2e"],
        }
    }

    /// Whether its test starts programs of this project.
    pub(super) fn starts_programs(&self) -> bool {
        matches!(self.suite, Suite::Faults | Suite::Window)
    }
}

pub(super) const PROOFS: [Proof; 22] = [
    Proof::of("simulation", "T1: schedules of the simulation (`operations`, README \"Simulation\")")
        .tests(Suite::Operations, "no_schedule_does", ["PROXYTILL_SCHEDULES", "PROXYTILL_FROM"])
        .plays(1_000_000, 20_000, "schedules")
        .seeds(20_000),
    Proof::of("simulation-second", "T1 against the second service: schedules of the simulation, by turns against three of its presets")
        .tests(Suite::Operations, "no_schedule_against", ["PROXYTILL_SCHEDULES", "PROXYTILL_FROM"])
        .plays(200_000, 20_000, "schedules against the second service")
        .seeds(20_000),
    Proof::of("kills", "T2: `kill -9` of the headless core while it writes (`tests/faults/kills.rs`)")
        .tests(Suite::Faults, "a_core_that_is_killed_at_any_moment", ["PROXYTILL_KILLS", "PROXYTILL_SEED"])
        .plays(5_000, 100, "kills")
        .seeds(4),
    Proof::of("kills-second", "T2 against the second service: `kill -9` of the headless core while it writes (`tests/faults/kills.rs`)")
        .tests(Suite::Faults, "a_core_that_is_killed_against_the_second", ["PROXYTILL_KILLS", "PROXYTILL_SEED"])
        .plays(5_000, 100, "kills against the second service")
        .seeds(4),
    Proof::of("window-kills", "T3: `kill -9` of the window at marked points of a write (`tests/e2e/killed.rs`)")
        .tests(Suite::Window, "killed", ["PROXYTILL_WINDOW_KILLS", "PROXYTILL_FROM"])
        .plays(308, 22, "window kills"),
    Proof::of("images", "T4: disks that a power cut could leave (`tests/faults/linux/power.rs`)")
        .tests(Suite::Faults, "power", ["PROXYTILL_IMAGES", "PROXYTILL_FROM"])
        .plays(2_000, 1_000, "images")
        .seeds(1_000)
        .stops_at("something told or sent that the journal no longer knows"),
    Proof::of("wire", "T5: seeds of sixteen ways to lose an answer at each of seven writes (`tests/faults/wire_faults.rs`)")
        .tests(Suite::Faults, "a_write_that_is_lost_in_any_way", ["PROXYTILL_WIRE_SEEDS", "PROXYTILL_FROM"])
        .plays(50, 5, "wire seeds")
        .seeds(5),
    Proof::of("wire-second", "T5 against the second service: seeds of sixteen ways to lose an answer at each of seven writes (`tests/faults/foreign_wire.rs`)")
        .tests(Suite::Faults, "a_write_that_is_lost_against_the_second", ["PROXYTILL_WIRE_SEEDS", "PROXYTILL_FROM"])
        .plays(50, 5, "wire seeds against the second service")
        .seeds(5),
    Proof::of("doubles", "T6: deductions that a real nginx doubles (`tests/faults/linux/doubled.rs`)")
        .tests(Suite::Faults, "doubled::", ["PROXYTILL_DOUBLES", "PROXYTILL_FROM"])
        .plays(200, 20, "doubles")
        .stops_at("a second deduction that nobody is told of"),
    Proof::of("rotations", "T7: tokens rotated at any step of a write (`tests/faults/wire_faults.rs`)")
        .tests(Suite::Faults, "a_token_that_is_rotated", ["PROXYTILL_ROTATIONS", "PROXYTILL_FROM"])
        .plays(500, 50, "rotations")
        .seeds(50),
    Proof::of("clocks", "T8: clocks that are wrong, set or asleep while a price runs out (`operations`, `engine/confirmations.rs`)")
        .tests(Suite::Operations, "whatever_the_clocks", ["PROXYTILL_ALL", "PROXYTILL_FROM"])
        .plays(500, 500, "clocks")
        .seeds(500)
        .stops_at("an order sent after its price was over"),
    Proof::of("set-clocks", "T8: orders of a real core whose wall clock somebody sets while its prices run out (`tests/faults/linux/clocks.rs`)")
        .tests(Suite::Faults, "whatever_somebody_sets", ["PROXYTILL_ORDERS", "PROXYTILL_SEED"])
        .plays(560, 80, "orders")
        .seeds(4)
        .stops_at("an order sent after its price was over, done twice, lost"),
    Proof::of("bursts", "T9: bursts of clicks and Enter on one confirmation (`tests/e2e/bursts.rs`)")
        .tests(Suite::Window, "bursts", ["PROXYTILL_BURSTS", "PROXYTILL_FROM"])
        .plays(1_000, 50, "bursts")
        .seeds(50)
        .stops_at("more or less than one intent"),
    Proof::of("starts", "T10: starts of one program, with a session bus and as many without (`tests/e2e/instances.rs`)")
        .tests(Suite::Window, "instances", ["PROXYTILL_STARTS", "PROXYTILL_FROM"])
        .plays(100, 20, "starts")
        .stops_at("two programs that stay"),
    Proof::of("keychains", "T11: keychains in each of ten states (`tests/faults/linux/keychain.rs`)")
        .tests(Suite::Faults, "keychain::", ["PROXYTILL_KEYCHAINS", "PROXYTILL_ALL"])
        .plays(20, 20, "keychains of each state")
        .stops_at("another answer than the state's own"),
    Proof::of("decoders", "T12: inputs of every decoder (`tests/fuzz`)")
        .tests(Suite::Fuzz, "no_answer", ["PROXYTILL_INPUTS", "PROXYTILL_FROM"])
        .plays(100_000_000, 1_000_000, "decoders inputs")
        .seeds(1_000_000)
        .stops_at("a panic, a value that changes when it is read again"),
    Proof::of("imports", "T12: inputs of every import parser (`tests/fuzz`)")
        .tests(Suite::Fuzz, "nothing_that", ["PROXYTILL_INPUTS", "PROXYTILL_FROM"])
        .plays(10_000_000, 1_000_000, "imports inputs")
        .seeds(1_000_000)
        .stops_at("a panic"),
    Proof::of("cells", "T16: cells that LibreOffice reads back (`tests/faults/linux/spreadsheets.rs`)")
        .tests(Suite::Faults, "spreadsheets", ["PROXYTILL_CELLS", "PROXYTILL_SEED"])
        .plays(100_000, 10_000, "cells")
        .stops_at("a formula, a text or a number that comes back as another"),
    Proof::of("damages", "T20: damaged files of a journal (`tests/faults/damage.rs`)")
        .tests(Suite::Faults, "damage_to", ["PROXYTILL_DAMAGES", "PROXYTILL_FROM"])
        .plays(10_000, 1_000, "damages")
        .seeds(1_000)
        .stops_at("an operation lost without a word"),
    Proof::of("secrets", "T13: secrets, each in eight forms, searched in every file, log, argument and environment (`tests/e2e/secrets.rs`)")
        .tests(Suite::Window, "secrets", ["PROXYTILL_ALL", "PROXYTILL_FROM"])
        .plays(40, 40, "canaries")
        .stops_at("a secret found where it may not be"),
    Proof::of("redirects", "T14: ways of a server to point elsewhere, each at eight calls (`tests/faults/leaks.rs`)")
        .tests(Suite::Faults, "leaks", ["PROXYTILL_ALL", "PROXYTILL_FROM"])
        .plays(15, 15, "ways")
        .stops_at("a byte that arrives elsewhere"),
    Proof::of("payloads", "T15: payloads in texts of the vendor, on screen (`tests/e2e/hostile.rs`)")
        .tests(Suite::Window, "hostile", ["PROXYTILL_ALL", "PROXYTILL_FROM"])
        .plays(200, 200, "payloads")
        .stops_at("a payload that runs"),
];
