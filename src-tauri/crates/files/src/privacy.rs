//! Who may read a file. On Windows the user's own folder is protected by its access list.

use std::fs;
use std::io;
use std::path::Path;

/// Makes a file readable by this user only. Does nothing on Windows.
///
/// # Errors
/// When its permissions cannot be changed.
pub fn only_for_this_user(file: &Path) -> io::Result<()> {
    allow(file, 0o600)
}

/// Creates a folder, with its parents, that only this user can enter.
///
/// # Errors
/// When it cannot be created, or its permissions cannot be changed.
pub fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    allow(folder, 0o700)
}

#[cfg(unix)]
fn allow(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn allow(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn nobody_else_reads_what_is_private() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("one").join("two");
        make_private_folder(&folder).unwrap();
        let file = folder.join("file");
        fs::write(&file, "x").unwrap();
        only_for_this_user(&file).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
    }
}
