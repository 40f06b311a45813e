//! Renewing IPs: its price, its payment, and the ends that prove it.

use operations::{GoodsKey, OperationView, State};
use sandbox::{Capability as Offered, Fault, Options};
use serde_json::json;
use tests::agent::{Agent, buy_elsewhere, code, field, page, wrong};
use tests::service::{always, requests};
use till::Code;
use till::goods::{find_goods, found_goods_keys, read_goods};
use till::renewals::{RenewalPriced, offer_renewal, pay_renewal, renewal_price, renewed_ends};
use wire::Amount;

/// The endpoint that spends money.
const PAYING: &str = "renewals/orders/place-and-pay";

/// An agent with three IPs, whose vendor is known to renew.
async fn owner() -> (Agent, Vec<GoodsKey>) {
    owner_at(Options::default()).await
}

async fn owner_at(options: Options) -> (Agent, Vec<GoodsKey>) {
    let agent = Agent::connected_to(options).await;
    let order = agent.buy().await.order.expect("an order").order_no;
    till::orders::order_detail(&agent.till, order).await.expect("it is read");
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    till::health::check_vendor(&agent.till, id).await.expect("it is checked");
    let keys = keys(&agent).await;
    (agent, keys)
}

async fn keys(agent: &Agent) -> Vec<GoodsKey> {
    let query = json!({ "search": "", "order": "added", "down": false, "filter": {} });
    let found = find_goods(&agent.till, page(query)).await.expect("a list");
    found.rows.iter().map(|row| row.item.key.clone()).collect()
}

async fn price(agent: &Agent, keys: &[GoodsKey], days: i64) -> Result<RenewalPriced, till::CommandError> {
    renewal_price(&agent.till, page(json!({ "keys": keys, "periodDays": days }))).await
}

async fn renew(agent: &Agent, keys: &[GoodsKey]) -> OperationView {
    let priced = price(agent, keys, 30).await.expect("a price");
    let offered = offer_renewal(&agent.till, priced.number).await.expect("an offer");
    pay_renewal(&agent.till, offered.token).await.expect("it is sent")
}

fn renewals(agent: &Agent) -> usize {
    agent.service.world.ledger().expect("a ledger").renewals.len()
}

#[tokio::test]
async fn ips_are_renewed_and_paid_once_and_their_later_end_is_seen() {
    let (agent, keys) = owner().await;
    let priced = price(&agent, &keys[..2], 60).await.expect("a price");
    assert_eq!((priced.ips.len(), priced.left_out.len(), priced.period_days), (2, 0, 60));
    assert!(priced.amount > Amount::ZERO && !priced.ips[0].expires.is_empty(), "{priced:?}");
    let offered = offer_renewal(&agent.till, priced.number).await.expect("an offer");
    assert_eq!((offered.amount, offered.currency.as_str()), (priced.amount, "USD"));
    let sent = pay_renewal(&agent.till, offered.token.clone()).await.expect("it is sent");
    assert_eq!((sent.state, sent.amount), (State::Applied, priced.amount));
    assert_eq!(code(pay_renewal(&agent.till, offered.token).await), Code::StaleConfirmation);
    assert_eq!(renewals(&agent), 1);
    let ends = renewed_ends(&agent.till, sent.id).await.expect("it is told").expect("the vendor has a list");
    assert!(ends.read_at.is_some() && ends.ips.iter().all(|ip| ip.later == Some(true)), "{ends:?}");
    let query = json!({ "search": "", "order": "added", "down": false, "filter": {} });
    let rows = find_goods(&agent.till, page(query)).await.expect("a list").rows;
    assert_eq!(rows.iter().map(|row| row.item.extended).collect::<Vec<_>>(), [true, true, false], "My IPs shows it");
}

