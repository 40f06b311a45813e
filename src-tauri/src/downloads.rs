//! Files for the user: into the download folder, never over another.

use std::path::{Path, PathBuf};

use tauri::{AppHandle, Manager};

use crate::error::CommandError;

/// Saves and returns where.
pub(crate) fn save(handle: &AppHandle, name: &str, ending: &str, content: &[u8]) -> Result<String, CommandError> {
    let folder = folder(handle)?;
    let write = || {
        std::fs::create_dir_all(&folder)?;
        let path = free_name(&folder, name, ending);
        std::fs::write(&path, content).map(|()| path)
    };
    let path = write().map_err(|error| CommandError::not_saved(&error))?;
    Ok(path.to_string_lossy().into_owned())
}

fn folder(handle: &AppHandle) -> Result<PathBuf, CommandError> {
    let paths = handle.path();
    Ok(paths.download_dir().or_else(|_| paths.home_dir().map(|home| home.join("Downloads")))?)
}

/// A name that is not taken: nothing is ever written over.
fn free_name(folder: &Path, name: &str, ending: &str) -> PathBuf {
    let safe: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let numbered = (2..).map(|number| folder.join(format!("{safe} ({number}).{ending}")));
    let mut names = std::iter::once(folder.join(format!("{safe}.{ending}"))).chain(numbered);
    names.find(|path| !path.exists()).unwrap_or_else(|| folder.join(safe))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_over_and_no_name_leaves_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = free_name(folder.path(), "proxies-1", "txt");
        std::fs::write(&first, "x").unwrap();
        assert_eq!(free_name(folder.path(), "proxies-1", "txt"), folder.path().join("proxies-1 (2).txt"));
        assert_eq!(free_name(folder.path(), "../../etc/x", "txt"), folder.path().join("______etc_x.txt"));
    }
}
