//! The menus of rows: each action does what it says.

use fantoccini::key::Key;
use tests::until;
use tests::window::{Window, testid};

use crate::back::alt;
use crate::bulk::at_bulk;
use crate::charts::{at_usage, standing};
use crate::ips::with_order;

/// Opens the menu of the first row, which has exactly these actions, and presses one.
async fn choose(window: &Window, row: &str, actions: &str, action: &str) {
    // The menu opens beside its button, which has to be on screen. A row that is not read yet has none: it is asked again.
    let opens = format!(
        "if (document.querySelector('[data-testid=row-menu]')) return true;
         const button = document.querySelector(\"{} [data-testid='row-more']\");
         button?.scrollIntoView({{ block: 'center' }}); button?.click(); return false",
        testid(row)
    );
    until(&format!("{row} has a menu"), async || (window.run(&opens).await == true).then_some(())).await;
    window.see(&testid("row-menu")).await;
    let shown = "return [...document.querySelectorAll('[data-testid=row-menu] [role=menuitem]')]
        .map(one => one.dataset.testid.replace('row-', '')).join(' ')";
    assert_eq!(window.run(shown).await, actions, "{row}");
    window.press(&format!("row-{action}")).await;
    window.see_gone(&testid("row-menu")).await;
}

/// Copies from the menu of the first row.
async fn copies(window: &Window, row: &str, actions: &str, action: &str) {
    choose(window, row, actions, action).await;
    window.see(".toast.shown").await;
    window.see_gone(".toast.shown").await;
}

#[tokio::test]
async fn the_menus_of_traffic_lead_to_customers_and_days() {
    let (_service, window) = at_usage(standing()).await;
    // A day: who used it. A customer: their page, their days alone.
    choose(&window, "usage-row", "customers", "customers").await;
    window.see_state("usage-by-customer", "checked").await;
    let customer = "open only copy-name copy-id";
    let first = async || window.attribute("usage-row", "data-key").await;
    let is_customer = |key: &String| key.bytes().all(|byte| byte.is_ascii_digit());
    let key = until("customers are listed", async || Some(first().await).filter(is_customer)).await;
    choose(&window, "usage-row", customer, "open").await;
    window.see(&format!("{}[data-key='{key}']", testid("customer-page"))).await;
    window.keys(&alt(Key::Left)).await;
    for action in ["copy-name", "copy-id"] {
        copies(&window, "usage-row", customer, action).await;
    }
    choose(&window, "usage-row", customer, "only").await;
    window.see_state("usage-by-day", "checked").await;
    assert!(!window.value("usage-customer").await.is_empty(), "one customer alone");
    window.press("usage-by-row").await;
    copies(&window, "usage-rows-table-row", customer, "copy-id").await;
    choose(&window, "usage-rows-table-row", customer, "open").await;
    window.see(&format!("{}[data-key='{key}']", testid("customer-page"))).await;
    window.keys(&alt(Key::Left)).await;
    // Consumption of the account by days, and the records of all customers.
    window.press("traffic-part-consumption").await;
    copies(&window, "consumption-row", "customers copy-day", "copy-day").await;
    choose(&window, "consumption-row", "customers copy-day", "customers").await;
    window.see_state("usage-by-customer", "checked").await;
    window.press("traffic-part-records").await;
    copies(&window, "records-row", "open only copy-name", "copy-name").await;
    choose(&window, "records-row", "open only copy-name", "only").await;
    let account = window.value("records-account").await;
    assert!(account.contains('@'), "{account}");
    let alone = format!(
        "const rows = [...document.querySelectorAll('[data-testid=records-row]')];
         return rows.length > 0 && rows.every(row => row.textContent.includes('{account}'))"
    );
    until("the records are those of one account", async || (window.run(&alone).await == true).then_some(())).await;
    choose(&window, "records-row", "open only copy-name", "open").await;
    window.see(&testid("customer-page")).await;
    until("the page is that of the account", async || window.text_of("main h1").await.contains(&account).then_some(()))
        .await;
}

#[tokio::test]
async fn the_menus_of_an_order_its_ips_and_activity_lead_on() {
    let (_service, window) = with_order(0).await;
    let number = window.attribute("order-no", "data-value").await;
    window.press("nav-orders").await;
    window.press("order-row").await;
    copies(&window, "order-goods-row", "open-ip copy-address", "copy-address").await;
    let address = window.attribute("order-goods-row", "data-key").await;
    window.see(&format!("{}.open", testid("order-goods-row"))).await;
    choose(&window, "order-goods-row", "open-ip copy-address", "open-ip").await;
    window.see(&testid("ip-detail")).await;
    assert!(window.text("ip-detail").await.contains(&address), "the IP of the row");
    window.press("nav-orders").await;
    window.see(&testid("order-panel")).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("order-panel")).await;
    copies(&window, "order-row", "open copy-number again", "copy-number").await;
    choose(&window, "order-row", "open copy-number again", "open").await;
    window.see(&format!("{}[data-key='{number}']", testid("order-panel"))).await;
    window.press("nav-activity").await;
    let order = "open order copy-number";
    copies(&window, "activity-row", order, "copy-number").await;
    choose(&window, "activity-row", order, "open").await;
    window.see(&testid("activity-panel")).await;
    choose(&window, "activity-row", order, "order").await;
    window.see(&format!("{}[data-key='{number}']", testid("order-panel"))).await;
}

#[tokio::test]
async fn the_menus_of_a_bulk_lead_to_its_rows_and_their_customers() {
    let (_service, window) = at_bulk("100001 1g").await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-total")).await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='1']", testid("bulk-result"))).await;
    let of_row = "open customer copy-name";
    copies(&window, "bulk-row", of_row, "copy-name").await;
    choose(&window, "bulk-row", of_row, "open").await;
    window.see_state("operation-card", "applied").await;
    choose(&window, "bulk-row", of_row, "customer").await;
    window.see(&format!("{}[data-key='100001']", testid("customer-page"))).await;
    window.press("nav-activity").await;
    choose(&window, "activity-bulk", "turn bulk", "turn").await;
    choose(&window, "bulk-row", of_row, "customer").await;
    window.see(&format!("{}[data-key='100001']", testid("customer-page"))).await;
    window.press("nav-activity").await;
    choose(&window, "activity-bulk", "turn bulk", "bulk").await;
    window.see(&format!("{}[data-value='1']", testid("bulk-result"))).await;
}
