//! What the commands share.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::{OnceCell, RwLock};
use ts_rs::TS;
use vault::{Patience, Vault};

use crate::connections::{self, ConnectionView};
use crate::error::CommandError;
use crate::options::Options;
use crate::practice;
use crate::session::Session;
use crate::store::Store;

/// Keychain service name; the same as the program's identifier.
const KEYCHAIN_SERVICE: &str = "app.proxytill.desktop";

/// The program before its files are read: the window comes first.
pub(crate) struct Shell {
    options: Options,
    app: OnceCell<Arc<App>>,
}

impl Shell {
    pub(crate) fn new(options: Options) -> Self {
        Self { options, app: OnceCell::new() }
    }

    pub(crate) async fn app(&self) -> Result<Arc<App>, CommandError> {
        let app = self.app.get_or_try_init(|| async { App::open(&self.options).map(Arc::new) }).await?;
        Ok(app.clone())
    }

    pub(crate) fn opened(&self) -> Option<Arc<App>> {
        self.app.get().cloned()
    }
}

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
    /// `en` or `zh-CN`.
    pub language: String,
    /// Appearance.
    pub theme: Appearance,
}

/// Files, keychain, the open connection.
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) vault: Vault,
    data_dir: PathBuf,
    language_override: Option<String>,
    session: RwLock<Option<Arc<Session>>>,
}

impl App {
    fn open(options: &Options) -> Result<Self, CommandError> {
        std::fs::create_dir_all(&options.data_dir).map_err(|error| CommandError::internal(&error))?;
        Ok(Self {
            store: Store::open(&options.data_dir.join("app.db"))?,
            vault: Vault::new(KEYCHAIN_SERVICE, Patience::default()),
            data_dir: options.data_dir.clone(),
            language_override: options.language.clone(),
            session: RwLock::default(),
        })
    }

    pub(crate) fn settings(&self) -> Result<Settings, CommandError> {
        let saved = self.store.setting::<String>("language")?;
        let language = self.language_override.clone().or(saved).unwrap_or_else(system_language);
        Ok(Settings { language, theme: self.store.setting("theme")?.unwrap_or_default() })
    }

    pub(crate) fn save_settings(&self, settings: &Settings) -> Result<(), CommandError> {
        self.store.set_setting("language", &settings.language)?;
        Ok(self.store.set_setting("theme", &settings.theme)?)
    }

    /// The open connection.
    pub(crate) async fn session(&self) -> Result<Arc<Session>, CommandError> {
        self.session.read().await.clone().ok_or_else(CommandError::no_connection)
    }

    pub(crate) async fn session_if_open(&self) -> Option<Arc<Session>> {
        self.session.read().await.clone()
    }

    /// Opens the connection that was open last, if it is still there.
    pub(crate) async fn reopen(&self) -> Result<Option<Arc<Session>>, CommandError> {
        let Some(id) = self.store.setting::<String>("active")? else { return Ok(None) };
        let known = id == practice::ID || self.store.connections()?.iter().any(|connection| connection.id == id);
        if known { self.open_connection(&id).await.map(Some) } else { Ok(None) }
    }

    /// Opens a connection in place of the one that is open.
    pub(crate) async fn open_connection(&self, id: &str) -> Result<Arc<Session>, CommandError> {
        let mut open = self.session.write().await;
        let folder = self.folder(id)?;
        // Closes the old journal before the same file can be opened again.
        *open = None;
        let session = if id == practice::ID {
            let (service, account) = practice::start(&folder).await?;
            Session::open(id, &folder, account, None, Some(service))?
        } else {
            let connection = self.connection(id)?;
            let (account, keychain) = connections::account(&connection, &self.vault).await?;
            Session::open(id, &folder, account, keychain, None)?
        };
        let session = Arc::new(session);
        *open = Some(session.clone());
        self.store.set_setting("active", &id)?;
        Ok(session)
    }

    pub(crate) async fn close_connection(&self) -> Result<(), CommandError> {
        *self.session.write().await = None;
        Ok(self.store.set_setting("active", &"")?)
    }

    pub(crate) fn connection(&self, id: &str) -> Result<ConnectionView, CommandError> {
        let all = self.store.connections()?;
        all.into_iter().find(|connection| connection.id == id).ok_or_else(CommandError::no_connection)
    }

    /// The folder of a connection's files.
    pub(crate) fn folder(&self, id: &str) -> Result<PathBuf, CommandError> {
        let folder = self.data_dir.join("connections").join(id);
        std::fs::create_dir_all(&folder).map_err(|error| CommandError::internal(&error))?;
        Ok(folder)
    }
}

/// Chinese where the system speaks Chinese, else English.
fn system_language() -> String {
    let told = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    if told.is_some_and(|told| told.starts_with("zh")) { "zh-CN".into() } else { "en".into() }
}
