//! The packages that were made.

use std::path::PathBuf;

use crate::artefact::ALL;
use crate::project::{OUT, Project};

/// Path of the package for this target.
pub(crate) fn made(project: &Project, target: &str) -> Result<PathBuf, String> {
    let artefact = ALL.iter().find(|artefact| artefact.target == target).ok_or("no such kind")?;
    Ok(project.path(OUT).join(artefact.packed(project, &project.version()?.to_string())))
}

/// The same as text for a command line.
pub(crate) fn named(project: &Project, target: &str) -> Result<String, String> {
    Ok(made(project, target)?.display().to_string())
}
