//! Puts a journal aside with everything beside it, because practice is reset.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::folder_of;

/// The folder for a journal that is put aside, by its date.
pub(crate) fn before_reset(journal: &Path, date: &str) -> PathBuf {
    journal.with_file_name("before-reset").join(date)
}

/// Moves a closed journal, its companions and its backups into a folder.
pub(crate) fn move_aside(journal: &Path, aside: &Path) -> io::Result<()> {
    database::move_into(journal, aside)?;
    rename(&folder_of(journal), aside)
}

/// Moves back whatever was moved.
pub(crate) fn move_back(journal: &Path, aside: &Path) -> io::Result<()> {
    let home = journal.parent().unwrap_or(Path::new("."));
    if let Some(name) = journal.file_name() {
        database::move_into(&aside.join(name), home)?;
        rename(&folder_of(&aside.join(name)), home)?;
    }
    Ok(())
}

/// Moves a folder into another one; there may be none.
fn rename(folder: &Path, into: &Path) -> io::Result<()> {
    let name = folder.file_name().ok_or(ErrorKind::InvalidInput)?;
    match files::rename(folder, &into.join(name)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        moved => moved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_put_aside_with_its_log_and_backups_and_comes_back_whole() {
        let home = tempfile::tempdir().unwrap();
        let journal = home.path().join("journal.db");
        let all = ["journal.db", "journal.db-wal", "journal.backups/000001-7.db"];
        std::fs::create_dir(home.path().join("journal.backups")).unwrap();
        for name in all {
            std::fs::write(home.path().join(name), name).unwrap();
        }
        let aside = before_reset(&journal, "2026-11-25-7");
        let are_in = |folder: &Path| {
            all.iter().all(|name| std::fs::read_to_string(folder.join(name)).is_ok_and(|text| text == *name))
        };
        move_aside(&journal, &aside).unwrap();
        assert!(are_in(&aside) && !are_in(home.path()) && !journal.exists());
        move_back(&journal, &aside).unwrap();
        assert!(are_in(home.path()));
        move_back(&journal, &aside).unwrap();
        assert!(are_in(home.path()), "what is back stays");
    }
}
