//! The headless core as a program of its own, made to be killed: it confirms one write after the other and
//! says a line about each that it knows the end of.

use std::path::Path;
use std::sync::Arc;

use operations::{
    AccountChange, Direction, Gb, GbFactor, Intent, OperationError, OperationView, Operations, TrafficMove,
};
use wire::customers::Customer;

use crate::order::{access_to, at_once};
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
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..WORKERS {
        let (operations, customers) = (operations.clone(), customers.clone());
        workers.spawn(async move {
            for at in (worker..).step_by(WORKERS) {
                let customer = &customers[(life * 7 + at) % customers.len()];
                // A customer that is held by an earlier life is left alone.
                match write(&operations, customer, life, at).await {
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

async fn write(
    operations: &Operations,
    listed: &Customer,
    life: usize,
    at: usize,
) -> Result<OperationView, OperationError> {
    let (customer_id, user_name) = (listed.customer_id.clone(), listed.user_name.clone());
    let intent = match at % 8 {
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
