//! The running program: its files, the keychain and the open connection.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use client::{Pauses, Waits};
use operations::{
    AnchorEntry, BulkState, BulkView, Fingerprints, GbFactor, OperationView, Operations, Schedule, Secrets, State,
    WallClock,
};
use parking_lot::Mutex;
use sandbox::World;
use secrecy::SecretString;
use tokio::sync::{OnceCell, RwLock};
use vault::{Patience, Vault};

use crate::app_db::{Geometry, Store};
use crate::calls::{self, CallNumber, Calls};
use crate::clock::wall_clock;
use crate::closing::Closing;
use crate::connections::{self, ConnectionView, Polarity};
use crate::downloads::Saving;
use crate::drops::Held;
use crate::error::CommandError;
use crate::following::{self, Followed};
use crate::gate::Gate;
use crate::host::Host;
use crate::practice::{self, Practice};
use crate::session::{Access, KNOWN, Session, Vendor};
use crate::updates::{self, Updater};
use crate::words::Words;

/// Names the program to the system: its data folder and its keychain entries. Must never change: a change would lose
/// both.
pub const IDENTIFIER: &str = "app.proxytill.Proxytill";
/// The name before the first release. It ended in ".desktop", like the files of menu entries, and some packaging tools
/// mishandle that.
pub const FORMER_IDENTIFIER: &str = "app.proxytill.desktop";

/// The program without its window: files, keychain and the open connection. The functions of the other modules use it
/// to do everything that an agent can do.
pub struct Till {
    pub(crate) host: Arc<dyn Host>,
    /// The page's calls that are under way.
    pub(crate) calls: Calls,
    /// Held while a question to a person is open: one at a time.
    pub(crate) asking: tokio::sync::Mutex<()>,
    /// The secret that was copied last; `None` once the front end has taken it.
    pub(crate) copied: Mutex<Option<SecretString>>,
    /// Number of drafts of bulks so far, whatever connection was open: a form that outlives a session shows no other's.
    pub(crate) drafts: AtomicU32,
    /// The file that was dropped on the window last.
    pub(crate) dropped: Mutex<Option<Held>>,
    pub(crate) store: Store,
    pub(crate) vault: Arc<Vault>,
    pub(crate) data_dir: PathBuf,
    pub(crate) patience: client::Patience,
    pub(crate) waits: Waits,
    /// The time for one try of a proxy's test.
    pub(crate) proxy_limit: Duration,
    pub(crate) updater: Updater,
    pub(crate) closing: Closing,
    /// The files for the user that are being written.
    pub(crate) saving: Arc<Saving>,
    pub(crate) language_override: Option<String>,
    session: Arc<RwLock<Option<Arc<Session>>>>,
    /// One engine per journal, for the life of the program: an order that is under way when the connection changes
    /// still finds its row unchanged.
    journals: Mutex<HashMap<String, (Operations, Followed)>>,
    /// The practice service, started once for the same reason.
    practice: OnceCell<Practice>,
    reopened: AtomicBool,
    /// Keeps sends and the replacement of the program apart.
    pub(crate) gate: Gate,
    /// The problem with the open connection; `None` when it is complete.
    problem: Mutex<Option<CommandError>>,
    /// The system's language, as the page found it.
    system_language: Mutex<String>,
}

/// The settings that a front end opens a [`Till`] with.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The folder of everything that the program writes, except files that the user saves.
    pub data_dir: PathBuf,
    /// The language to use instead of the saved one.
    pub language: Option<String>,
    /// The unit of the waits before a read is repeated because the vendor asked for it: one second, except in tests.
    pub wait_unit: Duration,
    /// The time for one try of a proxy's test: [`proxy_tests::LIMIT`], except in tests.
    pub proxy_limit: Duration,
}

