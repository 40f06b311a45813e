//! The first screen: settings, connections, what waits and what was restored.

use std::sync::Arc;

use operations::{GbFactor, Restoration};
use serde::Serialize;
use ts_rs::TS;

use crate::Till;
use crate::connections::ConnectionView;
use crate::error::CommandError;
use crate::practice;
use crate::settings::Settings;

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
    /// MB of a GB at the open connection, as moves have shown or as the user set it.
    pub gb_factor: GbFactor,
    /// Operations that are not confirmed, in connections that are not open.
    pub waiting: Vec<Waiting>,
    /// Program version.
    pub version: String,
}

/// A connection that something waits in.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Waiting {
    /// The connection's id.
    pub connection: String,
    /// How many operations are not confirmed there.
    pub count: usize,
    /// Its journal cannot be read: nobody knows what waits there.
    pub unreadable: bool,
}

/// What was done about damaged files, and nobody has read yet.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Restorations {
    /// The journal of the open connection; oldest first.
    pub journal: Vec<Restoration>,
    /// The file with connections and settings.
    pub app: Option<Restoration>,
}

/// Answers before the last connection is open: a keychain may ask first. `system`: the language of the
/// system, for words that the page does not say itself.
pub async fn boot(till: &Arc<Till>, system: String) -> Result<Boot, CommandError> {
    till.know_system_language(system);
    let active = till.reopen().await?;
    describe(till, active)
}

/// The program as it is now.
pub(crate) async fn state(till: &Till) -> Result<Boot, CommandError> {
    describe(till, till.session_if_open().await.map(|session| session.id.clone()))
}

/// MB of a GB at the open connection.
pub async fn gb_factor(till: &Till, (): ()) -> Result<GbFactor, CommandError> {
    till.session().await?.gb_factor()
}

/// Without the open session, which a keychain may delay.
fn known_gb_factor(till: &Till, active: Option<&str>) -> Result<GbFactor, CommandError> {
    let Some(id) = active else { return Ok(GbFactor::default()) };
    let learned = till.operations(id).ok().and_then(|(operations, _)| operations.learned().ok().flatten());
    let set = till.connection(id).map_or(GbFactor::default(), |connection| connection.gb_factor);
    Ok(learned.map_or(set, |lesson| lesson.factor))
}

fn describe(till: &Till, active: Option<String>) -> Result<Boot, CommandError> {
    let connections = till.store.connections()?;
    let others = connections.iter().map(|connection| &connection.id).filter(|id| Some(*id) != active.as_ref());
    Ok(Boot {
        settings: till.settings()?,
        gb_factor: known_gb_factor(till, active.as_deref())?,
        waiting: others.filter_map(|id| waiting(till, id)).collect(),
        connections,
        practice: active.as_deref() == Some(practice::ID),
        active,
        version: env!("CARGO_PKG_VERSION").into(),
    })
}

fn waiting(till: &Till, id: &str) -> Option<Waiting> {
    // Nobody looks for what is under way there until it is opened.
    let held = till.operations(id).and_then(|(operations, _)| Ok(operations.held()?.len()));
    let (count, unreadable) = held.map_or((0, true), |count| (count, false));
    (count > 0 || unreadable).then(|| Waiting { connection: id.to_owned(), count, unreadable })
}

/// What keeps the open connection from being whole. Waits until it is open.
pub async fn connection_problem(till: &Till, (): ()) -> Result<Option<CommandError>, CommandError> {
    Ok(till.problem().await)
}

/// Returns what was done about damaged files and was not read yet.
pub async fn restorations(till: &Till, (): ()) -> Result<Restorations, CommandError> {
    let journal = match till.session_if_open().await {
        Some(session) => session.operations.restorations()?,
        None => Vec::new(),
    };
    Ok(Restorations { journal, app: till.store.restored()? })
}

/// Somebody has read them.
pub async fn restorations_seen(till: &Till, (): ()) -> Result<(), CommandError> {
    if let Some(session) = till.session_if_open().await {
        session.operations.restorations_seen()?;
    }
    Ok(till.store.restored_seen()?)
}
