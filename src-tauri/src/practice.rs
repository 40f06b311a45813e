//! Practice: the service inside the program, its own folder, generated credentials, no question asked.

use std::path::Path;

use client::account::StaticCredentials;
use client::{Account, Address};
use sandbox::{Credentials, Options, Service};

use crate::error::CommandError;

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
