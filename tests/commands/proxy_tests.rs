//! Proxies are tested before they are handed over: only on request, only with an address that the user set.

use axum::http::HeaderMap;
use operations::GoodsKey;
use serde_json::{Value, json};
use tests::agent::{Agent, field, page, seen_by_page, settings, wrong};
use tests::canary::found_in;
use tests::service::requests;
use tests::sold_proxy::{ClosedPort, Manner, PASSWORD, Site, Traffic, USER, order_of, sell, sold};
use tests::tls::{Authority, TlsServer};
use till::goods::read_goods;
use till::proxy_tests::{ProxyTested, proxy_tests, test_proxies};
use till::settings::save_settings;
use till::start::boot;

const DETAIL: &str = "orders/detail";

async fn set_address(agent: &Agent, address: Option<&str>) {
    let mut wanted = settings(None, None, None);
    wanted.proxy_test = address.map(str::to_owned);
    save_settings(&agent.till, wanted).await.expect("it is saved");
}

/// An agent with an order of these proxies. Returns their names, in the same order.
async fn with_proxies(proxies: &[Value]) -> (Agent, Vec<GoodsKey>) {
    let agent = Agent::connected().await;
    agent.service.world.answer_with(DETAIL, Some(order_of(proxies)));
    agent.buy().await;
    read_goods(&agent.till, false).await.expect("it is read");
    let order = seen_by_page(&agent.service.world.ledger().expect("a ledger").orders[0].order_no);
    let order = order.as_str().expect("a number");
    let name = |one: &Value| {
        let host = one["proxyIp"].as_str().expect("a host");
        page(json!(format!("{order} {host} {}", one["proxyPort"])))
    };
    let names = proxies.iter().map(name).collect();
    (agent, names)
}

/// What the page is told of each proxy, without the time that it took.
fn outcomes(tested: &[ProxyTested]) -> Vec<Value> {
    let without_time = |one: &ProxyTested| {
        let mut outcome = seen_by_page(&one.outcome);
        let ms = outcome.as_object_mut().expect("an outcome").remove("ms");
        assert!(ms.is_none_or(|ms| ms.as_u64().is_some_and(|ms| ms < 3_000)));
        outcome
    };
    tested.iter().map(without_time).collect()
}

/// Tests proxies against a site. Returns the outcomes.
async fn tested_at(site: &str, proxies: &[Value]) -> Vec<Value> {
    let (agent, keys) = with_proxies(proxies).await;
    set_address(&agent, Some(site)).await;
    outcomes(&test_proxies(&agent.till, keys).await.expect("they are tested"))
}

#[tokio::test]
async fn nothing_is_tested_until_an_address_is_set_and_never_in_practice() {
    let traffic = Traffic::default();
    let port = sell(Manner::Socks5, &traffic).await;
    let (mut agent, keys) = with_proxies(&[sold(port, "socks5", "JP")]).await;
    let before = requests(&agent.service, DETAIL);
    assert_eq!(field(test_proxies(&agent.till, keys.clone()).await), wrong("proxy-test", "no-address"));
    assert_eq!((requests(&agent.service, DETAIL), traffic.open().1), (before, 0));
    for (typed, why) in [("ftp://a.example", "not-an-address"), ("http://me:it@a.example", "credentials")] {
        let mut wanted = settings(None, None, None);
        wanted.proxy_test = Some(typed.into());
        assert_eq!(field(save_settings(&agent.till, wanted).await), wrong("proxy-test-address", why));
    }
    set_address(&agent, Some(" a.example/ip ")).await;
    agent.start_again();
    let kept = boot(&agent.till, "en".into()).await.expect("a screen").settings.proxy_test;
    assert_eq!(kept.as_deref(), Some("https://a.example/ip"));
    till::connections::start_practice(&agent.till, ()).await.expect("practice");
    assert_eq!(field(test_proxies(&agent.till, keys).await), wrong("proxy-test", "practice"));
    set_address(&agent, Some("  ")).await;
    assert_eq!(boot(&agent.till, "en".into()).await.expect("a screen").settings.proxy_test, None);
}

