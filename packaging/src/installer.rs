//! Tries the installer for Windows under Wine: stubs stand in for the program and for Microsoft's installer.

mod files;
mod people;
mod runtime;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use xtask::run;

use crate::project::Project;
use crate::throwaway::Signer;
use crate::windows::{self, Setup};
use crate::wine::Wine;
use crate::{program, time, wine_suite};

/// Debian packages needed to make the installer, to sign it, and to run it.
pub(crate) const TOOLS: &[&str] = &[
    "nsis",
    "openssl",
    "osslsigncode",
    "gcc-mingw-w64-x86-64",
    "wine",
    "wine64",
    "xvfb",
    "xdotool",
    "imagemagick",
    "locales",
    "fonts-noto-cjk",
];

/// Where the program goes, below `C:\`.
const HOME: &str = "users/USER/AppData/Local/Programs/Proxytill";
const SHORTCUT: &str = "users/USER/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Proxytill.lnk";
const DATA: &str = "users/USER/AppData/Local/app.proxytill.Proxytill";
const KEY: &str = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\app.proxytill.Proxytill";
/// The uninstaller's copy of itself, which deletes the original. NSIS has to leave it; Windows clears the folder.
const COPY: &str = "Un.exe";
const COPIED: [&str; 2] = ["users/USER/Temp/~nsu1.tmp/", "users/USER/Temp/~nsu1.tmp/Un.exe"];
/// Microsoft's id of WebView2.
const WEBVIEW2: &str = "{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}";

/// The files of the older version that is tried, and of the newer one. Folders end in `/`.
const OLDER: [&str; 8] = [
    "",
    "LICENSE-MIT.txt",
    "NOTICE.txt",
    "Proxytill.exe",
    "Uninstall.exe",
    "WebView2Loader.dll",
    "gone in the next.dll",
    "installed-files.txt",
];
const NEWER: [&str; 8] = [
    "",
    "LICENSE-APACHE.txt",
    "LICENSE-MIT.txt",
    "NOTICE.txt",
    "Proxytill.exe",
    "Uninstall.exe",
    "installed-files.txt",
    "notices.txt",
];

/// What else a try changes in the registry: Wine's own settings, its version of Windows and its network; the marks of
/// WebView2, which the tries set; the key of all uninstall entries, which every Windows has.
const NOT_OURS: [&str; 6] = [
    r"[HKEY_CURRENT_USER\Software\Wine",
    r"[HKEY_LOCAL_MACHINE\Software\Microsoft\Windows NT\CurrentVersion",
    r"[HKEY_LOCAL_MACHINE\Software\Wow6432Node\Microsoft\Windows NT\CurrentVersion",
    r"[HKEY_CURRENT_USER\Software\Microsoft\EdgeUpdate",
    r"[HKEY_LOCAL_MACHINE\Software\Wow6432Node\Microsoft\EdgeUpdate",
    r"[HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Uninstall]",
];

/// When the installers were made, in seconds since 1970.
const EPOCH: &str = "1600000000";

/// Limits of the waits, in seconds: one that is reached, and one that is not.
const SHORT: u32 = 3;
const LONG: u32 = 60;

/// The codes in the head of `installer.nsi`.
mod code {
    pub(super) const DONE: i32 = 0;
    pub(super) const CANCELLED: i32 = 1;
    pub(super) const FAILED: i32 = 2;
    pub(super) const RUNNING: i32 = 3;
    pub(super) const NEWER: i32 = 4;
    pub(super) const WEBVIEW2_FAILED: i32 = 5;
    pub(super) const WEBVIEW2_HUNG: i32 = 6;
    pub(super) const OLD_WINDOWS: i32 = 7;
    pub(super) const DATA_FOLDER: i32 = 8;
}

/// Runs every check. Returns what was seen, in a few words.
pub(crate) fn try_under_wine(project: &Project) -> Result<String, String> {
    let tried = Tried::new(project)?;
    let told = [
        tried.refuses_an_old_windows()?,
        tried.needs_webview2()?,
        tried.installs_updates_and_leaves_the_data()?,
        tried.waits_for_the_running_program()?,
        tried.goes_to_any_folder()?,
        tried.a_file_that_cannot_be_written_is_an_error()?,
        tried.installs_the_program()?,
        tried.asks_a_person_in_both_languages()?,
        tried.is_signed()?,
    ];
    Ok(told.join("; "))
}

struct Tried {
    wine: Wine,
    at: PathBuf,
    signer: Signer,
    user: String,
    /// The registry before anything was installed.
    registry: BTreeSet<String>,
}