#[tokio::test]
async fn a_price_that_changed_since_it_was_shown_sends_nothing() {
    let (agent, keys) = owner().await;
    let priced = price(&agent, &keys, 30).await.expect("a price");
    let offered = offer_renewal(&agent.till, priced.number).await.expect("an offer");
    agent.service.world.set_prices(200);
    let not = pay_renewal(&agent.till, offered.token.clone()).await.expect_err("another price");
    assert_eq!(not.code, Code::PriceChanged);
    assert!(not.details.near.as_deref().is_some_and(|now| now.ends_with(" USD")), "{not:?}");
    assert_eq!((renewals(&agent), requests(&agent.service, PAYING)), (0, 0));
    // It is confirmed again at the new price.
    assert_eq!(renew(&agent, &keys).await.state, State::Applied);
    assert_eq!(renewals(&agent), 1);
}

#[tokio::test]
async fn a_price_that_cannot_be_read_again_sends_nothing_and_can_be_confirmed_later() {
    let (agent, keys) = owner().await;
    let offered =
        offer_renewal(&agent.till, price(&agent, &keys, 30).await.expect("a price").number).await.expect("an offer");
    always(&agent.service, "renewals/quote", Fault::Status { code: 502 });
    assert_eq!(code(pay_renewal(&agent.till, offered.token.clone()).await), Code::VendorTrouble);
    assert_eq!(renewals(&agent), 0);
    agent.service.world.clear_faults();
    pay_renewal(&agent.till, offered.token).await.expect("the confirmation was not spent");
    assert_eq!(renewals(&agent), 1);
}

#[tokio::test]
async fn a_renewal_whose_token_was_refused_is_sent_again_only_at_its_price() {
    let (agent, keys) = owner().await;
    always(&agent.service, PAYING, Fault::Refuse { code: Some("20000".into()) });
    let sent = renew(&agent, &keys).await;
    assert_eq!((sent.state, sent.may_resend), (State::Rejected, true));
    agent.service.world.clear_faults();
    agent.service.world.set_prices(200);
    assert_eq!(code(till::activity::resend_operation(&agent.till, sent.id.clone()).await), Code::PriceChanged);
    assert_eq!(renewals(&agent), 0);
    agent.service.world.set_prices(100);
    let done = till::activity::resend_operation(&agent.till, sent.id).await.expect("the price is the same");
    assert_eq!((done.state, renewals(&agent)), (State::Applied, 1));
}

#[tokio::test]
async fn above_a_limit_a_person_is_asked_before_a_renewal() {
    let (agent, keys) = owner().await;
    agent.set_limits(Some("1"), None, None).await;
    agent.host.answers(Some(false));
    let offered =
        offer_renewal(&agent.till, price(&agent, &keys, 30).await.expect("a price").number).await.expect("an offer");
    assert_eq!(code(pay_renewal(&agent.till, offered.token).await), Code::Declined);
    assert_eq!((renewals(&agent), agent.host.questions().len()), (0, 1));
}

#[tokio::test]
async fn what_cannot_be_renewed_is_said_before_a_price_is_asked() {
    let (agent, keys) = owner().await;
    assert_eq!(field(price(&agent, &keys, 31).await), wrong("renewal", "period"));
    let stranger: GoodsKey = "A1 192.0.2.250 1080".parse().expect("a key");
    let asked = requests(&agent.service, "renewals/quote");
    assert_eq!(field(price(&agent, &[stranger], 30).await), wrong("renewal", "not-listed"));
    assert_eq!(requests(&agent.service, "renewals/quote"), asked);
    assert_eq!(code(offer_renewal(&agent.till, 7).await), Code::Changed, "a price that was never asked for");
    let (agent, keys) = owner_at(Options { without: vec![Offered::Renewals], ..Options::default() }).await;
    assert_eq!(field(price(&agent, &keys, 30).await), wrong("renewal", "not-offered"));
}

