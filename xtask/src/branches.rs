//! `cargo xtask branches`: finds the branches of `operations` that the unit and fault tests do not reach. Counters
//! are in shared files, so that programs that the tests kill are counted too. Needs `cargo-llvm-cov`.

use std::collections::BTreeMap;
use std::path::Path;

use xtask::packages;
use xtask::run::{cargo, root};

const CRATE: &str = "src-tauri/crates/operations/src";
const REPORT: &str = "target/branches.info";
/// Files that contain only tests.
const TESTS: [&str; 3] = ["simulation.rs", "simulation", "decide/table.rs"];

/// Runs the tests with counters, and lists every branch that was not taken.
pub(crate) fn all() -> Result<(), String> {
    packages::ensure(packages::BUILD)?;
    packages::ensure(packages::WINDOW)?;
    packages::ensure(packages::PEERS)?;
    // Counters of an earlier run would be added.
    cargo(&["llvm-cov", "clean", "--profraw-only"]).shown()?;
    let tests = ["--no-report", "--package", "operations", "--package", "tests", "--lib", "--test", "faults"];
    counted(&[&["llvm-cov", "--branch"], &tests[..]].concat())?;
    counted(&["llvm-cov", "report", "--branch", "--lcov", "--output-path", REPORT])?;
    let report = std::fs::read_to_string(root().join(REPORT)).map_err(|error| format!("{REPORT}: {error}"))?;
    let found = Found::of(&report, &root().join(CRATE));
    found.not_taken.iter().for_each(|branch| println!("{branch}"));
    println!("{} of {} branches", found.all - found.not_taken.len(), found.all);
    if found.not_taken.is_empty() { Ok(()) } else { Err("not every branch is taken".into()) }
}

fn counted(words: &[&str]) -> Result<(), String> {
    let mut run = cargo(words);
    // Counting branches needs an unstable flag.
    run.env("RUSTC_BOOTSTRAP", "1").env("RUST_BACKTRACE", "0");
    run.env("RUSTFLAGS", "-C llvm-args=-runtime-counter-relocation").env("LLVM_PROFILE_FILE_NAME", "%m%c.profraw");
    run.env("PROXYTILL_SCHEDULES", "4000");
    run.shown()
}

#[derive(Default)]
struct Found {
    all: usize,
    not_taken: Vec<String>,
}

impl Found {
    /// Reads an lcov report: `SF:` names a file; `BRDA:` has line, block, branch and the number of times it was taken.
    fn of(report: &str, folder: &Path) -> Self {
        let mut branches = BTreeMap::new();
        let mut file = "";
        for line in report.lines() {
            match line.split_once(':') {
                Some(("SF", name)) => file = name,
                Some(("BRDA", branch)) => {
                    let mut numbers = branch.split(',').map(|number| number.parse::<u64>().unwrap_or_default());
                    let [at, _, branch, times] = [(); 4].map(|()| numbers.next().unwrap_or_default());
                    *branches.entry((file, at, branch)).or_insert(0) += times;
                }
                _ => {}
            }
        }
        let mut found = Self::default();
        for ((file, line, branch), times) in branches {
            let Ok(name) = Path::new(file).strip_prefix(folder) else { continue };
            let text = std::fs::read_to_string(file).unwrap_or_default();
            if TESTS.iter().any(|test| name.starts_with(test)) || line > code_of(&text) {
                continue;
            }
            found.all += 1;
            if times == 0 {
                let code = text.lines().nth(line as usize - 1).unwrap_or_default().trim();
                let side = if branch % 2 == 0 { "yes" } else { "no" };
                found.not_taken.push(format!("{}:{line} never {side}: {code}", name.display()));
            }
        }
        found
    }
}

/// Number of lines before the tests of a file.
fn code_of(text: &str) -> u64 {
    let mut lines = text.lines().zip(text.lines().skip(1));
    let before = lines.position(|(line, next)| line == "#[cfg(test)]" && next.ends_with("mod tests {"));
    before.unwrap_or_else(|| text.lines().count()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_that_is_not_taken_is_named_with_its_side_and_its_line() {
        let folder = std::env::temp_dir().join(format!("branches-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("one.rs");
        std::fs::write(&file, "fn one() {\n    if sent {\n    }\n}\n#[cfg(test)]\nmod tests {\n    if told {}\n}\n")
            .unwrap();
        let name = file.display();
        let report = format!(
            "SF:{name}\nBRDA:2,0,0,7\nBRDA:2,0,1,0\nBRDA:7,0,0,0\nend_of_record\nSF:/elsewhere.rs\nBRDA:1,0,0,0\n"
        );
        let found = Found::of(&report, &folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!((found.all, found.not_taken), (2, vec!["one.rs:2 never no: if sent {".to_owned()]));
    }
}
