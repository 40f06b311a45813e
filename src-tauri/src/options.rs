//! The program's options.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What `--help` and a wrong option show.
pub(crate) const USAGE: &str = "usage: proxytill [--data-dir DIR] [--lang en|zh-CN] [--perf] [--perf-exit NAME]";

/// Everything that can be told from outside.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Everything the program writes is below it.
    pub(crate) data_dir: PathBuf,
    /// Overrides the saved language.
    pub(crate) language: Option<String>,
    /// Print performance marks.
    pub(crate) perf: bool,
    /// End after this mark.
    pub(crate) perf_exit: Option<String>,
    /// What a read counts in while it waits because the vendor asks for it. Of no use but for tests, so not told.
    pub(crate) wait_unit: Duration,
}

impl Options {
    pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut words = words;
        let mut data_dir = std::env::var_os("PROXYTILL_DATA_DIR").map(PathBuf::from);
        let (mut language, mut perf, mut perf_exit) = (None, false, None);
        let mut wait_unit = Duration::from_secs(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{}: a value is missing", word.to_string_lossy()));
            match word.to_str() {
                Some("--data-dir") => data_dir = Some(value()?.into()),
                Some("--lang") => match value()?.to_str() {
                    Some(known @ ("en" | "zh-CN")) => language = Some(known.to_owned()),
                    _ => return Err("--lang: en or zh-CN".into()),
                },
                Some("--perf") => perf = true,
                Some("--perf-exit") => (perf, perf_exit) = (true, Some(value()?.to_string_lossy().into_owned())),
                Some("--wait-unit") => match value()?.to_str().and_then(|millis| millis.parse().ok()) {
                    Some(millis @ 1..) => wait_unit = Duration::from_millis(millis),
                    _ => return Err("--wait-unit: milliseconds".into()),
                },
                _ => return Err(format!("{}: unknown option", word.to_string_lossy())),
            }
        }
        let data_dir = data_dir.or_else(default_data_dir).ok_or("no data folder: give --data-dir")?;
        Ok(Self { data_dir, language, perf, perf_exit, wait_unit })
    }
}

/// Local, not roaming: a journal that comes back from a server as it was yesterday is worse than none.
const WINDOWS_BASE: &str = "LOCALAPPDATA";

/// The folder where programs of this system keep their data.
fn default_data_dir() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    let base = if cfg!(windows) {
        std::env::var_os(WINDOWS_BASE).map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).or_else(|| home().map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("app.proxytill.desktop"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Options, String> {
        Options::read(words.iter().map(OsString::from))
    }

    #[test]
    fn every_documented_option_is_read() {
        let options = read(&["--data-dir", "/d", "--lang", "zh-CN", "--perf-exit", "window"]).unwrap();
        assert_eq!(options.data_dir, PathBuf::from("/d"));
        assert_eq!(options.language.as_deref(), Some("zh-CN"));
        assert!(options.perf && options.perf_exit.as_deref() == Some("window"));
    }

    #[test]
    fn on_windows_the_data_folder_does_not_roam() {
        assert_eq!(WINDOWS_BASE, "LOCALAPPDATA");
    }

    #[test]
    fn a_wrong_option_is_named() {
        for words in [&["--lang", "fr"][..], &["--data-dir"], &["--loud"], &["--wait-unit", "0"]] {
            assert!(read(words).unwrap_err().contains(words[0]), "{words:?}");
        }
    }
}
