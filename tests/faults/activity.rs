//! The entries and the search of Activity, and the notices that figures are out of date.

use operations::{
    Activity, ActivityQuery, Direction, EntryOrder, Kind, LeftOut, OperationView, PlannedRow, RowsWanted, Standing,
    State, Touches,
};
use sandbox::Fault;
use tests::accounts::status;
use tests::order::Buyer;
use tests::service::fault;
use tests::traffic_move::{CUSTOMER, endpoint};

fn ask(search: &str) -> ActivityQuery {
    ActivityQuery { search: search.into(), most: 100, ..ActivityQuery::default() }
}

fn found(buyer: &Buyer, query: &ActivityQuery) -> Activity {
    buyer.operations.history().activity(query).expect("a journal")
}

/// `operation` or `bulk n`, newest first.
fn entries(activity: &Activity) -> Vec<String> {
    let word = |entry: &operations::ActivityEntry| match (&entry.operation, &entry.bulk) {
        (Some(one), None) => one.kind.word().to_owned(),
        (None, Some(bulk)) => format!("bulk {} of {}", entry.found, bulk.rows),
        other => panic!("one of both: {other:?}"),
    };
    activity.entries.iter().map(word).collect()
}

#[tokio::test]
async fn a_bulk_is_one_entry_that_is_found_by_the_name_of_each_of_its_customers() {
    let buyer = Buyer::new(0).await;
    let bought = buyer.buy().await;
    buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    let first = buyer.decided().await;
    assert_eq!(first.state, State::Applied);
    let mut plan = buyer.planned_moves(Direction::Recharge, "1.25", 8).await;
    let names: Vec<String> = plan.rows.iter().map(|row| row.name.clone()).collect();
    plan.rows.push(PlannedRow { name: "Nobody%Known 3g".into(), todo: Err(LeftOut::Unknown), retries: None });
    let bulk = buyer.start_bulk(plan).await;
    buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!(entries(&found(&buyer, &ask(""))), ["bulk 9 of 9", "recharge", "place-and-pay"]);
    assert_eq!(found(&buyer, &ask("")).total, 3);
    let last = names.last().expect("a name").to_uppercase();
    assert_eq!(entries(&found(&buyer, &ask(&last))), ["bulk 1 of 9"]);
    assert_eq!(entries(&found(&buyer, &ask(CUSTOMER))), ["bulk 1 of 9", "recharge"]);
    assert_eq!(entries(&found(&buyer, &ask("known NOBODY"))), ["bulk 1 of 9"], "what was left out too");
    let number = bought.order.expect("an order").order_no;
    assert_eq!(entries(&found(&buyer, &ask(number.as_str()))), ["place-and-pay"]);
    assert_eq!(entries(&found(&buyer, &ask("%"))), ["bulk 1 of 9"], "a sign is a sign");
    for nothing in ["gb", "wallet", "userName", "recharge"] {
        assert!(found(&buyer, &ask(nothing)).entries.is_empty(), "{nothing} is no name");
    }
    let rows = |search: &str, only_not_done: bool, from, count| {
        let wanted = RowsWanted { only_not_done, search };
        let all = buyer.operations.bulks().count_rows(&bulk.id, wanted).expect("a journal");
        (all, buyer.operations.bulks().rows(&bulk.id, wanted, from, count).expect("a journal"))
    };
    let (all, found) = rows("nobody", false, 0, 10);
    assert_eq!(found.iter().map(|row| (row.number, row.state.word())).collect::<Vec<_>>(), [(9, "skipped")]);
    assert_eq!((all, rows("nobody", true, 0, 10).0, rows("nobody known", false, 0, 10).0), (1, 1, 1));
    let (all, found) = rows("@", false, 3, 2);
    assert_eq!(found.iter().map(|row| row.number).collect::<Vec<_>>(), [4, 5], "a window of what is found");
    assert_eq!((all, rows("@", true, 0, 10).0, rows("", true, 0, 10).0, rows("", false, 0, 0).0), (8, 0, 1, 9));
}

