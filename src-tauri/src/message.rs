//! Messages of a program that has no window: on the terminal, and in a system dialog where nobody would see that.

/// Tells what was asked for.
pub(crate) fn tell(text: &str) {
    println!("{text}");
    if nobody_sees(&std::io::stdout()) {
        dialog(text, false);
    }
}

/// Says why the program ends, in both languages: the person's own may not be known yet. `key` is one of the program's
/// texts, `what` its detail.
pub(crate) fn fail(key: &str, what: &str) {
    warn(&till::in_both_languages(key, what));
}

/// Like [`fail`], with some help below.
pub(crate) fn fail_with(key: &str, what: &str, help: &str) {
    warn(&format!("{}\n\n{help}", till::in_both_languages(key, what)));
}

fn warn(text: &str) {
    eprintln!("{text}");
    if nobody_sees(&std::io::stderr()) {
        dialog(text, true);
    }
}

/// Whether an output leads nowhere: a program with a window has none on Windows. A file or another program that reads it
/// must not be kept waiting by a dialog.
#[cfg(windows)]
fn nobody_sees(output: &impl std::os::windows::io::AsRawHandle) -> bool {
    output.as_raw_handle().is_null()
}

/// Whether an output leads nowhere: that of a program that the Finder starts is `/dev/null`.
#[cfg(unix)]
fn nobody_sees(output: &(impl std::os::fd::AsFd + std::io::IsTerminal)) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let file = output.as_fd().try_clone_to_owned().map(std::fs::File::from);
    let kind = file.and_then(|file| file.metadata()).map(|data| data.file_type());
    !output.is_terminal() && kind.is_ok_and(|kind| kind.is_char_device())
}

#[cfg(any(windows, target_os = "macos"))]
fn dialog(text: &str, is_error: bool) {
    let level = if is_error { rfd::MessageLevel::Error } else { rfd::MessageLevel::Info };
    rfd::MessageDialog::new().set_title("Proxytill").set_description(text).set_level(level).show();
}

/// Shows nothing: on Linux these texts are in the session's log, and a dialog would keep scripts waiting.
#[cfg(not(any(windows, target_os = "macos")))]
fn dialog(_text: &str, _is_error: bool) {}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};

    use super::nobody_sees;

    #[test]
    fn somebody_may_read_a_file_and_nobody_sees_what_goes_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!nobody_sees(&File::create(folder.path().join("log")).unwrap()));
        if cfg!(unix) {
            assert!(nobody_sees(&OpenOptions::new().write(true).open("/dev/null").unwrap()));
        }
    }
}
