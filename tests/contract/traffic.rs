//! The traffic ledger: records, totals, recharge, deduction.

use sandbox::Fault;
use serde_json::{Value, json};
use tests::caller::Caller;
use tests::service;

const GIVEN: &str = "/open/dynamic/myRechargeFlowList";
const ALI: i64 = 100_000;

async fn rows(caller: &Caller, path: &str) -> (i64, Vec<Value>) {
    let said = caller.get_agent(path).await;
    assert_eq!(said.body["code"], 200, "{path}: {}", said.body);
    let data = &said.body["data"];
    (data["total"].as_i64().expect("a total"), data["rows"].as_array().expect("rows").clone())
}

async fn recharge(caller: &Caller, customer: i64, order: &str, gb: &str) -> Value {
    let path = format!("/api/agent/rechargeTrafficCount?customerId={customer}&orderId={order}&trafficCount={gb}");
    caller.get_agent(&path).await.body
}

async fn deduct(caller: &Caller, customer: i64, gb: &str) -> Value {
    caller.get_agent(&format!("/api/agent/deductionFlow?customerId={customer}&trafficCount={gb}")).await.body
}

/// Traffic recharged, in MB.
async fn recharged(caller: &Caller, customer: i64) -> f64 {
    let (_, all) = rows(caller, "/open/customer/list?pageSize=1000").await;
    let row = all.into_iter().find(|row| row["customerId"] == customer).expect("a customer");
    row["trafficCount"].as_f64().expect("MB")
}

#[tokio::test]
async fn a_recharge_is_done_once_for_each_order_id_and_shows_in_mb() {
    let caller = Caller::new().await;
    let before = recharged(&caller, ALI).await;
    let (count, _) = rows(&caller, GIVEN).await;
    assert_eq!(recharge(&caller, ALI, "order-1", "0.5").await, json!({"code": 200, "msg": "操作成功"}));
    assert_eq!(recharge(&caller, ALI, "order-1", "0.5").await["code"], 203);
    assert_eq!(recharged(&caller, ALI).await, before + 512.0);
    let (after, newest) = rows(&caller, GIVEN).await;
    assert_eq!((after, &newest[0]["flowCount"], &newest[0]["typeDesc"]), (count + 1, &json!(512.0), &json!("充值")));
    let moves = caller.service.world.ledger().expect("a ledger").moves;
    assert_eq!(
        (moves.len(), moves[0].order_id.as_deref(), moves[0].mb.to_string().as_str()),
        (1, Some("order-1"), "512")
    );
}

#[tokio::test]
async fn a_deduction_is_a_negative_row_and_is_done_as_often_as_it_is_asked() {
    let caller = Caller::new().await;
    let before = recharged(&caller, ALI).await;
    for _ in 0..2 {
        assert_eq!(deduct(&caller, ALI, "0.25").await, json!({"code": 200, "msg": "操作成功"}));
    }
    assert_eq!(recharged(&caller, ALI).await, before - 512.0);
    let (_, newest) = rows(&caller, &format!("{GIVEN}?type=1")).await;
    assert_eq!((&newest[0]["flowCount"], &newest[0]["typeDesc"]), (&json!(-256.0), &json!("扣减")));
    assert_eq!(newest[0]["customerId"], ALI);
}

#[tokio::test]
async fn what_cannot_be_moved_is_refused_in_words_and_moves_nothing() {
    let caller = Caller::new().await;
    let before = recharged(&caller, ALI).await;
    for (customer, order, gb, code) in [
        (ALI, "o", "0", 500),
        (ALI, "o", "-1", 500),
        (ALI, "o", "x", 500),
        (ALI, "o", "", 500),
        (ALI, "", "1", 500),
        (ALI, "o", "99999999", 500),
        (999_999, "o", "1", 204),
        (1, "o", "1", 204),
    ] {
        let said = recharge(&caller, customer, order, gb).await;
        assert_eq!(said["code"], code, "{customer} {order} {gb}: {said}");
        assert!(said.get("data").is_none() && !said["msg"].as_str().unwrap_or_default().is_empty());
    }
    for (customer, gb, code) in [(ALI, "99999999", 500), (ALI, "0", 500), (999_999, "1", 204)] {
        assert_eq!(deduct(&caller, customer, gb).await["code"], code, "{customer} {gb}");
    }
    assert_eq!(recharged(&caller, ALI).await, before);
}

