//! Details beside their list, notes on orders, reasons of buttons, saved files.

use fantoccini::key::Key;
use operations::Direction;
use sandbox::Fault;
use serde_json::json;
use tests::service;
use tests::steps::at_customers;
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::window::{Window, testid};

/// Opens Orders with two orders.
async fn with_two_orders() -> (sandbox::Service, Window) {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    for _ in 0..2 {
        window.buy_three_in_japan().await;
        window.press("nav-orders").await;
        window.see(&testid("order-row")).await;
        window.press("nav-buy").await;
    }
    window.press("nav-orders").await;
    window.see(&format!("{} ~ {}", testid("order-row"), testid("order-row"))).await;
    (service, window)
}

/// The keys of the orders, from the top.
async fn keys(window: &Window) -> Vec<String> {
    let all = "return [...document.querySelectorAll('[data-testid=order-row]')].map(row => row.dataset.key)";
    serde_json::from_value(window.run(all).await).expect("keys")
}

/// Whether the details cover the list, or either is partly out of sight.
async fn is_over(window: &Window, list: &str, panel: &str) -> bool {
    let over = format!(
        "const [list, panel] = ['{list}', '{panel}']
            .map(id => document.querySelector(`[data-testid=${{id}}]`).getBoundingClientRect());
        return panel.left < list.right || panel.right > innerWidth || list.left < 0 || list.width < 300"
    );
    window.run(&over).await == true
}

#[tokio::test]
async fn details_open_beside_the_list_follow_the_arrow_keys_and_close_with_escape() {
    let (_service, window) = with_two_orders().await;
    let keys = keys(&window).await;
    window.press("order-row").await;
    window.see(&format!("{}[data-key='{}']", testid("order-panel"), keys[0])).await;
    window.see_state("order-proxies", "ready").await;
    assert!(!is_over(&window, "orders-table", "order-panel").await);
    window.keys(&Key::Down.to_string()).await;
    window.see(&format!("{}[data-key='{}']", testid("order-panel"), keys[1])).await;
    window.see(&format!("{}[data-key='{}'][aria-current]", testid("order-row"), keys[1])).await;
    window.resize(900, 600).await;
    let is_narrow = async || {
        let fits = window.run("return innerWidth").await == 900;
        (fits && !is_over(&window, "orders-table", "order-panel").await).then_some(())
    };
    tests::until("both are in sight in the smallest window", is_narrow).await;
    let cut = "return [...document.querySelectorAll('[data-testid=orders-rows]')].some(one => one.scrollWidth > one.clientWidth)";
    assert_eq!(window.run(cut).await, json!(false));
    let findings = window.axe().await;
    assert!(findings.is_empty(), "{findings:?}");
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("order-panel")).await;
    assert_eq!(window.run("return document.activeElement.dataset.key").await, json!(keys[1]));
    window.keys(&Key::Enter.to_string()).await;
    window.press("order-close").await;
    window.see_gone(&testid("order-panel")).await;
    assert_eq!(window.run("return document.activeElement.dataset.key").await, json!(keys[1]));
}

#[tokio::test]
async fn what_a_transfer_leaves_open_stands_beside_its_row_and_closes_with_escape() {
    let (service, window) = at_customers().await;
    window.resize(900, 600).await;
    service::always(&service, endpoint(Direction::Recharge), Fault::DropBefore);
    window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
    window.press("amount-confirm").await;
    let panel = format!("{}[data-key='{CUSTOMER}']", testid("customers-panel"));
    window.see(&format!("{panel} {}[data-state='unknown']", testid("operation-card"))).await;
    assert!(!is_over(&window, "customers-table", "customers-panel").await);
    let cut = "return document.querySelector('[data-testid=customers-rows]').scrollWidth > document.querySelector('[data-testid=customers-rows]').clientWidth";
    assert_eq!(window.run(cut).await, json!(false));
    let findings = window.axe().await;
    assert!(findings.is_empty(), "{findings:?}");
    window.fill("customers-search", "").await;
    // Escape in the search leaves the panel open.
    window.see(&format!("{}[data-key='100002']", testid("customer-row"))).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see(&panel).await;
    window.press("nav-customers").await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&panel).await;
    window.see_focus_on(&format!("{}[data-key='{CUSTOMER}']", testid("customer-row"))).await;
}

#[tokio::test]
async fn an_order_that_the_palette_opens_has_the_focus() {
    let (_service, window) = with_two_orders().await;
    let keys = keys(&window).await;
    window.press("nav-overview").await;
    window.keys(&format!("{}k{}", Key::Control, Key::Null)).await;
    window.fill("palette", &keys[1]).await;
    window.see(&format!("{}[data-value='order-{}'][data-selected]", testid("palette-option"), keys[1])).await;
    window.type_keys("palette", &Key::Enter.to_string()).await;
    window.see(&format!("{}[data-key='{}']", testid("order-panel"), keys[1])).await;
    window.see_focus("order-panel").await;
}

#[tokio::test]
async fn a_note_on_an_order_is_saved_by_itself_shown_in_the_table_and_found() {
    let (_service, mut window) = with_two_orders().await;
    let keys = keys(&window).await;
    let row = format!("{}[data-key='{}']", testid("order-row"), keys[0]);
    window.press("order-row").await;
    window.fill("order-note", "for Anna Müller").await;
    // The details of another order open while the field still has the focus.
    window.run("document.querySelectorAll('[data-testid=order-row]')[1].click()").await;
    window.see(&format!("{}[data-key='{}']", testid("order-panel"), keys[1])).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("order-panel")).await;
    tests::until("it is in the table", async || {
        let note = format!("return document.querySelector(\"{row} [data-testid=order-row-note]\")?.textContent");
        (window.run(&note).await == "for Anna Müller").then_some(())
    })
    .await;
    window.kill().await;
    window.start_again().await;
    window.press("nav-orders").await;
    window.fill("orders-search", "müller").await;
    window.see(&row).await;
    window.see_gone(&format!("{}[data-key='{}']", testid("order-row"), keys[1])).await;
    window.press("order-row").await;
    assert_eq!(window.value("order-note").await, "for Anna Müller");
}

