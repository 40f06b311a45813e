//! Language, appearance, the keychain's state.

use tauri::Theme;
use vault::KeychainState;

use super::Context;
use crate::app::{Appearance, Settings};
use crate::error::CommandError;
use crate::window;

pub(crate) async fn save_settings(context: &Context, settings: Settings) -> Result<Settings, CommandError> {
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
    Ok(context.app.vault.state().await)
}
