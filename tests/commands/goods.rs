//! My IPs: every proxy that was delivered, for whom it is, and how it is handed over.

use export::Format;
use operations::BuyerId;
use sandbox::Fault;
use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, seen_by_page, wrong};
use tests::service::{fault, requests};
use till::Code;
use till::buyers::{BuyerView, assign_goods, delete_buyer, deliveries_of, list_buyers, read_pasted, save_buyer};
use till::customers::read_customers;
use till::goods::{
    GoodsFound, find_goods, found_goods, found_goods_keys, goods_due, goods_ends, goods_named, goods_of,
    orders_with_ip, read_goods, whose_goods,
};
use till::hand_over::{
    copy_delivery, delivery_template, mark_sent, picture_delivery, preview_delivery, save_delivery,
    save_delivery_template, show_delivery, unmark_sent,
};
use till::orders::reveal_proxies;

const DETAIL: &str = "orders/detail";
const DAY: i64 = 86_400_000;

fn query(filter: Value) -> Value {
    let mut all = json!({ "ends": null, "buyer": null, "country": null, "order": null, "between": null });
    all.as_object_mut().expect("a filter").extend(filter.as_object().expect("a filter").clone());
    json!({ "search": "", "order": "added", "down": true, "filter": all })
}

pub(crate) async fn found(agent: &Agent, filter: Value) -> GoodsFound {
    find_goods(&agent.till, page(query(filter))).await.expect("a list")
}

/// An agent with one order of three IPs that was read. Returns their names too.
pub(crate) async fn with_goods() -> (Agent, Vec<String>) {
    let agent = Agent::connected().await;
    agent.buy().await;
    read_goods(&agent.till, false).await.expect("it is read");
    let keys = keys(&agent).await;
    (agent, keys)
}

async fn keys(agent: &Agent) -> Vec<String> {
    let all = found(agent, json!({})).await;
    let keys = found_goods_keys(&agent.till, all.number).await.expect("their names");
    keys.iter().map(ToString::to_string).collect()
}

/// Says for whom proxies are.
pub(crate) async fn assign(agent: &Agent, keys: &[String], who: Value) -> Vec<BuyerView> {
    let all = json!([{ "keys": keys, "who": who, "note": null }]);
    assign_goods(&agent.till, page(all)).await.expect("it is recorded")
}

pub(crate) fn new(name: &str) -> Value {
    json!({ "what": "new", "name": name })
}

pub(crate) fn hand_over(keys: &[String], buyer: BuyerId, format: &str) -> Value {
    json!({ "keys": keys, "buyer": buyer, "layout": { "format": format, "template": "" }, "language": "en" })
}

/// The three proxies with their credentials, as the vendor reports them.
async fn lines(agent: &Agent, format: &str) -> Vec<String> {
    let order = seen_by_page(&agent.service.world.ledger().expect("a ledger").orders[0].order_no);
    let asked = json!({ "orderNo": order, "layout": { "format": format, "template": "" } });
    reveal_proxies(&agent.till, page(asked)).await.expect("lines")
}

#[tokio::test]
async fn every_delivered_proxy_is_listed_without_credentials_and_without_asking_the_vendor_again() {
    let (agent, keys) = with_goods().await;
    let before = requests(&agent.service, "orders/detail");
    let all = found(&agent, json!({})).await;
    assert_eq!((all.count, all.all, all.rows.len(), all.counts.nobody), (3, 3, 3, 3));
    let window = json!({ "number": all.number, "first": 1, "count": 5 });
    let rows = found_goods(&agent.till, page(window)).await.expect("rows");
    assert_eq!(rows.len(), 2);
    let shown = seen_by_page(&rows[0]);
    assert_eq!((&shown["place"]["countryCode"], &shown["state"]), (&json!("JP"), &json!("active")));
    assert_eq!(shown["key"], json!(keys[1]));
    let order = rows[0].item.key.order_no.clone();
    assert_eq!(goods_of(&agent.till, order.clone()).await.expect("rows").len(), 3);
    let part = rows[0].item.key.host[..7].to_owned();
    assert_eq!(orders_with_ip(&agent.till, part).await.expect("orders"), [order]);
    for nothing in ["", "1", "12", "osaka", "1234"] {
        assert!(orders_with_ip(&agent.till, nothing.into()).await.expect("orders").is_empty(), "{nothing}");
    }
    assert_eq!(requests(&agent.service, "orders/detail"), before);
    assert_eq!(code(found_goods_keys(&agent.till, 999).await), Code::Changed);
}

