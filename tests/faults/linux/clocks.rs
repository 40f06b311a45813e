//! T8: a real core whose wall clock is wrong by up to a day, or is set while its dialogs are open, by `faketime`.

use std::path::Path;
use std::process::Stdio;

use dice::Dice;
use operations::State;
use sandbox::Options;
use tests::order::Buyer;
use tests::service::{self, start_with};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{ChildStdout, Command};

/// Orders per test run; `cargo xtask prove` plays more.
const ORDERS: u64 = 80;
/// Number of programs, each with its own clock.
const DESKS: usize = 4;
/// How long a price is valid, in ms; nothing is sent in its last five seconds.
const PRICE_LIFE: i64 = 7_000;
const DAY: i64 = 86_400;
/// The library that fakes a clock.
fn faketime() -> String {
    format!("/usr/lib/{}-linux-gnu/faketime/libfaketimeMT.so.1", std::env::consts::ARCH)
}

#[tokio::test]
async fn whatever_somebody_sets_the_clock_to_no_order_leaves_when_its_price_is_over() {
    let orders = tests::number("PROXYTILL_ORDERS", ORDERS);
    let seed = tests::number("PROXYTILL_SEED", 0);
    let each = orders / DESKS as u64;
    let desk = |at: u64| desk_of(seed + at, each);
    let desks = <[[usize; 3]; DESKS]>::from(tokio::join!(desk(0), desk(1), desk(2), desk(3)));
    let [bought, over, set] = [0, 1, 2].map(|at| desks.iter().map(|desk| desk[at]).sum::<usize>());
    println!(
        "{orders} orders from seed {seed}: {bought} bought, {over} whose price was over, the clock was set {set} times"
    );
    assert!(bought > 0 && over > 0 && set > 0, "all of it was tried: {bought} bought, {over} over, set {set} times");
}

/// Runs one program to the end of its orders. Returns the number of orders bought, the number that were too late, and
/// how often its clock jumped.
async fn desk_of(seed: u64, orders: u64) -> [usize; 3] {
    let mut dice = Dice::of(seed);
    let service = start_with(Options { price_life: PRICE_LIFE, ..Options::default() }).await;
    let folder = tempfile::tempdir().expect("a folder");
    let clock = folder.path().join("clock");
    set(&clock, &mut dice);
    let mut core = Command::new(env!("CARGO_BIN_EXE_shopper"));
    core.arg(folder.path().join("journal.db")).args([&service.base_url(), &seed.to_string(), &orders.to_string()]);
    core.env("LD_PRELOAD", faketime()).env("FAKETIME_TIMESTAMP_FILE", &clock);
    // Read the fake time on every call. The steady clock stays real, because no person can set it.
    core.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    let mut core = core.stdout(Stdio::piped()).kill_on_drop(true).spawn().expect("the core starts");
    let mut told = BufReader::new(core.stdout.take().expect("stdout is piped")).lines();
    let (mut all, mut walls) = (Vec::new(), Vec::new());
    while let Some((word, wall)) = next(&mut told).await {
        all.push(word);
        walls.push(wall);
        set(&clock, &mut dice);
    }
    assert!(core.wait().await.expect("it ends").success(), "seed {seed}: {all:?}");
    let count = |word: &str| all.iter().filter(|told| *told == word).count();
    assert_eq!(all.len() as u64, orders, "seed {seed}");
    let ledger = service.world.ledger().expect("a ledger");
    assert_eq!(ledger.orders.len(), count("bought"), "seed {seed}: {all:?}");
    let sent = ledger.requests.iter().filter(|request| request.path.ends_with(tests::order::ENDPOINT)).count();
    assert_eq!(sent, count("bought"), "seed {seed}: none was turned away for its price");
    let jumps = walls.windows(2).filter(|pair| (pair[1] - pair[0]).abs() > 3_600_000).count();
    [count("bought"), count("over"), jumps]
}

/// Sets the clock right, or wrong by up to a day.
fn set(clock: &Path, dice: &mut Dice) {
    let skew = if dice.roll(4) == 0 { 0 } else { dice.roll(2 * DAY as u64) as i64 - DAY };
    // In one step, so that no half-written line is read.
    let new = clock.with_extension("new");
    std::fs::write(&new, format!("{skew:+}\n")).expect("a file");
    std::fs::rename(new, clock).expect("a file");
}

async fn next(told: &mut Lines<BufReader<ChildStdout>>) -> Option<(String, i64)> {
    let line = tokio::time::timeout(tests::PATIENCE, told.next_line()).await.expect("it goes on telling");
    let line = line.expect("lines")?;
    let (word, wall) = line.split_once(' ').expect("a word and a clock");
    Some((word.to_owned(), wall.parse().expect("a clock")))
}

#[tokio::test]
async fn what_never_left_is_not_sent_at_a_price_that_is_over_nor_brought_back_by_setting_the_clock() {
    for skew in [0, -1000 * DAY] {
        let buyer = Buyer::new(3).await;
        buyer.operations.use_account(None);
        let order = buyer.priced().await;
        // Nothing is sent in the last five seconds, and five more are enough to confirm.
        let ends = std::time::Instant::now() + std::time::Duration::from_secs(10);
        let offer = buyer.operations.offer(order, Some(ends)).expect("nothing else is open");
        let kept = buyer.operations.confirm(&offer.token).await.expect("it is tried");
        assert!(kept.state == State::NotSent && kept.may_resend);
        buyer.set_clock(skew);
        buyer.use_account(service::account(&buyer.service.base_url()));
        tests::until("the price is over", async || {
            let now = buyer.operations.get(&kept.id).expect("a row");
            (!now.may_resend).then_some(())
        })
        .await;
        assert!(buyer.operations.resend(&kept.id).await.is_err());
        assert_eq!(buyer.charged(), (0, "1000".into()));
    }
}
