//! T2: `kill -9` of the headless core while it writes; restart, and compare with the ledger.

use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;

use dice::Dice;
use operations::Kind;
use sandbox::{Credentials, THREE_IN_JAPAN};
use tempfile::TempDir;
use tests::foreign::Foreign;
use tests::truth::Done;
use tests::{number, service, teller, truth};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use vendor::{Choices, FOUR_IN_JAPAN};

/// Kills per test run; `cargo xtask prove` kills more often.
const KILLS: u64 = 200;
/// The same against the second service.
const FOREIGN_KILLS: u64 = 80;
/// Number of desks at a time, each with its own journal and service.
const SEATS: usize = 4;
/// The most lives of a journal. A start reads all of it: the hundredth life was seven times as slow to tell its first
/// line as the first, and under Wine too slow to tell it from a core that hangs.
const LIVES: usize = 50;

/// Counts of one desk.
#[derive(Debug, Default)]
struct Count {
    /// Writes that were reported before the kill.
    told: usize,
    written: usize,
    /// Writes that became a question.
    asked: usize,
    orders: usize,
    renewals: usize,
    /// Rows of bulks.
    in_bulks: usize,
}

impl Count {
    fn add(self, other: Self) -> Self {
        Self {
            told: self.told + other.told,
            written: self.written + other.written,
            asked: self.asked + other.asked,
            orders: self.orders + other.orders,
            renewals: self.renewals + other.renewals,
            in_bulks: self.in_bulks + other.in_bulks,
        }
    }

    fn judge(&self, kills: usize, what: &str, seed: u64) {
        let Self { told, written, asked, orders, renewals, in_bulks } = self;
        println!(
            "{kills} {what} from seed {seed}: {written} writes, {orders} of them orders, {renewals} renewals, \
             {in_bulks} rows of bulks, {told} told before the end, {asked} ended in a question"
        );
        assert!(*orders > 0 && *renewals > 0 && *in_bulks > 0, "it bought, renewed, and did many at once");
        assert!(*told > kills && written > told, "it was killed while it wrote: {written} writes, {told} told");
    }
}

#[tokio::test]
async fn a_core_that_is_killed_at_any_moment_loses_nothing_and_does_nothing_twice() {
    let (kills, seed) = (number("PROXYTILL_KILLS", KILLS) as usize, number("PROXYTILL_SEED", 0));
    let desk = async |at, lives| {
        let service = service::start().await;
        let world = Killed { base_url: &service.base_url(), config: THREE_IN_JAPAN, seed: seed + at as u64 };
        world.killed(lives, a_folder().path(), || Done::by(&service)).await
    };
    desks(kills, desk).await.judge(kills, "kills", seed);
}

#[tokio::test]
async fn a_core_that_is_killed_against_the_second_service_loses_nothing_and_does_nothing_twice() {
    let (kills, seed) = (number("PROXYTILL_KILLS", FOREIGN_KILLS) as usize, number("PROXYTILL_SEED", 0));
    let desk = async |at, lives| {
        let mut choices = Choices::named(["plain", "own"][at % 2]).expect("a preset");
        let who = Credentials::well_known();
        choices.start.developer = who.user_id;
        choices.start.developer_token = who.static_token;
        choices.start.agent_token = who.agent_token;
        choices.start.founded_ms = tests::wall() - 6 * 86_400_000;
        choices.start.wallet = 1_000_000;
        let foreign = Foreign::new(choices, vendor::wall_clock()).await;
        let before = foreign.vendor.ledger().len();
        let world = Killed { base_url: &foreign.base(), config: FOUR_IN_JAPAN, seed: seed + at as u64 };
        world.killed(lives, a_folder().path(), || Done::by_the_second(&foreign.vendor, before)).await
    };
    desks(kills, desk).await.judge(kills, "kills against the second service", seed);
}

