//! `cargo xtask package`: makes the packages of this system, or those that are named.

use std::fs;

use xtask::packages;

use crate::artefact::{ALL, Artefact};
use crate::job::Job;
use crate::project::Project;
use crate::{dmg, program, signing};

/// Folder for the packages.
pub const OUT: &str = "target/packages";

/// Builds the program for Windows, from which its installers are made.
///
/// # Errors
/// When this system cannot build it, or the build fails.
pub fn windows(project: &Project) -> Result<(), String> {
    println!("{}", program::build_for_windows(project, &program::epoch()?)?.display());
    Ok(())
}

/// Makes these kinds of package, or all of this system. Builds the program for those of this system. The one for Windows
/// has to be there already: another computer may have built it.
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
        let kinds = ALL.iter().map(|artefact| artefact.kind).collect::<Vec<_>>().join(", ");
        return Err(format!("`{name}`: unknown, use {kinds}"));
    }
    let is_wanted = |artefact: &&Artefact| match wanted {
        [] => !artefact.is_for_windows(),
        _ => wanted.contains(&artefact.kind),
    };
    let chosen: Vec<&Artefact> = ALL.iter().filter(is_wanted).collect();
    for artefact in &chosen {
        packages::ensure(artefact.tools)?;
    }
    let epoch = program::epoch()?;
    // The one that takes no time first: it may be missing.
    let windows = chosen.iter().any(|artefact| artefact.is_for_windows());
    let windows = windows.then(|| program::built_for_windows(project)).transpose()?;
    let own = chosen.iter().any(|artefact| !artefact.is_for_windows());
    let own = own.then(|| program::build(project, &epoch)).transpose()?;
    let (work, out, version) = (project.path("target/package"), project.path(OUT), project.version()?.to_string());
    if wanted.is_empty() {
        // Remove packages of an earlier version.
        let _ = fs::remove_dir_all(&out);
    }
    if !signing::has_key(project) {
        println!("{} is missing: this program will never update itself", signing::PUBLIC);
    }
    for artefact in chosen {
        let program = if artefact.is_for_windows() { &windows } else { &own };
        let program = program.clone().ok_or("the program was not built")?;
        let (version, epoch, work, out) = (version.clone(), epoch.clone(), work.clone(), out.clone());
        let job = Job { project, version, program, epoch, work, out };
        println!("{}", artefact.pack(&job)?.display());
    }
    Ok(())
}