impl Tried {
    fn new(project: &Project) -> Result<Self, String> {
        let at = project.path("target/reach/wine-installer");
        let wine = Wine::new(&at)?;
        let users = fs::read_dir(wine.c("users")).map_err(|error| error.to_string())?;
        let users = users.filter_map(Result::ok).map(|user| user.file_name().to_string_lossy().into_owned());
        let user = users.into_iter().find(|user| user != "Public").ok_or("Wine has no user")?;
        fs::create_dir_all(wine.c("told")).map_err(|error| error.to_string())?;
        wine_suite::random_numbers(project, &wine)?;
        let signer = Signer::new(&at.join("signer"))?;
        fs::create_dir_all(at.join("pictures")).map_err(|error| error.to_string())?;
        let registry = wine.whole_registry()?;
        let tried = Self { wine, at, signer, user, registry };
        tried.make(project)?;
        Ok(tried)
    }

    /// Makes the installers: `older` and `newer`; `patient`, which is `newer` with a long wait; and `program`, which has
    /// the program of this project instead of a stub.
    fn make(&self, project: &Project) -> Result<(), String> {
        let source = project.path("packaging/windows/stub.c").display().to_string();
        let compile = |to: &str, define: String| {
            let to = self.at.join(to);
            let line = ["-O1", "-s", "-mwindows", &source, "-o", &to.display().to_string(), "-ladvapi32", &define];
            run::program("x86_64-w64-mingw32-gcc", &line).captured().map(|_| to)
        };
        let webview2 = compile("webview2.exe", format!("-DWEBVIEW2=\"{WEBVIEW2}\""))?;
        for (name, version, names, running) in
            [("older", "1.9.0", OLDER, SHORT), ("newer", "1.10.0", NEWER, SHORT), ("patient", "1.10.0", NEWER, LONG)]
        {
            let program = compile(&format!("{version}.exe"), format!("-DVERSION=\"{version}\""))?;
            let known = windows::files(project, &program);
            let file = |name: &&str| {
                let from = known.iter().find(|(known, _)| known == name).map_or(&program, |(_, from)| from);
                ((*name).to_owned(), from.clone())
            };
            let ours = |name: &&&str| !["", "Uninstall.exe", "installed-files.txt"].contains(*name);
            let setup = Setup {
                version: version.to_owned(),
                files: names.iter().filter(ours).map(file).collect(),
                webview2: webview2.clone(),
                sign: Some(self.signer.program()),
                running,
                hanging: SHORT,
            };
            setup.compile(project, EPOCH, &self.at.join(format!("work-{name}")), &self.setup(name))?;
        }
        let program = program::build_for_windows(project, &time::epoch()?)?;
        let setup = Setup {
            version: project.version()?.to_string(),
            files: windows::files(project, &program),
            webview2,
            sign: Some(self.signer.program()),
            running: SHORT,
            hanging: SHORT,
        };
        setup.compile(project, EPOCH, &self.at.join("work-program"), &self.setup("program"))
    }

    fn setup(&self, name: &str) -> PathBuf {
        self.at.join(format!("{name}.exe"))
    }

    /// Runs an installer and compares its exit code.
    fn ends(&self, name: &str, words: &[&str], more: &[(&str, &str)], code: i32) -> Result<(), String> {
        let setup = self.setup(name).display().to_string();
        // Wine would put a word with a space into quotation marks, which NSIS does not want around a folder.
        let words: Vec<&str> = words.iter().flat_map(|word| word.split(' ')).collect();
        let ended = self.wine.code(&[&[&*setup], &*words].concat(), more)?;
        if ended == code { Ok(()) } else { Err(format!("{name} {}: {ended}, not {code}", words.join(" "))) }
    }

    /// Uninstalls in place, without a copy of the uninstaller, so that its exit code is seen.
    fn uninstall(&self, home: &str, expected: i32) -> Result<(), String> {
        let program = self.wine.c(home).join("Uninstall.exe").display().to_string();
        let folder = format!("_?=C:\\{}", home.replace('/', "\\"));
        let ended = self.wine.code(&[&program, "/S", &folder], &[])?;
        if ended == expected { Ok(()) } else { Err(format!("Uninstall.exe ends with {ended}, not {expected}")) }
    }

    fn of(&self, path: &str) -> String {
        path.replace("USER", &self.user)
    }

    /// What is on the disk now and was not before, or the other way round.
    fn differs(&self, before: &BTreeSet<String>, expected: &BTreeSet<String>, when: &str) -> Result<(), String> {
        let after = self.names()?;
        let found: BTreeSet<String> = after.symmetric_difference(before).cloned().collect();
        if found == *expected {
            return Ok(());
        }
        let [more, less] = [(&found, expected), (expected, &found)].map(|(one, other)| one.difference(other).collect());
        let (more, less): (Vec<&String>, Vec<&String>) = (more, less);
        Err(format!("{when}: unexpected {more:?}, missing {less:?}"))
    }

