//! T2: `kill -9` of the headless core while it writes, start again, compare with the ledger.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Stdio;

use operations::{Kind, OperationView, State};
use sandbox::Service;
use tests::dice::Dice;
use tests::{service, teller, until};
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
    let (mut told, mut written, mut asked) = (0, 0, 0);
    for [one, all, open] in <[[usize; 3]; DESKS]>::from(desks) {
        (told, written, asked) = (told + one, written + all, asked + open);
    }
    println!(
        "{kills} kills from seed {seed}: {written} writes, {told} of them told before the end, {asked} ended in a question"
    );
    assert!(told > kills && written > told, "it was killed while it wrote: {written} writes, {told} told");
}

/// Kills so often on one journal. Returns writes that were told, all writes, and those a person is asked about.
async fn desk_of(seed: u64, kills: usize) -> [usize; 3] {
    let mut dice = Dice::of(seed);
    let service = service::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal.db");
    let mut told = HashMap::new();
    for life in 0..kills {
        told.extend(one_life(&journal, &service.base_url(), life, dice.roll(12) as usize).await);
    }
    let operations = teller::open(&journal, &service.base_url());
    let all = until("everything is settled", async || {
        let all = operations.list().expect("a journal");
        let is_open = |one: &OperationView| {
            matches!(one.state, State::Prepared | State::Sending | State::Verifying)
                || (one.state == State::Unknown && one.next_at.is_some())
        };
        (!all.iter().any(is_open)).then_some(all)
    })
    .await;
    let known: HashSet<&str> = all.iter().map(|one| one.id.0.as_str()).collect();
    let lost: Vec<&String> = told.keys().filter(|id| !known.contains(id.as_str())).collect();
    assert!(lost.is_empty(), "seed {seed}: told, and not in the journal: {lost:?}");
    for one in &all {
        // An end that was told stays; what was not certain may become so.
        if let Some(word @ ("applied" | "rejected" | "not-sent" | "resolved-applied")) =
            told.get(&one.id.0).map(String::as_str)
        {
            assert_eq!(one.state.word(), word, "seed {seed}: {}", one.id.0);
        }
    }
    compare(seed, &service, &all);
    [told.len(), all.len(), all.iter().filter(|one| one.state.is_unconfirmed()).count()]
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

/// The ledger has every write that is called done, and none more than those and the open questions.
fn compare(seed: u64, service: &Service, all: &[OperationView]) {
    let ledger = service.world.ledger().expect("a ledger");
    let mut moved: HashMap<(String, bool), usize> = HashMap::new();
    for one in &ledger.moves {
        *moved.entry((one.customer_id.to_string(), one.mb.to_string().starts_with('-'))).or_default() += 1;
    }
    let mut journal: HashMap<(String, bool), (usize, usize)> = HashMap::new();
    for one in all.iter().filter(|one| matches!(one.kind, Kind::Recharge | Kind::Deduction)) {
        let (done, open) = journal.entry((one.target.clone(), one.kind == Kind::Deduction)).or_default();
        match one.state {
            State::Applied | State::ResolvedApplied => *done += 1,
            state if state.is_unconfirmed() => *open += 1,
            _ => {}
        }
    }
    for key in moved.keys().chain(journal.keys()) {
        let times = moved.get(key).copied().unwrap_or_default();
        let (done, open) = journal.get(key).copied().unwrap_or_default();
        assert!(
            (done..=done + open).contains(&times),
            "seed {seed}: {key:?} is in the ledger {times} times; done {done}, open {open}"
        );
    }
    let created: Vec<&str> =
        ledger.accounts.iter().filter(|one| one.created).map(|one| one.user_name.as_str()).collect();
    for one in all.iter().filter(|one| one.kind == Kind::Create) {
        let times = created.iter().filter(|name| **name == one.user_name).count();
        let is_right = match one.state {
            State::Applied | State::ResolvedApplied => times == 1,
            state if state.is_unconfirmed() => times <= 1,
            _ => times == 0,
        };
        assert!(
            is_right,
            "seed {seed}: {} was created {times} times and is called {}",
            one.user_name,
            one.state.word()
        );
    }
}
