//! The world behind the lock: the ledger, pending effects, and the freshness of reads.

use crate::choices::Choices;
use crate::command::Command;
use crate::dice::Dice;
use crate::ledger::{Actor, Entry, Seen, What};
use crate::mishap::{Mishap, Write};
use crate::order::Order;
use crate::price::Price;
use crate::renewal::Renewal;
use crate::request::Request;
use rust_decimal::Decimal;
use std::collections::{HashMap, VecDeque};

/// A pending effect.
#[derive(Clone, Debug)]
pub(crate) enum Late {
    /// A write that was refused, or got no answer.
    Do(Command),
    /// A copy of a request.
    Again(Request),
    /// The rest of an order.
    Deliver(usize),
}

/// Reads that share a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Records,
    Received,
    Report,
    Totals,
    Consumption,
    Customers,
}

/// The content of the cache for a kind of read.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    entries: usize,
    times: u32,
}

/// The whole state.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) choices: Choices,
    pub(crate) dice: Dice,
    pub(crate) entries: Vec<Entry>,
    pub(crate) prices: HashMap<String, Price>,
    pub(crate) orders: Vec<Order>,
    /// Idempotency keys, with the time they were seen and the order they placed.
    pub(crate) keys: HashMap<String, (i64, usize)>,
    pub(crate) renewals: Vec<Renewal>,
    /// Idempotency keys of renewals, with the time they were seen and the renewal they paid.
    pub(crate) renewal_keys: HashMap<String, (i64, usize)>,
    /// Days that renewals added, by the id of the IP.
    pub(crate) days_added: HashMap<String, u32>,
    /// Order ids of recharges, with the time they were seen.
    pub(crate) order_ids: HashMap<String, i64>,
    pub(crate) wallet: Decimal,
    pub(crate) price_percent: u32,
    pub(crate) requests: u32,
    pub(crate) seen: Vec<Seen>,
    /// The last time of each GET.
    pub(crate) gets: HashMap<String, i64>,
    writes: HashMap<Write, u32>,
    arranged: HashMap<Write, VecDeque<Mishap>>,
    late: Vec<(i64, Late)>,
    shown: HashMap<Kind, Shown>,
    used_until_ms: i64,
    next_customer: i64,
}

const DAY_MS: i64 = 86_400_000;
/// Most uses to catch up on when the clock jumps.
const MOST_USES: i64 = 2_000;

impl World {
    pub(crate) fn new(choices: Choices, seed: u64) -> Self {
        let mut world = Self {
            dice: Dice(seed),
            entries: Vec::new(),
            prices: HashMap::new(),
            orders: Vec::new(),
            keys: HashMap::new(),
            renewals: Vec::new(),
            renewal_keys: HashMap::new(),
            days_added: HashMap::new(),
            order_ids: HashMap::new(),
            wallet: Decimal::from(choices.start.wallet),
            price_percent: 100,
            requests: 0,
            seen: Vec::new(),
            gets: HashMap::new(),
            writes: HashMap::new(),
            arranged: HashMap::new(),
            late: Vec::new(),
            shown: HashMap::new(),
            used_until_ms: choices.start.founded_ms,
            next_customer: 40_961,
            choices,
        };
        world.history();
        world
    }

    /// Creates five days of history before the first request.
    fn history(&mut self) {
        let start = self.choices.start.clone();
        let gb = Decimal::from(self.choices.deeds.mb_per_gb);
        self.push(start.founded_ms, Actor::console(), What::Funded { mb: Decimal::from(start.pool_gb) * gb });
        for number in 1..=start.customers {
            let at = start.founded_ms + i64::from(number) * 61_000;
            let customer = self.create(at, self.caller(), format!("shop{number:02}@resale.example"));
            let mb = Decimal::from(40 + self.dice.below(400)) * gb;
            let order_id = format!("first-{number}");
            self.push(at, self.caller(), What::Recharged { customer, mb, order_id });
        }
        let ids: Vec<i64> = self.customers().iter().map(|customer| customer.id).collect();
        for day in 1..5 {
            for (at, id) in (1_i64..).zip(&ids) {
                self.use_some(start.founded_ms + day * DAY_MS + at * 97_000, *id, 400_000);
            }
        }
        self.used_until_ms = start.founded_ms + 5 * DAY_MS;
    }

    pub(crate) fn caller(&self) -> Actor {
        Actor { id: self.choices.start.caller_id, name: self.choices.start.caller_name.clone() }
    }

    /// Appends to the ledger, whose times never go back.
    pub(crate) fn push(&mut self, at_ms: i64, who: Actor, what: What) {
        let at_ms = self.entries.last().map_or(at_ms, |last| last.at_ms.max(at_ms));
        self.entries.push(Entry { at_ms, who, what });
    }

