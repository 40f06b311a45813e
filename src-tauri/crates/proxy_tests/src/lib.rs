//! Whether proxies work: each is asked, from this computer, for an address of the user's choice. Knows no account and
//! no token, so none can leave through it.

mod address;
mod answer;
mod failure;
mod transport;

use std::time::Duration;

use futures_util::{StreamExt, stream};
use serde::Serialize;
use ts_rs::TS;
use wire::orders::Proxy;

pub use address::{TestAddress, WrongAddress};
pub use transport::NoCertificates;
use transport::Way;

/// What a test of a proxy has shown. Holds no credentials.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "is", rename_all = "kebab-case")]
#[ts(rename = "ProxyOutcome")]
pub enum Outcome {
    /// The address answered through the proxy.
    Works {
        /// Milliseconds from connecting to the end of the answer.
        ms: u32,
        /// The code of the country in which the address sees the proxy; `None` if it tells none.
        country: Option<String>,
    },
    /// The address answered, and sees the proxy in another country than the order's.
    WrongCountry {
        /// Milliseconds from connecting to the end of the answer.
        ms: u32,
        /// The code of the country in which the address sees the proxy.
        country: String,
        /// The code of the order's country.
        ordered: String,
    },
    /// The proxy does not take its user and password.
    WrongCredentials,
    /// The proxy's port is closed, or the proxy closes the connection or does not let it through.
    Refused,
    /// Nothing came in time.
    TimedOut,
    /// The proxy's host cannot be found or reached.
    Unreachable,
    /// Something answered, and it is neither a proxy nor the address.
    SomethingElse {
        /// The HTTP status of the answer; `None` if it has none.
        status: Option<u16>,
    },
}

/// Proxies that are tested at the same time, at most.
pub const AT_ONCE: usize = 10;

/// The usual time for one try.
pub const LIMIT: Duration = Duration::from_secs(15);

/// Tests proxies against one address.
pub struct Tester {
    address: TestAddress,
    /// The time for one try. A proxy whose protocol is not known gets two tries.
    limit: Duration,
}

impl Tester {
    /// Makes a tester.
    ///
    /// # Errors
    /// The address is `https` and this computer has no certificates to verify it with.
    pub fn new(address: TestAddress, limit: Duration) -> Result<Self, NoCertificates> {
        transport::check(&address)?;
        Ok(Self { address, limit })
    }

    /// Tests proxies, a few at a time, and passes on each outcome with the place of its proxy as it comes. Whatever is
    /// under way ends when the future is dropped.
    pub async fn each(&self, proxies: &[Proxy], mut told: impl FnMut(usize, Outcome)) {
        let tests: Vec<_> =
            proxies.iter().enumerate().map(|(at, proxy)| async move { (at, self.test(proxy).await) }).collect();
        let mut outcomes = stream::iter(tests).buffer_unordered(AT_ONCE);
        while let Some((at, outcome)) = outcomes.next().await {
            told(at, outcome);
        }
    }

    async fn test(&self, proxy: &Proxy) -> Outcome {
        match Way::of(&proxy.protocol) {
            Some(way) => transport::attempt(way, proxy, &self.address, self.limit).await.outcome,
            None => {
                let first = transport::attempt(Way::Socks5, proxy, &self.address, self.limit).await;
                // A port that nobody listens at speaks no other protocol either.
                if first.settled {
                    return first.outcome;
                }
                transport::attempt(Way::Http, proxy, &self.address, self.limit).await.outcome
            }
        }
    }
}
