//! Rules of the project that no compiler checks. Each names the files that break it.

mod dependencies;
mod front_end;
mod portable;
mod releases;
mod sources;
mod web_views;
mod weight;

use std::path::{Path, PathBuf};

/// Folders that are generated, installed, or belong to the working copy.
const NOT_OURS: &[&str] = &["target", "node_modules", "dist", "gen", ".git"];

/// Every file of the project with one of these extensions, as a path from the root.
fn files(endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(Path::new(""), &mut found);
    found.retain(|path| endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)));
    assert!(!found.is_empty(), "no file ends with {endings:?}: a rule that looks at nothing holds nothing");
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(tests::root().join(folder)).expect("a folder") {
        let entry = entry.expect("an entry");
        let (name, path) = (entry.file_name(), folder.join(entry.file_name()));
        if NOT_OURS.iter().any(|other| name == *other) {
            continue;
        }
        if entry.path().is_dir() {
            collect(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(tests::root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files below one of `folders`, with one of these extensions, whose text contains one of the words.
fn with_any(folders: &[&str], endings: &[&str], words: &[&str]) -> Vec<String> {
    let inside = |path: &&PathBuf| folders.iter().any(|folder| path.starts_with(folder));
    let files = files(endings);
    let read = files.iter().filter(inside).filter_map(|path| {
        let text = text(path);
        words.iter().find(|word| text.contains(**word)).map(|word| format!("{}: {word}", path.display()))
    });
    read.collect()
}
