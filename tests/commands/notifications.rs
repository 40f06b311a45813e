//! Notifications of the IPs that run out.

use sandbox::Fault;
use tests::agent::{Agent, page};
use tests::service::{always, requests};
use till::connections::{open_connection, save_connection};
use till::goods::read_goods;
use till::settings::save_settings;

const DETAIL: &str = "orders/detail";
const DAY: i64 = 86_400_000;
/// The first and the last zone, in minutes: 26 hours apart, so that never both have the same day.
const ZONES: [i32; 2] = [-720, 840];

#[tokio::test]
async fn what_runs_out_is_told_with_its_number() {
    let agent = Agent::connected().await;
    let mut settings = tests::agent::settings(None, None, None);
    settings.notifications.ends = Some(30);
    save_settings(&agent.till, settings).await.expect("they are saved");
    // Nobody has opened the order: its proxies are read so that they can be counted.
    agent.buy().await;
    tests::until_at_last("it is told", async || (!agent.host.notifications().is_empty()).then_some(())).await;
    assert_eq!(
        agent.host.notifications(),
        [["IPs expire soon", "Within 30 days: 3. Open My IPs to see whose they are."]]
    );
}

#[tokio::test]
async fn a_vendor_that_refuses_every_order_is_not_asked_for_each_of_them() {
    let agent = Agent::connected().await;
    let mut settings = tests::agent::settings(None, None, None);
    settings.notifications.ends = Some(30);
    save_settings(&agent.till, settings).await.expect("they are saved");
    agent.buy().await;
    read_goods(&agent.till, false).await.expect("it is read");
    always(&agent.service, DETAIL, Fault::Refuse { code: Some("60301".into()) });
    let before = requests(&agent.service, DETAIL);
    for _ in 0..7 {
        agent.buy().await;
    }
    // The IPs are counted after the background has read what it can.
    tests::until_at_last("it is told", async || (said(&agent, "IPs expire soon") > 0).then_some(())).await;
    assert_eq!(requests(&agent.service, DETAIL) - before, 5);
}

#[tokio::test]
async fn what_runs_out_is_told_again_on_another_day_of_the_vendor_and_not_after_a_start() {
    let mut agent = Agent::new().await;
    agent.service.world.clock.advance(-4 * DAY);
    let mut settings = tests::agent::settings(None, None, None);
    settings.notifications.ends = Some(30);
    // Traffic is always low, which every start says anew: then the IPs had their turn too.
    settings.notifications.low_traffic = Some("900000000".parse().expect("an amount"));
    save_settings(&agent.till, settings).await.expect("they are saved");
    let mut id = None;
    for (zone, times) in [(ZONES[0], 1), (ZONES[0], 1), (ZONES[1], 2)] {
        let mut connection = agent.draft();
        (connection["id"], connection["timeZone"]) = (id.into(), zone.into());
        let saved = save_connection(&agent.till, page(connection)).await.expect("a connection").id;
        open_connection(&agent.till, saved.clone()).await.expect("it opens");
        let before = said(&agent, "Traffic is running low");
        agent.buy().await;
        tests::until_at_last("both are told", async || {
            let is_low = said(&agent, "Traffic is running low") > before;
            (is_low && said(&agent, "IPs expire soon") >= times).then_some(())
        })
        .await;
        assert_eq!(said(&agent, "IPs expire soon"), times, "in the zone {zone}");
        agent.start_again();
        id = Some(saved);
    }
    assert_eq!(said(&agent, "IPs expire soon"), 2);
}

fn said(agent: &Agent, title: &str) -> usize {
    agent.host.notifications().iter().filter(|said| said[0] == title).count()
}
