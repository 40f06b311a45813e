//! The disk images for macOS. Only macOS makes them: other systems have neither its signer nor its file system. The
//! folder of the program inside can be laid anywhere.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::run;

use crate::job::Job;
use crate::project::{OUT, Project};
use crate::tree::{holds, put, read};
use crate::{program, signing, time};

/// A disk image of a release, for one processor.
pub struct Image {
    /// The processor, as Rust calls it.
    architecture: &'static str,
    /// The key in the catalogues.
    pub(crate) target: &'static str,
}

/// Every disk image in a release.
pub const IMAGES: [Image; 2] = [
    Image { architecture: "aarch64", target: "macos-aarch64-dmg" },
    Image { architecture: "x86_64", target: "macos-x86_64-dmg" },
];

/// Files of the program's folder that are copied: from the project, to `Contents`.
const COPIED: [(&str, &str); 4] = [
    ("icons/icon.icns", "Resources/icon.icns"),
    ("packaging/macos/en.lproj/InfoPlist.strings", "Resources/en.lproj/InfoPlist.strings"),
    ("packaging/macos/zh-Hans.lproj/InfoPlist.strings", "Resources/zh-Hans.lproj/InfoPlist.strings"),
    ("packaging/notices.txt", "Resources/notices.txt"),
];

impl Image {
    /// File name in a release of this version.
    pub fn name(&self, version: &str) -> String {
        format!("proxytill-{version}-macos-{}.dmg", self.architecture)
    }

    /// Checks that the bytes are a disk image. What is inside was checked where it was made.
    pub(crate) fn check(&self, bytes: &[u8]) -> Result<(), String> {
        // An image ends with a block of 512 bytes that begins with these letters.
        let last = bytes.len().checked_sub(512).and_then(|from| bytes.get(from..));
        let is_one = last.is_some_and(|block| block.starts_with(b"koly"));
        if is_one { Ok(()) } else { Err(format!("the file for {} is no disk image", self.target)) }
    }
}

/// Makes the image for this machine's processor. Its name says so when the program has no key, as with every package.
///
/// # Errors
/// On any system but macOS, for any other kind, or when a tool fails.
pub(crate) fn make(project: &Project, wanted: &[&str]) -> Result<(), String> {
    if let Some(other) = wanted.iter().find(|kind| **kind != "dmg") {
        return Err(format!("`{other}`: macOS makes dmg only"));
    }
    let image = IMAGES.iter().find(|image| image.architecture == std::env::consts::ARCH).ok_or("no such processor")?;
    let epoch = time::epoch()?;
    let built = program::build(project, &epoch)?;
    ensure_key(project, &built)?;
    let (work, out) = (project.path("target/package"), project.path(OUT));
    let job = Job { project, version: project.version()?.to_string(), program: built, epoch, work, out };
    let _ = fs::remove_dir_all(&job.out);
    fs::create_dir_all(&job.out).map_err(|error| format!("{}: {error}", job.out.display()))?;
    let name = image.name(&job.version);
    let name = if signing::has_key(project) { name } else { name.replace(".dmg", "-unsigned.dmg") };
    let made = job.out.join(name);
    pack(&job, &made)?;
    image.check(&read(&made)?)?;
    println!("{}", made.display());
    Ok(())
}

/// Fails if the project has a key that the program does not carry.
fn ensure_key(project: &Project, built: &Path) -> Result<(), String> {
    if !signing::has_key(project) {
        println!("{} is missing: this program will never update itself", signing::PUBLIC);
        return Ok(());
    }
    let key = signing::line(project)?;
    if holds(&read(built)?, &key) { Ok(()) } else { Err(format!("the program does not carry {}", signing::PUBLIC)) }
}

fn pack(job: &Job, made: &Path) -> Result<(), String> {
    let folder = job.work("dmg");
    let app = lay(job, &folder)?.display().to_string();
    let entitlements = job.project.path("packaging/macos/entitlements.plist").display().to_string();
    // An ad-hoc signature: without one, a Mac with Apple's processor calls the program damaged.
    let sign = ["--force", "--sign", "-", "--options", "runtime", "--entitlements", &entitlements, &app];
    run::program("codesign", &sign).captured()?;
    run::program("codesign", &["--verify", "--strict", &app]).captured()?;
    run::program("ln", &["-s", "/Applications", &folder.join("Applications").display().to_string()]).captured()?;
    let (from, to) = (folder.display().to_string(), made.display().to_string());
    let words = ["create", "-volname", "Proxytill", "-srcfolder", &from, "-fs", "HFS+", "-format", "UDZO", "-ov", &to];
    run::program("hdiutil", &words).captured()?;
    run::program("hdiutil", &["verify", &to]).captured().map(drop)
}

