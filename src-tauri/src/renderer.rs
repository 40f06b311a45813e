//! Linux only: on X11, the DMABUF renderer of WebKitGTK is slower than the plain one, and with some drivers it leaves
//! blank windows. WebKit's own processes inherit the variable, so it is set before anything else runs.

#[cfg(target_os = "linux")]
pub(crate) fn choose() {
    const SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    let x11 = std::env::var_os("WAYLAND_DISPLAY").is_none();
    let nvidia = std::path::Path::new("/proc/driver/nvidia").exists();
    // Without it the window opens with the other renderer.
    if (x11 || nvidia)
        && let Err(error) = glib::setenv(SWITCH, "1", false)
    {
        eprintln!("{SWITCH} is not set: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn choose() {}