#[tokio::test]
async fn a_later_end_is_evidence_of_a_renewal_whose_answer_was_lost() {
    let (agent, keys) = owner().await;
    for (fault, later) in [(Fault::DropBefore, false), (Fault::DropAfter, true)] {
        agent.service.world.clear_faults();
        always(&agent.service, PAYING, fault);
        let sent = renew(&agent, &keys).await;
        assert!(sent.is_unconfirmed, "{:?}", sent.state);
        let ends = renewed_ends(&agent.till, sent.id.clone()).await.expect("it is told").expect("a list");
        assert!(ends.ips.iter().all(|ip| ip.later == Some(later)), "{ends:?}");
        let now = till::activity::operations_of(&agent.till, vec![sent.id.clone()]).await.expect("it is there");
        assert!(now[0].is_unconfirmed, "evidence proves nothing: the key does");
        let verdict = if later { "done" } else { "not-done" };
        till::activity::judge_operation(&agent.till, page(json!({ "id": sent.id, "verdict": verdict })))
            .await
            .expect("judged");
    }
}

#[tokio::test]
async fn ips_that_no_order_here_delivered_are_shown_renewed_and_handed_over() {
    let (agent, _) = owner().await;
    buy_elsewhere(&agent.service.base_url()).await;
    let before = agent.host.heard("ips-changed");
    read_goods(&agent.till, true).await.expect("it is read");
    assert!(agent.host.heard("ips-changed") > before, "the page is told");
    let query = json!({ "search": "", "order": "added", "down": false, "filter": { "elsewhere": true } });
    let found = find_goods(&agent.till, page(query)).await.expect("a list");
    assert_eq!((found.count, found.counts.elsewhere, found.all), (3, 3, 6));
    let keys: Vec<GoodsKey> = found.rows.iter().map(|row| row.item.key.clone()).collect();
    assert_eq!(renew(&agent, &keys).await.state, State::Applied);
    let draft = json!({ "id": null, "name": "ali", "customer": null, "contact": "", "language": "en", "note": "" });
    let ali = till::buyers::save_buyer(&agent.till, page(draft)).await.expect("a buyer");
    let layout = json!({ "format": "at", "template": "" });
    let of = json!({ "keys": keys, "buyer": ali, "layout": layout, "language": "en" });
    let message = till::hand_over::show_delivery(&agent.till, page(of)).await.expect("a message").text;
    assert!(keys.iter().all(|key| message.contains(&key.host)) && !message.contains("••"), "{message}");
}

#[tokio::test]
async fn a_renewal_of_some_of_the_ips_says_which_were_not_renewed_and_why() {
    let (agent, keys) = owner().await;
    let listed = tests::service::client(&agent.service).call(client::ips::page(1, 9)).await.expect("a page").data.rows;
    // For the first one, the vendor's own list reports an id that it does not renew.
    let row = |(at, ip): (usize, &wire::ips::ListedIp)| {
        let id = if at == 0 { "1" } else { ip.id.as_str() };
        json!({ "id": id, "ip": ip.host, "port": ip.port, "orderNo": ip.order_no, "expireTime": ip.about.expires })
    };
    let rows: Vec<_> = listed.iter().enumerate().map(row).collect();
    agent.service.world.answer_with("ips/page", Some(json!({ "results": rows })));
    read_goods(&agent.till, true).await.expect("it is read");
    let sent = renew(&agent, &keys).await;
    assert_eq!((sent.state, sent.is_done), (State::Applied, true), "what was paid is paid");
    let order = sent.order.expect("its order");
    assert_eq!((order.success_count, order.fail_count), (Some(2), Some(1)));
    let errors: Vec<_> = order.errors.iter().map(|one| (one.resource_id.as_str(), one.message.as_str())).collect();
    assert_eq!(errors, [("1", "unknown IP")]);
    assert_eq!(renewals(&agent), 1);
}