#[tokio::test]
async fn a_button_that_cannot_be_used_says_why_to_the_eye_and_to_screen_readers() {
    let window = Window::open().await;
    window.practise().await;
    window.press("nav-settings").await;
    window.see(&testid("limit-save")).await;
    window.run("document.querySelector('[data-testid=limit-save]').focus()").await;
    assert_eq!(window.text("why").await, "Nothing has changed.");
    let described = "const button = document.querySelector('[data-testid=limit-save]');
        return document.getElementById(button.getAttribute('aria-describedby')).textContent";
    assert_eq!(window.run(described).await, "Nothing has changed.");
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&format!("{}:not(:empty)", testid("toast"))).await;
    window.fill("limit-pay", "x").await;
    window.see(&format!("{}[data-why='Correct the marked field first.']", testid("limit-save"))).await;
    window.fill("limit-pay", "5").await;
    window.press("limit-save").await;
    window.see(&format!("{}:not(:empty)", testid("toast"))).await;
}

#[tokio::test]
async fn a_saved_file_is_offered_and_listed_and_one_that_is_gone_is_called_so() {
    let (_service, window) = with_two_orders().await;
    window.press("export-csv").await;
    window.see(&testid("toast-open")).await;
    window.see(&testid("toast-show")).await;
    let file = window.home().join("Downloads/proxytill-orders.csv");
    let saved = std::fs::read_to_string(&file).expect("it is saved");
    assert_eq!(saved.lines().count(), 3, "{saved}");
    window.press("toast-files").await;
    window.see_state("saved-file", "there").await;
    let findings = window.axe().await;
    assert!(findings.is_empty(), "{findings:?}");
    std::fs::remove_file(&file).expect("it is there");
    window.press("saved-open").await;
    window.see_error("file-gone").await;
    window.see_state("saved-file", "gone").await;
    window.press("saved-close").await;
    window.see_gone(&testid("saved-files")).await;
    window.press("nav-settings").await;
    window.press("settings-files").await;
    window.see_state("saved-file", "gone").await;
}

#[tokio::test]
async fn activity_is_sorted_and_saved_as_it_is_shown() {
    let (_service, window) = with_two_orders().await;
    window.press("nav-activity").await;
    let first = window.attribute("activity-row", "data-key").await;
    window.press("sort-when").await;
    window.see(&format!("{} ~ {}[data-key='{first}']", testid("activity-row"), testid("activity-row"))).await;
    window.press("columns").await;
    window.press("column-amount").await;
    window.see(&format!("{}[aria-checked='false']", testid("column-amount"))).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("column-amount")).await;
    window.press("export-csv").await;
    window.see(&testid("toast-open")).await;
    let file = window.home().join("Downloads/proxytill-activity.csv");
    let saved = std::fs::read_to_string(&file).expect("it is saved");
    let heads = saved.lines().next().expect("heads");
    assert!(heads.contains("Order number") && !heads.contains("Amount"), "{saved}");
    let shown = "return [...document.querySelectorAll('[data-testid=activity-row]')]
        .map(row => row.querySelectorAll('[role=cell]')[3].textContent.trim())";
    let shown: Vec<String> = serde_json::from_value(window.run(shown).await).expect("numbers");
    let lines: Vec<&str> = saved.lines().skip(1).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().zip(&shown).all(|(line, number)| line.contains(number.as_str())), "{saved} {shown:?}");
}

/// WebKitGTK kept the layout of the old width where a table with a container of its own stood in another.
#[tokio::test]
async fn a_window_that_grows_beside_an_open_bulk_is_laid_out_anew() {
    let (_service, window) = at_customers().await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100001 1g").await;
    window.press("bulk-preview").await;
    window.press("bulk-start").await;
    window.see(&testid("bulk-result")).await;
    window.resize(900, 600).await;
    window.press("nav-activity").await;
    window.press("activity-bulk-turn").await;
    window.see(&testid("bulk-row")).await;
    window.resize(1400, 900).await;
    let wide = "return document.querySelector('[data-testid=nav-activity]').offsetWidth > 100";
    tests::until("the side bar has its words", async || (window.run(wide).await == true).then_some(())).await;
}

#[tokio::test]
async fn a_window_that_grows_and_shrinks_is_laid_out_anew_beside_two_tables() {
    let (_service, window) = with_two_orders().await;
    window.press("nav-traffic").await;
    window.press("chart-as-table").await;
    window.see_state("usage-table", "ready").await;
    for (width, side, room) in [(900, 72, "narrow narrower"), (1280, 224, ""), (900, 72, "narrow narrower")] {
        window.resize(width, 700).await;
        // A table that was never narrow has no word for its room yet.
        let widths = "return [innerWidth, document.querySelector('nav').offsetWidth,
            document.querySelector('[data-testid=usage-table] [data-room]')?.dataset.room]";
        let is_new = async || (window.run(widths).await == json!([width, side, room])).then_some(());
        tests::until("the side bar and the table have the room of such a window", is_new).await;
    }
}
