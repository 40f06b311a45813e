//! The program for release: optimised, and the same bytes wherever it is built.

use std::fs;
use std::path::PathBuf;

use xtask::run;

use crate::project::Project;

/// A separate folder, because the long proofs build with other flags.
const TARGET: &str = "target/package/build";

/// Builds the program with the names of its functions; packing strips them. Paths of this machine do not end up in it.
pub(crate) fn build(project: &Project, epoch: &str) -> Result<PathBuf, String> {
    println!("building the program; this takes long the first time");
    let mut cargo =
        run::cargo(&["build", "--release", "--package", "proxytill", "--bin", "proxytill", "--features", "shipped"]);
    let replaced = replaced(project);
    let as_flags = |flag: &str| replaced.iter().map(|(from, to)| format!("{flag}={from}={to}")).collect::<Vec<_>>();
    cargo.env("CARGO_TARGET_DIR", project.path(TARGET)).env("SOURCE_DATE_EPOCH", epoch);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", as_flags("--remap-path-prefix").join("\u{1f}"));
    cargo.env("CFLAGS", as_flags("-ffile-prefix-map").join(" "));
    cargo.shown()?;
    Ok(built(project))
}

/// Path of the built program.
pub(crate) fn built(project: &Project) -> PathBuf {
    project.path(TARGET).join("release").join(format!("proxytill{}", std::env::consts::EXE_SUFFIX))
}

/// The program for Windows, with the libraries that it needs beside it.
const WINDOWS: &str = "target/package/windows/proxytill.exe";

/// Path of the program for Windows, which has to be there already.
pub(crate) fn built_for_windows(project: &Project) -> Result<PathBuf, String> {
    let program = project.path(WINDOWS);
    if program.is_file() {
        return Ok(program);
    }
    Err(format!("{WINDOWS} is missing: `cargo xtask package windows` builds it; see docs/releasing.md"))
}

/// Builds the program for Windows, on Windows.
pub(crate) fn build_for_windows(project: &Project, epoch: &str) -> Result<PathBuf, String> {
    if !cfg!(all(windows, target_arch = "x86_64")) {
        return Err("the program for Windows is built on Windows".into());
    }
    let (built, to) = (build(project, epoch)?, project.path(WINDOWS));
    let folder = to.parent().unwrap_or(&to);
    let copied = fs::create_dir_all(folder).and_then(|()| fs::copy(built, &to));
    copied.map_err(|error| format!("{}: {error}", to.display()))?;
    Ok(to)
}

/// Folders of this machine, and their replacements.
fn replaced(project: &Project) -> [(String, &'static str); 2] {
    let home = std::env::var("HOME").or_else(|_| std::env::var("USERPROFILE")).unwrap_or_default();
    let crates = std::env::var("CARGO_HOME").unwrap_or_else(|_| format!("{home}/.cargo"));
    [(project.path("").display().to_string(), "/proxytill/"), (format!("{crates}/registry/src"), "/crates")]
}

/// Converts seconds since 1970 to a time.
pub(crate) fn moment(epoch: &str) -> Result<jiff::Timestamp, String> {
    let seconds = epoch.parse().map_err(|_| format!("`{epoch}` is not a time"))?;
    jiff::Timestamp::from_second(seconds).map_err(|error| error.to_string())
}

/// The time of everything that is made, in seconds since 1970: the commit's, unless `SOURCE_DATE_EPOCH` is set.
pub(crate) fn epoch() -> Result<String, String> {
    if let Ok(said) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(said);
    }
    let told = run::program("git", &["log", "-1", "--format=%ct"]).captured();
    told.map(|seconds| seconds.trim().to_owned()).map_err(|why| format!("no commit and no SOURCE_DATE_EPOCH: {why}"))
}
