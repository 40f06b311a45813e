//! The licences of every package that the program carries, as shown under Settings, About.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::project::Project;
use crate::shipped::{self, Package};

/// Path of the file. It is generated, never edited.
pub const FILE: &str = "packaging/notices.txt";
const RULE: &str = "\n------------------------------------------------------------------------------\n\n";
/// Beginnings of the names of licence files in packages.
const BEGINNINGS: [&str; 6] = ["licence", "license", "copying", "copyright", "notice", "unlicense"];

/// Folders of a package with the sources of somebody else, whose licence lies there.
const CARRIED: [(&str, &str); 1] = [("libmimalloc-sys", "c_src/mimalloc/v3")];

/// Rewrites the file.
pub fn write(project: &Project) -> Result<(), String> {
    project.write(FILE, &fresh(project)?)
}

/// Returns what the file should contain.
pub fn fresh(project: &Project) -> Result<String, String> {
    let packages = shipped::packages(project)?;
    let mut text = format!(
        "Proxytill carries {} packages of others, under their own licences, Rust's standard library (MIT OR Apache-2.0) and \
         SQLite (public domain):\n\n",
        packages.len()
    );
    let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in &packages {
        let name = format!("{} {}", package.name, package.version);
        let _ = writeln!(text, "{name} ({})", package.license);
        for terms in terms(package)? {
            users.entry(terms).or_default().push(name.clone());
        }
    }
    // Sort by the list above, so that a package's terms are easy to find.
    let mut groups: Vec<(Vec<String>, String)> = users.into_iter().map(|(terms, users)| (users, terms)).collect();
    groups.sort();
    for (users, terms) in groups {
        let _ = write!(text, "{RULE}{}\n\n{terms}\n", users.join(", "));
    }
    Ok(text)
}

/// The licence texts of a package: its own files, or the standard text where it has none.
fn terms(package: &Package) -> Result<Vec<String>, String> {
    let mut files = licences(&package.folder)?;
    // One of several licences is enough; MIT is the shortest.
    let has_mit = files.iter().any(|(name, _)| name.contains("mit"));
    if has_mit && package.license.contains(" OR ") {
        files.retain(|(name, _)| name.contains("mit") || name.starts_with("notice"));
    }
    for (_, folder) in CARRIED.iter().filter(|(name, _)| *name == package.name) {
        let of_others = licences(&package.folder.join(folder))?;
        if of_others.is_empty() {
            return Err(format!("{}: no licence in {folder}", package.name));
        }
        files.extend(of_others);
    }
    files.sort();
    let files: Vec<String> = files.into_iter().map(|(_, text)| text).filter(|text| !text.is_empty()).collect();
    if files.is_empty() { of_spdx(package).map(|text| vec![text]) } else { Ok(files) }
}

/// The licence files in a folder: name in small letters, and text.
fn licences(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let mut files: Vec<(String, String)> = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if entry.path().is_file() && BEGINNINGS.iter().any(|begin| name.starts_with(begin)) && !name.ends_with(".rs") {
            let bytes = fs::read(entry.path()).map_err(|error| format!("{}: {error}", entry.path().display()))?;
            files.push((name, String::from_utf8_lossy(&bytes).replace('\r', "").trim().to_owned()));
        }
    }
    Ok(files)
}

fn of_spdx(package: &Package) -> Result<String, String> {
    let named = package.license.split(|c: char| c.is_whitespace() || "()".contains(c));
    let text =
        named.filter_map(spdx::license_id).map(|license| license.text().replace('\r', "").trim().to_owned()).next();
    text.ok_or_else(|| {
        format!("{} {}: no licence file, and no text of `{}`", package.name, package.version, package.license)
    })
}
