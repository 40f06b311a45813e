//! Handing over when something is odd: an IP that its order no longer lists or that came from elsewhere, a format that
//! cannot be remembered, a cache that is lost.

use sandbox::{Capability, Options};
use serde_json::{Value, json};
use tests::agent::{Agent, buy_elsewhere, field, page, wrong};
use till::buyers::list_buyers;
use till::goods::{found_goods_keys, read_goods, whose_goods};
use till::hand_over::{copy_delivery, picture_delivery, save_delivery, show_delivery};
use till::orders::order_detail;

use crate::goods::{assign, found, hand_over, new, with_goods};

const DETAIL: &str = "orders/detail";

#[tokio::test]
async fn an_ip_that_its_order_no_longer_lists_stays_with_its_buyer_and_is_not_handed_over() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let parts: Vec<&str> = keys[1].split(' ').collect();
    let left = json!([{ "ip": parts[1], "port": parts[2], "username": "u", "password": "p" }]);
    agent.service.world.answer_with(DETAIL, Some(json!({ "details": left })));
    agent.service.world.answer_with("ips/page", Some(json!({ "total": 0, "results": [] })));
    read_goods(&agent.till, true).await.expect("the vendor's list is read");
    let shown = order_detail(&agent.till, page(json!(parts[0]))).await.expect("it is read");
    assert_eq!(shown.addresses.len(), 1, "what the vendor lists");
    let unlisted: Vec<bool> = shown.particulars.proxies.iter().map(|one| one.no_longer_listed).collect();
    assert_eq!(unlisted, [false, true, true]);
    let rows = found(&agent, json!({ "buyer": { "of": "one", "id": ali } })).await.rows;
    let gone: Vec<&str> =
        rows.iter().filter(|row| row.item.no_longer_listed).map(|row| row.item.key.host.as_str()).collect();
    assert_eq!((rows.len(), gone.len(), gone.contains(&parts[1])), (3, 2, false));
    assert_eq!(
        field(copy_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await),
        wrong("delivery", "missing")
    );
    agent.service.world.answer_with(DETAIL, None);
    order_detail(&agent.till, page(json!(parts[0]))).await.expect("it is read");
    let rows = found(&agent, json!({})).await.rows;
    assert!(rows.len() == 3 && rows.iter().all(|row| !row.item.no_longer_listed), "they are listed again");
}

#[tokio::test]
async fn a_colon_in_a_password_is_told_where_it_breaks_the_lines_of_the_message() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let of = |format: &str| page(hand_over(&keys[..1], ali, format));
    let parts: Vec<&str> = keys[0].split(' ').collect();
    let one = json!([{ "ip": parts[1], "port": parts[2], "username": "u", "password": "p:w" }]);
    for (password_has_one, format, expected) in [(true, "at", true), (true, "host-only", false), (false, "at", false)] {
        let details = json!({ "details": one });
        agent.service.world.answer_with(DETAIL, password_has_one.then_some(details));
        let told = [
            show_delivery(&agent.till, of(format)).await.expect("a message").colons,
            copy_delivery(&agent.till, of(format)).await.expect("it is copied"),
            save_delivery(&agent.till, of(format)).await.expect("a file").colons,
            picture_delivery(&agent.till, of(format)).await.expect("a picture").colons,
        ];
        assert_eq!(told, [expected; 4], "{format}, {password_has_one}");
    }
}

#[tokio::test]
async fn what_was_copied_or_saved_is_not_called_failed_because_its_format_is_not_remembered() {
    let (agent, keys) = with_goods().await;
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a start").active.expect("a connection");
    let journal = rusqlite::Connection::open(agent.data(&format!("connections/{id}/journal.db"))).expect("SQLite");
    let full = "CREATE TRIGGER meddles BEFORE UPDATE ON buyer BEGIN SELECT raise(FAIL, 'the disk is full'); END";
    journal.execute_batch(full).expect("SQLite");
    copy_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await.expect("it is copied");
    assert!(agent.host.clipboard().0.is_some_and(|text| text.contains("ali")));
    let saved = save_delivery(&agent.till, page(hand_over(&keys, ali, "at"))).await.expect("it is saved");
    assert!(std::fs::read_to_string(&saved.path).is_ok_and(|text| text.contains("ali")));
    assert!(list_buyers(&agent.till, ()).await.expect("buyers")[0].layout.is_none(), "it was not remembered");
}

/// Whose IPs these are, and how many of them cannot be handed over.
async fn unreadable(agent: &Agent, filter: Value) -> (usize, usize) {
    let all = found(agent, filter).await;
    let keys = found_goods_keys(&agent.till, all.number).await.expect("their names");
    (keys.len(), whose_goods(&agent.till, keys).await.expect("an answer").unreadable.len())
}

#[tokio::test]
async fn an_ip_from_elsewhere_is_not_offered_to_a_buyer_where_the_vendor_shows_no_single_ip() {
    for (without, hidden) in [(vec![], 0), (vec![Capability::IpDetail], 3)] {
        let agent = Agent::connected_to(Options { without, ..Options::default() }).await;
        agent.buy().await;
        let id = till::start::boot(&agent.till, "en".into()).await.expect("a start").active.expect("a connection");
        till::health::check_vendor(&agent.till, id).await.expect("it is checked");
        buy_elsewhere(&agent.service.base_url()).await;
        read_goods(&agent.till, true).await.expect("it is read");
        assert_eq!(unreadable(&agent, json!({ "elsewhere": true })).await, (3, hidden));
        assert_eq!(unreadable(&agent, json!({})).await, (6, hidden), "an order shows its own");
    }
}

