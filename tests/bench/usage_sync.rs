//! The first reading of a million usage rows, compared with curl and sqlite3; and the sums, compared with the same
//! query over the rows.
//!
//! Goals: at most 0.95 x (curl of the same pages to nowhere, then `.import` of the same rows); with a delay of 50 ms
//! in the service at most 1.10 x `curl -Z` with the same parallelism; sums at most 0.1 x GROUP BY.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Instant;

use sandbox::{Fault, FaultRule, Options, Service};
use tests::service;
use usage::sync::Plan;
use usage::{Store, Window, sync};
use wire::Day;

/// About a million rows in a year.
const CUSTOMERS: u32 = 3_450;
const PAGE: i64 = 2_000;
const ROUNDS: usize = 3;
const DELAY: u64 = 50;

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options { customers: CUSTOMERS, speed: 0.0, ..Options::default() };
    let service = service::start_with(options).await;
    let folder = tempfile::tempdir().expect("a folder");
    let csv = folder.path().join("rows.csv");
    let rows = write_csv(&service, &csv).await;
    println!("{rows} rows");
    let pages = (rows + PAGE - 1) / PAGE;
    let mut store = None;
    let (mut quick, mut slow) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let file = folder.path().join(format!("cache-{round}.db"));
        let (ours, kept) = read(&service, &file).await;
        assert_eq!(kept.rows().expect("a count"), rows);
        let curl = tokio_timed(curl(&service, pages, &[])).await;
        let import = timed(|| import(&csv, &folder.path().join(format!("import-{round}.db"))));
        println!("read {ours:.2} s; curl {curl:.2} s + import {import:.2} s");
        quick.push(ours / (curl + import));
        store = Some((file, kept));
    }
    for round in 0..ROUNDS {
        delay(&service);
        let (ours, _) = read(&service, &folder.path().join(format!("slow-{round}.db"))).await;
        delay(&service);
        let curl = tokio_timed(curl(&service, pages, &["-Z", "--parallel-max", "4"])).await;
        service.world.clear_faults();
        println!("with {DELAY} ms: read {ours:.2} s; curl -Z {curl:.2} s");
        slow.push(ours / curl);
    }
    let (file, kept) = store.expect("a round");
    let sums = sums(&file, &kept);
    let (quick, slow) = (median(quick), median(slow));
    println!(
        "median of {ROUNDS}: {quick:.2} x curl and import (goal 0.95), {slow:.2} x curl -Z (goal 1.10), sums {sums:.3} x GROUP BY (goal 0.1)"
    );
    if quick <= 0.95 && slow <= 1.10 && sums <= 0.1 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn delay(service: &Service) {
    service.world.clear_faults();
    service.world.add_fault(FaultRule {
        endpoint: "flowReport".into(),
        fault: Fault::Delay { ms: DELAY },
        times: u32::MAX,
    });
}

async fn read(service: &Service, file: &Path) -> (f64, Arc<Store>) {
    let client = service::client(service);
    let today = Day::of(service.world.clock.now(), 480);
    let begun = Instant::now();
    let store = Arc::new(Store::open(file, "bench").expect("a store"));
    sync(&store, &client, today, &Plan::default(), |_| ()).await.expect("it is read");
    (begun.elapsed().as_secs_f64(), store)
}

async fn curl(service: &Service, pages: i64, more: &[&str]) {
    let token = format!("token: {}", service.world.options.credentials.agent_token);
    let url = format!("{}/prod-api/open/dynamic/flowReport?pageSize={PAGE}&pageNum=[1-{pages}]", service.base_url());
    let mut command = tokio::process::Command::new("curl");
    command
        .args(["-s", "--no-progress-meter", "--compressed", "-H", &token])
        .args(more)
        .arg(&url)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    assert!(command.status().await.expect("curl").success());
}

fn import(csv: &Path, file: &Path) {
    let create = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE usage (day TEXT, id INTEGER, name TEXT, up REAL, down REAL);";
    let import = format!(".import {} usage", csv.display());
    let mut command = Command::new("sqlite3");
    command.arg(file).args(["-cmd", create, "-cmd", ".mode csv", &import]).stdout(Stdio::null());
    assert!(command.status().expect("sqlite3").success());
}

async fn write_csv(service: &Service, csv: &Path) -> i64 {
    let client = service::client(service);
    let mut text = String::new();
    for page in 1.. {
        let query = client::usage::ReportQuery { page, ..Default::default() };
        let told = client.call(client::usage::report(&query)).await.expect("a page").data;
        if told.rows.is_empty() {
            std::fs::write(csv, &text).expect("a file");
            return told.total;
        }
        for row in told.rows {
            text +=
                &format!("{},{},{},{},{}\n", row.report_date, row.customer_id, row.user_name, row.upload, row.download);
        }
    }
    unreachable!("an empty page ends it")
}

/// The slowest sum, as a share of the query that it replaces, in the sqlite3 program over the same file.
fn sums(file: &Path, store: &Store) -> f64 {
    let ever = Window { from: Day::new(0), to: Day::new(40_000) };
    let by_row = |by: &str| {
        let question = format!("SELECT {by}, sum(up), sum(down) FROM usage_row GROUP BY 1");
        let ask = || {
            assert!(
                Command::new("sqlite3")
                    .arg(file)
                    .arg(&question)
                    .stdout(Stdio::null())
                    .status()
                    .expect("sqlite3")
                    .success()
            )
        };
        median((0..ROUNDS).map(|_| timed(ask)).collect())
    };
    let ours = |ask: &dyn Fn() -> usize| median((0..ROUNDS).map(|_| timed(|| assert!(ask() > 0))).collect());
    let days = (ours(&|| store.by_day(ever).expect("sums").len()), by_row("key >> 40"));
    let customers = (ours(&|| store.by_customer(ever).expect("sums").len()), by_row("key >> 16 & 16777215"));
    for (what, (ours, raw)) in [("day", days), ("customer", customers)] {
        println!("by {what}: {:.1} ms, from rows {:.0} ms", ours * 1e3, raw * 1e3);
    }
    (days.0 / days.1).max(customers.0 / customers.1)
}

fn timed(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}

async fn tokio_timed(work: impl Future<Output = ()>) -> f64 {
    let begun = Instant::now();
    work.await;
    begun.elapsed().as_secs_f64()
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
