//! Conditions that a release needs at all times.

use packaging::project::Project;
use packaging::{notices, version};

fn project() -> Project {
    Project::at(tests::root())
}

/// Two crates that do not know each other: one writes what the other reads.
#[test]
fn the_updater_checks_for_what_a_release_holds() {
    let kinds = [updates::Kind::Deb, updates::Kind::Rpm, updates::Kind::Archive];
    let version: semver::Version = "1.2.3".parse().expect("a version");
    let looked_for = kinds.map(|kind| (kind.target(), kind.file_name(&version)));
    // On Windows the program does not look for updates yet.
    let all = packaging::artefact::ALL.iter().filter(|one| !one.target.starts_with("windows-"));
    let held: Vec<_> = all.map(|one| (one.target.to_owned(), one.name("1.2.3"))).collect();
    assert_eq!(looked_for.to_vec(), held);
}

/// The commands of the hosted builds can be run anywhere.
#[test]
fn workflows_run_the_commands_of_the_house_alone_from_actions_that_are_pinned() {
    for file in super::files(&[".yml"]).iter().filter(|file| file.starts_with(".github/workflows")) {
        let text = super::text(file);
        for line in text.lines().map(|line| line.trim().trim_start_matches("- ")) {
            if let Some(command) = line.strip_prefix("run: ") {
                assert!(command == ".ci/run" || command.starts_with("cargo xtask "), "{}: {command}", file.display());
            }
            if let Some(action) = line.strip_prefix("uses: ") {
                let commit = action.split_once('@').map_or("", |(_, commit)| commit);
                let is_pinned = commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit());
                assert!(is_pinned, "{}: {action}", file.display());
            }
        }
    }
}

#[test]
fn every_file_that_names_a_version_names_the_same() {
    assert_eq!(version::differences(&project()).expect("the project's files"), [""; 0]);
}

#[test]
fn the_notices_have_the_licence_of_every_package_that_the_program_carries() {
    let fresh = notices::fresh(&project()).expect("the packages are there");
    assert!(super::text(notices::FILE.as_ref()) == fresh, "run `cargo xtask notices`");
}
