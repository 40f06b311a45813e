//! A journal that an earlier version wrote opens, shows what it showed, and goes on.

use std::sync::Arc;

use operations::{BulkState, OperationView, Operations, RowsWanted, Schedule, State, Verdict};
use serde_json::{Value, json};
use tests::order::{Buyer, earlier_journal};

/// Fields of that version that have another name now.
const RENAMED: [(&str, &str); 1] = [("mayLook", "mayCheck")];

/// Fields that came later are no difference.
fn assert_shown(before: &Value, now: &Value, at: &str) {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            for (name, value) in before {
                let name = RENAMED.iter().find(|(old, _)| old == name).map_or(name.as_str(), |(_, new)| new);
                let shown = now.get(name).unwrap_or_else(|| panic!("{at}.{name} is gone"));
                // That version trusted a key for ever.
                if name == "mayResend" && now["isTooLateToResend"] == true {
                    assert_eq!((value, shown), (&json!(true), &json!(false)), "{at}.{name}");
                    continue;
                }
                assert_shown(value, shown, &format!("{at}.{name}"));
            }
        }
        (Value::Array(before), Value::Array(now)) => {
            assert_eq!(before.len(), now.len(), "{at}");
            for (number, (before, now)) in before.iter().zip(now).enumerate() {
                assert_shown(before, now, &format!("{at}[{number}]"));
            }
        }
        _ => assert_eq!(before, now, "{at}"),
    }
}

#[test]
fn the_journal_of_an_earlier_version_shows_what_that_version_showed() {
    let folder = earlier_journal();
    let shown: Value = serde_json::from_slice(&std::fs::read(folder.path().join("shown.json")).expect("a file"))
        .expect("what was shown");
    let wall = shown["wall"].as_i64().expect("a time");
    let file = folder.path().join("journal.db");
    let operations = Operations::open(&file, Schedule::default(), Arc::new(move || wall)).expect("it opens");
    let bulks = operations.bulks().all().expect("bulks");
    let rows: Vec<_> = bulks
        .iter()
        .map(|bulk| operations.bulks().rows(&bulk.id, RowsWanted::default(), 0, 100).expect("its rows"))
        .collect();
    let now = json!({
        "wall": wall,
        "operations": operations.history().list().expect("operations"),
        "orders": operations.orders().all().expect("orders"),
        "bulks": bulks,
        "rows": rows,
        "restorations": operations.history().restorations().expect("restorations"),
        "notes": operations.customers().notes().expect("notes"),
        "template": operations.templates().get("hello").expect("a text"),
        "statuses": operations.customers().last_statuses().expect("statuses").len(),
        "learnt": operations.lessons().learned().expect("what was learnt"),
    });
    assert_shown(&shown, &now, "shown");
    assert!(shown["operations"].as_array().is_some_and(|all| all.len() > 60));
}

#[tokio::test]
async fn the_journal_of_an_earlier_version_goes_on() {
    let mut buyer = Buyer::with_earlier_journal().await;
    let before = buyer.operations.history().list().expect("operations");
    // Its bulk: rows that waited are sent, those that were sent are not sent again.
    let bulk = buyer.operations.bulks().all().expect("bulks").remove(0);
    assert_eq!((bulk.state, bulk.counts.waiting), (BulkState::Paused, 3));
    buyer.operations.bulks().resume(&bulk.id).expect("it goes on");
    buyer.see_bulk(&bulk.id, "no row waits", |bulk| bulk.state == BulkState::Finished).await;
    let created = |name: &str| buyer.accounts().iter().filter(|one| one.user_name.starts_with(name)).count();
    assert_eq!((created("b"), created("b1"), created("b2"), created("b3"), created("b4")), (3, 0, 0, 0, 0));
    // What never left is sent when a person asks.
    let off = before.iter().find(|one| one.user_name == "off@y.com").expect("one that never left");
    assert_eq!(buyer.operations.resend(&off.id).await.expect("it is sent").state, State::Applied);
    // What nobody knows, a person says.
    for open in buyer.operations.history().list().expect("operations").iter().filter(|one| one.may_judge) {
        let judged = buyer.operations.judge(&open.id, Verdict::NotDone).expect("a verdict");
        assert_eq!(judged.state, State::ResolvedNot);
    }
    buyer.restart();
    let after = buyer.operations.history().list().expect("operations");
    assert_eq!(after.len(), before.len() + 3, "nothing is lost");
    let is_closed = |one: &&OperationView| !one.may_judge && one.next_at.is_none() && !one.may_resend;
    for closed in before.iter().filter(is_closed) {
        let now = after.iter().find(|one| one.id == closed.id).expect("it is there");
        assert_eq!((now.state, now.reason, now.amount), (closed.state, closed.reason, closed.amount));
    }
}

#[test]
fn a_reason_that_only_a_newer_version_knows_stays_stored_and_its_row_is_not_done_again() {
    let folder = earlier_journal();
    let file = folder.path().join("journal.db");
    let stored = rusqlite::Connection::open(&file).expect("SQLite");
    stored.execute("UPDATE bulk_row SET reason = 'of-tomorrow' WHERE number = 4", []).expect("it is written");
    let operations = Operations::open(&file, Schedule::default(), Arc::new(|| 0)).expect("it opens");
    let bulk = operations.bulks().all().expect("bulks").remove(0);
    operations.bulks().cancel(&bulk.id).expect("it is cancelled");
    let row = operations.bulks().rows(&bulk.id, RowsWanted::default(), 3, 1).expect("rows").remove(0);
    assert_eq!((row.number, row.state.word(), row.reason), (4, "skipped", None));
    let not_done = operations.bulks().certainly_not_done(&bulk.id).expect("rows");
    assert_eq!(not_done.iter().map(|row| row.row.number).collect::<Vec<_>>(), [5, 6, 7]);
    let reason = stored.query_row("SELECT reason FROM bulk_row WHERE number = 4", [], |row| row.get::<_, String>(0));
    assert_eq!(reason.expect("a reason"), "of-tomorrow");
}
