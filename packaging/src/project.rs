//! The files that a release reads and writes, below one folder, so that tests can use a copy.

use std::fs;
use std::path::{Path, PathBuf};

use semver::Version;
use toml_edit::DocumentMut;

/// Folder for the packages.
pub const OUT: &str = "target/packages";

/// A checkout.
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// The checkout below this folder.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Path of a file or folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.join(name)
    }

    /// Reads a file; the error names it.
    pub fn read(&self, name: &str) -> Result<String, String> {
        fs::read_to_string(self.path(name)).map_err(|error| format!("{name}: {error}"))
    }

    /// Writes a file; the error names it.
    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        fs::write(self.path(name), text).map_err(|error| format!("{name}: {error}"))
    }

    /// Reads a TOML file for editing, keeping its formatting.
    pub(crate) fn toml(&self, name: &str) -> Result<DocumentMut, String> {
        self.read(name)?.parse().map_err(|error| format!("{name}: {error}"))
    }

    /// The version in the manifest, from which every crate and the program take theirs.
    pub fn version(&self) -> Result<Version, String> {
        let manifest = self.toml("Cargo.toml")?;
        let version = manifest["workspace"]["package"]["version"].as_str().unwrap_or_default();
        Version::parse(version).map_err(|error| format!("Cargo.toml: version `{version}`: {error}"))
    }
}
