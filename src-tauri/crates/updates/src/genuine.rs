//! Checks that a file is genuine.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign_verify::{PublicKey, Signature};
use semver::Version;

use crate::Error;

/// Checks that the signature was made with the key, for these bytes, this name and this version. Name and version are
/// in a comment that is signed too, so an old file cannot be passed off as a new one, nor one kind of package as
/// another.
pub(crate) fn verify(bytes: &[u8], signature: &str, key: &str, name: &str, version: &Version) -> Result<(), Error> {
    let text = STANDARD.decode(signature).ok().and_then(|text| String::from_utf8(text).ok());
    let signature = text.and_then(|text| Signature::decode(&text).ok()).ok_or(Error::NotGenuine)?;
    let key = PublicKey::decode(key).map_err(|_| Error::NotGenuine)?;
    // Accept only the current form of signature: the legacy form signs the whole file instead of its hash.
    key.verify(bytes, &signature, false).map_err(|_| Error::NotGenuine)?;
    let expected = format!("file:{name}\tversion:{version}");
    if signature.trusted_comment() == expected { Ok(()) } else { Err(Error::NotGenuine) }
}
