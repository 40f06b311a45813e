//! T5 with the second service: every write, through every way to lose it.

use std::cell::Cell;
use std::rc::Rc;

use dice::Dice;
use tests::foreign::Stranger;
use tests::order::at_once;
use tests::proxy::WireFault;
use tests::{number, side_by_side, truth, until};
use vendor::{Choices, Write};

/// Seeds of each fault at each write per test run; `cargo xtask prove` plays more.
const SEEDS: u64 = 3;
/// Worlds at a time.
const AT_ONCE: usize = 12;
/// Presets that the seeds alternate: those fast enough for these tests.
const PRESETS: [&str; 3] = ["plain", "own", "drowsy"];

/// The end of a write's path.
fn path(write: Write) -> &'static str {
    match write {
        Write::Order => "purchase/orders/place-and-pay",
        Write::Renewal => "renewals/orders/place-and-pay",
        Write::Recharge => "rechargeTrafficCount",
        Write::Deduction => "deductionFlow",
        Write::AddUser => "addUser",
        Write::Password => "updatePwd",
        Write::Status => "changeStatus",
    }
}

/// Loses one write, and counts it if it was decided without a person.
async fn lost(fault: WireFault, write: Write, seed: u64, decided: Rc<Cell<usize>>) {
    let mut dice = Dice::of(seed);
    let preset = PRESETS[seed as usize % PRESETS.len()];
    let what = format!("seed {seed}: {fault:?} at {write:?}, {preset}");
    let choices = Choices::named(preset).expect("a preset");
    let (stranger, proxy) = Stranger::behind_a_proxy(choices, at_once(2), seed).await;
    proxy.fault(path(write), fault, 1 + dice.roll(3) as u32);
    let sent = stranger.sends(write).await;
    truth::ensure_true(&what, &sent, stranger.times(write), false);
    let all = truth::settled(&stranger.operations).await;
    if fault == WireFault::Late {
        until(&format!("{what}: it arrived"), async || (stranger.times(write) > 0).then_some(())).await;
    }
    truth::ensure_true(&what, &all[0], stranger.times(write), true);
    let again = truth::settled(&stranger.operations).await;
    truth::ensure_true(&what, &again[0], stranger.times(write), true);
    assert_eq!(again.len(), 1, "{what}");
    assert!(proxy.has_hit(), "{what}: nothing went wrong");
    let seen = stranger.foreign.vendor.seen();
    let deductions = seen.iter().filter(|seen| seen.what.ends_with(path(Write::Deduction))).count();
    assert!(deductions <= 1, "{what}: a deduction is sent once");
    decided.set(decided.get() + usize::from(!again[0].state.is_unconfirmed()));
}

#[tokio::test]
async fn a_write_that_is_lost_against_the_second_service_is_done_once_at_most_and_reported_as_it_is() {
    let (seeds, from) = (number("PROXYTILL_WIRE_SEEDS", SEEDS), number("PROXYTILL_FROM", 0));
    let decided = Rc::new(Cell::new(0));
    let mut all = Vec::new();
    for seed in from..from + seeds {
        for fault in WireFault::ALL {
            all.extend(Write::ALL.map(|write| lost(fault, write, seed, decided.clone())));
        }
    }
    let runs = all.len();
    side_by_side(AT_ONCE, all.into_iter()).await;
    let decided = decided.get();
    println!(
        "{seeds} wire seeds against the second service from seed {from}: {runs} runs, {decided} decided by themselves"
    );
    assert!(decided > runs / 4, "most of it is a question: {decided} of {runs} were decided");
}
