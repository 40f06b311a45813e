//! The first screen: settings, connections, open operations elsewhere, and restorations.

use std::collections::BTreeMap;
use std::sync::Arc;

use operations::{GbFactor, Restoration};
use serde::Serialize;
use ts_rs::TS;

use crate::Till;
use crate::connections::{ConnectionView, usual_zone};
use crate::error::CommandError;
use crate::practice;
use crate::settings::Settings;

/// Everything that the window needs for its first screen.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Boot {
    /// Language and appearance.
    pub settings: Settings,
    /// Saved connections.
    pub connections: Vec<ConnectionView>,
    /// The id of the open connection; `None` shows Welcome.
    pub active: Option<String>,
    /// Whether the open connection is practice.
    pub practice: bool,
    /// MB of one GB on the open connection, as moves have shown or as the user set it.
    pub gb_factor: GbFactor,
    /// The zone of the vendor's times on the open connection, minutes east of UTC.
    pub zone: i32,
    /// The connections that are not open and have operations whose outcome is not confirmed.
    pub waiting: Vec<Waiting>,
    /// The zoom of the page, in percent.
    pub zoom: u32,
    /// The columns that the user has shown or hidden, by table.
    pub columns: BTreeMap<String, Vec<String>>,
    /// Program version.
    pub version: String,
}

/// A connection that is not open and has operations whose outcome is not confirmed.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Waiting {
    /// The connection's id.
    pub connection: String,
    /// Number of those operations.
    pub count: usize,
    /// Whether its journal cannot be read: then it is unknown what is open there.
    pub unreadable: bool,
}

/// The unread restorations of damaged files.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Restorations {
    /// Restorations of the open connection's journal, oldest first.
    pub journal: Vec<Restoration>,
    /// The restoration of the file with connections and settings; `None` if there is no unread one.
    pub app: Option<Restoration>,
}

/// Describes the program before the last connection is open, because a keychain may ask first. `system` is the language
/// of the system, for the texts that are not the page's.
pub async fn boot(till: &Arc<Till>, system: String) -> Result<Boot, CommandError> {
    till.host.mark("boot");
    till.know_system_language(system);
    till.host.show_menu(&till.words());
    if let Ok(settings) = till.settings() {
        till.host.show_in(settings.theme);
    }
    if let Ok(percent) = till.saved_zoom() {
        till.host.zoom(percent);
    }
    let active = till.reopen().await?;
    let boot = describe(till, active)?;
    till.host.mark("booted");
    Ok(boot)
}

/// Describes the program as it is now.
pub(crate) async fn state(till: &Till) -> Result<Boot, CommandError> {
    describe(till, till.session_if_open().await.map(|session| session.id.clone()))
}

/// Returns the MB of one GB on the open connection.
pub async fn gb_factor(till: &Till, (): ()) -> Result<GbFactor, CommandError> {
    till.session().await?.gb_factor()
}

/// MB of one GB, read without the open session, because a keychain may delay that.
fn known_gb_factor(till: &Till, active: Option<&str>) -> Result<GbFactor, CommandError> {
    let Some(id) = active else { return Ok(GbFactor::default()) };
    let learned = till.operations(id).ok().and_then(|(operations, _)| operations.lessons().learned().ok().flatten());
    let set = till.connection(id).map_or(GbFactor::default(), |connection| connection.gb_factor);
    Ok(learned.map_or(set, |learned| learned.factor))
}

fn describe(till: &Till, active: Option<String>) -> Result<Boot, CommandError> {
    let connections = till.store.connections()?;
    let others = connections.iter().map(|connection| &connection.id).filter(|id| Some(*id) != active.as_ref());
    let open = connections.iter().find(|connection| Some(&connection.id) == active.as_ref());
    Ok(Boot {
        settings: till.settings()?,
        gb_factor: known_gb_factor(till, active.as_deref())?,
        zone: open.map_or(usual_zone(), |connection| connection.time_zone),
        waiting: others.filter_map(|id| waiting(till, id)).collect(),
        connections,
        practice: active.as_deref() == Some(practice::ID),
        active,
        zoom: till.saved_zoom()?,
        columns: till.saved_columns()?,
        version: env!("CARGO_PKG_VERSION").into(),
    })
}

fn waiting(till: &Till, id: &str) -> Option<Waiting> {
    // The operations there are not checked until the connection is opened.
    let held = till.operations(id).and_then(|(operations, _)| Ok(operations.held()?.len()));
    let (count, unreadable) = held.map_or((0, true), |count| (count, false));
    (count > 0 || unreadable).then(|| Waiting { connection: id.to_owned(), count, unreadable })
}

/// Returns the problem with the open connection; `None` when it is complete. Waits until it is open.
pub async fn connection_problem(till: &Till, (): ()) -> Result<Option<CommandError>, CommandError> {
    Ok(till.problem().await)
}

/// Returns the unread restorations of damaged files.
pub async fn restorations(till: &Till, (): ()) -> Result<Restorations, CommandError> {
    let journal = match till.session_if_open().await {
        Some(session) => session.operations.history().restorations()?,
        None => Vec::new(),
    };
    Ok(Restorations { journal, app: till.store.restored()? })
}

/// Marks the restorations as read.
pub async fn restorations_seen(till: &Till, (): ()) -> Result<(), CommandError> {
    if let Some(session) = till.session_if_open().await {
        session.operations.history().mark_restorations_seen()?;
    }
    Ok(till.store.restored_seen()?)
}
