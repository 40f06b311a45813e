//! Reasons for having no update. In all of these nothing was installed, except [`Error::Failed`], where the outcome
//! is unknown.

use serde::Serialize;
use ts_rs::TS;

/// The reason for having no update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "UpdateError")]
pub enum Error {
    /// No server gave a proper answer in time.
    #[error("the update server does not answer")]
    NoAnswer,
    /// This computer has no certificates to verify a server with.
    #[error("this computer trusts no certificate authority")]
    NoCertificates,
    /// The answer is larger than an update can be.
    #[error("the answer is too large for an update")]
    TooLarge,
    /// The feed cannot be read.
    #[error("the list of versions cannot be read")]
    BadFeed,
    /// There is a newer version, but without a package of the installed kind.
    #[error("the newer version has no package of this kind")]
    NotForThisKind,
    /// The feed names a file on an unknown server.
    #[error("the file is on an unknown server")]
    ForeignHost,
    /// The file is not signed by the owner of the key as this version and this kind.
    #[error("the file is not signed as this version of Proxytill")]
    NotGenuine,
    /// The file cannot be stored here.
    #[error("the file cannot be stored: the disk is full or locked")]
    Disk,
    /// The system has no dialog for the administrator's password.
    #[error("this system has no dialog to ask for permission")]
    NoInstaller,
    /// A person dismissed the system's dialog.
    #[error("the installation was not permitted")]
    NotPermitted,
    /// The system's installer failed.
    #[error("the system's installer failed")]
    Failed,
    /// The program was not installed by a package that can be replaced.
    #[error("this copy does not update itself")]
    NotInstalled,
    /// The chosen version is no longer the newest one, or a version is being installed already.
    #[error("another version is offered now, or one is being installed")]
    Changed,
}
