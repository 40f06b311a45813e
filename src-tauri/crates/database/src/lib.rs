//! Care for the program's own SQLite files: checks, quarantine of damaged files, backups.
//!
//! Caches are not among them: their content is read from the vendor again.

pub mod backup;
pub mod stamp;
pub mod tables;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Error, ErrorCode};

/// Whether an error means that the file itself is broken, or holds values that no program wrote there. A full disk, a
/// lock or missing permissions are not damage.
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

/// Whether SQLite finds its file sound. This is the full check: an index that lacks a row would hide an open
/// operation from the next one.
///
/// # Errors
/// When something other than damage prevents the check.
pub fn is_sound(db: &Connection) -> rusqlite::Result<bool> {
    match db.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0)) {
        Ok(said) => Ok(said == "ok"),
        Err(error) if is_damage(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Moves a database with its companions (`-wal`, `-shm`) out of the way, into `damaged/<name>-<now>` beside it.
/// Deletes nothing. `now` is wall clock time, ms since 1970. Returns the folder.
///
/// # Errors
/// When a file cannot be moved.
pub fn set_aside(file: &Path, now: i64) -> io::Result<PathBuf> {
    let folder = aside(file, now);
    move_into(file, &folder)?;
    Ok(folder)
}

/// Moves a closed database with its companions into a folder, durably. Files that are not there are left out.
///
/// # Errors
/// When a file cannot be moved.
pub fn move_into(file: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for part in parts(file) {
        match part.file_name().map(|name| files::rename(&part, &folder.join(name))) {
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    files::sync_folder(folder)?;
    files::sync_folder(parent(file))
}

/// The folder for a damaged database.
pub fn aside(file: &Path, now: i64) -> PathBuf {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    parent(file).join("damaged").join(format!("{name}-{now}"))
}

/// Renames a closed database, durably. Replaces a database at `to`.
///
/// # Errors
/// When a file cannot be written, removed or renamed.
pub fn put_in_place(from: &Path, to: &Path) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(from)?.sync_all()?;
    for part in parts(to).into_iter().take(2) {
        files::remove(&part)?;
    }
    files::rename(from, to)?;
    files::sync_folder(parent(to))
}

/// Whether a file was never written to: it does not exist, or is empty.
///
/// # Errors
/// When the file cannot be examined.
pub fn is_new(file: &Path) -> io::Result<bool> {
    match fs::metadata(file) {
        Ok(file) => Ok(file.len() == 0),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// Whether a file is new, or begins like a database that this SQLite can write. For other values in the header SQLite
/// reports errors that look like missing permissions or another version.
///
/// # Errors
/// When the file cannot be read.
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

/// Deletes a database with its companions: a cache, which is read again, or a copy, which is made again.
///
/// # Errors
/// When a file cannot be deleted.
pub fn delete(file: &Path) -> io::Result<()> {
    parts(file).iter().try_for_each(|part| files::remove(part))
}

/// The files of a database. The log comes first: alone it means nothing, while a database without its log looks
/// complete.
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
