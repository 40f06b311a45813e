//! A connection: where the service is, which tokens are kept for it, and its test.

use std::sync::Arc;

use client::account::StaticCredentials;
use client::customers::ListQuery;
use client::{Account, Address, AddressError, Client, Error, Lost, NotSent, Patience, Waits};
use operations::{Fingerprint, Fingerprints, GbFactor};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vault::{KeychainState, Vault, bound};

/// A saved connection. Holds no secret.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionView {
    /// Its id; also its folder and the first part of its keychain entries.
    pub id: String,
    /// What the user calls it.
    pub name: String,
    /// Base address.
    pub base_url: String,
    /// Put before `/open/staticip/…`.
    pub static_prefix: String,
    /// Put before the other paths.
    pub agent_prefix: String,
    /// Developer ID of the static-IP area; empty when the area is not used.
    pub user_id: String,
    /// A static token was saved.
    pub has_static_token: bool,
    /// An agent token was saved.
    pub has_agent_token: bool,
    /// Tokens stay in memory only.
    pub session_only: bool,
    /// MB of a GB, as the vendor counts: nobody says so in words.
    #[serde(default)]
    pub gb_factor: GbFactor,
    /// The zone of the vendor's times, minutes east of UTC: "times carry no zone".
    #[serde(default = "usual_zone")]
    pub time_zone: i32,
    /// What 0 and 1 mean to this vendor.
    #[serde(default)]
    pub polarity: Polarity,
}

/// What `customerState` means: two published versions of the interface contradict each other, and nothing
/// can be read back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Polarity {
    /// "1 = active, 0 = disabled", as the contract says.
    #[default]
    OneIsActive,
    /// The other way round.
    ZeroIsActive,
}

impl Polarity {
    /// The values for active and for disabled.
    pub(crate) fn states(self) -> [u8; 2] {
        match self {
            Self::OneIsActive => [1, 0],
            Self::ZeroIsActive => [0, 1],
        }
    }
}

/// UTC+8, in minutes.
pub(crate) fn usual_zone() -> i32 {
    480
}

impl ConnectionView {
    /// Whose its operations and secrets are.
    pub(crate) fn fingerprints(&self) -> Result<Fingerprints, AddressError> {
        let address = Address::parse(&self.base_url, &self.static_prefix, &self.agent_prefix)?;
        Ok(Fingerprints::at(&address, &self.user_id))
    }

    /// The other one leads to another service or another account.
    pub(crate) fn is_elsewhere(&self, other: &Self) -> bool {
        let place = |one: &Self| {
            [&one.base_url, &one.static_prefix, &one.agent_prefix, &one.user_id].map(|part| part.trim().to_owned())
        };
        place(self) != place(other)
    }
}

/// What the form holds. The tokens come from the page and go into the vault, nowhere else.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionDraft {
    /// `None` for a new one.
    pub id: Option<String>,
    /// What the user calls it.
    pub name: String,
    /// Base address.
    pub base_url: String,
    /// Put before `/open/staticip/…`.
    pub static_prefix: String,
    /// Put before the other paths.
    pub agent_prefix: String,
    /// Developer ID.
    pub user_id: String,
    /// A new static token; empty keeps the saved one.
    #[ts(type = "string")]
    pub static_token: SecretString,
    /// A new agent token; empty keeps the saved one.
    #[ts(type = "string")]
    pub agent_token: SecretString,
    /// Keep the tokens in memory only.
    pub session_only: bool,
    /// MB of a GB.
    pub gb_factor: GbFactor,
    /// Minutes east of UTC.
    pub time_zone: i32,
    /// What 0 and 1 mean.
    pub polarity: Polarity,
}

/// The outcome of a test of one area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Probe {
    /// It answers as it should.
    Ok,
    /// It answers, but there is nothing in it.
    Empty,
    /// It refuses the credentials.
    AuthFailed,
    /// No answer.
    Unreachable,
    /// This computer has no certificates to know it by.
    NoCertificates,
    /// Something else answers.
    NotThisService,
    /// The vendor answers with something unexpected.
    Unexpected,
}

