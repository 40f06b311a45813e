//! Knowing the vendor: learned by reading alone, told when it changes, kept for the next start.

use sandbox::{Capability as Offered, Fault, Options};
use serde_json::{Value, json};
use tests::agent::{Agent, code, page, seen_by_page};
use tests::service::{always, requests};
use till::Code;
use till::connections::{open_connection, replace_token, start_practice};
use till::health::{Capability, Finding, HealthView, Mood, check_vendor, vendor_changes_seen, vendor_health};

async fn id_of(agent: &Agent) -> String {
    till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open")
}

async fn checked(agent: &Agent) -> HealthView {
    check_vendor(&agent.till, id_of(agent).await).await.expect("it is checked")
}

fn finding(health: &HealthView, capability: Capability) -> Option<Finding> {
    health.capabilities.iter().find(|one| one.capability == capability).and_then(|one| one.finding)
}

fn findings(health: &HealthView) -> Vec<Option<Finding>> {
    health.capabilities.iter().map(|one| one.finding).collect()
}

/// Waits until the reads that begin with the connection have found this.
async fn found(agent: &Agent, capability: Capability, expected: Finding) -> HealthView {
    let id = id_of(agent).await;
    tests::until("it is found out", async || {
        let health = vendor_health(&agent.till, id.clone()).await.expect("a card");
        (finding(&health, capability) == Some(expected)).then_some(health)
    })
    .await
}

#[tokio::test]
async fn a_check_finds_everything_that_is_there_by_reading_alone() {
    let agent = Agent::connected().await;
    agent.buy().await;
    let wallet = agent.service.world.wallet().expect("a ledger");
    let payments = requests(&agent.service, "place-and-pay");
    let health = checked(&agent).await;
    assert_eq!(findings(&health), [Some(Finding::Present); 8], "{:?}", health.capabilities);
    assert_eq!((health.mood, health.reach.map(|reach| reach.reached)), (Mood::Good, Some(true)));
    let accepted = |token: Option<till::health::TokenSeen>| token.map(|seen| seen.accepted);
    assert_eq!((accepted(health.static_token), accepted(health.agent_token)), (Some(true), Some(true)));
    let clock = health.clock.expect("a time");
    assert!(clock.difference.abs() < 5_000 && seen_by_page(&clock)["source"] == "ping", "{clock:?}");
    let rows = health.page_size.expect("a page");
    assert!((rows.rows, rows.limited) == (60, false) && rows.asked >= 90, "{rows:?}");
    assert_eq!(agent.service.world.wallet().expect("a ledger"), wallet, "nothing was paid");
    assert_eq!(requests(&agent.service, "place-and-pay"), payments, "and nothing that pays was asked");
}

#[tokio::test]
async fn the_card_itself_asks_nothing_and_shows_what_other_reads_have_shown() {
    let agent = Agent::connected().await;
    let id = id_of(&agent).await;
    till::traffic::traffic_totals(&agent.till, ()).await.expect("totals");
    let health = tests::until("the sign is taken", async || {
        let health = vendor_health(&agent.till, id.clone()).await.expect("a card");
        health.agent_token.is_some().then_some(health)
    })
    .await;
    assert!(health.reach.expect("a sign").reached && health.latency.is_some());
    assert_eq!(requests(&agent.service, "customer/list"), 0, "nothing is asked for the length of a page");
    assert_eq!(code(vendor_health(&agent.till, "none".into()).await), Code::NoConnection);
}

#[tokio::test]
async fn what_is_absent_or_odd_is_hidden_and_what_fails_stays_unknown() {
    let agent =
        Agent::connected_to(Options { without: vec![Offered::Ping, Offered::Renewals], ..Options::default() }).await;
    agent.buy().await;
    agent.service.world.answer_whole_with("orders/status", json!({ "moved": true }));
    always(&agent.service, "ips/detail", Fault::DropBefore);
    always(&agent.service, "inventory/cidrs", Fault::Html);
    let health = checked(&agent).await;
    let of = |capability| finding(&health, capability).expect("it was tried");
    assert_eq!((of(Capability::Ping), of(Capability::Renewals)), (Finding::Absent, Finding::Absent));
    assert_eq!((of(Capability::OrderStatus), of(Capability::Segments)), (Finding::OtherShape, Finding::OtherShape));
    assert_eq!((of(Capability::IpList), of(Capability::IpDetail)), (Finding::Present, Finding::Unanswered));
    assert_eq!(seen_by_page(&health.clock)["source"], "answer", "without a ping, the time of any answer");
}

#[tokio::test]
async fn a_keyword_and_an_order_of_segments_that_the_vendor_ignores_are_not_offered() {
    let row =
        |cidr: &str, [available, price]: [i64; 2]| json!({ "cidr": cidr, "available": available, "unitPrice": price });
    for (what, [one, two]) in [("stock", [[1, 5], [2, 5]]), ("price", [[2, 5], [2, 4]])] {
        let agent = Agent::connected().await;
        let always_the_same = json!([row("203.0.113.0/24", one), row("198.51.100.0/24", two)]);
        agent.service.world.answer_whole_with("inventory/cidrs", always_the_same);
        let health = checked(&agent).await;
        let of = |capability| finding(&health, capability).expect("it was tried");
        assert_eq!(of(Capability::Segments), Finding::Present, "{what}");
        let ignored = [Capability::SegmentKeyword, Capability::SegmentSort].map(of);
        assert_eq!(ignored, [Finding::OtherShape; 2], "{what}");
    }
}

