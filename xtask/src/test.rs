//! `cargo xtask test`: one line per part, and a final count.

use std::time::Instant;

use xtask::node::Node;
use xtask::packages;
use xtask::run::{Run, cargo};

/// Most lines shown of a part that failed.
const LINES_SHOWN: usize = 120;

#[derive(Default)]
struct Count {
    passed: u32,
    failed: u32,
}

impl Count {
    fn part(&mut self, name: &str, work: impl FnOnce() -> Result<String, String>) {
        let begun = Instant::now();
        let done = work();
        let seconds = begun.elapsed().as_secs();
        match done {
            Ok(output) if tests_in(&output) == Some(0) => {
                self.failed += 1;
                println!("FAILED  {name} ({seconds} s): no test ran");
            }
            Ok(output) => {
                self.passed += 1;
                let tests = tests_in(&output).map(|tests| format!(", {tests} tests")).unwrap_or_default();
                println!("ok      {name} ({seconds} s{tests})");
            }
            Err(output) => {
                self.failed += 1;
                println!("FAILED  {name} ({seconds} s)");
                let lines: Vec<&str> = output.lines().collect();
                println!("{}", lines[lines.len().saturating_sub(LINES_SHOWN)..].join("\n"));
            }
        }
    }

    fn close(&self) -> Result<(), String> {
        println!("{} passed, {} failed", self.passed, self.failed);
        if self.failed == 0 { Ok(()) } else { Err("not everything passed".into()) }
    }
}

/// Number of tests run, from the last lines of Cargo's runner.
fn tests_in(output: &str) -> Option<u32> {
    let closing = output.lines().filter_map(|line| line.strip_prefix("test result: ok. "));
    let counts = closing.filter_map(|line| line.split(' ').next()?.parse::<u32>().ok());
    counts.reduce(|all, some| all + some)
}

const ALL: [&str; 3] = ["--workspace", "--exclude", "xtask"];

fn rust(words: &[&str], rest: &[&str]) -> Run {
    let mut run = cargo(&[words, &ALL, rest].concat());
    // A failed assertion says enough; backtraces would push others off the screen.
    run.env("RUST_BACKTRACE", "0");
    run
}

/// The parts whose tests can be run one by one.
pub(crate) const PARTS: [&str; 6] = ["unit", "contract", "commands", "faults", "tidy", "e2e"];

/// Runs the tests of a part whose names hold `word`. The whole workspace is named, so that nothing is compiled again with
/// other features.
pub(crate) fn one(part: &str, word: &str) -> Result<(), String> {
    packages::ensure(packages::BUILD)?;
    packages::ensure(packages::WINDOW)?;
    packages::ensure(packages::PEERS)?;
    let tests = if part == "unit" { vec!["--lib"] } else { vec!["--test", part] };
    let output = rust(&["test"], &[&tests[..], &["--", "--test-threads=2", word]].concat()).captured();
    let shown = output.as_ref().unwrap_or_else(|failed| failed);
    println!("{shown}");
    if tests_in(shown) == Some(0) {
        return Err(format!("no test of {part} has {word:?} in its name"));
    }
    output.map(drop).map_err(|_| format!("not everything of {part} passed"))
}

/// Runs every check. Nothing is skipped: a check that cannot run has failed.
pub(crate) fn all() -> Result<(), String> {
    packages::ensure(packages::BUILD)?;
    packages::ensure(packages::WINDOW)?;
    packages::ensure(packages::PEERS)?;
    let mut count = Count::default();
    portable_parts(&mut count)?;
    count.part("metadata and workflows", || crate::packaging(&["reach", "--without-packages"]).captured());
    for (part, test) in [("tidy rules", "tidy"), ("command tests", "commands"), ("fault tests", "faults")] {
        count.part(part, || rust(&["test"], &["--test", test]).captured());
    }
    count.part("window tests", || rust(&["test"], &["--test", "e2e", "--", "--test-threads=2"]).captured());
    count.close()
}

/// Runs every check that needs no Linux-only program.
pub(crate) fn portable() -> Result<(), String> {
    packages::ensure(packages::BUILD)?;
    let mut count = Count::default();
    portable_parts(&mut count)?;
    println!(
        "left out: metadata and workflows, tidy rules, command tests, fault tests, window tests; parts of them need Linux programs"
    );
    count.close()
}

fn portable_parts(count: &mut Count) -> Result<(), String> {
    let node = Node::ready()?;
    count.part("front end builds", || node.build_front_end().map(|()| String::new()));
    count.part("front end types", || node.npm(&["run", "--silent", "check"]).captured());
    count.part("front end lint", || node.npm(&["run", "--silent", "lint"]).captured());
    count.part("front end tests", || node.npm(&["run", "--silent", "test"]).captured());
    count.part("Rust formatting", || cargo(&["fmt", "--all", "--check"]).captured());
    count.part("Rust lint", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).captured());
    // The tests enable features that the program does not have alone.
    count.part("the program alone compiles", || {
        cargo(&["check", "--package", "proxytill", "--bins", "--features", "shipped"]).captured()
    });
    println!("left out: the benchmarks alone, two minutes of a whole run; `cargo xtask bench` compiles them so");
    count.part("Rust builds", || rust(&["build"], &["--all-targets"]).captured());
    count.part("Rust unit tests and fresh bindings", || rust(&["test"], &["--lib", "--bins"]).captured());
    count.part("xtask tests", || cargo(&["test", "--package", "xtask"]).captured());
    count.part("contract tests", || rust(&["test"], &["--test", "contract"]).captured());
    Ok(())
}
