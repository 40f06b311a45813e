//! Practice: the service inside the program, its own folder, generated credentials, no question asked; and its menu
//! with the wallet, the clock's speed, a new beginning.

use std::path::Path;

use client::account::StaticCredentials;
use client::{Account, Address};
use sandbox::{Credentials, Options, Service};
use serde::Serialize;
use ts_rs::TS;
use wire::Amount;

use crate::Till;
use crate::error::CommandError;
use crate::field;

/// The id of the practice connection: its folder, and what `active` says.
pub(crate) const ID: &str = "practice";

/// The world that practice begins with.
pub(crate) const SEED: u64 = 1;

/// The running service and how to call it.
pub(crate) struct Practice {
    pub(crate) service: Service,
    pub(crate) account: Account,
}

impl Practice {
    /// Starts the service on a free loopback port, its ledger in the connection's folder.
    pub(crate) async fn start(folder: &Path) -> Result<Self, CommandError> {
        let data = Some(folder.join("service.db"));
        let options = Options { data, seed: SEED, credentials: Credentials::generated(), ..Options::default() };
        let service = sandbox::start(options).await.map_err(|error| CommandError::internal(&error))?;
        let who = &service.world.options.credentials;
        let address =
            Address::parse(&service.base_url(), "/api", "/prod-api").map_err(|error| CommandError::internal(&error))?;
        let account = Account {
            address,
            static_area: Some(StaticCredentials {
                user_id: who.user_id.clone(),
                token: who.static_token.clone().into(),
            }),
            agent_token: Some(who.agent_token.clone().into()),
        };
        Ok(Self { service, account })
    }
}

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

/// Returns wallet and speed of practice.
pub async fn practice_state(till: &Till, (): ()) -> Result<PracticeState, CommandError> {
    let world = till.practice_world().await?;
    let wallet = world.wallet().map_err(|error| CommandError::internal(&error))?;
    Ok(PracticeState { wallet, speed: world.clock.speed() as u32 })
}

/// Fills or empties the wallet of practice.
pub async fn practice_set_wallet(till: &Till, amount: Amount) -> Result<PracticeState, CommandError> {
    if amount.value().is_sign_negative() {
        return Err(CommandError::invalid(field::PracticeWallet::NotAnAmount));
    }
    let world = till.practice_world().await?;
    world.set_wallet(amount).map_err(|error| CommandError::internal(&error))?;
    practice_state(till, ()).await
}

/// A new world. The journal stays: what was done in practice is still told in Activity.
pub async fn practice_reset(till: &Till, (): ()) -> Result<PracticeState, CommandError> {
    let world = till.practice_world().await?;
    world.reset(SEED).map_err(|error| CommandError::internal(&error))?;
    // Of the world that was.
    let session = till.session().await?;
    session.customers.forget().await;
    session.usage.store().await?.clear()?;
    practice_state(till, ()).await
}

/// Sets how fast the clock of practice runs.
pub async fn practice_set_speed(till: &Till, speed: u32) -> Result<PracticeState, CommandError> {
    if !SPEEDS.contains(&speed) {
        return Err(CommandError::invalid(field::PracticeSpeed::NotOffered));
    }
    till.practice_world().await?.clock.set_speed(f64::from(speed));
    practice_state(till, ()).await
}
