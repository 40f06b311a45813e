//! `cargo xtask release FOLDER`: signs the files that the builds left there, and adds the rest of the release. The
//! feed is written last, and only if everything else holds, because programs fetch what it names.

use std::fs;
use std::path::Path;

use minisign::PublicKey;
use xtask::run;

use crate::artefact::ALL;
use crate::dmg::IMAGES;
use crate::notes::{self, LANGUAGES};
use crate::project::Project;
use crate::sha256::sum;
use crate::signing::{self, Key};
use crate::{catalogues, feed, sbom, time};

const SUMS: &str = "SHA256SUMS";
const NOTES: &str = "NOTES.md";

/// Makes a release out of the files in `folder`.
pub fn make(project: &Project, folder: &Path, tag: &str, key: &Key) -> Result<(), String> {
    let version = project.version()?.to_string();
    if tag != format!("v{version}") {
        return Err(format!("the tag is {tag}, the version {version}"));
    }
    // A feed from an earlier attempt may name files that no longer exist.
    let _ = fs::remove_file(folder.join(feed::FILE));
    let carried = signing::line(project)?;
    let mut signatures = Vec::new();
    for artefact in &ALL {
        let name = artefact.name(&version);
        artefact.check(&folder.join(&name), &version, &carried)?;
        signatures.push(key.sign(&read(folder, &name)?, &name, &version)?);
    }
    for (artefact, signature) in ALL.iter().zip(&signatures) {
        write(folder, &format!("{}.sig", artefact.name(&version)), signature)?;
    }
    for image in &IMAGES {
        let name = image.name(&version);
        let bytes = read(folder, &name)?;
        image.check(&bytes)?;
        write(folder, &signature(&name), &key.sign(&bytes, &name, &version)?)?;
    }
    write(folder, &bill(&version), &sbom::of(project)?)?;
    write(folder, NOTES, &page(project)?)?;
    catalogues::fill(project, folder)?;
    write(folder, SUMS, &sums(project, folder)?)?;
    write(folder, feed::FILE, &feed::of(project, &signatures, &time::epoch()?)?)?;
    check(project, folder)
}

/// The tag of the checked-out commit. Fails when there are changes.
pub fn tag() -> Result<String, String> {
    run::commit()?;
    let tag = run::program("git", &["describe", "--tags", "--exact-match"]).printed();
    tag.map(|tag| tag.trim().to_owned()).map_err(|why| format!("no tag is checked out: {why}"))
}

/// Text for the release's page: the notes in every language.
fn page(project: &Project) -> Result<String, String> {
    let version = project.version()?;
    LANGUAGES.iter().map(|language| Ok(notes::of(project, &version, *language)? + "\n")).collect()
}

/// Checks that a release is complete and matches the project. Run again before publishing.
pub fn check(project: &Project, folder: &Path) -> Result<(), String> {
    let version = project.version()?.to_string();
    let key = signing::verifier(&signing::of_releases(project)?)?;
    let text = String::from_utf8_lossy(&read(folder, feed::FILE)?).into_owned();
    let feed: serde_json::Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", feed::FILE))?;
    let carried = signing::line(project)?;
    let mut signatures = Vec::new();
    for artefact in &ALL {
        let (name, signature) = feed::entry(&feed, artefact.target)?;
        artefact.check(&folder.join(&name), &version, &carried)?;
        is_signed(&read(folder, &name)?, &name, &version, &signature, &key)?;
        if String::from_utf8_lossy(&read(folder, &format!("{name}.sig"))?) != signature {
            return Err(format!("{name}.sig is not the signature of the feed"));
        }
        signatures.push(signature);
    }
    // The program for macOS looks for no updates, so the feed does not name these.
    for image in &IMAGES {
        let name = image.name(&version);
        let bytes = read(folder, &name)?;
        image.check(&bytes)?;
        let signature = String::from_utf8_lossy(&read(folder, &self::signature(&name))?).into_owned();
        is_signed(&bytes, &name, &version, &signature, &key)?;
    }
    if text != feed::of(project, &signatures, &time::epoch()?)? {
        return Err(format!("{} is not the feed of this version", feed::FILE));
    }
    let told = String::from_utf8_lossy(&read(folder, SUMS)?).into_owned();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?.filter_map(Result::ok)
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_known = published(&version).contains(&name) || [NOTES, SUMS, feed::FILE, "catalogues"].contains(&&*name);
        if !is_known {
            return Err(format!("{name} is no part of a release"));
        }
    }
    if told == sums(project, folder)? { Ok(()) } else { Err(format!("{SUMS} does not match these files")) }
}

