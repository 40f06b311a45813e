//! Starting, marks, the clipboard.

use std::io::Read;

use flate2::read::DeflateDecoder;
use operations::{GbFactor, Restoration};
use serde::Serialize;
use ts_rs::TS;

use super::Context;
use crate::app::Settings;
use crate::calls::CallNumber;
use crate::connections::ConnectionView;
use crate::error::CommandError;
use crate::{downloads, events, perf, practice, report, window};

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
pub(crate) async fn boot(context: &Context, system: String) -> Result<Boot, CommandError> {
    context.app.know_system_language(system);
    let handle = context.handle.clone();
    let active = context.app.reopen(move |session| events::follow(&handle, session)).await?;
    describe(context, active)
}

/// The program as it is now.
pub(super) async fn state(context: &Context) -> Result<Boot, CommandError> {
    describe(context, context.app.session_if_open().await.map(|session| session.id.clone()))
}

/// MB of a GB at the open connection.
pub(crate) async fn gb_factor(context: &Context, (): ()) -> Result<GbFactor, CommandError> {
    context.app.session().await?.gb_factor()
}

/// Without the open session, which a keychain may delay.
fn known_gb_factor(context: &Context, active: Option<&str>) -> Result<GbFactor, CommandError> {
    let Some(id) = active else { return Ok(GbFactor::default()) };
    let learnt = context.app.operations(id).ok().and_then(|(operations, _)| operations.learnt().ok().flatten());
    let set = context.app.connection(id).map_or(GbFactor::default(), |connection| connection.gb_factor);
    Ok(learnt.map_or(set, |lesson| lesson.factor))
}

fn describe(context: &Context, active: Option<String>) -> Result<Boot, CommandError> {
    let connections = context.app.store.connections()?;
    let others = connections.iter().map(|connection| &connection.id).filter(|id| Some(*id) != active.as_ref());
    Ok(Boot {
        settings: context.app.settings()?,
        gb_factor: known_gb_factor(context, active.as_deref())?,
        waiting: others.filter_map(|id| waiting(context, id)).collect(),
        connections,
        practice: active.as_deref() == Some(practice::ID),
        active,
        version: env!("CARGO_PKG_VERSION").into(),
    })
}

fn waiting(context: &Context, id: &str) -> Option<Waiting> {
    // Nobody looks for what is under way there until it is opened.
    let held = context.app.operations(id).and_then(|(operations, _)| Ok(operations.held()?.len()));
    let (count, unreadable) = held.map_or((0, true), |count| (count, false));
    (count > 0 || unreadable).then(|| Waiting { connection: id.to_owned(), count, unreadable })
}

/// What keeps the open connection from being whole. Waits until it is open.
pub(crate) async fn connection_problem(context: &Context, (): ()) -> Result<Option<CommandError>, CommandError> {
    Ok(context.app.problem().await)
}

pub(crate) async fn restorations(context: &Context, (): ()) -> Result<Restorations, CommandError> {
    let journal = match context.app.session_if_open().await {
        Some(session) => session.operations.restorations()?,
        None => Vec::new(),
    };
    Ok(Restorations { journal, app: context.app.store.restored()? })
}

/// Somebody has read them.
pub(crate) async fn restorations_seen(context: &Context, (): ()) -> Result<(), CommandError> {
    if let Some(session) = context.app.session_if_open().await {
        session.operations.restorations_seen()?;
    }
    Ok(context.app.store.restored_seen()?)
}

pub(crate) async fn perf_mark(_context: &Context, name: String) -> Result<(), CommandError> {
    perf::mark(&name);
    Ok(())
}

pub(crate) async fn stop_call(context: &Context, number: CallNumber) -> Result<(), CommandError> {
    crate::shell(&context.handle).calls.stop(number);
    Ok(())
}

/// Ends every wait that the vendor asked for: each read ends with the vendor's refusal.
pub(crate) async fn stop_waits(context: &Context, (): ()) -> Result<(), CommandError> {
    context.app.waits.stop();
    Ok(())
}

/// Percent, from 50 to 200.
pub(crate) async fn set_zoom(context: &Context, percent: u32) -> Result<(), CommandError> {
    window::zoom(&context.handle, f64::from(percent.clamp(50, 200)) / 100.0);
    Ok(())
}

pub(crate) async fn copy_text(context: &Context, text: String) -> Result<(), CommandError> {
    crate::shell(&context.handle).clipboard.copy(text).map_err(|error| CommandError::internal(&error))
}

/// Third parties and their licences, as the program carries them.
pub(crate) async fn notices(_context: &Context, (): ()) -> Result<String, CommandError> {
    let mut text = format!("{}\n\n", include_str!("../../../NOTICE"));
    let mut packed = DeflateDecoder::new(&include_bytes!(concat!(env!("OUT_DIR"), "/notices"))[..]);
    packed.read_to_string(&mut text).map_err(|error| CommandError::internal(&error))?;
    Ok(text)
}

async fn report_parts(context: &Context) -> Result<Vec<report::Part>, CommandError> {
    // A report must not wait for the keychain that it may be about, nor for the journal.
    let session = context.app.session_now();
    let operations = session.and_then(|session| session.operations.recent(100).ok()).unwrap_or_default();
    Ok(report::parts(&context.app.data_dir, &operations))
}

/// Everything that a report would hold, to be read before it is saved.
pub(crate) async fn preview_report(context: &Context, (): ()) -> Result<String, CommandError> {
    let parts = report_parts(context).await?;
    Ok(parts.iter().map(|part| format!("== {}\n{}\n", part.name, part.text)).collect())
}

/// Saves the report in the download folder. Returns its path.
pub(crate) async fn save_report(context: &Context, (): ()) -> Result<String, CommandError> {
    let zipped = report::zipped(&report_parts(context).await?).map_err(|error| CommandError::not_saved(&error))?;
    downloads::save(&context.handle, "proxytill-report", "zip", &zipped)
}
