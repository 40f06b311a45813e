//! Fetches feeds and files: only over TLS, and within limits.

use std::sync::Once;
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::redirect::Policy;
use url::Url;

use crate::{Error, Source};

/// Limits of time and size.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Limits of a feed.
    pub feed: Limit,
    /// Limits of a file.
    pub file: Limit,
    /// Limit for connecting, and between two pieces of an answer.
    pub silence: Duration,
}

/// Limits of one answer.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Largest answer, in bytes.
    pub bytes: usize,
    /// Longest time from the request to the last byte.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            feed: Limit { bytes: 256 * 1024, time: seconds(30) },
            file: Limit { bytes: 64 * 1024 * 1024, time: seconds(20 * 60) },
            silence: seconds(20),
        }
    }
}

/// Most redirects: file servers redirect to their storage.
const REDIRECTS: usize = 5;

#[allow(clippy::disallowed_methods)]
pub(crate) fn build(source: &Source) -> Result<reqwest::Client, Error> {
    static RING: Once = Once::new();
    RING.call_once(|| {
        // Fails only if a provider is installed already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let mut builder = reqwest::Client::builder()
        .https_only(true)
        .redirect(Policy::limited(REDIRECTS))
        .referer(false)
        .retry(reqwest::retry::never())
        .connect_timeout(source.limits.silence)
        .read_timeout(source.limits.silence)
        .user_agent(concat!("Proxytill/", env!("CARGO_PKG_VERSION")));
    for certificate in &source.trusted {
        let certificate = reqwest::Certificate::from_pem(certificate.as_bytes()).map_err(|_| Error::NoAnswer)?;
        builder = builder.add_root_certificate(certificate);
    }
    builder.build().map_err(|_| Error::NoCertificates)
}

/// Returns a whole answer, or an error. Calls `told` with the number of bytes received so far.
pub(crate) async fn fetch(
    http: &reqwest::Client,
    address: &Url,
    limit: Limit,
    told: &(dyn Fn(usize) + Sync),
) -> Result<Vec<u8>, Error> {
    let whole = async {
        let response = http.get(address.clone()).send().await.map_err(|_| Error::NoAnswer)?;
        if response.status() != reqwest::StatusCode::OK {
            return Err(Error::NoAnswer);
        }
        let mut bytes = Vec::new();
        let mut pieces = response.bytes_stream();
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|_| Error::NoAnswer)?;
            if bytes.len() + piece.len() > limit.bytes {
                return Err(Error::TooLarge);
            }
            bytes.extend_from_slice(&piece);
            told(bytes.len());
        }
        Ok(bytes)
    };
    tokio::time::timeout(limit.time, whole).await.unwrap_or(Err(Error::NoAnswer))
}
