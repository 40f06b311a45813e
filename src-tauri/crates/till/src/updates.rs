//! Newer versions of the program: checked for once a day and on request, installed when a person says so and nothing is
//! being sent. The crate `updates` decides what is genuine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use updates::{Error, Installer, Kind, Limits, Offer, Source, Updates};

use crate::Till;
use crate::clock::wall_clock;
use crate::error::CommandError;
use crate::events::Event;

/// The public half of the key. Empty in a program that was built before there was a key: it has no updates.
const KEY: &str = include_str!(concat!(env!("OUT_DIR"), "/update.pub"));
const FEEDS: [&str; 2] = [
    "https://proxytill.app/updates/stable.json",
    "https://github.com/proxytill/proxytill/releases/latest/download/stable.json",
];
const HOSTS: [&str; 1] = ["github.com"];

/// The delay before the first check: the first screen needs the network more.
const SOON: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_secs(60 * 60);
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The progress of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "UpdateStep")]
pub enum Step {
    /// Nothing is going on.
    #[default]
    Idle,
    /// The file is being fetched.
    Fetching,
    /// The system asks for consent and installs.
    Installing,
    /// It is installed; the running program is still the old one.
    Installed,
}

/// A newer version.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NewVersion {
    /// The version number.
    pub version: String,
    /// The changes, in English, one point per line.
    pub notes: String,
    /// The changes, in Chinese.
    pub notes_zh: String,
    /// Whether the person said "later" to this version.
    pub postponed: bool,
}

/// The updates, as Settings shows them.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UpdateState {
    /// The kind of installation of this copy: `deb`, `rpm`, `archive`. `None` if it has no updates.
    pub kind: Option<String>,
    /// Whether the program can have a new version installed.
    pub can_install: bool,
    /// Whether to check once a day.
    pub daily: bool,
    /// When a feed was last read, in ms since 1970 by this computer's clock; `None` if never.
    pub checked: Option<i64>,
    /// A newer version; `None` if none is known.
    pub newer: Option<NewVersion>,
    /// The progress of its installation.
    pub step: Step,
}

/// The replacements for the constants above, in a program under test.
#[derive(Deserialize)]
struct Told {
    feeds: Vec<url::Url>,
    key: String,
    trusted: Vec<String>,
    consent: PathBuf,
    kind: String,
}

/// Knows how this copy was installed and what is newer.
pub(crate) struct Updater {
    kind: Option<Kind>,
    updates: Option<Updates>,
    installer: Installer,
    folder: PathBuf,
    now: Mutex<(Option<Offer>, Step)>,
}

impl Updater {
    /// The updater of the running program. Its files are below the data folder.
    pub(crate) fn new(data_dir: &std::path::Path) -> Self {
        let own = std::env::current_exe().ok().and_then(|program| Kind::of(&program));
        let parse = |address: &&str| address.parse().ok();
        let usual = Source {
            feeds: FEEDS.iter().filter_map(parse).collect(),
            key: KEY.to_owned(),
            hosts: HOSTS.map(str::to_owned).to_vec(),
            trusted: Vec::new(),
            limits: Limits::default(),
        };
        let (source, kind, installer) = match told() {
            Some(told) => {
                let source = Source { feeds: told.feeds, key: told.key, trusted: told.trusted, ..usual };
                (source, Kind::named(&told.kind), Installer { consent: told.consent })
            }
            None => (usual, own, Installer::default()),
        };
        let version = env!("CARGO_PKG_VERSION").parse().ok();
        let can = kind.filter(|_| !source.key.is_empty()).zip(version);
        let updates = can.map(|(kind, version)| Updates::new(source, version, kind));
        Self { kind, updates, installer, folder: data_dir.join("updates"), now: Mutex::default() }
    }

    fn updates(&self) -> Result<(&Updates, Kind), CommandError> {
        Ok(self.updates.as_ref().zip(self.kind).ok_or(Error::NotInstalled)?)
    }

    /// The present state.
    pub(crate) fn state(&self, till: &Till) -> Result<UpdateState, CommandError> {
        let (offer, step) = (self.offer(till)?, self.now.lock().1);
        let postponed: Option<String> = till.store.setting("update-postponed")?;
        let newer = offer.map(|offer| NewVersion {
            postponed: postponed.as_deref() == Some(&*offer.version.to_string()),
            version: offer.version.to_string(),
            notes: offer.notes,
            notes_zh: offer.notes_zh,
        });
        let kind = self.kind.filter(|_| self.updates.is_some());
        Ok(UpdateState {
            kind: kind.map(|kind| kind.name().to_owned()),
            can_install: kind.is_some_and(Kind::can_install),
            daily: till.store.setting("update-daily")?.unwrap_or(true),
            checked: till.store.setting("update-checked")?,
            newer,
            step,
        })
    }

    /// The newest version that a check has found, in this run or before.
    fn offer(&self, till: &Till) -> Result<Option<Offer>, CommandError> {
        let mut now = self.now.lock();
        if now.0.is_none() {
            let own: Option<semver::Version> = env!("CARGO_PKG_VERSION").parse().ok();
            let kept: Option<Offer> = till.store.setting::<Option<Offer>>("update-offer")?.flatten();
            now.0 = kept.filter(|kept| own.is_some_and(|own| kept.version > own));
        }
        Ok(now.0.clone())
    }

