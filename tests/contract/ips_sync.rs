//! The vendor's list of IPs, read into the store: in pages, resumed, complete or an error.

use std::sync::Arc;

use client::Error;
use sandbox::{Fault, FaultRule, Service};
use serde_json::json;
use tests::caller::Caller;
use tests::foreign::Foreign;
use tests::service::{client, requests};
use tests::wall;
use usage::sync::SyncError;
use usage::{IpsPlan, Store, sync_ips};
use vendor::{Actor, Choices, Command, FOUR_IN_JAPAN};

fn store(folder: &tempfile::TempDir) -> Arc<Store> {
    Arc::new(Store::open(&folder.path().join("cache.db"), "me").expect("a store"))
}

fn plan(page_size: u32, parallel: usize) -> IpsPlan {
    IpsPlan { parallel, page_size, pauses: Vec::new() }
}

async fn with_ips(count: i64) -> Caller {
    let caller = Caller::new().await;
    let lines = json!([{"type": "country_random", "quantity": count, "countryCode": "US"}]);
    let order = caller.order_for(json!({"purchaseIpCount": count, "quotaItems": lines})).await;
    caller.place(&order, Some("k")).await.data();
    caller
}

fn asked(service: &Service) -> usize {
    requests(service, "ips/page")
}

fn refuse_after(service: &Service, good: u32, fault: Fault) {
    // A delay of no time is no fault: it only lets some requests pass.
    let rule = |fault, times| FaultRule { endpoint: "ips/page".into(), fault, times };
    service.world.add_fault(rule(Fault::Delay { ms: 0 }, good));
    service.world.add_fault(rule(fault, 1));
}

#[tokio::test]
async fn the_whole_list_is_read_in_pages_and_kept_for_the_next_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let caller = with_ips(50).await;
    let reads = client(&caller.service);
    sync_ips(&store(&folder), &reads, wall, &plan(8, 4)).await.expect("it is read");
    assert_eq!(asked(&caller.service), 7);
    let list = store(&folder).vendor_ips().expect("a list");
    assert_eq!((list.rows.len(), list.unreadable, list.read_at.is_some()), (50, 0, true));
    let bytes: Vec<u8> =
        tests::files(folder.path()).iter().flat_map(|file| std::fs::read(file).expect("a file")).collect();
    let detail = reads.call(client::ips::detail(&list.rows[0].ip.id)).await.expect("an IP").data.proxy;
    let holds = |text: &str| memchr::memmem::find(&bytes, text.as_bytes()).is_some();
    assert!(holds(&detail.host) && !holds(&detail.password) && !holds(&detail.user), "no credentials on disk");
}

#[tokio::test]
async fn a_refusal_ends_the_reading_and_the_next_one_goes_on_where_it_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let caller = with_ips(50).await;
    let (store, reads) = (store(&folder), client(&caller.service));
    refuse_after(&caller.service, 3, Fault::Refuse { code: None });
    let refused = sync_ips(&store, &reads, wall, &plan(10, 1)).await;
    assert!(matches!(refused, Err(SyncError::Vendor(Error::Refused(_)))));
    assert_eq!((asked(&caller.service), store.vendor_ips().expect("a list").rows.len()), (4, 30));
    assert_eq!(store.vendor_ips().expect("a list").read_at, None, "a part is not the whole");
    sync_ips(&store, &reads, wall, &plan(10, 1)).await.expect("it is read");
    assert_eq!(asked(&caller.service), 4 + 1 + 2, "the first page for the total, and the two that were missing");
    assert_eq!(store.vendor_ips().expect("a list").rows.len(), 50);
}

#[tokio::test]
async fn what_is_no_longer_listed_goes_once_a_reading_is_whole_and_what_is_new_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let caller = with_ips(5).await;
    let (store, reads) = (store(&folder), client(&caller.service));
    let clock = std::sync::atomic::AtomicI64::new(1_000);
    let now = || clock.fetch_add(10, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(store.ips_new_since(5_000).expect("an answer"), None, "nothing was read before");
    sync_ips(&store, &reads, now, &plan(100, 4)).await.expect("it is read");
    let order = caller.order_for(json!({})).await;
    caller.place(&order, Some("later")).await.data();
    sync_ips(&store, &reads, now, &plan(100, 4)).await.expect("it is read");
    let new = store.ips_new_since(1_015).expect("an answer").expect("a reading ended before");
    assert_eq!((new.rows.len(), new.since), (3, 1_000));
    assert_eq!(store.ips_new_since(1_005).expect("an answer"), None, "the first one had not ended");
    assert_eq!(store.ips_new_since(9_999).expect("an answer").expect("two").rows.len(), 0);
    let fault = FaultRule { endpoint: "ips/page".into(), fault: Fault::DropBefore, times: 1 };
    caller.service.world.reset(1).expect("a new world");
    caller.service.world.add_fault(fault);
    sync_ips(&store, &reads, now, &plan(100, 4)).await.expect_err("nothing answers");
    assert_eq!(store.vendor_ips().expect("a list").rows.len(), 8, "what failed removes nothing");
    sync_ips(&store, &reads, now, &plan(100, 4)).await.expect("it is read");
    assert_eq!(store.vendor_ips().expect("a list").rows, []);
}

