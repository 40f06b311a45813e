//! Tests that run on Linux alone are few, and each says why.

use std::collections::BTreeSet;

const LEFT_OUT: &str = "tests/wine/left-out.txt";
const AT_RELEASE: &str = "tests/wine/left-out-at-release.txt";
/// What a test for Linux alone begins with.
const ALONE: &str = "#[cfg(target_os = \"linux\")]\n#[tokio::test";

/// Suite and name of each test that is left out, with the reason.
fn left_out(file: &str) -> Vec<(String, String)> {
    let text = super::text(file.as_ref());
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts = lines.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("{file}: `{line}` has no reason")));
    parts.map(|(test, why)| (test.to_owned(), why.to_owned())).collect()
}

#[test]
fn the_list_of_tests_that_windows_does_not_run_only_gets_shorter() {
    let before: BTreeSet<String> = left_out(AT_RELEASE).into_iter().map(|(test, _)| test).collect();
    for (test, why) in left_out(LEFT_OUT) {
        assert!(before.contains(&test), "{test} ran at the last release; make it run again ({why})");
    }
}

#[test]
fn every_test_for_linux_alone_is_in_the_list() {
    let listed: BTreeSet<String> = left_out(LEFT_OUT).into_iter().map(|(test, _)| test).collect();
    let mut alone = BTreeSet::new();
    for file in super::files(&[".rs"]) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if file.starts_with("tests/faults/linux") {
            alone.insert(format!("faults linux::{name}"));
        }
        let suite =
            ["contract", "commands", "faults"].into_iter().find(|suite| file.starts_with(format!("tests/{suite}")));
        let Some(suite) = suite else { continue };
        for test in super::text(&file).split(ALONE).skip(1) {
            let test = test.split_once(" fn ").and_then(|(_, rest)| rest.split('(').next()).expect("a function");
            alone.insert(format!("{suite} {name}::{test}"));
        }
    }
    assert!(alone.len() > 9, "{alone:?}");
    assert!(alone.is_subset(&listed), "not in {LEFT_OUT}: {:?}", alone.difference(&listed));
}
