//! The files of a release that people download.

use std::fs;
use std::io::Read;
use std::path::Path;

use xtask::run;

/// A kind of file.
pub struct Artefact {
    /// As a program of this kind looks for its updates in the feed.
    pub target: &'static str,
    /// Its name, with the version where `@` is.
    name: &'static str,
    /// How every file of this kind begins.
    begins: &'static [u8],
    /// Asks the file itself for its version.
    version: fn(&str) -> Result<String, String>,
}

/// Every kind that a release has.
pub const ALL: [Artefact; 3] = [
    Artefact {
        target: "linux-x86_64-deb",
        name: "proxytill_@_amd64.deb",
        begins: b"!<arch>\ndebian-binary",
        version: |file| run::program("dpkg-deb", &["--field", file, "Version"]).printed(),
    },
    Artefact {
        target: "linux-x86_64-rpm",
        name: "proxytill-@-1.x86_64.rpm",
        begins: &[0xed, 0xab, 0xee, 0xdb],
        version: |file| run::program("rpm", &["-qp", "--queryformat", "%{VERSION}", file]).printed(),
    },
    Artefact {
        target: "linux-x86_64-archive",
        name: "proxytill-@-linux-x86_64.tar.xz",
        begins: &[0xfd, b'7', b'z', b'X', b'Z', 0],
        version: |file| {
            let listed = run::program("tar", &["-tJf", file]).printed()?;
            let folder = listed.split('/').next().unwrap_or_default();
            Ok(folder.trim_start_matches("proxytill-").to_owned())
        },
    },
];

impl Artefact {
    /// Its file in a release of this version.
    pub fn name(&self, version: &str) -> String {
        self.name.replace('@', version)
    }

    /// What is wrong with a file that should be of this kind and version.
    pub(crate) fn check(&self, file: &Path, version: &str) -> Result<(), String> {
        let mut begin = vec![0; self.begins.len()];
        let read = fs::File::open(file).and_then(|mut open| open.read_exact(&mut begin));
        read.map_err(|error| format!("{}: {error}", file.display()))?;
        if begin != self.begins {
            return Err(format!("{} is no file for {}", file.display(), self.target));
        }
        let found = (self.version)(&file.display().to_string())?;
        if found.trim() == version {
            Ok(())
        } else {
            Err(format!("{} holds version {}, not {version}", file.display(), found.trim()))
        }
    }
}
