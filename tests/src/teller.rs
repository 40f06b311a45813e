//! The headless core as a program of its own, made to be killed: it confirms one write after the other and
//! says a line about each that it knows the end of.

use std::path::Path;
use std::sync::Arc;

use operations::{
    AccountChange, Direction, Gb, GbFactor, Intent, Kind, OperationError, OperationView, Operations, PlaceAndPay,
    SightError, TrafficMove,
};
use serde_json::value::RawValue;
use wire::customers::Customer;

use crate::order::{CONFIG, access_to, at_once};
use crate::service::account;
use crate::wall;

/// Writes that are under way at once.
const WORKERS: usize = 4;

/// Opens the journal and settles what the last life left open.
pub fn open(journal: &Path, base_url: &str) -> Operations {
    let operations = Operations::open(journal, at_once(0), Arc::new(wall)).expect("a journal");
    operations.use_account(Some(access_to(account(base_url), wall)));
    operations
}

/// Goes on until it is killed, or its journal can not be written. `life`: tells its writes from those of other lives.
pub async fn serve(journal: &Path, base_url: &str, life: usize) {
    let operations = open(journal, base_url);
    let client = client::Client::new(account(base_url).into(), client::Patience::default()).expect("a client");
    let customers = Arc::new(client::customers::all(&client, None).await.expect("a list"));
    send_lost_orders_again(&operations).await;
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..WORKERS {
        let (operations, client, customers) = (operations.clone(), client.clone(), customers.clone());
        workers.spawn(async move {
            for at in (worker..).step_by(WORKERS) {
                let customer = &customers[(life * 7 + at) % customers.len()];
                // A customer that is held by an earlier life is left alone.
                match write(&operations, &client, customer, life, at).await {
                    Ok(done) => println!("{} {}", done.id.0, done.state.word()),
                    // Nothing more is sent before the next start.
                    Err(OperationError::Journal(_) | OperationError::Stopped) => return,
                    Err(_) => {}
                }
            }
        });
    }
    while workers.join_next().await.is_some() {}
}

/// As a person would: an order whose answer was lost keeps the wallet from the next one.
async fn send_lost_orders_again(operations: &Operations) {
    let all = operations.list().expect("a journal");
    for order in all.into_iter().filter(|one| one.kind == Kind::PlaceAndPay && one.may_resend) {
        if let Ok(done) = operations.resend(&order.id).await {
            println!("{} {}", done.id.0, done.state.word());
        }
    }
}

/// An order at a price of now.
async fn order(client: &client::Client) -> Result<Intent, client::Error> {
    let config = RawValue::from_string(CONFIG.into()).expect("JSON");
    let quote = client.call(client::purchase::quote(&config, None)).await?.data;
    let (quote_id, quote_version) = (quote.quote_id, quote.quote_version);
    Ok(PlaceAndPay { quote_id, quote_version, config, amount: quote.amount, currency: quote.currency }.into())
}

async fn write(
    operations: &Operations,
    client: &client::Client,
    listed: &Customer,
    life: usize,
    at: usize,
) -> Result<OperationView, OperationError> {
    let (customer_id, user_name) = (listed.customer_id.clone(), listed.user_name.clone());
    let intent = match at % 9 {
        8 => order(client).await.map_err(SightError::Vendor)?,
        6 => AccountChange::Status { customer_id, user_name, active: false, customer_state: 0 }.into(),
        7 => AccountChange::Create { user_name: format!("life{life}.{at}@x.com") }.into(),
        move_of => {
            let reader = operations.reader().expect("an account");
            let now = reader.customer(&customer_id, &user_name).await.ok().flatten();
            let (direction, gb) =
                if move_of % 2 == 0 { (Direction::Recharge, "0.5") } else { (Direction::Deduction, "0.25") };
            Intent::from(TrafficMove {
                direction,
                customer_id,
                user_name,
                gb: Gb::parse(gb, GbFactor::Binary).expect("an amount"),
                factor: GbFactor::Binary,
                shown_recharged: now.and_then(|row| row.traffic_count),
                counter_of: None,
            })
        }
    };
    let offer = operations.offer(intent, None)?;
    operations.confirm(&offer.token).await
}
