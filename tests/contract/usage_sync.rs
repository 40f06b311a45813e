//! Whatever the vendor's pages do, the store ends up equal to the service: with the practice service, and with a
//! report that shuffles its pages, repeats rows and has late rows.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use client::Client;
use sandbox::Fault;
use serde::Deserialize;
use serde_json::{Value, json};
use tests::service;
use usage::sync::Plan;
use usage::{Store, Window, sync};
use wire::Day;

fn plan(page_size: u32) -> Plan {
    Plan { page_size, pauses: vec![Duration::ZERO; 3], ..Plan::default() }
}

fn store() -> (tempfile::TempDir, Arc<Store>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("cache.db"), "a service").expect("a store");
    (folder, Arc::new(store))
}

/// A practice service whose clock stands still, because today's rows would grow during a comparison, and its client.
async fn standing() -> (sandbox::Service, Client) {
    let options = sandbox::Options { speed: 0.0, ..sandbox::Options::default() };
    let service = service::start_with(options).await;
    let client = service::client(&service);
    (service, client)
}

fn ever() -> Window {
    Window { from: Day::new(0), to: Day::new(40_000) }
}

/// Day, customer, up, down: sorted, with all repetitions.
fn kept(store: &Store) -> Vec<(String, String, String, String)> {
    let mut rows: Vec<_> = store
        .kept(ever())
        .expect("rows")
        .into_iter()
        .map(|row| (row.day.to_string(), row.customer_id.to_string(), row.upload.to_string(), row.download.to_string()))
        .collect();
    rows.sort();
    rows
}

/// Checks that the sums agree with the rows, however those arrived.
fn sums_agree(store: &Store) {
    let rows = store.kept(ever()).expect("rows");
    let by_day = store.by_day(ever()).expect("sums");
    for day in &by_day {
        let own = rows.iter().filter(|row| row.day == day.day);
        let sum = own.fold((0, 0), |sum, row| (sum.0 + row.upload.micro, sum.1 + row.download.micro));
        assert_eq!((day.upload.micro, day.download.micro), sum, "{}", day.day);
    }
    for span in [ever(), Window { from: Day::new(20_010), to: Day::new(20_075) }] {
        for one in store.by_customer(span).expect("sums") {
            let own = rows.iter().filter(|row| row.customer_id == one.customer_id);
            let own = own.filter(|row| span.from <= row.day && row.day <= span.to);
            let sum = own.fold((0, 0), |sum, row| (sum.0 + row.upload.micro, sum.1 + row.download.micro));
            assert_eq!((one.upload.micro, one.download.micro), sum, "{} {span:?}", one.customer_id);
            let days = store.by_day_of(&one.customer_id, span).expect("days");
            assert_eq!(days.iter().map(|day| day.download.micro).sum::<i64>(), one.download.micro);
        }
    }
    assert_eq!(store.rows().expect("a count"), rows.len() as i64);
}

/// Everything that the practice service reports, read without the store.
async fn told(client: &Client) -> Vec<(String, String, String, String)> {
    let mut all = Vec::new();
    for page in 1.. {
        let query = client::usage::ReportQuery { page, ..Default::default() };
        let rows = client.call(client::usage::report(&query)).await.expect("a page").data.rows;
        if rows.is_empty() {
            break;
        }
        all.extend(rows.into_iter().map(|row| {
            (row.report_date.to_string(), row.customer_id.to_string(), row.upload.to_string(), row.download.to_string())
        }));
    }
    all.sort();
    all
}

#[tokio::test]
async fn the_store_equals_the_practice_service_first_and_after_days_have_passed() {
    let (service, client) = standing().await;
    let (_folder, store) = store();
    let today = || Day::of(service.world.clock.now(), 480);
    let newest = Mutex::new(Vec::new());
    let tell = |progress: usage::Progress| newest.lock().expect("a list").push(progress.window.from);
    sync(&store, &client, today(), &plan(2000), tell).await.expect("it is read");
    assert_eq!(kept(&store), told(&client).await);
    assert_eq!(newest.lock().expect("a list").first(), Some(&today().month_start()), "newest month first");
    sums_agree(&store);
    service.world.clock.advance(9 * 86_400_000);
    for _ in 0..3 {
        service::fault(&service, "flowReport", Fault::DropBefore);
    }
    sync(&store, &client, today(), &plan(300), |_| ()).await.expect("it is read");
    assert_eq!(kept(&store), told(&client).await);
    sums_agree(&store);
    let asked = || service.world.ledger().expect("a ledger").requests.len();
    let before = asked();
    sync(&store, &client, today(), &plan(2000), |_| ()).await.expect("it is read");
    assert!(asked() - before <= 5, "only what is new is asked for: {}", asked() - before);
}

