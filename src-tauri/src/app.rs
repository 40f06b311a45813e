//! What the commands share.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client::{Pauses, Waits};
use operations::{
    AnchorEntry, BulkState, BulkView, Fingerprints, GbFactor, OperationView, Operations, Schedule, Secrets, State,
    WallClock,
};
use sandbox::World;
use serde::{Deserialize, Serialize};
use tokio::sync::{OnceCell, RwLock};
use ts_rs::TS;
use vault::{Patience, Vault};
use wire::Amount;

use crate::calls::Calls;
use crate::clipboard::Clipboard;
use crate::connections::{self, ConnectionView, Polarity};
use crate::customers;
use crate::error::CommandError;
use crate::gate::Gate;
use crate::options::{FORMER_IDENTIFIER, IDENTIFIER, Options, RESTARTED};
use crate::practice::{self, Practice};
use crate::session::{Access, Followed, PLACES, Session, Vendor, wall_clock};
use crate::store::Store;
use crate::updates::Updater;
use crate::words::Words;

/// The program before its files are read: the window comes first.
pub(crate) struct Shell {
    /// What the window waits for.
    pub(crate) calls: Calls,
    /// What the vendor asks to wait for.
    pub(crate) waits: Waits,
    pub(crate) clipboard: Clipboard,
    /// One question of the system's own dialog at a time.
    pub(crate) asking: tokio::sync::Mutex<()>,
    options: Options,
    app: OnceCell<Arc<App>>,
}

impl Shell {
    pub(crate) fn new(options: Options) -> Self {
        Self {
            calls: Calls::default(),
            waits: Waits::default(),
            clipboard: Clipboard::default(),
            asking: tokio::sync::Mutex::default(),
            options,
            app: OnceCell::new(),
        }
    }

    pub(crate) async fn app(&self) -> Result<Arc<App>, CommandError> {
        let app =
            self.app.get_or_try_init(|| async { App::open(&self.options, self.waits.clone()).map(Arc::new) }).await?;
        Ok(app.clone())
    }

