//! Compiles for Windows on Linux: with Debian's compiler and a standard library built from source, because rustup's own
//! would have to be fetched.

use std::path::PathBuf;

use xtask::run::{self, Run};

use crate::project::Project;

/// Debian packages that this needs.
pub(crate) const TOOLS: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "mingw-w64"];
const TARGET: &str = "x86_64-pc-windows-gnu";
/// A separate folder: the compiler is another one.
const FOLDER: &str = "target/windows";

/// Cargo for Windows, at the project's root.
pub(crate) fn cargo(project: &Project, words: &[&str]) -> Run {
    let more = ["-Zbuild-std=std,panic_abort", "--target", TARGET];
    let mut cargo = run::cargo_at("/usr/bin/cargo", &[words, &more].concat());
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTDOC", "/usr/bin/rustdoc");
    // The standard library is built with unstable options of Cargo.
    cargo.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", project.path(FOLDER));
    cargo
}

/// The folder of what was built: `debug` or `release`.
pub(crate) fn folder(project: &Project, profile: &str) -> PathBuf {
    project.path(FOLDER).join(TARGET).join(profile)
}
