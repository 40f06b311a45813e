//! Forecast: whose traffic runs out first, by weeks of use.

use sandbox::Fault;
use serde_json::json;
use tests::agent::{Agent, page};
use tests::service::always;
use till::customers::{find_customers, read_customers};
use till::outlook::{Outlook, known_running_out, running_out};
use till::usage::usage_sync;

#[tokio::test]
async fn without_use_no_outlook_is_given_and_with_it_the_first_to_run_out_come_first() {
    let agent = Agent::connected().await;
    let before = running_out(&agent.till, ()).await.expect("an outlook");
    assert!(!before.read && before.rows.is_empty());
    usage_sync(&agent.till, ()).await.expect("it is read");
    let after = running_out(&agent.till, ()).await.expect("an outlook");
    assert!(after.read && !after.rows.is_empty());
    assert!(after.rows.is_sorted_by_key(|row| row.from), "{:?}", after.rows);
    assert!(after.rows.iter().all(|row| row.from >= row.today && row.left.value().is_sign_positive()));
}

#[tokio::test]
async fn the_outlook_of_the_last_read_is_known_where_the_customers_cannot_be_read() {
    let agent = Agent::connected().await;
    assert!(known_running_out(&agent.till, ()).await.expect("an answer").is_none());
    usage_sync(&agent.till, ()).await.expect("it is read");
    let told = running_out(&agent.till, ()).await.expect("an outlook");
    always(&agent.service, "customer/list", Fault::Status { code: 404 });
    running_out(&agent.till, ()).await.expect_err("no customers");
    let known = known_running_out(&agent.till, ()).await.expect("an answer").expect("an outlook");
    let who = |outlook: &Outlook| outlook.rows.iter().map(|row| row.customer_id.clone()).collect::<Vec<_>>();
    assert_eq!((who(&known.outlook), known.outlook.total), (who(&told), told.total));
    assert!(known.outlook.read && known.read_at > 0);
}

#[tokio::test]
async fn the_list_filtered_by_the_days_of_the_outlook_holds_all_whom_it_counts() {
    let agent = Agent::connected().await;
    usage_sync(&agent.till, ()).await.expect("it is read");
    let outlook = running_out(&agent.till, ()).await.expect("an outlook");
    assert!(outlook.rows.len() <= outlook.total);
    read_customers(&agent.till, false).await.expect("a list");
    let filter = json!({ "active": null, "tag": null, "within": outlook.ahead });
    let query = json!({ "search": "", "order": "days-left", "down": false, "filter": filter });
    let found = find_customers(&agent.till, page(query)).await.expect("some");
    assert_eq!(found.count, outlook.total + outlook.empty);
}
