//! `cargo xtask reach`: checks the packages on bare systems and with other people's checkers, all parts or single
//! ones. Passed parts are remembered until the commit changes, so that an interrupted run continues.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use xtask::{packages, run};

use crate::artefact::{ALL, Artefact};
use crate::called::checked;
use crate::made::{made, named};
use crate::package;
use crate::project::{OUT, Project};
use crate::sha256::sum;
use crate::{catalogues, checkers, installer, macos, program, roots, tree, weight, windows_program, wine_suite};

/// The report: the result of each part, with the commit that it ran on.
const REPORT: &str = "tests/reach.md";

/// One check.
struct Part {
    name: &'static str,
    /// The claim that it checks, for the report.
    what: &'static str,
    /// Whether it needs the packages, so that they are made first.
    packages: bool,
    /// Debian packages that it needs.
    tools: &'static [&'static str],
    /// Runs the check. Returns what it found, in a few words, or what is wrong.
    run: fn(&Project) -> Result<String, String>,
}

impl Part {
    fn found(&self, project: &Project) -> Result<String, String> {
        packages::ensure(self.tools)?;
        (self.run)(project)
    }
}

const PARTS: [Part; 16] = [
    Part {
        name: "size",
        what: "The program in the package weighs 12 MB at most and contains no test hooks",
        packages: true,
        tools: &[],
        run: size,
    },
    Part {
        name: "lintian",
        what: "lintian finds no error in the .deb",
        packages: true,
        tools: &["lintian"],
        run: checkers::lintian,
    },
    Part {
        name: "rpmlint",
        what: "rpmlint finds no error in the .rpm",
        packages: true,
        tools: &["rpmlint"],
        run: checkers::rpmlint,
    },
    Part {
        name: "metadata",
        what: "Menu entry, metainfo and manual page are valid",
        packages: false,
        tools: &["appstream", "desktop-file-utils", "mandoc"],
        run: checkers::metadata,
    },
    Part {
        name: "workflows",
        what: "The hosted workflows are sound and safe",
        packages: false,
        tools: packages::PYTHON,
        run: checkers::workflows,
    },
    Part {
        name: "catalogues",
        what: "The files for AUR, Flathub, Homebrew and winget can be read and lack nothing",
        packages: false,
        tools: &["python3", "python3-venv", "python3-pip", "ruby"],
        run: catalogues::check,
    },
    Part {
        name: "rpm",
        what: "The .rpm asks for libraries by their names and is whole",
        packages: true,
        tools: &["rpm", "cpio"],
        run: rpm,
    },
    Part { name: "same-bytes", what: "Two folders, the same packages", packages: true, tools: &[], run: same_bytes },
    Part {
        name: "bookworm",
        what: "Debian 12, bare: installed, started from its menu entry, an order in practice, upgraded, purged",
        packages: true,
        tools: roots::TOOLS,
        run: |project| roots::try_in(project, "bookworm"),
    },
    Part {
        name: "trixie",
        what: "Debian 13, bare: the same",
        packages: true,
        tools: roots::TOOLS,
        run: |project| roots::try_in(project, "trixie"),
    },
    Part {
        name: "macos",
        what: "Everything compiles for macOS on both processors; what macOS reads can be read",
        packages: false,
        tools: macos::TOOLS,
        run: macos::check,
    },
    Part {
        name: "installer",
        what: "The installer for Windows under Wine: installs, updates, removes, waits, refuses; never touches the data",
        packages: false,
        tools: installer::TOOLS,
        run: installer::try_under_wine,
    },
    Part {
        name: "windows-program",
        what: "The program for Windows opens no terminal, needs nothing that Windows lacks, and has its manifest and version",
        packages: false,
        tools: windows_program::TOOLS,
        run: windows_program::read,
    },
    Part {
        name: "without-webview2",
        what: "Without WebView2 the program for Windows says so in both languages and ends, under Wine",
        packages: false,
        tools: windows_program::TOOLS,
        run: windows_program::without_webview2,
    },
    Part {
        name: "wine",
        what: "Everything below the window, tested as a Windows program under Wine",
        packages: false,
        tools: wine_suite::TOOLS,
        run: wine_suite::run,
    },
    Part {
        name: "wine-kills",
        what: "The core as a Windows program, killed 500 times while it writes",
        packages: false,
        tools: wine_suite::TOOLS,
        run: wine_suite::kills,
    },
];

/// Parts that need no packages, but minutes.
const LONG: [&str; 6] = ["macos", "installer", "windows-program", "without-webview2", "wine", "wine-kills"];

