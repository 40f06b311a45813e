//! What nobody stays at: an account in which nothing was done yet, a bulk that runs, the question before the window closes,
//! and a file above the window. For axe and for pictures.

use sandbox::{Fault, Options};
use tests::service;
use tests::window::testid;

use crate::accessibility::{clean, connected};
use crate::closing::begin_bulk;

/// Goes through them with a service of its own for each.
pub(crate) async fn passing_screens(theme: &str, language: &str) {
    new_account(theme, language).await;
    at_work(theme, language).await;
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
    begin_bulk(&window).await;
    clean(&window, "bulk that runs").await;
    window.press_close_button().await;
    window.see(&testid("closing")).await;
    clean(&window, "question before the window closes").await;
}
