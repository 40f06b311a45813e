//! Why there is no update. Nothing was installed in any of these cases but [`Error::Failed`], of which nobody knows.

/// Why there is no update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No server answered, or not in time, or not as it should.
    #[error("the update server does not answer")]
    NoAnswer,
    /// This computer has no certificates to know a server by.
    #[error("this computer trusts no certificate authority")]
    NoCertificates,
    /// More came than an update can have.
    #[error("the answer is too large for an update")]
    TooLarge,
    /// The feed is not one.
    #[error("the list of versions cannot be read")]
    BadFeed,
    /// There is a newer version, and no package of the kind that is installed.
    #[error("the newer version has no package of this kind")]
    NotForThisKind,
    /// The feed names a file on a server that has no part in this.
    #[error("the file lies on a server that is not known")]
    ForeignHost,
    /// Nobody who has the key signed this file as this version and this kind.
    #[error("the file is not signed as this version of Proxytill")]
    NotGenuine,
    /// It cannot be kept here.
    #[error("the file cannot be kept: the disk is full or locked")]
    Disk,
    /// The system has nothing that could ask for the administrator's password.
    #[error("this system has no installer that can be asked")]
    NoInstaller,
    /// A person dismissed the system's question.
    #[error("the installation was not permitted")]
    NotPermitted,
    /// The system's installer ended with an error of its own.
    #[error("the system's installer went wrong")]
    Failed,
    /// The program was not installed by a package that can be replaced.
    #[error("this copy is not updated by itself")]
    NotInstalled,
}

impl Error {
    /// One word, for whoever tells a person.
    pub fn word(self) -> &'static str {
        match self {
            Self::NoAnswer => "no-answer",
            Self::NoCertificates => "no-certificates",
            Self::TooLarge => "too-large",
            Self::BadFeed => "bad-feed",
            Self::NotForThisKind => "not-for-this-kind",
            Self::ForeignHost => "foreign-host",
            Self::NotGenuine => "not-genuine",
            Self::Disk => "disk",
            Self::NoInstaller => "no-installer",
            Self::NotPermitted => "not-permitted",
            Self::Failed => "failed",
            Self::NotInstalled => "not-installed",
        }
    }
}
