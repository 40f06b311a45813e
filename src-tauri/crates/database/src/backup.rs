//! Backups of a database: a folder with the seven newest copies.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, ValueRef};

/// Number of copies that are kept.
const KEPT: usize = 7;
/// A day, in ms.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The backup cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// SQLite reports an error.
    #[error("no backup: {0}")]
    Storage(#[from] rusqlite::Error),
    /// The file system reports an error.
    #[error("no backup: {0}")]
    Files(#[from] io::Error),
}

/// One copy. Its number only grows, so changing the wall clock cannot make an old copy look new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Number, counting up from 1.
    pub number: u64,
    /// Time of the copy by the wall clock, ms since 1970.
    pub at: i64,
    /// The file.
    pub file: PathBuf,
}

impl Backup {
    fn read(file: PathBuf) -> Option<Self> {
        let (number, at) = file.file_name()?.to_str()?.strip_suffix(".db")?.split_once('-')?;
        Some(Self { number: number.parse().ok()?, at: at.parse().ok()?, file })
    }
}

/// Lists the backups in a folder, newest first; empty when the folder does not exist.
///
/// # Errors
/// When the folder cannot be read.
pub fn all(folder: &Path) -> io::Result<Vec<Backup>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let files = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    let mut all: Vec<Backup> = files.into_iter().filter_map(Backup::read).collect();
    all.sort_by_key(|backup| std::cmp::Reverse(backup.number));
    Ok(all)
}

/// Whether the last backup is at least a day old, or there is none. Times by the wall clock, ms since 1970; if it was
/// set back, a backup is due as well.
pub fn is_due(last: Option<i64>, now: i64) -> bool {
    last.is_none_or(|last| !(last..last + DAY).contains(&now))
}

/// The number of the next copy.
///
/// # Errors
/// When the folder cannot be read.
pub fn next_number(folder: &Path) -> io::Result<u64> {
    Ok(all(folder)?.first().map_or(0, |last| last.number) + 1)
}

/// Copies a database as it is now, including its log, and deletes the oldest copies. `number` must be above that of
/// every other copy. `now` is wall clock time, ms since 1970.
///
/// # Errors
/// [`BackupError`] when the copy cannot be made; earlier ones are still there.
pub fn make(db: &Connection, folder: &Path, number: u64, now: i64) -> Result<Backup, BackupError> {
    fs::create_dir_all(folder)?;
    let earlier = all(folder)?;
    let unfinished = folder.join("unfinished");
    // On Windows a file that a virus scanner reads cannot be deleted: retry for a while.
    let _ = files::remove(&unfinished);
    // As bytes: a folder's name need not be UTF-8, and a name that is nearly right would be another folder.
    let path = ValueRef::Text(unfinished.as_os_str().as_encoded_bytes());
    db.execute("VACUUM INTO ?1", [ToSqlOutput::Borrowed(path)])?;
    files::only_for_this_user(&unfinished)?;
    fs::OpenOptions::new().write(true).open(&unfinished)?.sync_all()?;
    let file = folder.join(format!("{number:06}-{now}.db"));
    files::rename(&unfinished, &file)?;
    files::sync_folder(folder)?;
    for old in earlier.iter().skip(KEPT - 1) {
        // If another program holds it open, it is deleted next time.
        let _ = fs::remove_file(&old.file);
    }
    Ok(Backup { number, at: now, file })
}

fn restore(bytes: &[u8], file: &Path) -> io::Result<()> {
    let unfinished = file.with_extension("unfinished");
    fs::write(&unfinished, bytes)?;
    files::only_for_this_user(&unfinished)?;
    fs::OpenOptions::new().write(true).open(&unfinished)?.sync_all()?;
    files::rename(&unfinished, file)?;
    files::sync_folder(super::parent(file))
}

/// Restores the newest backup that `open` finds sound. There must be no file at `file`. `None` when there is no such
/// backup.
///
/// # Errors
/// When a copy cannot be written, or when `open` fails for another reason than damage.
pub fn restore_newest<'a, T, E: From<io::Error>>(
    backups: &'a [Backup],
    file: &Path,
    open: impl Fn(&Path) -> Result<T, E>,
    is_damage: impl Fn(&E) -> bool,
) -> Result<Option<(T, &'a Backup)>, E> {
    for backup in backups {
        // A copy that cannot be read, say for a bad sector, counts as damaged; an empty one would look like a new
        // database.
        let Some(bytes) = fs::read(&backup.file).ok().filter(|bytes| !bytes.is_empty()) else { continue };
        restore(&bytes, file)?;
        match open(file) {
            Ok(opened) => return Ok(Some((opened, backup))),
            Err(damage) if is_damage(&damage) => super::delete(file)?,
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_seven_are_kept_and_one_is_due_a_day_later_or_when_the_clock_was_set_back() {
        let folder = tempfile::tempdir().unwrap();
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE one (x); INSERT INTO one VALUES (1)").unwrap();
        assert!(is_due(None, 0));
        for at in 0..9 {
            let number = next_number(folder.path()).unwrap();
            make(&db, folder.path(), number, at * DAY).unwrap();
        }
        let all = all(folder.path()).unwrap();
        assert_eq!(all.iter().map(|one| one.number).collect::<Vec<_>>(), [9, 8, 7, 6, 5, 4, 3]);
        let last = all.first().map(|last| last.at);
        assert_eq!(
            [0, 1, DAY - 1, DAY, -1].map(|later| is_due(last, 8 * DAY + later)),
            [false, false, false, true, true]
        );
    }

    #[test]
    fn what_was_backed_up_is_there_again_with_what_its_log_held() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("app.db");
        let db = Connection::open(&file).unwrap();
        db.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE one (x); INSERT INTO one VALUES (42)").unwrap();
        let backup = make(&db, &folder.path().join("backups"), 1, 5).unwrap();
        db.execute_batch("DELETE FROM one").unwrap();
        drop(db);
        super::super::set_aside(&file, 6).unwrap();
        restore(&fs::read(&backup.file).unwrap(), &file).unwrap();
        let kept: i64 = Connection::open(&file).unwrap().query_row("SELECT x FROM one", [], |row| row.get(0)).unwrap();
        assert_eq!(kept, 42);
    }

    #[cfg(target_os = "linux")]
    mod linux {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        use super::*;

        #[test]
        fn a_folder_whose_name_is_no_utf_8_gets_its_backups() {
            let base = tempfile::tempdir().unwrap();
            let folder = base.path().join(OsStr::from_bytes(b"\xd5\xc5\xc8\xfd"));
            let db = Connection::open_in_memory().unwrap();
            let backup = make(&db, &folder, 1, 5).unwrap();
            assert!(backup.file.starts_with(&folder) && backup.file.exists());
            assert_eq!(all(&folder).unwrap(), [backup]);
        }
    }
}