#[tokio::test]
async fn proxies_of_both_protocols_and_of_an_unknown_one_work_and_are_compared_with_their_country() {
    let (traffic, site) = (Traffic::default(), Site::saying("ip=192.0.2.9\nloc=JP\n").await);
    let [socks5, http] = [sell(Manner::Socks5, &traffic).await, sell(Manner::Http, &traffic).await];
    let also = [sell(Manner::Socks5, &traffic).await, sell(Manner::Http, &traffic).await];
    let elsewhere = sell(Manner::Http, &traffic).await;
    let told = tested_at(
        &site.url,
        &[
            sold(socks5, "socks5", "JP"),
            sold(http, "http", ""),
            sold(also[0], "", "JP"),
            sold(also[1], "", "JP"),
            sold(elsewhere, "http", "US"),
        ],
    )
    .await;
    let works = json!({ "is": "works", "country": "JP" });
    let wrong = json!({ "is": "wrong-country", "country": "JP", "ordered": "US" });
    assert_eq!(told, [works.clone(), works.clone(), works.clone(), works, wrong]);
}

#[tokio::test]
async fn the_site_sees_a_plain_request_and_nothing_of_the_vendor() {
    let (traffic, site) = (Traffic::default(), Site::saying("hello").await);
    let [socks5, http] = [sell(Manner::Socks5, &traffic).await, sell(Manner::Http, &traffic).await];
    let told = tested_at(&site.url, &[sold(socks5, "socks5", "JP"), sold(http, "http", "JP")]).await;
    let works = json!({ "is": "works", "country": null });
    assert_eq!(told, [works.clone(), works], "a site that tells no country says nothing about it");
    let names = |headers: &HeaderMap| headers.keys().map(ToString::to_string).collect::<Vec<_>>();
    for headers in site.heard() {
        let more: Vec<_> = names(&headers)
            .into_iter()
            .filter(|name| !["accept", "accept-encoding", "host"].contains(&name.as_str()))
            .collect();
        assert_eq!(more, [""; 0]);
    }
    assert_eq!(site.heard().len(), 2);
}

#[tokio::test]
async fn every_way_to_fail_has_its_own_word() {
    let (traffic, site, closed) =
        (Traffic::default(), Site::saying("loc=JP").await, [0; 3].map(|_| ClosedPort::take()));
    let mut proxies = Vec::new();
    let mut expected = Vec::new();
    let mut expect = |proxy: Value, outcome: Value| {
        proxies.push(proxy);
        expected.push(outcome);
    };
    let [refused, credentials] = [json!({ "is": "refused" }), json!({ "is": "wrong-credentials" })];
    let something = |status: Value| json!({ "is": "something-else", "status": status });
    for (protocol, manner) in
        [("socks5", Manner::Socks5), ("http", Manner::Http), ("", Manner::Socks5), ("", Manner::Http)]
    {
        let mut other = sold(sell(manner, &traffic).await, protocol, "JP");
        other["proxyPassword"] = json!("another");
        expect(other, credentials.clone());
    }
    for (protocol, closed) in ["socks5", "http", ""].into_iter().zip(&closed) {
        expect(sold(closed.port(), protocol, "JP"), refused.clone());
        expect(sold(sell(Manner::Closes, &traffic).await, protocol, "JP"), refused.clone());
        expect(sold(sell(Manner::Banner, &traffic).await, protocol, "JP"), something(Value::Null));
    }
    expect(sold(sell(Manner::ForbidsSocks5, &traffic).await, "socks5", "JP"), refused.clone());
    expect(sold(sell(Manner::ForbidsSocks5, &traffic).await, "", "JP"), refused);
    expect(sold(sell(Manner::ForbidsHttp, &traffic).await, "http", "JP"), something(json!(403)));
    expect(sold(sell(Manner::Silent, &traffic).await, "http", "JP"), json!({ "is": "timed-out" }));
    let mut nowhere = sold(1, "socks5", "JP");
    nowhere["proxyIp"] = json!("255.255.255.255");
    expect(nowhere, json!({ "is": "unreachable" }));
    assert_eq!(tested_at(&site.url, &proxies).await, expected);
}

