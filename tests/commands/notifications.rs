//! Notifications: IPs that run out, questions, the end of a bulk.

use operations::{BulkId, State};
use sandbox::{Fault, Options};
use serde_json::json;
use tests::agent::{Agent, page};
use tests::service::{always, fault, requests};
use till::accounts::{confirm_change, offer_change};
use till::bulk::{act_on_bulk, confirm_bulk, list_bulks, offer_bulk};
use till::bulk_draft::draft_bulk;
use till::connections::{open_connection, save_connection};
use till::customers::read_customers;
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

/// An order lasts thirty days.
#[tokio::test]
async fn only_what_runs_out_within_the_days_that_are_set_is_told() {
    let agent = Agent::connected().await;
    let mut settings = tests::agent::settings(None, None, None);
    settings.notifications.ends = Some(7);
    // Traffic is always low, and said after the IPs were counted.
    settings.notifications.low_traffic = Some("900000000".parse().expect("an amount"));
    save_settings(&agent.till, settings).await.expect("they are saved");
    agent.service.world.clock.advance(-24 * DAY);
    agent.buy().await;
    agent.service.world.clock.advance(24 * DAY);
    agent.buy().await;
    tests::until_at_last("it is told", async || (said(&agent, "IPs expire soon") > 0).then_some(())).await;
    let told = agent.host.notifications().into_iter().find(|[title, _]| title == "IPs expire soon").expect("it");
    assert_eq!(told[1], "Within 7 days: 3. Open My IPs to see whose they are.");
}

#[tokio::test]
async fn ips_that_were_bought_elsewhere_are_told_as_well() {
    let agent = Agent::new().await;
    let mut settings = tests::agent::settings(None, None, None);
    settings.notifications.ends = Some(30);
    save_settings(&agent.till, settings).await.expect("they are saved");
    tests::agent::buy_elsewhere(&agent.service.base_url()).await;
    let connection = agent.connect().await;
    open_connection(&agent.till, connection.id).await.expect("it opens");
    tests::until_at_last("it is told", async || (said(&agent, "IPs expire soon") > 0).then_some(())).await;
    assert_eq!(agent.host.notifications()[0][1], "Within 30 days: 3. Open My IPs to see whose they are.");
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
    // Traffic is always low, and every start says so again: by then the IPs have been checked too.
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

/// An agent whose bulk can begin, with its token.
async fn with_bulk(kind: &str, lines: String) -> (Agent, String) {
    let agent = Agent::connected_to(Options { customers: 400, ..Options::default() }).await;
    read_customers(&agent.till, true).await.expect("a list");
    let bulk = json!({ "kind": kind, "active": false, "source": { "from": "text", "text": lines } });
    let draft = draft_bulk(&agent.till, page(bulk)).await.expect("a draft").draft;
    let token = offer_bulk(&agent.till, draft).await.expect("an offer").token;
    (agent, token)
}

async fn begin(agent: &Agent, token: &str) -> BulkId {
    let confirmed = json!({ "token": token, "typed": "" });
    confirm_bulk(&agent.till, page(confirmed)).await.expect("it begins").id
}

#[tokio::test]
async fn a_question_that_arises_during_a_bulk_of_hundreds_is_told() {
    let lines: String = (0..300).map(|row| format!("{}\n", 100_002 + row)).collect();
    let (agent, token) = with_bulk("status", lines).await;
    let single = json!({ "change": "password", "customerId": "100001", "password": "another-one" });
    let single = offer_change(&agent.till, page(single)).await.expect("an offer");
    // What was sent elsewhere has to be replaced by another value.
    fault(&agent.service, "updatePwd", Fault::Redirect);
    begin(&agent, &token).await;
    let confirmed = confirm_change(&agent.till, page(json!({ "token": single.token, "anyway": false }))).await;
    assert_eq!(confirmed.expect("it is sent").state, State::NeedsYou);
    let all = ["Your decision is needed", "Bulk action finished"];
    tests::until_at_last("both are told", async || all.iter().all(|one| said(&agent, one) == 1).then_some(())).await;
}

#[tokio::test]
async fn a_bulk_that_stops_by_itself_is_told_and_again_when_it_stops_again() {
    let lines = (0..40).map(|row| format!("{} password-{row:03}\n", 100_002 + row)).collect();
    let (agent, token) = with_bulk("password", lines).await;
    for times in 1..=2 {
        // Secrets that were sent elsewhere stop a bulk.
        fault(&agent.service, "updatePwd", Fault::Redirect);
        if times == 1 {
            begin(&agent, &token).await;
        } else {
            let id = list_bulks(&agent.till, ()).await.expect("bulks")[0].id.clone();
            act_on_bulk(&agent.till, page(json!({ "id": id, "act": "resume" }))).await.expect("it goes on");
        }
        tests::until_at_last("it is told", async || (said(&agent, "Bulk action paused") == times).then_some(())).await;
    }
    let bodies: Vec<String> = agent.host.notifications().into_iter().map(|[_, body]| body).collect();
    assert!(bodies.iter().all(|body| body.contains(" of 40 rows were sent. ")), "{bodies:?}");
    assert!(bodies[1].ends_with("\nNot confirmed: 2. Check them there."), "{bodies:?}");
    assert_eq!(said(&agent, "Your decision is needed"), 0, "rows are told with their bulk");
}

fn said(agent: &Agent, title: &str) -> usize {
    agent.host.notifications().iter().filter(|said| said[0] == title).count()
}
