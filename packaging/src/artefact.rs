//! The files of a release that people download.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use xtask::packages;
use xtask::run::{Run, program};

use crate::job::Job;
use crate::project::Project;
use crate::{archive, deb, rpm, signing, windows};

/// A kind of download.
pub struct Artefact {
    /// The name that `cargo xtask package` takes.
    pub(crate) kind: &'static str,
    /// The key under which a program of this kind looks for updates in the feed.
    pub target: &'static str,
    /// File name, with `@` in place of the version.
    name: &'static str,
    extension: &'static str,
    /// First bytes of every file of this kind.
    begins: &'static [u8],
    make: fn(&Job, &Path) -> Result<(), String>,
    /// Debian packages needed to make it.
    pub(crate) tools: &'static [&'static str],
    /// Reads the version from the file itself.
    version: fn(&str) -> Result<String, String>,
    /// Shell command that writes the program in the file `$1` to its output.
    unpack: &'static str,
}

/// Every kind in a release.
pub const ALL: [Artefact; 5] = [
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
    Artefact {
        kind: "setup",
        target: "windows-x86_64-setup",
        name: "Proxytill_@_x64-setup",
        extension: ".exe",
        begins: b"MZ",
        make: |job, made| windows::make(job, made, &windows::BOOTSTRAPPER),
        tools: windows::TOOLS,
        version: windows::version,
        unpack: windows::UNPACK,
    },
    Artefact {
        kind: "offline",
        target: "windows-x86_64-offline",
        name: "Proxytill_@_x64-setup-offline",
        extension: ".exe",
        begins: b"MZ",
        make: |job, made| windows::make(job, made, &windows::STANDALONE),
        tools: windows::TOOLS,
        version: windows::version,
        unpack: windows::UNPACK,
    },
];

impl Artefact {
    /// Whether it is for Windows. All others are for the system that makes them.
    pub(crate) fn is_for_windows(&self) -> bool {
        self.target.starts_with("windows-")
    }

    /// File name in a release of this version.
    pub fn name(&self, version: &str) -> String {
        self.name.replace('@', version) + self.extension
    }

    /// File name as `package` makes it. A file whose program has no key gets a name that no release has.
    pub(crate) fn packed(&self, project: &Project, version: &str) -> String {
        let signed = if signing::has_key(project) { "" } else { "-unsigned" };
        self.name.replace('@', version) + signed + self.extension
    }

    /// Makes the file.
    pub(crate) fn pack(&self, job: &Job) -> Result<PathBuf, String> {
        fs::create_dir_all(&job.out).map_err(|error| format!("{}: {error}", job.out.display()))?;
        let made = job.out.join(self.packed(job.project, &job.version));
        (self.make)(job, &made).map_err(|why| format!("{}: {why}", self.kind))?;
        Ok(made)
    }

    /// Checks that a file is of this kind and version, and that its program carries this key. The error says what is
    /// wrong.
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

    /// Succeeds if the program in the file contains this text.
    fn holds(&self, file: &Path, letters: &str) -> Run {
        let line = format!("{} | grep --text --fixed-strings --regexp=\"$2\" >/dev/null", self.unpack);
        program("sh", &["-c", &line, "holds", &file.display().to_string(), letters])
    }
}
