//! Buys without a window: the practice service, a journal on disk, one confirmed order.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use client::money::MoneySender;
use client::{Account, Address, Patience, Pauses};
use operations::{
    AccountAccess, Fingerprints, Intent, OperationError, OperationView, Operations, PlaceAndPay, Reader, Renewal,
    RenewedIp, Schedule, Secrets, SnapshotError, State,
};
use sandbox::{Fault, Options, Service, THREE_IN_JAPAN};
use serde_json::value::RawValue;
use tempfile::TempDir;
use wire::purchase::PlacedOrder;

use crate::service::{self, account, always, client, fault, requests, start, start_with};
use crate::{files, root, until, wall};

/// The endpoint that spends money.
pub const ENDPOINT: &str = "place-and-pay";

/// The time limits in these tests.
const PATIENCE: Patience =
    Patience { connect: SECOND, read: SECOND, total: SECOND, pauses: Pauses::of(service::WAIT_UNIT) };
const SECOND: Duration = Duration::from_secs(1);
/// The time limits of what a test only prepares: on a busy computer a second may not be enough.
const LONG: Patience = Patience {
    connect: crate::PATIENCE,
    read: crate::PATIENCE,
    total: crate::PATIENCE,
    pauses: Pauses::of(service::WAIT_UNIT),
};

/// Makes a schedule with next to no waiting.
pub fn at_once(repeats: usize) -> Schedule {
    let waits = |count| vec![Duration::from_millis(20); count];
    Schedule {
        repeats: waits(repeats),
        apart: Duration::ZERO,
        checks: waits(5),
        checks_turned_away: waits(3),
        checks_before_repeat: waits(3),
        audit: Duration::from_millis(60),
        settings: waits(3),
        recharge_repeats: 2,
        round: Duration::from_millis(20),
    }
}

/// A buyer, and the service that it buys from.
pub struct Buyer {
    /// The service, in this process.
    pub service: Service,
    /// The operations that buy.
    pub operations: Operations,
    schedule: Schedule,
    folder: TempDir,
    clocks: Clocks,
}

/// Copies the journal that the program of commit 7edf754 wrote: every kind of operation, a bulk with rows that wait, a
/// restoration. `shown.json` next to it is what that program showed of it.
pub fn earlier_journal() -> TempDir {
    let (from, to) = (root().join("tests/fixtures/journal"), tempfile::tempdir().expect("a folder"));
    for file in files(&from) {
        let copy = to.path().join(file.strip_prefix(&from).expect("below it"));
        std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        std::fs::copy(&file, copy).expect("a copy");
    }
    to
}

/// The clocks of a buyer's computer.
#[derive(Clone, Default)]
struct Clocks {
    /// The error of the wall clock, in ms.
    skew: Arc<AtomicI64>,
    /// The lead of the steady clock, in ms.
    ahead: Arc<AtomicU64>,
    /// The number of the engine that runs. Those before it were killed.
    engine: Arc<AtomicU64>,
}

impl Buyer {
    /// Makes a buyer that repeats a lost order this many times.
    pub async fn new(repeats: usize) -> Self {
        Self::with(at_once(repeats)).await
    }

    /// Makes a buyer whose agent has this many customers.
    pub async fn with_customers(customers: u32) -> Self {
        Self::of(start_with(Options { customers, ..Options::default() }).await, at_once(0)).await
    }

    /// Makes a buyer that repeats lost orders by this schedule.
    pub async fn with(schedule: Schedule) -> Self {
        Self::of(start().await, schedule).await
    }

    /// Makes a buyer that continues with a copy of an earlier version's journal.
    pub async fn with_earlier_journal() -> Self {
        let folder = earlier_journal();
        let service = start_with(Options { customers: 5, ..Options::default() }).await;
        Self::in_folder(folder, service, at_once(0))
    }

    async fn of(service: Service, schedule: Schedule) -> Self {
        Self::in_folder(tempfile::tempdir().expect("a folder"), service, schedule)
    }

    fn in_folder(folder: TempDir, service: Service, schedule: Schedule) -> Self {
        let clocks = Clocks::default();
        let operations = open(&folder, &schedule, &clocks);
        operations.use_account(Some(access(&service, account(&service.base_url()))));
        Self { service, operations, schedule, folder, clocks }
    }

    /// Returns the path of the journal.
    pub fn journal(&self) -> std::path::PathBuf {
        self.folder.path().join("journal.db")
    }

    /// Returns the paths of the journal and every file next to it.
    pub fn files(&self) -> Vec<std::path::PathBuf> {
        files(self.folder.path())
    }

