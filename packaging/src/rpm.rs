//! The RPM package.

use std::path::Path;

use xtask::run;

use crate::job::Job;
use crate::tree;

/// Debian packages needed to make it.
pub(crate) const TOOLS: &[&str] = &["rpm", "cpio"];

pub(crate) fn make(job: &Job, made: &Path) -> Result<(), String> {
    let tree = job.work("rpm");
    tree::lay(job.project, &job.program, &tree)?;
    tree::mark(&tree, "rpm")?;
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let text = job.project.read(name)?;
        tree::put(&tree, &format!("usr/share/licenses/proxytill/{name}"), text.as_bytes(), 0o644)?;
    }
    let work = job.work("rpmbuild");
    let spec = job.dated(&job.project.read("packaging/linux/proxytill.spec")?, "%a %b %d %Y")?;
    tree::put(&work, "proxytill.spec", spec.as_bytes(), 0o644)?;
    let top = format!("_topdir {}", work.display());
    let from = format!("laid {}", tree.display());
    let define = |what: &str| ["--define".to_owned(), what.to_owned()];
    // The same sources must give the same bytes on any machine and day.
    let words = [&top, &from, "_buildhost proxytill", "use_source_date_epoch_as_buildtime 1"]
        .into_iter()
        .chain(["clamp_mtime_to_source_date_epoch 1", "_build_id_links none", "_binary_payload w9.xzdio"])
        .flat_map(define)
        .collect::<Vec<_>>();
    let words: Vec<&str> =
        ["-bb"].into_iter().chain(words.iter().map(String::as_str)).chain(["proxytill.spec"]).collect();
    let mut pack = run::program("rpmbuild", &words);
    pack.within(&work).env("SOURCE_DATE_EPOCH", &job.epoch).captured()?;
    let architecture = std::env::consts::ARCH;
    let built = work.join("RPMS").join(architecture).join(format!("proxytill-{}-1.{architecture}.rpm", job.version));
    std::fs::copy(&built, made).map(drop).map_err(|error| format!("{}: {error}", built.display()))
}
