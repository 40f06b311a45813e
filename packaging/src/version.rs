//! Keeps one version in every file that names it.

use jiff::civil::Date;
use semver::Version;

use crate::metainfo;
use crate::notes::LANGUAGES;
use crate::project::Project;

const CHANGELOG: &str = "CHANGELOG.md";
const UNRELEASED: &str = "## Unreleased\n";
/// The tests that Windows does not run. The next release may not have more.
pub(crate) const LEFT_OUT: &str = "tests/wine/left-out.txt";
const LEFT_OUT_AT_RELEASE: &str = "tests/wine/left-out-at-release.txt";
const COPIED: &str =
    "# `left-out.txt` at the last release; before the first release, a plain copy. `cargo xtask version` updates it.";

/// Sets the version to `to`, with its date, in manifest, lock file, changelog, notes and metainfo. Writes nothing
/// when one of them cannot be changed.
pub fn change(project: &Project, to: &Version, day: Date) -> Result<(), String> {
    let from = project.version()?;
    let changelog = project.read(CHANGELOG)?;
    let is_first = released(&changelog).is_empty();
    if *to < from || (*to == from && !is_first) {
        return Err(format!("{to} is not newer than {from}"));
    }
    if !to.pre.is_empty() || !to.build.is_empty() {
        return Err(format!("{to}: only MAJOR.MINOR.PATCH, which every package kind sorts alike"));
    }
    let unreleased = changelog.split_once(UNRELEASED).map(|(_, after)| after.split("\n## ").next().unwrap_or_default());
    if unreleased.is_none_or(|text| text.trim().is_empty()) {
        return Err(format!("{CHANGELOG}: there is nothing under `{}`", UNRELEASED.trim()));
    }
    let day = day.to_string();
    let [english, chinese] = LANGUAGES.map(|language| language.closed(project, to, &day));
    let (english, chinese) = (english?, chinese?);
    if english.points != chinese.points {
        return Err(format!("{} and {} do not have the same points", english.file, chinese.file));
    }
    for notes in [english, chinese] {
        project.write(notes.file, &notes.text)?;
    }
    let closed = format!("{UNRELEASED}\n## {to} ({day})\n");
    project.write(CHANGELOG, &changelog.replacen(UNRELEASED, &closed, 1))?;
    let left_out = project.read(LEFT_OUT)?;
    let left_out = left_out.split_once("\n\n").map_or("", |(_, lines)| lines);
    project.write(LEFT_OUT_AT_RELEASE, &format!("{COPIED}\n\n{left_out}"))?;
    manifest(project, to)?;
    lock(project, &from, to)?;
    metainfo::write(project)
}

fn manifest(project: &Project, to: &Version) -> Result<(), String> {
    let mut manifest = project.toml("Cargo.toml")?;
    manifest["workspace"]["package"]["version"] = toml_edit::value(to.to_string());
    project.write("Cargo.toml", &manifest.to_string())
}

/// Updates the lock file. The project's own crates are those without a source.
fn lock(project: &Project, from: &Version, to: &Version) -> Result<(), String> {
    let mut lock = project.toml("Cargo.lock")?;
    let packages = lock["package"].as_array_of_tables_mut().ok_or("Cargo.lock lists no packages")?;
    for package in packages.iter_mut().filter(|package| !package.contains_key("source")) {
        if package["version"].as_str() == Some(from.to_string().as_str()) {
            package["version"] = toml_edit::value(to.to_string());
        }
    }
    project.write("Cargo.lock", &lock.to_string())
}

/// The versions in a changelog, newest first.
fn released(changelog: &str) -> Vec<String> {
    let titles = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    titles.filter_map(|title| Some(title.split_once(" (")?.0.to_owned())).collect()
}