#[tokio::test]
async fn a_list_that_did_not_change_keeps_its_number_and_another_gets_one_of_its_own() {
    let (agent, keys) = with_goods().await;
    let number = async |filter: Value| found(&agent, filter).await.number;
    let first = number(json!({})).await;
    assert_eq!(number(json!({})).await, first);
    assert_ne!(number(json!({ "ends": "expired" })).await, first);
    let all = number(json!({})).await;
    assign(&agent, &keys, new("ali")).await;
    assert_ne!(number(json!({})).await, all, "its rows are others");
}

#[tokio::test]
async fn proxies_run_out_by_the_vendors_clock() {
    let (agent, _) = with_goods().await;
    let ends = goods_ends(&agent.till, page(query(json!({})))).await.expect("ends");
    assert_eq!((ends.ends.len(), ends.ends[0].count, ends.unknown), (1, 3, 0));
    assert_eq!((ends.ends[0].at - ends.now).div_euclid(DAY), 29);
    assert_eq!(found(&agent, json!({ "ends": "within30" })).await.count, 3);
    let none = found(&agent, json!({ "ends": "within7" })).await;
    assert_eq!((none.count, none.outside, none.counts.ends), (0, 3, [0, 0, 3, 0, 0, 0]));
}

#[tokio::test]
async fn one_ip_is_shown_as_the_list_shows_it() {
    let (agent, keys) = with_goods().await;
    assign(&agent, &keys[..1], new("ali")).await;
    for (key, buyer) in [(&keys[0], Some("ali")), (&keys[1], None)] {
        let one = goods_named(&agent.till, page(json!(key))).await.expect("an answer").expect("it is known");
        assert_eq!((one.item.key.to_string(), one.buyer.as_ref().map(|of| of.name.as_str())), (key.clone(), buyer));
    }
    let unknown = goods_named(&agent.till, page(json!("T1 192.0.2.1 1080"))).await.expect("an answer");
    assert!(unknown.is_none());
}

#[tokio::test]
async fn a_search_says_how_many_the_filters_hide_and_the_page_of_a_buyer_hides_nobody_elses() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys[..1], new("ali")).await[0].id;
    let order = found(&agent, json!({})).await.rows[0].item.key.order_no.to_string();
    let nobody = json!({ "buyer": { "of": "nobody" } });
    let of_ali = json!({ "buyer": { "of": "one", "id": ali } });
    let cases = [
        (order.as_str(), &nobody, false, 2, 1),
        ("", &nobody, false, 2, 0),
        (&order, &of_ali, false, 1, 2),
        (&order, &of_ali, true, 1, 0),
    ];
    for (search, filter, within_buyer, count, outside) in cases {
        let mut asked = query(filter.clone());
        asked["search"] = json!(search);
        asked["withinBuyer"] = json!(within_buyer);
        let found = find_goods(&agent.till, page(asked)).await.expect("a list");
        assert_eq!((found.count, found.outside), (count, outside), "{search} {filter} {within_buyer}");
    }
}

#[tokio::test]
async fn proxies_are_assigned_all_or_none_and_a_deleted_buyer_still_names_them() {
    let (agent, keys) = with_goods().await;
    let before = requests(&agent.service, "orders/detail");
    let buyers = assign(&agent, &keys[..2], new(" ali ")).await;
    assert_eq!((buyers.len(), buyers[0].name.as_str(), buyers[0].ips, buyers[0].unsent), (1, "ali", 2, 2));
    let ali = buyers[0].id;
    assert_eq!(assign(&agent, &keys[2..], new("ALI")).await[0].ips, 3, "the same name is the same buyer");
    let nobody = json!([
        { "keys": keys[..1], "who": { "what": "nobody" }, "note": "spare" },
        { "keys": keys[1..], "who": { "what": "buyer", "id": 99 }, "note": null },
    ]);
    assert_eq!(code(assign_goods(&agent.till, page(nobody)).await), Code::Changed);
    assert_eq!(found(&agent, json!({ "buyer": { "of": "one", "id": ali } })).await.count, 3, "nothing was recorded");
    let nobody = json!([{ "keys": keys[..1], "who": { "what": "nobody" }, "note": "spare" }]);
    assign_goods(&agent.till, page(nobody)).await.expect("it is recorded");
    let free = found(&agent, json!({ "buyer": { "of": "nobody" } })).await;
    assert_eq!((free.count, free.rows[0].note.as_str()), (1, "spare"));
    delete_buyer(&agent.till, ali).await.expect("it is deleted");
    let left = list_buyers(&agent.till, ()).await.expect("buyers");
    assert_eq!((left.len(), left[0].deleted, left[0].ips), (1, true, 2));
    let after = assign(&agent, &keys[..1], new("ali")).await;
    assert_eq!(after.len(), 2, "a new ali is another one");
    assert_eq!(requests(&agent.service, "orders/detail"), before, "the vendor hears nothing of it");
    assert_eq!(code(delete_buyer(&agent.till, BuyerId(99)).await), Code::NotPossible);
}

