//! Options, stock and price. An order is paid once and only once.

use operations::State;
use sandbox::THREE_IN_JAPAN;
use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use tests::service::requests;
use till::Code;
use till::purchase::{offer_order, pay_order, purchase_options, purchase_price, purchase_stock, segment_stock};

#[tokio::test]
async fn an_order_that_is_confirmed_twice_is_paid_once() {
    let agent = Agent::connected().await;
    let price = agent.price().await;
    assert_eq!((price.amount.to_string().as_str(), price.currency.as_str()), ("8.55", "USD"));
    assert!(price.expires_in.is_some());
    let offered = offer_order(&agent.till, price.quote_id).await.expect("an offer");
    assert_eq!(offered.amount, price.amount, "the button pays what was shown");
    let (first, second) =
        tokio::join!(pay_order(&agent.till, offered.token.clone()), pay_order(&agent.till, offered.token.clone()));
    let [paid, not] = if first.is_ok() { [first, second] } else { [second, first] };
    assert_eq!(paid.expect("one of them").state, State::Applied);
    assert_eq!(code(not), Code::StaleConfirmation);
    assert_eq!(code(pay_order(&agent.till, offered.token).await), Code::StaleConfirmation);
    assert_eq!(agent.orders(), 1);
}

#[tokio::test]
async fn above_a_limit_a_person_is_asked_and_a_no_pays_nothing() {
    let agent = Agent::connected().await;
    agent.set_limits(Some("5"), None, None).await;
    agent.host.answers(Some(false));
    let offered = offer_order(&agent.till, agent.price().await.quote_id).await.expect("an offer");
    assert_eq!(code(pay_order(&agent.till, offered.token.clone()).await), Code::Declined);
    assert_eq!((agent.orders(), requests(&agent.service, "place-and-pay")), (0, 0));
    let question = agent.host.last_question();
    assert!(question.text.contains("8.55 USD") && question.yes.contains("8.55 USD"), "{question:?}");
    agent.host.answers(Some(true));
    pay_order(&agent.till, offered.token).await.expect("the confirmation was not spent by the no");
    assert_eq!((agent.orders(), agent.host.questions().len()), (1, 2));
}

#[tokio::test]
async fn while_one_question_is_open_every_other_one_is_a_no() {
    let agent = Agent::connected().await;
    agent.set_limits(Some("5"), None, None).await;
    agent.host.answers(None);
    let offered = offer_order(&agent.till, agent.price().await.quote_id).await.expect("an offer");
    let (till, token) = (agent.till.clone(), offered.token.clone());
    let first = tokio::spawn(async move { pay_order(&till, token).await });
    tests::until("the person is asked", async || agent.host.questions().pop()).await;
    assert_eq!(code(pay_order(&agent.till, offered.token).await), Code::Declined);
    agent.host.answers(Some(true));
    first.await.expect("it ends").expect("it is paid");
    assert_eq!((agent.orders(), agent.host.questions().len()), (1, 1));
}

#[tokio::test]
async fn a_price_that_was_not_asked_here_is_not_offered() {
    let agent = Agent::connected().await;
    assert_eq!(code(offer_order(&agent.till, page(json!("made-up"))).await), Code::PriceExpired);
}

#[tokio::test]
async fn what_would_only_be_refused_is_not_asked() {
    let agent = Agent::connected().await;
    let with = |change: fn(&mut Value)| {
        let mut config: Value = serde_json::from_str(THREE_IN_JAPAN).expect("JSON");
        change(&mut config);
        page(json!({ "config": config, "lastVersion": null }))
    };
    type Change = fn(&mut Value);
    let changes: [(Change, [&str; 2]); 5] = [
        (|config| config["quotaItems"] = json!([]), ["lines", "empty"]),
        (|config| config["purchaseIpCount"] = json!(4), ["lines", "sum"]),
        (|config| config["quotaItems"][0]["quantity"] = json!(501), ["quantity", "out-of-range"]),
        (|config| config["quotaItems"][0]["countryCode"] = Value::Null, ["lines", "place"]),
        (
            |config| {
                (config["allocateStrategy"], config["quotaItems"]) = (json!(2), json!([]));
                config["segmentItems"] = json!([{"cidr": "203.0.113.0/33", "purchaseIpCount": 3}]);
            },
            ["cidr", "not-a-network"],
        ),
    ];
    for (change, [which, why]) in changes {
        assert_eq!(field(purchase_price(&agent.till, with(change)).await), wrong(which, why));
    }
    assert_eq!(requests(&agent.service, "quote"), 0);
}

#[tokio::test]
async fn options_and_stock_are_those_of_the_vendor() {
    let agent = Agent::connected().await;
    let options = purchase_options(&agent.till, ()).await.expect("options");
    assert!(tests::agent::seen_by_page(&options)["business"].to_string().contains("1001"));
    let stock = purchase_stock(&agent.till, page(json!({ "countryCode": "JP" }))).await.expect("stock");
    assert!(!stock.is_empty() && stock.iter().all(|row| row.country_code.as_str() == "JP"));
}

#[tokio::test]
async fn a_vendor_without_stock_by_segment_is_asked_once() {
    let without = vec![sandbox::Capability::Cidrs];
    let agent = Agent::connected_to(sandbox::Options { without, ..Default::default() }).await;
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    till::health::check_vendor(&agent.till, id).await.expect("it is checked");
    let asked = requests(&agent.service, "cidrs");
    let query = || page(json!({ "countryCode": "JP", "condition": { "allocateStrategy": 2 } }));
    assert!(segment_stock(&agent.till, query()).await.expect("an answer").is_none());
    assert!(segment_stock(&agent.till, query()).await.expect("an answer").is_none());
    assert_eq!(requests(&agent.service, "cidrs"), asked, "it is known to be absent");
    let agent = Agent::connected().await;
    assert!(segment_stock(&agent.till, query()).await.expect("stock").is_some());
}