impl Till {
    /// Opens the program's files. Call it inside a tokio runtime: the background work runs there, such as the daily
    /// check for a newer version. That work ends when the last owner drops the `Till`.
    ///
    /// # Errors
    /// The data folder cannot be written, or `app.db` is newer than this program.
    pub fn open(opening: &Opening, host: Arc<dyn Host>) -> Result<Arc<Self>, CommandError> {
        let Opening { data_dir, language, wait_unit, proxy_limit } = opening;
        std::fs::create_dir_all(data_dir).map_err(|error| CommandError::internal(&error))?;
        let till = Arc::new(Self {
            host,
            calls: Calls::default(),
            asking: tokio::sync::Mutex::default(),
            copied: Mutex::default(),
            drafts: AtomicU32::default(),
            dropped: Mutex::default(),
            store: Store::open(&data_dir.join("app.db"), wall_clock())?,
            vault: Arc::new(Vault::new(IDENTIFIER, Patience::default()).formerly(FORMER_IDENTIFIER)),
            data_dir: data_dir.clone(),
            patience: client::Patience { pauses: Pauses::of(*wait_unit), ..client::Patience::default() },
            waits: Waits::default(),
            proxy_limit: *proxy_limit,
            updater: Updater::new(data_dir),
            closing: Closing::default(),
            saving: Arc::default(),
            language_override: language.clone(),
            session: Arc::default(),
            journals: Mutex::default(),
            practice: OnceCell::new(),
            reopened: AtomicBool::new(false),
            gate: Gate::default(),
            problem: Mutex::default(),
            system_language: Mutex::default(),
        });
        following::follow_waits(&till);
        updates::follow(&till);
        Ok(till)
    }

    /// Runs the work of a command. A call with a number ends early when [`crate::calls::stop_call`] names that number.
    ///
    /// # Errors
    /// Those of the work; `given-up` when it was stopped.
    pub async fn call<T>(
        &self,
        number: Option<CallNumber>,
        work: impl Future<Output = Result<T, CommandError>>,
    ) -> Result<T, CommandError> {
        self.calls.run(number, work).await
    }

    /// The place and size of the window when the program last ended; `None` at the first start.
    ///
    /// # Errors
    /// `app.db` cannot be read.
    pub fn window_place(&self) -> Result<Option<Geometry>, CommandError> {
        Ok(self.store.geometry()?)
    }

    /// Saves the place and size of the window for the next start.
    ///
    /// # Errors
    /// `app.db` cannot be written.
    pub fn remember_window_place(&self, place: Geometry) -> Result<(), CommandError> {
        Ok(self.store.set_geometry(place)?)
    }

    pub(crate) fn know_system_language(&self, language: String) {
        *self.system_language.lock() = language;
    }

    /// The texts of the program that are not the page's, in the chosen language.
    pub(crate) fn words(&self) -> Words {
        Words::of(&self.language())
    }

    /// The language of the program: `en` or `zh-CN`.
    pub(crate) fn language(&self) -> String {
        let chosen = self.settings().ok().and_then(|settings| settings.language);
        let language = chosen.unwrap_or_else(|| self.system_language.lock().clone());
        if language.to_lowercase().starts_with("zh") { "zh-CN".into() } else { "en".into() }
    }

    /// The open connection. Waits for one that is being opened.
    pub(crate) async fn session(&self) -> Result<Arc<Session>, CommandError> {
        let open = self.session.read().await.clone().ok_or_else(CommandError::no_connection)?;
        if calls::concerns(&open.id) { Ok(open) } else { Err(CommandError::given_up()) }
    }

    /// The open connection, without waiting for one that is being opened.
    pub(crate) fn session_now(&self) -> Option<Arc<Session>> {
        self.session.try_read().ok().and_then(|open| open.clone())
    }

    pub(crate) async fn session_if_open(&self) -> Option<Arc<Session>> {
        self.session.read().await.clone()
    }

    /// The id of the connection that was open last, if it still exists; of the first one if none was opened yet, for
    /// example after `app.db` was restored.
    pub(crate) fn last_open(&self) -> Result<Option<String>, CommandError> {
        Ok(match self.store.setting::<String>("active")? {
            Some(id) => Some(id).filter(|id| self.knows(id)),
            None => self.store.connections()?.into_iter().next().map(|first| first.id),
        })
    }

