//! How this copy of the program was installed.

use std::path::Path;

use semver::Version;

/// How this copy of the program was installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By the Debian package.
    Deb,
    /// By the RPM package.
    Rpm,
    /// Unpacked by hand: told of newer versions, replaced by hand.
    Archive,
}

impl Kind {
    /// What the package says that this program belongs to; `None` where none does.
    pub fn of(program: &Path) -> Option<Self> {
        let mark = program.parent()?.join("../share/proxytill/package");
        Self::named(std::fs::read_to_string(mark).ok()?.trim())
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Deb, Self::Rpm, Self::Archive].into_iter().find(|kind| kind.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deb => "deb",
            Self::Rpm => "rpm",
            Self::Archive => "archive",
        }
    }

    /// Its entry in the feed.
    pub fn target(self) -> String {
        format!("{}-{}-{}", std::env::consts::OS, std::env::consts::ARCH, self.name())
    }

    /// The file of a version, as it was signed.
    pub fn file_name(self, version: &Version) -> String {
        let architecture = std::env::consts::ARCH;
        match self {
            // Debian has names of its own.
            Self::Deb => {
                let architecture = match architecture {
                    "x86_64" => "amd64",
                    "aarch64" => "arm64",
                    other => other,
                };
                format!("proxytill_{version}_{architecture}.deb")
            }
            Self::Rpm => format!("proxytill-{version}-1.{architecture}.rpm"),
            Self::Archive => format!("proxytill-{version}-{}-{architecture}.tar.xz", std::env::consts::OS),
        }
    }

    /// Whether the program can have it installed.
    pub fn can_install(self) -> bool {
        self != Self::Archive
    }
}