/// Runs the quick parts that need no packages, without remembering results: the tests do so on every change.
///
/// # Errors
/// When a part fails; the error names the first.
pub fn without_packages(project: &Project) -> Result<(), String> {
    for part in PARTS.iter().filter(|part| !part.packages && !LONG.contains(&part.name)) {
        let found = part.found(project).map_err(|why| format!("{}: {why}", part.name))?;
        println!("{}: {found}", part.name);
    }
    Ok(())
}

/// Runs the named parts, or all, and writes the report.
pub fn all(project: &Project, wanted: &[&str]) -> Result<(), String> {
    let unknown = wanted.iter().find(|name| PARTS.iter().all(|part| part.name != **name));
    if let Some(name) = unknown {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        return Err(format!("`{name}`: unknown, use {}", names.join(", ")));
    }
    let commit = run::commit_but(&[REPORT])?;
    let kept = project.path("target/reach").join(&commit);
    fs::create_dir_all(&kept).map_err(|error| error.to_string())?;
    let chosen: Vec<&Part> = PARTS.iter().filter(|part| wanted.is_empty() || wanted.contains(&part.name)).collect();
    // Packages of another commit, or of uncommitted changes, may be there.
    let are_of_commit = || {
        let told = fs::read_to_string(kept.join("packages")).ok();
        told.is_some() && told == packed(project).ok()
    };
    if chosen.iter().any(|part| part.packages) && !are_of_commit() {
        package::make(project, &[])?;
        fs::write(kept.join("packages"), packed(project)?).map_err(|error| error.to_string())?;
    }
    let mut wrong = Vec::new();
    for part in chosen {
        let file = kept.join(part.name);
        if wanted.is_empty() && fs::read_to_string(&file).is_ok_and(|told| told.starts_with("passed")) {
            continue;
        }
        let begun = Instant::now();
        let found = part.found(project);
        let told = match &found {
            Ok(found) => format!("passed | {found}"),
            Err(why) => format!("**failed** | {why}"),
        };
        println!("{}: {told} ({} s)", part.name, begun.elapsed().as_secs());
        if let Err(why) = found {
            println!("{why}");
            wrong.push(part.name);
        }
        fs::write(&file, told).map_err(|error| error.to_string())?;
    }
    let report = report(&commit, &kept, &project.read(REPORT).unwrap_or_default());
    project.write(REPORT, &report)?;
    println!("{REPORT}");
    if wrong.is_empty() { Ok(()) } else { Err(format!("not reached: {}", wrong.join(", "))) }
}

/// The kinds of package that are made for Linux.
fn of_linux() -> impl Iterator<Item = &'static Artefact> {
    ALL.iter().filter(|artefact| !artefact.is_for_windows())
}

/// Checksums of the packages that are there.
fn packed(project: &Project) -> Result<String, String> {
    let sum = |artefact: &Artefact| {
        let file = made(project, artefact.target)?;
        fs::read(&file).map(|bytes| sum(&bytes) + "\n").map_err(|error| format!("{}: {error}", file.display()))
    };
    of_linux().map(sum).collect()
}

/// The report: of each part what it found at this commit, and otherwise what the report before says.
fn report(commit: &str, kept: &Path, before: &str) -> String {
    let (mut rows, mut more) = (String::new(), String::new());
    for part in &PARTS {
        let found = fs::read_to_string(kept.join(part.name)).ok();
        let (row, rest) = match found.as_deref().map(|told| told.split_once('\n').unwrap_or((told, ""))) {
            Some((first, rest)) => (format!("{first} | `{commit}` |"), rest.to_owned()),
            None => (row_of(before, part.name).unwrap_or("not run | | |").to_owned(), section_of(before, part.name)),
        };
        let _ = writeln!(rows, "| `{}` | {} | {row}", part.name, part.what);
        if !rest.is_empty() {
            let _ = writeln!(more, "\n## {}\n{}", part.name, rest.trim_end());
        }
    }
    let begin = "# Reach\n\nWritten by `cargo xtask reach`. Each part ran at the commit beside it.\n\n\
        | Part | What | Result | Found | Commit |\n|---|---|---|---|---|";
    format!("{begin}\n{rows}{more}{}", include_str!("../not-tried.md"))
}

/// The last three columns of a part's row.
fn row_of<'a>(report: &'a str, name: &str) -> Option<&'a str> {
    let begin = format!("| `{name}` | ");
    report.lines().find_map(|line| line.strip_prefix(&*begin)?.split_once(" | ").map(|(_, row)| row))
}

