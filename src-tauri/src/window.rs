//! The one window. It is created in Rust so that the web view's own data is in the data folder.

use std::time::Duration;

use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, Manager, Monitor, PhysicalPosition, PhysicalSize, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
};

use till::Geometry;

use crate::options::Options;
use crate::shell::shell;

/// The label of the one window.
pub(crate) const MAIN: &str = "main";

/// The size at the first start, and the smallest one, in logical pixels.
const FIRST_SIZE: (u32, u32) = (1280, 820);
const LEAST_SIZE: (u32, u32) = (900, 600);

/// The window is shown when its remembered place and size are known, or after this time. WebKitGTK waits half a second
/// for the page when a window that is on screen changes its size before the page is there.
const PLACE_WITHIN: Duration = Duration::from_millis(200);

/// The height of a title bar before the window has one to measure, in logical pixels.
const TITLE_BAR: u32 = 40;

/// The page that offers WebView2, with which Windows shows web pages.
pub(crate) const WEB_VIEW_PAGE: &str = "https://developer.microsoft.com/microsoft-edge/webview2/consumer/";

/// Whether the system can show the window's page. Windows may lack the part for that; the others would not have started
/// the program.
pub(crate) fn can_open() -> bool {
    !cfg!(windows) || tauri::webview_version().is_ok()
}

pub(crate) fn create(handle: &AppHandle, options: &Options) -> tauri::Result<WebviewWindow> {
    let screen = handle.primary_monitor().ok().flatten();
    let on_screen = |size| screen.as_ref().map_or(size, |screen| fitted(size, free_size(screen)));
    let ((width, height), (least_width, least_height)) = (on_screen(FIRST_SIZE), on_screen(LEAST_SIZE));
    let window = WebviewWindowBuilder::new(handle, MAIN, WebviewUrl::default())
        .title("Proxytill")
        .inner_size(width.into(), height.into())
        .min_inner_size(least_width.into(), least_height.into())
        .visible(false)
        .data_directory(options.data_dir.join("webview"))
        // WebView2 would keep what was typed in a file of its own, and offer it again.
        .general_autofill_enabled(false)
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .build()?;
    let (own, handle) = (window.clone(), handle.clone());
    tauri::async_runtime::spawn(async move {
        let mut reading = tauri::async_runtime::spawn(async move {
            let till = shell(&handle).till(&handle).await.ok()?;
            let place = till.window_place();
            // While the page loads.
            tauri::async_runtime::spawn_blocking(move || till.open_last_journal());
            place.ok().flatten()
        });
        let place = tokio::time::timeout(PLACE_WITHIN, &mut reading).await;
        if let Ok(Ok(Some(place))) = place {
            restore(&own, place);
        }
        if let Err(error) = own.show() {
            tracing::error!(%error, "the window is not shown");
        }
        // A slow disk: a place that is not restored would be forgotten when the program ends.
        if place.is_err()
            && let Ok(Some(place)) = reading.await
        {
            restore(&own, place);
        }
    });
    Ok(window)
}

/// Whether an address is a page of the program. The window shows no other, whatever a text links to.
fn is_own_page(url: &Url) -> bool {
    let own = if cfg!(windows) { ("http", Some("tauri.localhost")) } else { ("tauri", Some("localhost")) };
    (url.scheme(), url.host_str()) == own && url.port().is_none()
}

/// A size that is no larger than the area for it: a window beyond the screen has buttons that nobody reaches.
fn fitted((width, height): (u32, u32), (area_width, area_height): (u32, u32)) -> (u32, u32) {
    (width.min(area_width), height.min(area_height))
}

/// The size that a new window may have on a screen, in logical pixels.
fn free_size(screen: &Monitor) -> (u32, u32) {
    let area = screen.work_area().size.to_logical::<u32>(screen.scale_factor());
    (area.width, area.height.saturating_sub(TITLE_BAR))
}

