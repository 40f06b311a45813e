//! Files for the user: in the download folder, never over another file.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::Till;
use crate::error::CommandError;
use crate::saved_files::SavedKind;

/// The number of files of one name, at most.
const MOST_OF_A_NAME: usize = 10_000;

/// A file that is being written. It is deleted again unless [`Target::keep`] is called.
pub(crate) struct Target {
    path: PathBuf,
    file: File,
    kept: bool,
    saving: Arc<Saving>,
}

/// The files that are being written.
#[derive(Default)]
pub(crate) struct Saving(Mutex<BTreeSet<PathBuf>>);

impl Saving {
    /// Number of these files.
    pub(crate) fn count(&self) -> usize {
        self.0.lock().len()
    }

    /// Deletes them: the program ends before they are complete.
    pub(crate) fn discard(&self) {
        for path in std::mem::take(&mut *self.0.lock()) {
            let _ = files::remove(&path);
        }
    }
}

/// Creates a file in the download folder.
pub(crate) fn begin(till: &Till, name: &str, ending: &str) -> Result<Target, CommandError> {
    let folder = folder(till)?;
    let made = std::fs::create_dir_all(&folder).and_then(|()| free_file(&folder, name, ending));
    let (path, file) = made.map_err(|error| CommandError::not_saved(&error))?;
    till.saving.0.lock().insert(path.clone());
    Ok(Target { path, file, kept: false, saving: till.saving.clone() })
}

impl Target {
    /// The file to write to.
    pub(crate) fn file(&mut self) -> Result<File, CommandError> {
        self.file.try_clone().map_err(|error| CommandError::not_saved(&error))
    }

    /// Keeps the file, which is complete. Returns its path.
    pub(crate) fn keep(self, till: &Till, kind: SavedKind) -> Result<String, CommandError> {
        let path = self.complete()?;
        till.remember_file(&path, kind);
        Ok(path.to_string_lossy().into_owned())
    }

    fn complete(mut self) -> Result<PathBuf, CommandError> {
        self.file.sync_all().map_err(|error| CommandError::not_saved(&error))?;
        self.kept = true;
        Ok(self.path.clone())
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        self.saving.0.lock().remove(&self.path);
        if !self.kept {
            // Half a table is worse than none.
            let _ = files::remove(&self.path);
        }
    }
}

/// Saves a file in the download folder. Returns its path.
pub(crate) fn save(
    till: &Till,
    kind: SavedKind,
    name: &str,
    ending: &str,
    content: &[u8],
) -> Result<String, CommandError> {
    let mut target = begin(till, name, ending)?;
    target.file.write_all(content).map_err(|error| CommandError::not_saved(&error))?;
    target.keep(till, kind)
}

fn folder(till: &Till) -> Result<PathBuf, CommandError> {
    till.host.downloads().map_err(|error| CommandError::internal(&*error))
}

/// Creates a file under a free name, readable by this user only. Never overwrites.
fn free_file(folder: &Path, name: &str, ending: &str) -> std::io::Result<(PathBuf, File)> {
    let safe: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let numbered = (2..).map(|number| folder.join(format!("{safe} ({number}).{ending}")));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    for path in std::iter::once(folder.join(format!("{safe}.{ending}"))).chain(numbered).take(MOST_OF_A_NAME) {
        match options.open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (path, file)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_over_and_no_name_leaves_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| free_file(folder.path(), name, "txt").unwrap().0;
        assert_eq!(path("proxies-1"), folder.path().join("proxies-1.txt"));
        assert_eq!(path("proxies-1"), folder.path().join("proxies-1 (2).txt"));
        assert_eq!(path("../../etc/x"), folder.path().join("______etc_x.txt"));
    }

    #[test]
    fn what_is_not_complete_when_the_program_ends_is_deleted_and_what_was_kept_stays() {
        let folder = tempfile::tempdir().unwrap();
        let saving = Arc::new(Saving::default());
        let begin = |name: &str| {
            let (path, file) = free_file(folder.path(), name, "csv").unwrap();
            saving.0.lock().insert(path.clone());
            Target { path, file, kept: false, saving: saving.clone() }
        };
        let (kept, mut half) = (begin("kept").complete().unwrap(), begin("half"));
        assert_eq!(saving.count(), 1);
        saving.discard();
        // Some systems list a deleted file until it is closed.
        half.file = File::open(&kept).unwrap();
        assert!(kept.exists() && !half.path.exists());
        assert_eq!(saving.count(), 0);
    }
}
