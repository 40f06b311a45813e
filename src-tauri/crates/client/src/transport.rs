//! The one place where bytes leave and arrive. HTTP errors print addresses, so they must not leave this file.

use std::sync::Once;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use crate::account::Account;
use crate::error::{Error, Lost, NotSent};
use crate::pauses::Pauses;
use crate::request::{Area, Method, Request};
use crate::retry_after::retry_after;

/// Everything before the body of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// How long the service asks to be left alone.
    pub(crate) retry_after: Option<Duration>,
    /// When it arrived, on the steady clock.
    pub(crate) at: Instant,
    /// Time since the request was sent, with the connecting.
    pub(crate) took: Duration,
}

/// An answer from whatever replied.
pub(crate) struct RawAnswer {
    pub(crate) head: Head,
    pub(crate) body: Vec<u8>,
}

/// Time limits. A parameter, so that tests do not have to wait.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Limit for connecting.
    pub connect: Duration,
    /// Limit until an answer begins, and between two pieces of it. For reads only.
    pub read: Duration,
    /// Limit for the whole exchange.
    pub total: Duration,
    /// Pauses when the vendor asks a read to wait.
    pub pauses: Pauses,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connect: seconds(10), read: seconds(30), total: seconds(60), pauses: Pauses::default() }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Reads,
    Money,
}

#[allow(clippy::disallowed_methods)]
pub(crate) fn build(purpose: Purpose, account: &Account, patience: Patience) -> Result<reqwest::Client, Error> {
    static RING: Once = Once::new();
    RING.call_once(|| {
        // Fails only if a provider is installed already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .connect_timeout(patience.connect)
        .timeout(patience.total)
        .user_agent(concat!("Proxytill/", env!("CARGO_PKG_VERSION")));
    builder = match purpose {
        // The read limit also covers the time before the head. A write may be carried out while its head is
        // slow, so it has none.
        Purpose::Reads => builder.read_timeout(patience.read),
        // A connection kept alive may be half dead, and then it is unclear whether a request left on it.
        Purpose::Money => builder.http1_only().pool_max_idle_per_host(0),
    };
    if account.address.is_loopback() {
        // A proxy elsewhere cannot reach this computer and must not see its tokens.
        builder = builder.no_proxy();
    }
    if !account.address.is_https() {
        // The practice service also works where the system has no certificates.
        builder = builder.tls_certs_only([]);
    }
    // Nothing else requested above can be missing.
    builder.build().map_err(|_| Error::NotSent(NotSent::NoCertificates))
}

pub(crate) async fn exchange(http: &reqwest::Client, account: &Account, request: &Request) -> Result<RawAnswer, Error> {
    let mut body = Vec::new();
    let head = exchange_into(&mut body, http, account, request, None).await?;
    Ok(RawAnswer { head, body })
}

/// Sends a request and reads its answer. Returns the head; `body` holds the bytes that arrived, even after an error.
/// `secret` is the value of the request's secret parameter.
pub(crate) async fn exchange_into(
    body: &mut Vec<u8>,
    http: &reqwest::Client,
    account: &Account,
    request: &Request,
    secret: Option<&SecretString>,
) -> Result<Head, Error> {
    let mut url = account.address.url(request);
    if let Some(place) = &request.secret {
        let secret = secret.ok_or(Error::NotSent(NotSent::NoSecret))?;
        url.query_pairs_mut().append_pair(&place.name, secret.expose_secret());
    }
    let mut builder = match request.method {
        Method::Get => http.get(url),
        Method::Post => http.post(url),
    };
    // `Token` and `token` are one header name in HTTP, so set it per request from its own area.
    builder = match request.area {
        _ if request.public => builder,
        Area::Static => {
            let credentials = account.static_area.as_ref().ok_or(Error::NotSent(NotSent::NoCredentials))?;
            builder
                .header("UserId", header(&credentials.user_id.clone().into())?)
                .header("Token", header(&credentials.token)?)
        }
        Area::Agent => {
            let token = account.agent_token.as_ref().ok_or(Error::NotSent(NotSent::NoCredentials))?;
            builder.header("token", header(token)?)
        }
    };
    builder = builder.header(CACHE_CONTROL, "no-store");
    if let Some(key) = &request.idempotency_key {
        builder = builder.header("X-Idempotency-Key", header(&key.clone().into())?);
    }
    if let Some(body) = &request.body {
        builder = builder.header(CONTENT_TYPE, "application/json").body(body.clone());
    }
    let sent = Instant::now();
    let response = builder.send().await.map_err(|error| class(&error))?;
    let at = Instant::now();
    let status = response.status().as_u16();
    let head = Head { status, retry_after: retry_after(response.headers()), at, took: at.duration_since(sent) };
    tracing::debug!(path = %request.path, status, "answered");
    if response.status().is_redirection() {
        return Err(Error::OutcomeUnknown(Lost::Redirected));
    }
    let mut stream = response.bytes_stream();
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|error| {
            if error.is_timeout() { Error::OutcomeUnknown(Lost::TimedOut) } else { Error::OutcomeUnknown(Lost::Cut) }
        })?;
        if body.len() + piece.len() > request.answer_limit {
            return Err(Error::OutcomeUnknown(Lost::TooLarge));
        }
        body.extend_from_slice(&piece);
    }
    Ok(head)
}

fn header(value: &SecretString) -> Result<HeaderValue, Error> {
    let mut value =
        HeaderValue::from_str(value.expose_secret()).map_err(|_| Error::NotSent(NotSent::BadCredentials))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Classifies an error. Only a failure to connect, or to build the request, proves that nothing was sent.
fn class(error: &reqwest::Error) -> Error {
    if error.is_connect() || error.is_builder() {
        Error::NotSent(NotSent::NoConnection)
    } else if error.is_timeout() {
        Error::OutcomeUnknown(Lost::TimedOut)
    } else {
        Error::OutcomeUnknown(Lost::Cut)
    }
}
