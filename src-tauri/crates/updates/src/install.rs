//! Passes a verified file to the system's installer.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use crate::{Error, Kind};

/// The programs that ask the administrator and install. A parameter, so that tests bring their own.
#[derive(Clone, Debug)]
pub struct Installer {
    /// Asks for the administrator's consent with the system's own dialog, and runs a command with those rights.
    pub consent: PathBuf,
}

impl Default for Installer {
    fn default() -> Self {
        Self { consent: "pkexec".into() }
    }
}

/// Exit codes of a dismissed dialog, and of one that could not be shown or may not be answered (pkexec, "RETURN
/// VALUE").
const DISMISSED: i32 = 126;
const NOT_ASKED: i32 = 127;

impl Installer {
    /// Has the system install a verified file. Returns when the installer has ended. The running program stays as it
    /// is until it is restarted.
    ///
    /// # Errors
    /// [`Error::NoInstaller`] when nothing can ask for consent, [`Error::NotPermitted`] when it is refused,
    /// [`Error::Failed`] when the installer fails.
    pub async fn install(&self, kind: Kind, file: &Path) -> Result<(), Error> {
        // Use absolute paths: these run as the administrator, whatever this user's PATH says.
        let words: &[&str] = match kind {
            // apt-get also fetches new dependencies; dpkg alone would leave the program half installed. These options
            // wait while the system installs its own updates, and remove nothing.
            Kind::Deb => &[
                "/usr/bin/apt-get",
                "install",
                "--yes",
                "--no-remove",
                "--no-install-recommends",
                "--option=DPkg::Lock::Timeout=120",
            ],
            Kind::Rpm => &["/usr/bin/rpm", "--upgrade"],
            Kind::Archive => return Err(Error::NotInstalled),
        };
        // The consent program may start in another folder.
        let file = std::path::absolute(file).map_err(|_| Error::Disk)?;
        let mut install = Command::new(&self.consent);
        // Without a dialog, do not ask at all: a question in a terminal would wait unseen.
        install.arg("--disable-internal-agent").args(words).arg(file);
        let ended = install.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().await;
        let ended = ended.map_err(|_| Error::NoInstaller)?;
        tracing::info!(%ended, "the installer has ended");
        match ended.code() {
            Some(0) => Ok(()),
            Some(DISMISSED) => Err(Error::NotPermitted),
            Some(NOT_ASKED) => Err(Error::NoInstaller),
            _ => Err(Error::Failed),
        }
    }
}

/// Stores a verified file, completely or not at all, where only this user can write. Deletes files of earlier updates.
pub(crate) fn keep(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Error> {
    let kept = || -> std::io::Result<PathBuf> {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        let path = folder.join(name);
        file.persist(&path).map_err(|error| error.error)?;
        Ok(path)
    };
    kept().map_err(|_| Error::Disk)
}
