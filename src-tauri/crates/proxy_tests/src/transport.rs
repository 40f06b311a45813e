//! One request through one proxy. HTTP errors print addresses, so they must not leave this crate.

use std::sync::Once;
use std::time::{Duration, Instant};

use reqwest::{Client, ClientBuilder};
use wire::orders::Proxy;

use crate::{Outcome, TestAddress, answer, failure};

/// How a proxy is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// SOCKS5, where the proxy resolves names.
    Socks5,
    /// HTTP.
    Http,
}

impl Way {
    /// The way for a protocol as the vendor writes it; `None` if it reports none or an unknown one.
    pub(crate) fn of(protocol: &str) -> Option<Self> {
        let protocol = protocol.to_ascii_lowercase();
        match (protocol.contains("socks"), protocol.contains("http")) {
            (true, false) => Some(Self::Socks5),
            (false, true) => Some(Self::Http),
            // Some sell one port for both.
            _ => None,
        }
    }

    fn scheme(self) -> &'static str {
        match self {
            Self::Socks5 => "socks5h",
            Self::Http => "http",
        }
    }
}

/// This computer has no certificates to verify an address with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no certificates")]
pub struct NoCertificates;

/// Bytes of an answer to read, at most: a country comes early.
const MOST: usize = 64 * 1024;

/// The outcome of one try.
pub(crate) struct Attempt {
    pub(crate) outcome: Outcome,
    /// Whether another protocol cannot do better.
    pub(crate) settled: bool,
}

impl Attempt {
    pub(crate) fn settled(outcome: Outcome) -> Self {
        Self { outcome, settled: true }
    }

    pub(crate) fn open(outcome: Outcome) -> Self {
        Self { outcome, settled: false }
    }
}

/// A client that sends nothing of ours: no redirect is followed, and no header says which program asks.
#[allow(clippy::disallowed_methods)]
fn builder(address: &TestAddress) -> ClientBuilder {
    static RING: Once = Once::new();
    RING.call_once(|| {
        // Fails only if a provider is installed already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .pool_max_idle_per_host(0);
    if address.is_https() { builder } else { builder.tls_certs_only([]) }
}

/// Checks that requests for an address can be made.
pub(crate) fn check(address: &TestAddress) -> Result<(), NoCertificates> {
    builder(address).build().map(drop).map_err(|_| NoCertificates)
}

/// Asks for the address through a proxy.
pub(crate) async fn attempt(way: Way, proxy: &Proxy, address: &TestAddress, limit: Duration) -> Attempt {
    let host = if proxy.host.contains(':') { format!("[{}]", proxy.host) } else { proxy.host.clone() };
    let through = reqwest::Proxy::all(format!("{}://{host}:{}", way.scheme(), proxy.port));
    let Ok(mut through) = through else { return Attempt::settled(Outcome::Unreachable) };
    if !proxy.user.is_empty() || !proxy.password.is_empty() {
        through = through.basic_auth(&proxy.user, &proxy.password);
    }
    let Ok(client) = builder(address).proxy(through).timeout(limit).build() else {
        return Attempt::settled(Outcome::SomethingElse { status: None });
    };
    let began = Instant::now();
    match ask(&client, address).await {
        Ok((status, body)) => {
            let ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
            match answer::outcome(status, &body, ms, &proxy.about.country_code) {
                other @ Outcome::SomethingElse { .. } => Attempt::open(other),
                outcome => Attempt::settled(outcome),
            }
        }
        Err(error) => failure::read(&error, proxy, limit).await,
    }
}

/// The status of an answer, and the start of its body.
async fn ask(client: &Client, address: &TestAddress) -> Result<(u16, String), reqwest::Error> {
    let mut response = client.get(address.url().clone()).send().await?;
    let mut body = Vec::new();
    while body.len() < MOST {
        let Some(piece) = response.chunk().await? else { break };
        body.extend_from_slice(&piece);
    }
    Ok((response.status().as_u16(), String::from_utf8_lossy(&body).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protocol_is_known_however_it_is_written() {
        let ways = |words: &[&str]| words.iter().map(|word| Way::of(word)).collect::<Vec<_>>();
        assert_eq!(ways(&["socks5", "SOCKS", "socks5h"]), [Some(Way::Socks5); 3]);
        assert_eq!(ways(&["http", "HTTPS"]), [Some(Way::Http); 2]);
        assert_eq!(ways(&["", "socks5/http", "2"]), [None; 3]);
    }
}
