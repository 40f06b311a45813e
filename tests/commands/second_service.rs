//! The agent at the second service, which answers in other legal ways than the practice service.

use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::agent::{draft, open_in, page};
use tests::foreign::Foreign;
use tests::host::TestHost;
use till::Till;
use till::connections::{open_connection, save_connection};
use till::traffic::{all_records, customer_records, traffic_consumption, traffic_records};
use vendor::Choices;
use wire::traffic::TrafficRecord;

/// A till with an open connection to the service, whose requests are six seconds apart.
async fn at(mut choices: Choices) -> (Arc<Till>, Foreign, TempDir) {
    choices.manners.live_use = None;
    let clock = vendor::stepping_clock(choices.start.founded_ms + 6 * 86_400_000, 6_000);
    let service = Foreign::new(choices, clock).await;
    let folder = tempfile::tempdir().expect("a folder");
    let till = open_in(folder.path(), &TestHost::saving_in(folder.path()));
    let who = service.vendor.choices().start;
    let mut connection = draft(&service.base());
    connection["userId"] = who.developer.into();
    connection["staticToken"] = who.developer_token.into();
    connection["agentToken"] = who.agent_token.into();
    let saved = save_connection(&till, page(connection)).await.expect("a connection");
    open_connection(&till, saved.id).await.expect("it opens");
    (till, service, folder)
}

fn consumed(page: u32) -> Value {
    json!({ "list": "consumed", "account": "", "from": null, "to": null, "page": page })
}

fn times(rows: &[TrafficRecord]) -> Vec<&str> {
    rows.iter().map(|row| &*row.create_time).collect()
}

#[tokio::test]
async fn records_are_newest_first_whichever_way_the_vendor_lists_them() {
    for newest_first in [false, true] {
        let mut choices = Choices::default();
        choices.lists.newest_first = newest_first;
        let (till, _service, _folder) = at(choices).await;
        let all = all_records(&till, page(consumed(1))).await.expect("records");
        assert!(times(&all).is_sorted_by(|one, other| one >= other), "{newest_first}");
        assert!(all.len() > 50 && all.first().map(|row| &row.create_time) > all.last().map(|row| &row.create_time));
        let (mut turned, mut number) = (Vec::new(), 0);
        while turned.len() < all.len() {
            number += 1;
            let part = traffic_records(&till, page(consumed(number))).await.expect("a page");
            assert!(!part.rows.is_empty() && part.total as usize == all.len());
            turned.extend(part.rows);
        }
        assert_eq!(turned, all, "{newest_first}");
        for one in &all {
            let asked = json!({ "customerId": one.customer_id, "account": one.account });
            let own = customer_records(&till, page(asked)).await.expect("records");
            assert!(own.iter().all(|row| row.customer_id == one.customer_id) && own.len() <= 20);
            assert!(times(&own).is_sorted_by(|one, other| one >= other), "{:?}", times(&own));
            let newest = all.iter().find(|row| row.customer_id == one.customer_id).expect("its own");
            assert!(own.first().is_some_and(|first| first.create_time >= newest.create_time), "{newest:?}");
        }
    }
}

#[tokio::test]
async fn the_days_of_consumption_are_days_however_the_vendor_writes_them() {
    for name in Choices::NAMES {
        let (till, _service, _folder) = at(Choices::named(name).expect("a preset")).await;
        for nni in [false, true] {
            let asked = json!({ "nni": nni, "from": null, "to": null });
            let rows = traffic_consumption(&till, page(asked)).await.expect("days");
            let is_day = |date: &str| date.parse::<wire::Day>().is_ok_and(|day| day.to_string() == date);
            assert!(rows.iter().all(|row| is_day(&row.date)), "{name}, {nni}: {rows:?}");
        }
    }
}
