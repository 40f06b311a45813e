//! Bulks through every fault, with pauses, crashes and cancellations in between: every row ends in exactly one state,
//! and the service's ledger agrees.

use std::collections::HashMap;

use dice::Dice;
use operations::Reason;
use operations::{
    AccountChange, BulkId, BulkPlan, BulkRowView, BulkState, Direction, Intent, RowReason, RowsWanted, State,
};
use sandbox::{Fault, FaultRule};
use tests::accounts::create;
use tests::bulk::plan;
use tests::order::Buyer;
use tests::service::client;
use tests::side_by_side;

const SEEDS: u64 = 32;
/// Worlds at a time.
const AT_ONCE: usize = 4;
const ROWS: usize = 60;
/// One story has this many customers, and thousands of rows.
const MANY: u32 = 2_000;

/// Makes some of the sends go wrong, here and there.
fn faults(dice: &mut Dice, buyer: &Buyer, endpoint: &str, rows: usize) {
    let add = |fault, times| buyer.service.world.add_fault(FaultRule { endpoint: endpoint.into(), fault, times });
    for _ in 0..rows / 4 {
        add(Fault::Delay { ms: dice.roll(4) }, 1 + dice.roll(6) as u32);
        let fault = match dice.roll(9) {
            0 => Fault::DropBefore,
            1 => Fault::DropAfter,
            2 => Fault::Late { ms: 30 },
            3 => Fault::Html,
            4 => Fault::Status { code: 502 },
            5 => Fault::Cut { at: 9 },
            6 => Fault::NullData,
            7 => Fault::Twice,
            _ => Fault::Refuse { code: Some("500".into()) },
        };
        add(fault, 1);
    }
}

async fn some_plan(dice: &mut Dice, buyer: &Buyer, rows: usize) -> (BulkPlan, &'static str) {
    match dice.roll(4) {
        0 => (buyer.planned_moves(Direction::Recharge, "0.5", rows).await, "rechargeTrafficCount"),
        1 => (buyer.planned_moves(Direction::Deduction, "0.001", rows).await, "deductionFlow"),
        2 => {
            let names = (0..rows).map(|at| Intent::from(create(&format!("new{at}@x.com"))));
            (plan(names.collect()), "addUser")
        }
        _ => {
            let all = client::customers::all(&client(&buyer.service), None).await.expect("a list");
            let off = all.into_iter().take(rows).map(|customer| {
                Intent::from(AccountChange::Status {
                    customer_id: customer.customer_id,
                    user_name: customer.user_name,
                    active: false,
                    customer_state: 0,
                })
            });
            (plan(off.collect()), "changeStatus")
        }
    }
}

/// Pauses, crashes and cancels at random, until no row waits.
async fn interfere(dice: &mut Dice, buyer: &mut Buyer, id: &BulkId, doomed: tests::bulk::Doomed, rows: usize) {
    let mut doomed = Some(doomed);
    let mut left = rows;
    while left > 0 {
        left = left.saturating_sub(1 + dice.roll(rows as u64 / 3) as usize);
        let bulk = buyer
            .see_bulk(id, "it goes on", |bulk| bulk.counts.waiting <= left || bulk.state != BulkState::Running)
            .await;
        if bulk.state == BulkState::Finished {
            break;
        }
        match dice.roll(12) {
            0..4 => {
                if let Some(doomed) = doomed.take() {
                    doomed.crash();
                    buyer.restart();
                }
            }
            4 => {
                buyer.operations.bulks().cancel(id).expect("it is cancelled");
            }
            5..8 => {
                buyer.operations.bulks().pause(id).expect("it is paused");
            }
            _ => {}
        }
        let _ = buyer.operations.bulks().resume(id);
    }
    // A network that seems to be down pauses a bulk; a person resumes it.
    loop {
        let seen = buyer.see_bulk(id, "it ends or is paused", |bulk| bulk.state != BulkState::Running).await;
        if seen.state == BulkState::Finished {
            break;
        }
        buyer.operations.bulks().resume(id).expect("it goes on");
    }
    buyer.see_bulk_ended(id).await;
    // Everything under way in the first life of the program ends with it.
    if let Some(doomed) = doomed {
        doomed.crash();
        buyer.restart();
        buyer.see_bulk_ended(id).await;
    }
}

