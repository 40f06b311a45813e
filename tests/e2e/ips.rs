//! My IPs: an order handed over, found again by its IP, and run out.

use std::path::Path;

use fantoccini::key::Key;
use sandbox::{Capability, Options, Service};
use serde_json::json;
use tests::agent::buy_elsewhere;
use tests::canary::{found_in, processes};
use tests::desk::{Desk, PICTURES};
use tests::files;
use tests::service;
use tests::window::{Window, testid};
use wire::ids::OrderNo;
use wire::orders::Proxy;

use crate::keyboard::press;
use crate::tables::{reach_row, see_row, shift_f10};
use crate::trace;
use crate::working_day::copied;

const DAY: i64 = 86_400_000;

/// A window with one order of three IPs, which the vendor sold so many days ago.
pub(crate) async fn with_order(days: i64) -> (Service, Window) {
    let service = service::start().await;
    service.world.clock.advance(-days * DAY);
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    (service, window)
}

/// The proxies that were sold, from the service's own answer.
pub(crate) async fn sold(service: &Service, number: &str) -> Vec<Proxy> {
    let detail = service::client(service).call(client::orders::detail(&OrderNo::new(number))).await;
    detail.expect("an order").data.proxies()
}

/// Goes to My IPs, and waits until they are there.
pub(crate) async fn see_ips(window: &Window) {
    window.press("nav-ips").await;
    window.see_state("ips-table", "ready").await;
}

fn row(state: &str) -> String {
    format!("{}[data-state='{state}']", testid("ips-row"))
}

#[tokio::test]
async fn an_order_is_handed_over_in_three_clicks_found_by_its_ip_and_found_expired() {
    let (service, window) = with_order(40).await;
    trace::begin(&window).await;
    let number = window.attribute("order-no", "data-value").await;
    let sold = sold(&service, &number).await;
    // One click opens it, one name says for whom, one click copies and marks.
    window.press("order-hand-over").await;
    window.pick("hand-buyer", "ali from the chat").await;
    window.see_state("hand-message", "concealed").await;
    let concealed = window.text("hand-message").await;
    assert!(sold.iter().all(|one| concealed.contains(&one.host) && !concealed.contains(&one.password)), "{concealed}");
    window.press("hand-copy").await;
    window.see(&format!("{}[data-value='copied']", testid("hand-sent"))).await;
    window.press("hand-reveal").await;
    window.see_state("hand-message", "shown").await;
    let message = window.text("hand-message").await;
    assert!(sold.iter().all(|one| message.contains(&one.password)), "{message}");
    window.press("hand-close").await;
    window.see_state("order-for", "sent").await;
    // From anywhere else by a phrase and one of its IPs.
    see_ips(&window).await;
    window.say(&format!("hand over {}", sold[1].host), &format!("said-hand-over-{number}")).await;
    window.see_state("hand-message", "concealed").await;
    window.press("hand-close").await;
    see_ips(&window).await;
    window.fill("ips-search", &sold[1].host).await;
    let found = format!("{}[data-key='{number} {} {}']", testid("ips-row"), sold[1].host, sold[1].port);
    window.see(&format!("{}[data-count='1'] {found}[data-state='expired']", testid("ips-rows"))).await;
    window.see(&format!("{found} [data-testid='ips-row-buyer'][data-value='ali from the chat']")).await;
    window.see(&format!("{found} [data-testid='ips-row-sent'][data-value='copied']")).await;
    window.fill("ips-search", "").await;
    window.choose("ips-ends", "within30").await;
    window.see(&format!("{}[data-value='3']", testid("outside-filters"))).await;
    window.choose("ips-ends", "expired").await;
    window.see(&format!("{}[data-count='3'] {}", testid("ips-rows"), row("expired"))).await;
    // Orders are found by their IPs too.
    window.press("nav-orders").await;
    window.fill("orders-search", &sold[2].host).await;
    window.see(&format!("{}[data-key='{number}']", testid("order-row"))).await;
    let secrets: Vec<String> = sold.into_iter().map(|one| one.password).collect();
    let carried = trace::those_with(&trace::calls(&window).await, &secrets);
    assert_eq!(carried, ["show_delivery answered"], "only what a person asked to see");
    for file in files(window.data_dir()) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        assert_eq!(found_in(&bytes, &secrets), [""; 0], "{}", file.display());
    }
}