#[tokio::test]
async fn a_site_over_tls_is_reached_through_a_tunnel_and_believed_only_with_its_certificate() {
    let (traffic, authority) = (Traffic::default(), Authority::new());
    let site = TlsServer::start(&authority, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nloc=JP".into());
    let [socks5, http] = [sell(Manner::Socks5, &traffic).await, sell(Manner::Http, &traffic).await];
    let mut other = sold(sell(Manner::Http, &traffic).await, "http", "JP");
    other["proxyUser"] = json!("another");
    let told = tested_at(&site.base_url(), &[sold(socks5, "socks5", "JP"), sold(http, "http", "JP"), other]).await;
    // Nobody vouches for this site: its answer is not the site's.
    let something = json!({ "is": "something-else", "status": null });
    assert_eq!(told, [something.clone(), something, json!({ "is": "wrong-credentials" })]);
    let heard = traffic.heard();
    assert!(heard.contains(&format!("SOCKS5 localhost:{}", site.port())), "the proxy resolves the name: {heard:?}");
    assert!(heard.iter().any(|head| head.starts_with(&format!("CONNECT localhost:{} ", site.port()))), "{heard:?}");
    assert!(heard.iter().all(|head| !head.to_ascii_lowercase().contains("token")), "{heard:?}");
}

#[tokio::test]
async fn ten_are_tested_at_a_time_each_is_told_at_once_and_stopping_keeps_what_was_found() {
    let (quiet, traffic, site) = (Traffic::default(), Traffic::default(), Site::saying("loc=JP").await);
    let mut proxies = vec![sold(sell(Manner::Socks5, &traffic).await, "socks5", "JP")];
    for _ in 0..14 {
        proxies.push(sold(sell(Manner::Silent, &quiet).await, "socks5", "JP"));
    }
    let (agent, keys) = with_proxies(&proxies).await;
    set_address(&agent, Some(&site.url)).await;
    let (till, asked) = (agent.till.clone(), keys.clone());
    let run = tokio::spawn(async move { till.call(Some(7), test_proxies(&till, asked)).await });
    tests::until("ten are under way", async || (quiet.open().0 == 10).then_some(())).await;
    tests::until("one is told", async || (agent.host.heard("proxy-tested") == 1).then_some(())).await;
    till::calls::stop_call(&agent.till, 7).await.expect("it is stopped");
    assert!(run.await.expect("no panic").is_err());
    tests::until("all connections end", async || (quiet.open() == (0, 10)).then_some(())).await;
    let told = agent.host.events().into_iter().find(|event| event.0 == "proxy-tested").expect("an event").1;
    assert_eq!((&told["key"], &told["outcome"]["is"]), (&json!(keys[0].to_string()), &json!("works")));
    let known = proxy_tests(&agent.till, ()).await.expect("tests");
    assert_eq!(known.iter().map(|one| one.key.to_string()).collect::<Vec<_>>(), [keys[0].to_string()]);
}

#[tokio::test]
async fn no_credential_is_in_a_file_an_event_or_an_error_and_results_end_with_the_program() {
    let (traffic, site) = (Traffic::default(), Site::saying("loc=US").await);
    let mut proxies = Vec::new();
    for manner in [Manner::Socks5, Manner::Http, Manner::Closes, Manner::Banner, Manner::ForbidsHttp] {
        proxies.push(sold(sell(manner, &traffic).await, "", "JP"));
    }
    let (mut agent, keys) = with_proxies(&proxies).await;
    set_address(&agent, Some(&site.url)).await;
    let tested = test_proxies(&agent.till, keys.clone()).await.expect("they are tested");
    assert_eq!((tested.len(), agent.host.heard("proxy-tested")), (5, 5));
    agent.service.world.answer_with(DETAIL, Some(order_of(&proxies[1..])));
    let gone = test_proxies(&agent.till, keys.clone()).await.expect_err("one is gone");
    let secrets = [USER.to_owned(), PASSWORD.to_owned()];
    let told = format!("{:?}{tested:?}{gone:?}", agent.host.events());
    assert_eq!(found_in(told.as_bytes(), &secrets), [""; 0]);
    let files = tests::files(agent.data("").as_path());
    assert!(files.iter().any(|file| file.ends_with("journal.db")), "{files:?}");
    for file in files {
        assert_eq!(found_in(&std::fs::read(&file).expect("a file"), &secrets), [""; 0], "{}", file.display());
    }
    let id = boot(&agent.till, "en".into()).await.expect("a screen").active.expect("a connection");
    agent.start_again();
    till::connections::open_connection(&agent.till, id).await.expect("it opens");
    assert!(proxy_tests(&agent.till, ()).await.expect("tests").is_empty());
}