/// The outcome of a test; `None` for an area that was left empty.
#[derive(Clone, Copy, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProbeResults {
    /// Static-IP area.
    pub static_area: Option<Probe>,
    /// Traffic and customer areas.
    pub agent_area: Option<Probe>,
}

/// Keychain account names of a connection's tokens.
pub(crate) fn token_accounts(id: &str) -> [String; 2] {
    [format!("{id}/static-token"), format!("{id}/agent-token")]
}

/// Address, credentials: what a client needs. Tokens that cannot be read are left out, and the
/// state that was in the way is told.
pub(crate) async fn account(
    connection: &ConnectionView,
    vault: &Vault,
) -> Result<(Account, Option<KeychainState>), AddressError> {
    let address = Address::parse(&connection.base_url, &connection.static_prefix, &connection.agent_prefix)?;
    let [static_account, agent_account] = token_accounts(&connection.id);
    let own = Fingerprints::at(&address, &connection.user_id);
    let mut in_the_way = None;
    let mut read = async |wanted: bool, account: &str, own: &Fingerprint| {
        if !wanted {
            return None;
        }
        let kept = vault.read(account).await;
        match kept.and_then(|kept| kept.map(|kept| bound::unbind(kept, Some(own.as_str()))).transpose()) {
            Ok(Some(secret)) => Some(secret),
            // A keychain that was never unlocked says that there is nothing in it.
            Ok(None) if !connection.session_only => {
                in_the_way = Some(KeychainState::Locked);
                None
            }
            Ok(None) => None,
            Err(state) => {
                in_the_way = Some(state);
                None
            }
        }
    };
    let static_token = read(connection.has_static_token, &static_account, &own.static_area).await;
    let agent_token = read(connection.has_agent_token, &agent_account, &own.agent_area).await;
    let static_area = static_token.map(|token| StaticCredentials { user_id: connection.user_id.clone(), token });
    Ok((Account { address, static_area, agent_token }, in_the_way))
}

/// Asks both areas for something small.
pub(crate) async fn probe(account: Account, patience: Patience, waits: Waits) -> ProbeResults {
    let (has_static, has_agent) = (account.static_area.is_some(), account.agent_token.is_some());
    let client = match Client::new(Arc::new(account), patience) {
        Ok(client) => client.shown_by(waits),
        Err(error) => {
            let probe = verdict(Err(error));
            return ProbeResults { static_area: has_static.then_some(probe), agent_area: has_agent.then_some(probe) };
        }
    };
    let one_row = ListQuery { page_size: 1, ..ListQuery::default() };
    let static_area = async {
        let answer = client.call(client::locations::continents()).await;
        verdict(answer.map(|answer| answer.data.is_empty()))
    };
    let agent_area = async {
        let answer = client.call(client::customers::list(&one_row)).await;
        verdict(answer.map(|answer| answer.data.rows.is_empty()))
    };
    let (static_area, agent_area) =
        tokio::join!(async { if has_static { Some(static_area.await) } else { None } }, async {
            if has_agent { Some(agent_area.await) } else { None }
        });
    ProbeResults { static_area, agent_area }
}

fn verdict(empty: Result<bool, Error>) -> Probe {
    match empty {
        Ok(false) => Probe::Ok,
        Ok(true) => Probe::Empty,
        Err(Error::NotAuthenticated(_) | Error::NotSent(NotSent::BadCredentials)) => Probe::AuthFailed,
        Err(Error::NotThisService { .. } | Error::OutcomeUnknown(Lost::Redirected)) => Probe::NotThisService,
        Err(Error::NotSent(NotSent::NoCertificates)) => Probe::NoCertificates,
        Err(Error::NotSent(_) | Error::OutcomeUnknown(_)) => Probe::Unreachable,
        // A path that the service does not know: the prefix is wrong.
        Err(Error::Refused(refusal)) if refusal.status == 404 => Probe::NotThisService,
        Err(Error::Refused(_) | Error::Unreadable { .. } | Error::Restless) => Probe::Unexpected,
    }
}
