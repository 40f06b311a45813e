//! An untrusted certificate for signing Windows programs: with it a test sees that every executable is signed.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::run;

/// An authority and a certificate of its.
pub(crate) struct Signer {
    at: PathBuf,
}

impl Signer {
    /// Makes both in a new folder.
    pub(crate) fn new(at: &Path) -> Result<Self, String> {
        fs::create_dir_all(at).map_err(|error| format!("{}: {error}", at.display()))?;
        let openssl = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            run::program("openssl", &words).within(at).captured()
        };
        openssl("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=Throwaway -days 2")?;
        openssl("req -newkey rsa:2048 -nodes -keyout own.key -out own.csr -subj /CN=Proxytill")?;
        fs::write(at.join("use"), "extendedKeyUsage=codeSigning\n").map_err(|error| error.to_string())?;
        openssl("x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile use -out own.pem")?;
        let signer = Self { at: at.to_owned() };
        let [certificate, key] = ["own.pem", "own.key"].map(|name| at.join(name).display().to_string());
        let script = format!(
            "#!/bin/sh\nset -e\nosslsigncode sign -certs '{certificate}' -key '{key}' -n Proxytill -in \"$1\" -out \"$1.signed\"\nmv \"$1.signed\" \"$1\"\n"
        );
        let program = signer.program();
        fs::write(&program, script).map_err(|error| error.to_string())?;
        run::program("chmod", &["+x", &program.display().to_string()]).captured()?;
        Ok(signer)
    }

    /// The program that signs the file that is its argument.
    pub(crate) fn program(&self) -> PathBuf {
        self.at.join("sign")
    }

    /// Checks a signature against the authority.
    pub(crate) fn holds(&self, file: &Path) -> Result<(), String> {
        let [authority, file] = [&self.at.join("ca.pem"), file].map(|path| path.display().to_string());
        run::program("osslsigncode", &["verify", "-CAfile", &authority, "-in", &file]).captured().map(drop)
    }
}
