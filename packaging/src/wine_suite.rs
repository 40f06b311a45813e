//! The tests of everything below the window, compiled for Windows and run under Wine.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;
use xtask::packages;

use crate::cross;
use crate::project::Project;
use crate::windows;
use crate::wine::Wine;

/// Debian packages that this needs, besides those of the build.
pub(crate) const TOOLS: &[&str] = &["wine", "wine64", "xvfb", "locales"];

/// The tests that do not run under Wine. A line is the suite, a name or the beginning of names, and after a colon the
/// reason.
const LEFT_OUT: &str = "tests/wine/left-out.txt";
/// The suites: the unit tests of every library, and these.
const SUITES: [&str; 3] = ["contract", "commands", "faults"];
/// Libraries that are compiled, but whose tests work on this repository with Linux programs.
const NOT_RUN: [&str; 2] = ["packaging", "xtask"];

/// As in `.cargo/config.toml`; fewer schedules, because Wine is slow; and a keychain that nobody else uses.
const MORE: [(&str, &str); 3] =
    [("TS_RS_LARGE_INT", "number"), ("PROXYTILL_SCHEDULES", "300"), ("PROXYTILL_TEST_AT_DESK", "1")];

/// Where the tests keep their files: a user's name with Chinese letters and a space is part of most paths.
const TEMPORARY: &str = "张三 x";

/// A compiled test program.
struct Suite {
    /// `unit` and the package, or the name of the test.
    name: String,
    program: PathBuf,
    /// The folder of its package, in which Cargo would run it.
    folder: PathBuf,
}

/// Runs every suite. Returns how many tests passed.
pub(crate) fn run(project: &Project) -> Result<String, String> {
    let suites = built(project)?;
    let left_out = LeftOut::read(project)?;
    let wine = Wine::new(&project.path("target/reach/wine-suite"))?;
    random_numbers(project, &wine)?;
    wine.keep_temporary_files_in(TEMPORARY)?;
    let begun = changed(&wine.c(TEMPORARY))?;
    // The shell's own tests are linked with it.
    let loader = cross::folder(project, "debug").join(windows::LOADER);
    fs::copy(&loader, wine.c("windows/system32").join(windows::LOADER))
        .map_err(|error| format!("{}: {error}", loader.display()))?;
    let (mut passed, mut failed, mut alone) = (0, Vec::new(), Vec::new());
    for suite in &suites {
        let said = wine.tests(&suite.program, &left_out.skips(&suite.name), &MORE, &suite.folder)?;
        fs::write(project.path("target/reach").join(format!("wine-{}.txt", suite.name)), &said)
            .map_err(|error| error.to_string())?;
        let again = failures(&said);
        for test in &again {
            if !ran_out_of_time(&said, test) {
                failed.push(format!("{} {test}", suite.name));
                println!("{} {test}:\n{}", suite.name, words_of(&said, test));
                continue;
            }
            let words = ["--exact".to_owned(), (*test).to_owned()];
            let said = wine.tests(&suite.program, &words, &MORE, &suite.folder)?;
            let outcome = if tests_in(&said) == Some(1) { &mut alone } else { &mut failed };
            outcome.push(format!("{} {test}", suite.name));
            println!("{} {test}, alone:\n{}", suite.name, end_of(&said));
        }
        match result_in(&said) {
            // A library may have no tests. Every failure has a name, or it could not run again.
            Some((tests, fails)) if fails == again.len() && (tests > 0 || !SUITES.contains(&&*suite.name)) => {
                let tests = tests + fails;
                println!("{}: {tests} tests", suite.name);
                passed += tests;
            }
            _ => {
                println!("{}: no result\n{}", suite.name, end_of(&said));
                failed.push(suite.name.clone());
            }
        }
    }
    if changed(&wine.c(TEMPORARY))? == begun {
        return Err(format!("nothing was kept in {TEMPORARY}"));
    }
    if !failed.is_empty() {
        return Err(format!("not everything passed: {}", failed.join(", ")));
    }
    let left_out = left_out.0.len();
    let beside = match alone.as_slice() {
        [] => String::new(),
        some => format!("; passed alone after they had failed beside another: {}", some.join(", ")),
    };
    let count = suites.len();
    Ok(format!(
        "{passed} tests of {count} suites, with files in `{TEMPORARY}`; {left_out} left out by {LEFT_OUT}{beside}"
    ))
}

