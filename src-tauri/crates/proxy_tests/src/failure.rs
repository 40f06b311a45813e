//! Why nothing came through a proxy. The HTTP library says it only in words, so tests with real proxies
//! (`tests/commands/proxy_tests.rs`) hold what is read here.

use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

use tokio::net::TcpStream;
use wire::orders::Proxy;

use crate::Outcome;
use crate::transport::Attempt;

/// The library's words for credentials that a proxy does not take.
const CREDENTIALS: [&str; 3] =
    ["credentials not accepted", "proxy authorization required", "server does not support user/pass authentication"];
/// Its words for a SOCKS5 proxy that cannot or will not reach the address.
const NO_WAY: [&str; 6] = [
    "general server failure",
    "connection not allowed",
    "network unreachable",
    "host unreachable",
    "connection refused",
    "ttl expired",
];
/// Its words for a connection that the proxy closed without an answer.
const CLOSED: [&str; 4] = [
    "unexpected end of file",
    "io error during SOCKS handshake",
    "io error establishing tunnel",
    "connection closed before message completed",
];

/// Reads an error. Connects to the proxy once more if the error does not say whether it is there.
pub(crate) async fn read(error: &reqwest::Error, proxy: &Proxy, limit: Duration) -> Attempt {
    if error.is_timeout() {
        return Attempt::open(Outcome::TimedOut);
    }
    let said = Said::by(error);
    if said.any(&CREDENTIALS) {
        return Attempt::settled(Outcome::WrongCredentials);
    }
    if let Some(outcome) = nobody_there(proxy, limit).await {
        return Attempt::settled(outcome);
    }
    if said.any(&NO_WAY) {
        return Attempt::settled(Outcome::Refused);
    }
    let closed = said.any(&CLOSED) || said.reset;
    Attempt::open(if closed { Outcome::Refused } else { Outcome::SomethingElse { status: None } })
}

/// What an error says, with its causes.
struct Said {
    words: Vec<String>,
    reset: bool,
}

impl Said {
    fn by(error: &reqwest::Error) -> Self {
        let (mut words, mut reset, mut cause) = (Vec::new(), false, error.source());
        while let Some(error) = cause {
            let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
            reset |=
                matches!(kind, Some(ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::UnexpectedEof));
            words.push(error.to_string());
            cause = error.source();
        }
        Self { words, reset }
    }

    fn any(&self, known: &[&str]) -> bool {
        self.words.iter().any(|said| known.iter().any(|words| said.ends_with(words)))
    }
}

/// Why a proxy's port cannot be connected to; `None` if it can.
async fn nobody_there(proxy: &Proxy, limit: Duration) -> Option<Outcome> {
    let connected = tokio::time::timeout(limit, TcpStream::connect((proxy.host.as_str(), proxy.port))).await;
    match connected.map_err(|_| ErrorKind::TimedOut).and_then(|done| done.map_err(|error| error.kind())) {
        Ok(_) => None,
        Err(ErrorKind::ConnectionRefused) => Some(Outcome::Refused),
        Err(ErrorKind::TimedOut) => Some(Outcome::TimedOut),
        Err(_) => Some(Outcome::Unreachable),
    }
}
