//! The promises of the service, as tests.

use crate::{
    Actor, Answer, Busy, Choices, Command, Deeds, Delivery, LiveUse, Manners, Mishap, Moments, Request, SameAgain,
    SeenKey, UseRows, Vendor, What, Write,
};
use rust_decimal::Decimal;
use serde_json::{Value, json};

const LIST: &str = "/prod-api/open/dynamic/myRechargeFlowList";

/// A service, and a clock that the test sets.
struct Caller {
    vendor: Vendor,
    now_ms: i64,
}

impl Caller {
    fn of(choices: Choices) -> Self {
        let now_ms = choices.start.founded_ms + 6 * 86_400_000;
        Self { vendor: Vendor::new(choices, 3), now_ms }
    }

    fn plain() -> Self {
        Self::of(Choices::named("plain").expect("a preset"))
    }

    fn get(&self, path: &str, query: &str) -> Answer {
        let token = self.vendor.choices().start.agent_token;
        self.vendor.answer(&Request::get(path, query).with("token", &token), self.now_ms)
    }

    fn agent(&self, name: &str, query: &str) -> Answer {
        self.get(&format!("/prod-api/api/agent/{name}"), query)
    }

    fn post(&self, path: &str, body: &Value, key: &str) -> Answer {
        let start = self.vendor.choices().start;
        let request = Request::post(&format!("/api/open/staticip/{path}"), &body.to_string());
        let request = request.with("UserId", &start.developer).with("Token", &start.developer_token);
        self.vendor.answer(&request.with("X-Idempotency-Key", key), self.now_ms)
    }

    fn rows(&self, path: &str, query: &str) -> Vec<Value> {
        self.get(path, query).json()["data"]["rows"].as_array().expect("rows").clone()
    }

    fn customer(&self) -> i64 {
        self.vendor.customers()[2].id
    }

    fn recharge(&self, order_id: &str) -> Answer {
        let query = format!("customerId={}&orderId={order_id}&trafficCount=2.5", self.customer());
        self.agent("rechargeTrafficCount", &query)
    }

    /// Number of times the ledger has this recharge.
    fn recharged(&self, order: &str) -> usize {
        let is = |what: &What| matches!(what, What::Recharged { order_id, .. } if order_id == order);
        self.vendor.ledger().iter().filter(|entry| is(&entry.what)).count()
    }

    /// The body of an order at a fresh price.
    fn priced(&self) -> Value {
        let config = json!({
            "sellMode": 1, "lineType": "standard", "businessId": "9500000000000000041", "isUdp": false, "connLimit": 64,
            "days": 30, "allocateStrategy": 1, "purchaseIpCount": 4,
            "quotaItems": [{"type": "country_random", "countryCode": "JP", "quantity": 4}],
        });
        let price = self.post("purchase/quote", &json!({"config": config}), "").json();
        assert_eq!(price["code"], "0", "{price}");
        json!({"quoteId": price["data"]["quoteId"], "quoteVersion": price["data"]["quoteVersion"], "config": config})
    }

    fn buy(&self, body: &Value, key: &str) -> Value {
        self.post("purchase/orders/place-and-pay", body, key).json()
    }
}

#[test]
fn a_key_pays_once_and_a_price_that_moved_gets_the_same_code() {
    let mut caller = Caller::of(Choices::default());
    let body = caller.priced();
    assert_eq!(caller.buy(&body, "one")["code"], "0");
    assert_eq!(caller.buy(&body, "one")["code"], "60308");
    caller.now_ms += 400_000;
    assert_eq!(caller.buy(&body, "two")["code"], "60308");
    assert_eq!(caller.vendor.charges().len(), 1);
    assert_eq!(caller.vendor.wallet(), Decimal::from(4_000) - Decimal::new(564, 2));
}

#[test]
fn a_key_that_was_seen_brings_its_order_where_that_is_the_choice() {
    let caller = Caller::plain();
    let body = caller.priced();
    let first = caller.buy(&body, "one");
    caller.vendor.reprice(120);
    assert_eq!(caller.buy(&body, "one")["data"], first["data"]);
    assert_eq!(caller.buy(&body, "two")["code"], "60308");
    assert_eq!(caller.vendor.charges().len(), 1);
}

