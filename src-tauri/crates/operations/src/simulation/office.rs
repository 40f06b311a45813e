//! A service without a network: turns the program's own requests into text and reads the answers as the program does.

use client::customers::ListQuery;
use client::request::{Area, Method, Request};
use client::traffic::{RecordType, RecordsQuery};
use client::{Call, Error};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use wire::Day;
use wire::customers::{Customer, Page};
use wire::ids::{CustomerId, IpId};
use wire::ips::ListedIp;
use wire::purchase::{PlacedOrder, Quote};
use wire::renewals::RenewalPrice;
use wire::traffic::TrafficRecord;

use crate::evidence::snapshot::{Balance, Snapshot};
use crate::journal::row::Row;
use crate::words::state::Kind;
use crate::writes::intent::Yes;
use crate::writes::traffic_move::{Direction, TrafficMove};

/// So few that each customer is worked on again and again.
pub(super) const CUSTOMERS: u32 = 5;

/// One of the two services.
pub(super) trait Service {
    fn who(&self) -> Who<'_>;
    /// The configuration that is bought.
    fn config(&self) -> &'static str;
    /// The end of user names that belong to others.
    fn taken_host(&self) -> &'static str;
    /// Whether a known key gets its order again, not a no.
    fn knows_orders_by_key(&self) -> bool;
    /// How long a price stands, ms.
    fn price_life(&self) -> i64;
    /// Minutes east of UTC.
    fn zone(&self) -> i32;
    fn answer(&self, asked: &Asked<'_>) -> (u16, Vec<u8>);
    /// Ms since 1970.
    fn now(&self) -> i64;
    fn pass_time(&self, millis: i64);
    /// Number of all writes that were carried out.
    fn deeds(&self) -> usize;
    /// Lets the record of the next move show this many ms later.
    fn show_next_after(&self, millis: i64);
    /// Forgets keys that are older than this many ms.
    fn forget_keys(&self, life: i64);
    /// A customer uses traffic.
    fn use_more(&self, customer: &CustomerId);
    /// Someone moves traffic in the vendor's console. A negative `gb` takes; `by_colleague` uses another name.
    fn move_in_console(&self, customer: &CustomerId, gb: i64, by_colleague: bool);
}

/// The credentials.
pub(super) struct Who<'a> {
    pub(super) developer: &'a str,
    pub(super) static_token: &'a str,
    pub(super) agent_token: &'a str,
}

/// One request as text.
pub(super) struct Asked<'a> {
    pub(super) method: &'static str,
    pub(super) path: &'a str,
    pub(super) query: &'a str,
    pub(super) headers: Vec<(&'a str, &'a str)>,
    pub(super) body: &'a str,
}

pub(super) struct Office {
    pub(super) service: Box<dyn Service>,
}

impl Office {
    fn ask(&self, request: &Request) -> (u16, Vec<u8>) {
        let pairs = request.query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let secret = request.secret.iter().map(|secret| (secret.name.as_str(), "a-password"));
        let query: Vec<String> =
            pairs.chain(secret).map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let who = self.service.who();
        let (prefix, token) = match request.area {
            Area::Static => ("/api", who.static_token),
            Area::Agent => ("/prod-api", who.agent_token),
        };
        let mut headers = vec![("token", token), ("userid", who.developer)];
        headers.extend(request.idempotency_key.iter().map(|key| ("x-idempotency-key", key.as_str())));
        self.service.answer(&Asked {
            method: if request.method == Method::Post { "POST" } else { "GET" },
            path: &format!("{prefix}{}", request.path),
            query: &query.join("&"),
            headers,
            body: request.body.as_deref().unwrap_or_default(),
        })
    }

    fn call<T: DeserializeOwned>(&self, call: &Call<T>) -> T {
        let (status, body) = self.ask(&call.request);
        let read = match call.request.area {
            Area::Static => wire::read_static(status, &body),
            Area::Agent => wire::read_agent(status, &body),
        };
        read.expect("it is answered").data
    }

    /// Sends a write and reads its answer. Its record shows after `lag` ms.
    pub(super) fn write(&self, row: &Row, lag: i64) -> Result<Yes, Error> {
        self.service.show_next_after(lag);
        let (status, body) = self.ask(&row.request);
        match row.kind {
            Kind::PlaceAndPay | Kind::Renew => Ok(Yes::Order(wire::read_static(status, &body)?.data)),
            Kind::Create => Ok(wire::accounts::read_created(status, &body).0.map(|()| Yes::Accepted)?),
            _ => Ok(wire::read_agent_write(status, &body).map(|_| Yes::Accepted)?),
        }
    }

    /// A price for the one configuration.
    pub(super) fn quote(&self) -> (Quote, Box<RawValue>) {
        let config = RawValue::from_string(self.service.config().into()).expect("JSON");
        (self.call(&client::purchase::quote(&config, None)), config)
    }

    /// Buys what renewals are about, before anything is played.
    pub(super) fn stock(&self) {
        let (quote, config) = self.quote();
        let key = "bought before the schedule";
        let (status, body) =
            self.ask(&client::purchase::place_and_pay(&quote.quote_id, &quote.quote_version, &config, key));
        wire::read_static::<PlacedOrder>(status, &body).expect("an order");
    }

    /// IPs of the vendor's list.
    pub(super) fn ips(&self) -> Vec<ListedIp> {
        self.call(&client::ips::page(1, 10)).rows
    }

    /// The price of renewing these IPs.
    pub(super) fn renewal_price(&self, ids: &[IpId], period_days: i64) -> RenewalPrice {
        self.call(&client::renewals::quote(ids, period_days))
    }

    /// The rows of all pages of a list.
    fn all<T: DeserializeOwned>(&self, ask: impl Fn(u32) -> Call<Page<T>>) -> Vec<T> {
        let mut rows = Vec::new();
        for page in 1.. {
            let answer = self.call(&ask(page));
            let is_over = answer.rows.is_empty();
            rows.extend(answer.rows);
            if is_over || rows.len() as i64 >= answer.total {
                break;
            }
        }
        rows
    }

    pub(super) fn customers(&self, user_name: Option<&str>) -> Vec<Customer> {
        let user_name = user_name.map(str::to_owned);
        self.all(|page| client::customers::list(&ListQuery { page, page_size: 100, user_name: user_name.clone() }))
    }

    /// A snapshot as `snapshot.rs` reads it, but in one scan, because nothing changes meanwhile.
    pub(super) fn snapshot(&self, of: &TrafficMove, since: Option<Day>) -> Snapshot {
        let day = Day::of(self.service.now(), self.service.zone());
        let records = |kind| -> Vec<TrafficRecord> {
            let (from, to) = (Some(since.unwrap_or(day).plus(-1)), Some(day.plus(1)));
            let ask = |page| {
                let account = Some(of.user_name.clone());
                client::traffic::records_given(kind, &RecordsQuery { page, page_size: 500, account, from, to })
            };
            // The account filter may also find other customers with similar names.
            self.all(ask).into_iter().filter(|record: &TrafficRecord| record.customer_id == of.customer_id).collect()
        };
        let taken = match of.direction {
            Direction::Deduction => records(RecordType::Consumption),
            Direction::Recharge => Vec::new(),
        };
        let listed = self.customers(Some(&of.user_name)).into_iter().find(|row| row.customer_id == of.customer_id);
        Snapshot { day, balance: listed.as_ref().map(Balance::of), given: records(RecordType::Recharge), taken }
    }
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