#[tokio::test]
async fn records_are_paged_and_filtered_by_account_and_days() {
    let caller = Caller::new().await;
    let (total, first) = rows(&caller, GIVEN).await;
    assert!(total > 60 && first.len() == 10, "ten rows by default, {total} in all");
    let name = first[0]["account"].as_str().expect("an account").to_owned();
    let (own, all) = rows(&caller, &format!("{GIVEN}?account={name}&pageSize=1000")).await;
    assert!(own == all.len() as i64 && all.iter().all(|row| row["account"] == name.as_str()));
    let day = &first[0]["createTime"].as_str().expect("a time")[..10];
    let (_, of_day) = rows(&caller, &format!("{GIVEN}?startDate={day}&endDate={day}&pageSize=1000")).await;
    assert!(
        !of_day.is_empty() && of_day.iter().all(|row| row["createTime"].as_str().is_some_and(|at| at.starts_with(day)))
    );
    let (_, received) = rows(&caller, "/open/dynamic/rechargeFlowListForMe?account=vendor&pageSize=5").await;
    assert!(received.len() == 5 && received.iter().all(|row| row["createBy"] == "vendor"));
    for wrong in ["type=2", "startDate=2026-02-30", "startDate=2026-02-02&endDate=2026-02-01", "pageNum=0"] {
        assert_eq!(caller.get_agent(&format!("{GIVEN}?{wrong}")).await.body["code"], 500, "{wrong}");
    }
}

#[tokio::test]
async fn totals_tell_both_accounts_with_the_doubled_key_and_follow_a_recharge() {
    let caller = Caller::new().await;
    let before = caller.get_agent("/api/agent/getFlowTotalFull").await.body["data"].clone();
    recharge(&caller, ALI, "order-1", "2").await;
    let after = caller.get_agent("/api/agent/getFlowTotalFull").await.body["data"].clone();
    let left = |data: &Value| data["account2"]["residualFlow"].as_f64().expect("MB");
    assert_eq!(left(&before) - left(&after), 2048.0);
    assert_eq!(after["account2"]["residualFlow"], after["account2"]["residualFlow "]);
    assert_eq!(before["account"], after["account"]);
}

#[tokio::test]
async fn each_fault_of_the_ledger_does_what_it_says() {
    let caller = Caller::new().await;
    recharge(&caller, ALI, "enough", "50").await;
    let before = recharged(&caller, ALI).await;
    service::fault(&caller.service, "rechargeTrafficCount", Fault::Factor1000);
    recharge(&caller, ALI, "short", "1").await;
    assert_eq!(recharged(&caller, ALI).await, before + 1000.0);
    service::fault(&caller.service, "rechargeTrafficCount", Fault::Code201);
    assert_eq!(recharge(&caller, ALI, "short", "1").await["code"], 201);
    let (count, _) = rows(&caller, &format!("{GIVEN}?type=1")).await;
    service::fault(&caller.service, "deductionFlow", Fault::LedgerLag { ms: 60_000 });
    deduct(&caller, ALI, "1").await;
    assert_eq!(rows(&caller, &format!("{GIVEN}?type=1")).await.0, count, "not shown yet");
    caller.service.world.clock.advance(60_000);
    assert_eq!(rows(&caller, &format!("{GIVEN}?type=1")).await.0, count + 1);
    service::fault(&caller.service, "deductionFlow", Fault::Twice);
    deduct(&caller, ALI, "1").await;
    assert_eq!(rows(&caller, &format!("{GIVEN}?type=1")).await.0, count + 3, "a proxy asked twice");
    service::fault(&caller.service, "deductionFlow", Fault::NullData);
    assert_eq!(deduct(&caller, ALI, "1").await, json!({"code": 200, "msg": "无效的认证令牌", "data": null}));
    assert_eq!(rows(&caller, &format!("{GIVEN}?type=1")).await.0, count + 3);
}
