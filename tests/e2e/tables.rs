//! Tables: rows by keyboard, their menus, the choice of columns, a head that stays.

use fantoccini::key::Key;
use tests::service;
use tests::steps::at_customers;
use tests::window::{Window, testid};

use crate::keyboard::press;

const FOCUSED: &str = "return document.activeElement?.dataset.row ?? ''";

/// Presses Tab until a row of this table has the focus.
pub(crate) async fn reach_row(window: &Window, row: &str) {
    let here = format!("return document.activeElement?.matches(\"{}\") ?? false", testid(row));
    for _ in 0..80 {
        if window.run(&here).await == true {
            return;
        }
        window.keys(&Key::Tab.to_string()).await;
    }
    panic!("no {row} is reached by Tab");
}

/// Waits until the row with this index has the focus.
pub(crate) async fn see_row(window: &Window, at: usize) {
    let at = at.to_string();
    tests::until(&format!("row {at} has the focus"), async || (window.run(FOCUSED).await == at.as_str()).then_some(()))
        .await;
}

/// Hides one of a table's columns by keyboard. `shown`: its columns now, with that of the menus.
pub(crate) async fn hide_column(window: &Window, table: &str, column: &str, shown: usize) {
    let heads = format!("return document.querySelectorAll(\"{} [role=columnheader]\").length", testid(table));
    assert_eq!(window.run(&heads).await, shown, "{table}");
    press(window, "columns").await;
    window.see_focus(column).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see(&format!("{}[aria-checked='false']", testid(column))).await;
    assert_eq!(window.axe().await, [""; 0]);
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid(column)).await;
    assert_eq!(window.run(&heads).await, shown - 1, "{table}");
}

pub(crate) fn shift_f10() -> String {
    format!("{}{}{}", Key::Shift, Key::F10, Key::Null)
}

#[tokio::test]
async fn rows_are_walked_by_keyboard_and_one_of_them_is_in_the_tab_order() {
    let (_service, window) = at_customers().await;
    reach_row(&window, "customer-row").await;
    see_row(&window, 0).await;
    let count: usize = window.attribute("customers-rows", "data-count").await.parse().expect("a number");
    for (key, at) in [(Key::Down, 1), (Key::Down, 2), (Key::Up, 1), (Key::End, count - 1), (Key::Home, 0), (Key::Up, 0)]
    {
        window.keys(&key.to_string()).await;
        see_row(&window, at).await;
        window.see(&format!("{}[data-row='{at}'][data-key]", testid("customer-row"))).await;
        let stops = "return document.querySelectorAll('[data-rows] [data-row][tabindex=\"0\"]').length";
        assert_eq!(window.run(stops).await, 1, "at {at}");
        let controls = "return [...document.querySelectorAll('[data-rows] [data-row] :is(button, input)')]
            .filter(one => one.tabIndex >= 0 && one.closest('[data-row]') !== document.activeElement).length";
        assert_eq!(window.run(controls).await, 0, "at {at}");
    }
    // Space ticks the row, and what is typed with Shift extends the selection.
    window.keys(" ").await;
    window.see(&format!("{}[data-value='1']", testid("customers-chosen"))).await;
    let tick = "return getComputedStyle(document.querySelector('[data-row] input:checked'), '::before').display";
    assert_eq!(window.run(tick).await, "block", "the tick has a size");
    window.keys(&format!("{}{}", Key::Down, Key::Down)).await;
    window.keys(&format!("{} {}", Key::Shift, Key::Null)).await;
    window.see(&format!("{}[data-value='3']", testid("customers-chosen"))).await;
    window.press("customers-choose-none").await;
    reach_row(&window, "customer-row").await;
    see_row(&window, 2).await;
    let key = window.run("return document.activeElement.dataset.key").await;
    window.keys(&Key::Enter.to_string()).await;
    window.see(&format!("{}[data-key={key}]", testid("customer-page"))).await;
}

