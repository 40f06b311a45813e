//! Answers of the vendor, and the parts that the journal stores.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::breakdown::breakdown;
use wire::customers::{Customer, Page};
use wire::inventory::{CityStock, CountryStock, SegmentStock};
use wire::ips::IpsPage;
use wire::locations::{City, Continent, Country, State};
use wire::orders::{OrderDetail, OrderStanding};
use wire::ping::Ping;
use wire::purchase::{PlacedOrder, PurchaseConfig, PurchaseOptions, Quote};
use wire::renewals::RenewalPrice;
use wire::traffic::{ConsumptionDay, NniDay, TrafficRecord, TrafficTotals};
use wire::tree::Tree;
use wire::usage::{Readable, UsageRow};

/// Decodes an input: the first byte chooses the decoder, the rest is the answer.
pub fn run(data: &[u8]) {
    let Some((choice, body)) = data.split_first() else { return };
    match choice % 30 {
        0 => kept::<Vec<Continent>>(statics(body)),
        1 => kept::<Vec<Country>>(statics(body)),
        2 => kept::<Vec<State>>(statics(body)),
        3 => kept::<Vec<City>>(statics(body)),
        4 => read(statics::<PurchaseOptions>(body)),
        5 => {
            let price = statics::<Quote>(body).map(|quote| breakdown(&quote.region_lines, &quote.order_summary));
            stays(price.unwrap_or_default());
        }
        6 => kept::<PlacedOrder>(statics(body)),
        7 => order(body),
        8 => kept::<Vec<CountryStock>>(statics(body)),
        9 => kept::<Vec<CityStock>>(statics(body)),
        10 => kept::<Vec<SegmentStock>>(statics(body)),
        11 => kept_rows(agent::<Page<Customer>>(body)),
        12 => kept_rows(agent::<Page<TrafficRecord>>(body)),
        13 => read(agent::<Page<Readable<UsageRow>>>(body).map(|page| page.rows.len())),
        14 => read(agent::<TrafficTotals>(body)),
        15 => read(agent::<Vec<ConsumptionDay>>(body)),
        16 => read(agent::<Vec<NniDay>>(body)),
        17 => read(wire::read_agent_write(200, body).ok()),
        18 => {
            let (answer, account) = wire::accounts::read_created(200, body);
            read(answer.is_ok() || account.is_whole());
        }
        19 => read(wire::accounts::rest_of(body).is_whole()),
        20 => stored::<operations::Evidence>(body),
        21 => stored::<operations::Snapshot>(body),
        22 => stored::<operations::Learned>(body),
        23 => stored::<client::Request>(body),
        24 => stored::<PurchaseConfig>(body),
        26 => ips(body),
        27 => read(wire::read_public::<Ping>(200, body).ok()),
        28 => read(statics::<OrderStanding>(body)),
        29 => kept::<RenewalPrice>(statics(body)),
        _ => {
            let value = serde_json::from_slice(body).unwrap_or_default();
            read(wire::udp::udp(wire::choice::choices(&value)));
            let tree: Tree = serde_json::from_slice(body).unwrap_or_default();
            stays(breakdown(&tree, &tree));
        }
    }
}

fn statics<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    wire::read_static(200, body).ok().map(|answer| answer.data)
}

fn agent<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    wire::read_agent(200, body).ok().map(|answer| answer.data)
}

/// Accepts either outcome: read or refused.
fn read<T>(_: T) {}

/// Checks that the stored part of an order is the same when read again, and that its facts hold no password. Fields with
/// a meaning of their own, such as the product's name, are shown as they came.
fn order(body: &[u8]) {
    let Some(order) = statics::<OrderDetail>(body) else { return };
    let kept = order.particulars();
    let others: Vec<_> = kept.proxies.iter().map(|one| &one.about.other).collect();
    let facts = serde_json::json!([kept.specification, kept.refund, others]);
    for password in order.proxies().into_iter().map(|proxy| proxy.password).filter(|one| one.starts_with("hunter2")) {
        assert!(!holds(&facts, &password), "{password} is in {facts}");
    }
    stays(kept);
}

/// Whether a text or a name of a value holds a password, as it is or as it stands in JSON inside a text.
fn holds(value: &Value, password: &str) -> bool {
    let in_json = Value::from(password).to_string();
    let is_in = |text: &str| text.contains(password) || text.contains(in_json.trim_matches('"'));
    match value {
        Value::String(text) => is_in(text),
        Value::Array(all) => all.iter().any(|one| holds(one, password)),
        Value::Object(members) => members.iter().any(|(name, one)| is_in(name) || holds(one, password)),
        _ => false,
    }
}

/// Checks that the stored part of the vendor's list of IPs is the same when read again, and has no facts: the fields with
/// a meaning of their own are all that is kept. What one of them says, such as an order number, is shown as it came.
fn ips(body: &[u8]) {
    let Some(page) = statics::<IpsPage>(body) else { return };
    assert!(page.rows.iter().all(|row| row.about.other.is_empty()), "{page:?}");
    kept(Some(page.rows));
}

fn stays<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    kept(Some(value));
}

/// Checks that a value is the same after writing and reading it: no amount and no id changes on its way to the page,
/// the cache or the journal.
fn kept<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: Option<T>) {
    let Some(value) = value else { return };
    let text = serde_json::to_string(&value).expect("what was read can be written");
    let again: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(again, value, "{text}");
}

fn kept_rows<T: Serialize + DeserializeOwned + PartialEq + Debug>(page: Option<Page<T>>) {
    kept(page.map(|page| page.rows));
}

fn stored<T: Serialize + DeserializeOwned>(body: &[u8]) {
    let Ok(value) = serde_json::from_slice::<T>(body) else { return };
    let text = serde_json::to_string(&value).expect("what was read can be written");
    let again: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(serde_json::to_string(&again).expect("it was written once"), text);
}
