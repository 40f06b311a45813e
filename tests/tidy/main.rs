//! Rules of the house that no compiler knows. Each names what breaks it.

mod front_end;
mod sources;
mod weight;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Every file that is in the repository or about to be, as paths from the root.
fn files(endings: &[&str]) -> Vec<PathBuf> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(list).current_dir(tests::root()).output().expect("git");
    let names = String::from_utf8(output.stdout).expect("names");
    let all: Vec<PathBuf> = names
        .lines()
        .filter(|name| endings.iter().any(|ending| name.ends_with(ending)))
        .map(PathBuf::from)
        .filter(|path| tests::root().join(path).is_file())
        .collect();
    assert!(!all.is_empty(), "no file ends with {endings:?}: a rule that looks at nothing holds nothing");
    all
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(tests::root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files below one of `folders` with these endings whose text has one of the words.
fn with_any(folders: &[&str], endings: &[&str], words: &[&str]) -> Vec<String> {
    let inside = |path: &&PathBuf| folders.iter().any(|folder| path.starts_with(folder));
    let files = files(endings);
    let read = files.iter().filter(inside).filter_map(|path| {
        let text = text(path);
        words.iter().find(|word| text.contains(**word)).map(|word| format!("{}: {word}", path.display()))
    });
    read.collect()
}
