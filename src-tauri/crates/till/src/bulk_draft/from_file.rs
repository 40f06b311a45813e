//! Drafts of bulks from files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use customers::draft::{Draft, wants};
use customers::file::{self, BadFile};
use operations::Kind;

use crate::error::CommandError;
use crate::field::BulkFile;

/// The content of a file.
#[derive(Clone)]
pub(crate) struct Content {
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// Whether it is a text file, which may hold lines as people write them.
    pub(crate) text: bool,
}

/// Makes a draft of a file in base64.
pub(super) async fn encoded(kind: Kind, base64: &str, text: bool) -> Result<Draft, CommandError> {
    if base64.len() / 4 * 3 > file::MOST_BYTES + 2 {
        return Err(bad(BadFile::TooLarge));
    }
    let bytes = STANDARD.decode(base64).map_err(|_| bad(BadFile::NotText))?;
    draft(kind, Content { bytes, text }).await
}

/// Makes a draft of a file.
pub(super) async fn draft(kind: Kind, of: Content) -> Result<Draft, CommandError> {
    let read = if of.text { file::entries_of_text } else { file::entries };
    let read = crate::background::spawned(move || read(&of.bytes, wants(kind))).await?;
    Ok(Draft::new(kind, read.map_err(bad)?))
}

fn bad(bad: BadFile) -> CommandError {
    CommandError::invalid(match bad {
        BadFile::NotText => BulkFile::NotText,
        BadFile::NotAWorkbook => BulkFile::NotAWorkbook,
        BadFile::Empty => BulkFile::Empty,
        BadFile::TooLarge => BulkFile::TooLarge,
    })
}
