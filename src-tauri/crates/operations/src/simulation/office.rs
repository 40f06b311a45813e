//! The practice service without a network: the program's own requests go in, put into words here; answers come out
//! and are read as the program reads them.

use client::customers::ListQuery;
use client::request::{Area, Method, Request};
use client::traffic::{RecordType, RecordsQuery};
use client::{Call, Error};
use sandbox::{Credentials, Offline, Options, THREE_IN_JAPAN};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::runtime::Runtime;
use wire::Day;
use wire::customers::Customer;
use wire::ids::CustomerId;
use wire::purchase::Quote;
use wire::traffic::TrafficRecord;

use crate::intent::Yes;
use crate::row::Row;
use crate::sight::{Sight, Standing};
use crate::state::Kind;
use crate::traffic_move::{Direction, TrafficMove};

/// The vendor's zone, minutes east of UTC.
const ZONE: i32 = 480;
/// So few that one customer is worked on again and again.
const CUSTOMERS: u32 = 5;

pub(super) struct Office {
    service: Offline,
    credentials: Credentials,
    runtime: Runtime,
}

impl Office {
    /// `now`: where its clock begins, ms since 1970.
    pub(super) fn new(now: i64) -> Self {
        let options = Options { clock: Some(now), speed: 0.0, customers: CUSTOMERS, ..Options::default() };
        let credentials = options.credentials.clone();
        let service = Offline::new(options).expect("a ledger");
        service.world.set_wallet("1000000".parse().expect("an amount")).expect("a wallet");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        Self { service, credentials, runtime }
    }

    pub(super) fn pass_time(&self, millis: i64) {
        self.service.world.clock.advance(millis);
    }

    /// Forgets keys of before so many ms ago.
    pub(super) fn forget_keys(&self, life: i64) {
        let world = &self.service.world;
        world.forget_keys_before(world.clock.now() - life).expect("a ledger");
    }

    /// A customer uses traffic.
    pub(super) fn use_more(&self, customer: &CustomerId) {
        self.service.world.use_more(customer).expect("a ledger");
    }

    /// Somebody moves traffic in the vendor's console.
    pub(super) fn move_in_console(&self, customer: &CustomerId, gb: i64, by_colleague: bool) {
        self.service.world.move_in_console(customer, gb, by_colleague).expect("a ledger");
    }

    /// How much was done, of whatever kind.
    pub(super) fn entries(&self) -> usize {
        let ledger = self.service.world.ledger().expect("a ledger");
        let changes = ledger.accounts.iter();
        let changes = changes.map(|one| usize::from(one.created) + one.password_hashes.len() + one.statuses.len());
        ledger.orders.len() + ledger.moves.len() + changes.sum::<usize>()
    }

    fn ask(&self, request: &Request) -> (u16, Vec<u8>) {
        let pairs = request.query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let secret = request.secret.iter().map(|secret| (secret.name.as_str(), "a-password"));
        let query: Vec<String> =
            pairs.chain(secret).map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let (prefix, token) = match request.area {
            Area::Static => ("/api", &self.credentials.static_token),
            Area::Agent => ("/prod-api", &self.credentials.agent_token),
        };
        let path = format!("{prefix}{}?{}", request.path, query.join("&"));
        let method = if request.method == Method::Post { "POST" } else { "GET" };
        let mut headers = vec![("token", token.as_str()), ("userid", self.credentials.user_id.as_str())];
        headers.extend(request.idempotency_key.iter().map(|key| ("x-idempotency-key", key.as_str())));
        let body = request.body.as_deref().unwrap_or_default();
        self.runtime.block_on(self.service.answer(method, &path, &headers, body))
    }

    fn call<T: DeserializeOwned>(&self, call: &Call<T>) -> T {
        let (status, body) = self.ask(&call.request);
        let read = match call.request.area {
            Area::Static => wire::read_static(status, &body),
            Area::Agent => wire::read_agent(status, &body),
        };
        read.expect("it is answered").data
    }

    /// A write, and what its answer says. `lag`: ms after which its record shows.
    pub(super) fn write(&self, row: &Row, lag: i64) -> Result<Yes, Error> {
        self.service.world.show_next_after(lag);
        let (status, body) = self.ask(&row.request);
        match row.kind {
            Kind::PlaceAndPay => Ok(Yes::Order(wire::read_static(status, &body)?.data)),
            Kind::Create => Ok(wire::accounts::read_created(status, &body).0.map(|()| Yes::Accepted)?),
            _ => Ok(wire::read_agent_write(status, &body).map(|_| Yes::Accepted)?),
        }
    }

    /// A price for the one configuration.
    pub(super) fn quote(&self) -> (Quote, Box<RawValue>) {
        let config = RawValue::from_string(THREE_IN_JAPAN.into()).expect("JSON");
        (self.call(&client::purchase::quote(&config, None)), config)
    }

    pub(super) fn customers(&self, user_name: Option<&str>) -> Vec<Customer> {
        let query = ListQuery { user_name: user_name.map(str::to_owned), page_size: 100, ..ListQuery::default() };
        self.call(&client::customers::list(&query)).rows
    }

    /// As `sight.rs` reads it, in one scan: nothing changes meanwhile.
    pub(super) fn look(&self, of: &TrafficMove, since: Option<Day>) -> Sight {
        let day = Day::of(self.service.world.clock.now(), ZONE);
        let records = |kind| -> Vec<TrafficRecord> {
            let account = Some(of.user_name.clone());
            let (from, to) = (Some(since.unwrap_or(day).plus(-1)), Some(day.plus(1)));
            let query = RecordsQuery { page_size: 1000, account, from, to, ..RecordsQuery::default() };
            self.call(&client::traffic::records_given(kind, &query)).rows
        };
        let taken = match of.direction {
            Direction::Deduction => records(RecordType::Consumption),
            Direction::Recharge => Vec::new(),
        };
        let listed = self.customers(Some(&of.user_name)).into_iter().find(|row| row.customer_id == of.customer_id);
        Sight { day, standing: listed.as_ref().map(Standing::of), given: records(RecordType::Recharge), taken }
    }
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