#[test]
fn a_key_that_was_forgotten_pays_again() {
    let deeds = Deeds {
        keys_forgotten_after_ms: Some(60_000),
        seen_key: SeenKey::SameOrder,
        price_stands_ms: 900_000,
        ..Deeds::default()
    };
    let mut caller = Caller::of(Choices { deeds, ..Choices::default() });
    let body = caller.priced();
    for (after, charges) in [(0, 1), (59_000, 1), (2_000, 2)] {
        caller.now_ms += after;
        assert_eq!(caller.buy(&body, "one")["code"], "0");
        assert_eq!(caller.vendor.charges().len(), charges, "after {after} ms more");
    }
}

#[test]
fn an_order_that_cannot_be_paid_changes_nothing() {
    let mut choices = Choices::default();
    choices.start.wallet = 1;
    let caller = Caller::of(choices);
    assert_eq!(caller.buy(&caller.priced(), "one")["code"], "60004");
    assert!(caller.vendor.charges().is_empty() && caller.vendor.wallet() == Decimal::ONE);
}

#[test]
fn an_order_is_delivered_in_part_and_completes_later() {
    let mut caller = Caller::of(Choices::default());
    let placed = caller.buy(&caller.priced(), "one");
    assert_eq!((&placed["data"]["status"], &placed["data"]["deliverIpCount"]), (&json!(3), &json!(2)));
    caller.now_ms += 20_000;
    let detail = caller.post("orders/detail", &json!({"orderNo": placed["data"]["orderNo"]}), "").json();
    assert_eq!((&detail["data"]["status"], &detail["data"]["deliverIpCount"]), (&json!(20), &json!(4)));
    assert_eq!(detail["data"]["details"][0]["ipList"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_recharge_is_done_once_for_each_order_id() {
    let caller = Caller::of(Choices::default());
    let before = caller.vendor.customers()[2].residual();
    assert_eq!(caller.recharge("r1").json()["code"], 200);
    assert_eq!(caller.recharge("r1").json()["code"], 201);
    assert_eq!(caller.recharged("r1"), 1);
    assert_eq!(caller.vendor.customers()[2].residual(), before + Decimal::from(2560));
    let strange = caller.agent("rechargeTrafficCount", "customerId=7&orderId=r2&trafficCount=1");
    assert_eq!(strange.json()["code"], 204);
}

#[test]
fn a_late_no_takes_effect_at_its_time_and_not_before() {
    let mut caller = Caller::of(Choices::named("late").expect("a preset"));
    assert_eq!(caller.recharge("r1").json()["code"], 200);
    assert_eq!(caller.recharge("r2").json()["code"], 500);
    caller.now_ms += 11_999;
    caller.vendor.settle(caller.now_ms);
    assert_eq!(caller.recharged("r2"), 0, "not before its time");
    caller.now_ms = caller.vendor.next_due().expect("something is due");
    caller.vendor.settle(caller.now_ms);
    assert_eq!(caller.recharged("r2"), 1);
    assert_eq!(caller.vendor.ledger().last().map(|entry| entry.at_ms), Some(caller.now_ms));
}

#[test]
fn each_of_the_writes_can_be_refused_and_done_later() {
    let mut caller = Caller::plain();
    let (id, priced) = (caller.customer(), caller.priced());
    let entries = caller.vendor.ledger().len();
    // The preset has no renewals.
    let writes = Write::ALL.into_iter().filter(|write| *write != Write::Renewal);
    for (at, write) in writes.enumerate() {
        caller.vendor.arrange(write, Mishap::RefusedAndDone { code: None, after_ms: 1000 });
        let answer = match write {
            Write::Order | Write::Renewal => caller.buy(&priced, "k"),
            Write::Recharge => caller.recharge("r").json(),
            Write::Deduction => caller.agent("deductionFlow", &format!("customerId={id}&trafficCount=1")).json(),
            Write::AddUser => caller.agent("addUser", "userName=new%40one.example").json(),
            Write::Password => caller.agent("updatePwd", &format!("customerId={id}&password=Secret1")).json(),
            Write::Status => caller.agent("changeStatus", &format!("customerId={id}&customerState=0")).json(),
        };
        assert!(answer["code"] != 200 && answer["code"] != "0", "{write:?}: {answer}");
        assert_eq!(caller.vendor.next_due(), Some(caller.now_ms + 1000), "{write:?} {at}");
        caller.now_ms += 1000;
        caller.vendor.settle(caller.now_ms);
    }
    let new: Vec<What> = caller.vendor.ledger().into_iter().skip(entries).map(|entry| entry.what).collect();
    assert!(matches!(new[0], What::Charged { .. }) && matches!(new[1], What::Delivered { count: 4, .. }), "{new:?}");
    assert!(matches!(new[2], What::Recharged { .. }) && matches!(new[3], What::Deducted { .. }), "{new:?}");
    assert!(matches!(new[4], What::Created { .. }), "{new:?}");
    assert!(matches!(new.last(), Some(What::StatusSet { active: false, .. })), "{new:?}");
}

#[test]
fn an_answer_is_lost_before_or_after_it_was_done_and_a_copy_arrives_later() {
    let mut caller = Caller::plain();
    let cases = [
        (Mishap::LostBefore, Delivery::Lost, 0),
        (Mishap::LostAfter, Delivery::Lost, 1),
        (Mishap::CutShort, Delivery::Cut, 1),
        (Mishap::Refused { code: Some(400) }, Delivery::Whole, 0),
        (Mishap::Busy, Delivery::Whole, 0),
        (Mishap::Gateway { done_after_ms: Some(30_000) }, Delivery::Whole, 0),
        (Mishap::Doubled { after_ms: 30_000 }, Delivery::Whole, 1),
    ];
    for (mishap, delivery, times) in cases {
        caller.vendor.arrange(Write::Deduction, mishap.clone());
        let before = caller.vendor.ledger().len();
        let query = format!("customerId={}&trafficCount=0.1", caller.customer());
        assert_eq!(caller.agent("deductionFlow", &query).delivery, delivery, "{mishap:?}");
        assert_eq!(caller.vendor.ledger().len() - before, times, "{mishap:?}");
        let later = usize::from(caller.vendor.next_due().is_some());
        caller.now_ms += 30_000;
        caller.vendor.settle(caller.now_ms);
        assert_eq!(caller.vendor.ledger().len() - before, times + later, "{mishap:?}, later");
    }
}

#[test]
fn a_row_of_use_grows_in_place_or_streams_in() {
    for (use_rows, first, second) in [(UseRows::GrowInPlace, 1, 1), (UseRows::Stream, 1, 2), (UseRows::None, 0, 0)] {
        let mut choices = Choices::default();
        choices.lists.use_rows = use_rows;
        let mut caller = Caller::of(choices);
        let day = crate::spelling::day(caller.now_ms, 8);
        let query = format!("type=1&startDate={day}&endDate={day}");
        let (id, mb) = (caller.customer(), Decimal::from(3));
        caller.vendor.uses(id, mb, mb, caller.now_ms);
        assert_eq!(caller.rows(LIST, &query).len(), first, "{use_rows:?}");
        caller.now_ms += 5_000;
        caller.vendor.uses(id, mb, mb, caller.now_ms);
        let rows = caller.rows(LIST, &query);
        let sum: f64 = rows.iter().filter_map(|row| row["flowCount"].as_f64()).sum();
        assert_eq!((rows.len(), sum), (second, if first == 0 { 0.0 } else { -12.0 }), "{use_rows:?}");
    }
}

#[test]
fn a_page_is_cut_to_ten_and_the_last_one_comes_again() {
    let caller = Caller::of(Choices::default());
    let list = "/open/customer/list";
    assert_eq!(caller.rows(list, "pageSize=100").len(), 10);
    assert_eq!(caller.rows(list, "pageSize=100&pageNum=2").len(), 3);
    assert_eq!(caller.rows(list, "pageSize=100&pageNum=9").len(), 3);
    assert_eq!(caller.rows(list, "userName=SHOP07").len(), 1);
}

#[test]
fn the_same_get_is_refused_for_five_seconds_and_busy_comes_each_so_many() {
    let manners = Manners {
        same_again: Some(SameAgain { within_ms: 5_000, reads: true }),
        busy: Some(Busy { every: 4, retry_after_s: Some(2), writes: false }),
        ..Manners::default()
    };
    let mut caller = Caller::of(Choices { manners, ..Choices::default() });
    assert_eq!(caller.get(LIST, "pageNum=1").json()["code"], 200);
    assert_eq!(caller.get(LIST, "pageNum=1").text(), "{\"msg\":\"不允许重复提交，请稍候再试\",\"code\":500}");
    caller.now_ms += 5_000;
    assert_eq!(caller.get(LIST, "pageNum=1").json()["code"], 200);
    let busy = caller.get(LIST, "pageNum=2");
    assert!(busy.status == 429 && busy.headers.contains(&("Retry-After".into(), "2".into())));
}

#[test]
fn a_read_shows_the_old_answer_twice_running_and_records_lag() {
    let mut caller = Caller::of(Choices::named("drowsy").expect("a preset"));
    let newest = |caller: &Caller| caller.rows(LIST, "")[0]["flowCount"].clone();
    let old = newest(&caller);
    assert_eq!(caller.recharge("r1").json()["code"], 200);
    caller.now_ms += 2_999;
    assert_eq!(newest(&caller), old, "it lags");
    caller.now_ms += 1;
    assert_eq!([newest(&caller), newest(&caller)], [old.clone(), old], "it is stale twice");
    assert_eq!(newest(&caller), json!(2560.0));
}

#[test]
fn somebody_else_moves_traffic_and_is_named_in_the_record() {
    let caller = Caller::plain();
    let command = Command::Deduct { customer: caller.customer(), gb: Decimal::ONE };
    caller.vendor.act(&Actor::colleague(), &command, caller.now_ms).expect("it is done");
    let row = &caller.rows(LIST, "type=1")[0];
    assert_eq!((&row["flowCount"], &row["createId"]), (&json!(-1024), &json!(70_212)));
    assert_eq!(row["createBy"], "agency-desk-2");
}

#[test]
fn the_customers_go_on_using_their_traffic() {
    let manners = Manners { live_use: Some(LiveUse { every_ms: 1_000, most_cmb: 500 }), ..Manners::default() };
    let mut caller = Caller::of(Choices { manners, ..Choices::default() });
    caller.vendor.settle(caller.now_ms);
    let before = caller.vendor.ledger().len();
    caller.now_ms += 30_000;
    caller.vendor.settle(caller.now_ms);
    assert_eq!(caller.vendor.ledger().len() - before, 30);
}

#[test]
fn each_area_wants_its_own_credentials() {
    let caller = Caller::of(Choices::default());
    let ask = |request: &Request| {
        let answer = caller.vendor.answer(request, caller.now_ms);
        (answer.status, answer.json()["code"].clone(), answer.json()["data"].clone())
    };
    let options = Request::get("/api/open/staticip/purchase/options", "");
    assert_eq!(ask(&options), (401, json!("20010"), Value::Null));
    assert_eq!(ask(&options.clone().with("userid", "x")), (401, json!("20011"), Value::Null));
    assert_eq!(ask(&options.with("UserId", "x").with("Token", "y")), (401, json!("20000"), Value::Null));
    assert_eq!(ask(&Request::get(LIST, "").with("token", "old")), (200, json!(200), Value::Null));
    assert_eq!(ask(&Request::get("/prod-api/open/main/ping", "")).0, 200, "a ping needs none");
    let mine = caller.vendor.seen();
    assert!(mine.iter().all(|seen| !seen.query.contains("old")) && mine.len() == 5);
}

#[test]
fn zero_means_active_where_that_is_the_polarity() {
    let caller = Caller::of(Choices::named("stern").expect("a preset"));
    let query = format!("customerId={}&customerState=0", caller.customer());
    assert_eq!(caller.agent("changeStatus", &query).json()["code"], 200);
    assert!(matches!(caller.vendor.ledger().last().map(|e| &e.what), Some(What::StatusSet { active: true, .. })));
}

#[test]
fn choices_are_data_and_what_is_not_named_keeps_its_default() {
    let some: Choices = serde_json::from_str(r#"{"writing":{"moments":"Millis"}}"#).expect("choices");
    assert_eq!((some.writing.moments, some.deeds), (Moments::Millis, Deeds::default()));
    assert!(serde_json::from_str::<Choices>(r#"{"writting":{}}"#).is_err(), "a misspelt choice is an error");
    for name in Choices::NAMES {
        let choices = Choices::named(name).expect("a preset");
        let text = serde_json::to_string(&choices).expect("JSON");
        assert_eq!(serde_json::from_str::<Choices>(&text).expect("choices"), choices);
    }
}
