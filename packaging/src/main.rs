//! The commands of `cargo xtask` for releases.

use std::process::ExitCode;

use packaging::notes::LANGUAGES;
use packaging::project::Project;
use packaging::signing::Key;
use packaging::{icons, notes, notices, package, reach, release, version, webview2};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<(), String> {
    let project = Project::at(xtask::run::root());
    let (command, rest) = words
        .split_first()
        .ok_or("a command is missing: package, version, notes, release, icons, notices, reach, webview2")?;
    match (*command, rest) {
        ("package", ["windows"]) => package::windows(&project),
        ("package", kinds) => package::make(&project, kinds),
        ("version", [version]) => version::change(&project, &read(version)?, jiff::Zoned::now().date()),
        ("notes", [version]) => {
            let version = read(version)?;
            for language in LANGUAGES {
                println!("{}", notes::of(&project, &version, language)?);
            }
            Ok(())
        }
        ("release", ["--check", folder]) => release::check(&project, folder.as_ref()),
        ("release", ["--draft", folder]) => release::draft(&project, folder.as_ref(), "gh"),
        ("release", [folder]) => {
            release::make(&project, folder.as_ref(), &release::tag()?, &Key::of_release(&project)?)
        }
        ("reach", ["--without-packages"]) => reach::without_packages(&project),
        ("reach", parts) => reach::all(&project, parts),
        ("icons", []) => icons::write(&project),
        ("webview2", []) => webview2::fetch(&project),
        ("notices", []) => notices::write(&project),
        _ => Err(format!(
            "`{}` is not understood; `version` and `notes` want a version, `release` a folder",
            words.join(" ")
        )),
    }
}

fn read(version: &str) -> Result<semver::Version, String> {
    version.parse().map_err(|error| format!("`{version}`: {error}"))
}
