//! The newest version of the program: asked for, verified, handed to the system's installer.
//!
//! What decides is the signature alone. The feed is not signed: it may name a version and a file, and the signature of
//! the file says which version and which kind of package it is. A feed that lies about either is refused.
//!
//! Between the check and the system's installer the file lies where this user may write. A program that runs as this user
//! could exchange it there; such a program can do everything else that the user can, and is not guarded against.

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

/// Where to ask, and what to trust.
#[derive(Clone, Debug)]
pub struct Source {
    /// Asked in their order, until one answers with a feed.
    pub feeds: Vec<Url>,
    /// The public half of the key, as minisign writes it.
    pub key: String,
    /// Servers that files may be fetched from, beside those of the feeds. A server may send on to any other over TLS.
    pub hosts: Vec<String>,
    /// Certificates (PEM) that count beside the system's; for tests.
    pub trusted: Vec<String>,
    /// How long and how much at most.
    pub limits: Limits,
}

/// Asks for and fetches newer versions of one installed program.
pub struct Updates {
    source: Source,
    current: Version,
    kind: Kind,
}

impl Updates {
    /// Of the program that runs, in this version and installed by this kind of package. Nothing is read yet: the system's
    /// certificates wait until somebody asks.
    pub fn new(source: Source, current: Version, kind: Kind) -> Self {
        Self { source, current, kind }
    }

    /// The newest version that any feed tells of, when it is newer than this one. A feed that nobody keeps up does not hide
    /// another.
    ///
    /// # Errors
    /// The last feed's, when none could be read; [`Error::NotForThisKind`] when the newest has no package of this kind.
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

    /// Fetches what was offered into `folder` and verifies it. `told` hears how many bytes have come. Whatever is not
    /// genuine leaves no file.
    ///
    /// # Errors
    /// [`Error::NotGenuine`], [`Error::ForeignHost`], [`Error::Disk`], or what kept the file from coming whole.
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
