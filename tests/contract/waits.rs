//! Reads from a vendor that asks to wait, and writes, which are never repeated.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use client::customers::ListQuery;
use client::money::MoneySender;
use client::traffic::{RecordType, RecordsQuery};
use client::{Client, Error, Patience, Pauses, Waits};
use sandbox::Fault;
use tests::service::{self, SAME};
use wire::ids::CustomerId;

fn list() -> client::Call<wire::customers::Page<wire::customers::Customer>> {
    client::customers::list(&ListQuery::default())
}

#[tokio::test]
async fn a_read_that_is_told_too_many_requests_is_asked_again_until_it_is_answered() {
    let service = service::start().await;
    for fault in [Fault::Busy { retry_after: None }, Fault::Status { code: 429 }, refused("429")] {
        let before = service::requests(&service, "customer/list");
        for _ in 0..3 {
            service::fault(&service, "customer/list", fault.clone());
        }
        let page = service::client(&service).call(list()).await.expect("it is answered").data;
        assert_eq!((page.total, service::requests(&service, "customer/list") - before), (60, 4), "{fault:?}");
    }
    service::fault(&service, "purchase/options", Fault::Busy { retry_after: None });
    service::client(&service).call(client::purchase::options()).await.expect("the other area too");
}

fn refused(code: &str) -> Fault {
    Fault::Refuse { code: Some(code.into()) }
}

#[tokio::test]
async fn a_time_that_the_service_names_is_shown_and_a_person_may_stop_the_wait() {
    let service = service::start().await;
    service::always(&service, "customer/list", Fault::Busy { retry_after: Some(30) });
    let waits = Waits::default();
    let account = Arc::new(service::account(&service.base_url()));
    let client = Client::new(account, Patience::default()).expect("a client").shown_by(waits.clone());
    let mut soonest = waits.soonest();
    assert_eq!(*soonest.borrow_and_update(), None);
    let reading = tokio::spawn(async move { client.call(list()).await.map(|_| ()) });
    soonest.changed().await.expect("it waits");
    let end = soonest.borrow_and_update().expect("a time");
    let left = end.saturating_duration_since(Instant::now());
    assert!((25..=30).contains(&left.as_secs()), "{left:?}");
    waits.stop();
    let stopped = reading.await.expect("it ends").expect_err("the vendor's refusal");
    assert!(stopped.asks_to_wait() && matches!(stopped, Error::Refused(_)), "{stopped:?}");
    assert_eq!((service::requests(&service, "customer/list"), *soonest.borrow_and_update()), (1, None));
}

#[tokio::test]
async fn a_read_that_is_refused_for_ever_ends_with_the_refusal_when_its_patience_ends() {
    let service = service::start().await;
    service::always(&service, "customer/list", Fault::Busy { retry_after: None });
    let refused = service::client(&service).call(list()).await.expect_err("a refusal");
    assert!(refused.asks_to_wait());
    let asked = service::requests(&service, "customer/list");
    assert_eq!(asked, 11, "after 1, 2, 4, 8, 8, 8, 8, 8, 8 and 5 units");
}

#[tokio::test]
async fn the_same_request_is_asked_again_when_its_time_is_over() {
    let service = service::start().await;
    service::always(&service, "", Fault::SameGetRefused { ms: 1_400 });
    let patience = Patience { pauses: Pauses::of(Duration::from_millis(250)), ..Patience::default() };
    let client = Client::new(Arc::new(service::account(&service.base_url())), patience).expect("a client");
    let totals = async || client.call(client::traffic::totals()).await;
    for _ in 0..2 {
        totals().await.expect("it is answered");
    }
    assert_eq!(service::requests(&service, "getFlowTotalFull"), 3, "the second is refused once");
    // A real refusal stays one.
    service::always(&service, "getFlowTotalFull", refused("500"));
    let meant = totals().await.expect_err("a refusal");
    assert!(matches!(meant, Error::Refused(_)), "{meant:?}");
}

#[tokio::test]
async fn a_token_that_is_turned_away_is_not_asked_again() {
    let service = service::start().await;
    let client = service::client(&service);
    client.call(list()).await.expect("it is answered");
    service.world.rotate_agent_token("another");
    let turned_away = client.call(list()).await.expect_err("a refusal");
    assert!(matches!(turned_away, Error::NotAuthenticated(_)), "{turned_away:?}");
    assert_eq!(service::requests(&service, "customer/list"), 2);
}