/// The text under a part's title; empty if there is none.
fn section_of(report: &str, name: &str) -> String {
    let title = format!("\n## {name}\n");
    let text = report.split_once(&*title).map_or("", |(_, after)| after);
    text.split("\n## ").next().unwrap_or_default().to_owned()
}

fn size(project: &Project) -> Result<String, String> {
    const MOST: usize = 12_000_000;
    let bytes = fs::read(project.path("target/package/deb/usr/bin/proxytill")).map_err(|error| error.to_string())?;
    let size = bytes.len();
    let packed = fs::metadata(made(project, "linux-x86_64-deb")?).map_err(|error| error.to_string())?.len();
    let doors = ["PROXYTILL_UPDATES", "PROXYTILL_LOG", "PROXYTILL_KILL_AT"];
    let open = doors.iter().find(|door| tree::holds(&bytes, door));
    if let Some(door) = open {
        return Err(format!("the released program contains {door}"));
    }
    let told = format!("{size} bytes; the .deb {packed}");
    if size <= MOST {
        return Ok(told);
    }
    let reasons = weight::reasons(&program::built(project))?;
    let rows: String = reasons.iter().map(|(reason, size)| format!("| {reason} | {size} |\n")).collect();
    Err(format!("{told}; the heaviest reasons are below\n| Reason | Bytes |\n|---|---|\n{rows}"))
}

fn rpm(project: &Project) -> Result<String, String> {
    let file = named(project, "linux-x86_64-rpm")?;
    checked("rpm", &["-K", &file])?;
    let requires = checked("rpm", &["-qp", "--requires", &file])?;
    for library in ["libwebkit2gtk-4.1.so.0", "libgtk-3.so.0", "libc.so.6"] {
        if !requires.contains(library) {
            return Err(format!("{library} is not required:\n{requires}"));
        }
    }
    let unpacked = project.path("target/reach/rpm");
    let _ = fs::remove_dir_all(&unpacked);
    fs::create_dir_all(&unpacked).map_err(|error| error.to_string())?;
    let line = format!("rpm2cpio {file} | cpio --quiet -idm");
    run::program("sh", &["-c", &line]).within(&unpacked).captured()?;
    let version = checked(&unpacked.join("usr/bin/proxytill").display().to_string(), &["--version"])?;
    Ok(format!("{} libraries by name; unpacked it says `{}`", requires.lines().count(), version.trim()))
}

/// Builds everything a second time, from another folder.
fn same_bytes(project: &Project) -> Result<String, String> {
    let other = project.path("target/reach/another-folder");
    let _ = fs::remove_dir_all(&other);
    let (from, to) = (project.path("").display().to_string(), other.display().to_string());
    checked("git", &["clone", "--quiet", &from, &to])?;
    // With the folder of the first build, Cargo would wait for its own lock.
    let mut second = run::program("cargo", &["xtask", "package"]);
    second.within(&other).env("CARGO_TARGET_DIR", other.join("target")).captured()?;
    let mut told = Vec::new();
    for artefact in of_linux() {
        let name = artefact.packed(project, &project.version()?.to_string());
        let of =
            |folder: PathBuf| fs::read(folder.join(&name)).map(|bytes| sum(&bytes)).map_err(|error| error.to_string());
        let (one, two) = (of(made(project, artefact.target)?.with_file_name(""))?, of(other.join(OUT))?);
        if one != two {
            return Err(format!("{name}: {one} and {two}"));
        }
        told.push(format!("{} {}", artefact.target, &one[..12]));
    }
    Ok(told.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_run_again_stays_in_the_report_with_its_commit() {
        let kept = tempfile::tempdir().unwrap();
        fs::write(kept.path().join("size"), "**failed** | too big\n| Reason | Bytes |\n| a | 1 |\n").unwrap();
        fs::write(kept.path().join("rpm"), "passed | it is whole").unwrap();
        let first = report("aaaa", kept.path(), "");
        assert!(
            first.contains(" | **failed** | too big | `aaaa` |\n") && first.contains("\n## size\n| Reason"),
            "{first}"
        );
        assert!(first.contains(" | not run | | |\n"));
        fs::remove_file(kept.path().join("size")).unwrap();
        fs::write(kept.path().join("rpm"), "passed | it is still whole").unwrap();
        let second = report("bbbb", kept.path(), &first);
        assert!(second.contains(" | **failed** | too big | `aaaa` |\n") && second.contains("| a | 1 |\n"), "{second}");
        assert!(second.contains(" | passed | it is still whole | `bbbb` |\n") && !second.contains("| it is whole |"));
        assert_eq!(report("cccc", Path::new("none"), &second), second);
    }
}
