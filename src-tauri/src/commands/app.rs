//! Starting, marks, the clipboard.

use serde::Serialize;
use tauri_plugin_clipboard_manager::ClipboardExt;
use ts_rs::TS;

use super::Context;
use crate::app::Settings;
use crate::connections::ConnectionView;
use crate::error::CommandError;
use crate::{events, perf, practice};

/// Everything the window needs to show its first screen.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Boot {
    /// Language and appearance.
    pub settings: Settings,
    /// Saved connections.
    pub connections: Vec<ConnectionView>,
    /// The open connection's id; `None` shows Welcome.
    pub active: Option<String>,
    /// The open connection is the practice one.
    pub practice: bool,
    /// What kept a token from being read, if anything.
    pub keychain: Option<vault::KeychainState>,
    /// Program version.
    pub version: String,
}

pub(crate) async fn boot(context: &Context, (): ()) -> Result<Boot, CommandError> {
    if context.app.session_if_open().await.is_none()
        && let Some(session) = context.app.reopen().await?
    {
        events::follow(&context.handle, &session);
    }
    state(context).await
}

pub(super) async fn state(context: &Context) -> Result<Boot, CommandError> {
    let session = context.app.session_if_open().await;
    Ok(Boot {
        settings: context.app.settings()?,
        connections: context.app.store.connections()?,
        practice: session.as_ref().is_some_and(|session| session.id == practice::ID),
        keychain: session.as_ref().and_then(|session| session.keychain),
        active: session.map(|session| session.id.clone()),
        version: env!("CARGO_PKG_VERSION").into(),
    })
}

pub(crate) async fn perf_mark(_context: &Context, name: String) -> Result<(), CommandError> {
    perf::mark(&name);
    Ok(())
}

pub(crate) async fn copy_text(context: &Context, text: String) -> Result<(), CommandError> {
    context.handle.clipboard().write_text(text).map_err(|error| CommandError::internal(&error))
}
