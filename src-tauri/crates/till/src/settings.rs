//! Language, appearance, the keychain's state.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vault::KeychainState;
use wire::Amount;

use crate::Till;
use crate::connections::token_accounts;
use crate::error::CommandError;
use crate::limits;

/// Light, dark, or as the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Appearance {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// What the user chose for the whole program.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// `en` or `zh-CN`; `None` follows the system.
    pub language: Option<String>,
    /// Appearance.
    pub theme: Appearance,
    /// Above these a native dialog asks again.
    pub limits: Limits,
    /// What is said while the window has not the focus.
    pub notifications: Notifications,
}

/// What is said while the window has not the focus.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Notifications {
    /// An order that was late is delivered whole.
    pub delivered: bool,
    /// Traffic left on both accounts together falls below so many GB; `None`: nothing is said.
    pub low_traffic: Option<Amount>,
}

impl Default for Notifications {
    fn default() -> Self {
        Self { delivered: true, low_traffic: None }
    }
}

/// Amounts above which the system's own dialog asks again; `None`: it never does.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
pub struct Limits {
    /// An order, in its currency.
    pub pay: Option<Amount>,
    /// A move of traffic, GB.
    pub operation: Option<Amount>,
    /// Moves of traffic of a day together, GB.
    pub day: Option<Amount>,
}

impl Till {
    pub(crate) fn settings(&self) -> Result<Settings, CommandError> {
        let saved = self.store.setting::<String>("language")?;
        let language = self.language_override.clone().or(saved);
        let theme = self.store.setting("theme")?.unwrap_or_default();
        let limits = self.store.setting("limits")?.unwrap_or_default();
        let notifications = self.store.setting("notifications")?.unwrap_or_default();
        Ok(Settings { language, theme, limits, notifications })
    }

    pub(crate) fn save_settings(&self, settings: &Settings) -> Result<(), CommandError> {
        if let Some(language) = &settings.language {
            self.store.set_setting("language", language)?;
        }
        self.store.set_setting("theme", &settings.theme)?;
        self.store.set_setting("limits", &settings.limits)?;
        Ok(self.store.set_setting("notifications", &settings.notifications)?)
    }
}

/// A limit is raised or taken away by a person alone: the system's own dialog asks.
pub async fn save_settings(till: &Till, settings: Settings) -> Result<Settings, CommandError> {
    let limits = till.settings()?.limits;
    if !limits::ask_to_raise(till, &limits, &settings.limits).await {
        return Err(CommandError::declined());
    }
    till.save_settings(&settings)?;
    till.host.show_in(settings.theme);
    Ok(settings)
}

/// Returns whether the keychain can be used.
pub async fn keychain_state(till: &Till, (): ()) -> Result<KeychainState, CommandError> {
    // Only what is known to be there tells a locked keychain from an empty one.
    let kept = till.store.connections()?.into_iter().find(|connection| !connection.session_only);
    let expected = kept.map(|connection| {
        let [static_token, agent_token] = token_accounts(&connection.id);
        if connection.has_static_token { static_token } else { agent_token }
    });
    Ok(till.vault.state(expected.as_deref()).await)
}