    /// Makes one order go wrong.
    pub fn fault(&self, kind: Fault) {
        fault(&self.service, ENDPOINT, kind);
    }

    /// Makes every request to an endpoint go wrong from now on.
    pub fn always(&self, endpoint: &str, fault: Fault) {
        always(&self.service, endpoint, fault);
    }

    /// Ends the operations without warning and opens them again on the same journal. What the former ones have under way
    /// ends as soon as it looks at a clock, which every commit does: a killed process commits nothing more (seed 71 of
    /// the moves, and others on a busy computer).
    pub fn restart(&mut self) {
        self.operations = open(&self.folder, &self.schedule, &self.clocks);
        self.use_account(account(&self.service.base_url()));
    }

    /// Restarts, this much later by the wall clock.
    pub fn restart_later(&mut self, by: Duration) {
        self.set_clock(by.as_millis() as i64);
        self.restart();
    }

    /// Sets this computer's wall clock to this many milliseconds ahead of the right time, or behind if negative.
    pub fn set_clock(&self, skew: i64) {
        self.clocks.skew.store(skew, Ordering::SeqCst);
    }

    /// Lets this much time pass on the steady clock.
    pub fn pass(&self, time: Duration) {
        self.clocks.ahead.fetch_add(time.as_millis() as u64, Ordering::SeqCst);
    }

    /// Continues with an account's credentials.
    pub fn use_account(&self, account: Account) {
        self.operations.use_account(Some(access(&self.service, account)));
    }

    /// Sends writes to an address where nothing listens; reads still work.
    pub fn send_to_nobody(&self) {
        let nowhere = access(&self.service, account("http://127.0.0.1:9")).sender;
        let usual = access(&self.service, account(&self.service.base_url()));
        self.operations.use_account(Some(AccountAccess { sender: nowhere, ..usual }));
    }

    /// Makes the connection lead to another account, although the same service still answers.
    pub fn use_another_account(&self) {
        let whose = Fingerprints::at(&Address::parse("https://another.example", "", "").expect("an address"), "dev");
        let usual = access(&self.service, account(&self.service.base_url()));
        self.operations.use_account(Some(AccountAccess { whose, ..usual }));
    }

    /// Asks for the price of [`THREE_IN_JAPAN`] and opens its dialog. Returns the token of its button.
    pub async fn offer(&self) -> String {
        let (order, ends) = self.quoted().await;
        self.operations.offer(order, ends).expect("nothing else is open").token
    }

    /// Prices [`THREE_IN_JAPAN`].
    pub async fn priced(&self) -> PlaceAndPay {
        self.quoted().await.0
    }

    /// Prices it, with the end of the price by the steady clock.
    async fn quoted(&self) -> (PlaceAndPay, Option<Instant>) {
        price(&client(&self.service)).await.expect("a price")
    }

    /// Prices the renewal of two IPs. They are bought beside the journal.
    pub async fn renewal(&self) -> Renewal {
        let request = self.priced().await.request("bought beside the journal");
        let account = Arc::new(account(&self.service.base_url()));
        let sender = MoneySender::new(account, LONG).expect("a sender");
        sender.send::<PlacedOrder>(&request).await.expect("an order");
        renewal_of(&client(&self.service)).await.expect("a price").expect("IPs")
    }

    /// Asks for the price, confirms and sends once.
    pub async fn buy(&self) -> OperationView {
        let (order, ends) = self.quoted().await;
        self.send_at(order.into(), ends).await
    }

    /// Confirms and sends what has no price that ends.
    pub async fn send(&self, intent: Intent) -> OperationView {
        self.send_at(intent, None).await
    }

    /// Confirms and sends once, at a price that ends at `ends` by the steady clock. If the reads before the send take too
    /// long on a slow computer, nothing was sent, and it confirms again.
    async fn send_at(&self, intent: Intent, ends: Option<Instant>) -> OperationView {
        until("it is sent", async || {
            let token = self.operations.offer(intent.clone(), ends).expect("nothing else is open").token;
            match self.operations.confirm(&token).await {
                Err(OperationError::NotRead(SnapshotError::Vendor(_))) => None,
                sent => Some(sent.expect("it is sent")),
            }
        })
        .await
    }

    /// Waits until the only operation is in this state.
    pub async fn see(&self, state: State) -> OperationView {
        until(&format!("the order is {}", state.word()), async || {
            let all = self.operations.history().list().expect("a journal");
            all.into_iter().next().filter(|operation| operation.state == state)
        })
        .await
    }

