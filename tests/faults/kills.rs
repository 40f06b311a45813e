//! T2: `kill -9` of the headless core while it writes, start again, compare with the ledger.

use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;

use operations::Kind;
use tests::dice::Dice;
use tests::{service, teller, truth};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

/// In every test run; `cargo xtask prove` kills more often.
const KILLS: u64 = 200;
/// Journals and services beside each other.
const DESKS: usize = 4;

#[tokio::test]
async fn a_core_that_is_killed_at_any_moment_loses_nothing_and_does_nothing_twice() {
    let kills = tests::number("PROXYTILL_KILLS", KILLS) as usize;
    let seed = tests::number("PROXYTILL_SEED", 0);
    let each = kills / DESKS;
    let desks =
        tokio::join!(desk_of(seed, each), desk_of(seed + 1, each), desk_of(seed + 2, each), desk_of(seed + 3, each));
    let desks = <[[usize; 5]; DESKS]>::from(desks);
    let [told, written, asked, orders, in_bulks] =
        [0, 1, 2, 3, 4].map(|at| desks.iter().map(|desk| desk[at]).sum::<usize>());
    println!(
        "{kills} kills from seed {seed}: {written} writes, {orders} of them orders, {in_bulks} rows of bulks, {told} told before the end, {asked} ended in a question"
    );
    assert!(orders > 0 && in_bulks > 0, "it bought something, and did many at once");
    assert!(told > kills && written > told, "it was killed while it wrote: {written} writes, {told} told");
}

/// Kills so often on one journal. Returns writes that were told, all writes, those a person is asked about, orders, and
/// rows of bulks.
async fn desk_of(seed: u64, kills: usize) -> [usize; 5] {
    let mut dice = Dice::of(seed);
    let service = service::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal.db");
    let mut told = HashMap::new();
    for life in 0..kills {
        told.extend(one_life(&journal, &service.base_url(), life, dice.roll(12) as usize).await);
    }
    let operations = teller::open(&journal, &service.base_url());
    let all = truth::settled(&operations).await;
    let told_of = told.iter().map(|(id, state)| (id.as_str(), state.as_str()));
    truth::ensure_kept(&format!("seed {seed}"), &operations, told_of);
    truth::compare(&format!("seed {seed}"), &service, &all);
    let orders = all.iter().filter(|one| one.kind == Kind::PlaceAndPay).count();
    let in_bulks = all.iter().filter(|one| one.bulk.is_some()).count();
    [told.len(), all.len(), all.iter().filter(|one| one.state.is_unconfirmed()).count(), orders, in_bulks]
}

/// Starts the core, lets it tell so many lines, and kills it. Returns what it told: names and states.
async fn one_life(journal: &Path, base_url: &str, life: usize, lines: usize) -> Vec<(String, String)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_teller"));
    command.arg(journal).args([base_url, &life.to_string()]).stdout(Stdio::piped()).kill_on_drop(true);
    let mut core = command.spawn().expect("the core starts");
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
    // What it told before it knew of its end counts too.
    while let Some(line) = told.next_line().await.expect("lines") {
        names.push(name(line));
    }
    names
}
