//! IPs are tested before they are handed over: off at first, then an address, then what each test has shown.

use tests::canary::{found_in, processes};
use tests::desk::{Desk, PICTURES};
use tests::sold_proxy::{ClosedPort, Manner, PASSWORD, Traffic, USER, order_of, sell, sold};
use tests::tls::{Authority, TlsServer};
use tests::window::{Window, testid};
use tests::{files, service};

use crate::keyboard::{press, type_into};
use crate::trace;

fn row(state: &str) -> String {
    format!("{}[data-state='{state}']", testid("tests-row"))
}

async fn picture(window: &Window, name: &str) {
    if let Some(folder) = std::env::var_os(PICTURES) {
        window.picture(&std::path::Path::new(&folder).join(format!("{name}.png"))).await;
    }
}

async fn story(language: &str, theme: &str) {
    let (traffic, authority) = (Traffic::default(), Authority::new());
    let site = TlsServer::start(&authority, "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nloc=JP\n".into());
    let [socks5, http] = [sell(Manner::Socks5, &traffic).await, sell(Manner::Http, &traffic).await];
    let (elsewhere, nobody) = (sell(Manner::Http, &traffic).await, ClosedPort::take());
    let closed = nobody.port();
    let mut changed = sold(sell(Manner::Socks5, &traffic).await, "socks5", "JP");
    changed["proxyPassword"] = "another".into();
    let proxies = [
        sold(socks5, "socks5", "JP"),
        sold(closed, "socks5", "JP"),
        sold(http, "http", "JP"),
        changed,
        sold(elsewhere, "http", "US"),
    ];
    let service = service::start().await;
    service.world.answer_with("orders/detail", Some(order_of(&proxies)));
    let trusted = authority.file();
    let trusted = trusted.to_str().expect("a path");
    let desk = Desk::with(&[("SSL_CERT_FILE", trusted), ("PROXYTILL_LOG", "trace")]);
    let window = Window::open_at(desk, &["--lang", language]).await;
    trace::begin(&window).await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-settings").await;
    window.press(&format!("settings-theme-{theme}")).await;
    window.press("nav-buy").await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    window.press("order-hand-over").await;
    window.pick("hand-buyer", "ali").await;
    window.see_state("hand-message", "concealed").await;
    window.see_state("tests", "none").await;
    picture(&window, &format!("tests-none-{language}")).await;
    // Nobody has agreed to anything yet: the first press asks, and sends nothing.
    window.press("tests-start").await;
    window.see(&testid("proxy-test-about")).await;
    assert!(!window.is_enabled("proxy-test-save").await, "no address is set");
    window.fill("proxy-test-address", "ftp://example.com").await;
    window.press("proxy-test-save").await;
    window.see(&testid("proxy-test-address-error")).await;
    assert_eq!(window.value("proxy-test-address").await, "ftp://example.com", "nothing typed is lost");
    picture(&window, &format!("tests-address-{language}")).await;
    assert_eq!(window.axe().await, [""; 0]);
    assert_eq!((traffic.heard(), site.heard()), (Vec::new(), Vec::new()));
    window.fill("proxy-test-address", &site.base_url()).await;
    window.press("proxy-test-save").await;
    window.see(&format!("{}[data-value='3']", testid("tests-sum"))).await;
    window.see_state("tests", "tested").await;
    window.see_focus("tests-start").await;
    for state in ["refused", "wrong-credentials", "wrong-country", "works"] {
        window.see(&row(state)).await;
    }
    let states = "return [...document.querySelectorAll('[data-testid=tests-row]')].map(one => one.dataset.state)";
    let states: Vec<String> = serde_json::from_value(window.run(states).await).expect("states");
    assert_eq!(states[3..], ["works", "works"], "those that fail come first");
    picture(&window, &format!("tests-results-{language}")).await;
    assert_eq!(window.axe().await, [""; 0]);
    window.press("tests-leave-out").await;
    window.see(&format!("{}[data-value='3']", testid("tests-left-out"))).await;
    window.see_focus("tests-start").await;
    window.see(&format!("{}[data-value='0']", testid("tests-sum"))).await;
    let message = async || window.text("hand-message").await;
    let holds = |text: &str, port: u16| text.contains(&format!("127.0.0.1:{port}"));
    tests::until("the message is short", async || (!holds(&message().await, closed)).then_some(())).await;
    let text = message().await;
    assert!(holds(&text, socks5) && holds(&text, http) && !holds(&text, elsewhere), "{text}");
    picture(&window, &format!("tests-left-out-{language}")).await;
    window.press("hand-copy").await;
    window.see(&format!("{}[data-value='copied']", testid("hand-sent"))).await;
    window.press("hand-close").await;
    // What was left out is not marked as sent, and what was found is still known.
    window.press("nav-ips").await;
    window.see_state("ips-table", "ready").await;
    let sent = format!("return document.querySelectorAll(`{} [data-value=copied]`).length", testid("ips-row"));
    tests::until("two are sent", async || (window.run(&sent).await == 2).then_some(())).await;
    let marked = |state: &str| {
        format!("return document.querySelectorAll('[data-testid=ips-row-test][data-value={state}]').length")
    };
    tests::until("each row shows its test", async || {
        let [works, wrong] = [window.run(&marked("works")).await, window.run(&marked("wrong-country")).await];
        (works == 2 && wrong == 1).then_some(())
    })
    .await;
    window.press("nav-settings").await;
    assert_eq!(window.value("proxy-test-address").await, format!("{}/", site.base_url()));
    window.run("document.querySelector('[data-testid=proxy-test-address]').scrollIntoView({block: 'center'})").await;
    picture(&window, &format!("tests-settings-{language}")).await;
    assert_eq!(window.axe().await, [""; 0]);
    window.press("proxy-test-off").await;
    window.see_gone(&testid("proxy-test-off")).await;
    assert_eq!(window.value("proxy-test-address").await, "");
    let calls = trace::calls(&window).await;
    assert!(calls.iter().any(|[event, ..]| event == "proxy-tested"), "tests were told");
    assert_eq!(trace::those_with(&calls, &[USER, PASSWORD].map(str::to_owned)), [""; 0]);
    holds_no_secret(&window, &traffic, &site);
}

