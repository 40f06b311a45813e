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
    /// Unpacked by hand: newer versions are announced, but replaced by hand.
    Archive,
}

impl Kind {
    /// Reads the kind from the file that the package installs next to the program; `None` without one.
    pub fn of(program: &Path) -> Option<Self> {
        let mark = program.parent()?.join("../share/proxytill/package");
        Self::named(std::fs::read_to_string(mark).ok()?.trim())
    }

    /// Looks up a kind by name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Deb, Self::Rpm, Self::Archive].into_iter().find(|kind| kind.name() == name)
    }

    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deb => "deb",
            Self::Rpm => "rpm",
            Self::Archive => "archive",
        }
    }

    /// The key of this kind in the feed.
    pub fn target(self) -> String {
        format!("{}-{}-{}", std::env::consts::OS, std::env::consts::ARCH, self.name())
    }

    /// The file name of a version, as signed.
    pub fn file_name(self, version: &Version) -> String {
        let architecture = std::env::consts::ARCH;
        match self {
            // Debian has its own names.
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

    /// Whether the program can have the package installed.
    pub fn can_install(self) -> bool {
        self != Self::Archive
    }
}
