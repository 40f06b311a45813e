//! The endpoints that the contract lacks: there, switched off, and in another shape. The same with the second service,
//! which has some of them in shapes of its own and leaves others out.

use client::{Area, Call, Error};
use reqwest::Method;
use sandbox::Capability;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tests::caller::{Caller, send};
use tests::foreign::Foreign;
use tests::service::client;
use vendor::{Actor, Choices, Command, FOUR_IN_JAPAN};
use wire::ids::{CityId, CountryCode, IpId, OrderNo};
use wire::inventory::{Direction, InventoryCondition, SegmentField, SegmentSort, SegmentsQuery};

async fn bought(caller: &Caller, change: Value) -> OrderNo {
    let order = caller.order_for(change).await;
    OrderNo::new(caller.place(&order, Some("k")).await.data()["orderNo"].as_str().expect("a number"))
}

fn in_portugal() -> SegmentsQuery {
    SegmentsQuery {
        country_code: CountryCode::new("PT"),
        city_code: None,
        keyword: None,
        condition: InventoryCondition::default(),
        sort: None,
    }
}

#[tokio::test]
async fn a_ping_tells_the_services_time_and_needs_no_credentials() {
    let caller = Caller::new().await;
    let said = send(caller.bare(Method::GET, "/api/open/main/ping")).await;
    let told = said.data()["serverTime"].as_i64().expect("a time");
    assert!((told - caller.service.world.clock.now()).abs() < 5_000);
    let read = client(&caller.service).call(client::ping::ping(Area::Static)).await.expect("a ping").data;
    assert_eq!(read.service, "sandbox");
}

#[tokio::test]
async fn segments_are_filtered_by_a_keyword_and_sorted_as_asked() {
    let caller = Caller::new().await;
    let reads = client(&caller.service);
    let ask =
        async |query: SegmentsQuery| reads.call(client::inventory::segments(&query)).await.expect("segments").data;
    let all = ask(in_portugal()).await;
    let part = &all[0].cidr;
    let found = ask(SegmentsQuery { keyword: Some(part.clone()), ..in_portugal() }).await;
    assert!(!found.is_empty() && found.len() < all.len() && found.iter().all(|row| row.cidr.contains(part.as_str())));
    assert!(ask(SegmentsQuery { keyword: Some("nowhere".into()), ..in_portugal() }).await.is_empty());
    for (direction, expected) in [(Direction::Asc, 1), (Direction::Desc, -1)] {
        let sort = Some(SegmentSort { field: SegmentField::Stock, direction });
        let sorted = ask(SegmentsQuery { sort, ..in_portugal() }).await;
        let stock: Vec<i64> = sorted.iter().filter_map(|row| row.available).map(|free| free * expected).collect();
        assert!(stock.len() == all.len() && stock.is_sorted(), "{stock:?}");
        // They all have one price, so its order loses none and moves none.
        let by_price = Some(SegmentSort { field: SegmentField::Price, direction });
        assert_eq!(ask(SegmentsQuery { sort: by_price, ..in_portugal() }).await, all);
    }
}

#[tokio::test]
async fn a_keyword_and_a_sort_that_are_switched_off_are_ignored() {
    let caller = Caller::new().await;
    let reads = client(&caller.service);
    let ask =
        async |query: SegmentsQuery| reads.call(client::inventory::segments(&query)).await.expect("segments").data;
    let all = ask(in_portugal()).await;
    let nowhere = SegmentsQuery { keyword: Some("nowhere".into()), ..in_portugal() };
    let sorts =
        [Direction::Asc, Direction::Desc].map(|direction| SegmentSort { field: SegmentField::Stock, direction });
    let by = |sort| SegmentsQuery { sort: Some(sort), ..in_portugal() };
    caller.service.world.offer(Capability::CidrKeyword, false);
    assert_eq!(ask(nowhere.clone()).await, all);
    assert_ne!(ask(by(sorts[0])).await, ask(by(sorts[1])).await, "the order is still obeyed");
    caller.service.world.offer(Capability::CidrSort, false);
    caller.service.world.offer(Capability::CidrKeyword, true);
    assert_eq!((ask(by(sorts[0])).await, ask(by(sorts[1])).await), (all.clone(), all));
    assert!(ask(nowhere).await.is_empty(), "the keyword is still obeyed");
}

