//! Language, appearance, the keychain's state.

use tauri::Theme;
use vault::KeychainState;

use super::Context;
use crate::app::{Appearance, Settings};
use crate::connections::token_accounts;
use crate::error::CommandError;
use crate::{limits, window};

/// A limit is raised or taken away by a person alone: the system's own dialog asks.
pub(crate) async fn save_settings(context: &Context, settings: Settings) -> Result<Settings, CommandError> {
    let limits = context.app.settings()?.limits;
    if !limits::ask_to_raise(&context.handle, &context.app.words(), &limits, &settings.limits).await {
        return Err(CommandError::declined());
    }
    context.app.save_settings(&settings)?;
    let theme = match settings.theme {
        Appearance::System => None,
        Appearance::Light => Some(Theme::Light),
        Appearance::Dark => Some(Theme::Dark),
    };
    window::set_theme(&context.handle, theme);
    Ok(settings)
}

pub(crate) async fn keychain_state(context: &Context, (): ()) -> Result<KeychainState, CommandError> {
    // Only what is known to be there tells a locked keychain from an empty one.
    let kept = context.app.store.connections()?.into_iter().find(|connection| !connection.session_only);
    let expected = kept.map(|connection| {
        let [static_token, agent_token] = token_accounts(&connection.id);
        if connection.has_static_token { static_token } else { agent_token }
    });
    Ok(context.app.vault.state(expected.as_deref()).await)
}