    /// Opens the journal of the connection that was open last, so that the first screen need not wait for it.
    pub fn open_last_journal(&self) {
        if let Ok(Some(id)) = self.last_open() {
            // The first screen meets the same error, and shows it.
            let _ = self.operations(&id);
        }
    }

    /// Opens the last connection in the background, because a keychain may ask and wait. Whatever needs the session
    /// waits for it. Returns its id.
    pub(crate) async fn reopen(self: &Arc<Self>) -> Result<Option<String>, CommandError> {
        // The one that is open, even if that could not be remembered.
        if let Some(open) = self.session_now() {
            return Ok(Some(open.id.clone()));
        }
        let Some(id) = self.last_open()? else { return Ok(None) };
        if self.reopened.swap(true, Ordering::SeqCst) {
            return Ok(Some(id));
        }
        let (till, last, mut open) = (self.clone(), id.clone(), self.session.clone().write_owned().await);
        tokio::spawn(async move {
            if let Ok(session) = till.open_into(&mut open, &last).await {
                following::follow(&till, &session);
            }
        });
        Ok(Some(id))
    }

    /// Opens a connection in place of the open one, which stays open if this fails. If both are the same connection it
    /// does not stay: edited or removed credentials must not be used any more.
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
        *self.problem.lock() = match &opened {
            Ok(session) => session.keychain.map(CommandError::tokens),
            Err(error) => Some(error.clone()),
        };
        let session = Arc::new(opened?);
        // The connection opens even if this fails: only the next start would open another one.
        if let Err(error) = self.store.set_setting("active", &id) {
            tracing::warn!(%error, "which connection is open was not written down");
        }
        *open = Some(session.clone());
        session.load_places();
        Ok(session)
    }

    async fn make_session(&self, id: &str) -> Result<Session, CommandError> {
        let folder = self.folder(id)?;
        let (account, keychain, vendor, memory_only, fingerprints, place) = if id == practice::ID {
            let practice = self.practice.get_or_try_init(|| Practice::start(&folder)).await?;
            let world = practice.service.world.clone();
            let clock: WallClock = Arc::new(move || world.clock.now());
            let vendor = Vendor {
                factor: GbFactor::default(),
                zone: connections::usual_zone(),
                states: Polarity::default().states(),
                clock,
            };
            (practice.account.clone(), None, vendor, false, Fingerprints::of_practice(), id.to_owned())
        } else {
            let connection = self.connection(id)?;
            let (account, keychain) = connections::account(&connection, &self.vault).await?;
            let (factor, zone) = (connection.gb_factor, connection.time_zone);
            let vendor = Vendor { factor, zone, states: connection.polarity.states(), clock: Arc::new(wall_clock) };
            let fingerprints = connection.fingerprints()?;
            (account, keychain, vendor, connection.session_only, fingerprints, connection.place_name())
        };
        // The connection may have been deleted while the keychain kept it waiting.
        let folder = self.folder(id)?;
        let (operations, followed) = self.operations(id)?;
        // If the tokens cannot be read, nothing is sent; if nothing is saved in the keychain, there is nothing to
        // compare.
        if id != practice::ID && !memory_only && keychain.is_none() {
            operations.anchor_in(AnchorEntry::new(&self.vault, id)).await?;
        }
        // "Practice needs nothing": without a keychain its secrets stay in memory, and no question is asked.
        let secrets = Secrets::new(self.vault.clone(), id, memory_only, id == practice::ID);
        let secrets = secrets.of_account(fingerprints.agent_area.clone());
        let (patience, waits) = (self.patience, self.waits.clone());
        let access = Access { account, keychain, vendor, secrets, patience, waits, fingerprints };
        Session::open(id, operations, followed, &folder, &known_in(&folder, &place)?, access)
    }

    /// The operations of a connection, and what was passed on of their changes.
    pub(crate) fn operations(&self, id: &str) -> Result<(Operations, Followed), CommandError> {
        let mut journals = self.journals.lock();
        if let Some(known) = journals.get(id) {
            return Ok(known.clone());
        }
        let operations = Operations::open(&self.journal_file(id)?, Schedule::default(), Arc::new(wall_clock))?;
        let opened = (operations, Followed::default());
        journals.insert(id.to_owned(), opened.clone());
        Ok(opened)
    }

    /// The operations of every connection that was opened since the start.
    pub(crate) fn opened_journals(&self) -> Vec<Operations> {
        self.journals.lock().values().map(|(operations, _)| operations.clone()).collect()
    }

    /// Checks that nothing is being sent.
    ///
    /// # Errors
    /// `busy` while anything is being sent on any connection that was opened, or while a dialog asks whether to send.
    pub(crate) async fn ensure_at_rest(&self) -> Result<(), CommandError> {
        // Waits for a connection that is being opened.
        if self.session_if_open().await.is_some_and(|session| session.asks()) {
            return Err(CommandError::busy());
        }
        for operations in self.opened_journals() {
            let is_sent = |operation: &OperationView| matches!(operation.state, State::Prepared | State::Sending);
            let runs = |bulk: &BulkView| bulk.state == BulkState::Running || bulk.counts.under_way > 0;
            if operations.history().recent(1)?.iter().any(is_sent) || operations.bulks().all()?.iter().any(runs) {
                return Err(CommandError::busy());
            }
        }
        Ok(())
    }

    /// The practice service, if practice is the open connection.
    pub(crate) async fn practice_world(&self) -> Result<Arc<World>, CommandError> {
        let session = self.session().await?;
        let practice = self.practice.get().filter(|_| session.id == practice::ID);
        Ok(practice.ok_or_else(CommandError::no_connection)?.service.world.clone())
    }

    /// The folder of what the vendor said last to a connection, open or not; created if missing.
    pub(crate) fn known_folder(&self, id: &str) -> Result<PathBuf, CommandError> {
        let name = if id == practice::ID { id.to_owned() } else { self.connection(id)?.place_name() };
        known_in(&self.folder(id)?, &name)
    }

    /// Deletes what the vendor said last: places, customers, traffic, how it counts. The connection now leads to another
    /// service or account.
    pub(crate) fn forget_known(&self, id: &str) {
        if let Ok(folder) = self.folder(id) {
            let _ = std::fs::remove_dir_all(folder.join(KNOWN));
        }
    }

    /// The problem with the open connection; `None` when it is complete. Waits until it is open.
    pub(crate) async fn problem(&self) -> Option<CommandError> {
        drop(self.session.read().await);
        self.problem.lock().clone()
    }

    pub(crate) async fn close_connection(&self) -> Result<(), CommandError> {
        *self.session.write().await = None;
        *self.problem.lock() = None;
        Ok(self.store.set_setting("active", &"")?)
    }

    pub(crate) fn connection(&self, id: &str) -> Result<ConnectionView, CommandError> {
        let all = self.store.connections()?;
        all.into_iter().find(|connection| connection.id == id).ok_or_else(CommandError::no_connection)
    }

    fn knows(&self, id: &str) -> bool {
        id == practice::ID || self.connection(id).is_ok()
    }

    /// The journal of a connection.
    pub(crate) fn journal_file(&self, id: &str) -> Result<PathBuf, CommandError> {
        Ok(self.folder(id)?.join("journal.db"))
    }

    /// The folder of a connection's files, created if missing.
    pub(crate) fn folder(&self, id: &str) -> Result<PathBuf, CommandError> {
        if !self.knows(id) {
            return Err(CommandError::no_connection());
        }
        let folder = self.data_dir.join("connections").join(id);
        std::fs::create_dir_all(&folder).map_err(|error| CommandError::internal(&error))?;
        Ok(folder)
    }
}

/// The folder of what the vendor said last, under the name of a place; created if missing. `folder`: the connection's.
fn known_in(folder: &Path, place: &str) -> Result<PathBuf, CommandError> {
    let known = folder.join(KNOWN).join(place);
    std::fs::create_dir_all(&known).map_err(|error| CommandError::internal(&error))?;
    Ok(known)
}
