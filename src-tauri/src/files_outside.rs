//! Files of the user, opened by other programs of the system. A path comes from the core's own list of saved files and
//! goes to the other program as one argument: no shell reads it.

use std::path::Path;
use std::process::{Command, Stdio};

use till::host::Failed;

/// Opens a file with the system's program for it.
pub(crate) fn open(file: &Path) -> Result<(), Failed> {
    #[cfg(target_os = "linux")]
    return start(Command::new("xdg-open").arg(file));
    #[cfg(target_os = "macos")]
    return start(Command::new("/usr/bin/open").arg(file));
    #[cfg(windows)]
    return start(Command::new("explorer.exe").arg(file));
}

/// Shows a file in its folder, selected where the system's file manager can do that.
pub(crate) fn show_in_folder(file: &Path) -> Result<(), Failed> {
    #[cfg(target_os = "linux")]
    return file_manager::select(file).or_else(|error| {
        tracing::info!(%error, "no file manager answers");
        start(Command::new("xdg-open").arg(file.parent().unwrap_or(file)))
    });
    #[cfg(target_os = "macos")]
    return start(Command::new("/usr/bin/open").arg("-R").arg(file));
    #[cfg(windows)]
    return {
        use std::os::windows::process::CommandExt;
        // Explorer takes its own quotes apart. No name of a file holds one.
        start(Command::new("explorer.exe").raw_arg(format!("/select,\"{}\"", file.display())))
    };
}

/// Starts a program and goes on.
fn start(command: &mut Command) -> Result<(), Failed> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // The system keeps the entry of an ended process until its parent waits for it.
    std::thread::spawn(move || child.wait());
    Ok(())
}

#[cfg(target_os = "linux")]
mod file_manager {
    use std::path::Path;

    use till::host::Failed;
    use zbus::blocking::Connection;

    /// Asks the file manager over the bus ("file-manager-interface", freedesktop.org).
    pub(super) fn select(file: &Path) -> Result<(), Failed> {
        let (name, path) = ("org.freedesktop.FileManager1", "/org/freedesktop/FileManager1");
        let bus = Connection::session()?;
        bus.call_method(Some(name), path, Some(name), "ShowItems", &([uri(file)], ""))?;
        Ok(())
    }

    /// Writes an absolute path as a `file:` address.
    fn uri(file: &Path) -> String {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
        let bytes = std::os::unix::ffi::OsStrExt::as_bytes(file.as_os_str()).iter();
        let written =
            bytes.map(|byte| if is_plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") });
        std::iter::once("file://".to_owned()).chain(written).collect()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn an_address_of_a_file_has_no_byte_that_means_something_else() {
            assert_eq!(uri(Path::new("/a b/é#%(2).csv")), "file:///a%20b/%C3%A9%23%25%282%29.csv");
        }
    }
}
