//! Work that takes time, on threads of its own.

use crate::error::CommandError;

/// Runs work on another thread.
pub(crate) async fn spawned<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, CommandError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| CommandError::internal(&error))
}

/// As [`spawned`], for work with the stored usage report.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, usage::StoreError> + Send + 'static,
) -> Result<T, CommandError> {
    Ok(spawned(work).await??)
}
