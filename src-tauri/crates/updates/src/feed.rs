//! The feed. `packaging/src/feed.rs` writes it in a form that Tauri's own updater can read too.

use std::collections::BTreeMap;

use semver::Version;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{Error, Kind};

#[derive(Deserialize)]
pub(crate) struct Feed {
    pub(crate) version: Version,
    #[serde(default)]
    notes: String,
    #[serde(rename = "notes-zh-CN", default)]
    notes_zh: String,
    platforms: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    url: Url,
    signature: String,
}

/// A newer version, as in the feed: not verified yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The version.
    pub version: Version,
    /// What is new, in English: points, each on a line that begins with "- ".
    pub notes: String,
    /// The same in Chinese.
    pub notes_zh: String,
    pub(crate) url: Url,
    pub(crate) signature: String,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Feed, Error> {
    serde_json::from_slice(bytes).map_err(|_| Error::BadFeed)
}

impl Feed {
    /// Returns the offer for this kind of package, if it is newer.
    pub(crate) fn offer(mut self, current: &Version, kind: Kind) -> Result<Option<Offer>, Error> {
        // Pre-release versions are only for people who ask for them.
        if self.version <= *current || !self.version.pre.is_empty() {
            return Ok(None);
        }
        let entry = self.platforms.remove(&kind.target()).ok_or(Error::NotForThisKind)?;
        let (notes, notes_zh) = (self.notes, self.notes_zh);
        Ok(Some(Offer { version: self.version, notes, notes_zh, url: entry.url, signature: entry.signature }))
    }
}