/// Number of changes of each customer or name, from the ledger.
fn done(buyer: &Buyer) -> HashMap<String, usize> {
    let ledger = buyer.service.world.ledger().expect("a ledger");
    let mut done = HashMap::new();
    for moved in ledger.moves {
        *done.entry(moved.customer_id.to_string()).or_default() += 1;
    }
    for account in ledger.accounts {
        if account.created {
            done.insert(account.user_name, 1);
        } else {
            assert!(account.statuses.iter().all(|active| !active), "{account:?}");
            done.insert(account.customer_id.to_string(), account.statuses.len());
        }
    }
    done
}

fn check(what: &str, row: &BulkRowView, intent: &Intent, done: usize) {
    let is_setting = matches!(intent, Intent::Account(AccountChange::Status { .. }));
    let (state, reason) = (State::from_word(row.state.word()), row.reason.map(RowReason::word));
    match state {
        None => assert!(row.state.word() == "skipped" && done == 0, "{what}: {row:?} was done {done} times"),
        Some(State::Applied | State::ResolvedApplied) if is_setting => assert!(done >= 1, "{what}: {row:?}"),
        Some(State::Applied | State::ResolvedApplied) => assert_eq!(done, 1, "{what}: {row:?}"),
        Some(State::Rejected | State::NotSent | State::ResolvedNot) => assert_eq!(done, 0, "{what}: {row:?}"),
        Some(State::NeedsYou) if reason == Some(Reason::Doubled.word()) => assert_eq!(done, 2, "{what}: {row:?}"),
        // A question claims nothing, so it is never wrong.
        Some(State::NeedsYou) => {}
        Some(State::Unknown | State::Refused) => assert!(is_setting, "{what}: {row:?} is left alone"),
        Some(State::Prepared | State::Sending | State::Verifying) => panic!("{what}: {row:?} is stuck"),
    }
}

async fn story(seed: u64, rows: usize, customers: u32) {
    let mut dice = Dice::of(seed);
    let mut buyer = Buyer::with_customers(customers).await;
    let (all, endpoint) = some_plan(&mut dice, &buyer, rows).await;
    let intents: Vec<Intent> = all.rows.iter().filter_map(|row| row.todo.clone().ok()).collect();
    faults(&mut dice, &buyer, endpoint, rows);
    let (bulk, doomed) = buyer.start_doomed_bulk(all).await;
    interfere(&mut dice, &mut buyer, &bulk.id, doomed, rows).await;
    let what = format!("seed {seed}, {endpoint}");
    let (done, all) =
        (done(&buyer), buyer.operations.bulks().rows(&bulk.id, RowsWanted::default(), 0, rows * 2).expect("rows"));
    assert_eq!(all.len(), rows, "{what}");
    for (row, intent) in all.iter().zip(&intents) {
        let target = match intent {
            Intent::Account(AccountChange::Create { user_name }) => user_name.clone(),
            intent => intent.target(),
        };
        check(&what, row, intent, done.get(&target).copied().unwrap_or_default());
    }
    let counts = buyer.operations.bulks().get(&bulk.id).expect("a bulk").counts;
    let sum = counts.done + counts.not_done + counts.skipped + counts.unconfirmed;
    assert_eq!((sum, counts.waiting, counts.under_way), (rows, 0, 0), "{what}: {counts:?}");
}

#[tokio::test]
async fn whatever_happens_to_a_bulk_every_row_ends_in_one_state_and_the_ledger_agrees() {
    side_by_side(AT_ONCE, (0..SEEDS).map(|seed| story(seed, ROWS, ROWS as u32))).await;
}

#[tokio::test]
async fn a_bulk_of_thousands_is_no_different() {
    story(4, MANY as usize, MANY).await;
}