#[tokio::test]
async fn a_row_has_a_menu_by_keyboard_and_by_its_button_and_the_focus_comes_back() {
    let (_service, window) = at_customers().await;
    reach_row(&window, "customer-row").await;
    window.keys(&Key::Down.to_string()).await;
    see_row(&window, 1).await;
    window.keys(&shift_f10()).await;
    window.see(&testid("row-menu")).await;
    let findings = window.axe().await;
    assert!(findings.is_empty(), "{findings:?}");
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("row-menu")).await;
    see_row(&window, 1).await;
    let key = window.run("return document.activeElement.dataset.key").await;
    window.press("row-more").await;
    window.press("row-deduct").await;
    window.see(&testid("amount-gb")).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("amount-gb")).await;
    see_row(&window, 0).await;
    window.keys(&Key::Down.to_string()).await;
    window.keys(&shift_f10()).await;
    window.see(&testid("row-menu")).await;
    // The first action has the focus.
    window.keys(&Key::Enter.to_string()).await;
    window.see(&format!("{}[data-key={key}]", testid("customer-page"))).await;
}

#[tokio::test]
async fn the_rows_of_a_preview_are_walked_and_edited_by_keyboard() {
    let (_service, window) = at_customers().await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100001 1g\n100002 2g\nnobody@x.com 1g").await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-row")).await;
    reach_row(&window, "bulk-row").await;
    see_row(&window, 0).await;
    window.keys(&Key::End.to_string()).await;
    see_row(&window, 2).await;
    window.keys(&shift_f10()).await;
    window.see(&testid("row-edit")).await;
    let findings = window.axe().await;
    assert!(findings.is_empty(), "{findings:?}");
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("row-menu")).await;
    see_row(&window, 2).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_focus("bulk-row-text").await;
    // While a text is typed, the arrow keys are its own.
    window.keys(&Key::Up.to_string()).await;
    window.see_focus("bulk-row-text").await;
    window.fill("bulk-row-text", "100003 1g").await;
    window.type_keys("bulk-row-text", &Key::Enter.to_string()).await;
    window.see(&format!("{}[data-value='4']", testid("bulk-total"))).await;
}

#[tokio::test]
async fn columns_are_chosen_and_kept_for_the_next_start_and_their_names_stay() {
    let service = service::start().await;
    let mut window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.press("nav-orders").await;
    window.see(&testid("order-row")).await;
    let heads = "return [...document.querySelectorAll('[data-testid=orders-table] [role=columnheader]')]
        .map(head => head.textContent.trim()).filter(text => text).join('|')";
    let all = window.run(heads).await.as_str().expect("text").to_owned();
    assert!(all.contains("Order number") && all.contains("Paid"), "{all}");
    window.press("columns").await;
    window.see(&testid("column-number")).await;
    let findings = window.axe().await;
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(window.attribute("column-number", "aria-disabled").await, "true");
    window.press("column-paid").await;
    window.press("column-places").await;
    window.see(&format!("{}[aria-checked='false']", testid("column-places"))).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("column-places")).await;
    let some = window.run(heads).await.as_str().expect("text").to_owned();
    assert!(some.contains("Order number") && !some.contains("Paid") && !some.contains("Places"), "{some}");
    window.kill().await;
    window.start_again().await;
    window.press("nav-orders").await;
    window.see(&testid("order-row")).await;
    assert_eq!(window.run(heads).await, some);
    window.press("columns").await;
    window.press("columns-reset").await;
    tests::until("all columns are back", async || (window.run(heads).await == all).then_some(())).await;
}

