//! Dialogs of the frame, lists without anything, while they load and when they are long, and IPs that run out: for axe and
//! for pictures.

use fantoccini::key::Key;
use sandbox::{Fault, Options};
use tests::service;
use tests::window::{Window, testid};

use crate::accessibility::{clean, connected};
use crate::goods_screens::goods_screens;
use crate::unread_screens::unread_screens;

const DAY: i64 = 86_400_000;

/// Goes through them as an agent with 2,000 customers who has bought nothing yet.
pub(crate) async fn edge_screens(theme: &str, language: &str) {
    let service = service::start_with(Options { customers: 2000, ..Options::default() }).await;
    // Until they are looked at while they load.
    service::always(&service, "customer/list", Fault::Delay { ms: 600_000 });
    let window = connected(&service, theme, language).await;
    dialogs(&window).await;
    texts(&window).await;
    saved_configurations(&window).await;
    window.press("nav-customers").await;
    window.see_state("customers-table", "loading").await;
    clean(&window, "customers while they load").await;
    service.world.clear_faults();
    window.press("stop-waiting").await;
    window.press("customers-refresh").await;
    window.see_state("customers-table", "ready").await;
    clean(&window, "many customers").await;
    menus(&window).await;
    window.press("nav-ips").await;
    window.see_state("ips-table", "empty").await;
    clean(&window, "no IPs").await;
    window.press("ips-view-buyers").await;
    window.see_state("buyers-table", "empty").await;
    clean(&window, "no buyers").await;
    ends(&window, &service).await;
    goods_screens(&window, &service).await;
    errors(&window, &service).await;
    unread_screens(theme, language).await;
}

/// Closes what floats above the page.
async fn escape(window: &Window, gone: &str) {
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid(gone)).await;
}

/// The dialogs that show a text. Begins and ends in Settings.
async fn texts(window: &Window) {
    for what in ["report", "notices"] {
        window.press(&format!("settings-{what}")).await;
        window.see(&testid(&format!("{what}-text"))).await;
        clean(window, what).await;
        escape(window, &format!("{what}-text")).await;
    }
}

/// The dialogs and the menu of saved configurations, with the longest name.
async fn saved_configurations(window: &Window) {
    window.press("nav-buy").await;
    window.choose_three_in_japan().await;
    window.press("buy-save").await;
    window.fill("saved-name", "Three social IPs in Japan for a month, as the last time, ok?").await;
    clean(window, "save a configuration").await;
    window.press("saved-confirm").await;
    window.press("buy-saved").await;
    window.see(&testid("buy-saved-option")).await;
    clean(window, "menu of saved configurations").await;
    window.press("buy-saved-option").await;
    window.see(&testid("buy-saved-cancel")).await;
    clean(window, "question before a selection is replaced").await;
    window.press("buy-saved-cancel").await;
    window.press("buy-saved").await;
    window.press("buy-saved-manage").await;
    window.press("saved-rename-begin").await;
    clean(window, "saved configurations").await;
    window.press("saved-rename-cancel").await;
    window.press("saved-close").await;
    window.see_gone(&testid("saved-close")).await;
    window.press("buy-line-remove").await;
}

/// The menus of a table. Begins and ends in Customers.
async fn menus(window: &Window) {
    for (opens, shown, place) in [("row-more", "row-menu", "menu of a row"), ("columns", "columns-reset", "columns")] {
        window.press(opens).await;
        window.see(&testid(shown)).await;
        clean(window, place).await;
        escape(window, shown).await;
    }
}

/// Records, consumption and an order that cannot be read, and the dialog that replaces a token.
async fn errors(window: &Window, service: &sandbox::Service) {
    service.world.rotate_static_token("another");
    window.press("nav-buy").await;
    window.choose_three_in_japan().await;
    window.press("buy-get-price").await;
    window.press("error-replace-token").await;
    window.see(&testid("token-new")).await;
    clean(window, "replace a token").await;
    escape(window, "token-new").await;
    service::always(service, "", Fault::Status { code: 503 });
    for (nav, part, table) in [
        ("nav-traffic", "traffic-part-records", "records-table"),
        ("nav-traffic", "traffic-part-consumption", "consumption-table"),
    ] {
        window.press(nav).await;
        window.press(part).await;
        window.see(&format!("{} [data-testid='error-panel']", testid(table))).await;
        clean(window, &format!("{table} that cannot be read")).await;
    }
    window.press("nav-orders").await;
    window.press("order-row").await;
    window.see_state("order-proxies", "error").await;
    clean(window, "order that cannot be read").await;
    service.world.clear_faults();
}

/// The dialogs of the frame. Begins in Settings.
async fn dialogs(window: &Window) {
    window.press("connection-edit").await;
    window.press("connection-advanced").await;
    window.press("connection-polarity-check").await;
    window.see(&testid("polarity-customer")).await;
    clean(window, "check of 0 and 1").await;
    escape(window, "polarity-customer").await;
    window.press("connection-cancel").await;
    window.press("settings-files").await;
    window.see(&testid("saved-close")).await;
    clean(window, "saved files").await;
    window.press("saved-close").await;
    window.see_gone(&testid("saved-close")).await;
    window.keys(&format!("{}{}/{}", Key::Control, Key::Shift, Key::Null)).await;
    window.see(&testid("key-list")).await;
    clean(window, "key list").await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("key-list")).await;
    window.press("wallet-open").await;
    window.fill("wallet-amount", "100").await;
    window.press("wallet-save").await;
    window.see(&testid("wallet-ledger")).await;
    clean(window, "wallet").await;
    window.type_keys("wallet-close", &Key::Escape.to_string()).await;
    window.see_gone(&testid("wallet-close")).await;
}

/// IPs of which some run out soon and others have run out.
async fn ends(window: &Window, service: &sandbox::Service) {
    for days in [-40, 15] {
        service.world.clock.advance(days * DAY);
        window.press("nav-buy").await;
        window.choose_three_in_japan().await;
        window.get_price().await;
        window.pay().await;
        window.see_state("order-proxies", "ready").await;
        window.press("order-hand-over").await;
        window.see(&testid("hand-copy")).await;
        if days < 0 {
            window.see(&testid("hand-expired")).await;
            clean(window, "hand-over dialog with expired IPs").await;
        }
        window.press("hand-close").await;
    }
    window.press("nav-overview").await;
    window.see(&format!("{}[data-value='3']", testid("overview-ips-due"))).await;
    clean(window, "overview with IPs that expire").await;
    window.press("overview-ips").await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
}