#[tokio::test]
async fn whose_proxies_are_and_how_many_have_run_out_is_known_before_they_are_handed_over() {
    let (agent, keys) = with_goods().await;
    assign(&agent, &keys[..2], new("ali")).await;
    let about = whose_goods(&agent.till, page(json!(keys))).await.expect("an answer");
    let counts: Vec<_> = about.whose.iter().map(|one| (one.buyer.is_some(), one.count)).collect();
    assert_eq!((counts, about.expired.len()), (vec![(true, 2), (false, 1)], 0));
    // The vendor sold these long ago.
    agent.service.world.clock.advance(-40 * DAY);
    agent.buy().await;
    read_goods(&agent.till, false).await.expect("it is read");
    let expired = found(&agent, json!({ "ends": "expired" })).await;
    let keys = found_goods_keys(&agent.till, expired.number).await.expect("names");
    assert_eq!(whose_goods(&agent.till, keys).await.expect("an answer").expired.len(), 3);
}

#[tokio::test]
async fn a_buyer_has_a_name_of_its_own_and_a_customer_becomes_one_once() {
    let (agent, keys) = with_goods().await;
    read_customers(&agent.till, true).await.expect("customers");
    let draft = |id: Value, name: &str| json!({ "id": id, "name": name, "customer": null, "contact": "@ali", "language": "zh-CN", "note": "" });
    let ali = save_buyer(&agent.till, page(draft(Value::Null, "Ali"))).await.expect("a buyer");
    assert_eq!(field(save_buyer(&agent.till, page(draft(Value::Null, "ali "))).await), wrong("buyer-name", "taken"));
    assert_eq!(field(save_buyer(&agent.till, page(draft(Value::Null, " "))).await), wrong("buyer-name", "empty"));
    save_buyer(&agent.till, page(draft(json!(ali), "Alice"))).await.expect("it is renamed");
    let customer = json!({ "what": "customer", "id": tests::traffic_move::CUSTOMER, "name": "alice" });
    let buyers = assign(&agent, &keys, customer.clone()).await;
    assert_eq!((buyers.len(), buyers[0].id, buyers[0].language.as_str()), (1, ali, "zh-CN"));
    assert!(buyers[0].customer.is_some(), "a free name that turns out to be a customer's is the same buyer");
    assert_eq!(assign(&agent, &keys, customer).await.len(), 1);
}

#[tokio::test]
async fn pasted_lines_say_which_proxies_are_for_whom_and_what_is_not_clear() {
    let (agent, keys) = with_goods().await;
    read_customers(&agent.till, true).await.expect("customers");
    let buyers = assign(&agent, &keys[..1], new("ali")).await;
    let host = |at: usize| keys[at].split(' ').nth(1).expect("a host").to_owned();
    let text = format!("{} → ali\n{}: dora\n203.0.113.9 ali", host(0), host(1));
    let lines = read_pasted(&agent.till, text).await.expect("lines");
    assert_eq!(lines.len(), 3);
    let meant = seen_by_page(&lines[0].meant.one);
    assert_eq!(meant["who"], json!({ "what": "buyer", "id": buyers[0].id }));
    assert_eq!(lines[0].addresses[0].meanings[0].keys[0].to_string(), keys[0]);
    assert!(lines[1].meant.one.is_none() && lines[1].meant.perhaps.is_empty());
    assert!(lines[2].addresses[0].meanings.is_empty());
    let customer = &till::customers::list_customers(&agent.till, false).await.expect("customers")[5];
    let lines = read_pasted(&agent.till, format!("{} {}", host(0), customer.user_name)).await.expect("lines");
    assert_eq!(seen_by_page(&lines[0].meant.one)["who"]["id"], seen_by_page(&customer.customer_id));
}