#[tokio::test]
async fn ips_are_selected_with_shift_assigned_by_paste_and_a_deleted_buyer_still_names_them() {
    let (service, window) = with_order(0).await;
    let number = window.attribute("order-no", "data-value").await;
    let sold = sold(&service, &number).await;
    see_ips(&window).await;
    window.press("ips-paste").await;
    let lines = format!("{} → ali\n{} dora\n203.0.113.9 ali", sold[0].host, sold[1].host);
    window.fill("paste-text", &lines).await;
    let line = |number: usize| format!("{}[data-key='{number}']", testid("paste-line"));
    window.see(&format!("{}[data-reason='who']", line(1))).await;
    window.see(&format!("{}[data-reason='unknown']", line(3))).await;
    assert!(!window.is_enabled("paste-save").await, "nothing is left out in silence");
    // What was pasted and answered is still there when the dialog was left.
    window.run(&format!("document.querySelector(\"{} [data-testid='paste-leave']\").click()", line(3))).await;
    window.see(&format!("{}[data-state='out']", line(3))).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("paste-text")).await;
    window.press("nav-orders").await;
    see_ips(&window).await;
    window.press("ips-paste").await;
    assert_eq!(window.value("paste-text").await, lines);
    window.see(&format!("{}[data-state='out']", line(3))).await;
    window.run(&format!("document.querySelector(\"{} [data-testid='paste-back']\").click()", line(3))).await;
    window.see(&format!("{}[data-reason='unknown']", line(3))).await;
    let choose = |number: usize, value: &str| {
        let who = format!("{} [data-testid='paste-who']", line(number));
        format!(
            "const who = document.querySelector(`{who}`); who.value = '{value}'; who.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        )
    };
    window.run(&choose(1, "new ali")).await;
    window.run(&choose(2, "new dora")).await;
    window.run(&format!("document.querySelector(`{} [data-testid='paste-leave']`).click()", line(3))).await;
    window.press("paste-save").await;
    window.see(&format!("{} [data-testid='ips-row-buyer'][data-value='dora']", testid("ips-row"))).await;
    window.press("ips-view-buyers").await;
    window.see(&format!("{}[data-count='2']", testid("buyers-rows"))).await;
    window.press("buyer-row").await;
    window.see(&format!("{}[data-value='1']", testid("buyer-ips"))).await;
    window.press("buyer-delete").await;
    window.see_focus("buyer-delete-cancel").await;
    window.press("buyer-delete-confirm").await;
    window.see_state("buyers-table", "ready").await;
    see_ips(&window).await;
    let was = "return [...document.querySelectorAll('[data-testid=ips-row-buyer]')].filter(one => one.textContent.includes('was: ali')).length";
    tests::until("ali was", async || (window.run(was).await == 1).then_some(())).await;
    // The whole list: the first row, then the last one with Shift.
    window.run("document.querySelectorAll('[data-testid=ips-choose]')[0].click()").await;
    window
        .run("document.querySelectorAll('[data-testid=ips-choose]')[2].dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }))")
        .await;
    window.see(&format!("{}[data-value='3']", testid("ips-chosen"))).await;
    window.resize(900, 600).await;
    picture(&window, "ips-chosen-small").await;
    window.press("ips-assign").await;
    window.pick("assign-buyer", "eve").await;
    window.fill("assign-note", "for the shop").await;
    window.type_keys("assign-note", &Key::Enter.to_string()).await;
    window.see_gone(&testid("ips-chosen")).await;
    let eves = format!("{} [data-testid='ips-row-buyer'][data-value='eve']", testid("ips-row"));
    window.see(&eves).await;
    window.press("ips-view-calendar").await;
    // 30 days from the first of a long month is still the same month.
    window.see(&testid("calendar-in-month")).await;
    if window.attribute("calendar-in-month", "data-value").await == "0" {
        window.press("calendar-later").await;
    }
    window.see(&format!("{}[data-value='3']", testid("calendar-in-month"))).await;
    window.press("calendar-open").await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
}

#[tokio::test]
async fn ips_are_chosen_and_assigned_and_their_buyer_is_opened_without_a_pointer() {
    let (_service, window) = with_order(0).await;
    see_ips(&window).await;
    reach_row(&window, "ips-row").await;
    see_row(&window, 0).await;
    for (key, at) in [(Key::End, 2), (Key::Home, 0), (Key::Down, 1)] {
        window.keys(&key.to_string()).await;
        see_row(&window, at).await;
    }
    window.keys(" ").await;
    window.see(&format!("{}[data-value='1']", testid("ips-chosen"))).await;
    window.keys(&Key::Down.to_string()).await;
    window.keys(&format!("{} {}", Key::Shift, Key::Null)).await;
    window.see(&format!("{}[data-value='2']", testid("ips-chosen"))).await;
    press(&window, "ips-assign").await;
    window.pick("assign-buyer", "eve").await;
    window.type_keys("assign-note", &Key::Enter.to_string()).await;
    window.see_gone(&testid("ips-chosen")).await;
    press(&window, "ips-view-buyers").await;
    window.see_state("buyers-table", "ready").await;
    reach_row(&window, "buyer-row").await;
    window.keys(&shift_f10()).await;
    // The first menu of this screen, and its first action has the focus.
    window.see_focus_on(&format!("{} [role='menuitem']", testid("row-menu"))).await;
    window.press("row-edit").await;
    window.fill("buyer-contact", "eve@chat").await;
    window.press("buyer-save").await;
    window.see_gone(&testid("buyer-save")).await;
    see_row(&window, 0).await;
    assert!(window.text("buyer-row").await.contains("eve@chat"));
    window.keys(&Key::Enter.to_string()).await;
    window.see(&format!("{}[data-value='2']", testid("buyer-ips"))).await;
}