/// Lays the program's folder below `to`, which is recreated. Returns its path.
pub(crate) fn lay(job: &Job, to: &Path) -> Result<PathBuf, String> {
    if to.exists() {
        fs::remove_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    let app = to.join("Proxytill.app");
    let contents = app.join("Contents");
    put(&contents, "MacOS/proxytill", &read(&job.program)?, 0o755)?;
    put(&contents, "Info.plist", described(job.project, &job.version)?.as_bytes(), 0o644)?;
    for (from, to) in COPIED {
        put(&contents, to, &read(&job.project.path(from))?, 0o644)?;
    }
    Ok(app)
}

/// The description of this version.
fn described(project: &Project, version: &str) -> Result<String, String> {
    let file = "packaging/macos/Info.plist";
    let text = project.read(file)?;
    let (before, after) = text.rsplit_once("</dict>").ok_or_else(|| format!("{file} is no property list"))?;
    let entry = |key: &str| format!("\t<key>{key}</key>\n\t<string>{version}</string>\n");
    Ok([before, &entry("CFBundleShortVersionString"), &entry("CFBundleVersion"), "</dict>", after].concat())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;
    use crate::program::OLDEST_MACOS;
    use crate::tests::project;

    /// The keys of a property list of texts, with the texts of each.
    fn property_list(text: &str) -> BTreeMap<String, Vec<String>> {
        let mut reader = Reader::from_str(text);
        let (mut found, mut key, mut tag) = (BTreeMap::<String, Vec<String>>::new(), String::new(), String::new());
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => tag = start.name().as_ref().to_owned(),
                Event::Text(text) if tag == "key" => key = text.to_string(),
                Event::Text(text) if tag == "string" => {
                    found.entry(key.clone()).or_default().push(text.to_string());
                }
                Event::End(_) => tag.clear(),
                Event::Eof => return found,
                _ => {}
            }
        }
    }

    /// The keys and texts of a file of translations.
    fn strings(language: &str) -> BTreeMap<String, String> {
        let text = project().read(&format!("packaging/macos/{language}.lproj/InfoPlist.strings")).unwrap();
        let entry = |line: &str| {
            let (key, value) = line.strip_prefix('"')?.strip_suffix("\";")?.split_once("\" = \"")?;
            Some((key.to_owned(), value.to_owned()))
        };
        text.lines().map(|line| entry(line).unwrap_or_else(|| panic!("{language}: {line}"))).collect()
    }

    /// The settings of Tauri's own bundler.
    fn settings() -> serde_json::Value {
        serde_json::from_str(&project().read("src-tauri/tauri.conf.json").unwrap()).unwrap()
    }

    #[test]
    fn the_folder_of_the_program_has_all_that_macos_asks_for() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        fs::write(&program, "program").unwrap();
        let project = project();
        let (work, out) = (folder.path().join("work"), folder.path().join("out"));
        let job = Job { project: &project, version: "97.1.2".into(), program, epoch: "0".into(), work, out };
        let contents = lay(&job, &folder.path().join("laid")).unwrap().join("Contents");
        let told = property_list(&fs::read_to_string(contents.join("Info.plist")).unwrap());
        let one = |key: &str| told[key].join(" ");
        assert_eq!([one("CFBundleShortVersionString"), one("CFBundleVersion")], ["97.1.2", "97.1.2"]);
        assert_eq!(one("CFBundleIdentifier"), settings()["identifier"].as_str().unwrap());
        assert_eq!(fs::read_to_string(contents.join("MacOS").join(one("CFBundleExecutable"))).unwrap(), "program");
        let icon = fs::read(contents.join("Resources").join(one("CFBundleIconFile"))).unwrap();
        assert!(icon.starts_with(b"icns"));
        for language in &told["CFBundleLocalizations"] {
            let words = contents.join(format!("Resources/{language}.lproj/InfoPlist.strings"));
            assert!(words.exists(), "{}", words.display());
        }
    }

    #[test]
    fn what_macos_asks_a_person_is_said_in_both_languages() {
        let [english, chinese] = ["en", "zh-Hans"].map(strings);
        assert!(english.keys().eq(chinese.keys()));
        let told = property_list(&project().read("packaging/macos/Info.plist").unwrap());
        assert_eq!(told["CFBundleLocalizations"], ["en", "zh-Hans"]);
        let asked: Vec<&String> = told.keys().filter(|key| key.ends_with("UsageDescription")).collect();
        assert_eq!(asked, ["NSDownloadsFolderUsageDescription"]);
        for (key, text) in &english {
            assert_eq!(told[key].join(" "), *text, "without a translation the same is shown");
        }
        for key in asked {
            assert!(chinese[key].chars().any(|letter| ('一'..='鿿').contains(&letter)), "{key}");
        }
    }

    #[test]
    fn one_version_of_macos_is_the_oldest_everywhere() {
        let told = property_list(&project().read("packaging/macos/Info.plist").unwrap());
        assert_eq!(told["LSMinimumSystemVersion"], [OLDEST_MACOS]);
        assert_eq!(settings()["bundle"]["macOS"]["minimumSystemVersion"], OLDEST_MACOS);
        // Homebrew has names for versions: Ventura is 13.
        let cask = project().read("packaging/catalogues/homebrew/proxytill.rb").unwrap();
        assert!(OLDEST_MACOS == "13.0" && cask.contains("depends_on macos: \">= :ventura\""));
    }

    #[test]
    fn tauris_own_bundler_would_take_the_same_files() {
        let macos = &settings()["bundle"]["macOS"];
        let is_there = |path: &str| project().path("src-tauri").join(path).is_file();
        assert_eq!(macos["infoPlist"], "../packaging/macos/Info.plist");
        assert_eq!(macos["entitlements"], "../packaging/macos/entitlements.plist");
        assert!(macos["infoPlist"].as_str().is_some_and(is_there));
        assert!(macos["entitlements"].as_str().is_some_and(is_there));
        for (from, to) in COPIED.iter().filter(|(from, _)| from.ends_with(".strings")) {
            assert_eq!(macos["files"][to], format!("../{from}"));
        }
    }

    #[test]
    fn the_program_has_no_entitlement() {
        let text = project().read("packaging/macos/entitlements.plist").unwrap();
        assert!(text.contains("<dict/>") && property_list(&text).is_empty(), "each one weakens the hardened runtime");
    }

    #[test]
    fn an_image_is_known_by_its_end() {
        let image = [b"anything".to_vec(), b"koly".to_vec(), vec![0; 508]].concat();
        IMAGES[0].check(&image).unwrap();
        for other in [&image[..image.len() - 1], &image[..100], b"", &[&image[..], b"\0"].concat()] {
            assert!(IMAGES[0].check(other).unwrap_err().contains("no disk image"));
        }
    }
}