/// Checks that no credential of a proxy is in a file or a log, and that no token reached a proxy or the site.
fn holds_no_secret(window: &Window, traffic: &Traffic, site: &TlsServer) {
    let secrets = [USER.to_owned(), PASSWORD.to_owned()];
    for process in processes(window.home()) {
        assert_eq!(found_in(&process.started_with, &secrets), [""; 0], "{}", process.name);
    }
    let all = files(window.data_dir()).into_iter().chain([window.desk().said()]);
    let mut logged = false;
    for file in all {
        let bytes = std::fs::read(&file).unwrap_or_default();
        logged |= String::from_utf8_lossy(&bytes).contains(" TRACE hyper");
        assert_eq!(found_in(&bytes, &secrets), [""; 0], "{}", file.display());
    }
    assert!(logged, "everything was logged");
    let heard = [traffic.heard(), site.heard()].concat();
    assert!(heard.iter().any(|head| head.starts_with("GET / ")), "{heard:?}");
    let tokens = ["practice-static-token".to_owned(), "practice-agent-token".to_owned(), "practice-agent".to_owned()];
    for head in heard {
        assert_eq!(found_in(head.as_bytes(), &tokens), [""; 0], "{head}");
    }
}

#[tokio::test]
async fn ips_are_tested_once_an_address_is_agreed_to_and_those_that_fail_are_left_out() {
    story("en", "light").await;
}

#[tokio::test]
async fn ips_are_tested_in_chinese_too() {
    story("zh-CN", "dark").await;
}

#[tokio::test]
async fn ips_are_tested_and_left_out_without_a_pointer() {
    let (traffic, authority) = (Traffic::default(), Authority::new());
    let site = TlsServer::start(&authority, "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nloc=JP\n".into());
    let nobody = ClosedPort::take();
    let works = sold(sell(Manner::Socks5, &traffic).await, "socks5", "JP");
    let service = service::start().await;
    service.world.answer_with("orders/detail", Some(order_of(&[works, sold(nobody.port(), "socks5", "JP")])));
    let trusted = authority.file();
    let desk = Desk::with(&[("SSL_CERT_FILE", trusted.to_str().expect("a path"))]);
    let window = Window::open_at(desk, &[]).await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    press(&window, "order-hand-over").await;
    window.see_focus("hand-buyer").await;
    press(&window, "tests-start").await;
    window.see(&testid("proxy-test-about")).await;
    type_into(&window, "proxy-test-address", &site.base_url()).await;
    press(&window, "proxy-test-save").await;
    window.see(&format!("{}[data-value='1']", testid("tests-sum"))).await;
    window.see_focus("tests-start").await;
    press(&window, "tests-leave-out").await;
    window.see(&format!("{}[data-value='1']", testid("tests-left-out"))).await;
    window.see_focus("tests-start").await;
    press(&window, "tests-put-back").await;
    window.see_gone(&testid("tests-left-out")).await;
    let before = traffic.heard().len();
    press(&window, "tests-start").await;
    tests::until("it is tested again", async || (traffic.heard().len() > before).then_some(())).await;
}

#[tokio::test]
async fn practice_says_that_its_ips_do_not_exist() {
    let window = Window::open().await;
    window.press("welcome-practice").await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    window.press("order-hand-over").await;
    window.see_state("tests", "none").await;
    assert!(!window.is_enabled("tests-start").await);
    assert!(window.attribute("tests-start", "data-why").await.contains("Practice"));
}
