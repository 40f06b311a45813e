//! The Debian package.

use std::path::Path;

use xtask::run;

use crate::job::Job;
use crate::tree;

/// Debian packages needed to make it.
pub(crate) const TOOLS: &[&str] = &["dpkg-dev"];

pub(crate) fn make(job: &Job, made: &Path) -> Result<(), String> {
    let tree = job.work("deb");
    tree::lay(job.project, &job.program, &tree)?;
    tree::mark(&tree, "deb")?;
    let project = job.project;
    tree::put(
        &tree,
        "usr/share/doc/proxytill/copyright",
        project.read("packaging/linux/copyright")?.as_bytes(),
        0o644,
    )?;
    let changelog = job.dated(&project.read("packaging/linux/changelog")?, "%a, %d %b %Y %H:%M:%S +0000")?;
    tree::put(&tree, "usr/share/doc/proxytill/changelog.gz", &tree::zipped(changelog.as_bytes())?, 0o644)?;
    let architecture = run::program("dpkg", &["--print-architecture"]).captured()?.trim().to_owned();
    let control = project.read("packaging/linux/control")?;
    let control = control
        .replace("@VERSION@", &job.version)
        .replace("@ARCHITECTURE@", &architecture)
        .replace("@DEPENDS@", &libraries(&tree, &job.work("shlibs"))?)
        .replace("@SIZE@", &kilobytes(&tree.join("usr"))?.to_string());
    tree::put(&tree, "DEBIAN/control", control.as_bytes(), 0o644)?;
    tree::put(&tree, "DEBIAN/md5sums", sums(&tree)?.as_bytes(), 0o644)?;
    let (from, to) = (tree.display().to_string(), made.display().to_string());
    let mut pack = run::program("dpkg-deb", &["--root-owner-group", "-Zxz", "--build", &from, &to]);
    pack.env("SOURCE_DATE_EPOCH", &job.epoch);
    pack.captured().map(drop)
}

/// Packages of the libraries that the program links to, in the versions whose symbols it uses.
fn libraries(tree: &Path, folder: &Path) -> Result<String, String> {
    tree::put(folder, "debian/control", b"Source: proxytill\n\nPackage: proxytill\nArchitecture: any\n", 0o644)?;
    let program = tree.join("usr/bin/proxytill").display().to_string();
    let mut ask = run::program("dpkg-shlibdeps", &["-O", &program]);
    let told = ask.within(folder).captured()?;
    let depends = told.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    depends.map(str::to_owned).ok_or_else(|| format!("dpkg-shlibdeps names no library:\n{told}"))
}

/// Every installed file with its checksum, sorted, for `dpkg --verify`.
fn sums(tree: &Path) -> Result<String, String> {
    let list = "find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum";
    run::program("sh", &["-c", list]).within(tree).captured()
}

/// Size as Debian counts it: each file rounded up, a kilobyte per folder, whatever the file system reports.
fn kilobytes(folder: &Path) -> Result<u64, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut all = 1;
    for entry in entries.filter_map(Result::ok) {
        let size = entry.metadata().map_err(|error| error.to_string())?.len();
        all += if entry.path().is_dir() { kilobytes(&entry.path())? } else { size.div_ceil(1024) };
    }
    Ok(all)
}
