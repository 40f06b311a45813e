//! The state of the service: options, credentials, clock, ledger, faults, requests.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};

use parking_lot::Mutex;
use rusqlite::Connection;
use wire::{Amount, Day};

use crate::capabilities::Capability;
use crate::clock::Clock;
use crate::faults::{Fault, FaultRule};
use crate::ledger::{self, RequestSeen};
use crate::manners::Manners;
use crate::pricing::PriceList;
use crate::shapes::Shapes;
use crate::traffic;
use crate::usage::{self, Usage};
use crate::{customers, store};

/// How long a price is valid by default, in ms.
const PRICE_LIFE: i64 = 5 * 60 * 1000;

/// The credentials that the service accepts.
#[derive(Clone)]
pub struct Credentials {
    /// Header `UserId`.
    pub user_id: String,
    /// Header `Token` of the static-IP area.
    pub static_token: String,
    /// Header `token` of the traffic and customer areas.
    pub agent_token: String,
}

impl Credentials {
    /// The well-known credentials of the service that runs alone.
    pub fn well_known() -> Self {
        Self {
            user_id: "practice-agent".into(),
            static_token: "practice-static-token".into(),
            agent_token: "practice-agent-token".into(),
        }
    }

    /// Fresh random credentials, for the embedded service.
    pub fn generated() -> Self {
        let random = || uuid::Uuid::new_v4().simple().to_string();
        Self { user_id: format!("practice-{}", &random()[..8]), static_token: random(), agent_token: random() }
    }
}

/// Start options.
#[derive(Clone)]
pub struct Options {
    /// TCP port on 127.0.0.1; 0 picks a free one.
    pub port: u16,
    /// The ledger's file; `None` keeps it in memory.
    pub data: Option<PathBuf>,
    /// Determines the world: stock, customers.
    pub seed: u64,
    /// Start of the clock, milliseconds since 1970; now when `None`.
    pub clock: Option<i64>,
    /// The factor by which the clock runs fast.
    pub speed: f64,
    /// How long a price is valid, in milliseconds of the service's clock.
    pub price_life: i64,
    /// Number of the agent's customers.
    pub customers: u32,
    /// Whether to serve `/_control/…` over HTTP.
    pub control: bool,
    /// Endpoints beyond the contract that it does not have.
    pub without: Vec<Capability>,
    /// The accepted credentials.
    pub credentials: Credentials,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            port: 0,
            data: None,
            seed: 1,
            clock: None,
            speed: 1.0,
            price_life: PRICE_LIFE,
            customers: 60,
            control: false,
            without: Vec::new(),
            credentials: Credentials::well_known(),
        }
    }
}

