//! The project's commands. Standard library only, so that they build in seconds on a fresh machine.

mod app;
mod bench;
mod branches;
mod pictures;
mod prove;
mod test;

use std::process::ExitCode;

use xtask::{packages, prepare, run};

const USAGE: &str = "cargo xtask COMMAND
  app       opens Proxytill; without a display it makes four practice purchases in a virtual one
  build     builds target/debug/proxytill, with the front end inside
  test      runs everything; `test portable` only what needs no Linux programs; `test PART WORD` the tests
            of unit, contract, commands, faults, tidy or e2e whose names hold the word
  bench     measures, and compares each figure with a reference from the same run
  branches  lists the branches of the send protocol that no test takes
  pictures  takes a picture of every screen, in both themes, both languages and three sizes, and puts them on one page
  prove     plays the long proofs, and can be resumed; `prove tenth` plays a tenth of them, `prove report`
            none: it writes what ran; `prove KIND…` all of the kinds that are named
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
        "bench" => bench::all(),
        "branches" => branches::all(),
        "pictures" => pictures::all(),
        "prove" => prove::all(&std::env::args().skip(2).collect::<Vec<_>>()),
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
