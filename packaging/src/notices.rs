//! The licences of every package that the program carries, as Settings, About shows them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use crate::project::Project;
use crate::shipped::{self, Package};

/// Where they lie. Written, never edited.
pub const FILE: &str = "packaging/notices.txt";
const RULE: &str = "\n------------------------------------------------------------------------------\n\n";
/// How the files begin in which packages keep their terms.
const BEGINNINGS: [&str; 6] = ["licence", "license", "copying", "copyright", "notice", "unlicense"];

/// Collects them anew.
pub fn write(project: &Project) -> Result<(), String> {
    project.write(FILE, &fresh(project)?)
}

/// What the file should say.
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
    // In the order of the list above: whoever looks for a package finds its terms by its name.
    let mut groups: Vec<(Vec<String>, String)> = users.into_iter().map(|(terms, users)| (users, terms)).collect();
    groups.sort();
    for (users, terms) in groups {
        let _ = write!(text, "{RULE}{}\n\n{terms}\n", users.join(", "));
    }
    Ok(text)
}

/// The texts under which a package is used: its own files, or the licence's words where it has none.
fn terms(package: &Package) -> Result<Vec<String>, String> {
    let mut files: Vec<(String, String)> = Vec::new();
    let entries = fs::read_dir(&package.folder).map_err(|error| format!("{}: {error}", package.folder.display()))?;
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if entry.path().is_file() && BEGINNINGS.iter().any(|begin| name.starts_with(begin)) && !name.ends_with(".rs") {
            let bytes = fs::read(entry.path()).map_err(|error| format!("{}: {error}", entry.path().display()))?;
            files.push((name, String::from_utf8_lossy(&bytes).replace('\r', "").trim().to_owned()));
        }
    }
    // Of several licences one is enough, and this one is the shortest.
    let has_mit = files.iter().any(|(name, _)| name.contains("mit"));
    if has_mit && package.license.contains(" OR ") {
        files.retain(|(name, _)| name.contains("mit") || name.starts_with("notice"));
    }
    files.sort();
    let files: Vec<String> = files.into_iter().map(|(_, text)| text).filter(|text| !text.is_empty()).collect();
    if files.is_empty() { of_spdx(package).map(|text| vec![text]) } else { Ok(files) }
}

fn of_spdx(package: &Package) -> Result<String, String> {
    let named = package.license.split(|c: char| c.is_whitespace() || "()".contains(c));
    let text =
        named.filter_map(spdx::license_id).map(|license| license.text().replace('\r', "").trim().to_owned()).next();
    text.ok_or_else(|| {
        format!("{} {}: no licence file, and no text of `{}`", package.name, package.version, package.license)
    })
}