#[tokio::test]
async fn an_ip_from_elsewhere_stays_with_its_buyer_when_the_vendors_list_shows_it_no_more() {
    let agent = Agent::connected().await;
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a start").active.expect("a connection");
    till::health::check_vendor(&agent.till, id).await.expect("it is checked");
    buy_elsewhere(&agent.service.base_url()).await;
    read_goods(&agent.till, true).await.expect("it is read");
    let before = found(&agent, json!({})).await.rows;
    let keys: Vec<String> = before.iter().map(|row| row.item.key.to_string()).collect();
    assign(&agent, &keys[..1], new("ali")).await;
    agent.service.world.answer_with("ips/page", Some(json!({ "total": 0, "results": [] })));
    read_goods(&agent.till, true).await.expect("it is read");
    let rows = found(&agent, json!({})).await.rows;
    assert_eq!(rows.len(), 1, "the others were nobody's");
    let (was, is) = (&before[0].item, &rows[0].item);
    assert_eq!((&is.key, is.ends, &is.place, is.elsewhere), (&was.key, was.ends, &was.place, true));
    assert!(is.no_longer_listed && is.ip_id.as_str().is_empty(), "its id may be that of another IP now");
    assert!(was.ends.is_some() && rows[0].buyer.as_ref().is_some_and(|buyer| buyer.name == "ali"), "{:?}", rows[0]);
    agent.service.world.answer_with("ips/page", None);
    read_goods(&agent.till, true).await.expect("it is read");
    let rows = found(&agent, json!({})).await.rows;
    assert!(rows.len() == 3 && rows.iter().all(|row| !row.item.no_longer_listed), "they are listed again");
}

#[tokio::test]
async fn what_was_bought_and_for_whom_outlives_a_lost_cache() {
    let mut agent = Agent::connected().await;
    agent.buy().await;
    read_goods(&agent.till, true).await.expect("it is read");
    let keys = found(&agent, json!({})).await.rows.into_iter().map(|row| row.item.key.to_string());
    let keys: Vec<String> = keys.collect();
    let ali = assign(&agent, &keys, new("ali")).await[0].id;
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a start").active.expect("a connection");
    lose_cache(&agent);
    agent.start_again();
    // Its tokens were in memory only: the vendor tells nothing.
    till::connections::open_connection(&agent.till, id).await.expect("it opens");
    let rows = found(&agent, json!({ "buyer": { "of": "one", "id": ali } })).await.rows;
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| !row.item.expires.is_empty() && row.item.place.country_code == "JP"), "{rows:?}");
}

#[tokio::test]
async fn an_ip_from_elsewhere_stays_with_its_buyer_when_the_cache_is_lost_and_its_credentials_are_in_no_file() {
    let mut agent = Agent::connected().await;
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a start").active.expect("a connection");
    till::health::check_vendor(&agent.till, id.clone()).await.expect("it is checked");
    buy_elsewhere(&agent.service.base_url()).await;
    read_goods(&agent.till, true).await.expect("it is read");
    let keys: Vec<String> = found(&agent, json!({})).await.rows.iter().map(|row| row.item.key.to_string()).collect();
    let ali = assign(&agent, &keys[..2], new("ali")).await[0].id;
    copy_delivery(&agent.till, page(hand_over(&keys[..2], ali, "at"))).await.expect("it is copied");
    let text = agent.host.clipboard().0.expect("a message");
    let credentials = text.lines().filter_map(|line| line.split_once('@').map(|(credentials, _)| credentials));
    let secrets: Vec<String> =
        credentials.filter_map(|one| one.split_once(':').map(|(_, password)| password.to_owned())).collect();
    assert!(secrets.len() == 2 && secrets.iter().all(|one| one.len() > 5), "{} lines", text.lines().count());
    for file in tests::files(agent.data("").as_path()) {
        let found = tests::canary::found_in(&std::fs::read(&file).expect("a file"), &secrets);
        assert_eq!(found, [""; 0], "{}", file.display());
    }
    lose_cache(&agent);
    agent.start_again();
    till::connections::open_connection(&agent.till, id).await.expect("it opens");
    let rows = found(&agent, json!({ "buyer": { "of": "one", "id": ali } })).await.rows;
    assert!(rows.len() == 2 && rows.iter().all(|row| row.item.elsewhere && row.sent.is_none()), "{rows:?}");
    assert_eq!(found(&agent, json!({})).await.count, 2, "nobody had the third");
}

/// Empties the cache. It is not deleted: Windows lets nobody delete what the same process has open.
fn lose_cache(agent: &Agent) {
    let cache = tests::files(&agent.data("")).into_iter().find(|file| file.ends_with("cache.db")).expect("a cache");
    let cache = rusqlite::Connection::open(cache).expect("SQLite");
    let names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
    let names: Vec<String> = {
        let mut query = cache.prepare(names).expect("SQLite");
        query.query_map([], |row| row.get(0)).expect("SQLite").map(|name| name.expect("a name")).collect()
    };
    assert!(!names.is_empty());
    for name in names {
        cache.execute(&format!("DELETE FROM {name}"), []).expect("SQLite");
    }
}
