//! The program for release: optimised, and the same bytes wherever it is built.

use std::fs;
use std::path::PathBuf;

use xtask::packages;
use xtask::run::{self, Run};

use crate::project::Project;
use crate::{cross, windows};

/// The oldest macOS that the program is made for.
pub(crate) const OLDEST_MACOS: &str = "13.0";

/// A separate folder, because the long proofs build with other flags.
const TARGET: &str = "target/package/build";

/// The arguments for Cargo.
const WORDS: [&str; 8] =
    ["build", "--release", "--package", "proxytill", "--bin", "proxytill", "--features", "shipped"];

/// Builds the program with the names of its functions; packing strips them.
pub(crate) fn build(project: &Project, epoch: &str) -> Result<PathBuf, String> {
    let mut cargo = run::cargo(&WORDS);
    cargo.env("CARGO_TARGET_DIR", project.path(TARGET));
    if cfg!(target_os = "macos") {
        cargo.env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS);
    }
    build_by(project, cargo, epoch)?;
    Ok(built(project))
}

/// Builds it without paths of this machine or today's date in it.
fn build_by(project: &Project, mut cargo: Run, epoch: &str) -> Result<(), String> {
    println!("building the program; this takes long the first time");
    let replaced = replaced(project);
    let as_flags = |flag: &str| replaced.iter().map(|(from, to)| format!("{flag}={from}={to}")).collect::<Vec<_>>();
    cargo.env("SOURCE_DATE_EPOCH", epoch);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", as_flags("--remap-path-prefix").join("\u{1f}"));
    cargo.env("CFLAGS", as_flags("-ffile-prefix-map").join(" "));
    cargo.shown()
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

/// Builds the program for Windows: on Windows, or on Linux with another compiler.
pub(crate) fn build_for_windows(project: &Project, epoch: &str) -> Result<PathBuf, String> {
    let built = if cfg!(all(windows, target_arch = "x86_64")) {
        build(project, epoch)?
    } else if cfg!(target_os = "linux") {
        packages::ensure(cross::TOOLS)?;
        build_by(project, cross::cargo(project, &WORDS), epoch)?;
        cross::folder(project, "release").join("proxytill.exe")
    } else {
        return Err("the program for Windows is built on Windows or Linux".into());
    };
    let to = project.path(WINDOWS);
    let folder = to.with_file_name("");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for name in ["proxytill.exe", windows::LOADER] {
        let from = built.with_file_name(name);
        // Only some compilers leave the loader beside the program.
        if name == windows::LOADER && !from.is_file() {
            continue;
        }
        fs::copy(&from, folder.join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(to)
}

/// Folders of this machine, and their replacements.
fn replaced(project: &Project) -> [(String, &'static str); 2] {
    let home = std::env::var("HOME").or_else(|_| std::env::var("USERPROFILE")).unwrap_or_default();
    let crates = std::env::var("CARGO_HOME").unwrap_or_else(|_| format!("{home}/.cargo"));
    [(project.path("").display().to_string(), "/proxytill/"), (format!("{crates}/registry/src"), "/crates")]
}
