//! The program's options.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use till::{FORMER_IDENTIFIER, IDENTIFIER};

/// The text that `--help` prints, and that follows the message about a wrong option.
pub(crate) const USAGE: &str = "usage: proxytill [OPTION]...
  --data-dir DIR     keep everything in this folder; PROXYTILL_DATA_DIR says the same
  --lang en|zh-CN    open the window in this language
  --perf             print when the program reaches which point of its start
  --perf-exit POINT  the same, and end at this point
  --help             print this
  --version          print the version";

/// The option of a program that an earlier one started: it waits until that one has ended. Not for people, so not in
/// the usage.
pub(crate) const RESTARTED: &str = "--restarted";

/// The action that the options ask for.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    /// Open the window.
    Window(Options),
    /// Print a text on the terminal.
    Text(String),
}

/// Everything that can be set from outside.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The folder of everything that the program writes.
    pub(crate) data_dir: PathBuf,
    /// The folder that an earlier version used; `None` if the person named a folder.
    pub(crate) former_data_dir: Option<PathBuf>,
    /// The language to use instead of the saved one.
    pub(crate) language: Option<String>,
    /// Whether to print performance marks.
    pub(crate) perf: bool,
    /// The mark to end after.
    pub(crate) perf_exit: Option<String>,
    /// The path of the program. Asked for at the start: after an update, Linux reports the running file as "deleted".
    pub(crate) program: Option<PathBuf>,
    /// Whether an earlier program started this one, which has to wait until that has ended.
    pub(crate) restarted: bool,
    /// The unit of the waits before a read is repeated because the vendor asked for it. Only useful in tests, so not in
    /// the usage.
    pub(crate) wait_unit: Duration,
}

impl Options {
    /// The time to wait for the earlier program to end.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(if self.restarted { 30 } else { 0 })
    }
}

impl Asked {
    pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut words = words;
        let mut data_dir = variable("PROXYTILL_DATA_DIR");
        let (mut language, mut perf, mut perf_exit) = (None, false, None);
        let (mut wait_unit, mut restarted) = (Duration::from_secs(1), false);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{}: a value is missing", word.to_string_lossy()));
            match word.to_str() {
                Some("--data-dir") => data_dir = Some(value()?.into()),
                Some("--lang") => match value()?.to_str() {
                    Some(known @ ("en" | "zh-CN")) => language = Some(known.to_owned()),
                    _ => return Err("--lang: en or zh-CN".into()),
                },
                Some("--help") => return Ok(Self::Text(USAGE.into())),
                Some("--version") => return Ok(Self::Text(format!("proxytill {}", env!("CARGO_PKG_VERSION")))),
                Some("--perf") => perf = true,
                Some(RESTARTED) => restarted = true,
                Some("--perf-exit") => (perf, perf_exit) = (true, Some(value()?.to_string_lossy().into_owned())),
                Some("--wait-unit") => match value()?.to_str().and_then(|millis| millis.parse().ok()) {
                    Some(millis @ 1..) => wait_unit = Duration::from_millis(millis),
                    _ => return Err("--wait-unit: milliseconds".into()),
                },
                _ if is_added(&word) => {}
                _ => return Err(format!("{}: unknown option", word.to_string_lossy())),
            }
        }
        let former_data_dir =
            if data_dir.is_none() { base_dir(variable).map(|base| base.join(FORMER_IDENTIFIER)) } else { None };
        let usual = || base_dir(variable).map(|base| base.join(IDENTIFIER));
        let data_dir = data_dir.or_else(usual).ok_or("no data folder: give --data-dir")?;
        Ok(Self::Window(Options {
            data_dir,
            former_data_dir,
            language,
            perf,
            perf_exit,
            program: std::env::current_exe().ok(),
            restarted,
            wait_unit,
        }))
    }
}

