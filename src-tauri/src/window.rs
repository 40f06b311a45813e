//! The one window. It is created in Rust so that the web view's own data is in the data folder.

use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Manager, PhysicalPosition, PhysicalSize, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use till::Geometry;

use crate::options::Options;
use crate::shell::shell;

/// The label of the one window.
pub(crate) const MAIN: &str = "main";

/// Where a person gets what Windows shows web pages with.
pub(crate) const WEB_VIEW_PAGE: &str = "https://developer.microsoft.com/microsoft-edge/webview2/consumer/";

/// Whether the system can show the window's page. Windows may lack the part for that; the others would not have started
/// the program.
pub(crate) fn can_open() -> bool {
    !cfg!(windows) || tauri::webview_version().is_ok()
}

pub(crate) fn create(handle: &AppHandle, options: &Options) -> tauri::Result<WebviewWindow> {
    let window = WebviewWindowBuilder::new(handle, MAIN, WebviewUrl::default())
        .title("Proxytill")
        .inner_size(1280.0, 820.0)
        .min_inner_size(900.0, 600.0)
        .data_directory(options.data_dir.join("webview"))
        // WebView2 would keep what was typed in a file of its own, and offer it again.
        .general_autofill_enabled(false)
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .build()?;
    // The window is on screen before anything is read from disk: its remembered place follows.
    let (shown, handle) = (window.clone(), handle.clone());
    tauri::async_runtime::spawn(async move {
        if let Ok(till) = shell(&handle).till(&handle).await
            && let Ok(Some(geometry)) = till.window_place()
        {
            restore(&shown, geometry);
        }
    });
    Ok(window)
}

/// Whether an address is a page of the program. The window shows no other, whatever a text links to.
fn is_own_page(url: &Url) -> bool {
    let own = if cfg!(windows) { ("http", Some("tauri.localhost")) } else { ("tauri", Some("localhost")) };
    (url.scheme(), url.host_str()) == own && url.port().is_none()
}

fn restore(window: &WebviewWindow, geometry: Geometry) {
    // A window on a screen that is gone would be lost: then only the size is restored.
    let visible = window.available_monitors().unwrap_or_default().iter().any(|monitor| {
        let (at, size) = (monitor.position(), monitor.size());
        (at.x..at.x + size.width as i32).contains(&geometry.x)
            && (at.y..at.y + size.height as i32).contains(&geometry.y)
    });
    let _ = window.set_size(PhysicalSize::new(geometry.width, geometry.height));
    if visible {
        let _ = window.set_position(PhysicalPosition::new(geometry.x, geometry.y));
    }
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
