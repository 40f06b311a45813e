//! Language, appearance, limits, notifications, the address that proxies are tested with, and the keychain's state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vault::KeychainState;
use wire::Amount;

use crate::Till;
use crate::connections::token_accounts;
use crate::error::CommandError;
use crate::limits;
use crate::proxy_tests;

/// Light, dark, or like the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Appearance {
    /// Like the system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The user's choices for the whole program.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// `en` or `zh-CN`; `None` follows the system.
    pub language: Option<String>,
    /// Light, dark, or like the system.
    pub theme: Appearance,
    /// The amounts above which a system dialog asks again.
    pub limits: Limits,
    /// The notifications to show while the window does not have the focus.
    pub notifications: Notifications,
    /// The address that proxies are tested with; `None` until the user sets one: then nothing is tested.
    pub proxy_test: Option<String>,
}

/// The notifications to show while the window does not have the focus.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Notifications {
    /// Whether to notify that a late order is complete.
    pub delivered: bool,
    /// GB left on both accounts together, below which to notify; `None` for never.
    pub low_traffic: Option<Amount>,
    /// Notify once a day of IPs that run out within this many days; `None` for never.
    pub ends: Option<u32>,
}

impl Default for Notifications {
    fn default() -> Self {
        Self { delivered: true, low_traffic: None, ends: Some(3) }
    }
}

/// Amounts above which a system dialog asks again; `None` for never.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
pub struct Limits {
    /// The amount of an order, in its currency.
    pub pay: Option<Amount>,
    /// The amount of one move of traffic, or of one bulk, GB.
    pub operation: Option<Amount>,
    /// The sum of a day's moves of traffic, GB.
    pub day: Option<Amount>,
}

/// The columns of a table that the user has shown or hidden.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct TableColumns {
    /// The name of the table.
    pub table: String,
    /// The columns that are not at their default; empty if the table was reset.
    pub turned: Vec<String>,
}

/// The changed columns, by table.
pub(crate) type ChangedColumns = BTreeMap<String, Vec<String>>;

/// The setting that holds the changed columns.
const COLUMNS: &str = "columns";
/// The setting that holds the address that proxies are tested with.
const PROXY_TEST: &str = "proxy-test";

impl Till {
    pub(crate) fn saved_columns(&self) -> Result<ChangedColumns, CommandError> {
        Ok(self.store.setting(COLUMNS)?.unwrap_or_default())
    }

    /// The zoom of the page in percent, which is set apart from the settings: by a key, many times in a row.
    pub(crate) fn saved_zoom(&self) -> Result<u32, CommandError> {
        Ok(self.store.setting("zoom")?.unwrap_or(100))
    }

    pub(crate) fn settings(&self) -> Result<Settings, CommandError> {
        let saved = self.store.setting::<String>("language")?;
        let language = self.language_override.clone().or(saved);
        let theme = self.store.setting("theme")?.unwrap_or_default();
        let limits = self.store.setting("limits")?.unwrap_or_default();
        let notifications = self.store.setting("notifications")?.unwrap_or_default();
        let proxy_test = self.store.setting(PROXY_TEST)?;
        Ok(Settings { language, theme, limits, notifications, proxy_test })
    }

    pub(crate) fn save_settings(&self, settings: &Settings) -> Result<(), CommandError> {
        if let Some(language) = &settings.language {
            self.store.set_setting("language", language)?;
        }
        self.store.set_setting("theme", &settings.theme)?;
        self.store.set_setting("limits", &settings.limits)?;
        match &settings.proxy_test {
            Some(address) => self.store.set_setting(PROXY_TEST, address)?,
            None => self.store.remove_setting(PROXY_TEST)?,
        }
        Ok(self.store.set_setting("notifications", &settings.notifications)?)
    }
}

/// Saves the settings, and returns them as they were saved. Only a person may raise or remove a limit: a system dialog
/// asks.
pub async fn save_settings(till: &Till, settings: Settings) -> Result<Settings, CommandError> {
    let proxy_test = proxy_tests::address(settings.proxy_test.as_deref())?.map(|address| address.to_string());
    let settings = Settings { proxy_test, ..settings };
    let limits = till.settings()?.limits;
    if !limits::ask_to_raise(till, &limits, &settings.limits).await {
        return Err(CommandError::declined());
    }
    till.save_settings(&settings)?;
    till.host.show_in(settings.theme);
    till.host.show_menu(&till.words());
    Ok(settings)
}

/// Remembers which columns of a table are shown.
pub async fn save_columns(till: &Till, changed: TableColumns) -> Result<(), CommandError> {
    Ok(till.store.change_setting(COLUMNS, |all: &mut ChangedColumns| {
        if changed.turned.is_empty() {
            all.remove(&changed.table);
        } else {
            all.insert(changed.table, changed.turned);
        }
    })?)
}

/// Returns whether the keychain can be used.
pub async fn keychain_state(till: &Till, (): ()) -> Result<KeychainState, CommandError> {
    // Only an entry that is known to exist tells a locked keychain from an empty one.
    let kept = till.store.connections()?.into_iter().find(|connection| !connection.session_only);
    let expected = kept.map(|connection| {
        let [static_token, agent_token] = token_accounts(&connection.id);
        if connection.has_static_token { static_token } else { agent_token }
    });
    Ok(till.vault.state(expected.as_deref()).await)
}
