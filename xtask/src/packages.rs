//! System packages: installed on Debian and its derivatives, only named elsewhere.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::run::program;

/// Needed to build the program.
pub const BUILD: &[&str] =
    &["build-essential", "pkg-config", "libwebkit2gtk-4.1-dev", "librsvg2-dev", "libxdo-dev", "file", "fonts-noto-cjk"];

/// Needed to drive its window under a virtual display, with a session bus and a keychain.
pub const WINDOW: &[&str] = &[
    "webkit2gtk-driver",
    "xvfb",
    "xauth",
    "xdotool",
    "dbus",
    "dbus-x11",
    "gnome-keyring",
    "imagemagick",
    "procps",
    "fonts-noto-cjk",
];

/// Programs that the tests run against: a server that repeats, a spreadsheet, a tracer of writes, a clock that can be
/// set.
pub const PEERS: &[&str] = &["nginx-light", "libreoffice-calc-nogui", "strace", "faketime"];

/// Programs that benchmarks compare with.
pub const ANCHORS: &[&str] = &["curl", "sqlite3", "wrk"];

/// Needed to install Node.js where it is missing or too old.
pub const PYTHON: &[&str] = &["python3", "python3-venv", "python3-pip"];

/// Waits for up to ten minutes while the system updates itself, or another build installs something.
const APT: [&str; 3] = ["apt-get", "-o", "DPkg::Lock::Timeout=600"];
/// The lock of the package lists, for which apt does not wait by itself.
const LISTS: &str = "/lists/lock";
/// As long as apt waits for its other lock.
const LONGEST: Duration = Duration::from_secs(600);

/// Tests of one program run side by side and may miss the same package.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Installs missing packages. Does nothing the second time.
pub fn ensure(wanted: &[&str]) -> Result<(), String> {
    if !Path::new("/usr/bin/apt-get").exists() {
        return elsewhere(wanted);
    }
    let _one = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let missing: Vec<&str> = wanted.iter().copied().filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("installing {}", missing.join(" "));
    update()?;
    as_root(&[&APT[..], &["install", "-y", "-qq", "--no-install-recommends"], &missing].concat())
}

fn update() -> Result<(), String> {
    let begun = Instant::now();
    loop {
        match as_root(&[&APT[..], &["update", "-qq"]].concat()) {
            Err(why) if why.contains(LISTS) && begun.elapsed() < LONGEST => std::thread::sleep(Duration::from_secs(2)),
            done => return done,
        }
    }
}

fn is_installed(package: &str) -> bool {
    let asked = program("dpkg-query", &["-W", "-f", "${db:Status-Status}", package]).captured();
    asked.is_ok_and(|status| status == "installed")
}

fn as_root(words: &[&str]) -> Result<(), String> {
    let root = program("id", &["-u"]).captured().is_ok_and(|id| id.trim() == "0");
    let words = if root { words.to_vec() } else { [&["sudo", "-E"], words].concat() };
    let (first, rest) = words.split_first().ok_or("nothing to run")?;
    let mut install = program(first, rest);
    install.env("DEBIAN_FRONTEND", "noninteractive");
    install.captured().map(|_| ()).map_err(|output| format!("{} failed:\n{output}", words.join(" ")))
}

/// Lists what is missing on other systems. Installs nothing there.
fn elsewhere(wanted: &[&str]) -> Result<(), String> {
    if wanted == WINDOW {
        return window_elsewhere();
    }
    if !cfg!(target_os = "linux") {
        // Windows has WebView2 and macOS has WebKit. Only Node.js is needed, which is checked next.
        return Ok(());
    }
    let webkit = program("pkg-config", &["--exists", "webkit2gtk-4.1"]).captured();
    webkit.map(|_| ()).map_err(|_| {
        "missing: the development files of WebKitGTK (webkit2gtk-4.1), librsvg and xdo, and pkg-config; \
         install them with this system's own package manager and run this again"
            .to_owned()
    })
}

/// The programs that drive the window, by name, because each system packages them differently.
fn window_elsewhere() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Err("the window is driven by WebKitWebDriver under Xvfb, which only Linux has".into());
    }
    let programs = ["WebKitWebDriver", "Xvfb", "dbus-daemon", "dbus-send", "gnome-keyring-daemon", "import", "kill"];
    let on_path = |name: &&str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
    };
    let missing: Vec<&str> = programs.into_iter().filter(|name| !on_path(name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("missing programs: {}", missing.join(" "))) }
}
