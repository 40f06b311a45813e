//! The headless core as a program of its own, for tests that set its wall clock: it buys at prices that expire.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::Patience;
use client::money::MoneySender;
use operations::NotConfirmed;
use operations::{AccountAccess, OperationError, Operations, State};

use crate::order::{access_to, price};
use crate::service::account;
use crate::{side_by_side, teller, until, wall};
use dice::Dice;

/// The number of dialogs open at a time.
const DIALOGS: usize = 8;
/// The longest time that a dialog is open, in ms.
const LONGEST: u64 = 9_000;
/// The end of a price's life in which nothing is sent.
const MARGIN: Duration = Duration::from_secs(5);

/// Opens a dialog for each order, and prints the outcome with the wall clock: `bought`, `over` if the price had
/// expired, or `held` if another order was under way.
pub async fn serve(journal: &Path, base_url: &str, seed: u64, orders: u64) {
    let operations = teller::open(journal, base_url);
    let account = Arc::new(account(base_url));
    let sender = MoneySender::new(account.clone(), Patience::default()).expect("a sender");
    operations.use_account(Some(AccountAccess { sender, ..access_to((*account).clone(), wall) }));
    let client = client::Client::new(account, Patience::default()).expect("a client");
    let one = |order: u64| {
        let (operations, client) = (operations.clone(), client.clone());
        let reads = Dice::of(seed + order).roll(LONGEST);
        async move { println!("{} {}", buy(&operations, &client, reads).await, wall()) }
    };
    side_by_side(DIALOGS, (0..orders).map(one)).await;
}

/// Opens one dialog, reads it for `reads` milliseconds and then confirms.
async fn buy(operations: &Operations, client: &client::Client, reads: u64) -> &'static str {
    let (order, ends) = price(client).await.expect("a price");
    let opened = Instant::now();
    let offer = until("the wallet is free", async || operations.offer(order.clone(), ends).ok()).await;
    until("it was read", async || (opened.elapsed().as_millis() >= u128::from(reads)).then_some(())).await;
    let pressed = Instant::now();
    match operations.confirm(&offer.token).await {
        Ok(done) if done.state == State::Applied => {
            assert!(ends.is_none_or(|ends| pressed + MARGIN < ends), "sent when its price was over");
            "bought"
        }
        Ok(done) => panic!("{}: {:?}", done.state.word(), done.refusal.map(|no| no.code)),
        Err(OperationError::NotConfirmed(NotConfirmed::PriceExpired)) => "over",
        Err(OperationError::TargetHeld) => "held",
        Err(error) => panic!("{error}"),
    }
}
