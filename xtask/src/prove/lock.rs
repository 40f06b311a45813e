//! What a package is built from, by `Cargo.lock`: a dependency of the window alone does not void the proof of the core.

use std::collections::{BTreeMap, BTreeSet};

/// Some packages with everything that they are built from.
pub(super) struct Locked<'a> {
    /// The entries of each name; a name has several if there are several versions.
    entries: BTreeMap<&'a str, Vec<&'a str>>,
    /// The names of all other packages.
    others: BTreeSet<&'a str>,
}

impl<'a> Locked<'a> {
    /// Reads the text of `Cargo.lock`, and keeps these packages and what they need.
    ///
    /// # Errors
    /// When one of them is not in it.
    pub(super) fn of(lock: &'a str, packages: &[&'a str]) -> Result<Self, String> {
        let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for entry in lock.split("[[package]]\n").skip(1).map(str::trim_end) {
            let name = entry.lines().find_map(|line| line.strip_prefix("name = ")).unwrap_or_default();
            all.entry(name.trim_matches('"')).or_default().push(entry);
        }
        if let Some(unknown) = packages.iter().find(|name| !all.contains_key(*name)) {
            return Err(format!("Cargo.lock has no package `{unknown}`"));
        }
        let mut waiting: BTreeSet<&str> = packages.iter().copied().collect();
        let mut entries = BTreeMap::new();
        while let Some(name) = waiting.pop_first() {
            // Of a name with several versions all are kept: more than is needed voids too much, never too little.
            let Some(found) = all.remove(name) else { continue };
            waiting.extend(found.iter().flat_map(|entry| entry.lines()).filter_map(dependency));
            entries.insert(name, found);
        }
        Ok(Self { entries, others: all.into_keys().collect() })
    }

    /// Their entries, in the order of the names.
    pub(super) fn entries(&self) -> impl Iterator<Item = &'a str> {
        self.entries.values().flatten().copied()
    }

    /// The lines of the workspace's `Cargo.toml`, without the dependencies that these packages do not need, and without
    /// the profile for development: a proof runs with that of a release.
    pub(super) fn manifest<'b>(&self, text: &'b str) -> impl Iterator<Item = &'b str> {
        let mut section = "";
        text.lines().filter(move |line| {
            if line.starts_with('[') {
                section = line;
            }
            let is_dependency = section == "[workspace.dependencies]";
            let name = line.split_once(" = ").map(|(name, _)| name).filter(|_| is_dependency);
            let is_needed = name.is_none_or(|name| !self.others.contains(name) || line.contains("package = "));
            is_needed && !section.starts_with("[profile.dev")
        })
    }
}

/// The name in a line of a list of dependencies: ` "name",` or ` "name version",`.
fn dependency(line: &str) -> Option<&str> {
    line.strip_prefix(" \"")?.split(['"', ' ']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "version = 4\n
[[package]]\nname = \"core\"\nversion = \"1\"\ndependencies = [\n \"one\",\n \"two 2.0.0\",\n]\n
[[package]]\nname = \"one\"\nversion = \"1\"\n
[[package]]\nname = \"two\"\nversion = \"1.0.0\"\n
[[package]]\nname = \"two\"\nversion = \"2.0.0\"\ndependencies = [\n \"core\",\n]\n
[[package]]\nname = \"window\"\nversion = \"1\"\ndependencies = [\n \"core\",\n]\n";

    #[test]
    fn what_a_package_needs_counts_and_what_needs_it_does_not() {
        let of = |lock: &str| Locked::of(lock, &["core"]).unwrap().entries().collect::<Vec<_>>().join("\n");
        assert_eq!(of(LOCK).matches("name = ").count(), 4, "{}", of(LOCK));
        assert_eq!(of(LOCK), of(&LOCK.replace("\"window\"\nversion = \"1\"", "\"window\"\nversion = \"2\"")));
        assert_ne!(of(LOCK), of(&LOCK.replace("\"one\"\nversion = \"1\"", "\"one\"\nversion = \"2\"")));
        assert_ne!(of(LOCK), of(&LOCK.replace("\"2.0.0\"\ndep", "\"2.0.1\"\ndep")));
        assert!(Locked::of(LOCK, &["core", "renamed"]).is_err());
    }

    #[test]
    fn a_dependency_of_others_and_the_profile_for_development_are_left_out_of_the_manifest() {
        let text = "[workspace]\nwindow = \"a\"\n[workspace.dependencies]\none = \"1\"\nwindow = { path = \"w\" }\n\
                    [profile.dev.path]\nwindow = \"path\"\n[profile.release]\nwindow = 1";
        let kept: Vec<_> = Locked::of(LOCK, &["core"]).unwrap().manifest(text).collect();
        assert_eq!(kept, text.lines().filter(|line| !line.contains("path")).collect::<Vec<_>>());
    }
}