    /// Starts the program that lies now where this one lay when it began. It waits for this one's end, which has to follow.
    pub(crate) fn start_next(&self) -> std::io::Result<()> {
        let program = self.options.program.as_ref().ok_or(std::io::ErrorKind::NotFound)?;
        let again = std::env::args_os().skip(1).filter(|word| *word != RESTARTED);
        std::process::Command::new(program).args(again).arg(RESTARTED).spawn().map(drop)
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

/// Files, keychain, the open connection.
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) vault: Arc<Vault>,
    pub(crate) data_dir: PathBuf,
    pub(crate) patience: client::Patience,
    pub(crate) waits: Waits,
    pub(crate) updater: Updater,
    language_override: Option<String>,
    session: Arc<RwLock<Option<Arc<Session>>>>,
    /// One engine for each journal, for the life of the program: an order that is under way when the
    /// connection changes still finds its row as it left it.
    journals: Mutex<HashMap<String, (Operations, Followed)>>,
    /// Started once, for the same reason.
    practice: OnceCell<Practice>,
    reopened: AtomicBool,
    /// Sends, and the exchange of the program.
    pub(crate) gate: Gate,
    /// What kept the open connection from being whole.
    problem: Mutex<Option<CommandError>>,
    /// As the page found it.
    system_language: Mutex<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl App {
    fn open(options: &Options, waits: Waits) -> Result<Self, CommandError> {
        std::fs::create_dir_all(&options.data_dir).map_err(|error| CommandError::internal(&error))?;
        Ok(Self {
            store: Store::open(&options.data_dir.join("app.db"), wall_clock())?,
            vault: Arc::new(Vault::new(IDENTIFIER, Patience::default()).formerly(FORMER_IDENTIFIER)),
            data_dir: options.data_dir.clone(),
            patience: client::Patience { pauses: Pauses::of(options.wait_unit), ..client::Patience::default() },
            waits,
            updater: Updater::new(&options.data_dir),
            language_override: options.language.clone(),
            session: Arc::default(),
            journals: Mutex::default(),
            practice: OnceCell::new(),
            reopened: AtomicBool::new(false),
            gate: Gate::default(),
            problem: Mutex::default(),
            system_language: Mutex::default(),
        })
    }

    pub(crate) fn settings(&self) -> Result<Settings, CommandError> {
        let saved = self.store.setting::<String>("language")?;
        let language = self.language_override.clone().or(saved);
        let theme = self.store.setting("theme")?.unwrap_or_default();
        let limits = self.store.setting("limits")?.unwrap_or_default();
        let notifications = self.store.setting("notifications")?.unwrap_or_default();
        Ok(Settings { language, theme, limits, notifications })
    }

    pub(crate) fn know_system_language(&self, language: String) {
        *lock(&self.system_language) = language;
    }

    /// The words that the program says itself.
    pub(crate) fn words(&self) -> Words {
        let chosen = self.settings().ok().and_then(|settings| settings.language);
        Words::of(&chosen.unwrap_or_else(|| lock(&self.system_language).clone()))
    }

    pub(crate) fn save_settings(&self, settings: &Settings) -> Result<(), CommandError> {
        if let Some(language) = &settings.language {
            self.store.set_setting("language", language)?;
        }
        self.store.set_setting("theme", &settings.theme)?;
        self.store.set_setting("limits", &settings.limits)?;
        Ok(self.store.set_setting("notifications", &settings.notifications)?)
    }

    /// The open connection.
    pub(crate) async fn session(&self) -> Result<Arc<Session>, CommandError> {
        self.session.read().await.clone().ok_or_else(CommandError::no_connection)
    }

    /// The open connection, without waiting for one that is being opened.
    pub(crate) fn session_now(&self) -> Option<Arc<Session>> {
        self.session.try_read().ok().and_then(|open| open.clone())
    }

    pub(crate) async fn session_if_open(&self) -> Option<Arc<Session>> {
        self.session.read().await.clone()
    }

    /// The connection that was open last, if it is still there; the first one where none was opened yet, as
    /// behind a restored file.
    pub(crate) fn last_open(&self) -> Result<Option<String>, CommandError> {
        Ok(match self.store.setting::<String>("active")? {
            Some(id) => Some(id).filter(|id| self.knows(id)),
            None => self.store.connections()?.into_iter().next().map(|first| first.id),
        })
    }

    /// Opens the last connection behind the first screen: a keychain may ask and wait. Who needs the
    /// session waits for it. Returns its id.
    pub(crate) async fn reopen(
        self: &Arc<Self>,
        opened: impl FnOnce(&Arc<Session>) + Send + 'static,
    ) -> Result<Option<String>, CommandError> {
        let Some(id) = self.last_open()? else { return Ok(None) };
        if self.reopened.swap(true, Ordering::SeqCst) {
            return Ok(Some(id));
        }
        let (app, last, mut open) = (self.clone(), id.clone(), self.session.clone().write_owned().await);
        tokio::spawn(async move {
            if let Ok(session) = app.open_into(&mut open, &last).await {
                opened(&session);
            }
        });
        Ok(Some(id))
    }

    /// Opens a connection in place of the one that is open, which stays open when that fails. Not when both are the same:
    /// what was edited or taken away since is not used any more.
    pub(crate) async fn open_connection(&self, id: &str) -> Result<Arc<Session>, CommandError> {
        self.open_into(&mut *self.session.write().await, id).await
    }

    async fn open_into(&self, open: &mut Option<Arc<Session>>, id: &str) -> Result<Arc<Session>, CommandError> {
        let earlier = open.take();
        let opened = self.make_session(id).await.map(|session| session.knowing_what(earlier.as_deref()));
        if let (Err(error), Some(stays)) = (&opened, earlier.filter(|earlier| earlier.id != id)) {
            *open = Some(stays);
            return Err(error.clone());
        }
        *lock(&self.problem) = match &opened {
            Ok(session) => session.keychain.map(CommandError::tokens),
            Err(error) => Some(error.clone()),
        };
        let session = Arc::new(opened?);
        // It opens in any case: only the next start would open another one.
        if let Err(error) = self.store.set_setting("active", &id) {
            tracing::warn!(%error, "which connection is open was not written down");
        }
        *open = Some(session.clone());
        session.load_places();
        Ok(session)
    }

    async fn make_session(&self, id: &str) -> Result<Session, CommandError> {
        let folder = self.folder(id)?;
        let (account, keychain, vendor, memory_only, fingerprints) = if id == practice::ID {
            let practice = self.practice.get_or_try_init(|| Practice::start(&folder)).await?;
            let world = practice.service.world.clone();
            let clock: WallClock = Arc::new(move || world.clock.now());
            let vendor = Vendor {
                factor: GbFactor::default(),
                zone: connections::usual_zone(),
                states: Polarity::default().states(),
                clock,
            };
            (practice.account.clone(), None, vendor, false, Fingerprints::of_practice())
        } else {
            let connection = self.connection(id)?;
            let (account, keychain) = connections::account(&connection, &self.vault).await?;
            let (factor, zone) = (connection.gb_factor, connection.time_zone);
            let vendor = Vendor { factor, zone, states: connection.polarity.states(), clock: Arc::new(wall_clock) };
            let fingerprints = connection.fingerprints()?;
            (account, keychain, vendor, connection.session_only, fingerprints)
        };
        let (operations, followed) = self.operations(id)?;
        // Whose tokens cannot be read, of that nothing is sent; who keeps nothing in the keychain finds nothing there.
        if id != practice::ID && !memory_only && keychain.is_none() {
            operations.anchor_in(AnchorEntry::new(&self.vault, id)).await?;
        }
        // "Practice needs nothing": without a keychain its secrets stay in memory, without a question.
        let secrets = Secrets::new(self.vault.clone(), id, memory_only, id == practice::ID);
        let secrets = secrets.of_account(fingerprints.agent_area.clone());
        let (patience, waits) = (self.patience, self.waits.clone());
        let access = Access { account, keychain, vendor, secrets, patience, waits, fingerprints };
        Session::open(id, operations, followed, &folder, access)
    }

    /// The operations of a connection, and whether somebody follows their changes.
    pub(crate) fn operations(&self, id: &str) -> Result<(Operations, Followed), CommandError> {
        let mut journals = lock(&self.journals);
        if let Some(known) = journals.get(id) {
            return Ok(known.clone());
        }
        let file = self.folder(id)?.join("journal.db");
        let operations = Operations::open(&file, Schedule::default(), Arc::new(wall_clock))?;
        let opened = (operations, Followed::default());
        journals.insert(id.to_owned(), opened.clone());
        Ok(opened)
    }

    /// # Errors
    /// `busy`, while something is being sent at any connection that was opened, or a dialog asks whether to send.
    pub(crate) async fn is_at_rest(&self) -> Result<(), CommandError> {
        // One that is being opened is waited for.
        if self.session_if_open().await.is_some_and(|session| session.asks()) {
            return Err(CommandError::busy());
        }
        for (operations, _) in lock(&self.journals).values() {
            let is_sent = |operation: &OperationView| matches!(operation.state, State::Prepared | State::Sending);
            let runs = |bulk: &BulkView| bulk.state == BulkState::Running || bulk.counts.under_way > 0;
            if operations.recent(1)?.iter().any(is_sent) || operations.bulks()?.iter().any(runs) {
                return Err(CommandError::busy());
            }
        }
        Ok(())
    }

    /// The practice service, while it is the open connection.
    pub(crate) async fn practice_world(&self) -> Result<Arc<World>, CommandError> {
        let session = self.session().await?;
        let practice = self.practice.get().filter(|_| session.id == practice::ID);
        Ok(practice.ok_or_else(CommandError::no_connection)?.service.world.clone())
    }

    /// The places and customers of another service are none of this one.
    pub(crate) fn forget_places(&self, id: &str) {
        if let Ok(folder) = self.folder(id) {
            let _ = std::fs::remove_file(folder.join(PLACES));
            let _ = std::fs::remove_file(folder.join(customers::FILE));
        }
    }

    /// What keeps the open connection from being whole, once it is open.
    pub(crate) async fn problem(&self) -> Option<CommandError> {
        drop(self.session.read().await);
        lock(&self.problem).clone()
    }

    pub(crate) async fn close_connection(&self) -> Result<(), CommandError> {
        *self.session.write().await = None;
        *lock(&self.problem) = None;
        Ok(self.store.set_setting("active", &"")?)
    }

    pub(crate) fn connection(&self, id: &str) -> Result<ConnectionView, CommandError> {
        let all = self.store.connections()?;
        all.into_iter().find(|connection| connection.id == id).ok_or_else(CommandError::no_connection)
    }

    fn knows(&self, id: &str) -> bool {
        id == practice::ID || self.connection(id).is_ok()
    }

    /// The folder of a connection's files.
    fn folder(&self, id: &str) -> Result<PathBuf, CommandError> {
        if !self.knows(id) {
            return Err(CommandError::no_connection());
        }
        let folder = self.data_dir.join("connections").join(id);
        std::fs::create_dir_all(&folder).map_err(|error| CommandError::internal(&error))?;
        Ok(folder)
    }
}
