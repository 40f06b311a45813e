//! Dialogs of the frame, lists without anything, while they load and when they are long, and IPs that run out: for axe and
//! for pictures.

use fantoccini::key::Key;
use sandbox::{Fault, Options};
use tests::service;
use tests::window::{Window, testid};

use crate::accessibility::{album, clean};

const DAY: i64 = 86_400_000;

/// Goes through them as an agent with 2,000 customers who has bought nothing yet.
pub(crate) async fn edge_screens(theme: &str, language: &str) {
    let service = service::start_with(Options { customers: 2000, ..Options::default() }).await;
    let mut window = Window::open_with(&["--lang", language]).await;
    window.album = album(theme, language);
    window.resize(900, 600).await;
    // Until they are looked at while they load.
    service::always(&service, "customer/list", Fault::Delay { ms: 600_000 });
    window.connect_to(&service.base_url()).await;
    window.press("nav-settings").await;
    window.press(&format!("settings-theme-{theme}")).await;
    dialogs(&window).await;
    window.press("nav-customers").await;
    window.see_state("customers-table", "loading").await;
    clean(&window, "customers while they load").await;
    service.world.clear_faults();
    window.press("stop-waiting").await;
    window.press("customers-refresh").await;
    window.see_state("customers-table", "ready").await;
    clean(&window, "many customers").await;
    window.press("nav-ips").await;
    window.see_state("ips-table", "empty").await;
    clean(&window, "no IPs").await;
    window.press("ips-view-buyers").await;
    window.see_state("buyers-table", "empty").await;
    clean(&window, "no buyers").await;
    ends(&window, &service).await;
}

/// The dialogs of the frame. Begins in Settings.
async fn dialogs(window: &Window) {
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
