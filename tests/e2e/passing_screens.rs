//! What nobody stays at: an account in which nothing was done yet, a bulk that runs, the question before the window closes,
//! and a file above the window. For axe and for pictures.

use sandbox::{Fault, Options};
use tests::service;
use tests::window::{Window, testid};

use crate::accessibility::{album, clean};

const ROWS: usize = 40;

/// Goes through them with a service of its own for each.
pub(crate) async fn passing_screens(theme: &str, language: &str) {
    new_account(theme, language).await;
    at_work(theme, language).await;
}

/// A window in a look, connected to a service.
async fn connected(service: &sandbox::Service, theme: &str, language: &str) -> Window {
    let mut window = Window::open_with(&["--lang", language]).await;
    window.album = album(theme, language);
    window.resize(900, 600).await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-settings").await;
    window.press(&format!("settings-theme-{theme}")).await;
    window.see(&format!("[data-theme='{theme}']")).await;
    window
}

async fn new_account(theme: &str, language: &str) {
    let service = service::start_with(Options { customers: 0, ..Options::default() }).await;
    let window = connected(&service, theme, language).await;
    for (nav, part, table) in [
        ("nav-overview", None, "overview-orders"),
        ("nav-orders", None, "orders-table"),
        ("nav-customers", None, "customers-table"),
        ("nav-traffic", Some("traffic-part-usage"), "usage-table"),
        ("nav-traffic", Some("traffic-part-records"), "records-table"),
    ] {
        window.press(nav).await;
        if let Some(part) = part {
            window.press(part).await;
        }
        window.see_state(table, "empty").await;
        clean(&window, &format!("{table} of a new account")).await;
    }
}

async fn at_work(theme: &str, language: &str) {
    let service = service::start().await;
    let window = connected(&service, theme, language).await;
    let file = window.home().join("recharges.txt");
    std::fs::write(&file, "100001 1g\n").expect("a file");
    let dragged = window.drag(&file).await;
    window.see(&testid("drop-target")).await;
    clean(&window, "file above the window").await;
    dragged.leave();
    window.see_gone(&testid("drop-target")).await;
    service::always(&service, "rechargeTrafficCount", Fault::Delay { ms: 600_000 });
    window.see_customers().await;
    window.press("bulk-paste").await;
    let lines: Vec<String> = (100_001..).take(ROWS).map(|id| format!("{id} 256m")).collect();
    window.fill("bulk-text", &lines.join("\n")).await;
    window.press("bulk-preview").await;
    window.press("bulk-start").await;
    window.see_state("bulk-progress", "running").await;
    clean(&window, "bulk that runs").await;
    window.press_close_button().await;
    window.see(&testid("closing")).await;
    clean(&window, "question before the window closes").await;
    service.world.clear_faults();
}
