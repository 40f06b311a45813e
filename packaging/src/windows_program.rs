//! The program for Windows: what it is linked with, what it says of itself, and what it says without WebView2.

use std::fs;
use std::path::Path;

use crate::called::checked;
use crate::project::Project;
use crate::wine::{self, Wine};
use crate::{program, time, tree, windows};

/// Debian packages that this needs, besides those of the build.
pub(crate) const TOOLS: &[&str] = &["wine", "wine64", "xvfb", "xdotool", "imagemagick", "locales"];

/// Libraries that every Windows 10 has, in small letters. Those of the C runtime's own sets begin with `api-ms-win-`.
const OF_WINDOWS: [&str; 26] = [
    "advapi32.dll",
    "bcrypt.dll",
    "bcryptprimitives.dll",
    "combase.dll",
    "comctl32.dll",
    "comdlg32.dll",
    "crypt32.dll",
    "dwmapi.dll",
    "gdi32.dll",
    "imm32.dll",
    "iphlpapi.dll",
    "kernel32.dll",
    "ktmw32.dll",
    "msvcrt.dll",
    "ntdll.dll",
    "ole32.dll",
    "oleaut32.dll",
    "propsys.dll",
    "rpcrt4.dll",
    "secur32.dll",
    "shell32.dll",
    "shlwapi.dll",
    "user32.dll",
    "userenv.dll",
    "uxtheme.dll",
    "ws2_32.dll",
];

/// The manifest. The program must have each of its lines.
const MANIFEST: &str = include_str!("../windows/app.manifest");

/// What the manifest is for: that the program has each of its lines does not show that these are among them.
const ASKED: [&str; 5] = [
    "name=\"Microsoft.Windows.Common-Controls\"",
    "version=\"6.0.0.0\"",
    ">PerMonitorV2</dpiAwareness>",
    "WindowsSettings\">true</longPathAware>",
    "level=\"asInvoker\"",
];

/// The code with which a program ends that cannot show its window.
pub(crate) const WITHOUT_WINDOW: i32 = 1;

/// Reads the program for Windows.
pub(crate) fn read(project: &Project) -> Result<String, String> {
    let file = program::build_for_windows(project, &time::epoch()?)?;
    let told = checked("x86_64-w64-mingw32-objdump", &["-p", &file.display().to_string()])?;
    if !told.contains("(Windows GUI)") {
        return Err("the program opens a terminal".into());
    }
    let imports = told.lines().filter_map(|line| line.trim().strip_prefix("DLL Name: "));
    let mut imports: Vec<String> = imports.map(str::to_lowercase).collect();
    imports.sort();
    let is_known = |name: &&String| {
        let name = name.as_str();
        name.starts_with("api-ms-win-") || OF_WINDOWS.contains(&name) || name == windows::LOADER.to_lowercase()
    };
    if let Some(other) = imports.iter().find(|name| !is_known(name)) {
        return Err(format!("the program needs {other}, which neither Windows nor the installer brings"));
    }
    let bytes = fs::read(&file).map_err(|error| error.to_string())?;
    if let Some(missing) = MANIFEST.lines().map(str::trim).chain(ASKED).find(|line| !tree::holds(&bytes, line)) {
        return Err(format!("the manifest has no {missing}"));
    }
    let (version, wanted) = (windows::version(&file.display().to_string())?, project.version()?.to_string());
    if version != wanted {
        return Err(format!("the program calls itself {version}, not {wanted}"));
    }
    Ok(format!("no terminal; version {version}; {} libraries, all of Windows but {}", imports.len(), windows::LOADER))
}

/// Starts the program in a Windows without WebView2: it says so in both languages, and ends.
pub(crate) fn without_webview2(project: &Project) -> Result<String, String> {
    const TRIAL: &str = "trial";
    const PROGRAM: &str = r"C:\trial\Proxytill.exe";
    let file = program::build_for_windows(project, &time::epoch()?)?;
    let wine = Wine::new(&project.path("target/reach/wine-program"))?;
    crate::wine_suite::random_numbers(project, &wine)?;
    fs::create_dir_all(wine.c(TRIAL)).map_err(|error| error.to_string())?;
    for (from, name) in [(file.clone(), "Proxytill.exe"), (file.with_file_name(windows::LOADER), windows::LOADER)] {
        if from.is_file() {
            fs::copy(&from, wine.c(TRIAL).join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
        }
    }
    let before = wine.files()?;
    let picture = |name: &str| project.path(format!("target/reach/{name}.png"));
    message(&wine, &[PROGRAM, "--version"], 0, &picture("version"))?;
    message(&wine, &[PROGRAM, "--loud"], 2, &picture("unknown-option"))?;
    message(&wine, &[PROGRAM], WITHOUT_WINDOW, &picture("without-webview2"))?;
    let said = project.path("target/reach/without-webview2.txt");
    let log = fs::File::create(&said).map_err(|error| error.to_string())?;
    if wine.start_noted(&[PROGRAM], &log)?.code()? != WITHOUT_WINDOW {
        return Err("with an output it ends otherwise".into());
    }
    let text = fs::read_to_string(&said).map_err(|error| error.to_string())?;
    for wanted in ["needs Microsoft Edge WebView2", "尚未安装", "developer.microsoft.com"] {
        if !text.contains(wanted) {
            return Err(format!("the message does not say {wanted}:\n{text}"));
        }
    }
    if wine::is_running(r"trial\Proxytill.exe") {
        return Err("the program goes on".into());
    }
    if wine.files()? != before {
        return Err("a program without a window left files".into());
    }
    Ok(format!(
        "a message in both languages, end with code {WITHOUT_WINDOW}, nothing left running or written; messages for \
         --version (code 0) and an unknown option (code 2)"
    ))
}

/// Starts a program that shows a message instead of its window, and ends with this code when that is closed. A program
/// with a window has no output on Windows, unless it is given one: then its words go there alone.
pub(crate) fn message(wine: &Wine, words: &[&str], wanted: i32, picture: &Path) -> Result<(), String> {
    let mut opened = wine.start(&[&["start", "/wait"], words].concat(), "en_US", &[])?;
    wine::until("no message appears", || Ok(wine.keys(&["search", "--onlyvisible", "--name", "^Proxytill$"]).is_ok()))?;
    wine.picture(&[], picture)?;
    if !opened.is_running()? {
        return Err("the message was gone at once".into());
    }
    wine.keys(&["key", "Return"])?;
    match opened.code()? {
        code if code == wanted => Ok(()),
        code => Err(format!("{words:?} ended with code {code}, not {wanted}")),
    }
}