/// Hides the first column that may be hidden of the last table on screen, and shows all again, by keyboard.
async fn hides_a_column_and_shows_it_again(window: &Window, table: &str) {
    let choice = "[...document.querySelectorAll('main [data-testid=columns]')].at(-1)";
    let heads = async || {
        let heads = format!(
            "return [...{choice}?.closest('[role=grid], [role=table]')?.querySelectorAll('[role=columnheader]') ?? []]
                .map(head => head.textContent.trim()).filter(text => text)"
        );
        window.run(&heads).await.as_array().expect("a list").clone()
    };
    let all = tests::until(table, async || Some(heads().await).filter(|heads| !heads.is_empty())).await;
    let open = format!("{choice}.focus()");
    let item = "[data-testid^='column-']:not([aria-disabled='true'])";
    let press = async |item: &str| {
        window.run(&format!("document.querySelector(\"{item}\").focus()")).await;
        window.keys(&Key::Enter.to_string()).await;
    };
    window.run(&open).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see(item).await;
    let name = window.text_of(item).await;
    press(item).await;
    window.see(&format!("{item}[aria-checked='false']")).await;
    let some = heads().await;
    assert_eq!((some.len(), some.iter().any(|head| *head == name.as_str())), (all.len() - 1, false), "{table}: {name}");
    press("[data-testid=columns-reset]").await;
    tests::until(&format!("{table} has all columns"), async || (heads().await == all).then_some(())).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(item).await;
}

#[tokio::test]
async fn a_table_of_each_place_hides_a_column_and_shows_it_again() {
    let (_service, window) = at_customers().await;
    hides_a_column_and_shows_it_again(&window, "customers").await;
    window.press("bulk-paste").await;
    window.press("bulk-recharge").await;
    window.fill("bulk-text", "100001 0.1g\n100002 0.1g").await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-total")).await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='2']", testid("bulk-result"))).await;
    hides_a_column_and_shows_it_again(&window, "rows of a bulk").await;
    window.press("nav-traffic").await;
    window.press("traffic-part-usage").await;
    window.see(&testid("usage-row")).await;
    hides_a_column_and_shows_it_again(&window, "usage by day").await;
    window.press("traffic-part-consumption").await;
    window.see_state("consumption-table", "ready").await;
    hides_a_column_and_shows_it_again(&window, "consumption").await;
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    hides_a_column_and_shows_it_again(&window, "records").await;
    window.press("nav-buy").await;
    window.buy_three_in_japan().await;
    window.press("nav-orders").await;
    window.see(&testid("order-row")).await;
    hides_a_column_and_shows_it_again(&window, "orders").await;
    window.press("order-row").await;
    window.see_state("order-proxies", "ready").await;
    hides_a_column_and_shows_it_again(&window, "IPs of an order").await;
    window.press("nav-activity").await;
    window.see(&testid("activity-row")).await;
    hides_a_column_and_shows_it_again(&window, "activity").await;
    window.press("nav-ips").await;
    window.see(&testid("ips-row")).await;
    hides_a_column_and_shows_it_again(&window, "IPs").await;
}

#[tokio::test]
async fn the_head_of_a_table_stays_while_its_rows_scroll() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    window.see_usage_read().await;
    window.see_state("usage-table", "ready").await;
    head_stays(&window, "usage-list").await;
    window.press("usage-by-row").await;
    window.see(&format!("{}[data-state='ready']", testid("usage-rows-table-row"))).await;
    head_stays(&window, "usage-rows-table").await;
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    head_stays(&window, "records-rows").await;
    window.press("nav-customers").await;
    window.see(&testid("customer-row")).await;
    head_stays(&window, "customers-rows").await;
}

/// Scrolls the rows of a table, and checks that its head stays where it was and covers them.
async fn head_stays(window: &Window, rows: &str) {
    let of = format!("const rows = document.querySelector(\"{}\"); ", testid(rows));
    let above = format!(
        "{of}const head = rows.querySelector('[role=columnheader]').getBoundingClientRect();
        const top = document.elementFromPoint(head.left + 4, head.top + head.height / 2);
        return [Math.round(head.top - rows.getBoundingClientRect().top), Math.round(rows.scrollTop),
            top?.closest('[role=row]')?.querySelector('[role=columnheader]') != null]"
    );
    window.run(&format!("{of}rows.scrollIntoView({{ block: 'center' }})")).await;
    let before = window.run(&above).await;
    window.run(&format!("{of}rows.scrollTop = 100")).await;
    let after = window.run(&above).await;
    assert_eq!((&before[1], &after[1]), (&serde_json::json!(0), &serde_json::json!(100)), "{rows}");
    assert_eq!((&before[0], &before[2], &after[2]), (&after[0], &true.into(), &true.into()), "{rows}");
}
