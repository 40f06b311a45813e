//! Minisign signatures, in the form that the program's updater reads. The version is in the signed part, so that an
//! old file cannot be passed off as a new one.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::{PublicKey, PublicKeyBox, SecretKey, SecretKeyBox, SignatureBox};

use crate::project::Project;

/// The public half, which the program carries. Created once, by a person: `docs/releasing.md`.
pub const PUBLIC: &str = "packaging/update.pub";
/// The public half of the key that releases are signed with during a change of keys, because programs with the old
/// half accept no other. Absent at any other time.
pub const SIGNING: &str = "packaging/update-signing.pub";
/// Environment variables with the secret half and its password during a release.
pub const SECRET: [&str; 2] = ["PROXYTILL_UPDATE_KEY", "PROXYTILL_UPDATE_PASSWORD"];

/// Both halves of a key.
pub struct Key {
    secret: SecretKey,
    public: PublicKey,
}

impl Key {
    /// Reads the halves from the environment and the project. Fails when they do not belong together.
    pub fn of_release(project: &Project) -> Result<Self, String> {
        let [key, password] = SECRET.map(said);
        Self::read(&key?, &password?, &of_releases(project)?)
    }

    /// Reads the halves from the texts of their files.
    pub fn read(secret: &str, password: &str, public: &str) -> Result<Self, String> {
        let secret = SecretKeyBox::from_string(secret).and_then(|key| key.into_secret_key(Some(password.to_owned())));
        let key =
            Self { secret: secret.map_err(|error| format!("the secret key: {error}"))?, public: verifier(public)? };
        let signature = key.sign(b"", "", "")?;
        verify(b"", &signature, &key.public)
            .map_err(|_| "the secret key does not belong to the public one".to_owned())?;
        Ok(key)
    }

    /// Signs a file with its name and version.
    pub fn sign(&self, bytes: &[u8], name: &str, version: &str) -> Result<String, String> {
        let trusted = words(name, version);
        let signed = minisign::sign(Some(&self.public), &self.secret, Cursor::new(bytes), Some(&trusted), None);
        signed.map(|signature| STANDARD.encode(signature.to_string())).map_err(|error| error.to_string())
    }
}

/// Whether the program carries a key. Without one it accepts no update.
pub(crate) fn has_key(project: &Project) -> bool {
    project.path(PUBLIC).exists()
}

/// The line of the public half, which the program must contain byte by byte.
pub(crate) fn line(project: &Project) -> Result<String, String> {
    let text = project.read(PUBLIC)?;
    text.lines().rfind(|line| !line.is_empty()).map(str::to_owned).ok_or_else(|| format!("{PUBLIC} is empty"))
}

/// The public half of the key that signs this version's release.
pub(crate) fn of_releases(project: &Project) -> Result<String, String> {
    if project.path(SIGNING).exists() { project.read(SIGNING) } else { project.read(PUBLIC) }
}

/// Reads a variable. Some builders pass a missing secret as an empty one.
fn said(name: &str) -> Result<String, String> {
    std::env::var(name).ok().filter(|said| !said.is_empty()).ok_or_else(|| format!("{name} is not set"))
}

/// The text that is signed along with a file.
pub(crate) fn words(name: &str, version: &str) -> String {
    format!("file:{name}\tversion:{version}")
}

/// Makes a verifier from the text of the public half.
pub(crate) fn verifier(public: &str) -> Result<PublicKey, String> {
    let key = PublicKeyBox::from_string(public).and_then(PublicKeyBox::into_public_key);
    key.map_err(|error| format!("the public key: {error}"))
}

/// Returns the text signed along with a file, if the signature was made by this key for these bytes.
pub(crate) fn verify(bytes: &[u8], signature: &str, key: &PublicKey) -> Result<String, String> {
    let text = STANDARD.decode(signature).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or("the signature is not in base64")?;
    let signature = SignatureBox::from_string(&text).map_err(|error| error.to_string())?;
    minisign::verify(key, &signature, Cursor::new(bytes), true, false, false).map_err(|error| error.to_string())?;
    signature.trusted_comment().map_err(|error| error.to_string())
}
