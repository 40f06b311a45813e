//! The files that were saved for the user last: a list, from which they can be opened. Only a file of this list is ever
//! opened: the page names it by its number and never by a path.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Till;
use crate::app_db::StoreError;
use crate::clock::wall_clock;
use crate::error::CommandError;

/// The setting that holds the list.
const SAVED: &str = "saved-files";

/// The number of files that are remembered.
const MOST: usize = 50;

/// What a saved file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum SavedKind {
    /// A table as it was shown.
    Table,
    /// Rows of the usage report.
    Usage,
    /// Proxies of an order, or handed over to a buyer.
    Proxies,
    /// The results of a bulk.
    Bulk,
    /// A chart.
    Chart,
    /// A report of a problem.
    Report,
}

/// A file as it is remembered.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    number: u32,
    path: PathBuf,
    at: i64,
    kind: SavedKind,
}

/// A file that was saved for the user.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SavedFile {
    /// Its number, by which it is opened.
    pub number: u32,
    /// Its name with the ending.
    pub name: String,
    /// The folder that it was saved in.
    pub folder: String,
    /// Its whole path.
    pub path: String,
    /// When it was saved, ms since 1970.
    pub at: i64,
    /// What it holds.
    pub kind: SavedKind,
    /// Whether it is no longer there.
    pub gone: bool,
}

impl From<Kept> for SavedFile {
    fn from(kept: Kept) -> Self {
        let text = |part: Option<&Path>| part.unwrap_or(&kept.path).to_string_lossy().into_owned();
        Self {
            number: kept.number,
            name: text(kept.path.file_name().map(Path::new)),
            folder: text(kept.path.parent()),
            path: text(None),
            at: kept.at,
            kind: kept.kind,
            gone: !kept.path.is_file(),
        }
    }
}

impl Till {
    /// Adds a file to the list. The file is there whether or not this succeeds.
    pub(crate) fn remember_file(&self, path: &Path, kind: SavedKind) {
        let added = self.store.change_setting(SAVED, |all: &mut Vec<Kept>| {
            let number = all.iter().map(|one| one.number).max().unwrap_or_default() + 1;
            // If the path was used before, the entry now stands for the newer file.
            all.retain(|one| one.path != path);
            all.insert(0, Kept { number, path: path.to_owned(), at: wall_clock(), kind });
            all.truncate(MOST);
        });
        if let Err(error) = added {
            tracing::warn!(%error, "a saved file is not in the list");
        }
    }

    fn kept_files(&self) -> Result<Vec<Kept>, StoreError> {
        Ok(self.store.setting(SAVED)?.unwrap_or_default())
    }

    /// The path of a file of the list that is still there.
    fn saved_file(&self, number: u32) -> Result<PathBuf, CommandError> {
        let kept = self.kept_files()?.into_iter().find(|one| one.number == number);
        kept.map(|one| one.path).filter(|path| path.is_file()).ok_or_else(CommandError::file_gone)
    }
}

/// Returns the files that were saved last, newest first.
pub async fn saved_files(till: &Till, (): ()) -> Result<Vec<SavedFile>, CommandError> {
    Ok(till.kept_files()?.into_iter().map(SavedFile::from).collect())
}

/// Opens a saved file with the system's program for it.
pub async fn open_saved(till: &Till, number: u32) -> Result<(), CommandError> {
    let file = till.saved_file(number)?;
    till.host.open(&file).map_err(|error| CommandError::internal(&*error))
}

/// Shows a saved file in its folder.
pub async fn show_saved(till: &Till, number: u32) -> Result<(), CommandError> {
    let file = till.saved_file(number)?;
    till.host.show_in_folder(&file).map_err(|error| CommandError::internal(&*error))
}
