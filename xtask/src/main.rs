//! The project's commands. Standard library only, so that they build in seconds on a fresh machine.

mod app;
mod branches;
mod pictures;
mod prove;
mod test;

use std::process::ExitCode;

use xtask::{packages, prepare, run};

const USAGE: &str = "cargo xtask COMMAND
  app       opens Proxytill; without a display it makes a practice purchase by itself, in a virtual one
  build     builds target/debug/proxytill, with the front end inside
  test      runs everything; `test portable` only what needs no Linux programs; `test PART WORD` the tests
            of unit, contract, commands, faults, tidy or e2e whose names hold the word
  bench     measures, and compares each figure with a reference from the same run
  branches  lists the branches of the send protocol that no test takes
  pictures  takes a picture of every screen, in both themes, both languages and three sizes, and puts them on one page
  prove     plays the long proofs, and can be resumed; `prove tenth` plays a tenth of them, `prove report`
            none: it writes what ran
  bindings  regenerates the page's types
  package   makes the packages of this system, or those that are named
  version   sets the version, as in `version 1.2.3`, in every file that names it
  notes     prints the notes of a version, as in `notes 1.2.3`
  release   signs the files in `release FOLDER`, and writes the feed; `--check FOLDER` checks a release
  reach     tries the packages on bare systems; `reach PART` runs one part
  icons     renders every size of the icon
  notices   collects the licences of what the program carries
  webview2  fetches Microsoft's installers of WebView2, which the installers for Windows have inside";

/// Environment variables of `release`.
const SECRETS: [&str; 2] = ["PROXYTILL_UPDATE_KEY", "PROXYTILL_UPDATE_PASSWORD"];

fn main() -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    let done = match command.as_str() {
        "app" => app::open(),
        "build" => build(&["proxytill"]),
        "test" => match std::env::args().nth(2).as_deref() {
            None => test::all(),
            Some("portable") => test::portable(),
            Some(part) => one(part),
        },
        "bench" => bench(),
        "branches" => branches::all(),
        "pictures" => pictures::all(),
        "prove" => prove::all(std::env::args().nth(2).as_deref()),
        "bindings" => bindings(),
        "package" => prepare().and_then(|()| hand_over()),
        "reach" => build(&["proxytill", "installed"]).and_then(|()| hand_over()),
        "version" | "notes" | "release" | "icons" | "notices" | "webview2" => hand_over(),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the tests of one part. Some start the program or the services.
fn one(part: &str) -> Result<(), String> {
    if !test::PARTS.contains(&part) {
        return Err(USAGE.to_owned());
    }
    if part != "unit" && part != "tidy" {
        build(&["proxytill", "sandbox", "foreign"])?;
    }
    test::one(part, &std::env::args().nth(3).unwrap_or_default())
}

/// Builds these programs and everything they need. `--workspace` keeps the features that the tests use, so that
/// nothing is compiled twice.
fn build(programs: &[&str]) -> Result<(), String> {
    prepare()?;
    println!("building {}; this takes minutes the first time", programs.join(" and "));
    let chosen = programs.iter().flat_map(|name| ["--bin", *name]);
    run::cargo(&["build", "--workspace", "--exclude", "xtask"].into_iter().chain(chosen).collect::<Vec<_>>()).shown()
}

/// Runs every benchmark; each reports whether it reached its goal.
fn bench() -> Result<(), String> {
    const ENGINES: [&str; 5] = ["picker-search", "customers-search", "usage-sync", "chart", "bulk"];
    /// Benchmarks in the window, with the program that `build` makes.
    const WINDOW: [&str; 3] = ["picker-paint", "rows-scroll", "customers-window"];
    let commit = run::commit()?;
    packages::ensure(packages::WINDOW)?;
    packages::ensure(packages::ANCHORS)?;
    build(&["proxytill"])?;
    // The service that bulks are measured against, equally optimised.
    run::cargo(&["build", "--release", "--package", "sandbox", "--bins"]).shown()?;
    let engines = ENGINES.map(|name| (name, run::cargo(&["run", "--release", "--package", "bench", "--bin", name])));
    let window = WINDOW.map(|name| (name, run::cargo(&["run", "--package", "bench", "--bin", name])));
    let mut report = format!(
        "# Benchmarks\n\nWritten by `cargo xtask bench` at commit `{commit}`. Each figure stands beside its reference from the same run.\n"
    );
    let mut missed = Vec::new();
    for (name, mut command) in engines.into_iter().chain(window) {
        println!("{name}");
        let (verdict, output) = match command.captured() {
            Ok(output) => ("reached", output),
            Err(output) => {
                missed.push(name);
                ("not reached", output)
            }
        };
        println!("{output}");
        report += &format!("\n## {name}: {verdict}\n```\n{}\n```\n", figures(&output));
    }
    std::fs::write(run::root().join(BENCH), report).map_err(|error| format!("{BENCH}: {error}"))?;
    if missed.is_empty() { Ok(()) } else { Err(format!("not reached: {}", missed.join(" "))) }
}

/// The report of the benchmarks.
const BENCH: &str = "tests/bench.md";

/// What a benchmark printed, without the lines of Cargo.
fn figures(output: &str) -> String {
    let is_cargos = |line: &&str| {
        ["Compiling", "Finished", "Running", "warning", "error"].iter().any(|word| line.trim_start().starts_with(word))
    };
    output.lines().filter(|line| !line.trim().is_empty() && !is_cargos(line)).collect::<Vec<_>>().join("\n")
}

/// Passes the command on to the crate for releases, which may use libraries.
fn hand_over() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // Build it as the tests do: a library with other features compresses to other bytes.
    let mut build = run::cargo(&["build", "--quiet", "--workspace", "--exclude", "xtask", "--bin", "packaging"]);
    // A build runs code of every package, which must not see the key that signs releases.
    for secret in SECRETS {
        build.without(secret);
    }
    build.shown()?;
    packaging(&words.iter().map(String::as_str).collect::<Vec<_>>()).shown()
}

/// The built program of that crate.
fn packaging(words: &[&str]) -> run::Run {
    run::program(format!("target/debug/packaging{}", std::env::consts::EXE_SUFFIX), words)
}

fn bindings() -> Result<(), String> {
    packages::ensure(packages::BUILD)?;
    let mut write =
        run::cargo(&["test", "--workspace", "--exclude", "xtask", "--lib", "the_bindings_of_the_page_are_fresh"]);
    write.env("PROXYTILL_WRITE_BINDINGS", "1");
    write.shown()
}
