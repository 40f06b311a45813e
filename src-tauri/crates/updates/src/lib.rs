//! Finds the newest version of the program, verifies it and passes it to the system's installer.
//!
//! Only the signature decides. The feed is not signed: it may name a version and a file, but the signature of the
//! file states the version and the kind of package. A feed that lies about either is refused.
//!
//! Between the check and the installation the file is in a place where this user may write. A program that runs as
//! this user could replace it there; such a program can do everything else that the user can, and is not guarded
//! against.

mod error;
mod feed;
mod genuine;
mod install;
mod kind;
mod transport;

pub use error::Error;
pub use feed::Offer;
pub use install::Installer;
pub use kind::Kind;
pub use transport::Limits;

use std::path::{Path, PathBuf};

use semver::Version;
use url::Url;

/// The servers to ask, and what to trust.
#[derive(Clone, Debug)]
pub struct Source {
    /// Addresses of the feeds. All are asked; the newest version wins.
    pub feeds: Vec<Url>,
    /// Public half of the key, as minisign writes it.
    pub key: String,
    /// Servers that files may be fetched from, besides those of the feeds. A server may redirect to any other over TLS.
    pub hosts: Vec<String>,
    /// Certificates (PEM) that are trusted besides the system's; for tests.
    pub trusted: Vec<String>,
    /// Limits of time and size.
    pub limits: Limits,
}

/// Checks for and fetches newer versions of one installed program.
pub struct Updates {
    source: Source,
    current: Version,
    kind: Kind,
}

impl Updates {
    /// Makes the updates for the running program: its version and the kind of package that installed it. Reads
    /// nothing yet; the system's certificates are loaded on first use.
    pub fn new(source: Source, current: Version, kind: Kind) -> Self {
        Self { source, current, kind }
    }

    /// Returns the newest version in any feed, if it is newer than this program. An outdated feed does not hide a
    /// newer version in another.
    ///
    /// # Errors
    /// The last feed's, when none could be read; [`Error::NotForThisKind`] when the newest version has no package of
    /// this kind.
    pub async fn check(&self) -> Result<Option<Offer>, Error> {
        let http = transport::build(&self.source)?;
        let (mut newest, mut wrong): (Option<feed::Feed>, _) = (None, Error::NoAnswer);
        for address in &self.source.feeds {
            let read = transport::fetch(&http, address, self.source.limits.feed, &|_| {}).await;
            match read.and_then(|bytes| feed::read(&bytes)) {
                Ok(feed) if newest.as_ref().is_none_or(|newest| newest.version < feed.version) => newest = Some(feed),
                Ok(_) => {}
                Err(error) => {
                    tracing::info!(host = address.host_str(), %error, "a feed could not be read");
                    wrong = error;
                }
            }
        }
        newest.ok_or(wrong)?.offer(&self.current, self.kind)
    }

    /// Fetches an offer into `folder` and verifies it. Calls `told` with the number of bytes received so far. A file
    /// that is not genuine is not stored.
    ///
    /// # Errors
    /// [`Error::NotGenuine`] when the signature does not fit, [`Error::ForeignHost`] when the server is unknown,
    /// [`Error::Disk`] when the file cannot be stored, or the reason why it did not arrive completely.
    pub async fn fetch(&self, offer: &Offer, folder: &Path, told: &(dyn Fn(usize) + Sync)) -> Result<PathBuf, Error> {
        self.is_known(&offer.url)?;
        let http = transport::build(&self.source)?;
        let bytes = transport::fetch(&http, &offer.url, self.source.limits.file, told).await?;
        let name = self.kind.file_name(&offer.version);
        genuine::verify(&bytes, &offer.signature, &self.source.key, &name, &offer.version)?;
        install::keep(folder, &name, &bytes)
    }

    fn is_known(&self, address: &Url) -> Result<(), Error> {
        let host = address.host_str().ok_or(Error::ForeignHost)?;
        let of_feeds = self.source.feeds.iter().filter_map(Url::host_str);
        let mut known = of_feeds.chain(self.source.hosts.iter().map(String::as_str));
        if known.any(|known| known == host) { Ok(()) } else { Err(Error::ForeignHost) }
    }
}
