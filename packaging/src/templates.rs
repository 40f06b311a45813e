//! What the catalogues of others want to know of a release: filled from its files, handed in by a person.

use std::fs;
use std::path::Path;

use crate::artefact::ALL;
use crate::project::Project;
use crate::release::sum;

/// A template, below `packaging/templates` and below `catalogues` in a release.
const TEMPLATES: [&str; 2] = ["aur/PKGBUILD", "flatpak/app.proxytill.Proxytill.json"];

/// Writes every template with this release's version and checksums.
pub(crate) fn fill(project: &Project, folder: &Path) -> Result<(), String> {
    let version = project.version()?.to_string();
    for template in TEMPLATES {
        let mut text = project.read(&format!("packaging/templates/{template}"))?.replace("@VERSION@", &version);
        for artefact in &ALL {
            let place = format!("@SHA256 {}@", artefact.target);
            if text.contains(&place) {
                let file = folder.join(artefact.name(&version));
                let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
                text = text.replace(&place, &sum(&bytes));
            }
        }
        if text.contains("@SHA256") {
            return Err(format!("{template} asks for a file that is no part of a release"));
        }
        let to = folder.join("catalogues").join(template);
        let written = fs::create_dir_all(to.parent().unwrap_or(folder)).and_then(|()| fs::write(&to, text));
        written.map_err(|error| format!("{}: {error}", to.display()))?;
    }
    Ok(())
}