/// The service could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The port is taken, or there is no loopback.
    #[error("no address to listen on: {0}")]
    Listen(#[from] std::io::Error),
    /// The ledger cannot be opened.
    #[error("the practice ledger cannot be opened: {0}")]
    Ledger(#[from] rusqlite::Error),
}

/// The state that all endpoints share.
pub struct World {
    /// The start options.
    pub options: Options,
    /// The service's clock.
    pub clock: Clock,
    seed: AtomicU64,
    pub(crate) ledger: Mutex<Connection>,
    faults: Mutex<Vec<FaultRule>>,
    requests: Mutex<Vec<RequestSeen>>,
    credentials: Mutex<Credentials>,
    pub(crate) shapes: Mutex<Shapes>,
    in_part: AtomicBool,
    price_percent: AtomicU32,
    pub(crate) without: Mutex<BTreeSet<Capability>>,
    kept: Mutex<Option<Snapshot>>,
    usage: Mutex<Option<Usage>>,
    short: AtomicBool,
    turned: AtomicBool,
    lag: AtomicI64,
    pub(crate) manners: Manners,
}

/// A copy of the ledger and the clock.
struct Snapshot {
    ledger: Connection,
    now: i64,
    seed: u64,
    price_percent: u32,
}

/// Requests after this many are not recorded.
const REQUESTS_KEPT: usize = 20_000;

impl World {
    pub(crate) fn new(options: Options) -> Result<Self, StartError> {
        let ledger = store::open(options.data.as_deref())?;
        Ok(Self {
            clock: Clock::new(options.clock, options.speed),
            seed: AtomicU64::new(options.seed),
            ledger: Mutex::new(ledger),
            faults: Mutex::default(),
            requests: Mutex::default(),
            credentials: Mutex::new(options.credentials.clone()),
            shapes: Mutex::default(),
            in_part: AtomicBool::new(false),
            price_percent: AtomicU32::new(PriceList::default().0),
            without: Mutex::new(options.without.iter().copied().collect()),
            kept: Mutex::default(),
            usage: Mutex::default(),
            short: AtomicBool::new(false),
            turned: AtomicBool::new(false),
            lag: AtomicI64::new(0),
            manners: Manners::default(),
            options,
        })
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed.load(Ordering::Relaxed)
    }

    pub(crate) fn saw(&self, request: RequestSeen) {
        let mut requests = self.requests.lock();
        if requests.len() < REQUESTS_KEPT {
            requests.push(request);
        }
    }

    /// Number of recorded requests.
    pub(crate) fn requests_seen(&self) -> usize {
        self.requests.lock().len()
    }

    /// The requests, oldest first.
    pub(crate) fn requests(&self) -> Vec<RequestSeen> {
        self.requests.lock().clone()
    }

    /// Lasting behaviours at this path, until the faults are cleared.
    pub(crate) fn ways_for(&self, path: &str) -> Vec<Fault> {
        let here = |rule: &&FaultRule| rule.fault.is_way() && path.ends_with(&rule.endpoint);
        self.faults.lock().iter().filter(here).map(|rule| rule.fault.clone()).collect()
    }

    /// Takes the first fault for this path and uses it up by one.
    pub(crate) fn fault_for(&self, path: &str) -> Option<Fault> {
        let mut rules = self.faults.lock();
        let at = rules.iter().position(|rule| !rule.fault.is_way() && path.ends_with(&rule.endpoint))?;
        let fault = rules[at].fault.clone();
        rules[at].times = rules[at].times.saturating_sub(1);
        if rules[at].times == 0 {
            rules.remove(at);
        }
        Some(fault)
    }

    /// The oldest fault that is still to happen.
    pub fn next_fault(&self) -> Option<Fault> {
        self.faults.lock().first().map(|rule| rule.fault.clone())
    }

    /// Adds a fault to an endpoint.
    pub fn add_fault(&self, rule: FaultRule) {
        self.faults.lock().push(rule);
    }

    /// Ends all misbehaviour.
    pub fn clear_faults(&self) {
        self.faults.lock().clear();
    }

    /// Rotates the static token, as in the console: "after rotation the old token is invalid at once".
    pub fn rotate_static_token(&self, token: &str) {
        self.credentials.lock().static_token = token.into();
    }

    /// Rotates the token of the traffic and customer areas.
    pub fn rotate_agent_token(&self, token: &str) {
        self.credentials.lock().agent_token = token.into();
    }

    pub(crate) fn credentials(&self) -> Credentials {
        self.credentials.lock().clone()
    }

    /// Sets all prices to this percentage of the list, which makes every older quote stale.
    pub fn set_prices(&self, percent: u32) {
        self.price_percent.store(percent, Ordering::Relaxed);
    }

    pub(crate) fn price_list(&self) -> PriceList {
        PriceList(self.price_percent.load(Ordering::Relaxed))
    }

    /// Saves a copy of the ledger and the clock.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn snapshot(&self) -> rusqlite::Result<()> {
        let mut copy = Connection::open_in_memory()?;
        store::copy(&self.ledger.lock(), &mut copy)?;
        let (now, seed, price_percent) = (self.clock.now(), self.seed(), self.price_list().0);
        *self.kept.lock() = Some(Snapshot { ledger: copy, now, seed, price_percent });
        Ok(())
    }

    /// Restores the saved copy. Returns whether there was one.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn restore(&self) -> rusqlite::Result<bool> {
        let kept = self.kept.lock();
        let Some(snapshot) = kept.as_ref() else { return Ok(false) };
        let mut ledger = self.ledger.lock();
        store::copy(&snapshot.ledger, &mut ledger)?;
        self.clock.set(snapshot.now);
        self.seed.store(snapshot.seed, Ordering::Relaxed);
        self.set_prices(snapshot.price_percent);
        *self.usage.lock() = None;
        Ok(true)
    }

    pub(crate) fn deliver_next_in_part(&self) {
        self.in_part.store(true, Ordering::Relaxed);
    }

    /// Whether this order is to be delivered in part. Call once per order.
    pub(crate) fn delivers_in_part(&self) -> bool {
        self.in_part.swap(false, Ordering::Relaxed)
    }

    /// Creates the customers' past on first use, and closes past days.
    pub(crate) fn with_usage<T>(&self, ledger: &Connection, look: impl FnOnce(&Usage) -> T) -> rusqlite::Result<T> {
        let mut open = self.usage.lock();
        let (seed, count, now) = (self.seed(), self.options.customers, self.clock.now());
        let today = Day::of(now, usage::ZONE);
        let usage = match open.take() {
            Some(usage) => open.insert(usage),
            None => {
                traffic::populate(ledger, seed, count, now)?;
                open.insert(Usage::open(ledger, seed, count, today)?)
            }
        };
        usage.catch_up(ledger, today)?;
        Ok(look(usage))
    }

    pub(crate) fn catch_up(&self, ledger: &Connection) -> rusqlite::Result<()> {
        self.with_usage(ledger, |_| ())
    }

    /// Traffic given to each customer, in millionths of a MB.
    pub(crate) fn recharged(&self, ledger: &Connection) -> rusqlite::Result<Vec<i64>> {
        self.catch_up(ledger)?;
        customers::recharged(ledger)
    }

    /// Traffic used by some customers up to now, from the traffic given to each, in millionths of a MB.
    pub(crate) fn consumed_by(
        &self,
        ledger: &Connection,
        some: impl Iterator<Item = (u32, i64)>,
    ) -> rusqlite::Result<Vec<i64>> {
        let now = self.clock.now();
        self.with_usage(ledger, |usage| some.map(|(at, recharged)| usage.consumed_by(at, recharged, now)).collect())
    }

    /// The next move of traffic counts a GB as 1000 MB.
    pub(crate) fn count_next_short(&self) {
        self.short.store(true, Ordering::Relaxed);
    }

    pub(crate) fn counts_short(&self) -> bool {
        self.short.swap(false, Ordering::Relaxed)
    }

    /// The next status is taken the other way round.
    pub(crate) fn turn_next_round(&self) {
        self.turned.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_turned_round(&self) -> bool {
        self.turned.swap(false, Ordering::Relaxed)
    }

    /// The row of the next move of traffic is shown this many milliseconds later.
    pub fn show_next_after(&self, millis: i64) {
        self.lag.store(millis, Ordering::Relaxed);
    }

    pub(crate) fn takes_lag(&self) -> i64 {
        self.lag.swap(0, Ordering::Relaxed)
    }

    /// Sets the balance of the wallet, USD.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn set_wallet(&self, amount: Amount) -> rusqlite::Result<()> {
        self.ledger.lock().execute("UPDATE wallet SET balance = ?1", [amount.to_string()]).map(|_| ())
    }

    /// Returns the balance of the wallet, USD.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn wallet(&self) -> rusqlite::Result<Amount> {
        ledger::balance(&self.ledger.lock()).map(Amount::new)
    }

    /// Starts a new world from a seed: opening balance, nothing sold, no faults.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn reset(&self, seed: u64) -> rusqlite::Result<()> {
        // Held to the end, so that no request sees half of a new world.
        let ledger = self.ledger.lock();
        self.seed.store(seed, Ordering::Relaxed);
        self.clear_faults();
        self.answer_as_always();
        self.set_prices(PriceList::default().0);
        self.offer_all_but(self.options.without.iter().copied());
        self.in_part.store(false, Ordering::Relaxed);
        self.short.store(false, Ordering::Relaxed);
        self.turned.store(false, Ordering::Relaxed);
        self.show_next_after(0);
        self.requests.lock().clear();
        *self.usage.lock() = None;
        store::reset(&ledger)
    }
}
