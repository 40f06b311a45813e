//! Forecast: whose traffic runs out first, by weeks of use.

use tests::agent::Agent;
use till::overview::running_out;
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