#[tokio::test]
async fn a_message_hands_proxies_over_in_the_buyers_format_and_remembers_it() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let before = requests(&agent.service, DETAIL);
    let concealed = preview_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await.expect("a message");
    assert_eq!(requests(&agent.service, DETAIL), before, "a preview asks nobody");
    let real = lines(&agent, "at").await;
    assert!(concealed.contains("ali") && real.iter().all(|line| !concealed.contains(line)), "{concealed}");
    let shown = show_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await.expect("a message");
    assert!(real.iter().all(|line| shown.text.contains(line)) && !shown.colons, "{}", shown.text);
    assert!(list_buyers(&agent.till, ()).await.expect("buyers")[0].layout.is_none(), "looking changes nothing");
    copy_delivery(&agent.till, page(hand_over(&keys[..1], ali, "at"))).await.expect("it is copied");
    let (copied, _) = agent.host.clipboard();
    let copied = copied.expect("a message");
    let holds = |text: &str| real.iter().filter(|line| text.contains(*line)).count();
    assert_eq!(holds(&copied), 1, "{copied}");
    let layout = seen_by_page(&list_buyers(&agent.till, ()).await.expect("buyers")[0].layout);
    assert_eq!(layout["format"], json!("at"));
    let saved = save_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await.expect("a file");
    assert_eq!((saved.count, holds(&std::fs::read_to_string(&saved.path).expect("a file"))), (3, 3));
    let own =
        json!({ "keys": keys, "buyer": ali, "layout": { "format": "own", "template": "%nothing%" }, "language": "en" });
    assert_eq!(field(copy_delivery(&agent.till, page(own)).await), wrong("template", "unknown-word"));
}

#[tokio::test]
async fn proxies_are_saved_as_a_picture_as_long_as_its_code_holds_them() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let saved = picture_delivery(&agent.till, page(hand_over(&keys, ali, "socks5"))).await.expect("a picture");
    let bytes = std::fs::read(&saved.path).expect("a file");
    assert!(saved.count == 3 && saved.path.ends_with(".png") && bytes.starts_with(b"\x89PNG"), "{}", saved.path);
    // `export` shows that another program reads such a picture. This one holds what the vendor delivered, in their order.
    let order = till::orders::list_orders(&agent.till, ()).await.expect("a book").remove(0).order_no;
    let vendor = tests::service::client(&agent.service);
    let delivered = vendor.call(client::orders::detail(&order)).await.expect("an order").data.proxies();
    let line = |key: &String| {
        let proxy =
            delivered.iter().find(|proxy| key.split(' ').nth(1) == Some(proxy.host.as_str())).expect("its proxy");
        export::line(proxy, &Format::Socks5.into())
    };
    let text = keys.iter().map(line).collect::<Vec<_>>().join("\n");
    assert_eq!(bytes, export::picture::qr(&text).expect("a picture"));
    let long = json!({ "format": "own", "template": format!("%ip%{}", "x".repeat(3_000)) });
    let long = json!({ "keys": keys, "buyer": ali, "layout": long, "language": "en" });
    assert_eq!(field(picture_delivery(&agent.till, page(long)).await), wrong("delivery", "too-long"));
}

#[tokio::test]
async fn nothing_is_handed_over_if_any_of_it_is_no_longer_there() {
    let (agent, mut keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let gone = keys[0].replace(keys[0].split(' ').nth(1).expect("a host"), "203.0.113.7");
    keys.push(gone);
    let refused = copy_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await;
    let near = refused.as_ref().err().and_then(|error| error.details.near.clone()).expect("what is missing");
    assert!(near.starts_with("203.0.113.7:"), "{near}");
    assert_eq!(field(refused), wrong("delivery", "missing"));
    assert_eq!(agent.host.clipboard().0, None);
    fault(&agent.service, DETAIL, Fault::Status { code: 503 });
    assert_eq!(code(copy_delivery(&agent.till, page(hand_over(&keys[..1], ali, "at"))).await), Code::VendorTrouble);
    assert_eq!(agent.host.clipboard().0, None);
}

#[tokio::test]
async fn what_was_sent_is_marked_listed_and_taken_back() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let sent = |keys: &[String]| json!({ "keys": keys, "buyer": ali, "how": "copied" });
    let at = mark_sent(&agent.till, page(sent(&keys[..2]))).await.expect("it is marked");
    let rows = found(&agent, json!({})).await.rows;
    assert_eq!(rows.iter().filter(|row| row.sent.is_some_and(|sent| sent.at == at)).count(), 2);
    let deliveries = deliveries_of(&agent.till, ali).await.expect("deliveries");
    assert_eq!((deliveries.len(), deliveries[0].at, deliveries[0].addresses.len()), (1, at, 2));
    assign(&agent, &keys[..1], new("bob")).await;
    assert_eq!(list_buyers(&agent.till, ()).await.expect("buyers")[1].unsent, 1, "bob has not got it yet");
    assert_eq!(deliveries_of(&agent.till, ali).await.expect("deliveries")[0].addresses.len(), 2, "ali still has it");
    unmark_sent(&agent.till, page(sent(&keys[..2]))).await.expect("it is taken back");
    assert!(deliveries_of(&agent.till, ali).await.expect("deliveries").is_empty());
    let nobody = json!({ "keys": keys, "buyer": 99, "how": "copied" });
    assert_eq!(code(mark_sent(&agent.till, page(nobody)).await), Code::Changed);
}

