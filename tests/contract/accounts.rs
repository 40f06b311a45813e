//! `addUser`, `updatePwd`, `changeStatus`.

use sandbox::Fault;
use serde_json::{Value, json};
use tests::caller::Caller;
use tests::service;

const ALI: i64 = 100_000;

async fn ask(caller: &Caller, path: &str) -> Value {
    caller.get_agent(&format!("/api/agent/{path}")).await.body
}

#[tokio::test]
async fn a_created_customer_has_id_token_and_password_and_is_in_the_list_without_traffic() {
    let caller = Caller::new().await;
    let made = ask(&caller, "addUser?userName=New.One%2Bshop@x.com").await;
    assert_eq!((&made["code"], &made["customerId"]), (&json!(200), &json!(100_060)), "{made}");
    assert!(made["Token"].as_str().is_some_and(|token| token.len() == 32), "{made}");
    assert!(made["password"].as_str().is_some_and(|password| password.len() == 12), "{made}");
    let list = caller.get_agent("/open/customer/list?userName=New.One%2Bshop@x.com").await.body;
    assert_eq!(
        list["data"]["rows"],
        json!([{"trafficCount": 0.0, "residualFlow": 0.0, "customerId": 100_060, "userName": "New.One+shop@x.com"}])
    );
    let all = caller.get_agent("/open/customer/list?pageSize=1000").await.body;
    assert_eq!((&all["data"]["total"], all["data"]["rows"].as_array().map(Vec::len)), (&json!(61), Some(61)));
}

#[tokio::test]
async fn a_name_is_given_once_and_the_codes_say_whose_it_is() {
    let caller = Caller::new().await;
    for (name, code) in [
        ("one@x.com", 200),
        ("one@x.com", 201),
        ("ONE@x.com", 201),
        ("someone@taken.example", 202),
        ("", 500),
        ("one", 500),
        ("a%20b@x.com", 500),
        ("a@b@x.com", 500),
    ] {
        let said = ask(&caller, &format!("addUser?userName={name}")).await;
        assert_eq!(said["code"], code, "{name}");
        assert_eq!(said.get("Token").is_some(), code == 200, "{name}");
        assert!(said.get("data").is_none(), "code and message alone: {said}");
    }
}

#[tokio::test]
async fn a_password_and_a_status_are_set_for_the_agents_own_customers_alone() {
    let caller = Caller::new().await;
    for (path, code) in [
        ("updatePwd?customerId=100000&password=abc-123_X", 200),
        ("updatePwd?customerId=100000&password=a:b:c:d", 201),
        ("updatePwd?customerId=100000&password=abc", 201),
        ("updatePwd?customerId=999999&password=abc-123_X", 204),
        ("updatePwd?password=abc-123_X", 500),
        ("changeStatus?customerId=100000&customerState=0", 200),
        ("changeStatus?customerId=100000&customerState=2", 500),
        ("changeStatus?customerId=100000", 500),
        ("changeStatus?customerId=999999&customerState=1", 204),
        ("changeStatus?customerState=1", 500),
    ] {
        assert_eq!(ask(&caller, path).await["code"], code, "{path}");
    }
    let accounts = caller.service.world.ledger().expect("a ledger").accounts;
    let ali = accounts.iter().find(|account| account.customer_id == ALI).expect("it was changed");
    assert_eq!((ali.active, ali.password_hashes.len(), ali.statuses.as_slice()), (false, 1, &[false][..]));
}

#[tokio::test]
async fn a_new_customer_can_be_recharged_and_the_service_may_turn_its_states_round() {
    let caller = Caller::new().await;
    ask(&caller, "addUser?userName=new@x.com").await;
    let given = ask(&caller, "rechargeTrafficCount?customerId=100060&orderId=o-1&trafficCount=2").await;
    assert_eq!(given["code"], 200);
    service::fault(&caller.service, "changeStatus", Fault::Polarity);
    ask(&caller, "changeStatus?customerId=100060&customerState=0").await;
    let accounts = caller.service.world.ledger().expect("a ledger").accounts;
    assert!(accounts[0].created && accounts[0].active, "0 was understood as active: {accounts:?}");
}

#[tokio::test]
async fn without_the_token_nothing_is_changed_and_data_is_null() {
    let caller = Caller::new().await;
    for path in [
        "addUser?userName=a@x.com",
        "updatePwd?customerId=100000&password=abcdef",
        "changeStatus?customerId=100000&customerState=0",
    ] {
        let request = caller.bare(reqwest::Method::GET, &format!("/prod-api/api/agent/{path}"));
        let said = tests::caller::send(request.header("token", "stale")).await.body;
        assert_eq!((&said["code"], said.get("data")), (&json!(200), Some(&Value::Null)), "{path}");
    }
    assert!(caller.service.world.ledger().expect("a ledger").accounts.is_empty());
}
