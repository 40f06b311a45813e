//! Newer versions of the program.

use tauri::Emitter;

use super::Context;
use crate::error::CommandError;
use crate::updates::{CHANGED, UpdateState};

pub(crate) async fn update_state(context: &Context, (): ()) -> Result<UpdateState, CommandError> {
    context.app.updater.state(&context.app)
}

/// Asks now.
pub(crate) async fn check_update(context: &Context, (): ()) -> Result<UpdateState, CommandError> {
    context.app.updater.check(&context.app).await?;
    context.app.updater.state(&context.app)
}

/// Whether it is looked for once a day.
pub(crate) async fn check_daily(context: &Context, daily: bool) -> Result<UpdateState, CommandError> {
    context.app.store.set_setting("update-daily", &daily)?;
    context.app.updater.state(&context.app)
}

/// "Later": this version is not spoken of again until the person asks.
pub(crate) async fn postpone_update(context: &Context, version: String) -> Result<UpdateState, CommandError> {
    context.app.store.set_setting("update-postponed", &version)?;
    context.app.updater.state(&context.app)
}

/// Installs the version that the person saw. Ends when the system's installer has ended.
pub(crate) async fn install_update(context: &Context, version: String) -> Result<UpdateState, CommandError> {
    let changed = || drop(context.handle.emit(CHANGED, ()));
    context.app.updater.install(&context.app, &version, &changed).await?;
    context.app.updater.state(&context.app)
}

/// Ends the program and starts it again: never while something is being sent.
pub(crate) async fn start_again(context: &Context, (): ()) -> Result<(), CommandError> {
    let closed = context.app.gate.close()?;
    context.app.is_at_rest().await?;
    crate::shell(&context.handle).start_next().map_err(|error| CommandError::internal(&error))?;
    closed.for_good();
    context.handle.exit(0);
    Ok(())
}