#[tokio::test]
async fn too_many_requests_and_a_slow_server_are_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let caller = with_ips(20).await;
    let (store, reads) = (store(&folder), client(&caller.service));
    refuse_after(&caller.service, 1, Fault::Busy { retry_after: None });
    refuse_after(&caller.service, 0, Fault::Status { code: 503 });
    let patient = IpsPlan { pauses: vec![std::time::Duration::from_millis(1); 3], ..plan(10, 1) };
    sync_ips(&store, &reads, wall, &patient).await.expect("it is read");
    assert_eq!(store.vendor_ips().expect("a list").rows.len(), 20);
}

#[tokio::test]
async fn a_list_that_never_fits_its_total_is_an_error_and_not_taken_for_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let caller = with_ips(4).await;
    let (store, reads) = (store(&folder), client(&caller.service));
    let same = json!({"id": "1", "proxyIp": "192.0.2.1"});
    caller.service.world.answer_whole_with("ips/page", json!({"total": 2, "results": [same, same]}));
    let restless = sync_ips(&store, &reads, wall, &plan(10, 1)).await;
    assert!(matches!(restless, Err(SyncError::Restless)));
    assert_eq!(store.vendor_ips().expect("a list").read_at, None);
}

#[tokio::test]
async fn a_list_whose_rows_have_neither_id_nor_port_is_read_whole_and_nothing_is_new_the_next_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let caller = with_ips(4).await;
    let (store, reads) = (store(&folder), client(&caller.service));
    let row = |ip: &str, expires: &str| json!({"proxyIp": ip, "expireTime": expires});
    let (may, june) = ("2027-05-01 00:00:00", "2027-06-01 00:00:00");
    let list = |rows: serde_json::Value| {
        let total = rows.as_array().map(Vec::len);
        caller.service.world.answer_whole_with("ips/page", json!({"total": total, "results": rows}));
    };
    // Two rows of one address, and two that are equal.
    let rows = [row("192.0.2.1", may), row("192.0.2.1", june), row("192.0.2.2", may), row("192.0.2.2", may)];
    list(json!(rows));
    sync_ips(&store, &reads, wall, &plan(100, 1)).await.expect("it is read");
    assert_eq!(asked(&caller.service), 2, "equal rows are read once more");
    let first = store.vendor_ips().expect("a list");
    assert_eq!((first.rows.len(), first.read_at.is_some()), (4, true));
    let moment = wall() + 1;
    tests::until("the clock goes on", async || (wall() > moment).then_some(())).await;
    // One is renewed, and one is new.
    list(json!([row("192.0.2.3", may), rows[2], rows[3], row("192.0.2.1", "2027-08-01 00:00:00"), rows[1]]));
    sync_ips(&store, &reads, wall, &plan(100, 1)).await.expect("it is read");
    assert_eq!(asked(&caller.service), 3);
    let new = store.ips_new_since(moment).expect("an answer").expect("a reading ended before");
    assert_eq!(new.rows.iter().map(|row| row.ip.host.as_str()).collect::<Vec<_>>(), ["192.0.2.3"]);
}

#[tokio::test]
async fn the_short_pages_of_the_second_service_fit_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let choices = Choices::named("own").expect("a preset");
    let clock = vendor::stepping_clock(choices.start.founded_ms + 6 * 86_400_000, 6_000);
    let service = Foreign::new(choices, clock).await;
    for _ in 0..6 {
        let config = serde_json::value::RawValue::from_string(FOUR_IN_JAPAN.into()).expect("JSON");
        let price = service.read(|| client::purchase::quote(&config, None)).await;
        let now = service.vendor.seen().last().expect("a request").at_ms;
        let order = Command::Order { quote: price.quote_id.as_str().into(), key: None };
        service.vendor.act(&Actor::colleague(), &order, now).expect("an order");
    }
    let now = service.vendor.seen().last().expect("a request").at_ms;
    service.vendor.settle(now + 90_000);
    let store = store(&folder);
    sync_ips(&store, &service.client(), wall, &IpsPlan { pauses: Vec::new(), ..IpsPlan::default() })
        .await
        .expect("it is read");
    let list = store.vendor_ips().expect("a list");
    assert_eq!((list.rows.len(), list.rows[23].ip.port), (24, Some(20_003)), "in the vendor's order");
}
