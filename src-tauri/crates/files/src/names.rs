//! Names of files and folders.

use std::fs;
use std::io;
use std::path::Path;

use crate::held::patiently;

/// Renames a file or folder. A file at `to` is replaced. Waits up to two seconds while another program holds one of
/// them, so it must not run where a window waits.
///
/// # Errors
/// When it cannot be renamed.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    patiently(|| fs::rename(from, to))
}

/// Deletes a file; succeeds if there is none. Waits like [`rename`].
///
/// # Errors
/// When it cannot be deleted.
pub fn remove(file: &Path) -> io::Result<()> {
    match patiently(|| fs::remove_file(file)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes the names in a folder durable.
///
/// # Errors
/// When the folder cannot be synced.
#[cfg(not(windows))]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Makes the names in a folder durable. File systems that cannot flush a folder keep names in order by themselves.
///
/// # Errors
/// When there is no such folder, or its disk fails.
#[cfg(windows)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    use std::os::windows::fs::OpenOptionsExt;
    /// Without this flag Windows opens no folder.
    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    /// `ERROR_INVALID_FUNCTION`, `ERROR_ACCESS_DENIED`, `ERROR_INVALID_HANDLE`, `ERROR_SHARING_VIOLATION`,
    /// `ERROR_NOT_SUPPORTED`: not on this file system, or not while a backup reads it.
    const NOT_HERE: [i32; 5] = [1, 5, 6, 32, 50];
    let open = || fs::OpenOptions::new().write(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(folder);
    match patiently(open).and_then(|folder| folder.sync_all()) {
        Err(error) if error.raw_os_error().is_some_and(|code| NOT_HERE.contains(&code)) => Ok(()),
        synced => synced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_file_replaces_the_one_that_was_there_and_what_is_gone_can_be_removed() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["新", "old one"].map(|name| folder.path().join(name));
        fs::write(&from, "new").unwrap();
        fs::write(&to, "old").unwrap();
        rename(&from, &to).unwrap();
        sync_folder(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "new");
        assert!(rename(&from, &to).is_err(), "it is gone");
        remove(&to).unwrap();
        remove(&to).unwrap();
        assert!(!to.exists());
        assert!(sync_folder(&folder.path().join("none")).is_err());
    }

    /// What a scanner does: it opens the file and lets nobody rename or delete it.
    #[cfg(windows)]
    #[test]
    fn a_file_that_another_program_holds_is_renamed_and_removed_when_it_lets_go() {
        use std::os::windows::fs::OpenOptionsExt;
        use std::time::Duration;
        const READ_AND_WRITE: u32 = 3;
        let folder = tempfile::tempdir().unwrap();
        let held_while = |file: &Path, act: &dyn Fn() -> io::Result<()>| {
            let scanner = fs::OpenOptions::new().read(true).share_mode(READ_AND_WRITE).open(file).unwrap();
            let scan = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(100));
                drop(scanner);
            });
            act().unwrap();
            assert!(scan.is_finished(), "nothing was in the way");
            scan.join().unwrap();
        };
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        for _ in 0..100 {
            fs::write(&from, "new").unwrap();
            held_while(&from, &|| rename(&from, &to));
            fs::write(&from, "newer").unwrap();
            held_while(&to, &|| rename(&from, &to));
            held_while(&to, &|| remove(&to));
        }
    }
}