    fn names(&self) -> Result<BTreeSet<String>, String> {
        Ok(self.disk()?.into_keys().collect())
    }

    /// Every file, without what the stubs wrote about themselves.
    fn disk(&self) -> Result<BTreeMap<String, String>, String> {
        let mut files = self.wine.files()?;
        files.retain(|name, _| !name.starts_with("told/"));
        Ok(files)
    }

    /// The list of an installed version.
    fn installed(&self, names: &[&str]) -> BTreeSet<String> {
        let home = self.of(HOME);
        let files = names.iter().map(|name| format!("{home}/{name}"));
        files.chain([self.of(SHORTCUT), format!("{}/", home.trim_end_matches("/Proxytill"))]).collect()
    }

    fn told(&self, name: &str) -> String {
        fs::read_to_string(self.wine.c("told").join(name)).unwrap_or_default()
    }

    fn refuses_an_old_windows(&self) -> Result<String, String> {
        let before = self.names()?;
        for version in ["win7", "win81"] {
            self.wine.become_version(version)?;
            self.ends("older", &["/S"], &[], code::OLD_WINDOWS)?;
        }
        self.wine.become_version("win10")?;
        self.differs(&before, &BTreeSet::new(), "after an old Windows")?;
        Ok("Windows 7 and 8.1 are refused".into())
    }

    /// The exact values of the uninstall entry.
    fn registry(&self, version: &str, home: &str, name: &str) -> Result<(), String> {
        let folder = format!("C:\\{}", home.replace('/', "\\"));
        let files = fs::read_dir(self.at.join(format!("work-{name}/files"))).map_err(|error| error.to_string())?;
        let sizes = files.filter_map(|file| file.ok()?.metadata().ok()).map(|file| file.len());
        let size = sizes.sum::<u64>().div_ceil(1024);
        let text =
            |name: &str, value: &str| format!("\"{name}\"=\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
        let expected = [
            text("DisplayIcon", &format!("{folder}\\Proxytill.exe")),
            text("DisplayName", "Proxytill"),
            text("DisplayVersion", version),
            format!("\"EstimatedSize\"=dword:{size:08x}"),
            text("InstallLocation", &folder),
            "\"NoModify\"=dword:00000001".to_owned(),
            "\"NoRepair\"=dword:00000001".to_owned(),
            text("Publisher", "Proxytill"),
            text("QuietUninstallString", &format!("\"{folder}\\Uninstall.exe\" /S")),
            text("UninstallString", &format!("\"{folder}\\Uninstall.exe\"")),
        ];
        let found = self.wine.registry(KEY)?;
        if found == expected { Ok(()) } else { Err(format!("the registry has {found:#?}, not {expected:#?}")) }
    }

    /// The registry may differ from that before the first try below one key alone, or not at all.
    fn registry_differs(&self, below: Option<&str>, when: &str) -> Result<(), String> {
        let after = self.wine.whole_registry()?;
        let whole = below.map(|key| key.replacen("HKCU", "[HKEY_CURRENT_USER", 1));
        let is_expected = |line: &&String| NOT_OURS.iter().any(|begin| line.starts_with(begin));
        let is_other =
            |line: &&String| !is_expected(line) && whole.as_ref().is_none_or(|key| !line.starts_with(&**key));
        let found: Vec<&String> = after.symmetric_difference(&self.registry).filter(is_other).collect();
        if found.is_empty() { Ok(()) } else { Err(format!("{when} the registry differs: {found:#?}")) }
    }

    /// Uninstalls, and deletes what the uninstaller in place has to leave.
    fn remove(&self, home: &str) -> Result<(), String> {
        self.uninstall(home, code::DONE)?;
        let folder = self.wine.c(home);
        let done = fs::remove_file(folder.join("Uninstall.exe")).and_then(|()| fs::remove_dir(&folder));
        done.map_err(|error| format!("{}: {error}", folder.display()))
    }

    /// Verifies what the throwaway certificate signed, and each with a byte flipped.
    fn is_signed(&self) -> Result<String, String> {
        self.ends("newer", &["/S"], &[], code::DONE)?;
        let home = self.wine.c(&self.of(HOME));
        for file in [home.join("Proxytill.exe"), home.join("Uninstall.exe"), self.setup("newer")] {
            self.signer.holds(&file)?;
            let mut bytes = fs::read(&file).map_err(|error| error.to_string())?;
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            let changed = self.at.join("changed.exe");
            fs::write(&changed, bytes).map_err(|error| error.to_string())?;
            if self.signer.holds(&changed).is_ok() {
                return Err(format!("{} is verified with a changed byte", file.display()));
            }
        }
        self.remove(&self.of(HOME))?;
        Ok("program, uninstaller and installer verified with a throwaway certificate, refused with a flipped byte"
            .into())
    }
}
