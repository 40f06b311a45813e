//! Files that are dropped on the window. Only the system's drop names a path. The page learns the file's name, and its
//! content only as the rows of a draft.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use customers::file::MOST_BYTES;
use serde::Serialize;
use ts_rs::TS;

use crate::Till;
use crate::bulk_draft::from_file::Content;
use crate::error::CommandError;
use crate::events::Event;
use crate::field::BulkFile;

/// The file that was dropped last.
pub(crate) struct Held {
    number: u32,
    /// `None` if it could not be read, or once its bulk has begun.
    content: Option<Content>,
}

/// The endings of files that hold lists of customers.
const ENDINGS: [&str; 4] = ["csv", "tsv", "txt", "xlsx"];

/// What was dropped.
#[derive(Clone, Debug, Serialize, TS)]
pub struct DroppedFile {
    /// The number of the drop since the program was started, from 1.
    pub number: u32,
    /// The file's name, without its folder; empty if several were dropped.
    pub name: String,
    /// Why it is not read; `None` if a draft can be made of it.
    pub problem: Option<CommandError>,
}

impl Till {
    /// Says that files are being dragged over the window, or no longer.
    pub fn drag_files(&self, over: bool) {
        self.host.emit(Event::FileDragged(over));
    }

    /// Reads what was dropped, and tells the page. The file is kept for a draft, in place of the one before.
    pub async fn drop_files(&self, paths: Vec<PathBuf>) {
        let read = crate::background::spawned(move || match paths.as_slice() {
            [one] => (name_of(one), read(one)),
            _ => (String::new(), Err(BulkFile::Several)),
        });
        let (name, content) = match read.await {
            Ok(read) => read,
            Err(_) => (String::new(), Err(BulkFile::Unreadable)),
        };
        let problem = content.as_ref().err().map(|why| CommandError::invalid(*why));
        let mut held = self.dropped.lock();
        let number = held.as_ref().map_or(1, |before| before.number + 1);
        *held = Some(Held { number, content: content.ok() });
        drop(held);
        self.host.emit(Event::FileDropped(DroppedFile { number, name, problem }));
    }

    /// The content of a dropped file. `changed` if another was dropped since: its rows would be shown under this one's
    /// name.
    pub(crate) fn dropped_file(&self, number: u32) -> Result<Content, CommandError> {
        let held = self.dropped.lock();
        let held = held.as_ref().filter(|held| held.number == number).ok_or_else(CommandError::changed)?;
        held.content.clone().ok_or_else(|| CommandError::invalid(BulkFile::Unreadable))
    }

    /// Forgets the content of the file that was dropped last: it may hold passwords.
    pub(crate) fn forget_dropped_file(&self) {
        if let Some(held) = self.dropped.lock().as_mut() {
            held.content = None;
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads one file. No more than the most that a list may have is ever in memory.
fn read(path: &Path) -> Result<Content, BulkFile> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if path.is_dir() || !ENDINGS.contains(&ending.as_str()) {
        return Err(BulkFile::WrongKind);
    }
    let file = File::open(path).map_err(|_| BulkFile::Unreadable)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|_| BulkFile::Unreadable)?;
    match bytes.len() {
        0 => Err(BulkFile::Empty),
        length if length > MOST_BYTES => Err(BulkFile::TooLarge),
        _ => Ok(Content { bytes, text: ending == "txt" }),
    }
}