#[tokio::test]
async fn what_the_filters_hide_is_counted_and_the_newest_come_first() {
    let buyer = Buyer::new(0).await;
    buyer.send(status(false).into()).await;
    fault(&buyer.service, endpoint(Direction::Recharge), Fault::Refuse { code: Some("204".into()) });
    assert_eq!(buyer.move_traffic(Direction::Recharge, "0.5", None).await.state, State::Rejected);
    let mut plan = buyer.planned_moves(Direction::Recharge, "1", 8).await;
    plan.rows.retain(|row| row.todo.as_ref().is_ok_and(|todo| todo.target() != CUSTOMER));
    plan.rows.truncate(2);
    let bulk = buyer.start_bulk(plan).await;
    buyer.see_bulk_ended(&bulk.id).await;
    let of = |kind, standing| found(&buyer, &ActivityQuery { kind, standing, ..ask("") });
    assert_eq!(entries(&of(Some(Kind::Recharge), None)), ["bulk 2 of 2", "recharge"]);
    assert_eq!(entries(&of(None, Some(Standing::Done))), ["bulk 2 of 2", "status"]);
    assert_eq!(entries(&of(None, Some(Standing::NotDone))), ["recharge"]);
    let none = of(None, Some(Standing::Open));
    assert_eq!((none.entries.len(), none.total, none.outside), (0, 0, 3));
    let one = found(&buyer, &ActivityQuery { kind: Some(Kind::Password), ..ask(CUSTOMER) });
    assert_eq!((one.total, one.outside), (0, 2), "of those that the search finds");
    let nothing = found(&buyer, &ask("nobody"));
    assert_eq!((nothing.total, nothing.outside), (0, 0));
    let newest = found(&buyer, &ActivityQuery { most: 1, ..ask("") });
    assert_eq!((entries(&newest), newest.total), (vec!["bulk 2 of 2".to_owned()], 3));
}

#[tokio::test]
async fn entries_are_sorted_either_way_and_those_without_the_value_are_last() {
    let buyer = Buyer::new(0).await;
    buyer.send(status(false).into()).await;
    for gb in ["2", "10"] {
        buyer.move_traffic(Direction::Recharge, gb, None).await;
        assert_eq!(buyer.decided().await.state, State::Applied);
    }
    fault(&buyer.service, endpoint(Direction::Recharge), Fault::Refuse { code: Some("204".into()) });
    assert_eq!(buyer.move_traffic(Direction::Recharge, "9", None).await.state, State::Rejected);
    buyer.buy().await;
    let sorted = |order, down| {
        let activity = found(&buyer, &ActivityQuery { order, down, ..ask("") });
        let amount = |one: &OperationView| match one.kind {
            Kind::Status => "status".to_owned(),
            _ => one.amount.to_string(),
        };
        activity.entries.iter().filter_map(|entry| entry.operation.as_ref()).map(amount).collect::<Vec<_>>().join(" ")
    };
    let cases = [
        (EntryOrder::When, true, "8.55 9 10 2 status"),
        (EntryOrder::When, false, "status 2 10 9 8.55"),
        (EntryOrder::Amount, false, "2 9 10 8.55 status"),
        (EntryOrder::Amount, true, "8.55 10 9 2 status"),
        (EntryOrder::Order, false, "8.55 9 10 2 status"),
        (EntryOrder::Order, true, "8.55 9 10 2 status"),
        (EntryOrder::What, true, "status 9 10 2 8.55"),
        (EntryOrder::State, false, "9 8.55 10 2 status"),
        (EntryOrder::State, true, "8.55 10 2 status 9"),
    ];
    for (order, down, wanted) in cases {
        assert_eq!(sorted(order, down), wanted, "{order:?} {down}");
    }
    let first = found(&buyer, &ActivityQuery { order: EntryOrder::Amount, most: 1, ..ask("") });
    assert_eq!((first.entries.len(), first.total), (1, 5));
}

#[tokio::test]
async fn each_operation_that_something_happened_to_is_told_once_with_where_it_stands() {
    let buyer = Buyer::new(0).await;
    let touched = |since: i64| buyer.operations.history().touches(since).expect("a journal");
    let before = touched(0);
    assert_eq!(before, Touches { position: 0, rows: vec![], open_bulks: vec![] });
    let told = |one: &OperationView, touches: &Touches| {
        let rows = &touches.rows;
        assert_eq!(rows.len(), 1, "once: {rows:?}");
        assert_eq!((rows[0].kind, rows[0].state, rows[0].at), (one.kind, one.state, touches.position));
        assert_eq!((rows[0].target.as_str(), &rows[0].bulk), (CUSTOMER, &None));
    };
    let sent = buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    told(&sent, &touched(0));
    let after_sending = touched(0).position;
    let done = buyer.decided().await;
    assert_eq!(done.state, State::Applied);
    told(&done, &touched(after_sending));
    let position = buyer.operations.history().position().expect("a journal");
    assert_eq!(touched(position), Touches { position, rows: vec![], open_bulks: vec![] });
    buyer.always(endpoint(Direction::Recharge), Fault::Delay { ms: 200 });
    let bulk = buyer.start_bulk(buyer.planned_moves(Direction::Recharge, "1", 5).await).await;
    assert_eq!(touched(position).open_bulks, std::slice::from_ref(&bulk.id));
    buyer.see_bulk_ended(&bulk.id).await;
    let ended = touched(position);
    assert!(ended.open_bulks.is_empty(), "{ended:?}");
    assert!(ended.rows.len() == 5 && ended.rows.iter().all(|row| row.bulk.as_ref() == Some(&bulk.id)), "{ended:?}");
}