/// When a folder's list of files last changed.
fn changed(folder: &Path) -> Result<SystemTime, String> {
    fs::metadata(folder).and_then(|folder| folder.modified()).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Kills the core 500 times against the practice service.
pub(crate) fn kills(project: &Project) -> Result<String, String> {
    let suites = built(project)?;
    let faults = suites.iter().find(|suite| suite.name == "faults").ok_or("no fault tests were built")?;
    let wine = Wine::new(&project.path("target/reach/wine-kills"))?;
    random_numbers(project, &wine)?;
    let wanted = ["--nocapture", "a_core_that_is_killed_at_any_moment"].map(str::to_owned);
    let said = wine.tests(&faults.program, &wanted, &[("PROXYTILL_KILLS", "500")], &faults.folder)?;
    let count = said.lines().find(|line| line.contains("kills from seed"));
    match (tests_in(&said), count) {
        (Some(1), Some(count)) => Ok(format!("{}; none done twice, none lost", count.trim())),
        _ => Err(end_of(&said)),
    }
}

/// Compiles the whole workspace with its tests.
fn built(project: &Project) -> Result<Vec<Suite>, String> {
    packages::ensure(cross::TOOLS)?;
    let words = ["build", "--workspace", "--all-targets", "--message-format=json"];
    let told = cross::cargo(project, &words).printed()?;
    let suites = told.lines().filter_map(|line| suite(&serde_json::from_str(line).ok()?));
    let mut suites: Vec<Suite> = suites.collect();
    suites.sort_by(|one, other| one.name.cmp(&other.name));
    match SUITES.iter().find(|name| suites.iter().all(|suite| suite.name != **name)) {
        Some(missing) => Err(format!("there are no {missing} tests any more")),
        None => Ok(suites),
    }
}

fn suite(message: &Value) -> Option<Suite> {
    let program = PathBuf::from(message["executable"].as_str()?);
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    let (name, kind) = (message["target"]["name"].as_str()?, message["target"]["kind"][0].as_str()?);
    if message["profile"]["test"] != true {
        return None;
    }
    let name = match kind {
        "lib" if !NOT_RUN.contains(&name) => format!("unit-{name}"),
        "test" if SUITES.contains(&name) => name.to_owned(),
        _ => return None,
    };
    Some(Suite { name, program, folder })
}

/// Lays a library of one function into this Windows: Wine 8 lacks it, and every Rust program asks it for random numbers.
pub(crate) fn random_numbers(project: &Project, wine: &Wine) -> Result<(), String> {
    let source = project.path("packaging/windows/bcryptprimitives.c").display().to_string();
    let to = wine.c("windows/system32/bcryptprimitives.dll").display().to_string();
    crate::called::checked("x86_64-w64-mingw32-gcc", &["-shared", "-O1", "-o", &to, &source, "-ladvapi32"]).map(drop)
}

/// The tests that are left out, by suite.
struct LeftOut(Vec<(String, String)>);

impl LeftOut {
    fn read(project: &Project) -> Result<Self, String> {
        let text = project.read(LEFT_OUT)?;
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let read = lines.map(|line| {
            let which = line.split_once(": ").and_then(|(which, _)| which.split_once(' '));
            which.map(|(suite, test)| (suite.to_owned(), test.to_owned())).ok_or_else(|| format!("{LEFT_OUT}: {line}"))
        });
        read.collect::<Result<_, _>>().map(Self)
    }

    fn skips(&self, suite: &str) -> Vec<String> {
        let of_suite = self.0.iter().filter(|(of, _)| of == suite);
        of_suite.flat_map(|(_, test)| ["--skip".to_owned(), test.clone()]).collect()
    }
}

/// What a test that failed has printed.
fn words_of<'a>(said: &'a str, test: &str) -> &'a str {
    let after = said.split_once(&format!("---- {test} stdout ----")).map_or("", |(_, after)| after);
    after.split("\n---- ").next().unwrap_or_default().split("\n\n\n").next().unwrap_or_default()
}

/// Whether a test failed because something did not happen in time. Under Wine, whose server is one process, that may be
/// so beside another test: it runs again alone, and the report names it.
fn ran_out_of_time(said: &str, test: &str) -> bool {
    words_of(said, test).contains("never happened: ")
}

/// The tests that failed.
fn failures(said: &str) -> Vec<&str> {
    let names = said.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    names.collect()
}

/// The numbers of tests that passed and that failed; `None` if the suite did not reach its end.
fn result_in(said: &str) -> Option<(usize, usize)> {
    let result = said.lines().find_map(|line| line.strip_prefix("test result: "))?;
    let mut counts = result.split_once(". ")?.1.split("; ").map(|count| count.split(' ').next()?.parse().ok());
    Some((counts.next()??, counts.next()??))
}

/// The number of tests that passed; `None` if any failed.
fn tests_in(said: &str) -> Option<usize> {
    let ok = said.lines().find_map(|line| line.strip_prefix("test result: ok. "))?;
    ok.split(' ').next()?.parse().ok()
}

fn end_of(said: &str) -> String {
    const LINES: usize = 60;
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::{failures, ran_out_of_time, result_in, tests_in, words_of};

    const SAID: &str = "test a::one ... ok\ntest b::two ... FAILED\ntest c::three has been running for over 60 seconds\n\
        test result: FAILED. 217 passed; 1 failed; 0 ignored; 0 measured; 12 filtered out; finished in 715.05s";

    #[test]
    fn only_what_ran_out_of_time_is_tried_again() {
        let said = "failures:\n\n---- a::one stdout ----\nthread 'a::one' panicked:\nleft: 1\n\n---- b::two stdout ----\n\
            thread 'b::two' panicked:\nnever happened: the end\n\n\nfailures:\n    a::one\n    b::two\n";
        assert_eq!(["a::one", "b::two", "c"].map(|test| ran_out_of_time(said, test)), [false, true, false]);
        assert!(words_of(said, "a::one").contains("left: 1") && !words_of(said, "a::one").contains("never"));
    }

    #[test]
    fn what_failed_is_told_from_what_passed() {
        assert_eq!((failures(SAID), result_in(SAID), tests_in(SAID)), (vec!["b::two"], Some((217, 1)), None));
        let ok = "test result: ok. 3 passed; 0 failed; 0 ignored";
        assert_eq!((failures(ok), result_in(ok), tests_in(ok)), (Vec::new(), Some((3, 0)), Some(3)));
        assert_eq!(result_in("thread panicked"), None);
        let torn = SAID.replace("two ... FAILED", "two ... thread panicked");
        assert_ne!(result_in(&torn).map(|(_, fails)| fails), Some(failures(&torn).len()));
    }
}