/// Whether the system added a word: a process number on macOS, the reason of a start on Windows, the path of a file that
/// was dropped on the icon. Any other word ends the program: after a mistyped `--data-dir` it would open the real data.
fn is_added(word: &OsStr) -> bool {
    let text = word.to_string_lossy();
    let is_of_system = text.starts_with("-psn_") || ["", "-Embedding", "-ToastActivated"].contains(&&*text);
    // Tests on one system use paths of the others.
    let is_path = text.starts_with('/') || text.starts_with(r"\\") || text.get(1..3) == Some(r":\");
    is_of_system || is_path
}

/// The local folder, not the roaming one: a journal that comes back from a server in yesterday's state is worse than
/// none.
const WINDOWS_BASE: &str = "LOCALAPPDATA";

/// The folder that a variable of the environment names. "If $XDG_DATA_HOME is either not set or empty": an empty one names
/// none, and the same holds for the others.
fn variable(name: &str) -> Option<PathBuf> {
    folder_in(std::env::var_os(name))
}

fn folder_in(value: Option<OsString>) -> Option<PathBuf> {
    value.filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folder in which programs of this system keep their data; `None` if it is not known. `named`: the folder that a
/// variable names.
fn base_dir(named: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let home = || named("HOME");
    if cfg!(windows) {
        named(WINDOWS_BASE)
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        named("XDG_DATA_HOME").or_else(|| home().map(|home| home.join(".local/share")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Result<Asked, String> {
        Asked::read(words.iter().map(OsString::from))
    }

    fn read(words: &[&str]) -> Result<Options, String> {
        match asked(words)? {
            Asked::Window(options) => Ok(options),
            Asked::Text(text) => Err(text),
        }
    }

    #[test]
    fn every_documented_option_is_read() {
        let options = read(&["--data-dir", "/d", "--lang", "zh-CN", "--perf-exit", "window"]).unwrap();
        assert_eq!((options.data_dir, options.former_data_dir), (PathBuf::from("/d"), None));
        assert_eq!(options.language.as_deref(), Some("zh-CN"));
        assert!(options.perf && options.perf_exit.as_deref() == Some("window"));
    }

    #[test]
    fn on_windows_the_data_folder_does_not_roam() {
        assert_eq!(WINDOWS_BASE, "LOCALAPPDATA");
    }

    #[test]
    fn help_and_version_are_texts_that_go_before_everything_else() {
        let text = |words: &[&str]| matches!(asked(words), Ok(Asked::Text(text)) if text.contains("proxytill"));
        assert!(text(&["--help"]) && text(&["--version"]) && text(&["--lang", "en", "--help"]));
        for option in ["--data-dir", "--lang", "--perf", "--perf-exit", "--help", "--version"] {
            assert!(USAGE.contains(option), "{option}");
        }
    }

    #[test]
    fn the_manual_page_says_what_help_says() {
        let page = include_str!("../../packaging/linux/proxytill.1");
        let mut lines = page.lines();
        for told in USAGE.lines().skip(1) {
            let (option, meaning) = told.trim().split_once("  ").unwrap();
            let (name, value) = option.split_once(' ').unwrap_or((option, ""));
            let argument = if value.is_empty() { String::new() } else { format!(" Ar {value}") };
            let item = format!(".It Fl {}{argument}", &name[1..]);
            assert!(lines.any(|line| line == item), "{item}: missing, or not in the order of --help");
            let text: Vec<&str> = lines.clone().take_while(|line| !line.starts_with(".It") && *line != ".El").collect();
            let text = text.join(" ").replace(".Ev ", "");
            assert_eq!(text, meaning.trim());
        }
    }

    #[test]
    fn the_keychain_the_folder_and_the_bundle_have_one_name() {
        let bundle = include_str!("../tauri.conf.json");
        assert!(bundle.contains(&format!(r#""identifier": "{IDENTIFIER}""#)), "{IDENTIFIER}");
        // The installer never touches this folder, and gives the start menu the id that notifications go by.
        let installer = include_str!("../../packaging/windows/installer.nsi");
        assert!(installer.contains(&format!(r#"!define ID "{IDENTIFIER}""#)), "{IDENTIFIER}");
    }

    #[test]
    fn the_data_are_in_the_local_folder_of_the_user_and_an_empty_variable_names_none() {
        assert_eq!([None, Some(OsString::new())].map(folder_in), [None, None]);
        assert_eq!(folder_in(Some("/d".into())), Some(PathBuf::from("/d")));
        let of = |all: &[&str]| {
            let known: Vec<&str> = all.to_vec();
            base_dir(move |name| known.contains(&name).then(|| PathBuf::from(format!("/{name}"))))
        };
        let every = ["LOCALAPPDATA", "APPDATA", "HOME", "XDG_DATA_HOME"];
        let (expected, without) = if cfg!(windows) {
            ("/LOCALAPPDATA", ["APPDATA", "HOME"])
        } else if cfg!(target_os = "macos") {
            ("/HOME/Library/Application Support", ["APPDATA", "XDG_DATA_HOME"])
        } else {
            ("/XDG_DATA_HOME", ["APPDATA", "LOCALAPPDATA"])
        };
        assert_eq!(of(&every), Some(PathBuf::from(expected)));
        assert_eq!(of(&without), None);
        if cfg!(target_os = "linux") {
            assert_eq!(of(&["HOME"]), Some(PathBuf::from("/HOME/.local/share")));
        }
    }

    #[test]
    fn a_wrong_option_is_named() {
        for words in [&["--lang", "fr"][..], &["--data-dir"], &["--loud"], &["--wait-unit", "0"]] {
            assert!(read(words).unwrap_err().contains(words[0]), "{words:?}");
        }
    }

    #[test]
    fn a_mistyped_option_ends_the_program_because_it_would_open_the_real_data() {
        for words in [
            &["--data-dri", "/d"][..],
            &["--data-dir=/d"],
            &["-data-dir", "/d"],
            &["--"],
            &["-perf"],
            &["-d"],
            &["–data-dir", "/d"],
            &["data-dir"],
        ] {
            assert!(read(words).unwrap_err().contains("unknown option"), "{words:?}");
        }
    }

    #[test]
    fn words_that_the_system_adds_are_ignored() {
        let added = [
            "-psn_0_123",
            "-Embedding",
            "-ToastActivated",
            "/home/me/a file.txt",
            r"C:\a file.txt",
            r"\\server\of all\a file.txt",
            "",
        ];
        for word in added {
            let options = read(&[word, "--lang", "en", "--data-dir", "/d", word]).unwrap();
            assert_eq!((options.language.as_deref(), options.data_dir), (Some("en"), PathBuf::from("/d")), "{word}");
        }
    }
}
