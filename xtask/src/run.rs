//! Runs other programs at the project's root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The project's root.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// A program with its arguments.
pub struct Run(Command);

/// A program to run at the root.
pub fn program(name: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Run {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    Run(command)
}

/// Cargo, with the lock file unchanged.
pub fn cargo(arguments: &[&str]) -> Run {
    cargo_at(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments)
}

/// Another Cargo, with the lock file unchanged.
pub fn cargo_at(cargo: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Run {
    let (first, rest) = arguments.split_at(1);
    let mut run = program(cargo, first);
    // Cargo describes this program in the environment; passed on, that would cause rebuilds.
    for (name, _) in std::env::vars_os() {
        if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|own| name.to_string_lossy().starts_with(own)) {
            run.0.env_remove(name);
        }
    }
    if first != ["fmt"] {
        run.0.arg("--locked");
    }
    run.0.args(rest);
    run
}

/// The checked-out commit, in ten digits. Results with uncommitted changes would not be those of a commit, so there
/// must be none.
///
/// # Errors
/// When there are uncommitted changes, or git fails.
pub fn commit() -> Result<String, String> {
    commit_but(&[])
}

/// The same; these files, which hold results, may differ from it.
///
/// # Errors
/// As [`commit`].
pub fn commit_but(results: &[&str]) -> Result<String, String> {
    let changed = program("git", &["status", "--porcelain"]).printed()?;
    if changed.lines().any(|line| !results.iter().any(|file| line.ends_with(file))) {
        return Err("commit first: a report or a release belongs to a commit".into());
    }
    Ok(program("git", &["rev-parse", "--short=10", "HEAD"]).printed()?.trim().to_owned())
}

impl Run {
    /// Adds an argument.
    pub fn arg(&mut self, argument: impl AsRef<std::ffi::OsStr>) -> &mut Self {
        self.0.arg(argument);
        self
    }

    /// Sets an environment variable.
    pub fn env(&mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> &mut Self {
        self.0.env(name, value);
        self
    }

    /// Removes an environment variable.
    pub fn without(&mut self, name: &str) -> &mut Self {
        self.0.env_remove(name);
        self
    }

    /// Runs in a folder of the project.
    pub fn at(&mut self, folder: &str) -> &mut Self {
        self.within(&root().join(folder))
    }

    /// Runs in any folder.
    pub fn within(&mut self, folder: &Path) -> &mut Self {
        self.0.current_dir(folder);
        self
    }

    /// Runs with the output on screen.
    pub fn shown(&mut self) -> Result<(), String> {
        let status = self.0.status().map_err(|error| format!("{}: {error}", self.name()))?;
        if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", self.name())) }
    }

    /// Runs and returns the output. On failure, the output is the error.
    pub fn captured(&mut self) -> Result<String, String> {
        let output = self.0.output().map_err(|error| format!("{}: {error}", self.name()))?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        if output.status.success() { Ok(text) } else { Err(text) }
    }

    /// Runs and returns the standard output. On failure, the standard error is the error.
    pub fn printed(&mut self) -> Result<String, String> {
        let output = self.0.output().map_err(|error| format!("{}: {error}", self.name()))?;
        let told = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(told(&output.stdout)) } else { Err(told(&output.stderr)) }
    }

    fn name(&self) -> String {
        self.0.get_program().to_string_lossy().into_owned()
    }
}