#[tokio::test]
async fn days_that_were_read_stay_covered_while_earlier_ones_are_read_again() {
    let (service, client) = standing().await;
    let (_folder, store) = store();
    let first = Day::of(service.world.clock.now(), 480).month_start();
    // On the second of a month, the days that are read again begin in the month before.
    let (second, third) = (first.plus(1), first.plus(2));
    sync(&store, &client, second, &plan(2000), |_| ()).await.expect("it is read");
    let through = Mutex::new(Vec::new());
    let tell = |_| through.lock().expect("a list").extend(store.covered().expect("days").map(|days| days.1));
    sync(&store, &client, third, &plan(2000), tell).await.expect("it is read");
    assert_eq!(*through.lock().expect("a list"), [second, second], "two pieces");
    assert_eq!(store.covered().expect("days").map(|days| days.1), Some(third));
}

#[tokio::test]
async fn a_strict_service_is_read_whole_and_what_was_kept_of_a_generous_one_is_told_apart() {
    let options = sandbox::Options { speed: 0.0, customers: 6, ..sandbox::Options::default() };
    let service = service::start_with(options).await;
    let all = told(&service::client(&service)).await;
    let today = Day::of(service.world.clock.now(), 480);
    let (_folder, store) = store();
    // The newest month is being read, in pages of 25, when the service becomes strict.
    let stop = tokio::sync::Notify::new();
    let (client, few) = (service::client(&service), plan(25));
    let reading = sync(&store, &client, today, &few, |_| stop.notify_one());
    tokio::select! {
        done = reading => done.expect("it is read"),
        () = stop.notified() => (),
    }
    service::be_strict(&service, service::SAME);
    // The same client, as in the program: it knows the last requests, including those whose answer was not awaited.
    sync(&store, &client, today, &plan(2000), |_| ()).await.expect("it is read");
    assert_eq!(kept(&store), all);
    sums_agree(&store);
}

#[tokio::test]
async fn a_paused_reading_goes_on_at_the_very_page() {
    let (service, client) = standing().await;
    let (_folder, store) = store();
    let today = Day::of(service.world.clock.now(), 480);
    let mut held = 0;
    for _ in 0..12 {
        // Paused by its own progress, wherever it is.
        let stop = tokio::sync::Notify::new();
        let few = plan(150);
        let reading = sync(&store, &client, today, &few, |_| stop.notify_one());
        tokio::select! {
            done = reading => done.expect("it is read"),
            () = stop.notified() => (),
        }
        let now = store.rows().expect("a count");
        assert!(now >= held, "nothing that was kept is lost: {held} {now}");
        held = now;
    }
    sync(&store, &client, today, &plan(150), |_| ()).await.expect("it is read");
    let asked = service.world.ledger().expect("a ledger").requests.len();
    let whole = held.max(store.rows().expect("a count")) as usize;
    assert!(asked <= whole.div_ceil(150) + 13 * 16, "{asked} questions: no page that is kept is asked for again");
    assert_eq!(kept(&store), told(&client).await);
    sums_agree(&store);
}

/// A report that misbehaves as much as reports may.
struct Restless {
    rows: Mutex<Vec<Value>>,
    seed: u64,
    asked: AtomicUsize,
}

fn dice(seed: u64, at: usize) -> usize {
    let mixed = (seed ^ at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) as usize
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    page_num: usize,
    page_size: usize,
    start_date: Option<String>,
    end_date: Option<String>,
}

