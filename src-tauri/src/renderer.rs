//! Linux only: on X11, the DMABUF renderer of WebKitGTK is slower than the plain one, and with some drivers it leaves
//! blank windows. The variable has to be set before the process starts.

#[cfg(target_os = "linux")]
pub(crate) fn choose() {
    use std::os::unix::process::CommandExt;
    const SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    let x11 = std::env::var_os("WAYLAND_DISPLAY").is_none();
    let nvidia = std::path::Path::new("/proc/driver/nvidia").exists();
    if std::env::var_os(SWITCH).is_some() || !(x11 || nvidia) {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        // Replaces this process. If that fails, the window opens with the other renderer.
        let error = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(SWITCH, "1").exec();
        eprintln!("not restarted with {SWITCH}: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn choose() {}
