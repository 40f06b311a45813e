//! The installer for Windows: NSIS compiles `packaging/windows/installer.nsi`, on Linux.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::run;

use crate::job::Job;
use crate::project::Project;
use crate::webview2::Runtime;
use crate::{banner, tree};

pub(crate) use crate::webview2::{BOOTSTRAPPER, STANDALONE};

/// Debian packages needed to make it and to look into it.
pub(crate) const TOOLS: &[&str] = &["nsis", "p7zip-full"];
/// Writes the program in an installer to the output.
pub(crate) const UNPACK: &str = "7z e -so \"$1\" new/Proxytill.exe";
/// Environment variable with a program that signs the file that is its only argument, in place.
pub(crate) const SIGN: &str = "PROXYTILL_WINDOWS_SIGN";

/// A library that some compilers leave beside the program instead of inside.
pub(crate) const LOADER: &str = "WebView2Loader.dll";
/// Texts that are installed, with their files in the project.
const TEXTS: [(&str, &str); 4] = [
    ("LICENSE-APACHE.txt", "LICENSE-APACHE"),
    ("LICENSE-MIT.txt", "LICENSE-MIT"),
    ("NOTICE.txt", "NOTICE"),
    ("notices.txt", "packaging/notices.txt"),
];
/// The list of the installed files, installed with them: the next version deletes what it does not replace.
const LISTED: &str = "installed-files.txt";

/// Everything that an installer is made of.
pub(crate) struct Setup {
    pub(crate) version: String,
    /// Names in the folder of the program, and where they come from.
    pub(crate) files: Vec<(String, PathBuf)>,
    /// Microsoft's installer of WebView2.
    pub(crate) webview2: PathBuf,
    /// Program that signs a file in place.
    pub(crate) sign: Option<PathBuf>,
    /// Seconds to wait for the running program to be closed.
    pub(crate) running: u32,
    /// Seconds to wait for WebView2's installer.
    pub(crate) hanging: u32,
}

/// Makes the installer of a release.
pub(crate) fn make(job: &Job, made: &Path, runtime: &Runtime) -> Result<(), String> {
    let sign = std::env::var_os(SIGN).filter(|sign| !sign.is_empty()).map(PathBuf::from);
    if sign.is_none() {
        println!("{SIGN} is not set: Windows will call the publisher of {} unknown", made.display());
    }
    let setup = Setup {
        version: job.version.clone(),
        files: files(job.project, &job.program),
        webview2: runtime.file(job.project)?,
        sign,
        running: 60,
        // The runtime has about 150 MB.
        hanging: 30 * 60,
    };
    setup.compile(job.project, &job.epoch, &job.work(runtime.name), made)
}

/// The files of a release.
pub(crate) fn files(project: &Project, program: &Path) -> Vec<(String, PathBuf)> {
    let mut files = vec![("Proxytill.exe".to_owned(), program.to_owned())];
    let loader = program.with_file_name(LOADER);
    if loader.is_file() {
        files.push((LOADER.to_owned(), loader));
    }
    files.extend(TEXTS.map(|(name, from)| (name.to_owned(), project.path(from))));
    files
}

impl Setup {
    /// Names of the installed files, sorted, except the uninstaller.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).chain([LISTED]).collect();
        names.sort_unstable();
        names
    }

    /// Compiles it. The folder `work` is recreated.
    pub(crate) fn compile(&self, project: &Project, epoch: &str, work: &Path, made: &Path) -> Result<(), String> {
        let _ = fs::remove_dir_all(work);
        for (name, from) in &self.files {
            tree::put(work, &format!("files/{name}"), &tree::read(from)?, 0o644)?;
        }
        let names = self.names();
        let listed: String = names.iter().map(|name| format!("{name}\r\n")).collect();
        tree::put(work, &format!("files/{LISTED}"), listed.as_bytes(), 0o644)?;
        let each: String = names.iter().map(|name| format!("!insertmacro ${{DO}} \"{name}\"\n")).collect();
        tree::put(work, "list.nsh", format!("!macro EACH_FILE DO\n{each}!macroend\n").as_bytes(), 0o644)?;
        tree::put(work, "banner.bmp", &banner::draw(project)?, 0o644)?;
        if let Some(sign) = &self.sign {
            let program = work.join("files/Proxytill.exe").display().to_string();
            run::program(sign, &[&program]).captured().map_err(|why| format!("{}: {why}", sign.display()))?;
        }
        let path = |path: &Path| path.display().to_string();
        let mut defines = vec![
            ("VERSION", self.version.clone()),
            ("OUT", path(made)),
            ("FILES", path(&work.join("files"))),
            ("LIST", path(&work.join("list.nsh"))),
            ("LISTED", LISTED.to_owned()),
            ("SIZE", kilobytes(&work.join("files"), &names)?.to_string()),
            ("ICON", path(&project.path("icons/icon.ico"))),
            ("BITMAP", path(&work.join("banner.bmp"))),
            ("WEBVIEW2", path(&self.webview2)),
            ("RUNNING_SECONDS", self.running.to_string()),
            ("WEBVIEW2_SECONDS", self.hanging.to_string()),
        ];
        defines.extend(self.sign.iter().map(|sign| ("SIGN", path(sign))));
        // Warnings are errors: they name a sentence that is missing in a language.
        let mut nsis = run::program("makensis", &["-V2", "-WX", "-INPUTCHARSET", "UTF8"]);
        for (name, value) in defines {
            nsis.arg(format!("-D{name}={value}"));
        }
        nsis.arg(project.path("packaging/windows/installer.nsi")).env("SOURCE_DATE_EPOCH", epoch);
        nsis.captured().map(drop)
    }
}

/// Size that Windows shows, without the uninstaller.
fn kilobytes(folder: &Path, names: &[&str]) -> Result<u64, String> {
    let size = |name: &&str| fs::metadata(folder.join(name)).map(|file| file.len());
    let sizes: Result<Vec<u64>, _> = names.iter().map(size).collect();
    sizes.map(|sizes| sizes.iter().sum::<u64>().div_ceil(1024)).map_err(|error| error.to_string())
}

/// Reads the version from the resource that Windows shows in a file's properties.
pub(crate) fn version(file: &str) -> Result<String, String> {
    let bytes = tree::read(Path::new(file))?;
    let key: Vec<u8> = "ProductVersion\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let at = bytes.windows(key.len()).position(|window| window == key);
    let after = bytes.get(at.ok_or_else(|| format!("{file} names no version"))? + key.len()..).unwrap_or_default();
    let letters = after.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    // The text begins at a multiple of four bytes.
    let text: Vec<u16> = letters.skip_while(|letter| *letter == 0).take_while(|letter| *letter != 0).collect();
    String::from_utf16(&text).map_err(|error| format!("{file}: {error}"))
}
