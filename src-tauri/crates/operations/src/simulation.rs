//! Plays seeded schedules of everything that can happen to a write, against a service whose ledger is the truth.
//!
//! The journal, the engine's commits, every decision and every comparison are the program's own, and the vendor's side
//! is the practice service or the second one. Only the network, the clocks and the people are played. A schedule never
//! waits: its clocks are numbers. `PROXYTILL_SCHEDULES` says how many are played; `PROXYTILL_SEED` plays one again and
//! prints its steps.

mod bulk;
mod desk;
mod office;
mod play;
mod practice;
mod second;
mod story;
mod truth;
mod vendor;
mod writes;

use std::collections::BTreeMap;

use desk::Desk;
use practice::Practice;
use second::Second;
use vendor::Fate;

use crate::words::state::{Family, Kind};

/// Schedules in every test run; `cargo xtask prove` runs more.
const SCHEDULES: u64 = 6_000;
/// Schedules in every test run against the second service.
const SECOND_SCHEDULES: u64 = 4_000;
/// Schedules that share a journal.
const OF_A_JOURNAL: u64 = 100;
/// How long a vendor knows a key, ms: the contract does not say. The program trusts a key for ten minutes, and whatever
/// it sends in that time may be on its way for seven more.
const KEY_LIVES: [i64; 2] = [1_020_000, 86_400_000];
/// How long a price stands, ms: the contract does not say. The longer one outlives a forgotten key.
const PRICE_LIVES: [i64; 2] = [300_000, 3_600_000];
/// Choices of the second service, in turn: how deductions show, how keys are answered, what a GB is.
const PRESETS: [&str; 3] = ["plain", "own", "wordy"];

/// How often each cell of the hazard table was reached: kind, hazard, and whether a lost answer came before.
type Cells = BTreeMap<(&'static str, &'static str, bool), u64>;

/// The service behind the network.
#[derive(Clone, Copy)]
enum World {
    Practice,
    Second,
}

impl World {
    /// Makes a desk for the journal of a seed.
    fn desk(self, seed: u64) -> Desk {
        let journal = (seed / OF_A_JOURNAL) as usize;
        let key_life = KEY_LIVES[journal % KEY_LIVES.len()];
        let price_life = PRICE_LIVES[journal / KEY_LIVES.len() % PRICE_LIVES.len()];
        match self {
            Self::Practice => Desk::new(Box::new(Practice::new(desk::BEGIN, price_life)), key_life),
            Self::Second => {
                let preset = PRESETS[journal % PRESETS.len()];
                Desk::new(Box::new(Second::new(preset, desk::BEGIN, key_life, price_life)), key_life)
            }
        }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn play(world: World, seeds: std::ops::Range<u64>) -> Cells {
    let mut cells = Cells::new();
    let mut desk = world.desk(seeds.start);
    for seed in seeds {
        if seed % OF_A_JOURNAL == 0 {
            desk = world.desk(seed);
        }
        if let Err(wrong) = play::play(&mut desk, seed, &mut cells) {
            panic!("{wrong}\nseed {seed}; play it again: PROXYTILL_SEED={seed} cargo test -p operations simulation");
        }
    }
    cells
}

/// Plays all seeds, or one again. Returns the cells that were never reached, unless there were fewer schedules than
/// usual.
fn play_all(world: World, schedules: u64, what: &str) -> Vec<String> {
    if let Some(seed) = number("PROXYTILL_SEED") {
        // Together with those that were played before it in its journal.
        play(world, seed - seed % OF_A_JOURNAL..seed + 1);
        return Vec::new();
    }
    let all = number("PROXYTILL_SCHEDULES").unwrap_or(schedules);
    let from = number("PROXYTILL_FROM").unwrap_or_default();
    let halves = [from..from + all / 2, from + all / 2..from + all];
    let mut cells = Cells::new();
    for half in halves.map(|half| std::thread::spawn(move || play(world, half))) {
        for (cell, times) in half.join().expect("no schedule went wrong") {
            *cells.entry(cell).or_default() += times;
        }
    }
    for ((kind, hazard, in_doubt), times) in &cells {
        println!("{kind:>13}  {hazard:<17}  {:<8}  {times:>8}", if *in_doubt { "in doubt" } else { "first" });
    }
    let times =
        |of: &str| cells.iter().filter(|((_, hazard, _), _)| *hazard == of).map(|(_, times)| times).sum::<u64>();
    let [writes, rows, beside] = ["5", "row of a bulk", "beside another"].map(times);
    println!("{all} {what} from seed {from}: {writes} writes, {beside} of them beside another, {rows} rows of bulks");
    if all < schedules {
        println!("fewer than {schedules}: too few to reach every cell");
        return Vec::new();
    }
    expected().into_iter().filter(|cell| !cells.contains_key(cell)).map(|cell| format!("{cell:?}")).collect()
}

#[test]
fn no_schedule_does_a_write_twice_loses_one_or_reports_it_wrongly() {
    let missing = play_all(World::Practice, SCHEDULES, "schedules");
    assert!(missing.is_empty(), "cells that were never reached: {missing:?}");
}

#[test]
fn no_schedule_against_the_second_service_does_a_write_twice_loses_one_or_reports_it_wrongly() {
    let missing = play_all(World::Second, SECOND_SCHEDULES, "schedules against the second service");
    assert!(missing.is_empty(), "cells that were never reached: {missing:?}");
}

/// All cells that apply.
fn expected() -> Vec<(&'static str, &'static str, bool)> {
    let mut all = Vec::new();
    for kind in Kind::ALL {
        for in_doubt in [false, true] {
            // A deduction is sent once, so its answer is never in doubt before.
            if in_doubt && *kind == Kind::Deduction {
                continue;
            }
            let fates = Fate::ALL.into_iter().filter(|fate| fate.applies_to(*kind));
            all.extend(fates.map(|fate| (kind.word(), fate.hazards(), in_doubt)));
        }
        if matches!(kind, Kind::Recharge | Kind::Create) {
            // Only what was done before is already done.
            all.push((kind.word(), "14", true));
        }
        if kind.family() == Family::Move {
            all.extend(
                ["17", "17 twice", "17 before", "a colleague", "our own name", "use goes on"]
                    .map(|hazard| (kind.word(), hazard, false)),
            );
        }
        all.extend(["4", "5", "9"].map(|hazard| (kind.word(), hazard, false)));
        if kind.family() == Family::Order || *kind == Kind::Recharge {
            all.push((kind.word(), "key forgotten", true));
        } else {
            all.push((kind.word(), "row of a bulk", false));
        }
        if !matches!(kind.family(), Family::Order | Family::Create) {
            all.push((kind.word(), "beside another", false));
        }
    }
    all
}
