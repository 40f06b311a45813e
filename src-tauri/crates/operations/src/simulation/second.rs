//! The second, independent service (`tests/vendor`): where the interface leaves something open, it chooses differently.

use std::sync::atomic::{AtomicI64, Ordering};

use vendor::{Actor, Choices, Command, Extras, Request, SeenKey, Start, Vendor, What};
use wire::ids::CustomerId;

use super::office::{Asked, CUSTOMERS, Service, Who};

pub(super) struct Second {
    vendor: Vendor,
    start: Start,
    zone: i32,
    knows_orders_by_key: bool,
    /// How long a price stands, ms.
    price_life: i64,
    /// Ms since 1970.
    now: AtomicI64,
}

impl Second {
    /// `preset` names its choices; `now` is the start of its clock, ms since 1970; `key_life` is how long it knows a
    /// key, `price_life` how long a price stands, both ms.
    pub(super) fn new(preset: &str, now: i64, key_life: i64, price_life: i64) -> Self {
        let mut choices = Choices::named(preset).expect("a preset");
        choices.start.founded_ms = now - 6 * 86_400_000;
        choices.start.customers = CUSTOMERS;
        choices.start.wallet = 1_000_000;
        choices.deeds.keys_forgotten_after_ms = Some(key_life);
        choices.deeds.price_stands_ms = price_life;
        // One that serves a single order would protect an order without its key.
        choices.deeds.price_serves_once = false;
        choices.extras = Extras::default();
        let (start, zone) = (choices.start.clone(), choices.writing.zone_hours * 60);
        let knows_orders_by_key = choices.deeds.seen_key == SeenKey::SameOrder;
        let vendor = Vendor::new(choices, 7);
        vendor.settle(now);
        Self { vendor, start, zone, knows_orders_by_key, price_life, now: AtomicI64::new(now) }
    }
}

impl Service for Second {
    fn who(&self) -> Who<'_> {
        let Start { developer, developer_token, agent_token, .. } = &self.start;
        Who { developer, static_token: developer_token, agent_token }
    }

    fn config(&self) -> &'static str {
        vendor::FOUR_IN_JAPAN
    }

    fn taken_host(&self) -> &'static str {
        vendor::TAKEN
    }

    fn knows_orders_by_key(&self) -> bool {
        self.knows_orders_by_key
    }

    fn price_life(&self) -> i64 {
        self.price_life
    }

    fn zone(&self) -> i32 {
        self.zone
    }

    fn answer(&self, asked: &Asked<'_>) -> (u16, Vec<u8>) {
        let request = match asked.method {
            "POST" => Request { query: asked.query.into(), ..Request::post(asked.path, asked.body) },
            _ => Request::get(asked.path, asked.query),
        };
        let request = asked.headers.iter().fold(request, |request, (name, value)| request.with(name, value));
        let answer = self.vendor.answer(&request, self.now());
        (answer.status, answer.body)
    }

    fn now(&self) -> i64 {
        self.now.load(Ordering::Relaxed)
    }

    fn pass_time(&self, millis: i64) {
        let now = self.now.fetch_add(millis, Ordering::Relaxed) + millis;
        self.vendor.settle(now);
    }

    fn deeds(&self) -> usize {
        let weigh = |what: &What| match what {
            // A creation also sets the first password.
            What::Created { .. } | What::Used { .. } | What::Funded { .. } | What::Delivered { .. } => 0,
            _ => 1,
        };
        self.vendor.ledger().iter().map(|entry| weigh(&entry.what)).sum()
    }

    /// All of its records lag alike, or none does.
    fn show_next_after(&self, _millis: i64) {}

    /// It forgets keys by itself.
    fn forget_keys(&self, _life: i64) {}

    fn use_more(&self, customer: &CustomerId) {
        let (number, some) = (number(customer), rust_decimal::Decimal::new(75, 2));
        self.vendor.uses(number, some, some, self.now());
    }

    fn move_in_console(&self, customer: &CustomerId, gb: i64, by_colleague: bool) {
        let own = || Actor { id: self.start.caller_id, name: self.start.caller_name.clone() };
        let who = if by_colleague { Actor::colleague() } else { own() };
        let (customer, amount) = (number(customer), rust_decimal::Decimal::from(gb.abs()));
        let command = if gb > 0 {
            Command::Recharge { customer, order_id: String::new(), gb: amount }
        } else {
            Command::Deduct { customer, gb: amount }
        };
        // Traffic that is not there cannot be taken.
        let _ = self.vendor.act(&who, &command, self.now());
    }
}

fn number(customer: &CustomerId) -> i64 {
    customer.as_str().parse().expect("a number")
}
