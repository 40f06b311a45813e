//! Rust and the repository as a whole.

use std::collections::BTreeSet;

use crate::{files, text, with_any};

#[test]
fn only_operations_can_send_what_spends() {
    let allowed = [
        "src-tauri/crates/client/src/money.rs",
        "src-tauri/crates/client/src/lib.rs",
        "src-tauri/crates/operations/src/engine/access.rs",
        "src-tauri/crates/operations/src/writes/intent.rs",
    ];
    // This file passes a sender on, and never sends.
    let hands_over = "src-tauri/crates/till/src/session.rs";
    for file in files(&[".rs"]).iter().filter(|file| file.starts_with("src-tauri")) {
        let name = file.to_string_lossy();
        let text = text(file);
        if name == hands_over {
            assert!(!text.contains(".send("), "{name} sends");
        } else if !allowed.contains(&name.as_ref()) {
            assert!(
                !text.contains("MoneySender") && !text.contains("client::money"),
                "{name} reaches the money sender"
            );
        }
    }
}

#[test]
fn only_the_journal_of_operations_knows_sql() {
    let wings = ["decide", "engine", "evidence", "views", "words", "writes"];
    let folders = wings.map(|wing| format!("src-tauri/crates/operations/src/{wing}"));
    let found = with_any(&folders.each_ref().map(String::as_str), &[".rs"], &["rusqlite", "SELECT ", "UPDATE "]);
    // A test of damage writes into the file behind the program's back.
    assert_eq!(found, ["src-tauri/crates/operations/src/engine/bulk.rs: UPDATE "]);
}

#[test]
fn each_table_of_the_journal_is_written_where_its_name_says() {
    let journal = "src-tauri/crates/operations/src/journal/";
    // Places of another name. A restoration also changes operations that no step may change.
    let others = [
        ("event", "chain"),
        ("operation", "recovery/bring_back"),
        ("buyer", "goods"),
        ("assignment", "goods"),
        ("delivery", "goods"),
        ("order_particulars", "order_seen"),
    ];
    let mut written = BTreeSet::new();
    for file in files(&[".rs"]).iter().filter(|file| file.starts_with(journal)) {
        let (name, text) = (file.to_string_lossy().into_owned(), text(file));
        let place = name[journal.len()..].trim_end_matches(".rs");
        // Tests write behind the program's back, and the schema makes what was not there.
        let product = text.split("#[cfg(test)]").next().unwrap_or_default().replace(['"', '('], " ");
        let words: Vec<&str> = product.split_whitespace().collect();
        for three in words.windows(3).filter(|_| place != "schema") {
            let table = match three {
                [_, "INTO", table] | ["DELETE", "FROM", table] => table,
                ["UPDATE" | "IGNORE" | "REPLACE", table, "SET"] => table,
                _ => continue,
            };
            let is_own = place == *table || place.starts_with(&format!("{table}/"));
            assert!(is_own || others.contains(&(table, place)), "{name} writes the table {table}");
            written.insert(table.to_string());
        }
    }
    let all = [
        "assignment",
        "bulk",
        "bulk_row",
        "buyer",
        "delivery",
        "event",
        "lesson",
        "note",
        "operation",
        "order_note",
        "order_particulars",
        "order_seen",
        "restoration",
        "template",
        "wallet",
    ];
    assert_eq!(written, all.map(str::to_owned).into());
}

#[test]
fn http_clients_are_built_in_one_place() {
    let builders = with_any(&["src-tauri"], &[".rs"], &["reqwest::Client::", "reqwest::get", "ClientBuilder"]);
    // One for the vendor, one for tests of proxies and one for updates, which know nothing of each other.
    let places = ["client", "proxy_tests", "updates"]
        .map(|area| format!("src-tauri/crates/{area}/src/transport.rs: reqwest::Client::"));
    assert_eq!(builders, places);
}

#[test]
fn nothing_below_the_shell_knows_the_window() {
    let words = [concat!("tau", "ri::"), concat!("tau", "ri-plugin"), concat!("tau", "ri."), concat!("tau", "ri =")];
    assert_eq!(with_any(&["src-tauri/crates"], &[".rs", "Cargo.toml"], &words), [""; 0]);
}

