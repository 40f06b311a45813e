//! Whether a file is what it says it is.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign_verify::{PublicKey, Signature};
use semver::Version;

use crate::Error;

/// The signature is the key's, of these bytes, and was given for this name and version. The comment that tells both is
/// part of what is signed: an old file cannot be given out as a new one, nor one kind of package as another.
pub(crate) fn verify(bytes: &[u8], signature: &str, key: &str, name: &str, version: &Version) -> Result<(), Error> {
    let text = STANDARD.decode(signature).ok().and_then(|text| String::from_utf8(text).ok());
    let signature = text.and_then(|text| Signature::decode(&text).ok()).ok_or(Error::NotGenuine)?;
    let key = PublicKey::decode(key).map_err(|_| Error::NotGenuine)?;
    // Only signatures of today's form: the old one is of the whole file at once.
    key.verify(bytes, &signature, false).map_err(|_| Error::NotGenuine)?;
    let expected = format!("file:{name}\tversion:{version}");
    if signature.trusted_comment() == expected { Ok(()) } else { Err(Error::NotGenuine) }
}