/// Fails unless this key has signed these bytes under this name and version.
fn is_signed(bytes: &[u8], name: &str, version: &str, signature: &str, key: &PublicKey) -> Result<(), String> {
    let signed = signing::verify(bytes, signature, key).map_err(|why| format!("{name}: {why}"))?;
    if signed == signing::words(name, version) { Ok(()) } else { Err(format!("{name} was signed as `{signed}`")) }
}

/// Uploads the release as a draft, which a person publishes: all files appear at once, so that the feed never names a
/// missing one.
pub fn draft(project: &Project, folder: &Path, gh: &str) -> Result<(), String> {
    check(project, folder)?;
    let tag = format!("v{}", project.version()?);
    let notes = folder.join(NOTES).display().to_string();
    let mut upload = run::program(gh, &["release", "create", &tag, "--draft", "--verify-tag", "--title", &tag]);
    upload.arg("--notes-file").arg(notes);
    let names = published(&project.version()?.to_string());
    for name in names.iter().map(String::as_str).chain([SUMS, feed::FILE]) {
        upload.arg(folder.join(name));
    }
    upload.captured().map(|told| println!("{}", told.trim()))
}

/// The files that people download, except the feed and the list of checksums.
fn published(version: &str) -> Vec<String> {
    let files = ALL.iter().map(|artefact| artefact.name(version)).chain(IMAGES.iter().map(|image| image.name(version)));
    files.flat_map(|name| [signature(&name), name]).chain([bill(version)]).collect()
}

/// Name of the file with a file's signature.
fn signature(name: &str) -> String {
    format!("{name}.sig")
}

/// File name of the bill of materials.
fn bill(version: &str) -> String {
    format!("proxytill-{version}.cdx.json")
}

/// Checksums of the downloads, sorted, in the format of `sha256sum --check`.
fn sums(project: &Project, folder: &Path) -> Result<String, String> {
    let mut names = published(&project.version()?.to_string());
    names.sort();
    names.into_iter().map(|name| Ok(format!("{}  {name}\n", sum(&read(folder, &name)?)))).collect()
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))
}