#[tokio::test]
async fn an_ip_has_a_menu_and_a_file_holds_the_columns_and_rows_that_are_shown() {
    let (service, window) = with_order(0).await;
    let sold = sold(&service, &window.attribute("order-no", "data-value").await).await;
    see_ips(&window).await;
    reach_row(&window, "ips-row").await;
    window.keys(&shift_f10()).await;
    window.see(&testid("row-menu")).await;
    window.press("row-hand-over").await;
    window.see(&testid("hand-buyer")).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("hand-buyer")).await;
    see_row(&window, 0).await;
    window.see_gone(&testid("ips-chosen")).await;
    window.keys(&shift_f10()).await;
    window.press("row-open-order").await;
    window.see(&testid("order-detail")).await;
    see_ips(&window).await;
    window.see(&testid("sort-protocol")).await;
    window.press("columns").await;
    window.press("column-protocol").await;
    window.see_gone(&testid("sort-protocol")).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("column-protocol")).await;
    window.fill("ips-search", &sold[1].host).await;
    window.see(&format!("{}[data-count='1']", testid("ips-rows"))).await;
    window.press("export-csv").await;
    window.see(&testid("toast-open")).await;
    let saved = std::fs::read_to_string(window.home().join("Downloads/proxytill-ips.csv")).expect("it is saved");
    let heads = saved.lines().next().expect("heads");
    assert!(heads.contains("Address") && heads.contains("Note") && !heads.contains("Protocol"), "{saved}");
    assert!(saved.lines().count() == 2 && saved.contains(&sold[1].host), "{saved}");
    assert!(sold.iter().all(|one| !saved.contains(&one.password)), "credentials are in the file");
    // What is selected is copied as the same table, also where the search hides it.
    window.run("document.querySelector('[data-testid=ips-choose]').click()").await;
    window.see(&format!("{}[data-value='1']", testid("ips-chosen"))).await;
    window.fill("ips-search", &sold[0].host).await;
    window.see(&format!("{}[data-key*='{}']", testid("ips-row"), sold[0].host)).await;
    let rows = copied(&window, "ips-copy-chosen", "Address").await;
    assert!(rows.lines().count() == 2 && rows.contains(&sold[1].host), "{rows}");
}

#[tokio::test]
async fn an_ip_that_its_order_no_longer_lists_is_marked_in_the_order_and_in_the_list() {
    let (service, window) = with_order(0).await;
    let number = window.attribute("order-no", "data-value").await;
    let sold = sold(&service, &number).await;
    let left = json!([{ "ip": sold[0].host, "port": sold[0].port, "username": "u", "password": "p",
        "countryName": "Japan", "countryCode": "JP", "expireTime": sold[0].about.expires }]);
    service.world.answer_with("orders/detail", Some(json!({ "details": left })));
    see_ips(&window).await;
    window.press("nav-orders").await;
    window.press("order-row").await;
    window.see(&format!("{}[data-value='3'] {}", testid("order-goods"), testid("order-goods-unlisted"))).await;
    window.run("document.querySelector('[data-testid=order-goods]').scrollIntoView()").await;
    picture(&window, "order-unlisted").await;
    let rows = copied(&window, "order-goods-copy", "Address").await;
    assert!(rows.lines().count() == 4 && sold.iter().all(|one| rows.contains(&one.host)), "{rows}");
    assert!(sold.iter().all(|one| !rows.contains(&one.password)), "credentials are copied");
    // The vendor's own list still names it: it is there.
    service.world.answer_with("ips/page", Some(json!({ "total": 0, "results": [] })));
    see_ips(&window).await;
    window.press("ips-refresh").await;
    let gone = format!("{}[data-key='{number} {} {}']", testid("ips-row"), sold[1].host, sold[1].port);
    window.see(&format!("{gone} {}[title]", testid("ips-row-state"))).await;
    picture(&window, "list-unlisted").await;
}