    /// Waits until this many more requests have arrived.
    pub async fn see_reads(&self, count: usize) {
        let before = requests(&self.service, "");
        until("it goes on reading", async || (requests(&self.service, "") > before + count).then_some(())).await;
    }

    /// Returns the number of orders in the ledger, and the wallet's balance in USD.
    pub fn charged(&self) -> (usize, String) {
        let ledger = self.service.world.ledger().expect("a ledger");
        (ledger.orders.len(), ledger.wallet.to_string())
    }

    /// Returns the keys that arrived at the endpoint that spends money, in order.
    pub fn keys_seen(&self) -> Vec<String> {
        let requests = self.service.world.ledger().expect("a ledger").requests;
        requests
            .into_iter()
            .filter(|request| request.path.ends_with(ENDPOINT))
            .filter_map(|request| request.key)
            .collect()
    }
}

/// Makes the access to a service with an account's credentials.
pub fn access(service: &Service, account: Account) -> AccountAccess {
    let world = service.world.clone();
    access_to(account, move || world.clock.now())
}

/// Makes the access to wherever an account leads. `now` is the service's clock, ms since 1970.
pub fn access_to(account: Account, now: impl Fn() -> i64 + Send + Sync + 'static) -> AccountAccess {
    let account = Arc::new(account);
    let today = Arc::new(move || wire::Day::of(now(), 480));
    let client = client::Client::new(account.clone(), PATIENCE).expect("a client");
    // No keychain: memory is enough here.
    let vault = Arc::new(vault::Vault::new("app.proxytill.tests", vault::Patience::default()));
    AccountAccess {
        sender: MoneySender::new(account, PATIENCE).expect("a sender"),
        reader: Reader::new(client, today),
        secrets: Secrets::new(vault, "tests", true, true),
        states: [1, 0],
        // The account is the same through a proxy or directly.
        whose: Fingerprints::at(&Address::parse("https://vendor.example", "", "").expect("an address"), "dev"),
    }
}

/// Prices [`THREE_IN_JAPAN`]. Also returns when the price expires on the steady clock, counted from the request.
pub async fn price(client: &client::Client) -> Result<(PlaceAndPay, Option<Instant>), client::Error> {
    price_of(client, THREE_IN_JAPAN).await
}

/// Prices another configuration in the same way.
pub async fn price_of(client: &client::Client, config: &str) -> Result<(PlaceAndPay, Option<Instant>), client::Error> {
    let config = RawValue::from_string(config.into()).expect("JSON");
    let asked = Instant::now();
    let answer = client.call(client::purchase::quote(&config, None)).await?;
    let quote = answer.data;
    let lasts = quote.lasts(answer.timestamp.unwrap_or_default(), 480);
    let (quote_id, quote_version) = (quote.quote_id, quote.quote_version);
    let order = PlaceAndPay { quote_id, quote_version, config, amount: quote.amount, currency: quote.currency };
    Ok((order, lasts.map(|left| asked + Duration::from_millis(left))))
}

/// Prices the renewal of the newest IPs, two at most, for 30 days. `None` if there is none.
pub async fn renewal_of(client: &client::Client) -> Result<Option<Renewal>, client::Error> {
    let ips: Vec<RenewedIp> =
        client.call(client::ips::page(1, 2)).await?.data.rows.into_iter().map(RenewedIp::from).collect();
    if ips.is_empty() {
        return Ok(None);
    }
    let (ids, period_days): (Vec<_>, _) = (ips.iter().map(|ip| ip.id.clone()).collect(), 30);
    let price = client.call(client::renewals::quote(&ids, period_days)).await?.data;
    Ok(Some(Renewal { ips, period_days, amount: price.amount, currency: price.currency }))
}

fn open(folder: &TempDir, schedule: &Schedule, clocks: &Clocks) -> Operations {
    let Clocks { skew, ahead, engine } = clocks.clone();
    let own = engine.fetch_add(1, Ordering::SeqCst) + 1;
    let live = move || {
        if engine.load(Ordering::SeqCst) != own {
            std::panic::resume_unwind(Box::new("this engine was killed"));
        }
    };
    let live_too = live.clone();
    let wall = Arc::new(move || {
        live();
        wall() + skew.load(Ordering::SeqCst)
    });
    let steady = Arc::new(move || {
        live_too();
        Instant::now() + Duration::from_millis(ahead.load(Ordering::SeqCst))
    });
    Operations::open_by(&folder.path().join("journal.db"), schedule.clone(), wall, steady).expect("a journal")
}
