//! "Report a problem": what helps to fix it, and nothing secret. It is shown before it is saved, saved on this
//! computer, and never sent anywhere.
//!
//! An allow-list decides what is in it: version and system, the program's log (paths and statuses), the states of
//! operations. Absent on purpose: addresses, tokens, what was bought, proxies, the vendor's texts.

use std::io::Write;
use std::path::Path;

use operations::OperationView;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::error::CommandError;
use crate::saved_files::SavedKind;
use crate::{Till, downloads};

/// The number of lines of the log, at most.
const LOG_LINES: usize = 300;

/// One file of the report.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

/// Gathers the files of a report.
pub(crate) fn parts(data_dir: &Path, operations: &[OperationView]) -> Vec<Part> {
    let about = format!(
        "Proxytill {}\n{} {}\nSQLite {}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        rusqlite::version()
    );
    let standing: Vec<String> = operations.iter().map(standing).collect();
    vec![
        Part { name: "about.txt", text: about },
        Part { name: "operations.txt", text: standing.join("\n") },
        Part { name: "log.txt", text: log(data_dir) },
    ]
}

/// The kind, state and events of an operation, without what it was about.
fn standing(operation: &OperationView) -> String {
    let events: Vec<String> =
        operation.events.iter().map(|event| format!("  {} {}", event.at, known(&event.what))).collect();
    format!("{} {}\n{}", operation.kind.word(), operation.state.word(), events.join("\n"))
}

/// The name of an event without the vendor's text: after `answer`, only a code of the contract or a word of this
/// program stays.
fn known(what: &str) -> &str {
    let Some(answer) = what.strip_prefix("answer ") else { return what };
    let code = answer.len() == 5 && answer.bytes().all(|byte| byte.is_ascii_digit());
    let class = answer.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if code || class { what } else { "answer" }
}

/// The last lines of the newest log.
fn log(data_dir: &Path) -> String {
    let files = std::fs::read_dir(data_dir.join("logs")).into_iter().flatten().flatten().map(|entry| entry.path());
    let newest = files.max().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let lines: Vec<&str> = newest.lines().collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
}

/// Packs the files into one.
pub(crate) fn zipped(parts: &[Part]) -> Result<Vec<u8>, zip::result::ZipError> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for part in parts {
        zip.start_file(part.name, SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored))?;
        zip.write_all(part.text.as_bytes())?;
    }
    Ok(zip.finish()?.into_inner())
}

async fn parts_of(till: &Till) -> Result<Vec<Part>, CommandError> {
    // A report must not wait for the keychain or the connection that it may be about.
    let session = till.session_now();
    let operations = session.and_then(|session| session.operations.history().recent(100).ok()).unwrap_or_default();
    Ok(parts(&till.data_dir, &operations))
}

/// Returns everything that a report would hold, to be read before it is saved.
pub async fn preview_report(till: &Till, (): ()) -> Result<String, CommandError> {
    let parts = parts_of(till).await?;
    Ok(parts.iter().map(|part| format!("== {}\n{}\n", part.name, part.text)).collect())
}

/// Saves the report in the download folder. Returns its path.
pub async fn save_report(till: &Till, (): ()) -> Result<String, CommandError> {
    let zipped = zipped(&parts_of(till).await?).map_err(|error| CommandError::not_saved(&error))?;
    downloads::save(till, SavedKind::Report, "proxytill-report", "zip", &zipped)
}
