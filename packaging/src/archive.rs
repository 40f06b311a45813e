//! The archive for all other Linux systems: unpacked anywhere, started from there.

use std::fs;
use std::path::Path;

use xtask::run;

use crate::job::Job;
use crate::tree;

/// Debian packages needed to make it.
pub(crate) const TOOLS: &[&str] = &["tar", "xz-utils"];

pub(crate) fn make(job: &Job, made: &Path) -> Result<(), String> {
    let work = job.work("archive");
    let folder = format!("proxytill-{}", job.version);
    let laid = job.work("unpacked");
    tree::lay(job.project, &job.program, &laid)?;
    tree::mark(&laid, "archive")?;
    // The archive does not follow a system's layout: bin and share are side by side.
    let inside = work.join(&folder);
    if inside.exists() {
        fs::remove_dir_all(&inside).map_err(|error| format!("{}: {error}", inside.display()))?;
    }
    let moved = fs::create_dir_all(&work).and_then(|()| fs::rename(laid.join("usr"), &inside));
    moved.map_err(|error| format!("{}: {error}", inside.display()))?;
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        tree::put(&inside, name, job.project.read(name)?.as_bytes(), 0o644)?;
    }
    let to = made.display().to_string();
    let when = format!("--mtime=@{}", job.epoch);
    let words = ["--sort=name", &when, "--owner=0", "--group=0", "--numeric-owner", "-cJf", &to, &folder];
    run::program("tar", &words).within(&work).env("XZ_OPT", "-9 -T1").captured().map(drop)
}
