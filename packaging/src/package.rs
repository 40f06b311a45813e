//! `cargo xtask package`: makes the packages of this system, or those that are named.

use std::fs;

use xtask::packages;

use crate::artefact::{ALL, Artefact};
use crate::job::Job;
use crate::project::{OUT, Project};
use crate::{dmg, program, signing, time, windows};

/// Builds the program for Windows; on Linux also makes its installers. One for which Microsoft's part has not been
/// fetched is left out, and the output says so.
///
/// # Errors
/// When this system cannot build it, a tool fails, or Microsoft's part of every installer is missing.
pub fn windows(project: &Project) -> Result<(), String> {
    println!("{}", program::build_for_windows(project, &time::epoch()?)?.display());
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    make(project, &with_runtime(project)?)
}

/// The installers for which Microsoft's part is there. What was made of the others before is deleted.
fn with_runtime(project: &Project) -> Result<Vec<&'static str>, String> {
    let (mut kinds, mut missing) = (Vec::new(), Vec::new());
    let version = project.version()?.to_string();
    for (kind, runtime) in [("setup", windows::BOOTSTRAPPER), ("offline", windows::STANDALONE)] {
        let Err(why) = runtime.file(project) else {
            kinds.push(kind);
            continue;
        };
        if let Some(artefact) = ALL.iter().find(|artefact| artefact.kind == kind) {
            let _ = fs::remove_file(project.path(OUT).join(artefact.packed(project, &version)));
        }
        missing.push(format!("`{kind}` is left out: {why}"));
    }
    if kinds.is_empty() {
        return Err(missing.join("\n"));
    }
    missing.iter().for_each(|line| println!("{line}"));
    Ok(kinds)
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
    let epoch = time::epoch()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installer_is_made_where_microsofts_part_is_there_and_left_out_where_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::at(folder.path());
        project.write("Cargo.toml", "[workspace.package]\nversion = \"1.2.3\"\n").unwrap();
        let why = with_runtime(&project).unwrap_err();
        assert!(why.contains("`setup` is left out") && why.contains("`offline` is left out"), "{why}");
        let part = windows::BOOTSTRAPPER.path(&project);
        fs::create_dir_all(part.parent().unwrap()).unwrap();
        fs::write(part, "MZ").unwrap();
        let old = project.path(OUT).join("Proxytill_1.2.3_x64-setup-offline-unsigned.exe");
        fs::create_dir_all(old.parent().unwrap()).unwrap();
        fs::write(&old, "MZ").unwrap();
        assert_eq!(with_runtime(&project).unwrap(), ["setup"]);
        assert!(!old.exists(), "an older one does not pass for a new one");
    }
}