#[tokio::test]
async fn a_vendor_that_ignores_the_keyword_or_the_order_still_offers_the_other() {
    for (without, found) in [
        (vec![Offered::CidrKeyword], [Finding::OtherShape, Finding::Present]),
        (vec![Offered::CidrSort], [Finding::Present, Finding::OtherShape]),
        (vec![Offered::CidrKeyword, Offered::CidrSort], [Finding::OtherShape; 2]),
    ] {
        let agent = Agent::connected_to(Options { without: without.clone(), ..Options::default() }).await;
        let health = checked(&agent).await;
        let of = |capability| finding(&health, capability).expect("it was tried");
        assert_eq!(of(Capability::Segments), Finding::Present, "{without:?}");
        assert_eq!([Capability::SegmentKeyword, Capability::SegmentSort].map(of), found, "{without:?}");
    }
}

#[tokio::test]
async fn a_refused_token_is_no_absence_and_its_time_is_kept() {
    let agent = Agent::connected().await;
    agent.service.world.rotate_static_token("another");
    let health = checked(&agent).await;
    assert_eq!(health.mood, Mood::Bad);
    let refused = health.static_token.expect("it was asked");
    assert!(!refused.accepted);
    let ips = finding(&health, Capability::IpList);
    assert!(ips != Some(Finding::Absent) && ips != Some(Finding::OtherShape), "{ips:?}");
    let again = checked(&agent).await.static_token.expect("it was asked");
    assert_eq!(again.since, refused.since, "since when it is refused");
    let new = page(json!({ "area": "static", "token": "another" }));
    replace_token(&agent.till, new).await.expect("it is taken");
    let health = checked(&agent).await;
    assert!(health.static_token.expect("it was asked").accepted && health.mood == Mood::Good, "{:?}", health.mood);
}

#[tokio::test]
async fn the_vendor_is_probed_once_a_day_and_an_order_makes_its_status_worth_a_try() {
    let agent = Agent::connected().await;
    let id = id_of(&agent).await;
    let health = found(&agent, Capability::IpList, Finding::Present).await;
    assert_eq!(finding(&health, Capability::OrderStatus), Some(Finding::Untried));
    agent.buy().await;
    open_connection(&agent.till, id).await.expect("it opens again");
    found(&agent, Capability::OrderStatus, Finding::Present).await;
    found(&agent, Capability::Renewals, Finding::Present).await;
    assert_eq!((requests(&agent.service, "main/ping"), requests(&agent.service, "cidrs")), (1, 3));
}

#[tokio::test]
async fn a_learned_value_that_changes_is_told_until_it_is_read_even_by_the_next_start() {
    let mut agent = Agent::connected().await;
    agent.buy().await;
    checked(&agent).await;
    agent.service.world.offer(Offered::Renewals, false);
    always(&agent.service, "customer/list", Fault::PagesOfTen);
    checked(&agent).await;
    assert!(agent.host.heard("vendor-changed") > 0);
    let id = id_of(&agent).await;
    agent.start_again();
    let told = seen_by_page(&vendor_health(&agent.till, id.clone()).await.expect("a card"));
    let what: Vec<Value> =
        told["changes"].as_array().expect("a list").iter().map(|one| one["changed"].clone()).collect();
    assert_eq!(what, [json!({ "what": "capability", "capability": "renewals", "from": "present", "to": "absent" })]);
    assert_eq!((&told["mood"], &told["pageSize"]["rows"]), (&json!("look"), &json!(10)));
    let after = vendor_changes_seen(&agent.till, id.clone()).await.expect("it is read");
    assert!(after.changes.is_empty());
    assert!(vendor_health(&agent.till, id).await.expect("a card").changes.is_empty());
}

#[tokio::test]
async fn a_limit_of_rows_that_goes_is_a_change() {
    let agent = Agent::connected().await;
    always(&agent.service, "customer/list", Fault::PagesOfTen);
    assert!(checked(&agent).await.page_size.expect("a page").limited);
    agent.service.world.clear_faults();
    let health = checked(&agent).await;
    let changed = seen_by_page(&health.changes[0].changed);
    assert_eq!(changed, json!({ "what": "page-size", "from": 10, "to": 60 }));
}

#[tokio::test]
async fn a_connection_that_is_not_open_has_a_card_and_can_be_checked() {
    let agent = Agent::new().await;
    let saved = agent.connect().await;
    let before = vendor_health(&agent.till, saved.id.clone()).await.expect("a card");
    assert_eq!((before.mood, findings(&before)), (Mood::Unknown, vec![None; 8]));
    let health = check_vendor(&agent.till, saved.id.clone()).await.expect("it is checked");
    assert_eq!(health.mood, Mood::Good);
    assert_eq!(finding(&health, Capability::Segments), Some(Finding::Present));
    assert!(till::start::boot(&agent.till, "en".into()).await.is_ok());
    assert_eq!(vendor_health(&agent.till, saved.id).await.expect("a card").mood, Mood::Good, "it is kept");
}

#[tokio::test]
async fn practice_has_a_card_and_its_own_clock_worries_nobody() {
    let agent = Agent::new().await;
    start_practice(&agent.till, ()).await.expect("practice");
    till::practice::practice_set_speed(&agent.till, 60).await.expect("it runs");
    let health = check_vendor(&agent.till, "practice".into()).await.expect("it is checked");
    assert_eq!((health.mood, health.zone, health.zone_seen), (Mood::Good, 480, None));
}

#[tokio::test]
async fn an_order_shows_the_zone_of_the_vendors_times() {
    let agent = Agent::connected().await;
    let order = agent.buy().await.order.expect("an order").order_no;
    till::orders::order_detail(&agent.till, order.clone()).await.expect("it is read");
    let health = vendor_health(&agent.till, id_of(&agent).await).await.expect("a card");
    let zone = health.zone_seen.expect("an order was placed here");
    assert_eq!((zone.minutes, zone.order_no), (480, order));
}
