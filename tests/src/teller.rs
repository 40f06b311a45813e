//! The headless core as a program of its own, made to be killed. It confirms one write after another and prints a line
//! for each whose outcome it knows.

use std::path::Path;
use std::sync::Arc;

use operations::{
    AccountChange, BulkState, Direction, Family, Gb, GbFactor, Intent, OperationError, OperationView, Operations,
    Renewal, RenewedIp, RowsWanted, Secrets, SnapshotError, TrafficMove, Verdict,
};
use wire::customers::Customer;

use crate::bulk::plan;
use crate::order::{access_to, at_once, price_of, renewal_of};
use crate::service::account;
use crate::wall;

/// The number of writes under way at a time.
const WORKERS: usize = 4;
/// The number of customers in a bulk.
const ROWS: usize = 6;

/// Opens the journal and resolves what the last life left open.
pub fn open(journal: &Path, base_url: &str) -> Operations {
    let operations = Operations::open(journal, at_once(0), Arc::new(wall)).expect("a journal");
    operations.use_account(Some(access_to(account(base_url), wall)));
    operations
}

/// Runs until it is killed or cannot write its journal. `life` tells its writes from those of other lives. `config` is
/// what it buys, in the service's form.
pub async fn serve(journal: &Path, base_url: &str, life: usize, config: &str) {
    let began = wall();
    let operations = open(journal, base_url);
    let client = client::Client::new(account(base_url).into(), client::Patience::default()).expect("a client");
    let customers = Arc::new(client::customers::all(&client, None).await.expect("a list"));
    send_lost_payments_again(&operations).await;
    judge_lost_renewals(&operations, &client, began).await;
    go_on_with_bulks(&operations);
    let config: Arc<str> = config.into();
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..WORKERS {
        let (operations, client, customers) = (operations.clone(), client.clone(), customers.clone());
        let config = config.clone();
        workers.spawn(async move {
            for at in (worker..).step_by(WORKERS) {
                let first = (life * 7 + at) % customers.len();
                // Every life starts a bulk early: most do not get as far as a tenth write.
                let written = if at % 10 == 3 {
                    let some: Vec<&Customer> = customers.iter().cycle().skip(first).take(ROWS).collect();
                    write_many(&operations, &some, life).await
                } else {
                    write(&operations, &client, &customers[first], (life, at), &config).await.map(tell)
                };
                // Skip a customer that an earlier life still holds.
                match written {
                    Ok(()) => {}
                    // Nothing more can be sent before the next start.
                    Err(OperationError::Journal(_) | OperationError::Stopped) => return,
                    Err(_) => {}
                }
            }
        });
    }
    while workers.join_next().await.is_some() {}
}

/// Resends lost payments, as a person would: a lost one blocks the wallet.
async fn send_lost_payments_again(operations: &Operations) {
    let all = operations.history().list().expect("a journal");
    for one in all.into_iter().filter(|one| one.kind.family() == Family::Order && one.may_resend) {
        if let Ok(done) = operations.resend(&one.id).await {
            tell(done);
        }
    }
}

/// Says how renewals ended that nobody may send again, as a person would: by the ends in the vendor's list. One that
/// this life found may still be on its way, so its verdict is left to the next life.
async fn judge_lost_renewals(operations: &Operations, client: &client::Client, began: i64) {
    let is_known = |one: &OperationView| one.events.last().is_some_and(|event| event.at < began);
    let all = operations.history().list().expect("a journal");
    for one in all.into_iter().filter(|one| one.is_too_late_to_resend && is_known(one)) {
        let Some(Renewal { ips: before, .. }) = one.renewal else { continue };
        let Ok(listed) = client.call(client::ips::page(1, 100)).await else { return };
        let now: Vec<RenewedIp> = listed.data.rows.into_iter().map(RenewedIp::from).collect();
        let is_as_before = before.iter().any(|ip| now.iter().any(|now| now.id == ip.id && now.expires == ip.expires));
        let verdict = if is_as_before { Verdict::NotDone } else { Verdict::Done };
        let judged = operations.judge(&one.id, verdict).expect("a person may say so");
        tell(judged);
    }
}

