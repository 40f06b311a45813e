//! Customers topped up to last until a day, from their usage.

use operations::{Gb, GbFactor};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use tests::agent::{Agent, field, page, seen_by_page, wrong};
use till::bulk_draft::{answer_draft, draft_bulk, draft_rows};
use till::outlook::running_out;
use till::usage::usage_sync;
use wire::Day;

fn until(ids: &[&str], day: &str) -> Value {
    json!({ "kind": "recharge", "active": false, "source": { "from": "until", "ids": ids, "until": day } })
}

async fn rows(agent: &Agent, draft: u32) -> Vec<Value> {
    let window = json!({ "draft": draft, "first": 0, "count": 100, "onlyProblems": false });
    let rows = draft_rows(&agent.till, page(window)).await.expect("rows");
    rows.iter().map(|row| seen_by_page(&row.row)).collect()
}

fn number(value: &Value) -> Decimal {
    value.as_str().expect("an amount").parse().expect("a number")
}

#[tokio::test]
async fn those_who_run_out_are_drafted_with_what_they_lack_until_the_day_and_nothing_is_sent() {
    let agent = Agent::connected().await;
    let day = Day::of(tests::wall(), 480).plus(29).to_string();
    assert_eq!(field(draft_bulk(&agent.till, page(until(&["100001"], &day))).await), wrong("bulk-until", "not-read"));
    usage_sync(&agent.till, ()).await.expect("it is read");
    let out = running_out(&agent.till, ()).await.expect("an outlook");
    let ids: Vec<&str> = out.rows.iter().map(|row| row.customer_id.as_str()).collect();
    let day = out.rows[0].today.plus(29).to_string();
    let totals = draft_bulk(&agent.till, page(until(&ids, &day))).await.expect("a draft");
    assert!(totals.good > 0 && agent.moved().is_empty());
    let all = rows(&agent, totals.draft).await;
    assert_eq!(all.len(), ids.len());
    for row in all.iter().filter(|row| row["problem"].is_null()) {
        let basis = &row["basis"];
        assert_eq!((&basis["basis"], &basis["days"]), (&json!("usage"), &json!(30)));
        // The use of a day is shown rounded up, so that thirty of them may be a little more.
        let lacks = number(&basis["aDay"]) * Decimal::from(30) - number(&basis["left"]) - Decimal::new(3, 5);
        assert!(number(&row["mb"]) >= lacks, "{row}");
        // A ten-thousandth of a GB less would not suffice, or the service does not carry it as it is (`Gb::parse`).
        let less = (number(&row["gb"]) - Decimal::new(1, 4)).to_string();
        let less = Gb::parse(&less, GbFactor::Binary).map(|gb| gb.mb(GbFactor::Binary).value());
        assert!(less.is_err() || less.is_ok_and(|mb| mb < lacks + Decimal::new(3, 5)), "{row}");
        assert_eq!(basis["left"], row["before"]);
    }
}

#[tokio::test]
async fn who_has_enough_is_left_out_and_who_has_no_usage_is_a_question_that_is_answered_in_place() {
    let agent = Agent::connected().await;
    usage_sync(&agent.till, ()).await.expect("it is read");
    let today = running_out(&agent.till, ()).await.expect("an outlook").rows[0].today;
    // A customer that was created today has used nothing.
    let draft = json!({ "change": "create", "userName": "fresh@x.com" });
    let offered = till::accounts::offer_change(&agent.till, page(draft)).await.expect("an offer");
    let confirmed = json!({ "token": offered.token, "anyway": false });
    let created = till::accounts::confirm_change(&agent.till, page(confirmed)).await.expect("it is sent");
    agent.applied(created).await;
    let all = till::customers::list_customers(&agent.till, true).await.expect("a list");
    let fresh = all.iter().find(|one| one.user_name == "fresh@x.com").expect("it is there").customer_id.clone();
    let ids: Vec<&str> = all.iter().map(|one| one.customer_id.as_str()).collect();
    let totals = draft_bulk(&agent.till, page(until(&ids, &today.to_string()))).await.expect("a draft");
    let drafted = rows(&agent, totals.draft).await;
    let lasting = drafted.iter().filter(|row| row["problem"] == "enough-left").count();
    assert!(lasting > 0, "most have enough for today");
    let asked = drafted.iter().find(|row| row["customerId"] == json!(fresh)).expect("its row");
    assert_eq!((&asked["problem"], &asked["basis"]["basis"]), (&json!("no-amount"), &json!("too-little-usage")));
    assert!(totals.without_amount > 0 && totals.without_amount < all.len());
    let at = drafted.iter().position(|row| row["customerId"] == json!(fresh)).expect("its place");
    let typed = json!({ "answer": "text", "at": at, "was": "fresh@x.com", "text": "fresh@x.com 3g" });
    answer_draft(&agent.till, page(json!({ "draft": totals.draft, "answer": typed }))).await.expect("judged");
    let answered = &rows(&agent, totals.draft).await[at];
    assert_eq!((&answered["gb"], &answered["basis"]), (&json!("3"), &Value::Null), "somebody wrote it");
}

#[tokio::test]
async fn a_day_that_is_over_or_far_away_is_refused() {
    let agent = Agent::connected().await;
    usage_sync(&agent.till, ()).await.expect("it is read");
    let today = running_out(&agent.till, ()).await.expect("an outlook").rows[0].today;
    for (days, why) in [(-1, "past"), (366, "too-far")] {
        let refused = draft_bulk(&agent.till, page(until(&["100001"], &today.plus(days).to_string()))).await;
        assert_eq!(field(refused), wrong("bulk-until", why));
    }
}

#[tokio::test]
async fn a_report_that_was_last_read_yesterday_is_read_again_before_amounts_are_drafted() {
    let agent = Agent::connected().await;
    usage_sync(&agent.till, ()).await.expect("it is read");
    let today = running_out(&agent.till, ()).await.expect("an outlook").rows[0].today;
    let draft = json!(until(&["100001"], &today.plus(3).to_string()));
    draft_bulk(&agent.till, page(draft.clone())).await.expect("a draft");
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a start").active.expect("a connection");
    till::connections::start_practice(&agent.till, ()).await.expect("practice");
    // As if that had been yesterday, in the middle of the day.
    let cache = rusqlite::Connection::open(agent.data(&format!("connections/{id}/cache.db"))).expect("SQLite");
    assert_eq!(cache.execute("UPDATE covered SET through = through - 1", []).expect("SQLite"), 1);
    drop(cache);
    till::connections::open_connection(&agent.till, id).await.expect("it opens");
    assert_eq!(field(draft_bulk(&agent.till, page(draft.clone())).await), wrong("bulk-until", "not-read"));
    usage_sync(&agent.till, ()).await.expect("it is read");
    draft_bulk(&agent.till, page(draft)).await.expect("a draft");
}