async fn answer(State(report): State<Arc<Restless>>, Query(asked): Query<Asked>) -> String {
    let at = report.asked.fetch_add(1, Ordering::SeqCst);
    let mut rows = report.rows.lock().expect("rows").clone();
    rows.retain(|row| {
        let day = row["reportDate"].as_str().expect("a day");
        asked.start_date.as_deref().is_none_or(|from| from <= day)
            && asked.end_date.as_deref().is_none_or(|to| day <= to)
    });
    // Every ninth request sees another order of rows.
    if dice(report.seed, at).is_multiple_of(9) {
        let shift = dice(report.seed, at + 1) % rows.len().max(1);
        rows.rotate_left(shift);
    }
    let total = rows.len();
    let page: Vec<Value> =
        rows.into_iter().skip((asked.page_num - 1) * asked.page_size).take(asked.page_size).collect();
    json!({"code": 200, "msg": "操作成功", "data": {"total": total, "rows": page}}).to_string()
}

fn row(seed: u64, at: usize) -> Value {
    let day = Day::new(20_000 + (dice(seed, at) % 90) as i32);
    let customer = dice(seed, at + 7_000) % 4;
    // Few values, so that equal rows occur.
    let upload = match dice(seed, at + 9_000) % 12 {
        // In every third report, some rows cannot be read.
        0 if seed % 3 == 2 => Value::Null,
        upload => json!(upload),
    };
    json!({"reportDate": day, "customerId": customer, "userName": format!("c{customer}"),
           "uploadFlow": upload, "downloadFlow": 1.5})
}

#[tokio::test]
async fn pages_that_overlap_repeat_and_grow_leave_the_store_equal_to_the_report() {
    let mut settled = 0;
    for seed in 0..60 {
        let rows: Vec<Value> = (0..dice(seed, 1) % 120).map(|at| row(seed, at)).collect();
        let report = Arc::new(Restless { rows: Mutex::new(rows), seed, asked: AtomicUsize::new(0) });
        let router = Router::new().route("/prod-api/open/dynamic/flowReport", get(answer)).with_state(report.clone());
        let base = service::serve(router).await;
        let client = Client::new(Arc::new(service::account(&base)), client::Patience::default()).expect("a client");
        let (_folder, store) = store();
        for round in 0..3 {
            let today = Day::new(20_089 + round);
            let read = sync(&store, &client, today, &plan(7), |_| ()).await;
            match read {
                Ok(()) => {
                    settled += 1;
                    let (broken, good): (Vec<Value>, Vec<Value>) =
                        report.rows.lock().expect("rows").iter().cloned().partition(|row| row["uploadFlow"].is_null());
                    let mut wanted: Vec<_> = good.iter().map(as_kept).collect();
                    wanted.sort();
                    assert_eq!(store.unreadable().expect("a count"), broken.len() as i64, "seed {seed} round {round}");
                    assert_eq!(kept(&store), wanted, "seed {seed} round {round}");
                    sums_agree(&store);
                }
                // Reported openly, and never taken for the whole.
                Err(error) => assert!(matches!(error, usage::SyncError::Restless), "seed {seed}: {error}"),
            }
            // Rows arrive late, in every month.
            for more in 0..dice(seed, 500 + round as usize) % 5 {
                report.rows.lock().expect("rows").push(row(seed, 1_000 + 10 * round as usize + more));
            }
        }
    }
    assert!(settled > 170, "{settled} of 180 readings ended");
}

fn as_kept(row: &Value) -> (String, String, String, String) {
    let text = |name: &str| row[name].to_string().trim_matches('"').to_owned();
    (text("reportDate"), text("customerId"), text("uploadFlow"), text("downloadFlow"))
}

#[test]
fn rows_of_another_service_are_taken_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cache.db");
    let row: wire::usage::UsageRow = serde_json::from_str(&row(1, 1).to_string()).expect("a row");
    let store = Store::open(&file, "one").expect("a store");
    store.replace(ever(), &[row], &[]).expect("it is kept");
    drop(store);
    assert_eq!(Store::open(&file, "one").expect("a store").rows().expect("a count"), 1);
    assert_eq!(Store::open(&file, "another").expect("a store").rows().expect("a count"), 0);
}
