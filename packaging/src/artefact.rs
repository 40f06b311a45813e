//! The files of a release that people download.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use xtask::packages;
use xtask::run::{Run, program};

use crate::job::Job;
use crate::project::Project;
use crate::{archive, deb, rpm, signing};

/// A kind of file.
pub struct Artefact {
    /// The word that `cargo xtask package` takes.
    pub(crate) kind: &'static str,
    /// As a program of this kind looks for its updates in the feed.
    pub target: &'static str,
    /// Its name, with the version where `@` is.
    name: &'static str,
    extension: &'static str,
    /// How every file of this kind begins.
    begins: &'static [u8],
    make: fn(&Job, &Path) -> Result<(), String>,
    /// The packages of Debian that make it.
    pub(crate) tools: &'static [&'static str],
    /// Asks the file itself for its version.
    version: fn(&str) -> Result<String, String>,
    /// Writes the program in the file `$1` to its output.
    unpack: &'static str,
}

/// Every kind that a release has.
pub const ALL: [Artefact; 3] = [
    Artefact {
        kind: "deb",
        target: "linux-x86_64-deb",
        name: "proxytill_@_amd64",
        extension: ".deb",
        begins: b"!<arch>\ndebian-binary",
        make: deb::make,
        tools: deb::TOOLS,
        version: |file| program("dpkg-deb", &["--field", file, "Version"]).printed(),
        unpack: "dpkg-deb --fsys-tarfile \"$1\" | tar -xO ./usr/bin/proxytill",
    },
    Artefact {
        kind: "rpm",
        target: "linux-x86_64-rpm",
        name: "proxytill-@-1.x86_64",
        extension: ".rpm",
        begins: &[0xed, 0xab, 0xee, 0xdb],
        make: rpm::make,
        tools: rpm::TOOLS,
        version: |file| program("rpm", &["-qp", "--queryformat", "%{VERSION}", file]).printed(),
        unpack: "rpm2cpio \"$1\" | cpio --quiet -i --to-stdout ./usr/bin/proxytill",
    },
    Artefact {
        kind: "archive",
        target: "linux-x86_64-archive",
        name: "proxytill-@-linux-x86_64",
        extension: ".tar.xz",
        begins: &[0xfd, b'7', b'z', b'X', b'Z', 0],
        make: archive::make,
        tools: archive::TOOLS,
        version: |file| {
            let listed = program("tar", &["-tJf", file]).printed()?;
            let folder = listed.split('/').next().unwrap_or_default();
            Ok(folder.trim_start_matches("proxytill-").to_owned())
        },
        unpack: "tar -xJOf \"$1\" --wildcards '*/bin/proxytill'",
    },
];

impl Artefact {
    /// Its file in a release of this version.
    pub fn name(&self, version: &str) -> String {
        self.name.replace('@', version) + self.extension
    }

    /// Its file as `package` leaves it. One whose program has no key cannot be mistaken for one of a release.
    pub(crate) fn packed(&self, project: &Project, version: &str) -> String {
        let signed = if signing::has_key(project) { "" } else { "-unsigned" };
        self.name.replace('@', version) + signed + self.extension
    }

    /// Makes it.
    pub(crate) fn pack(&self, job: &Job) -> Result<PathBuf, String> {
        fs::create_dir_all(&job.out).map_err(|error| format!("{}: {error}", job.out.display()))?;
        let made = job.out.join(self.packed(job.project, &job.version));
        (self.make)(job, &made).map_err(|why| format!("{}: {why}", self.kind))?;
        Ok(made)
    }

    /// What is wrong with a file that should be of this kind and version, with a program that carries this key.
    pub(crate) fn check(&self, file: &Path, version: &str, key: &str) -> Result<(), String> {
        packages::ensure(self.tools)?;
        let mut begin = vec![0; self.begins.len()];
        let read = fs::File::open(file).and_then(|mut open| open.read_exact(&mut begin));
        read.map_err(|error| format!("{}: {error}", file.display()))?;
        if begin != self.begins {
            return Err(format!("{} is no file for {}", file.display(), self.target));
        }
        let found = (self.version)(&file.display().to_string())?;
        if found.trim() != version {
            return Err(format!("{} holds version {}, not {version}", file.display(), found.trim()));
        }
        let carries = self.holds(file, key).captured();
        carries.map(drop).map_err(|_| format!("the program in {} does not carry {}", file.display(), signing::PUBLIC))
    }

    /// Ends well when the program in the file holds these letters.
    fn holds(&self, file: &Path, letters: &str) -> Run {
        let line = format!("{} | grep --text --fixed-strings --regexp=\"$2\" >/dev/null", self.unpack);
        program("sh", &["-c", &line, "holds", &file.display().to_string(), letters])
    }
}
