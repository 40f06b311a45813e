//! Metadata for other people's catalogues: filled in from the files of a release, submitted by a person.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::artefact::ALL;
use crate::called::checked;
use crate::checkers;
use crate::dmg::IMAGES;
use crate::project::Project;
use crate::sha256::sum;

/// A file, below `packaging/catalogues` in the project and below `catalogues` in a release.
struct File {
    name: &'static str,
    /// Keys that the catalogue requires.
    keys: &'static [&'static str],
}

const FILES: [File; 7] = [
    File { name: "aur/PKGBUILD", keys: &["pkgname", "pkgver", "pkgrel", "arch", "license", "source", "sha256sums"] },
    File {
        name: "flatpak/app.proxytill.Proxytill.json",
        keys: &["id", "runtime", "runtime-version", "sdk", "command", "finish-args", "modules"],
    },
    File {
        name: "homebrew/proxytill.rb",
        keys: &["version", "sha256", "url", "name", "desc", "homepage", "livecheck", "app"],
    },
    File { name: "winget/Proxytill.Proxytill.yaml", keys: &["DefaultLocale"] },
    File {
        name: "winget/Proxytill.Proxytill.installer.yaml",
        keys: &["InstallerType", "Installers.Architecture", "Installers.InstallerUrl", "Installers.InstallerSha256"],
    },
    File {
        name: "winget/Proxytill.Proxytill.locale.en-US.yaml",
        keys: &["PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"],
    },
    File { name: "winget/Proxytill.Proxytill.locale.zh-CN.yaml", keys: &["PackageLocale"] },
];

/// Keys required in every winget file.
const WINGET: [&str; 4] = ["PackageIdentifier", "PackageVersion", "ManifestType", "ManifestVersion"];

/// Fills in the files with the version and checksums of this release.
pub(crate) fn fill(project: &Project, folder: &Path) -> Result<(), String> {
    let version = project.version()?.to_string();
    let mut sums = Vec::new();
    let files = ALL.iter().map(|artefact| (artefact.target, artefact.name(&version)));
    for (target, name) in files.chain(IMAGES.iter().map(|image| (image.target, image.name(&version)))) {
        let file = folder.join(name);
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        sums.push((target, sum(&bytes)));
    }
    let _ = fs::remove_dir_all(folder.join("catalogues"));
    for file in &FILES {
        let text = filled(project, file, &version, &sums)?;
        ensure_filled(file, &text)?;
        write(&folder.join("catalogues").join(file.name), &text)?;
    }
    Ok(())
}

/// Fills in every file with sample checksums, and parses each.
pub(crate) fn check(project: &Project) -> Result<String, String> {
    let images = IMAGES.iter().map(|image| image.target);
    let targets = ALL.iter().map(|artefact| artefact.target).chain(images);
    let sums: Vec<_> = targets.map(|target| (target, sum(target.as_bytes()))).collect();
    let folder = project.path("target/reach/catalogues");
    for file in &FILES {
        let text = filled(project, file, "1.2.3", &sums)?;
        ensure_filled(file, &text)?;
        let to = folder.join(file.name);
        write(&to, &text)?;
        let missing = missing(project, file, &to, &text)?;
        if !missing.is_empty() {
            return Err(format!("{} has no {}", file.name, missing.join(", ")));
        }
    }
    Ok(format!("{} files: the syntax is right, no required key is missing", FILES.len()))
}

fn ensure_filled(file: &File, text: &str) -> Result<(), String> {
    let left = text.lines().find(|line| line.contains("@SHA256") || line.contains("@VERSION"));
    left.map_or(Ok(()), |left| Err(format!("{}: `{left}` is not filled in", file.name)))
}

/// Parses a file in its own language. Returns the required keys that are missing.
fn missing(project: &Project, file: &File, at: &Path, text: &str) -> Result<Vec<&'static str>, String> {
    let at = at.display().to_string();
    let told = match at.rsplit('.').next() {
        Some("json") => text.to_owned(),
        Some("yaml") => {
            let read = "import json,sys; from ruamel.yaml import YAML; \
                json.dump(YAML(typ='safe').load(open(sys.argv[1])), sys.stdout)";
            checked(&checkers::tool(project, "python")?, &["-c", read, &at])?
        }
        kind => {
            let reader = if kind == Some("rb") { ["ruby", "-c"] } else { ["bash", "-n"] };
            checked(reader[0], &[reader[1], &at])?;
            let has = |key: &&str| {
                let begins =
                    |line: &str| line.trim().strip_prefix(key).is_some_and(|rest| rest.starts_with([' ', '=']));
                text.lines().any(begins)
            };
            return Ok(file.keys.iter().copied().filter(|key| !has(key)).collect());
        }
    };
    let value: Value = serde_json::from_str(&told).map_err(|error| format!("{}: {error}", file.name))?;
    let common: &[&str] = if file.name.starts_with("winget") { &WINGET } else { &[] };
    let has = |key: &&str| {
        key.split('.').try_fold(&value, |within, part| match within {
            Value::Array(all) => all.first()?.get(part),
            _ => within.get(part),
        })
    };
    Ok(file.keys.iter().chain(common).copied().filter(|key| has(key).is_none_or(Value::is_null)).collect())
}

fn filled(project: &Project, file: &File, version: &str, sums: &[(&str, String)]) -> Result<String, String> {
    let text = project.read(&format!("packaging/catalogues/{}", file.name))?.replace("@VERSION@", version);
    Ok(sums.iter().fold(text, |text, (target, sum)| text.replace(&place(target), sum)))
}

/// The placeholder of a file's checksum.
fn place(target: &str) -> String {
    format!("@SHA256 {target}@")
}

fn write(to: &Path, text: &str) -> Result<(), String> {
    let written = fs::create_dir_all(to.parent().unwrap_or(to)).and_then(|()| fs::write(to, text));
    written.map_err(|error| format!("{}: {error}", to.display()))
}