// These need the tools that pack for Linux.
#[cfg(test)]
#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    use minisign::KeyPair;
    use xtask::packages;

    use super::*;
    use crate::job::Job;
    use crate::tests::say_something;
    use crate::{version, windows};

    /// A release of packages that hold a stand-in for the program, in a checkout with a version and a key.
    struct Made {
        _folder: tempfile::TempDir,
        project: Project,
        out: PathBuf,
        key: Key,
    }

    fn made() -> Made {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::at(folder.path().join("checkout"));
        let copied =
            run::program("cp", &["-r", "packaging", "icons", "CHANGELOG.md", "NOTICE", "Cargo.toml", "Cargo.lock"]);
        copy(copied, &project);
        say_something(&project);
        version::change(&project, &semver::Version::new(97, 1, 2), jiff::civil::date(2031, 2, 3)).unwrap();
        let key = KeyPair::generate_encrypted_keypair(Some("word".into())).unwrap();
        project.write(signing::PUBLIC, &key.pk.to_box().unwrap().into_string()).unwrap();
        let secret = key.sk.to_box(None).unwrap().into_string();
        let key = Key::read(&secret, "word", &project.read(signing::PUBLIC).unwrap()).unwrap();
        let out = folder.path().join("out");
        pack(&project, folder.path().join("work"), &out);
        make(&project, &out, "v97.1.2", &key).unwrap();
        Made { _folder: folder, project, out, key }
    }

    fn copy(mut copied: run::Run, project: &Project) {
        fs::create_dir_all(project.path("ui")).unwrap();
        fs::create_dir_all(project.path("tests/wine")).unwrap();
        copied.arg(project.path("")).captured().unwrap();
        for name in ["deny.toml", "LICENSE-MIT", "LICENSE-APACHE", "ui/package-lock.json", version::LEFT_OUT] {
            fs::copy(run::root().join(name), project.path(name)).unwrap();
        }
    }

    fn pack(project: &Project, work: PathBuf, out: &Path) {
        for artefact in &ALL {
            packages::ensure(artefact.tools).unwrap();
        }
        // Stand-ins for the program, with the key that it carries, and for Microsoft's installers.
        let program = work.with_extension("program");
        fs::create_dir_all(work.parent().unwrap()).unwrap();
        let for_windows = work.with_extension("exe");
        fs::write(&for_windows, format!("MZ{}", project.read(signing::PUBLIC).unwrap())).unwrap();
        fs::create_dir_all(project.path("target/webview2")).unwrap();
        for runtime in [windows::BOOTSTRAPPER, windows::STANDALONE] {
            fs::write(runtime.path(project), format!("MZ {}", runtime.name)).unwrap();
        }
        let section = format!("key={}", project.path(signing::PUBLIC).display());
        let to = program.display().to_string();
        run::program("objcopy", &["--add-section", &section, "/bin/true", &to]).captured().unwrap();
        let (version, epoch) = (project.version().unwrap().to_string(), "1600000000".to_owned());
        for artefact in &ALL {
            let program = if artefact.is_for_windows() { &for_windows } else { &program };
            let (version, epoch, work) = (version.clone(), epoch.clone(), work.clone());
            let job = Job { project, version, program: program.clone(), epoch, work, out: out.to_owned() };
            artefact.pack(&job).unwrap();
        }
        // Only macOS makes disk images: these are their ends.
        for image in &IMAGES {
            let end = [b"koly".to_vec(), image.target.as_bytes().to_vec(), vec![0; 512]].concat();
            fs::write(out.join(image.name(&version)), &end[..512]).unwrap();
        }
    }

    fn files(made: &Made) -> BTreeMap<String, Vec<u8>> {
        let names = published("97.1.2").into_iter().chain([SUMS, feed::FILE].map(str::to_owned));
        names.map(|name| (name.clone(), read(&made.out, &name).unwrap())).collect()
    }

    #[test]
    fn a_release_is_refused_when_any_of_its_files_is_touched_missing_or_of_another_kind() {
        let made = made();
        let all = files(&made);
        assert_eq!(all.len(), 17, "{:?}", all.keys());
        let is_refused = || check(&made.project, &made.out).is_err();
        for (name, bytes) in &all {
            let file = made.out.join(name);
            let mut touched = bytes.clone();
            let middle = touched.len() / 2;
            touched[middle] ^= 1;
            for other in [touched, bytes[..bytes.len() - 1].to_vec(), Vec::new()] {
                fs::write(&file, other).unwrap();
                assert!(is_refused(), "{name} was changed");
            }
            fs::remove_file(&file).unwrap();
            assert!(is_refused(), "{name} was missing");
            fs::write(&file, bytes).unwrap();
        }
        fs::write(made.out.join("proxytill_0.0.1_amd64.deb"), "left over").unwrap();
        assert!(check(&made.project, &made.out).unwrap_err().contains("is no part"));
        fs::remove_file(made.out.join("proxytill_0.0.1_amd64.deb")).unwrap();
        check(&made.project, &made.out).unwrap();
        let [deb, rpm] = [&ALL[0], &ALL[1]].map(|artefact| artefact.name("97.1.2"));
        fs::write(made.out.join(&deb), &all[&rpm]).unwrap();
        assert!(make(&made.project, &made.out, "v97.1.2", &made.key).unwrap_err().contains("is no file for"));
        fs::write(made.out.join(&deb), &all[&deb]).unwrap();
        assert!(make(&made.project, &made.out, "v97.1.1", &made.key).unwrap_err().contains("the tag is"));
        let renamed = made.out.join(ALL[0].name("97.1.3"));
        fs::copy(made.out.join(&deb), &renamed).unwrap();
        assert!(ALL[0].check(&renamed, "97.1.3", "").unwrap_err().contains("holds version 97.1.2"));
    }

    #[test]
    fn a_program_without_the_key_is_packed_under_another_name_and_no_release_takes_it() {
        let made = made();
        let version = "97.1.2";
        for artefact in &ALL {
            let file = made.out.join(artefact.name(version));
            let told = artefact.check(&file, version, "another key").unwrap_err();
            assert!(told.contains("does not carry packaging/update.pub"), "{told}");
            assert_eq!(artefact.packed(&made.project, version), artefact.name(version));
        }
        fs::remove_file(made.project.path(signing::PUBLIC)).unwrap();
        let names = ALL.map(|artefact| artefact.packed(&made.project, version));
        assert_eq!(
            names,
            [
                "proxytill_97.1.2_amd64-unsigned.deb",
                "proxytill-97.1.2-1.x86_64-unsigned.rpm",
                "proxytill-97.1.2-linux-x86_64-unsigned.tar.xz",
                "Proxytill_97.1.2_x64-setup-unsigned.exe",
                "Proxytill_97.1.2_x64-setup-offline-unsigned.exe"
            ]
        );
        assert!(make(&made.project, &made.out, "v97.1.2", &made.key).unwrap_err().contains("update.pub"));
    }

    #[test]
    fn a_draft_has_every_file_and_one_that_does_not_hold_is_never_uploaded() {
        let made = made();
        let gh = made.out.with_file_name("gh");
        let told = made.out.with_file_name("told");
        fs::write(&gh, format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > {}\n", told.display())).unwrap();
        run::program("chmod", &["+x", &gh.display().to_string()]).captured().unwrap();
        let gh = gh.display().to_string();
        draft(&made.project, &made.out, &gh).unwrap();
        let uploaded = fs::read_to_string(&told).unwrap();
        assert!(uploaded.starts_with("release\ncreate\nv97.1.2\n--draft\n"), "{uploaded}");
        for name in files(&made).into_keys() {
            assert!(uploaded.contains(&format!("/{name}\n")), "{name}: {uploaded}");
        }
        fs::remove_file(&told).unwrap();
        fs::write(made.out.join(ALL[2].name("97.1.2")), "another").unwrap();
        assert!(draft(&made.project, &made.out, &gh).is_err());
        assert!(!told.exists());
    }

    #[test]
    fn what_catalogues_are_told_is_whole_and_of_this_release() {
        let made = made();
        let read = |name: &str| String::from_utf8(read(&made.out.join("catalogues"), name).unwrap()).unwrap();
        let archive = sum(&fs::read(made.out.join(ALL[2].name("97.1.2"))).unwrap());
        let build = read("aur/PKGBUILD");
        assert!(build.contains("pkgver=97.1.2\n") && build.contains(&archive), "{build}");
        let flatpak: serde_json::Value = serde_json::from_str(&read("flatpak/app.proxytill.Proxytill.json")).unwrap();
        assert_eq!(flatpak["modules"][0]["sources"][0]["sha256"], archive.as_str());
        let cask = read("homebrew/proxytill.rb");
        for image in &IMAGES {
            let sum = sum(&fs::read(made.out.join(image.name("97.1.2"))).unwrap());
            assert!(cask.contains(&sum), "{cask}");
        }
        let address = IMAGES[0].name("97.1.2").replace("97.1.2", "#{version}").replace("aarch64", "#{arch}");
        assert!(cask.contains(&address), "{address}");
        let setup = made.project.version().unwrap();
        let setup = ALL.iter().find(|artefact| artefact.kind == "setup").unwrap().name(&setup.to_string());
        let installer = read("winget/Proxytill.Proxytill.installer.yaml");
        assert!(installer.contains(&format!("/v97.1.2/{setup}\n")), "{installer}");
        let checksum = sum(&fs::read(made.out.join(setup)).unwrap());
        assert!(installer.contains(&format!("InstallerSha256: \"{checksum}\"\n")), "{installer}");
    }

    #[test]
    fn packages_and_a_release_are_the_same_bytes_wherever_they_are_made() {
        let (one, other) = (made(), tempfile::tempdir().unwrap());
        pack(&one.project, other.path().join("another").join("place"), &other.path().join("out"));
        for artefact in &ALL {
            let name = artefact.name("97.1.2");
            let [one, other] = [&one.out, &other.path().join("out")].map(|out| sum(&read(out, &name).unwrap()));
            assert_eq!(one, other, "{name}");
        }
    }

    #[test]
    fn a_secret_key_that_is_not_the_programs_signs_nothing() {
        let [one, other] = [(), ()].map(|()| KeyPair::generate_encrypted_keypair(Some("word".into())).unwrap());
        let secret = one.sk.to_box(None).unwrap().into_string();
        let public = |key: &KeyPair| key.pk.to_box().unwrap().into_string();
        assert!(Key::read(&secret, "word", &public(&one)).is_ok());
        assert!(Key::read(&secret, "other word", &public(&one)).is_err());
        assert!(Key::read(&secret, "word", &public(&other)).is_err());
        // During a change of keys, releases are signed with the old key.
        let folder = tempfile::tempdir().unwrap();
        let project = Project::at(folder.path());
        fs::create_dir(project.path("packaging")).unwrap();
        project.write(signing::PUBLIC, &public(&other)).unwrap();
        assert_eq!(signing::of_releases(&project).unwrap(), public(&other));
        project.write(signing::SIGNING, &public(&one)).unwrap();
        assert_eq!(signing::of_releases(&project).unwrap(), public(&one));
    }
}
