//! Runs other people's checkers on the packages, their metadata and the hosted workflows.

use std::fs;

use crate::called::checked;
use crate::made::named;
use crate::project::Project;

pub(crate) fn lintian(project: &Project) -> Result<String, String> {
    let told = checked("lintian", &["--fail-on", "error", "--show-overrides", &named(project, "linux-x86_64-deb")?])?;
    let of = |kind: &str| told.lines().filter(|line| line.starts_with(kind)).count();
    Ok(format!("0 errors, {} warnings, {} overridden", of("W:"), of("O:")))
}

pub(crate) fn rpmlint(project: &Project) -> Result<String, String> {
    let settings = project.path("packaging/linux/rpmlint.toml").display().to_string();
    let told = checked("rpmlint", &["--config", &settings, &named(project, "linux-x86_64-rpm")?])?;
    Ok(told.lines().rfind(|line| line.contains("error")).unwrap_or_default().trim().to_owned())
}

pub(crate) fn metadata(project: &Project) -> Result<String, String> {
    let file = |name: &str| project.path("packaging/linux").join(name).display().to_string();
    checked("appstreamcli", &["validate", "--no-net", &file("app.proxytill.Proxytill.metainfo.xml")])?;
    checked("desktop-file-validate", &[&file("app.proxytill.Proxytill.desktop")])?;
    checked("mandoc", &["-T", "lint", "-W", "warning", &file("proxytill.1")])?;
    Ok("0 findings of appstreamcli, desktop-file-validate and mandoc".into())
}

/// Checkers of workflows, from PyPI.
const CHECKERS: [&str; 2] = ["zizmor==1.32.0", "check-jsonschema==0.39.0"];

pub(crate) fn workflows(project: &Project) -> Result<String, String> {
    let files = [".github/workflows/test.yml", ".github/workflows/release.yml"];
    checked(&tool(project, "zizmor")?, &[&["--offline"], &files[..]].concat())?;
    checked(
        &tool(project, "check-jsonschema")?,
        &[&["--builtin-schema", "vendor.github-workflows"], &files[..]].concat(),
    )?;
    Ok(format!("no finding of {}", CHECKERS.join(" and ")))
}

/// Returns a program of the checkers, installing them if necessary.
pub(crate) fn tool(project: &Project, name: &str) -> Result<String, String> {
    let folder = project.path("target/checkers");
    let program = |name: &str| folder.join("bin").join(name).display().to_string();
    let (stamp, wanted) = (folder.join("installed"), CHECKERS.join(" "));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(program(name));
    }
    checked("python3", &["-m", "venv", &folder.display().to_string()])?;
    checked(&program("pip"), &[&["install", "--quiet"], &CHECKERS[..]].concat())?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(program(name))
}