/// Resumes bulks, as a person would: every start pauses them.
fn go_on_with_bulks(operations: &Operations) {
    let all = operations.bulks().all().expect("a journal");
    for bulk in all.into_iter().filter(|bulk| bulk.state == BulkState::Paused) {
        operations.bulks().resume(&bulk.id).expect("it goes on");
    }
}

fn tell(done: OperationView) {
    println!("{} {}", done.id.0, done.state.word());
}

/// Runs a bulk. Prints when it is confirmed, and prints its rows when it no longer runs.
async fn write_many(operations: &Operations, customers: &[&Customer], life: usize) -> Result<(), OperationError> {
    let reader = operations.reader().expect("an account");
    let mut rows = Vec::new();
    for listed in customers {
        if let Ok(Some(now)) = reader.customer(&listed.customer_id, &listed.user_name).await {
            rows.push(moving(&now, life.is_multiple_of(2)));
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    let mut changes = operations.changes();
    let bulk = operations.bulks().confirm(&operations.bulks().offer(plan(rows))?).await?;
    println!("{} confirmed", bulk.id.0);
    while operations.bulks().get(&bulk.id)?.state == BulkState::Running {
        // A missed notification is harmless: the end is announced too.
        let _ = changes.recv().await;
    }
    for row in operations.bulks().rows(&bulk.id, RowsWanted::default(), 0, ROWS)? {
        if let Some(id) = row.operation {
            println!("{} {}", id.0, row.state.word());
        }
    }
    Ok(())
}

/// Makes a move of a customer, with its current figures.
fn moving(customer: &Customer, recharge: bool) -> Intent {
    let (direction, gb) = if recharge { (Direction::Recharge, "0.5") } else { (Direction::Deduction, "0.25") };
    Intent::from(TrafficMove {
        direction,
        customer_id: customer.customer_id.clone(),
        user_name: customer.user_name.clone(),
        gb: Gb::parse(gb, GbFactor::Binary).expect("an amount"),
        factor: GbFactor::Binary,
        shown_recharged: customer.traffic_count,
        counter_of: None,
    })
}

/// Does a life's write with this number.
async fn write(
    operations: &Operations,
    client: &client::Client,
    listed: &Customer,
    (life, at): (usize, usize),
    config: &str,
) -> Result<OperationView, OperationError> {
    let (customer_id, user_name) = (listed.customer_id.clone(), listed.user_name.clone());
    let mut ends = None;
    let intent = match at % 10 {
        5 => match renewal_of(client).await.map_err(SnapshotError::Vendor)? {
            Some(renewal) => renewal.into(),
            // Nothing was bought yet.
            None => AccountChange::Status { customer_id, user_name, active: true, customer_state: 1 }.into(),
        },
        8 => {
            let order;
            (order, ends) = price_of(client, config).await.map_err(SnapshotError::Vendor)?;
            order.into()
        }
        6 => AccountChange::Status { customer_id, user_name, active: false, customer_state: 0 }.into(),
        7 => AccountChange::Create { user_name: format!("life{life}.{at}@x.com") }.into(),
        9 => {
            let reference = Secrets::new_reference();
            operations.secrets()?.hold(&reference, format!("life{life}-{at}").into());
            AccountChange::Password { customer_id, user_name, reference, typed: true }.into()
        }
        move_of => {
            let reader = operations.reader().expect("an account");
            let now = reader.customer(&customer_id, &user_name).await.ok().flatten();
            moving(now.as_ref().unwrap_or(listed), move_of.is_multiple_of(2))
        }
    };
    let offer = operations.offer(intent, ends)?;
    operations.confirm(&offer.token).await
}