#[tokio::test]
async fn a_message_is_edited_per_language_and_a_slip_in_its_placeholders_is_named() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let usual = delivery_template(&agent.till, "en".into()).await.expect("a text");
    assert!(usual.contains("{proxies}"));
    let save =
        async |body: &str| save_delivery_template(&agent.till, page(json!({ "language": "en", "body": body }))).await;
    assert_eq!(field(save("Hi {name}").await), wrong("delivery-template", "no-proxies"));
    assert_eq!(field(save("{nmae} {proxies}").await), wrong("delivery-template", "unknown-word"));
    assert_eq!(delivery_template(&agent.till, "en".into()).await.expect("a text"), usual);
    save("{name}/{count}/{expires}/{order}/{proxies}").await.expect("it is saved");
    assert_ne!(delivery_template(&agent.till, "zh-CN".into()).await.expect("a text"), usual);
    let text = preview_delivery(&agent.till, page(hand_over(&keys, ali, "host-only"))).await.expect("a message");
    let parts: Vec<&str> = text.split('/').collect();
    assert_eq!((parts[0], parts[1], parts[2].len()), ("ali", "3", "2026-12-25 21:25 (UTC+8)".len()));
    assert!(keys[0].starts_with(parts[3]), "{text}");
    assert_eq!(parts[4].lines().count(), 3);
}

#[tokio::test]
async fn buyers_marks_and_notes_outlive_the_program_and_no_credential_is_in_any_of_its_files() {
    let mut agent = Agent::connected().await;
    agent.buy().await;
    read_goods(&agent.till, false).await.expect("it is read");
    let keys = keys(&agent).await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    copy_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await.expect("it is copied");
    mark_sent(&agent.till, page(json!({ "keys": keys, "buyer": ali, "how": "copied" }))).await.expect("it is marked");
    let secrets: Vec<String> = lines(&agent, "at")
        .await
        .iter()
        .filter_map(|line| line.split('@').next()?.split_once(':').map(|(_, password)| password.to_owned()))
        .collect();
    assert!(secrets.len() == 3 && secrets.iter().all(|one| one.len() > 5), "{}", secrets.len());
    let files = tests::files(agent.data("").as_path());
    assert!(files.iter().any(|file| file.ends_with("journal.db")), "{files:?}");
    for file in files {
        let found = tests::canary::found_in(&std::fs::read(&file).expect("a file"), &secrets);
        assert_eq!(found, [""; 0], "{}", file.display());
    }
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a start").active.expect("a connection");
    agent.start_again();
    till::connections::open_connection(&agent.till, id).await.expect("it opens");
    let rows = found(&agent, json!({ "buyer": { "of": "one", "id": ali } })).await.rows;
    assert!(rows.len() == 3 && rows.iter().all(|row| row.sent.is_some()), "{rows:?}");
}

#[tokio::test]
async fn what_runs_out_within_days_is_counted_for_the_first_screen() {
    let agent = Agent::connected().await;
    // An order lasts thirty days.
    for (ago, within3, within7) in [(0, 0, 0), (24, 0, 3), (4, 3, 6), (4, 3, 6)] {
        agent.service.world.clock.advance(-ago * DAY);
        agent.buy().await;
        read_goods(&agent.till, false).await.expect("it is read");
        let due = goods_due(&agent.till, ()).await.expect("an answer");
        assert_eq!((due.within3, due.within7), (within3, within7), "sold {ago} days earlier");
    }
}