fn restore(window: &WebviewWindow, geometry: Geometry) {
    // A window on a screen that is gone would be lost: then only the size is restored.
    let holds = |screen: &Monitor| {
        let (at, size) = (screen.position(), screen.size());
        (at.x..at.x + size.width as i32).contains(&geometry.x)
            && (at.y..at.y + size.height as i32).contains(&geometry.y)
    };
    let remembered = window.available_monitors().unwrap_or_default().into_iter().find(holds);
    let visible = remembered.is_some();
    let wanted = (geometry.width, geometry.height);
    let screen = remembered.or_else(|| window.current_monitor().ok().flatten());
    let (width, height) = screen.map_or(wanted, |screen| fitted(wanted, inside(window, &screen)));
    let _ = window.set_size(PhysicalSize::new(width, height));
    if visible {
        let _ = window.set_position(PhysicalPosition::new(geometry.x, geometry.y));
    }
}

/// The size that this window may have inside its frame on a screen, in physical pixels.
fn inside(window: &WebviewWindow, screen: &Monitor) -> (u32, u32) {
    let area = screen.work_area().size;
    let (Ok(outer), Ok(inner)) = (window.outer_size(), window.inner_size()) else { return (area.width, area.height) };
    let left = |area: u32, outer: u32, inner: u32| area.saturating_sub(outer.saturating_sub(inner));
    // A window that is still hidden may not know its frame.
    let title = if outer.height <= inner.height { (f64::from(TITLE_BAR) * screen.scale_factor()) as u32 } else { 0 };
    (left(area.width, outer.width, inner.width), left(area.height, outer.height, inner.height).saturating_sub(title))
}

/// Saves the window's size and place for the next start.
pub(crate) fn remember(handle: &AppHandle) {
    let Some(window) = handle.get_webview_window(MAIN) else { return };
    let Some(till) = shell(handle).opened() else { return };
    if let (Ok(at), Ok(size)) = (window.outer_position(), window.inner_size()) {
        let geometry = Geometry { x: at.x, y: at.y, width: size.width, height: size.height };
        if let Err(error) = till.remember_window_place(geometry) {
            tracing::warn!(error = error.details.technical, "window place not saved");
        }
    }
}

pub(crate) fn bring_to_front(window: &WebviewWindow) {
    let _ = window.unminimize();
    let _ = window.show();
    let _ = window.set_focus();
}

/// Zooms the whole page.
pub(crate) fn zoom(handle: &AppHandle, factor: f64) {
    if let Some(window) = handle.get_webview_window(MAIN)
        && let Err(error) = window.set_zoom(factor)
    {
        tracing::warn!(%error, "not zoomed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_as_large_as_wanted_and_never_larger_than_its_screen() {
        assert_eq!(fitted((1280, 820), (1920, 1040)), (1280, 820));
        assert_eq!(fitted((1280, 820), (1366, 728)), (1280, 728));
        assert_eq!(fitted((2560, 1400), (1024, 560)), (1024, 560));
    }

    #[test]
    fn the_window_shows_its_own_pages_and_no_others() {
        let own = |text: &str| is_own_page(&text.parse().unwrap());
        // On Windows the program's pages have another address.
        let (mine, not_mine) = ("tauri://localhost", "http://tauri.localhost");
        let (mine, not_mine) = if cfg!(windows) { (not_mine, mine) } else { (mine, not_mine) };
        assert!(own(mine) && own(&format!("{mine}/index.html#/buy?x=1")));
        for end in ["/", "/index.html", ":8080/", ".elsewhere.example/"] {
            assert!(!own(&format!("{not_mine}{end}")), "{not_mine}{end}");
        }
        for other in [
            format!("{mine}.elsewhere.example/").as_str(),
            format!("{mine}:8080/").as_str(),
            "https://elsewhere.example/",
            "https://tauri.localhost/",
            "http://localhost/",
            "tauri://elsewhere/",
            "file:///etc/passwd",
            "data:text/html,x",
            "blob:tauri://localhost/1",
            "javascript:alert(1)",
            "about:blank",
            "ipc://localhost/boot",
        ] {
            assert!(!own(other), "{other}");
        }
    }
}