    pub(crate) fn create(&mut self, at_ms: i64, who: Actor, name: String) -> i64 {
        let customer = self.next_customer;
        self.next_customer += 1 + i64::from(self.dice.below(9));
        self.push(at_ms, who, What::Created { customer, name });
        customer
    }

    fn use_some(&mut self, at_ms: i64, customer: i64, most_cmb: u32) {
        let down = Decimal::new(i64::from(1 + self.dice.below(most_cmb)), 2);
        let up = (down / Decimal::from(16)).round_dp(2);
        self.push(at_ms, Actor::console(), What::Used { customer, up, down });
    }

    pub(crate) fn customers(&self) -> Vec<crate::ledger::Customer> {
        crate::ledger::customers(&self.entries)
    }

    pub(crate) fn later(&mut self, due_ms: i64, late: Late) {
        self.late.push((due_ms, late));
    }

    /// Applies every effect that is due by now, in order.
    pub(crate) fn settle(&mut self, now_ms: i64) {
        loop {
            let due = self.late.iter().enumerate().filter(|(_, (due, _))| *due <= now_ms);
            let Some((at, &(due_ms, _))) = due.min_by_key(|(at, (due, _))| (*due, *at)) else { break };
            let (_, late) = self.late.remove(at);
            self.go_on(due_ms);
            match late {
                // Ignore writes that are no longer possible.
                Late::Do(command) => drop(self.perform(&command, &self.caller(), due_ms)),
                Late::Again(request) => self.again(&request, due_ms),
                Late::Deliver(order) => self.deliver_rest(order, due_ms),
            }
        }
        self.go_on(now_ms);
    }

    /// Time of the next late effect.
    pub(crate) fn next_due(&self) -> Option<i64> {
        self.late.iter().map(|(due, _)| *due).min()
    }

    /// Lets the customers use their traffic until this time.
    fn go_on(&mut self, until_ms: i64) {
        let Some(live) = self.choices.manners.live_use else { return };
        let every = live.every_ms.max(1);
        self.used_until_ms = self.used_until_ms.max(until_ms - every * MOST_USES);
        let customers = self.customers();
        while self.used_until_ms + every <= until_ms && !customers.is_empty() {
            self.used_until_ms += every;
            let who = self.dice.below(u32::try_from(customers.len()).unwrap_or(1));
            if let Some(customer) = customers.get(who as usize) {
                self.use_some(self.used_until_ms, customer.id, live.most_cmb);
            }
        }
    }

    /// The part of the ledger that a read of this kind sees: it lags, and the cache shows the old state for some reads.
    pub(crate) fn visible(&mut self, kind: Kind, now_ms: i64) -> &[Entry] {
        let manners = &self.choices.manners;
        let lag = match kind {
            Kind::Records | Kind::Received => manners.records_lag_ms,
            _ => manners.figures_lag_ms,
        };
        let fresh = self.entries.partition_point(|entry| entry.at_ms <= now_ms - lag);
        let first = Shown { entries: fresh, times: 0 };
        let shown = self.shown.entry(kind).or_insert(first);
        if shown.entries < fresh && shown.times < manners.stale_reads {
            shown.times += 1;
        } else {
            *shown = first;
        }
        self.entries.get(..shown.entries).unwrap_or_default()
    }

    /// The mishap of the next write of this kind: an arranged one first, then a recurring one.
    pub(crate) fn mishap(&mut self, write: Write) -> Option<Mishap> {
        let count = self.writes.entry(write).or_default();
        *count += 1;
        let arranged = self.arranged.get_mut(&write).and_then(VecDeque::pop_front);
        let mut troubles = self.choices.deeds.troubles.iter();
        let hits = |every: u32| every > 0 && count.is_multiple_of(every);
        arranged.or_else(|| Some(troubles.find(|t| t.write == write && hits(t.every))?.mishap.clone()))
    }

    pub(crate) fn arrange(&mut self, write: Write, mishap: Mishap) {
        self.arranged.entry(write).or_default().push_back(mishap);
    }

    /// Forgets keys and order ids that are too old.
    pub(crate) fn forget(&mut self, now_ms: i64) {
        if let Some(after) = self.choices.deeds.keys_forgotten_after_ms {
            self.keys.retain(|_, (seen, _)| now_ms - *seen < after);
            self.renewal_keys.retain(|_, (seen, _)| now_ms - *seen < after);
            self.order_ids.retain(|_, seen| now_ms - *seen < after);
        }
    }
}
