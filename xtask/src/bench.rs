//! `bench`: every benchmark, each beside its reference from the same run.

use xtask::node::Node;
use xtask::{packages, run};

/// The report.
const REPORT: &str = "tests/bench.md";
const ENGINES: [&str; 6] = ["picker-search", "customers-search", "usage-sync", "chart", "bulk", "service"];
/// Benchmarks in the window.
const WINDOW: [&str; 5] = ["start", "picker-paint", "rows-scroll", "customers-window", "ips-window"];
/// The service that the practice service is compared with.
const PRISM: &str = "@stoplight/prism-cli@5.14.2";

/// Runs every benchmark with optimised programs; each reports whether it reached its goal.
pub(crate) fn all() -> Result<(), String> {
    let commit = run::commit()?;
    packages::ensure(packages::WINDOW)?;
    packages::ensure(packages::ANCHORS)?;
    xtask::prepare()?;
    println!("building the optimised programs; this takes long the first time");
    build(&["--package", "sandbox", "--bins"])?;
    // The programs as they are released, and the window that they are compared with.
    build(&["--package", "proxytill", "--package", "bare", "--bins", "--features", "proxytill/shipped,bare/shipped"])?;
    let prism = ["install", "--prefix", "../target/prism", "--ignore-scripts", "--no-audit", "--no-fund", PRISM];
    Node::ready()?.npm(&prism).captured()?;
    let mut report = format!(
        "# Benchmarks\n\nWritten by `cargo xtask bench` at commit `{commit}`. Each figure stands beside its reference from the same run.\n"
    );
    let mut missed = Vec::new();
    for name in ENGINES.into_iter().chain(WINDOW) {
        println!("{name}");
        let (verdict, output) = match run::cargo(&["run", "--release", "--package", "bench", "--bin", name]).captured()
        {
            Ok(output) => ("reached", output),
            Err(output) => {
                missed.push(name);
                ("not reached", output)
            }
        };
        println!("{output}");
        report += &format!("\n## {name}: {verdict}\n```\n{}\n```\n", figures(&output));
    }
    std::fs::write(run::root().join(REPORT), report).map_err(|error| format!("{REPORT}: {error}"))?;
    if missed.is_empty() { Ok(()) } else { Err(format!("not reached: {}", missed.join(" "))) }
}

fn build(words: &[&str]) -> Result<(), String> {
    run::cargo(&[&["build", "--release"], words].concat()).shown()
}

/// What a benchmark printed, without the lines of Cargo.
fn figures(output: &str) -> String {
    let is_cargos = |line: &&str| {
        ["Compiling", "Finished", "Running", "warning", "error"].iter().any(|word| line.trim_start().starts_with(word))
    };
    output.lines().filter(|line| !line.trim().is_empty() && !is_cargos(line)).collect::<Vec<_>>().join("\n")
}