#[tokio::test]
async fn ips_that_the_list_does_not_name_are_left_out_and_named() {
    let (agent, mut keys) = owner().await;
    keys.insert(1, "A1 192.0.2.250 1080".parse().expect("a key"));
    keys.push("A1 2001:db8::1 1080".parse().expect("a key"));
    let priced = price(&agent, &keys, 30).await.expect("a price");
    assert_eq!((priced.ips.len(), priced.left_out), (3, vec!["192.0.2.250:1080".into(), "[2001:db8::1]:1080".into()]));
}

#[tokio::test]
async fn a_price_is_asked_for_five_hundred_ips_and_not_for_one_more() {
    let (agent, _) = owner().await;
    let row =
        |at: usize| json!({ "id": format!("9{at}"), "ip": format!("100.64.{}.{}", at / 200, at % 200), "port": 80 });
    let rows: Vec<_> = (0..501).map(row).collect();
    agent.service.world.answer_with("ips/page", Some(json!({ "results": rows, "total": rows.len() })));
    read_goods(&agent.till, true).await.expect("it is read");
    let query = json!({ "search": "100.64.", "order": "added", "down": false, "filter": {} });
    let found = find_goods(&agent.till, page(query)).await.expect("a list");
    let elsewhere = found_goods_keys(&agent.till, found.number).await.expect("their names");
    assert_eq!(elsewhere.len(), 501);
    // The vendor, which knows none of them, is asked.
    assert_eq!(code(price(&agent, &elsewhere[..500], 30).await), Code::Refused);
    let asked = requests(&agent.service, "renewals/quote");
    assert_eq!(field(price(&agent, &elsewhere, 30).await), wrong("renewal", "too-many"));
    assert_eq!(requests(&agent.service, "renewals/quote"), asked);
}

#[tokio::test]
async fn a_renewal_that_cost_another_sum_is_done_and_says_what_was_paid() {
    let (agent, keys) = owner().await;
    agent.service.world.answer_with(PAYING, Some(json!({ "amount": "9.5" })));
    let sent = renew(&agent, &keys).await;
    assert_eq!((sent.state, sent.is_done), (State::Applied, true), "what was paid is paid");
    assert_ne!(sent.amount.to_string(), "9.5");
    assert_eq!(sent.order.and_then(|order| order.amount).map(|paid| paid.to_string()).as_deref(), Some("9.5"));
}

#[tokio::test]
async fn failures_that_the_vendor_counts_and_does_not_name_are_counted() {
    let (agent, keys) = owner().await;
    agent.service.world.answer_with(PAYING, Some(json!({ "successCount": 2, "failCount": 1, "errors": [] })));
    let order = renew(&agent, &keys).await.order.expect("its order");
    assert_eq!((order.success_count, order.fail_count, order.errors.len()), (Some(2), Some(1), 0));
}

#[tokio::test]
async fn a_paid_renewal_is_read_in_another_shape_and_one_without_a_number_is_asked_for_under_its_key() {
    let (agent, keys) = owner().await;
    let odd =
        json!({ "successCount": "2", "failCount": "1", "errors": { "7": { "reason": "too old" } }, "currency": null });
    agent.service.world.answer_with(PAYING, Some(odd));
    let sent = renew(&agent, &keys).await;
    let order = sent.order.expect("its order");
    assert_eq!((sent.state, order.success_count, order.fail_count), (State::Applied, Some(2), Some(1)));
    assert_eq!((order.errors[0].resource_id.as_str(), order.errors[0].message.as_str()), ("7", "too old"));
    agent.service.world.answer_with(PAYING, Some(json!({ "orderNo": null })));
    let sent = renew(&agent, &keys).await;
    assert!(sent.is_unconfirmed, "{:?}", sent.state);
    agent.service.world.answer_with(PAYING, None);
    let applied = tests::until_at_last("its key is known", async || {
        let now =
            till::activity::operations_of(&agent.till, vec![sent.id.clone()]).await.expect("it is there").remove(0);
        now.is_done.then_some(now)
    });
    assert!(applied.await.order.is_some());
    assert_eq!((renewals(&agent), requests(&agent.service, PAYING)), (2, 3));
}