/// Differences between the files that name a version, one sentence each; empty when they agree.
pub fn differences(project: &Project) -> Result<Vec<String>, String> {
    let version = project.version()?.to_string();
    let mut wrong = Vec::new();
    let lock = project.toml("Cargo.lock")?;
    let packages = lock["package"].as_array_of_tables().ok_or("Cargo.lock lists no packages")?;
    for package in packages.iter().filter(|package| !package.contains_key("source")) {
        if package["version"].as_str() != Some(&version) {
            wrong.push(format!("Cargo.lock: {} is not {version}", package["name"]));
        }
    }
    let released = released(&project.read(CHANGELOG)?);
    if released.first().is_some_and(|newest| *newest != version) {
        wrong.push(format!("{CHANGELOG}: the newest release is not {version}"));
    }
    for language in LANGUAGES {
        let notes = language.notes(project)?;
        let noted: Vec<String> = notes.iter().filter_map(|notes| Some(notes.version.as_ref()?.to_string())).collect();
        if noted != released {
            wrong.push(format!("notes in {}: {noted:?}, the changelog has {released:?}", language.name));
        }
    }
    match metainfo::is_fresh(project) {
        Ok(true) => {}
        Ok(false) => wrong.push(format!("{} does not have the releases of the notes", metainfo::FILE)),
        Err(why) => wrong.push(why),
    }
    if project.read("ui/package.json")?.contains("\"version\"") {
        wrong.push("ui/package.json has a version of its own".into());
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{project, say_something};

    const FILES: [&str; 6] =
        ["Cargo.toml", "Cargo.lock", CHANGELOG, "packaging/notes/en.md", "packaging/notes/zh-CN.md", metainfo::FILE];

    /// A copy of the project's own files, which tests may change.
    fn copy() -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        let copy = Project::at(folder.path());
        for name in FILES.into_iter().chain(["ui/package.json", LEFT_OUT, LEFT_OUT_AT_RELEASE]) {
            std::fs::create_dir_all(copy.path(name).parent().unwrap()).unwrap();
            copy.write(name, &project().read(name).unwrap()).unwrap();
        }
        (folder, copy)
    }

    const DAY: Date = jiff::civil::date(2031, 2, 3);

    #[test]
    fn a_version_reaches_every_file_and_one_that_is_left_behind_is_named() {
        let (_folder, copy) = copy();
        say_something(&copy);
        let before = FILES.map(|name| copy.read(name).unwrap());
        change(&copy, &Version::new(97, 1, 2), DAY).unwrap();
        assert_eq!(differences(&copy).unwrap(), [""; 0]);
        assert!(copy.read(CHANGELOG).unwrap().contains("## Unreleased\n\n## 97.1.2 (2031-02-03)\n"));
        let metainfo = copy.read(metainfo::FILE).unwrap();
        assert!(metainfo.contains(r#"<release version="97.1.2" date="2031-02-03">"#));
        assert!(metainfo.contains("Something &amp; more"), "{metainfo}");
        for (name, before) in FILES.iter().zip(before) {
            let after = copy.read(name).unwrap();
            copy.write(name, &before).unwrap();
            assert_ne!(differences(&copy).unwrap(), [""; 0], "{name}");
            copy.write(name, &after).unwrap();
        }
        assert_eq!(differences(&copy).unwrap(), [""; 0]);
    }

    #[test]
    fn a_release_remembers_which_tests_windows_does_not_run() {
        let (_folder, copy) = copy();
        say_something(&copy);
        copy.write(LEFT_OUT, "# Why.\n\nfaults one: a reason\n").unwrap();
        change(&copy, &Version::new(97, 1, 2), DAY).unwrap();
        assert!(copy.read(LEFT_OUT_AT_RELEASE).unwrap().ends_with("\n\nfaults one: a reason\n"));
    }

    #[test]
    fn a_version_that_is_not_newer_or_has_nothing_to_say_changes_nothing() {
        let (_folder, copy) = copy();
        say_something(&copy);
        change(&copy, &Version::new(97, 1, 2), DAY).unwrap();
        let before = FILES.map(|name| copy.read(name).unwrap());
        for wrong in ["97.1.2", "96.9.9", "97.2.0", "98.0.0-beta"] {
            assert!(change(&copy, &wrong.parse().unwrap(), DAY).is_err(), "{wrong}");
        }
        // One language has a point more than the other.
        say_something(&copy);
        copy.write(FILES[3], &copy.read(FILES[3]).unwrap().replacen("## Next\n", "## Next\n- One more\n", 1)).unwrap();
        let said = [&before[..2], &[CHANGELOG, FILES[3], FILES[4]].map(|name| copy.read(name).unwrap())].concat();
        assert!(change(&copy, &Version::new(97, 2, 0), DAY).is_err());
        for (name, before) in FILES.iter().zip(said) {
            assert!(copy.read(name).unwrap() == before, "{name} was changed");
        }
    }
}