    /// Checks the feeds.
    pub(crate) async fn check(&self, till: &Till) -> Result<(), CommandError> {
        till.store.set_setting("update-tried", &wall_clock())?;
        let offer = self.updates()?.0.check().await?;
        till.store.set_setting("update-offer", &offer)?;
        till.store.set_setting("update-checked", &wall_clock())?;
        let mut now = self.now.lock();
        // A version that is being installed stays the one that is shown.
        if now.1 == Step::Idle {
            now.0 = offer;
        }
        Ok(())
    }

    /// Fetches the version that the person saw, verifies it, and has the system install it. Never while something is
    /// being sent.
    pub(crate) async fn install(
        &self,
        till: &Till,
        version: &str,
        changed: &(dyn Fn() + Sync),
    ) -> Result<(), CommandError> {
        let (updates, kind) = self.updates()?;
        self.offer(till)?;
        let offer = {
            let mut now = self.now.lock();
            let seen = now.0.clone().filter(|offer| offer.version.to_string() == version);
            let offer = seen.filter(|_| now.1 == Step::Idle).ok_or(Error::Changed)?;
            now.1 = Step::Fetching;
            offer
        };
        changed();
        let done = async {
            till.ensure_at_rest().await?;
            let file = updates.fetch(&offer, &self.folder, &|_| {}).await?;
            // Fetching may take minutes: something may have begun in the meantime.
            let _closed = till.gate.close()?;
            till.ensure_at_rest().await?;
            self.now.lock().1 = Step::Installing;
            changed();
            Ok(self.installer.install(kind, &file).await?)
        };
        let done: Result<(), CommandError> = done.await;
        self.now.lock().1 = if done.is_ok() { Step::Installed } else { Step::Idle };
        let _ = std::fs::remove_dir_all(&self.folder);
        changed();
        done
    }
}

/// Reads from a file, in a program under test, which feeds to check and what to trust. A shipped program never reads
/// it.
fn told() -> Option<Told> {
    if !cfg!(any(debug_assertions, feature = "under-test")) {
        return None;
    }
    let file = std::env::var_os("PROXYTILL_UPDATES")?;
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

/// Checks once a day, as long as the program runs and unless the person turned that off.
pub(crate) fn follow(till: &Arc<Till>) {
    let till = Arc::downgrade(till);
    tokio::spawn(async move {
        tokio::time::sleep(SOON).await;
        while let Some(till) = till.upgrade() {
            if let Ok(state) = till.updater.state(&till)
                && let Ok(tried) = till.store.setting("update-tried")
                && is_due(&state, tried, wall_clock())
                && till.updater.check(&till).await.is_ok()
            {
                till.host.emit(Event::UpdateChanged);
            }
            drop(till);
            tokio::time::sleep(LOOK).await;
        }
    });
}

/// Whether a day has passed since the last try, whatever its result. Also true if the clock was set back to before it.
fn is_due(state: &UpdateState, tried: Option<i64>, now: i64) -> bool {
    state.kind.is_some() && state.daily && tried.is_none_or(|tried| !(tried..tried + DAY).contains(&now))
}

/// Returns what is known about newer versions, without checking.
pub async fn update_state(till: &Till, (): ()) -> Result<UpdateState, CommandError> {
    till.updater.state(till)
}

/// Checks for a newer version now.
pub async fn check_update(till: &Till, (): ()) -> Result<UpdateState, CommandError> {
    till.updater.check(till).await?;
    till.updater.state(till)
}

/// Sets whether to check once a day.
pub async fn check_daily(till: &Till, daily: bool) -> Result<UpdateState, CommandError> {
    till.store.set_setting("update-daily", &daily)?;
    till.updater.state(till)
}

/// Postpones a version: it is not announced again until the person asks.
pub async fn postpone_update(till: &Till, version: String) -> Result<UpdateState, CommandError> {
    till.store.set_setting("update-postponed", &version)?;
    till.updater.state(till)
}

/// Installs the version that the person saw. Returns when the system's installer has ended.
pub async fn install_update(till: &Till, version: String) -> Result<UpdateState, CommandError> {
    let changed = || till.host.emit(Event::UpdateChanged);
    till.updater.install(till, &version, &changed).await?;
    till.updater.state(till)
}

/// Ends the program and starts it again. Never while something is being sent.
pub async fn start_again(till: &Till, (): ()) -> Result<(), CommandError> {
    let closed = till.gate.close()?;
    till.ensure_at_rest().await?;
    till.discard_unfinished();
    till.host.start_again().map_err(|error| CommandError::internal(&*error))?;
    closed.for_good();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_versions_are_looked_for_once_a_day_unless_the_person_has_something_against_it() {
        let state = UpdateState {
            kind: Some("deb".into()),
            can_install: true,
            daily: true,
            checked: None,
            newer: None,
            step: Step::Idle,
        };
        for (now, due) in [(10 * DAY, false), (11 * DAY - 1, false), (11 * DAY, true), (9 * DAY, true)] {
            assert_eq!(is_due(&state, Some(10 * DAY), now), due, "{now}");
        }
        assert!(is_due(&state, None, 0));
        assert!(!is_due(&UpdateState { daily: false, ..state.clone() }, None, 20 * DAY));
        assert!(!is_due(&UpdateState { kind: None, ..state }, None, 20 * DAY));
    }
}
