//! Signatures of minisign, in the form that the program's updater reads: the version stands in the part that is signed,
//! so that an old file cannot be given out as a new one.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::{PublicKey, PublicKeyBox, SecretKey, SecretKeyBox, SignatureBox};

use crate::project::Project;

/// The public half, which the program carries. Made once, by a person: `docs/releasing.md`.
pub const PUBLIC: &str = "packaging/update.pub";
/// The public half that releases are signed with while a new one is brought in: programs that carry the old half take no
/// other. Missing at any other time.
pub const SIGNING: &str = "packaging/update-signing.pub";
/// The variables that hold the secret half and its password while a release is made.
pub const SECRET: [&str; 2] = ["PROXYTILL_UPDATE_KEY", "PROXYTILL_UPDATE_PASSWORD"];

/// Both halves.
pub struct Key {
    secret: SecretKey,
    public: PublicKey,
}

impl Key {
    /// From the environment and the project, whose halves have to belong together.
    pub fn of_release(project: &Project) -> Result<Self, String> {
        let [key, password] = SECRET.map(said);
        Self::read(&key?, &password?, &of_releases(project)?)
    }

    /// From the texts of their files.
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

/// Whether the program carries a key. Without one it takes no update.
pub(crate) fn has_key(project: &Project) -> bool {
    project.path(PUBLIC).exists()
}

/// The line of the public half that the program has to hold, byte by byte.
pub(crate) fn line(project: &Project) -> Result<String, String> {
    let text = project.read(PUBLIC)?;
    text.lines().rfind(|line| !line.is_empty()).map(str::to_owned).ok_or_else(|| format!("{PUBLIC} is empty"))
}

/// The public half of the key that this version's release is signed with.
pub(crate) fn of_releases(project: &Project) -> Result<String, String> {
    if project.path(SIGNING).exists() { project.read(SIGNING) } else { project.read(PUBLIC) }
}

/// A secret that is not there is handed over as an empty one by some builders.
fn said(name: &str) -> Result<String, String> {
    std::env::var(name).ok().filter(|said| !said.is_empty()).ok_or_else(|| format!("{name} is not set"))
}

/// What is signed beside the bytes of a file.
pub(crate) fn words(name: &str, version: &str) -> String {
    format!("file:{name}\tversion:{version}")
}

/// What checks signatures, from the text of the public half.
pub(crate) fn verifier(public: &str) -> Result<PublicKey, String> {
    let key = PublicKeyBox::from_string(public).and_then(PublicKeyBox::into_public_key);
    key.map_err(|error| format!("the public key: {error}"))
}

/// The signed words beside a file, when the signature is this key's and of these bytes.
pub(crate) fn verify(bytes: &[u8], signature: &str, key: &PublicKey) -> Result<String, String> {
    let text = STANDARD.decode(signature).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or("the signature is not in base64")?;
    let signature = SignatureBox::from_string(&text).map_err(|error| error.to_string())?;
    minisign::verify(key, &signature, Cursor::new(bytes), true, false, false).map_err(|error| error.to_string())?;
    signature.trusted_comment().map_err(|error| error.to_string())
}
