//! `cargo xtask package`: what this system can make.

use std::path::PathBuf;

use xtask::packages;

use crate::project::Project;
use crate::{archive, deb, program, rpm, signing};

/// Where packages are left.
pub const OUT: &str = "target/packages";

/// What every kind is made from.
pub(crate) struct Job<'a> {
    pub(crate) project: &'a Project,
    pub(crate) version: String,
    /// The optimised program.
    pub(crate) program: PathBuf,
    /// Seconds since 1970.
    pub(crate) epoch: String,
    /// Where things lie that are needed on the way.
    pub(crate) work: PathBuf,
    /// Where packages are left.
    pub(crate) out: PathBuf,
}

impl Job<'_> {
    /// A folder to make one kind in.
    pub(crate) fn work(&self, kind: &str) -> PathBuf {
        self.work.join(kind)
    }

    /// A text with this version, and its day in this form.
    pub(crate) fn dated(&self, text: &str, form: &str) -> Result<String, String> {
        let time = program::moment(&self.epoch)?;
        Ok(text.replace("@VERSION@", &self.version).replace("@DAY@", &time.strftime(form).to_string()))
    }

    /// The finished file, whose folder is there.
    pub(crate) fn out(&self, name: &str) -> Result<PathBuf, String> {
        std::fs::create_dir_all(&self.out).map_err(|error| format!("{}: {error}", self.out.display()))?;
        Ok(self.out.join(name))
    }

    /// Makes these kinds.
    pub(crate) fn run(&self, kinds: &[&Kind]) -> Result<Vec<PathBuf>, String> {
        kinds.iter().map(|(kind, make, _)| make(self).map_err(|why| format!("{kind}: {why}"))).collect()
    }
}

/// A kind of package: its name, what makes it, and the system's packages for that.
pub(crate) type Kind = (&'static str, fn(&Job) -> Result<PathBuf, String>, &'static [&'static str]);

pub(crate) const KINDS: [Kind; 3] =
    [("deb", deb::make, deb::TOOLS), ("rpm", rpm::make, rpm::TOOLS), ("archive", archive::make, archive::TOOLS)];

/// Builds the program and makes these kinds of package, or all that this system can make.
pub fn make(project: &Project, wanted: &[&str]) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Err("packages of this system are not made yet; see docs/releasing.md".into());
    }
    let unknown = wanted.iter().find(|name| KINDS.iter().all(|(kind, ..)| *name != kind));
    if let Some(name) = unknown {
        return Err(format!("`{name}`: say deb, rpm or archive"));
    }
    let chosen = KINDS.iter().filter(|(kind, ..)| wanted.is_empty() || wanted.contains(kind));
    let chosen: Vec<&Kind> = chosen.collect();
    for (_, _, tools) in &chosen {
        packages::ensure(tools)?;
    }
    let epoch = program::epoch()?;
    let program = program::build(project, &epoch)?;
    let (work, out) = (project.path("target/package"), project.path(OUT));
    // What an earlier version left is no part of this one.
    let _ = std::fs::remove_dir_all(&out);
    if !project.path(signing::PUBLIC).exists() {
        println!("{} is missing: this program will never update itself", signing::PUBLIC);
    }
    let job = Job { project, version: project.version()?.to_string(), program, epoch, work, out };
    job.run(&chosen)?.iter().for_each(|made| println!("{}", made.display()));
    Ok(())
}