#[test]
fn every_command_is_played_without_a_window() {
    let list = text("src-tauri/src/commands.rs".as_ref());
    let list = list.split("\ncommands! {").nth(1).and_then(|rest| rest.split("\n}").next()).expect("the list");
    let names = list.lines().filter_map(|line| line.split_once("::")?.1.split_once('(')).map(|(name, _)| name);
    let played: String =
        files(&[".rs"]).iter().filter(|file| file.starts_with("tests/commands")).map(|file| text(file)).collect();
    let (played, missing): (Vec<_>, Vec<_>) = names.partition(|name| played.contains(&format!("{name}(&")));
    assert!(played.len() > 50 && missing.is_empty(), "no test in tests/commands calls {missing:?}");
}

#[test]
fn no_test_is_skipped_and_none_sleeps() {
    assert_eq!(with_any(&["src-tauri", "tests", "xtask"], &[".rs"], &[concat!("#[ign", "ore")]), [""; 0]);
    let sleepers = with_any(&["tests"], &[".rs"], &[concat!("sle", "ep(")]);
    // Loops that check a condition repeatedly, and a proxy and a service whose fault is to be slow.
    let allowed = ["src/desk/driver", "src/desk", "src/lib", "src/proxy", "vendor/src/server"];
    let allowed = allowed.map(|name| format!(concat!("tests/{}.rs: sle", "ep("), name));
    assert_eq!(sleepers, allowed);
}

#[test]
fn files_stay_small() {
    let most = |name: &str| if name.ends_with(".rs") { 400 } else { 320 };
    for file in files(&[".rs", ".svelte", ".ts", ".css"]) {
        let (name, lines) = (file.to_string_lossy().into_owned(), text(&file).lines().count());
        assert!(lines <= most(&name), "{name} has {lines} lines: it holds more than one concept");
    }
}

#[test]
fn the_top_level_holds_what_it_should_and_no_more() {
    let known = [
        ".cargo",
        ".ci",
        ".gitattributes",
        ".github",
        ".gitignore",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "NOTICE",
        "README.md",
        "clippy.toml",
        "deny.toml",
        "docs",
        "icons",
        "packaging",
        "rust-toolchain.toml",
        "rustfmt.toml",
        "src-tauri",
        "tests",
        "ui",
        "xtask",
    ];
    for file in files(&[""]) {
        let top = file.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        assert!(known.contains(&top.as_str()), "{top} is new at the top");
    }
}

#[test]
fn lock_files_name_no_host_but_the_public_index() {
    assert!(!text("ui/package-lock.json".as_ref()).contains("\"resolved\""));
    let lock = text("Cargo.lock".as_ref());
    let sources = lock.lines().filter(|line| line.starts_with("source = "));
    for source in sources {
        assert_eq!(source, "source = \"registry+https://github.com/rust-lang/crates.io-index\"");
    }
}

#[test]
fn every_readme_that_is_cited_is_there() {
    for area in ["wire", "operations", "sandbox"] {
        assert!(!text(format!("src-tauri/crates/{area}/README.md").as_ref()).is_empty(), "{area}");
    }
    for word in ["cargo xtask app", "cargo xtask test", "CONTRIBUTING.md"] {
        assert!(text("README.md".as_ref()).contains(word), "README.md: {word}");
    }
}

#[test]
fn the_commands_of_xtask_are_explained_and_no_others() {
    let usage = text("xtask/src/main.rs".as_ref());
    let usage = usage.split("const USAGE").nth(1).and_then(|rest| rest.split("\";").next()).expect("the usage");
    let listed = usage.lines().skip(1).filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let has: BTreeSet<&str> = listed.filter(|name| !name.is_empty()).collect();
    let readme = text("README.md".as_ref()) + &text("CONTRIBUTING.md".as_ref());
    let is_letter = |c: char| c.is_ascii_lowercase();
    let named =
        readme.split("cargo xtask ").skip(1).map(|rest| rest.split(|c| !is_letter(c)).next().unwrap_or_default());
    let unknown: Vec<&str> = named.filter(|name| !has.contains(name)).collect();
    assert_eq!(unknown, [""; 0]);
    let missing: Vec<&&str> = has
        .iter()
        .filter(|name| !readme.contains(&format!("`{name}`")) && !readme.contains(&format!("xtask {name}")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn ci_runs_both_commands_of_the_readme() {
    let run = text(".ci/run".as_ref());
    let both = ["cargo xtask app", "cargo xtask test"].map(|command| run.find(command).expect("the command"));
    assert!(both[0] < both[1], "the first command first");
}