#[tokio::test]
async fn a_message_in_the_buyers_language_is_saved_as_a_file_and_a_picture_and_no_other_file_holds_credentials() {
    let service = service::start().await;
    let window = Window::open_at(Desk::with_full_log(), &["--lang", "en"]).await;
    trace::begin(&window).await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    let sold = sold(&service, &window.attribute("order-no", "data-value").await).await;
    // The question at the end of an order.
    window.fill("order-buyer", "阿里").await;
    window.see(&testid("order-buyer-option")).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_state("order-for", "assigned").await;
    window.press("order-hand-over").await;
    window.choose("hand-language", "zh-CN").await;
    window.choose("hand-format", "http").await;
    tests::until("the message is in Chinese", async || {
        let message = window.text("hand-message").await;
        (message.starts_with("阿里，您好：") && message.contains("http://")).then_some(())
    })
    .await;
    window.press("hand-save").await;
    window.see(&format!("{}[data-value='file']", testid("hand-sent"))).await;
    window.see(&testid("toast-open")).await;
    window.press("hand-unmark").await;
    window.see_gone(&testid("hand-sent")).await;
    window.press("hand-picture").await;
    window.see(&format!("{}[data-value='picture']", testid("hand-sent"))).await;
    window.press("hand-close").await;
    window.see_state("order-for", "sent").await;
    see_ips(&window).await;
    window.press("ips-view-buyers").await;
    window.press("buyer-row").await;
    window.see(&format!("{} li", testid("buyer-deliveries"))).await;
    let given = window.run("return document.querySelector('[data-testid=buyer-deliveries]').textContent").await;
    let given = given.as_str().expect("text");
    picture(&window, "buyer-deliveries").await;
    assert!(given.contains("saved as a QR code") && given.contains(&sold[0].host), "{given}");
    let saved = files(&window.home().join("Downloads"));
    let [picture, message] = ["png", "txt"].map(|ending| {
        let file = saved.iter().find(|file| file.extension().is_some_and(|one| one == ending));
        std::fs::read(file.expect("it is saved")).expect("a file")
    });
    assert!(picture.starts_with(b"\x89PNG"), "a picture");
    let message = String::from_utf8(message).expect("text");
    let line = |one: &Proxy| format!("http://{}:{}@{}:{}", one.user, one.password, one.host, one.port);
    assert!(sold.iter().all(|one| message.contains(&line(one))), "{message}");
    let secrets: Vec<String> = sold.into_iter().flat_map(|one| [one.user, one.password]).collect();
    assert_eq!(trace::those_with(&trace::calls(&window).await, &secrets), [""; 0], "the page was shown none");
    for process in processes(window.home()) {
        assert_eq!(found_in(&process.started_with, &secrets), [""; 0], "{}", process.name);
    }
    let mut seen = 0;
    for file in files(window.data_dir()).into_iter().chain([window.desk().said()]) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        seen += bytes.len();
        assert_eq!(found_in(&bytes, &secrets), [""; 0], "{}", file.display());
    }
    assert!(seen > 100_000, "only {seen} bytes were looked at");
}

#[tokio::test]
async fn an_ip_from_elsewhere_whose_credentials_the_vendor_does_not_show_is_not_handed_over() {
    let without = vec![Capability::IpDetail];
    let service = service::start_with(Options { without, ..Options::default() }).await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    buy_elsewhere(&service.base_url()).await;
    see_ips(&window).await;
    window.press("ips-refresh").await;
    window.see(&format!("{}[data-count='6']", testid("ips-rows"))).await;
    window.press("health-open").await;
    window.press("health-check").await;
    window.see(&format!("{}[data-key='ip-detail'][data-state='absent']", testid("health-capability"))).await;
    window.press("health-close").await;
    window.press("ips-select-all").await;
    window.press("ips-hand-over").await;
    window.see(&format!("{}[data-value='3']", testid("hand-unreadable"))).await;
    window.pick("hand-buyer", "ali").await;
    assert!(!window.is_enabled("hand-copy").await, "half a delivery is worse than none");
    // Without them the rest can be.
    window.press("hand-leave-out").await;
    window.see_gone(&testid("hand-unreadable")).await;
    window.press("hand-copy").await;
    window.see(&format!("{}[data-value='copied']", testid("hand-sent"))).await;
    window.press("hand-close").await;
    let sent = format!("return document.querySelectorAll(\"{}[data-value='copied']\").length", testid("ips-row-sent"));
    tests::until("three are marked", async || (window.run(&sent).await == 3).then_some(())).await;
}

/// Saves a picture for a person to look at, if any are wanted.
async fn picture(window: &Window, name: &str) {
    if let Some(folder) = std::env::var_os(PICTURES) {
        window.picture(&Path::new(&folder).join(format!("ips-{name}.png"))).await;
    }
}
