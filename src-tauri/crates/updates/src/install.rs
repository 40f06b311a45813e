//! A verified file in the hands of the system's installer.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use crate::{Error, Kind};

/// What asks the administrator and installs. A parameter, so that tests bring their own.
#[derive(Clone, Debug)]
pub struct Installer {
    /// Asks for the administrator's consent with the system's own dialog, and runs what follows as that.
    pub consent: PathBuf,
}

impl Default for Installer {
    fn default() -> Self {
        Self { consent: "pkexec".into() }
    }
}

/// What a dismissed question ends with, and one that nobody could be asked or may not answer (pkexec, "RETURN VALUE").
const DISMISSED: i32 = 126;
const NOT_ASKED: i32 = 127;

impl Installer {
    /// Lets the system install a file that was verified. Ends when that has ended. The program that runs goes on as it is
    /// until it is started again.
    ///
    /// # Errors
    /// [`Error::NoInstaller`], [`Error::NotPermitted`], [`Error::Failed`].
    pub async fn install(&self, kind: Kind, file: &Path) -> Result<(), Error> {
        // By their whole paths: what is asked for runs as the administrator, whatever this user's PATH says.
        let words: &[&str] = match kind {
            // It fetches what the newer version depends on; dpkg alone would leave the program half installed. It waits
            // while the system installs updates of its own, and takes nothing away.
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
        // The one who asks starts elsewhere.
        let file = std::path::absolute(file).map_err(|_| Error::Disk)?;
        let mut install = Command::new(&self.consent);
        // Without a dialog there is no question: one in a terminal would wait where nobody looks.
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

/// Keeps a verified file, whole or not at all, where only this user writes. Files of earlier updates go.
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
