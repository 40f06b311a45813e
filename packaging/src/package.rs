//! `cargo xtask package`: makes the packages that this system can make.

use std::fs;

use xtask::packages;

use crate::artefact::{ALL, Artefact};
use crate::job::Job;
use crate::project::Project;
use crate::{dmg, program, signing};

/// Folder for the packages.
pub const OUT: &str = "target/packages";

/// Builds the program and makes these kinds of package, or all that this system can make.
///
/// # Errors
/// When a kind is unknown, when this system can make none, or when a tool fails.
pub fn make(project: &Project, wanted: &[&str]) -> Result<(), String> {
    if cfg!(target_os = "macos") {
        return dmg::make(project, wanted);
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("packages for this system are not made yet; see docs/releasing.md".into());
    }
    let unknown = wanted.iter().find(|name| ALL.iter().all(|artefact| artefact.kind != **name));
    if let Some(name) = unknown {
        return Err(format!("`{name}`: unknown, use deb, rpm or archive"));
    }
    let chosen = ALL.iter().filter(|artefact| wanted.is_empty() || wanted.contains(&artefact.kind));
    let chosen: Vec<&Artefact> = chosen.collect();
    for artefact in &chosen {
        packages::ensure(artefact.tools)?;
    }
    let epoch = program::epoch()?;
    let program = program::build(project, &epoch)?;
    let (work, out) = (project.path("target/package"), project.path(OUT));
    // Remove packages of an earlier version.
    let _ = fs::remove_dir_all(&out);
    if !signing::has_key(project) {
        println!("{} is missing: this program will never update itself", signing::PUBLIC);
    }
    let job = Job { project, version: project.version()?.to_string(), program, epoch, work, out };
    for artefact in chosen {
        println!("{}", artefact.pack(&job)?.display());
    }
    Ok(())
}