#[tokio::test]
async fn at_most_four_reads_are_under_way_at_once() {
    const NOTHING: &str = r#"{"code":200,"msg":"","data":{"total":0,"rows":[]}}"#;
    let (arrived, (open, opened)) = (Arc::new(AtomicUsize::new(0)), tokio::sync::watch::channel(false));
    let count = arrived.clone();
    let answer = async move || {
        count.fetch_add(1, Ordering::SeqCst);
        let _ = opened.clone().wait_for(|open| *open).await;
        NOTHING
    };
    let router = Router::new().route("/prod-api/open/customer/list", get(answer));
    let base = service::serve(router.route("/prod-api/api/agent/getFlowTotalFull", get(async || NOTHING))).await;
    let client = || Client::new(Arc::new(service::account(&base)), Patience::default()).expect("a client");
    let (reader, other) = (client(), client());
    let reads = (0..20).map(|_| reader.clone()).map(|client| tokio::spawn(async move { client.call(list()).await }));
    let reads: Vec<_> = reads.collect();
    let four = async || (arrived.load(Ordering::SeqCst) >= 4).then_some(());
    tests::until("four of them arrive", four).await;
    // Anything else that was sent would arrive before these are answered.
    for _ in 0..20 {
        other.call(client::traffic::totals()).await.expect("another account is not held up");
    }
    assert_eq!(arrived.load(Ordering::SeqCst), 4);
    open.send(true).expect("they listen");
    for read in reads {
        read.await.expect("it ends").expect("it is answered");
    }
    assert_eq!(arrived.load(Ordering::SeqCst), 20);
}

#[tokio::test]
async fn a_strict_service_tells_every_row_of_every_list_once() {
    let service = service::start_with(sandbox::Options { speed: 0.0, ..sandbox::Options::default() }).await;
    let plain = service::client(&service);
    let given = |page, page_size| {
        client::traffic::records_given(RecordType::Recharge, &RecordsQuery { page, page_size, ..Default::default() })
    };
    let customers = client::customers::all(&plain, None).await.expect("a list");
    let records = plain.call(given(1, 1000)).await.expect("a list").data.rows;
    assert!(customers.len() == 60 && records.len() > 100);
    service::be_strict(&service, SAME);
    for _ in 0..3 {
        let client = service::client(&service);
        assert_eq!(client::customers::all(&client, None).await.expect("the list"), customers);
        assert_eq!(client::customers::all(&client, None).await.expect("the list, at once again"), customers);
        let mut seen = Vec::new();
        let keep = |row| seen.push(row);
        assert!(client::pages::each(&client, 100, given, keep).await.expect("the ledger"));
        assert_eq!(seen, records);
        // As when a person turns the pages, fifty rows at a time.
        let mut seen = Vec::new();
        for page in 0..records.len().div_ceil(50) {
            let part = client::pages::part(&client, page as u64 * 50, 50, given).await.expect("a page");
            assert_eq!(part.total, records.len() as i64);
            seen.extend(part.rows);
        }
        assert_eq!(seen, records);
    }
}

#[tokio::test]
async fn a_list_whose_pages_do_not_fit_together_is_an_error_and_no_shorter_list() {
    let service = service::start().await;
    service::always(&service, "customer/list", Fault::Short);
    let client = service::client(&service);
    let all = client::customers::all(&client, None).await;
    assert_eq!(all.expect_err("one customer is missing"), Error::Restless);
}

#[tokio::test]
async fn a_write_that_is_told_to_wait_is_sent_once() {
    let service = service::start().await;
    service::always(&service, "rechargeTrafficCount", Fault::Busy { retry_after: Some(1) });
    let patience = Patience { pauses: Pauses::of(Duration::from_millis(1)), ..Patience::default() };
    let sender = MoneySender::new(Arc::new(service::account(&service.base_url())), patience).expect("a sender");
    let request = client::traffic::recharge(&CustomerId::new("100001"), "o-1", "1");
    for _ in 0..2 {
        sender.write(&request, None).await.expect_err("a refusal");
    }
    assert_eq!(service::requests(&service, "rechargeTrafficCount"), 2);
}

#[tokio::test]
async fn a_write_waits_for_a_late_head_as_long_as_for_the_whole() {
    let service = service::start().await;
    service::always(&service, "deductionFlow", Fault::Delay { ms: 400 });
    service::always(&service, "customer/list", Fault::Delay { ms: 400 });
    let patience = Patience { read: Duration::from_millis(100), ..Patience::default() };
    let account = Arc::new(service::account(&service.base_url()));
    let sender = MoneySender::new(account.clone(), patience).expect("a sender");
    let request = client::traffic::deduct(&CustomerId::new("100001"), "0.5");
    sender.write(&request, None).await.expect("its answer is late, and an answer");
    let read = Client::new(account, patience).expect("a client").call(list()).await;
    assert_eq!(read.expect_err("nobody waits so long for a read"), Error::OutcomeUnknown(client::Lost::TimedOut));
}
