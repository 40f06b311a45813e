//! What holds on every system: tests that run on Linux alone are few, and each says why; files and the window are handled
//! as Windows needs it.

use std::collections::BTreeSet;
use std::path::Path;

const LEFT_OUT: &str = "tests/wine/left-out.txt";
const AT_RELEASE: &str = "tests/wine/left-out-at-release.txt";
/// The suites that run under Wine.
const SUITES: [&str; 3] = ["contract", "commands", "faults"];

/// Suite and name of each test that is left out, with the reason.
fn left_out(file: &str) -> Vec<(String, String)> {
    lines_of(file, &super::text(file.as_ref()))
}

fn lines_of(file: &str, text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts = lines.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("{file}: `{line}` has no reason")));
    parts.map(|(test, why)| (test.to_owned(), why.to_owned())).collect()
}

/// The output of a git command; `None` if it fails.
fn git(words: &[&str]) -> Option<String> {
    let done = std::process::Command::new("git").args(words).current_dir(tests::root()).output().ok()?;
    done.status.success().then(|| String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

#[test]
fn the_list_of_tests_that_windows_does_not_run_only_gets_shorter() {
    let mut before = vec![left_out(AT_RELEASE)];
    // The sources may lie in another repository, with tags of its own.
    let is_ours = git(&["rev-parse", "--show-prefix"]).is_some_and(|prefix| prefix.is_empty());
    match git(&["describe", "--tags", "--abbrev=0", "--match", "v*"]) {
        Some(release) if is_ours => {
            let text = git(&["show", &format!("{release}:{LEFT_OUT}")]).expect("a release has the list");
            before.push(lines_of(LEFT_OUT, &text));
        }
        _ => println!("no release yet: compared with {AT_RELEASE} alone"),
    }
    for before in before {
        let before: BTreeSet<String> = before.into_iter().map(|(test, _)| test).collect();
        for (test, why) in left_out(LEFT_OUT) {
            assert!(before.contains(&test), "{test} ran at the last release; make it run again ({why})");
        }
    }
}

/// The tests and modules of a file that Windows does not compile.
fn alone(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_alone = |line: &str| {
        let but_windows = ["linux", "unix", "not(windows)", "not(target_os = \"windows\")"];
        line.starts_with("#[cfg(") && but_windows.iter().any(|system| line.contains(system))
    };
    let found: Vec<&str> = (0..lines.len())
        .filter(|at| is_alone(lines[*at]))
        .filter_map(|at| lines[at..].iter().find(|line| !line.starts_with("#[") && !line.starts_with("//")).copied())
        .filter_map(|line| {
            let after = ["mod ", "async fn ", "fn "].iter().find_map(|word| line.strip_prefix(word));
            after.and_then(|name| name.split(['(', ';', ' ']).next())
        })
        .collect();
    found.into_iter()
}

/// The suite of a file and its module there; `None` for files without tests that Windows runs. The suite of a library is
/// `unit-` and its name.
fn module_of(file: &Path) -> Option<(String, String)> {
    let path = file.with_extension("").to_string_lossy().replace('\\', "/");
    let of_library = path.strip_prefix("src-tauri/crates/").and_then(|path| path.split_once("/src/"));
    let of_shell = path.strip_prefix("src-tauri/src/").map(|module| ("proxytill_lib", module));
    if let Some((library, module)) = of_library.or(of_shell) {
        return Some((format!("unit-{library}"), module.replace('/', "::")));
    }
    let (suite, module) = path.strip_prefix("tests/")?.split_once('/')?;
    SUITES.contains(&suite).then(|| (suite.to_owned(), module.replace('/', "::")))
}

/// The part of a file that holds tests. A library's own code before them may be of one system too.
fn tests_in(suite: &str, text: &str) -> String {
    let begin = ["#[cfg(test)]", "#[cfg(all(test"].iter().filter_map(|mark| text.find(mark)).min();
    match begin {
        _ if !suite.starts_with("unit-") => text.to_owned(),
        Some(begin) => text[begin..].to_owned(),
        None if text.contains("#[test]") => text.to_owned(),
        None => String::new(),
    }
}

#[test]
fn every_test_that_windows_does_not_compile_is_in_the_list_and_every_line_names_a_test() {
    let listed: BTreeSet<String> = left_out(LEFT_OUT).into_iter().map(|(test, _)| test).collect();
    let (mut not_compiled, mut unknown) = (BTreeSet::new(), listed.clone());
    for file in super::files(&[".rs"]) {
        let Some((suite, module)) = module_of(&file) else { continue };
        let text = super::text(&file);
        let hides = ["#![cfg(", "cfg_attr("].iter().any(|form| text.contains(form));
        assert!(
            !hides || !text.contains("test]"),
            "{}: leave tests out by `#[cfg(…)]`, which is seen here",
            file.display()
        );
        unknown.retain(|test| {
            let in_module = test.strip_prefix(&format!("{suite} {module}"));
            let function = in_module.and_then(|rest| rest.rsplit("::").next());
            let is_in =
                |name: &str| ["fn {}(", "mod {} {"].iter().any(|form| text.contains(&form.replacen("{}", name, 1)));
            in_module != Some("") && !function.is_some_and(is_in)
        });
        if module.starts_with("linux::") {
            not_compiled.insert(format!("{suite} {module}"));
            continue;
        }
        // A test of a library is in a module of its own, unless its whole file is one.
        let inner = if suite.starts_with("unit-") && text.contains("mod tests {") { "tests::" } else { "" };
        let alone = alone(&tests_in(&suite, &text)).map(str::to_owned).collect::<Vec<_>>();
        not_compiled.extend(alone.into_iter().filter(|one| one != "linux").map(|one| match one.as_str() {
            "tests" => format!("{suite} {module}::tests"),
            one => format!("{suite} {module}::{inner}{one}"),
        }));
    }
    assert!(not_compiled.len() > 11, "{not_compiled:?}");
    assert!(not_compiled.is_subset(&listed), "not in {LEFT_OUT}: {:?}", not_compiled.difference(&listed));
    assert!(unknown.is_empty(), "no such test: {unknown:?}");
}

/// What `reach wine` leaves out as a whole: libraries that work on this repository with Linux programs, the window, and
/// most schedules, because Wine is slow.
#[test]
fn no_suite_is_left_out_under_wine_besides() {
    let suite = super::text("packaging/src/wine_suite.rs".as_ref());
    for known in [
        "const SUITES: [&str; 3] = [\"contract\", \"commands\", \"faults\"];",
        "const NOT_RUN: [&str; 2] = [\"packaging\", \"xtask\"];",
        "(\"PROXYTILL_SCHEDULES\", \"300\")",
    ] {
        assert!(suite.contains(known), "{known} became another");
    }
}

/// What the shell asks of each web view. Their stores and keys cannot be looked at from here.
#[test]
fn the_window_keeps_nothing_of_what_is_typed_and_leaves_its_page_for_no_other() {
    let window = super::text("src-tauri/src/window.rs".as_ref());
    for asked in [
        ".general_autofill_enabled(false)",
        ".on_navigation(is_own_page)",
        ".on_new_window(|_, _| NewWindowResponse::Deny)",
        ".on_download(|_, _| false)",
        // Their own default roams with a Windows profile.
        ".data_directory(options.data_dir.join(\"webview\"))",
    ] {
        assert!(window.contains(asked), "{asked} is gone");
    }
    // It is in English, and has no key for the settings.
    assert!(super::text("src-tauri/src/lib.rs".as_ref()).contains(".enable_macos_default_menu(false)"));
}

/// A virus scanner of Windows holds a file for a moment after it was written.
#[test]
fn the_application_renames_and_deletes_files_patiently() {
    for file in super::files(&[".rs"]) {
        let is_of = |folders: &[&str]| folders.iter().any(|of| file.starts_with(of));
        let (text, path) = (super::text(&file), file.display().to_string());
        let product = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let renames = is_of(&["src-tauri"]) && !is_of(&["src-tauri/crates/files"]);
        let deletes = is_of(&["src-tauri/src", "src-tauri/crates/till/src"]);
        // An update is kept in place only on Linux.
        let persists = renames && !file.ends_with("updates/src/install.rs");
        let plain = [
            ("fs::rename(", renames),
            ("use std::fs::rename", renames),
            (".persist(", persists),
            ("fs::remove_file(", deletes),
        ];
        for (plain, is_asked) in plain {
            assert!(!is_asked || !product.contains(plain), "{path}: use `files` for {plain}");
        }
    }
}

#[test]
fn stories_of_the_window_say_that_they_need_linux() {
    assert!(super::text("tests/e2e/main.rs".as_ref()).contains("#![cfg(target_os = \"linux\")]\n"));
}
