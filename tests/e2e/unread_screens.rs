//! Every place while it is read for the first time and when nothing can be read, for axe and for pictures.

use sandbox::Fault;
use tests::service;
use tests::window::{Window, testid};

use crate::accessibility::{album, clean};

/// The places that need the vendor: the button of the side bar, and the part of the place.
const PLACES: [(&str, Option<&str>); 6] = [
    ("nav-overview", None),
    ("nav-buy", None),
    ("nav-traffic", Some("traffic-part-usage")),
    ("nav-traffic", Some("traffic-part-consumption")),
    ("nav-traffic", Some("traffic-part-records")),
    ("nav-customers", None),
];

/// Goes through them with a service that answers nothing at first, then that it is out of order.
pub(crate) async fn unread_screens(theme: &str, language: &str) {
    let service = service::start().await;
    let mut window = Window::open_with(&["--lang", language]).await;
    window.album = album(theme, language);
    window.resize(900, 600).await;
    service::always(&service, "", Fault::Delay { ms: 600_000 });
    window.press("welcome-connect").await;
    window.describe_connection(&service.base_url()).await;
    window.press("connection-save").await;
    window.see_state("keychain-state", "available").await;
    window.press("nav-settings").await;
    window.press(&format!("settings-theme-{theme}")).await;
    window.see(&format!("[data-theme='{theme}']")).await;
    every_place(&window, ".skeleton", "while it loads").await;
    window.kill().await;
    service.world.clear_faults();
    service::always(&service, "", Fault::Status { code: 503 });
    window.start_again().await;
    window.resize(900, 600).await;
    every_place(&window, &testid("error-panel"), "that cannot be read").await;
}

/// Visits each place and waits until it shows this.
async fn every_place(window: &Window, shown: &str, what: &str) {
    for (nav, part) in PLACES {
        window.press(nav).await;
        if let Some(part) = part {
            window.press(part).await;
        }
        window.see(&format!("main {shown}")).await;
        clean(window, &format!("{} {what}", part.unwrap_or(nav))).await;
    }
}