/// The names that a person's folder may have: in Chinese, with a space, and as long as Windows takes without asking.
#[tokio::test]
async fn a_core_in_a_folder_of_any_name_is_killed_and_goes_on() {
    const KILLS: usize = 4;
    const LONGEST: usize = 240;
    const DEEPEST: &str = "/journal.backups/000001.sends";
    for name in ["张三 x", "long"] {
        let base = a_folder();
        let mut folder = base.path().join(name);
        // The folder leaves room for a record of sends among the backups, whose own names are a little longer.
        let most = LONGEST - DEEPEST.len();
        while name == "long" && folder.as_os_str().len() + 1 < most {
            let left = most - folder.as_os_str().len();
            let length = (left - 1).clamp(1, 60);
            // One character alone would be left: a separator without a name.
            folder.push("n".repeat(if left == length + 2 { length - 1 } else { length }));
        }
        if name == "long" {
            let length = folder.as_os_str().len() + DEEPEST.len();
            assert!((LONGEST..=LONGEST + 1).contains(&length), "{length}");
        }
        std::fs::create_dir_all(&folder).expect("a folder");
        let service = service::start().await;
        let world = Killed { base_url: &service.base_url(), config: THREE_IN_JAPAN, seed: 7 };
        let count = world.killed(KILLS, &folder, || Done::by(&service)).await;
        assert!(count.written > KILLS, "{name}: {count:?}");
    }
}

/// Spreads the kills over as many desks as they need. `desk` plays one: its number and its lives.
async fn desks(kills: usize, desk: impl AsyncFn(usize, usize) -> Count) -> Count {
    let all = kills.div_ceil(LIVES).max(SEATS);
    let seat = async |first| {
        let mut count = Count::default();
        for at in (first..all).step_by(SEATS) {
            count = count.add(desk(at, kills / all).await);
        }
        count
    };
    let seats: [Count; SEATS] = tokio::join!(seat(0), seat(1), seat(2), seat(3)).into();
    seats.into_iter().fold(Count::default(), Count::add)
}

fn a_folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A core with one journal and one service.
struct Killed<'a> {
    base_url: &'a str,
    /// The configuration to buy.
    config: &'a str,
    seed: u64,
}

impl Killed<'_> {
    /// Kills the core this many times, then compares with what was done.
    async fn killed(&self, kills: usize, folder: &Path, done: impl Fn() -> Done) -> Count {
        let mut dice = Dice::of(self.seed);
        let journal = folder.join("journal.db");
        let mut told = HashMap::new();
        for life in 0..kills {
            told.extend(self.one_life(&journal, life, dice.roll(12) as usize).await);
        }
        let operations = teller::open(&journal, self.base_url);
        let all = truth::settled(&operations).await;
        let told_of = told.iter().map(|(id, state)| (id.as_str(), state.as_str()));
        let when = format!("seed {}", self.seed);
        truth::ensure_kept(&when, &operations, told_of);
        truth::compare(&when, &done(), &all);
        let of = |kind| all.iter().filter(|one| one.kind == kind).count();
        Count {
            told: told.len(),
            written: all.len(),
            asked: all.iter().filter(|one| one.state.is_unconfirmed()).count(),
            orders: of(Kind::PlaceAndPay),
            renewals: of(Kind::Renew),
            in_bulks: all.iter().filter(|one| one.bulk.is_some()).count(),
        }
    }

    /// Starts the core, waits for this many lines of output, and kills it. Returns the lines: names and states.
    async fn one_life(&self, journal: &Path, life: usize, lines: usize) -> Vec<(String, String)> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_teller"));
        command.arg(journal).args([self.base_url, &life.to_string(), self.config]);
        command.stdout(Stdio::piped()).kill_on_drop(true);
        // Of some hundred programs, Wine failed to start one: "internal error".
        let mut core = tests::until("the core starts", async || command.spawn().ok()).await;
        let mut told = BufReader::new(core.stdout.take().expect("stdout is piped")).lines();
        let mut names = Vec::new();
        let name = |line: String| {
            let (id, state) = line.split_once(' ').expect("a name and a state");
            (id.to_owned(), state.to_owned())
        };
        for _ in 0..lines {
            let line = tokio::time::timeout(tests::PATIENCE, told.next_line()).await.expect("it goes on telling");
            names.push(name(line.expect("lines").expect("it lives until it is killed")));
        }
        core.kill().await.expect("it is killed");
        // Lines it printed before it died count too.
        while let Some(line) = told.next_line().await.expect("lines") {
            names.push(name(line));
        }
        names
    }
}
