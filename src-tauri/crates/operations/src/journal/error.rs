//! Why a journal cannot be used.

use database::backup::BackupError;

/// The journal cannot be trusted, read or written. No operation may be sent.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// SQLite reports an error: disk full, read-only, locked.
    #[error("the journal cannot be used: {0}")]
    Storage(#[from] rusqlite::Error),
    /// The file's tables are not those of this program.
    #[error("the journal cannot be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// The file is damaged.
    #[error("the journal is damaged")]
    Damaged,
    /// A row holds something that this program never writes.
    #[error("the journal holds a row that cannot be read")]
    Unreadable,
    /// The file system reports an error.
    #[error("a file of the journal cannot be used: {0}")]
    Files(#[from] std::io::Error),
    /// A send is in the journal but not in the record beside it: it must not leave.
    #[error("the record of sends cannot be written: {0}")]
    NotRecorded(String),
    /// A backup cannot be made.
    #[error(transparent)]
    Backup(#[from] BackupError),
}

impl JournalError {
    /// Whether the file itself is broken, so that a backup has to take its place.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Damaged | Self::Unreadable => true,
            Self::Storage(error) | Self::Migration(rusqlite_migration::Error::RusqliteError { err: error, .. }) => {
                database::is_damage(error)
            }
            _ => false,
        }
    }
}
