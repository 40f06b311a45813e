//! The usage report and the consumption of all customers together.

use std::collections::BTreeMap;

use serde_json::Value;
use tests::caller::Caller;

const REPORT: &str = "/open/dynamic/flowReport";

async fn page(caller: &Caller, query: &str) -> (i64, Vec<Value>) {
    let said = caller.get_agent(&format!("{REPORT}?{query}")).await;
    assert_eq!(said.body["code"], 200, "{query}: {}", said.body);
    let data = &said.body["data"];
    (data["total"].as_i64().expect("a total"), data["rows"].as_array().expect("rows").clone())
}

#[tokio::test]
async fn the_report_holds_a_year_by_day_and_customer_newest_first() {
    let caller = Caller::new().await;
    let (total, first) = page(&caller, "").await;
    assert_eq!(first.len(), 100, "a hundred rows by default");
    assert!(total > 8_000, "{total}");
    let (_, most) = page(&caller, "pageSize=5000").await;
    assert_eq!(most.len(), 2000, "two thousand at most");
    let days: Vec<&str> = most.iter().filter_map(|row| row["reportDate"].as_str()).collect();
    assert!(days.len() == 2000 && days.is_sorted_by(|one, next| one >= next));
    let row = &most[500];
    assert!(row["uploadFlow"].is_number() && row["downloadFlow"].is_number() && row["userName"].is_string(), "{row}");
}

#[tokio::test]
async fn pages_together_are_the_whole_and_a_day_and_customer_may_occur_twice() {
    let caller = Caller::new().await;
    let (total, mut all) = page(&caller, "pageSize=2000").await;
    for number in 2..=(total as usize).div_ceil(2000) {
        all.extend(page(&caller, &format!("pageSize=2000&pageNum={number}")).await.1);
    }
    assert_eq!(all.len() as i64, total);
    let mut seen: BTreeMap<(String, i64), usize> = BTreeMap::new();
    for row in &all {
        let key = (row["reportDate"].to_string(), row["customerId"].as_i64().expect("an id"));
        *seen.entry(key).or_default() += 1;
    }
    assert!(seen.values().any(|count| *count == 2), "late rows are rows of their own");
}

#[tokio::test]
async fn the_report_is_filtered_by_customer_and_days_both_included() {
    let caller = Caller::new().await;
    let (_, newest) = page(&caller, "pageSize=2000").await;
    let (day, customer) = (newest[1500]["reportDate"].as_str().expect("a day"), &newest[1500]["customerId"]);
    let (_, of_day) = page(&caller, &format!("startDate={day}&endDate={day}&pageSize=2000")).await;
    assert!(!of_day.is_empty() && of_day.iter().all(|row| row["reportDate"] == day));
    let (total, own) = page(&caller, &format!("customerId={customer}&pageSize=2000")).await;
    assert!(total == own.len() as i64 && own.iter().all(|row| &row["customerId"] == customer));
    assert_eq!(page(&caller, "customerId=7").await.0, 0);
}

#[tokio::test]
async fn use_goes_on_with_the_clock_and_late_rows_come_two_days_behind() {
    let caller = Caller::new().await;
    let day = 86_400_000;
    let clock = &caller.service.world.clock;
    let today = wire::Day::of(clock.now(), 480);
    let (before, _) = page(&caller, "").await;
    let mut at_once = 0;
    for passed in 0..10 {
        clock.advance(day);
        let yesterday = today.plus(passed);
        at_once += page(&caller, &format!("startDate={yesterday}&endDate={yesterday}")).await.0;
    }
    let (after, _) = page(&caller, "").await;
    assert!(after > before + 200, "{before} {after}");
    clock.advance(3 * day);
    let (later, _) = page(&caller, &format!("startDate={today}&endDate={}", today.plus(9))).await;
    assert!(later > at_once, "{at_once} {later}");
    let left = |row: &Value| row["residualFlow"].as_f64().expect("MB");
    let said = caller.get_agent("/open/customer/list?pageSize=100").await;
    let all = said.body["data"]["rows"].as_array().expect("rows").clone();
    assert!(all.iter().all(|row| left(row) >= 0.0), "who has nothing left uses nothing");
}

#[tokio::test]
async fn consumption_by_day_adds_up_to_the_report() {
    let caller = Caller::new().await;
    let (_, newest) = page(&caller, "pageSize=2000").await;
    let day = newest[1000]["reportDate"].as_str().expect("a day");
    let span = format!("startDate={day}&endDate={day}");
    let (_, rows) = page(&caller, &format!("{span}&pageSize=2000")).await;
    let sum: f64 = rows.iter().filter_map(|row| row["downloadFlow"].as_f64()).sum();
    let said = caller.get_agent(&format!("/api/agent/getFlowConsumeDetail?{span}")).await;
    let told = said.body["data"].as_array().expect("days").clone();
    assert_eq!((told.len(), told[0]["date"].as_str()), (1, Some(day)));
    // The sum already includes rows that arrive late.
    assert!(told[0]["downloadFlow"].as_f64().expect("MB") >= sum - 0.01, "{told:?} {sum}");
    let nni = caller.get_agent(&format!("/api/agent/getNNIFlowConsumeDetail?{span}")).await;
    let flow = nni.body["data"][0]["flow"].as_f64().expect("MB");
    assert!(flow > 0.0 && flow < sum, "{flow} {sum}");
    let wrong = caller.get_agent("/api/agent/getFlowConsumeDetail?startDate=yesterday").await;
    assert_eq!(wrong.body["code"], 500);
}

#[tokio::test]
async fn a_disabled_customer_uses_nothing_until_it_is_enabled_again() {
    let caller = Caller::new().await;
    let clock = &caller.service.world.clock;
    let hour = 3_600_000;
    let (_, newest) = page(&caller, "pageSize=1").await;
    let customer = newest[0]["customerId"].as_i64().expect("an id");
    // A customer that uses something every day has enough left.
    let given = format!("/api/agent/rechargeTrafficCount?customerId={customer}&trafficCount=10000&orderId=a");
    assert_eq!(caller.get_agent(&given).await.body["code"], 200);
    let set = async |state: u8| {
        let query = format!("/api/agent/changeStatus?customerId={customer}&customerState={state}");
        assert_eq!(caller.get_agent(&query).await.body["code"], 200);
    };
    let rows = async |days: (wire::Day, wire::Day)| {
        page(&caller, &format!("customerId={customer}&startDate={}&endDate={}", days.0, days.1)).await.0
    };
    // Disabled at the first moment of a day.
    let zone = 8 * hour;
    clock.advance(24 * hour - (clock.now() + zone).rem_euclid(24 * hour));
    let first = wire::Day::of(clock.now(), 480);
    set(0).await;
    clock.advance(14 * 24 * hour);
    assert_eq!(rows((first, first.plus(14))).await, 0, "two weeks without use");
    set(1).await;
    clock.advance(21 * 24 * hour);
    assert!(rows((first.plus(14), first.plus(34))).await > 0, "three weeks with some");
}
