//! Messages of a program that has no window: on the terminal, and in a system dialog where nobody would see that.

use std::io::IsTerminal;

/// Tells what was asked for.
pub(crate) fn tell(text: &str) {
    println!("{text}");
    if !std::io::stdout().is_terminal() {
        dialog(text, false);
    }
}

/// Says why the program ends, in both languages: the person's own may not be known yet. `key` is one of the program's
/// texts, `what` its detail.
pub(crate) fn fail(key: &str, what: &str) {
    let text = till::in_both_languages(key, what);
    eprintln!("{text}");
    if !std::io::stderr().is_terminal() {
        dialog(&text, true);
    }
}

/// A program with a window has no terminal on Windows, and none on macOS when it is started from the Finder.
#[cfg(any(windows, target_os = "macos"))]
fn dialog(text: &str, is_error: bool) {
    let level = if is_error { rfd::MessageLevel::Error } else { rfd::MessageLevel::Info };
    rfd::MessageDialog::new().set_title("Proxytill").set_description(text).set_level(level).show();
}

/// Shows nothing: on Linux these texts are in the session's log, and a dialog would keep scripts waiting.
#[cfg(not(any(windows, target_os = "macos")))]
fn dialog(_text: &str, _is_error: bool) {}