#[tokio::test]
async fn a_vendor_that_obeys_neither_keyword_nor_sort_is_read_as_it_answers() {
    let caller = Caller::new().await;
    let reads = client(&caller.service);
    let sort = Some(SegmentSort { field: SegmentField::Stock, direction: Direction::Desc });
    let query = SegmentsQuery { keyword: Some("203".into()), sort, ..in_portugal() };
    // The same rows in their own order, with numbers as text, as numbers, or not reported.
    let rows = json!([
        {"cidrId": 7, "cidr": "192.0.2.0/24", "available": "3", "unitPrice": "0.12"},
        {"cidrId": "8", "cidr": "198.51.100.0/24", "available": 5, "unitPrice": 0.1},
        {"cidrId": null, "cidr": "203.0.113.0/24"},
    ]);
    caller.service.world.answer_whole_with("inventory/cidrs", rows);
    let read = reads.call(client::inventory::segments(&query)).await.expect("segments").data;
    let told: Vec<_> = read
        .iter()
        .map(|row| (row.cidr_id.as_str(), row.available, row.unit_price.as_ref().map(ToString::to_string)))
        .collect();
    let expected = [("7", Some(3), Some("0.12".to_owned())), ("8", Some(5), Some("0.1".to_owned())), ("", None, None)];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn an_ip_is_read_under_other_names_and_an_order_number_that_is_not_told_stays_empty() {
    let caller = Caller::new().await;
    let reads = client(&caller.service);
    bought(&caller, json!({})).await;
    let listed = reads.call(client::ips::page(1, 1)).await.expect("a page").data.rows;
    let own = json!({"username": "u", "password": "p"});
    for (shape, order) in [
        (json!({"ipId": 7, "proxy_host": "192.0.2.9", "port": "1080", "orderNumber": "A1"}), "A1"),
        (json!({"resourceId": "7", "ipAddress": "192.0.2.9", "proxyPort": 1080, "purchase_order_no": 2}), "2"),
        (json!({"host": "192.0.2.9", "port": 1080}), ""),
    ] {
        caller.service.world.answer_whole_with("ips/detail", tests::caller::with(own.clone(), shape.clone()));
        let read = reads.call(client::ips::detail(&listed[0].id)).await.expect("an IP").data;
        let proxy = &read.proxy;
        assert_eq!((proxy.host.as_str(), proxy.port, proxy.password.as_str()), ("192.0.2.9", 1080, "p"), "{shape}");
        assert_eq!(read.order_no.as_str(), order, "{shape}");
    }
}

#[tokio::test]
async fn the_status_of_an_order_is_that_of_its_detail() {
    let caller = Caller::new().await;
    let number = bought(&caller, json!({})).await;
    let reads = client(&caller.service);
    let standing = reads.call(client::orders::status(&number)).await.expect("a status").data;
    assert_eq!((standing.order_no.clone(), standing.status.0.as_str()), (number, "20"));
    let unknown = reads.call(client::orders::status(&OrderNo::new("1"))).await;
    assert!(matches!(unknown, Err(Error::Refused(no)) if no.code == "60301"));
}

#[tokio::test]
async fn every_delivered_ip_is_listed_in_pages_without_credentials_and_detailed_with_them() {
    let caller = Caller::new().await;
    let number = bought(&caller, json!({"proxyType": "http"})).await;
    let raw = caller.post("ips/page", json!({"pageIndex": 1, "pageSize": 2})).await.data().clone();
    assert_eq!((&raw["pageIndex"], &raw["pageSize"], &raw["total"]), (&json!(1), &json!(2), &json!(3)));
    assert!(!raw.to_string().contains("proxyPassword"));
    let reads = client(&caller.service);
    let mut listed = Vec::new();
    for (page, rows) in [(1, 2), (2, 1), (3, 0)] {
        let read = reads.call(client::ips::page(page, 2)).await.expect("a page").data;
        assert_eq!((read.total, read.rows.len(), read.unreadable), (3, rows, 0));
        listed.extend(read.rows);
    }
    let order = reads.call(client::orders::detail(&number)).await.expect("an order").data;
    for (ip, proxy) in listed.iter().zip(order.proxies()) {
        let detail = reads.call(client::ips::detail(&ip.id)).await.expect("an IP").data;
        assert_eq!((&ip.host, &ip.about.expires), (&proxy.host, &proxy.about.expires));
        assert_eq!((&detail.order_no, detail.proxy.port), (&number, proxy.port));
        assert!(detail.proxy.password == proxy.password && detail.proxy.protocol == "http");
    }
    let only = async |criteria: Value| {
        caller.post("ips/page", json!({"pageIndex": 1, "pageSize": 9, "criteria": criteria})).await.data()["total"]
            .clone()
    };
    assert_eq!(only(json!({"countryCode": "US"})).await, json!(0));
    assert_eq!(only(json!({"keyword": listed[0].host})).await, json!(1));
    assert_eq!(only(json!({"usageStatus": 2})).await, json!(0));
    assert_eq!(caller.post("ips/page", json!({"pageIndex": 0, "pageSize": 9})).await.refusal(), (400, "40000"));
    let unknown = reads.call(client::ips::detail(&IpId::new("1"))).await;
    assert!(matches!(unknown, Err(Error::Refused(no)) if no.code == "60401"));
}

#[tokio::test]
async fn a_renewal_is_priced_without_effect_and_paid_once_for_each_key() {
    let caller = Caller::new().await;
    let number = bought(&caller, json!({})).await;
    let reads = client(&caller.service);
    let listed = reads.call(client::ips::page(1, 9)).await.expect("a page").data.rows;
    let ids: Vec<IpId> = listed.iter().map(|ip| ip.id.clone()).collect();
    let wallet = caller.wallet();
    let price = reads.call(client::renewals::quote(&ids, 30)).await.expect("a price").data;
    // Three basic IPs for 30 days, without the discount of a purchase.
    assert_eq!((price.amount.to_string().as_str(), price.currency.as_str()), ("9", "USD"));
    assert_eq!(caller.wallet(), wallet, "a price costs nothing");
    let body = json!({"resourceIds": [ids[0], "1"], "periodDays": 30});
    let renew = async |body: &Value, key: &str| {
        let request = caller.to_static(Method::POST, "renewals/orders/place-and-pay").json(body);
        send(request.header("X-Idempotency-Key", key)).await
    };
    let first = renew(&body, "r").await.data().clone();
    assert_eq!((&first["successCount"], &first["failCount"]), (&json!(1), &json!(1)));
    assert_eq!(renew(&body, "r").await.data(), &first);
    assert_eq!(caller.wallet(), "988.45", "1,000 - 8.55 - 3.00");
    let other = json!({"resourceIds": [ids[1]], "periodDays": 30});
    assert_eq!(renew(&other, "r").await.refusal(), (200, "60308"));
    let now = reads.call(client::ips::page(1, 9)).await.expect("a page").data.rows;
    assert!(now[0].about.expires > listed[0].about.expires && now[1].about.expires == listed[1].about.expires);
    let order = reads.call(client::orders::detail(&number)).await.expect("an order").data;
    assert_eq!(order.proxies()[0].about.expires, now[0].about.expires, "the order shows the new expiry too");
    for (change, code) in [(json!({"periodDays": 31}), "40000"), (json!({"resourceIds": ["1"]}), "60401")] {
        let body = tests::caller::with(body.clone(), change);
        assert_eq!(renew(&body, "s").await.refusal().1, code);
    }
}

#[tokio::test]
async fn what_is_switched_off_is_an_unknown_path_and_the_rest_stays() {
    let caller = Caller::new().await;
    let control = async |without: Value| {
        let body = json!({ "without": without });
        send(caller.bare(Method::POST, "/_control/capabilities").json(&body)).await.status
    };
    let all: Vec<&str> = Capability::ALL.map(Capability::word).to_vec();
    assert_eq!(control(json!(all)).await, 204);
    let posts = ["inventory/cidrs", "orders/status", "ips/page", "ips/detail", "renewals/quote"];
    for path in posts.into_iter().chain(["renewals/orders/place-and-pay"]) {
        assert_eq!(caller.post(path, json!({})).await.refusal(), (404, "40400"), "{path}");
    }
    assert_eq!(send(caller.bare(Method::GET, "/api/open/main/ping")).await.status, 404);
    assert_eq!(control(json!(["renewals"])).await, 204);
    assert_eq!(caller.post("renewals/quote", json!({})).await.status, 404);
    assert_eq!(caller.post("ips/page", json!({"pageIndex": 1, "pageSize": 1})).await.status, 200);
    assert_eq!(control(json!(["all"])).await, 422, "an unknown word is refused");
    assert!("renewals".parse::<Capability>().is_ok() && "all".parse::<Capability>().is_err());
}

#[tokio::test]
async fn another_shape_is_an_error_and_never_half_an_answer() {
    let caller = Caller::new().await;
    let reads = client(&caller.service);
    let number = bought(&caller, json!({})).await;
    let odd = |endpoint| caller.service.world.answer_whole_with(endpoint, json!({"moved": "to version 2"}));
    let endpoints = ["main/ping", "inventory/cidrs", "orders/status", "ips/page", "ips/detail", "renewals/quote"];
    endpoints.into_iter().for_each(odd);
    let ip = reads.call(client::ips::page(1, 1)).await;
    fn is_odd<T>(answered: Result<wire::Answer<T>, Error>) -> bool {
        matches!(answered, Err(Error::Unreadable { .. }))
    }
    assert!(is_odd(ip));
    assert!(is_odd(reads.call(client::ping::ping(Area::Static)).await));
    assert!(is_odd(reads.call(client::inventory::segments(&in_portugal())).await));
    assert!(is_odd(reads.call(client::orders::status(&number)).await));
    let id = IpId::new("3059463641505400001");
    assert!(is_odd(reads.call(client::ips::detail(&id)).await));
    assert!(is_odd(reads.call(client::renewals::quote(&[id], 30)).await));
}

async fn answered<T: DeserializeOwned>(service: &Foreign, call: impl Fn() -> Call<T>) -> Option<T> {
    match service.client().call(call()).await {
        Ok(answer) => Some(answer.data),
        Err(error) if error.is_absent() => None,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn the_second_service_has_some_in_its_own_shape_and_leaves_others_away() {
    for (name, has) in [("own", true), ("wordy", true), ("plain", false)] {
        let choices = Choices::named(name).expect("a preset");
        let zone = choices.writing.zone_hours * 60;
        let clock = vendor::stepping_clock(choices.start.founded_ms + 6 * 86_400_000, 6_000);
        let service = Foreign::new(choices, clock).await;
        let config = serde_json::value::RawValue::from_string(FOUR_IN_JAPAN.into()).expect("JSON");
        let price = service.read(|| client::purchase::quote(&config, None)).await;
        let now = service.vendor.seen().last().expect("a request").at_ms;
        let order = Command::Order { quote: price.quote_id.as_str().into(), key: None };
        service.vendor.act(&Actor::colleague(), &order, now).expect("an order");
        service.vendor.settle(now + 90_000);
        let number = OrderNo::new(service.vendor.orders()[0].no.clone());

        assert!(answered(&service, || client::ping::ping(Area::Static)).await.is_none(), "{name}: other prefix");
        let ping = answered(&service, || client::ping::ping(Area::Agent)).await;
        assert_eq!(ping.map(|ping| ping.server_time.millis(zone).is_some()), has.then_some(true), "{name}");
        let standing = answered(&service, || client::orders::status(&number)).await;
        assert_eq!(standing.map(|standing| standing.order_no), has.then(|| number.clone()), "{name}");
        let page = answered(&service, || client::ips::page(1, 9)).await;
        assert_eq!(page.is_some(), has, "{name}");
        if let Some(page) = page {
            let ip = &page.rows[1];
            assert_eq!((page.total, page.rows.len(), page.unreadable), (4, 4, 0), "{name}");
            assert_eq!(
                (ip.port, &ip.order_no, ip.about.country_zh.as_str()),
                (Some(20_001), &number, "日本"),
                "{name}"
            );
            assert!(!ip.id.as_str().is_empty() && !ip.about.expires.is_empty(), "{name}");
            assert!(answered(&service, || client::ips::detail(&ip.id)).await.is_none(), "{name}");
            let price = answered(&service, || client::renewals::quote(std::slice::from_ref(&ip.id), 30)).await;
            assert_eq!(price.map(|price| price.amount.to_string()).as_deref(), Some("1.23"), "{name}");
        }
        let in_japan = SegmentsQuery {
            country_code: CountryCode::new("JP"),
            city_code: Some(CityId::new("9400000000000000032")),
            keyword: Some("ignored".into()),
            ..in_portugal()
        };
        let segments = answered(&service, || client::inventory::segments(&in_japan)).await;
        let told =
            segments.map(|rows| (rows.len(), rows[0].available, rows[0].unit_price.map(|price| price.to_string())));
        assert_eq!(told, has.then(|| (1, Some(4), Some("0.12".to_owned()))), "{name}");
    }
}
