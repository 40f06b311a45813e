//! The window follows a desktop that is dark.

use tests::desk::Desk;
use tests::portal::Portal;
use tests::window::Window;

/// Waits until the page is dark, or light.
async fn see(window: &Window, is_dark: bool) {
    tests::until(if is_dark { "it is dark" } else { "it is light" }, async || {
        let now = window.run("return matchMedia('(prefers-color-scheme: dark)').matches").await;
        (now == is_dark).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_window_opens_as_dark_as_the_desktop_is_and_follows_it() {
    let desk = Desk::new();
    let portal = Portal::at(&desk.bus, true);
    let window = Window::open_at(desk, &[]).await;
    see(&window, true).await;
    for is_dark in [false, true] {
        portal.switch(is_dark);
        see(&window, is_dark).await;
    }
    // What the person chooses goes first, and saving a setting is no reason to forget the desktop.
    window.practise().await;
    window.press("nav-settings").await;
    window.press("settings-theme-light").await;
    see(&window, false).await;
    window.press("settings-theme-system").await;
    see(&window, true).await;
}

/// Some portals take long to start, and some never answer.
#[tokio::test]
async fn a_portal_that_does_not_answer_keeps_no_window_from_opening() {
    let desk = Desk::new();
    let _silent = Portal::silent(&desk.bus);
    let window = Window::open_at(desk, &[]).await;
    window.practise().await;
}
