//! Everything works by keyboard, without a pointer.

use fantoccini::key::Key;
use serde_json::json;
use tests::service;
use tests::window::{USABLE, Window, testid};

/// Presses a key with Control held, then releases it.
fn control(key: &str) -> String {
    format!("{}{key}{}", Key::Control, Key::Null)
}

/// Presses Tab until a control has the focus.
pub(crate) async fn reach(window: &Window, id: &str) {
    for _ in 0..80 {
        if window.run("return document.activeElement.dataset.testid ?? ''").await == id {
            return;
        }
        window.keys(&Key::Tab.to_string()).await;
    }
    let at = window.run("return document.activeElement.outerHTML.slice(0, 300)").await;
    panic!("{id} is not reached by Tab; the focus is on {at}");
}

pub(crate) async fn press(window: &Window, id: &str) {
    window.see(&format!("{}{USABLE}", testid(id))).await;
    reach(window, id).await;
    window.keys(&Key::Enter.to_string()).await;
}

/// Types into an empty field.
pub(crate) async fn type_into(window: &Window, id: &str, text: &str) {
    window.see(&testid(id)).await;
    reach(window, id).await;
    window.keys(text).await;
}

/// Types the first letters of an option into a native list.
pub(crate) async fn choose(window: &Window, id: &str, letters: &str, value: &str) {
    window.see(&testid(id)).await;
    reach(window, id).await;
    window.keys(letters).await;
    tests::until(&format!("{id} is {value}"), async || (window.value(id).await == value).then_some(())).await;
}

#[tokio::test]
async fn an_agent_connects_buys_and_finds_the_order_in_chinese_without_a_pointer() {
    let service = service::start().await;
    let window = Window::open_with(&["--lang", "zh-CN"]).await;
    press(&window, "welcome-connect").await;
    for (field, text) in [
        ("connection-name", "我的账户"),
        ("connection-base-url", &service.base_url()),
        ("connection-user-id", "practice-agent"),
        ("connection-static-token", "practice-static-token"),
    ] {
        type_into(&window, field, text).await;
    }
    press(&window, "connection-save").await;
    window.see_state("keychain-state", "available").await;
    press(&window, "nav-buy").await;
    type_into(&window, "buy-search", "riben").await;
    window.see(&testid("buy-search-option")).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see(&format!("{}[data-value='JP']", testid("buy-country"))).await;
    type_into(&window, "buy-business", "独立站").await;
    window.see(&testid("buy-business-option")).await;
    window.keys(&Key::Enter.to_string()).await;
    press(&window, "buy-get-price").await;
    window.see(&testid("pay-open")).await;
    press(&window, "pay-open").await;
    press(&window, "pay-confirm").await;
    window.see_state("order-proxies", "ready").await;
    window.keys(&control("k")).await;
    window.type_keys("palette", "订单").await;
    window.see("[data-value='page-orders'][data-selected]").await;
    window.type_keys("palette", &Key::Enter.to_string()).await;
    window.see(&testid("order-row")).await;
    let ledger = service.world.ledger().expect("a ledger");
    assert_eq!(ledger.orders.len(), 1);
    // The button in the row has its action.
    let row = "return document.activeElement.closest('[data-testid=order-row]') !== null";
    for _ in 0..80 {
        if window.run(row).await == true {
            break;
        }
        window.keys(&Key::Tab.to_string()).await;
    }
    window.keys(&Key::Enter.to_string()).await;
    window.see_state("order-proxies", "ready").await;
    press(&window, "order-reveal").await;
    tests::until("the passwords are there", async || (!window.text("order-proxies").await.contains('•')).then_some(()))
        .await;
    press(&window, "order-export").await;
    tests::until("it is saved", async || {
        let saved = std::fs::read_dir(window.home().join("Downloads")).ok()?;
        (saved.count() > 0).then_some(())
    })
    .await;
    press(&window, "order-add").await;
    type_into(&window, "order-add-number", "1").await;
    press(&window, "order-add-confirm").await;
    window.see(&testid("order-add-number-error")).await;
}

#[tokio::test]
async fn connections_are_tested_renamed_and_deleted_in_chinese_without_a_pointer() {
    let service = service::start().await;
    let window = Window::open_with(&["--lang", "zh-CN"]).await;
    window.connect_to(&service.base_url()).await;
    window.keys(&control(",")).await;
    press(&window, "connection-edit").await;
    press(&window, "connection-test").await;
    window.see_state("connection-static-result", "ok").await;
    type_into(&window, "connection-name", &control("a")).await;
    window.keys("第二个账户").await;
    press(&window, "connection-save").await;
    window.see_gone(&testid("connection-name")).await;
    let page = window.text("connection-switch").await;
    assert!(page.contains("第二个账户"), "{page}");
    press(&window, "connection-delete").await;
    press(&window, "connection-delete-confirm").await;
    window.see(&testid("welcome-connect")).await;
}

