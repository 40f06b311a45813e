//! The practice menu: the wallet, the clock's speed, a new beginning. Only while practice is open.

use serde::Serialize;
use ts_rs::TS;
use wire::Amount;

use super::Context;
use crate::error::CommandError;
use crate::practice;

/// The practice service behind the stage.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PracticeState {
    /// The wallet, USD that are not real.
    pub wallet: Amount,
    /// How many times as fast its clock runs: 1, 10 or 60.
    pub speed: u32,
}

/// As fast as these, and no other: prices still live long enough to be paid.
const SPEEDS: [u32; 3] = [1, 10, 60];

pub(crate) async fn practice_state(context: &Context, (): ()) -> Result<PracticeState, CommandError> {
    let world = context.app.practice_world().await?;
    let wallet = world.wallet().map_err(|error| CommandError::internal(&error))?;
    Ok(PracticeState { wallet, speed: world.clock.speed() as u32 })
}

pub(crate) async fn practice_set_wallet(context: &Context, amount: Amount) -> Result<PracticeState, CommandError> {
    if amount.value().is_sign_negative() {
        return Err(CommandError::invalid("practice-wallet", "not-an-amount"));
    }
    let world = context.app.practice_world().await?;
    world.set_wallet(amount).map_err(|error| CommandError::internal(&error))?;
    practice_state(context, ()).await
}

/// A new world. The journal stays: what was done in practice is still told in Activity.
pub(crate) async fn practice_reset(context: &Context, (): ()) -> Result<PracticeState, CommandError> {
    let world = context.app.practice_world().await?;
    world.reset(practice::SEED).map_err(|error| CommandError::internal(&error))?;
    // Of the world that was.
    let session = context.app.session().await?;
    session.customers.forget().await;
    session.usage.store().await?.clear()?;
    practice_state(context, ()).await
}

pub(crate) async fn practice_set_speed(context: &Context, speed: u32) -> Result<PracticeState, CommandError> {
    if !SPEEDS.contains(&speed) {
        return Err(CommandError::invalid("practice-speed", "not-offered"));
    }
    context.app.practice_world().await?.clock.set_speed(f64::from(speed));
    practice_state(context, ()).await
}
