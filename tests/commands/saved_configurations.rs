//! Saved configurations: saved under a name, renamed, replaced, deleted.

use sandbox::THREE_IN_JAPAN;
use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use till::Code;
use till::connections::start_practice;
use till::saved_configurations::{SavedPurchase, delete_purchase, rename_purchase, save_purchase, saved_purchases};

fn draft(name: &str, days: i64, replace: bool) -> till::saved_configurations::SavedDraft {
    let mut config: Value = serde_json::from_str(THREE_IN_JAPAN).expect("JSON");
    config["days"] = json!(days);
    page(json!({ "name": name, "config": config, "replace": replace }))
}

/// The name and the days of each.
fn names(all: &[SavedPurchase]) -> Vec<(&str, i64)> {
    all.iter().map(|one| (one.name.as_str(), one.config.days)).collect()
}

#[tokio::test]
async fn a_saved_purchase_keeps_its_places_and_options_until_it_is_deleted() {
    let mut agent = Agent::connected().await;
    let till = agent.till.clone();
    save_purchase(&till, draft("  Japan   month ", 30, false)).await.expect("it is saved");
    let all = save_purchase(&till, draft("week", 7, false)).await.expect("it is saved");
    assert_eq!(names(&all), [("Japan month", 30), ("week", 7)]);
    assert_eq!(all[0].config.quota_items.len(), 1);
    let renamed = rename_purchase(&till, page(json!({ "id": all[1].id, "name": "Week" }))).await.expect("renamed");
    assert_eq!(names(&renamed), [("Japan month", 30), ("Week", 7)], "its own name in other letters");
    drop(till);
    agent.start_again();
    till::start::boot(&agent.till, "en".into()).await.expect("a screen");
    assert_eq!(names(&saved_purchases(&agent.till, ()).await.expect("a list")), names(&renamed));
    let left = delete_purchase(&agent.till, all[0].id).await.expect("it is deleted");
    assert_eq!(names(&left), [("Week", 7)]);
    start_practice(&agent.till, ()).await.expect("practice");
    assert!(saved_purchases(&agent.till, ()).await.expect("a list").is_empty(), "another connection");
}

#[tokio::test]
async fn a_name_is_used_once_unless_it_is_replaced() {
    let agent = Agent::connected().await;
    save_purchase(&agent.till, draft("Japan", 30, false)).await.expect("it is saved");
    let taken = save_purchase(&agent.till, draft("japan", 7, false)).await;
    assert_eq!(field(taken), wrong("saved-name", "taken"));
    let replaced = save_purchase(&agent.till, draft("japan", 7, true)).await.expect("it is replaced");
    assert_eq!(names(&replaced), [("japan", 7)]);
    let all = save_purchase(&agent.till, draft("other", 7, true)).await.expect("it is saved");
    let clash = rename_purchase(&agent.till, page(json!({ "id": all[1].id, "name": "JAPAN" }))).await;
    assert_eq!(field(clash), wrong("saved-name", "taken"));
    for (name, why) in [("  ", "empty"), (&*"x".repeat(61), "too-long")] {
        assert_eq!(field(save_purchase(&agent.till, draft(name, 7, false)).await), wrong("saved-name", why));
    }
    let gone = rename_purchase(&agent.till, page(json!({ "id": 99, "name": "new" }))).await;
    assert_eq!(code(gone), Code::Changed);
}