#[tokio::test]
async fn the_keys_do_what_their_list_says_and_lose_nothing() {
    let window = Window::open().await;
    window.practise().await;
    window.fill("buy-quantity", "7").await;
    window.keys(&control(",")).await;
    window.see(&testid("keychain-state")).await;
    window.keys(&control("n")).await;
    window.see_focus("buy-search").await;
    assert_eq!(window.value("buy-quantity").await, "7", "the basket is still there");
    window.pick("buy-country", "japan").await;
    window.see(&format!("{}{USABLE}", testid("buy-add-line"))).await;
    window.keys(&control("r")).await;
    window.keys(&control("f")).await;
    window.see_focus("buy-search").await;
    assert_eq!(window.value("buy-quantity").await, "7", "reading again loses nothing");
    window.keys(&format!("{}{}/{}", Key::Control, Key::Shift, Key::Null)).await;
    window.see(&testid("key-list")).await;
    assert_eq!(window.attribute("buy-search", "aria-expanded").await, "false", "a shortcut opens no list of places");
    tests::until("the list has the focus", async || {
        let inside = window.run("return document.activeElement.closest('[role=dialog]') !== null").await;
        (inside == true).then_some(())
    })
    .await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("key-list")).await;
    // What is new depends on the place, and a place without a search field leads to the palette.
    window.press("nav-orders").await;
    window.keys(&control("n")).await;
    window.see_focus("order-add-number").await;
    window.press("nav-customers").await;
    window.see_state("customers-table", "ready").await;
    window.keys(&control("n")).await;
    window.see(&testid("create-username")).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("create-username")).await;
    window.press("nav-ips").await;
    window.press("ips-view-buyers").await;
    window.keys(&control("n")).await;
    window.see_focus("buyer-name").await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("buyer-name")).await;
    window.press("nav-overview").await;
    window.keys(&control("f")).await;
    window.see_focus("palette").await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("palette")).await;
    // WebView2 would print, or offer to: the page keeps both from it, and leaves other keys alone.
    let asked = "
        const kept = (event) => !document.querySelector('h1').dispatchEvent(event);
        const key = (one) => new KeyboardEvent('keydown', { key: one, ctrlKey: true, bubbles: true, cancelable: true });
        const menu = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
        return [kept(key('p')), kept(menu), kept(key('c'))]";
    assert_eq!(window.run(asked).await, json!([true, true, false]));
}

#[tokio::test]
async fn at_twice_the_size_nothing_needs_a_horizontal_bar_and_the_next_start_is_as_large() {
    let mut window = Window::open().await;
    window.practise().await;
    window.resize(900, 600).await;
    for _ in 0..10 {
        window.keys(&control("+")).await;
    }
    see_twice_as_large(&window).await;
    for place in [
        "nav-overview",
        "nav-buy",
        "nav-orders",
        "nav-ips",
        "nav-traffic",
        "nav-customers",
        "nav-activity",
        "nav-settings",
    ] {
        window.press(place).await;
        let over = "const main = document.querySelector('main'); return main.scrollWidth - main.clientWidth";
        tests::until(&format!("{place} fits"), async || (window.run(over).await.as_f64()? <= 1.0).then_some(())).await;
    }
    window.kill().await;
    window.start_again().await;
    window.resize(900, 600).await;
    see_twice_as_large(&window).await;
}

async fn see_twice_as_large(window: &Window) {
    tests::until("the page is twice as large", async || {
        (window.run("return window.innerWidth").await.as_f64()? <= 460.0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn traffic_is_added_and_taken_back_in_chinese_without_a_pointer() {
    let service = service::start().await;
    let window = Window::open_with(&["--lang", "zh-CN"]).await;
    window.connect_to(&service.base_url()).await;
    window.keys(&control("k")).await;
    window.see(&testid("palette-option")).await;
    window.keys("客户").await;
    window.see(&testid("palette-option")).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_state("customers-table", "ready").await;
    window.keys(&control("f")).await;
    window.keys("100001").await;
    window.see(&format!("{}[data-key='100001']", testid("customer-row"))).await;
    press(&window, "customer-recharge").await;
    type_into(&window, "amount-gb", "0.5").await;
    let title = "return document.querySelector('[role=dialog] h2, [role=dialog] .title').textContent";
    tests::until("the sentence of what will happen", async || {
        let title = window.run(title).await;
        title.as_str()?.contains("充值 0.5 GB").then_some(())
    })
    .await;
    press(&window, "amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    press(&window, "nav-activity").await;
    window.see_state("activity-row", "applied").await;
    press(&window, "operation-take-back").await;
    press(&window, "amount-confirm").await;
    window.see(&format!("{}[data-kind='deduction'][data-state='applied']", testid("activity-row"))).await;
    let moves = service.world.ledger().expect("a ledger").moves;
    assert_eq!(moves.iter().map(|one| one.mb.to_string()).collect::<Vec<_>>(), ["512", "-512"]);
}
