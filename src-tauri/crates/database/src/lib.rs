//! What the program's own SQLite files share: whether one is sound, where a damaged one goes, backups.
//!
//! Caches are not among them: what the vendor has is read again.

pub mod backup;
pub mod stamp;
pub mod tables;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Error, ErrorCode};

/// Whether the file itself is broken, or holds values that nobody wrote there. A full disk, a lock or missing
/// rights are no damage.
pub fn is_damage(error: &Error) -> bool {
    let of_file = matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase));
    let of_value = matches!(
        error,
        Error::Utf8Error(..)
            | Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::InvalidColumnType(..)
    );
    of_file || of_value
}

/// Whether SQLite finds its file sound. The whole check: an index that lacks a row would hide an open
/// operation from the next one.
///
/// # Errors
/// What keeps it from looking, other than damage.
pub fn is_sound(db: &Connection) -> rusqlite::Result<bool> {
    match db.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0)) {
        Ok(said) => Ok(said == "ok"),
        Err(error) if is_damage(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Moves a database with its companions (`-wal`, `-shm`) out of the way, together: `damaged/<name>-<now>`
/// beside it. Nothing is deleted. `now`: wall clock, ms since 1970. Returns the folder.
///
/// # Errors
/// The file system's.
pub fn set_aside(file: &Path, now: i64) -> io::Result<PathBuf> {
    let folder = aside(file, now);
    fs::create_dir_all(&folder)?;
    for part in parts(file) {
        match part.file_name().map(|name| fs::rename(&part, folder.join(name))) {
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    sync_folder(parent(file))?;
    Ok(folder)
}

/// Where a database goes that is damaged.
pub fn aside(file: &Path, now: i64) -> PathBuf {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    parent(file).join("damaged").join(format!("{name}-{now}"))
}

/// Gives a closed database another name, durably.
///
/// # Errors
/// The file system's.
pub fn put_in_place(from: &Path, to: &Path) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(from)?.sync_all()?;
    for part in parts(to).into_iter().take(2) {
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::rename(from, to)?;
    sync_folder(parent(to))
}

/// Whether nothing was ever written to a file: it is not there, or empty.
///
/// # Errors
/// The file system's.
pub fn is_new(file: &Path) -> io::Result<bool> {
    match fs::metadata(file) {
        Ok(file) => Ok(file.len() == 0),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// Whether a file is new, or begins as a database that this SQLite can write. Other numbers in its head are
/// errors of SQLite that sound like missing rights or another version.
///
/// # Errors
/// The file system's.
pub fn has_sound_head(file: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    match fs::File::open(file) {
        Ok(opened) => io::Read::read_to_end(&mut io::Read::take(opened, 100), &mut head)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    let versions = head.get(18..20).is_some_and(|versions| versions.iter().all(|version| matches!(version, 1 | 2)));
    let format = head.get(44..48).is_some_and(|format| matches!(format, [0, 0, 0, 0..=4]));
    Ok(head.is_empty() || (head.len() == 100 && head.starts_with(b"SQLite format 3\0") && versions && format))
}

/// Deletes a cache with its companions: what it held is read again.
///
/// # Errors
/// The file system's.
pub fn delete(file: &Path) -> io::Result<()> {
    for part in parts(file) {
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Lets nobody but this user read the file.
///
/// # Errors
/// The file system's.
#[cfg(unix)]
pub fn only_for_this_user(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600))
}

/// On Windows the user's own folder is protected by its access list.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn only_for_this_user(_file: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes names of a folder durable.
///
/// # Errors
/// The file system's.
#[cfg(unix)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Windows keeps its names by itself.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// The log first: without its database it means nothing, a database without its log looks whole.
fn parts(file: &Path) -> [PathBuf; 3] {
    ["-wal", "-shm", ""].map(|end| {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        name.into()
    })
}

fn parent(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_goes_aside_with_its_companions_and_nothing_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("app.db");
        for (part, text) in parts(&file).iter().zip(["log", "index", "pages"]) {
            fs::write(part, text).unwrap();
        }
        let aside = set_aside(&file, 7).unwrap();
        let kept = |name: &str| fs::read_to_string(aside.join(name)).unwrap();
        assert_eq!([kept("app.db-wal"), kept("app.db-shm"), kept("app.db")], ["log", "index", "pages"]);
        assert!(parts(&file).iter().all(|part| !part.exists()));
    }

    #[test]
    fn a_letter_is_no_sound_database() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("app.db");
        fs::write(&file, "this is a letter, and much longer than the first page's head would have to be".repeat(99))
            .unwrap();
        assert!(!is_sound(&Connection::open(&file).unwrap()).unwrap());
    }
}
