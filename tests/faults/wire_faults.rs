//! T5 and T7: every write, through every way to lose it, and through tokens that are rotated at any step.

use dice::Dice;
use operations::{Direction, Intent, OperationView, State};
use tests::accounts::{create, status};
use tests::order::{Buyer, access};
use tests::proxy::{Proxy, WireFault};
use tests::service::account;
use tests::{accounts, number, side_by_side, truth, until};

/// Seeds of each fault at each write per test run; `cargo xtask prove` plays more.
const SEEDS: u64 = 4;
/// Rotations per test run.
const ROTATIONS: u64 = 120;
/// Worlds at a time.
const AT_ONCE: usize = 12;

const WRITES: [&str; 7] = [
    "purchase/orders/place-and-pay",
    "renewals/orders/place-and-pay",
    "rechargeTrafficCount",
    "deductionFlow",
    "addUser",
    "updatePwd",
    "changeStatus",
];

/// One service, one journal, and a proxy in between.
struct World {
    buyer: Buyer,
    proxy: Proxy,
    write: &'static str,
    what: String,
}

impl World {
    async fn new(seed: u64, write: &'static str, what: String) -> Self {
        let buyer = Buyer::new(2).await;
        let proxy = Proxy::before(&buyer.service.base_url(), seed).await;
        let world = Self { buyer, proxy, write, what };
        world.enter_token();
        world
    }

    /// Continues with the right token, through the proxy.
    fn enter_token(&self) {
        let access = access(&self.buyer.service, account(&self.proxy.base_url()));
        self.buyer.operations.use_account(Some(access));
    }

    async fn intent(&self) -> Intent {
        match self.write {
            "purchase/orders/place-and-pay" => self.buyer.priced().await.into(),
            "renewals/orders/place-and-pay" => self.buyer.renewal().await.into(),
            "rechargeTrafficCount" => self.buyer.moving(Direction::Recharge, "0.5").await.into(),
            "deductionFlow" => self.buyer.moving(Direction::Deduction, "0.5").await.into(),
            "addUser" => create(accounts::NEW).into(),
            "updatePwd" => self.buyer.password("a-new-password").into(),
            _ => status(false).into(),
        }
    }

    /// Number of times it was done, from the ledger.
    fn done(&self) -> usize {
        let ledger = self.buyer.service.world.ledger().expect("a ledger");
        match self.write {
            "purchase/orders/place-and-pay" => ledger.orders.len(),
            "renewals/orders/place-and-pay" => ledger.renewals.len(),
            "addUser" => ledger.accounts.iter().filter(|one| one.created).count(),
            "updatePwd" => ledger.accounts.iter().map(|one| one.password_hashes.len()).sum(),
            "changeStatus" => ledger.accounts.iter().map(|one| one.statuses.len()).sum(),
            _ => ledger.moves.len(),
        }
    }

    /// Checks that an operation's state is true. `over` means that nothing is on its way any more.
    fn judge(&self, said: &OperationView, over: bool) {
        let what = &self.what;
        truth::ensure_true(what, said, self.done(), over);
        if self.write == "deductionFlow" {
            assert!(self.buyer.sends(Direction::Deduction) <= 1, "{what}: a deduction is sent once");
        }
    }
}

async fn lost(fault: WireFault, write: &'static str, seed: u64) {
    let mut dice = Dice::of(seed);
    let world = World::new(seed, write, format!("seed {seed}: {fault:?} at {write}")).await;
    let intent = world.intent().await;
    world.proxy.fault(write, fault, 1 + dice.roll(3) as u32);
    let sent = world.buyer.send(intent).await;
    world.judge(&sent, false);
    let all = truth::settled(&world.buyer.operations).await;
    if fault == WireFault::Late {
        until(&format!("{}: it arrived", world.what), async || (world.done() > 0).then_some(())).await;
    }
    world.judge(&all[0], true);
    let again = truth::settled(&world.buyer.operations).await;
    world.judge(&again[0], true);
    assert_eq!(again.len(), 1, "{}", world.what);
}

async fn rotated(seed: u64) {
    let mut dice = Dice::of(seed);
    let write = WRITES[dice.roll(WRITES.len() as u64) as usize];
    let after = dice.roll(14) as usize;
    let world = World::new(seed, write, format!("seed {seed}: a token rotated after {after} requests, {write}")).await;
    let intent = world.intent().await;
    world.proxy.rotate_after(Some(after));
    let offer = world.buyer.operations.offer(intent, None).expect("nothing else is open");
    if let Ok(sent) = world.buyer.operations.confirm(&offer.token).await {
        world.judge(&sent, false);
        until(&format!("{}: it can go no further", world.what), async || {
            let one = world.buyer.operations.get(&sent.id).expect("a journal");
            let moves = matches!(one.state, State::Verifying | State::Unknown) && one.next_at.is_some();
            (!moves || dice.roll(20) == 0).then_some(())
        })
        .await;
        world.judge(&world.buyer.operations.get(&sent.id).expect("a journal"), false);
    }
    world.proxy.rotate_after(None);
    world.enter_token();
    let all = truth::settled(&world.buyer.operations).await;
    all.iter().for_each(|one| world.judge(one, true));
    assert!(all.len() == 1 || world.done() == 0, "{}", world.what);
}

#[tokio::test]
async fn a_write_that_is_lost_in_any_way_is_done_once_at_most_and_reported_as_it_is() {
    let (seeds, from) = (number("PROXYTILL_WIRE_SEEDS", SEEDS), number("PROXYTILL_FROM", 0));
    let all = (from..from + seeds).flat_map(|seed| {
        WireFault::ALL.into_iter().flat_map(move |fault| WRITES.into_iter().map(move |write| lost(fault, write, seed)))
    });
    side_by_side(AT_ONCE, all).await;
    println!("{seeds} wire seeds from seed {from}: {} runs", seeds as usize * WireFault::ALL.len() * WRITES.len());
}

#[tokio::test]
async fn a_token_that_is_rotated_at_any_step_makes_no_false_success() {
    let (rotations, from) = (number("PROXYTILL_ROTATIONS", ROTATIONS), number("PROXYTILL_FROM", 0));
    side_by_side(AT_ONCE, (from..from + rotations).map(rotated)).await;
    println!("{rotations} rotations from seed {from}");
}
