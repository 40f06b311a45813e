//! The practice service without a network.

use sandbox::{Credentials, Offline, Options};
use tokio::runtime::Runtime;
use wire::ids::CustomerId;

use super::office::{Asked, CUSTOMERS, Service, Who};

/// The vendor's zone, minutes east of UTC.
const ZONE: i32 = 480;

pub(super) struct Practice {
    service: Offline,
    credentials: Credentials,
    /// How long a price stands, ms.
    price_life: i64,
    runtime: Runtime,
}

impl Practice {
    /// `now` is the start of its clock, ms since 1970; `price_life` is how long a price stands, ms.
    pub(super) fn new(now: i64, price_life: i64) -> Self {
        let options = Options { clock: Some(now), speed: 0.0, customers: CUSTOMERS, price_life, ..Options::default() };
        let credentials = options.credentials.clone();
        let service = Offline::new(options).expect("a ledger");
        service.world.set_wallet("1000000".parse().expect("an amount")).expect("a wallet");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        Self { service, credentials, price_life, runtime }
    }
}

impl Service for Practice {
    fn who(&self) -> Who<'_> {
        let Credentials { user_id, static_token, agent_token } = &self.credentials;
        Who { developer: user_id, static_token, agent_token }
    }

    fn config(&self) -> &'static str {
        sandbox::THREE_IN_JAPAN
    }

    fn taken_host(&self) -> &'static str {
        sandbox::TAKEN
    }

    fn knows_orders_by_key(&self) -> bool {
        true
    }

    fn price_life(&self) -> i64 {
        self.price_life
    }

    fn zone(&self) -> i32 {
        ZONE
    }

    fn answer(&self, asked: &Asked<'_>) -> (u16, Vec<u8>) {
        let path = format!("{}?{}", asked.path, asked.query);
        self.runtime.block_on(self.service.answer(asked.method, &path, &asked.headers, asked.body))
    }

    fn now(&self) -> i64 {
        self.service.world.clock.now()
    }

    fn pass_time(&self, millis: i64) {
        self.service.world.clock.advance(millis);
    }

    fn deeds(&self) -> usize {
        let ledger = self.service.world.ledger().expect("a ledger");
        let changes = ledger.accounts.iter();
        let changes = changes.map(|one| usize::from(one.created) + one.password_hashes.len() + one.statuses.len());
        ledger.orders.len() + ledger.renewals.len() + ledger.moves.len() + changes.sum::<usize>()
    }

    fn show_next_after(&self, millis: i64) {
        self.service.world.show_next_after(millis);
    }

    fn forget_keys(&self, life: i64) {
        self.service.world.forget_keys_before(self.now() - life).expect("a ledger");
    }

    fn use_more(&self, customer: &CustomerId) {
        self.service.world.use_more(customer).expect("a ledger");
    }

    fn move_in_console(&self, customer: &CustomerId, gb: i64, by_colleague: bool) {
        self.service.world.move_in_console(customer, gb, by_colleague).expect("a ledger");
    }
}
