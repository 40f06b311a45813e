//! The tasks of the host, and calls that a person stops waiting for.

use sandbox::Fault;
use tests::agent::{Agent, LONG, code};
use tests::service::always;
use tests::until;
use till::Code;
use till::calls::{stop_call, stop_waits};
use till::clipboard::copy_text;
use till::host::{perf_mark, set_zoom};
use till::licences::notices;
use till::traffic::traffic_totals;

#[tokio::test]
async fn marks_zoom_and_copies_reach_the_host() {
    let agent = Agent::new().await;
    perf_mark(&agent.till, "ready".into()).await.expect("it is noted");
    assert_eq!(agent.host.marks(), ["ready"]);
    for (asked, shown) in [(125, 125), (5, 50), (1000, 200)] {
        set_zoom(&agent.till, asked).await.expect("it is shown");
        assert_eq!(agent.host.shown_in().1, Some(shown));
    }
    copy_text(&agent.till, "an address".into()).await.expect("it is copied");
    assert_eq!(agent.host.clipboard(), (Some("an address".into()), false));
}

#[tokio::test]
async fn the_licences_are_carried_along() {
    let agent = Agent::new().await;
    let text = notices(&agent.till, ()).await.expect("a text");
    assert!(text.contains("MIT") && text.contains("Apache") && text.contains("rusqlite"), "{} bytes", text.len());
}

#[tokio::test]
async fn a_call_that_is_stopped_ends_at_once_and_others_go_on() {
    let agent = Agent::connected().await;
    always(&agent.service, "getFlowTotalFull", Fault::Delay { ms: LONG.as_millis() as u64 });
    let till = agent.till.clone();
    let call = tokio::spawn(async move { till.call(Some(7), traffic_totals(&till, ())).await });
    until("it is under way", async || (tests::service::requests(&agent.service, "getFlowTotalFull") > 0).then_some(()))
        .await;
    let begun = std::time::Instant::now();
    agent.till.call(Some(8), stop_call(&agent.till, 7)).await.expect("it is stopped");
    assert_eq!(code(call.await.expect("it ends")), Code::GivenUp);
    assert!(begun.elapsed() < LONG / 2);
}

#[tokio::test]
async fn a_wait_that_the_vendor_asks_for_is_reported_and_can_be_ended() {
    let agent = Agent::connected().await;
    always(&agent.service, "getFlowTotalFull", Fault::Busy { retry_after: Some(1000) });
    let till = agent.till.clone();
    let call = tokio::spawn(async move { traffic_totals(&till, ()).await });
    until("the page hears of it", async || (agent.host.heard("reads-waiting") > 0).then_some(())).await;
    stop_waits(&agent.till, ()).await.expect("they are ended");
    assert_eq!(code(call.await.expect("it ends")), Code::TooManyRequests);
    until("the page hears that none waits", async || {
        let (name, left) = agent.host.events().pop()?;
        (name == "reads-waiting" && left.is_null()).then_some(())
    })
    .await;
}
