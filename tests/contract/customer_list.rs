//! `/open/customer/list`.

use serde_json::{Value, json};
use tests::caller::Caller;

fn count(body: &Value) -> usize {
    body["data"]["rows"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn a_page_repeats_code_and_message_inside_and_counts_everything() {
    let caller = Caller::new().await;
    let said = caller.get_agent("/open/customer/list").await;
    assert_eq!((said.status, &said.body["code"], said.message()), (200, &json!(200), "操作成功"));
    let data = &said.body["data"];
    assert_eq!((&data["code"], &data["msg"], &data["other"]), (&json!(200), &json!("查询成功"), &Value::Null));
    assert_eq!((&data["total"], count(&said.body)), (&json!(60), 10), "ten rows by default");
    let row = &data["rows"][0];
    assert!(row["customerId"].is_i64() && row["userName"].is_string(), "{row}");
    assert!(row["trafficCount"].is_number() && row["residualFlow"].is_number(), "{row}");
}

#[tokio::test]
async fn pages_follow_one_another_without_gap_or_overlap() {
    let caller = Caller::new().await;
    let mut seen = std::collections::BTreeSet::new();
    for (page, rows) in [(1, 25), (2, 25), (3, 10), (4, 0)] {
        let said = caller.get_agent(&format!("/open/customer/list?pageNum={page}&pageSize=25")).await;
        assert_eq!(count(&said.body), rows, "page {page}");
        for row in said.body["data"]["rows"].as_array().expect("rows") {
            assert!(seen.insert(row["customerId"].to_string()), "{row}");
        }
    }
    assert_eq!(seen.len(), 60);
}

#[tokio::test]
async fn the_list_is_filtered_by_name_and_an_empty_filter_is_none() {
    let caller = Caller::new().await;
    let all = caller.get_agent("/open/customer/list?userName=").await;
    assert_eq!(all.body["data"]["total"], 60);
    let name = all.body["data"]["rows"][3]["userName"].as_str().expect("a name").to_owned();
    let one = caller.get_agent(&format!("/open/customer/list?userName={name}")).await;
    assert_eq!((&one.body["data"]["total"], &one.body["data"]["rows"][0]["userName"]), (&json!(1), &json!(name)));
}

#[tokio::test]
async fn a_page_that_is_no_number_is_refused_by_name() {
    let caller = Caller::new().await;
    for (query, field) in [("pageNum=0", "pageNum"), ("pageNum=x", "pageNum"), ("pageSize=-1", "pageSize")] {
        let said = caller.get_agent(&format!("/open/customer/list?{query}")).await;
        assert_ne!(said.body["code"], 200);
        assert!(said.message().contains(field), "{query}");
    }
}
