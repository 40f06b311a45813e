//! A saved connection: the service, its tokens, and its test.

use std::sync::Arc;

use client::account::StaticCredentials;
use client::customers::ListQuery;
use client::{Account, Address, AddressError, Client, Error, Lost, NotSent, Patience, Waits};
use database::stamp;
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
    /// The user's name for it.
    pub name: String,
    /// The base address.
    pub base_url: String,
    /// The prefix of `/open/staticip/…`.
    pub static_prefix: String,
    /// The prefix of all other paths.
    pub agent_prefix: String,
    /// The developer ID of the static-IP area; empty when the area is not used.
    pub user_id: String,
    /// Whether a static token is saved.
    pub has_static_token: bool,
    /// Whether an agent token is saved.
    pub has_agent_token: bool,
    /// Whether the tokens stay in memory only.
    pub session_only: bool,
    /// MB of one GB, as the vendor counts; the contract does not say.
    #[serde(default)]
    pub gb_factor: GbFactor,
    /// The zone of the vendor's times, minutes east of UTC: "times carry no zone".
    #[serde(default = "usual_zone")]
    pub time_zone: i32,
    /// The meaning of 0 and 1 for this vendor.
    #[serde(default)]
    pub polarity: Polarity,
}

/// The meaning of `customerState`. Two published versions of the interface contradict each other, and no read shows the
/// status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Polarity {
    /// "1 = active, 0 = disabled", as the contract says.
    #[default]
    OneIsActive,
    /// 1 = disabled, 0 = active.
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

/// The usual zone of the vendor's times: UTC+8, in minutes.
pub(crate) fn usual_zone() -> i32 {
    480
}

/// Hexadecimal digits of the name of a place.
const PLACE_DIGITS: usize = 16;

impl ConnectionView {
    /// The fingerprints that its operations and secrets carry.
    pub(crate) fn fingerprints(&self) -> Result<Fingerprints, AddressError> {
        let address = Address::parse(&self.base_url, &self.static_prefix, &self.agent_prefix)?;
        Ok(Fingerprints::at(&address, &self.user_id))
    }

    /// Whether the other connection leads to another service or another account.
    pub(crate) fn is_elsewhere(&self, other: &Self) -> bool {
        self.place() != other.place()
    }

    /// Names the service and the account: what the vendor said last is stored under it.
    pub(crate) fn place_name(&self) -> String {
        let mut name = stamp::digest(&self.place().join("\n"));
        name.truncate(PLACE_DIGITS);
        name
    }

    fn place(&self) -> [&str; 4] {
        [&self.base_url, &self.static_prefix, &self.agent_prefix, &self.user_id].map(|part| part.trim())
    }
}

/// The content of the form. The tokens go from the page into the vault and nowhere else.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionDraft {
    /// The id; `None` for a new connection.
    pub id: Option<String>,
    /// The user's name for it.
    pub name: String,
    /// The base address.
    pub base_url: String,
    /// The prefix of `/open/staticip/…`.
    pub static_prefix: String,
    /// The prefix of all other paths.
    pub agent_prefix: String,
    /// The developer ID.
    pub user_id: String,
    /// A new static token; empty keeps the saved one.
    #[ts(type = "string")]
    pub static_token: SecretString,
    /// A new agent token; empty keeps the saved one.
    #[ts(type = "string")]
    pub agent_token: SecretString,
    /// Whether to keep the tokens in memory only.
    pub session_only: bool,
    /// MB of one GB.
    pub gb_factor: GbFactor,
    /// The vendor's zone, minutes east of UTC.
    pub time_zone: i32,
    /// The meaning of 0 and 1.
    pub polarity: Polarity,
}

/// The result of a test of one area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Probe {
    /// It answers as it should.
    Ok,
    /// It answers, but lists nothing.
    Empty,
    /// It refuses the credentials, or they hold characters that cannot be sent.
    AuthFailed,
    /// It does not answer.
    Unreachable,
    /// This computer has no certificates to verify it with.
    NoCertificates,
    /// Something else answers.
    NotThisService,
    /// It answers with something unexpected.
    Unexpected,
}

/// The results of a test; `None` for an area without a token.
#[derive(Clone, Copy, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProbeResults {
    /// The static-IP area.
    pub static_area: Option<Probe>,
    /// The traffic and customer areas.
    pub agent_area: Option<Probe>,
}

/// The names of the keychain entries of a connection's tokens.
pub(crate) fn token_accounts(id: &str) -> [String; 2] {
    [format!("{id}/static-token"), format!("{id}/agent-token")]
}

/// The address and credentials that a client needs. Leaves out tokens that cannot be read, and returns the state of the
/// keychain that prevented it.
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
            // A keychain that was never unlocked reports no entry.
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

/// Makes a small request in each area that has credentials.
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
        // The service does not know the path: the prefix is wrong.
        Err(Error::Refused(refusal)) if refusal.status == 404 => Probe::NotThisService,
        Err(Error::Refused(_) | Error::Unreadable { .. } | Error::Restless) => Probe::Unexpected,
    }
}
