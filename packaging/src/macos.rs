//! Checks from Linux what can be checked of the program for macOS: that everything compiles for both processors, and
//! that the files which macOS reads are understood by a reader of its format. Nothing is linked: that needs Apple's SDK.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::run::{self, Run};

use crate::called::checked;
use crate::project::Project;
use crate::tree::put;

/// Debian packages needed: a compiler with the source of its standard library, which is compiled for macOS too, and
/// Python.
pub(crate) const TOOLS: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "python3", "python3-venv", "python3-pip"];

/// A C compiler that knows macOS, from PyPI.
const ZIG: &str = "ziglang==0.17.1";

const PROCESSORS: [&str; 2] = ["aarch64", "x86_64"];

/// Compiles everything for both processors, and reads back what macOS reads.
pub(crate) fn check(project: &Project) -> Result<String, String> {
    let read = read_back(project)?;
    let tools = tools(project)?;
    for processor in PROCESSORS {
        compiles(project, &tools, processor)?;
    }
    Ok(format!("{} without a warning; {read}", PROCESSORS.join(" and ")))
}

/// Checks every crate and every test. A warning is an error, but only in this project's own code.
fn compiles(project: &Project, tools: &Path, processor: &str) -> Result<(), String> {
    let target = format!("{processor}-apple-darwin");
    let std = "-Zbuild-std=std,panic_abort";
    let words = ["check", "--locked", std, "--target", &target, "--workspace", "--all-targets"];
    let mut cargo = run::program("/usr/bin/cargo", &words);
    own_environment(&mut cargo);
    cargo.env("CARGO_TARGET_DIR", project.path("target/macos")).env("RUSTC", "/usr/bin/rustc");
    // The standard library is compiled with features that only nightly compilers otherwise allow.
    cargo.env("RUSTDOC", "/usr/bin/rustdoc").env("RUSTC_BOOTSTRAP", "1").env("CARGO_TERM_COLOR", "never");
    let variable = |name: &str| format!("{name}_{processor}_apple_darwin");
    let compiler = tools.join(format!("{processor}-cc"));
    cargo.env(&variable("CC"), &compiler).env(&variable("CXX"), &compiler).env(&variable("AR"), tools.join("ar"));
    let told = cargo.captured().map_err(|told| format!("{target}:\n{}", last(&told)))?;
    // Cargo repeats the warnings of what it does not compile again.
    match told.lines().find(|line| is_summary(line)) {
        Some(line) => Err(format!("{target}: {line}\n{}", last(&told))),
        None => Ok(()),
    }
}

/// Whether a line reports the number of warnings in a crate. Cargo reports none for dependencies.
fn is_summary(line: &str) -> bool {
    line.starts_with("warning: `") && line.contains(" generated ")
}

/// The last lines, which name the mistakes.
fn last(told: &str) -> String {
    let lines: Vec<&str> = told.lines().collect();
    lines[lines.len().saturating_sub(80)..].join("\n")
}

/// Removes what the Cargo that runs this program says about it: it would cause rebuilds.
fn own_environment(run: &mut Run) {
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if ["CARGO_PKG_", "CARGO_MANIFEST_", "RUSTUP_"].iter().any(|own| name.starts_with(own)) {
            run.without(&name);
        }
    }
}

/// Writes the compilers for both processors, and returns their folder.
fn tools(project: &Project) -> Result<PathBuf, String> {
    let folder = project.path("target/macos/tools");
    let python = zig(project, &folder)?;
    for processor in PROCESSORS {
        put(&folder, &format!("{processor}-cc"), wrapper(&python, processor).as_bytes(), 0o755)?;
    }
    put(&folder, "ar", format!("#!/bin/sh\nexec {python} -m ziglang ar \"$@\"\n").as_bytes(), 0o755)?;
    Ok(folder)
}

/// A script that calls zig in the way of other C compilers. Zig calls the systems by other names. Objective-C needs
/// Apple's headers: in its place an empty file is compiled, because nothing is linked.
fn wrapper(python: &str, processor: &str) -> String {
    format!(
        r#"#!/bin/sh
for word do
  shift
  case "$word" in
    --target=* | -mmacosx-version-min=* | -mmacos-version-min=*) ;;
    *.m) set -- "$@" -x c /dev/null ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec {python} -m ziglang cc -target {processor}-macos "$@"
"#
    )
}

/// Returns a Python that has zig, installing it if necessary.
fn zig(project: &Project, tools: &Path) -> Result<String, String> {
    let folder = project.path("target/macos/zig");
    let python = folder.join("bin/python").display().to_string();
    let stamp = tools.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == ZIG) {
        return Ok(python);
    }
    checked("python3", &["-m", "venv", &folder.display().to_string()])?;
    checked(&python, &["-m", "pip", "install", "--quiet", ZIG])?;
    put(tools, "installed", ZIG.as_bytes(), 0o644)?;
    Ok(python)
}

/// Reads the property lists with Python's reader of that format, which knows more of it than our tests do.
fn read_back(project: &Project) -> Result<String, String> {
    const READ: &str = "import plistlib, sys
for name in sys.argv[1:]:
    with open(name, 'rb') as file:
        print(len(plistlib.load(file)))";
    let file = |name: &str| project.path("packaging/macos").join(name).display().to_string();
    let counted = checked("python3", &["-c", READ, &file("Info.plist"), &file("entitlements.plist")])?;
    match counted.split_whitespace().collect::<Vec<_>>()[..] {
        [described, "0"] => Ok(format!("Info.plist has {described} keys, the program no entitlement")),
        _ => Err(format!("Info.plist and entitlements.plist have {counted} keys")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_warnings_of_this_project_count() {
        assert!(is_summary("warning: `proxytill` (lib) generated 1 warning"));
        assert!(is_summary("warning: `till` (lib test) generated 2 warnings (1 duplicate)"));
        assert!(!is_summary("warning: mac-notification-sys@0.6.15: a note of its build script"));
        assert!(!is_summary("    Checking till v0.1.0"));
    }

    // This one starts a script.
    #[cfg(unix)]
    mod unix {
        use super::*;

        #[test]
        fn the_compilers_drop_what_zig_does_not_know_and_leave_everything_else_as_it_is() {
            let folder = tempfile::tempdir().unwrap();
            put(folder.path(), "python", b"#!/bin/sh\nprintf '%s\\n' \"$@\"\n", 0o755).unwrap();
            let python = folder.path().join("python").display().to_string();
            put(folder.path(), "cc", wrapper(&python, "aarch64").as_bytes(), 0o755).unwrap();
            let words =
                ["-O0", "--target=arm64-apple-macosx", "-o", "a b.o", "-mmacosx-version-min=11.0", "-c", "x y.c"];
            let compiler = folder.path().join("cc").display().to_string();
            let given = run::program(&compiler, &words).printed().unwrap();
            let kept: Vec<&str> = given.lines().collect();
            assert_eq!(kept, ["-m", "ziglang", "cc", "-target", "aarch64-macos", "-O0", "-o", "a b.o", "-c", "x y.c"]);
            let given = run::program(&compiler, &["-c", "objc/notify.m"]).printed().unwrap();
            assert!(given.ends_with("-c\n-x\nc\n/dev/null\n"), "{given}");
        }
    }
}
