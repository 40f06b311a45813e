//! Small files of what the vendor said last: shown until it is read again. They may be deleted at any time.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a file; `None` if there is none, or it cannot be read.
pub(crate) async fn read<T: DeserializeOwned + Send + 'static>(file: &Path) -> Option<T> {
    let file = file.to_path_buf();
    let read = tokio::task::spawn_blocking(move || serde_json::from_slice(&std::fs::read(file).ok()?).ok()).await;
    read.ok().flatten()
}

/// Writes a file as a whole. If that fails, the vendor is asked again.
pub(crate) async fn write<T: Serialize + Send + 'static>(file: PathBuf, value: T) {
    let write = move || -> std::io::Result<()> {
        let text = serde_json::to_vec(&value)?;
        let beside = file.with_extension("new");
        std::fs::write(&beside, text)?;
        files::rename(&beside, &file)
    };
    let written = tokio::task::spawn_blocking(write).await.map_err(std::io::Error::other).flatten();
    if let Err(error) = written {
        tracing::info!(%error, "an answer was not stored");
    }
}
