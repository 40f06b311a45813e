//! A bulk recharge of 10,000 customers over a service that answers after 20 ms, compared with bare requests of the
//! same kind to the same service.
//!
//! Goal: the last answer after at most 1.10 x (10,000 / 8 x the time of a bare request, eight at a time). The proofs
//! come later and are reported separately. The goal for memory is in `customers-window`, for the whole program: the
//! memory of this bare core is mostly what the allocator keeps for later, and is only reported.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use operations::{BulkPlan, BulkState, Direction, Gb, GbFactor, Intent, TrafficMove};
use sandbox::Credentials;
use serde_json::json;
use tests::bulk::plan;
use tests::order::access_to;
use tests::service::{Process, account, http};
use wire::customers::Customer;

const CUSTOMERS: usize = 10_000;
const PARALLEL: usize = 8;
const BARE: usize = 2_000;
const DELAY: u64 = 20;
const ENDPOINT: &str = "rechargeTrafficCount";

#[tokio::main]
async fn main() -> ExitCode {
    let service = Process::start_with(&["--customers", &CUSTOMERS.to_string()]);
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal.db");
    let wall =
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_millis() as i64;
    let operations = operations::Operations::open(&journal, operations::Schedule::default(), std::sync::Arc::new(wall))
        .expect("a journal");
    let access = access_to(account(&service.base_url), wall);
    let client = client::Client::new(account(&service.base_url).into(), client::Patience::default()).expect("a client");
    operations.use_account(Some(access));
    service.control("faults", json!({"endpoint": ENDPOINT, "fault": "delay", "ms": DELAY, "times": 1_000_000})).await;
    let one = bare(&service.base_url).await;
    let customers = client::customers::all(&client, None).await.expect("a list");
    assert_eq!(customers.len(), CUSTOMERS);
    let all = recharges(&customers);
    let before = memory("VmRSS");
    let token = operations.bulks().offer(all).expect("a confirmation");
    let begun = Instant::now();
    let bulk = operations.bulks().confirm(&token).await.expect("it begins");
    let committed = begun.elapsed().as_secs_f64();
    let mut changes = operations.changes();
    // An empty name announces the end of a run.
    while !changes.recv().await.is_ok_and(|id| id.0.is_empty()) {}
    assert_eq!(operations.bulks().get(&bulk.id).expect("a bulk").state, BulkState::Finished);
    let sent = last_answer(&journal) as f64 / 1000.0;
    let last = memory("VmRSS");
    let proved = Instant::now();
    let counts = loop {
        let counts = operations.bulks().get(&bulk.id).expect("a bulk").counts;
        if counts.done + counts.skipped + counts.not_done == CUSTOMERS || proved.elapsed().as_secs() > 300 {
            break counts;
        }
        // Counting 10,000 rows all the time would disturb the measurement.
        let _ = tokio::time::timeout(Duration::from_millis(500), std::future::pending::<()>()).await;
    };
    let proved = proved.elapsed().as_secs_f64();
    let after = memory("VmRSS");
    let floor = CUSTOMERS as f64 / PARALLEL as f64 * one;
    let (slower, larger) = (sent / floor, after as f64 / before as f64);
    println!(
        "{CUSTOMERS} rows: committed in {committed:.2} s, first byte to last answer {sent:.2} s, proved {proved:.2} s later: {counts:?}"
    );
    println!(
        "a bare request {:.2} ms, {PARALLEL} at a time; memory {before} kB before, {last} kB when sent, {after} kB after, {} kB at most",
        one * 1000.0,
        memory("VmHWM")
    );
    println!("{slower:.3} x bare requests (goal 1.10), memory {larger:.2} x");
    if slower <= 1.10 && counts.done == CUSTOMERS { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Time per request in seconds, with eight at a time, each on a connection of its own as for every write.
async fn bare(base_url: &str) -> f64 {
    let token = Credentials::well_known().agent_token;
    let http = http();
    // A new world is created on the first request.
    let list = http.get(format!("{base_url}/prod-api/open/customer/list")).header("token", &token);
    list.send().await.expect("an answer");
    let each = BARE / PARALLEL;
    let begun = Instant::now();
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..PARALLEL {
        let (base_url, token, http) = (base_url.to_owned(), token.clone(), http.clone());
        workers.spawn(async move {
            for at in 0..each {
                let query = format!(
                    "customerId={}&orderId=bare-{worker}-{at}&trafficCount=0.001",
                    100_000 + worker * each + at
                );
                let url = format!("{base_url}/prod-api/api/agent/{ENDPOINT}?{query}");
                let answer = http
                    .get(url)
                    .header("token", &token)
                    .header("connection", "close")
                    .send()
                    .await
                    .expect("an answer");
                assert!(answer.text().await.expect("a body").contains("200"));
            }
        });
    }
    while let Some(done) = workers.join_next().await {
        done.expect("a worker");
    }
    begun.elapsed().as_secs_f64() / each as f64
}

fn recharges(customers: &[Customer]) -> BulkPlan {
    let moves = customers.iter().map(|customer| {
        Intent::from(TrafficMove {
            direction: Direction::Recharge,
            customer_id: customer.customer_id.clone(),
            user_name: customer.user_name.clone(),
            gb: Gb::parse("0.5", GbFactor::Binary).expect("an amount"),
            factor: GbFactor::Binary,
            shown_recharged: customer.traffic_count,
            counter_of: None,
        })
    });
    plan(moves.collect())
}

/// Time from the first operation's `prepared` to the last answer, in ms.
fn last_answer(journal: &std::path::Path) -> i64 {
    let db = rusqlite::Connection::open(journal).expect("a journal");
    let query = "SELECT max(wall) - min(wall) FROM event WHERE what IN ('prepared', 'sending', 'verifying')";
    db.query_row(query, [], |row| row.get(0)).expect("events")
}

/// Resident memory of this process in kB: `VmRSS` is the current, `VmHWM` the peak value.
fn memory(of: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with(of)).expect("a line");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}
