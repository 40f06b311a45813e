//! A Windows of Wine's, in a folder, with a display of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use xtask::run;

use crate::sha256::sum;

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(300);
/// Longest run of one test program.
const LONGEST_SUITE: Duration = Duration::from_secs(3_600);

/// Number of equal pictures after which the screen stands still.
const STILL: u32 = 4;

/// A Windows and its display.
pub(crate) struct Wine {
    at: PathBuf,
    display: Child,
    name: String,
}

impl Wine {
    /// Makes a new one: 64 bits, Windows 10.
    pub(crate) fn new(at: &Path) -> Result<Self, String> {
        let _ = fs::remove_dir_all(at);
        fs::create_dir_all(at.join("locales")).map_err(|error| format!("{}: {error}", at.display()))?;
        // Wine takes its language from the C library's.
        for language in LANGUAGES {
            let to = at.join("locales").join(format!("{language}.UTF-8")).display().to_string();
            run::program("localedef", &["-i", language, "-f", "UTF-8", &to]).captured()?;
        }
        let mut xvfb = Command::new("Xvfb");
        xvfb.args(["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]);
        let mut display =
            xvfb.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
        let mut name = String::new();
        let told = display.stdout.take().ok_or("no display")?;
        BufReader::new(told).read_line(&mut name).map_err(|error| error.to_string())?;
        let wine = Self { at: at.to_owned(), display, name: format!(":{}", name.trim()) };
        wine.ends_well(&["wineboot", "--init"])?;
        wine.ends_well(&["reg", "add", "HKCU\\Software\\Wine\\Fonts\\Replacements", "/v", "SimSun", "/d", FONT])?;
        wine.ends_well(&["reg", "add", "HKCU\\Software\\Wine\\Fonts\\Replacements", "/v", "宋体", "/d", FONT])?;
        // A blinking caret would never stand still.
        wine.ends_well(&["reg", "add", "HKCU\\Control Panel\\Desktop", "/v", "CursorBlinkRate", "/d", "-1", "/f"])?;
        Ok(wine)
    }

    /// Calls itself this version of Windows, as in `win10`.
    pub(crate) fn become_version(&self, version: &str) -> Result<(), String> {
        self.ends_well(&["winecfg", "/v", version])
    }

    /// Lets programs keep their temporary files in this folder of `C:\`.
    pub(crate) fn keep_temporary_files_in(&self, name: &str) -> Result<(), String> {
        let folder = self.c(name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for variable in ["TEMP", "TMP"] {
            self.ends_well(&["reg", "add", "HKCU\\Environment", "/v", variable, "/d", &format!("C:\\{name}"), "/f"])?;
        }
        Ok(())
    }

    /// The folder `C:\`.
    pub(crate) fn c(&self, name: &str) -> PathBuf {
        self.at.join("prefix/drive_c").join(name)
    }

    /// A program with its arguments, in a language.
    fn command(&self, words: &[&str], language: &str) -> Command {
        let mut command = Command::new("wine");
        command.args(words).env("WINEPREFIX", self.at.join("prefix")).env("WINEARCH", "win64");
        command.env("WINEDEBUG", "-all").env("WINEDLLOVERRIDES", OVERRIDES);
        command.env("DISPLAY", &self.name).env("LOCPATH", self.at.join("locales"));
        command.env("LC_ALL", format!("{language}.UTF-8")).current_dir(&self.at);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Starts a program.
    pub(crate) fn start(&self, words: &[&str], language: &str, more: &[(&str, &str)]) -> Result<Started, String> {
        let mut command = self.command(words, language);
        command.envs(more.iter().copied());
        command.spawn().map(Started).map_err(|error| format!("{}: {error}", words.join(" ")))
    }

    /// Starts a program; what it prints goes into a file.
    pub(crate) fn start_noted(&self, words: &[&str], to: &fs::File) -> Result<Started, String> {
        let copy = || to.try_clone().map_err(|error| error.to_string());
        let mut command = self.command(words, LANGUAGES[0]);
        command.stdout(copy()?).stderr(copy()?);
        command.spawn().map(Started).map_err(|error| format!("{}: {error}", words.join(" ")))
    }

    /// Runs a test program in the folder where Cargo would run it. Returns what it prints, whether it fails or not.
    pub(crate) fn tests(
        &self,
        program: &Path,
        words: &[String],
        more: &[(&str, &str)],
        folder: &Path,
    ) -> Result<String, String> {
        let program = program.display().to_string();
        let words: Vec<&str> = [&*program].into_iter().chain(words.iter().map(String::as_str)).collect();
        let mut command = self.command(&words, LANGUAGES[0]);
        command.envs(more.iter().copied()).env("RUST_BACKTRACE", "0").current_dir(folder);
        let file = self.at.join("said.txt");
        let said = fs::File::create(&file).map_err(|error| error.to_string())?;
        command.stdout(said.try_clone().map_err(|error| error.to_string())?).stderr(said);
        let mut running = command.spawn().map(Started).map_err(|error| error.to_string())?;
        let ended = within(LONGEST_SUITE, "it does not end", || Ok(!running.is_running()?));
        let text = fs::read(&file).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&text).into_owned();
        // What does not end is ended together with this Windows.
        Ok(match ended {
            Ok(()) => text,
            Err(why) => format!("{text}\n{why}"),
        })
    }

    /// Runs a program to its end and returns its exit code.
    pub(crate) fn code(&self, words: &[&str], more: &[(&str, &str)]) -> Result<i32, String> {
        self.start(words, LANGUAGES[0], more)?.code()
    }

    fn ends_well(&self, words: &[&str]) -> Result<(), String> {
        match self.code(words, &[])? {
            0 => Ok(()),
            code => Err(format!("{} ends with {code}", words.join(" "))),
        }
    }

    /// Returns the output of a program; fails when the program fails.
    pub(crate) fn printed(&self, words: &[&str], debug: &str) -> Result<String, String> {
        let mut command = self.command(words, LANGUAGES[0]);
        command.env("WINEDEBUG", debug).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = command.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        if output.status.success() { Ok(text) } else { Err(text) }
    }

    /// The values of a key in the registry, sorted, as a file of the registry has them.
    pub(crate) fn registry(&self, key: &str) -> Result<Vec<String>, String> {
        let text = self.exported(key)?;
        let mut values: Vec<String> = text.lines().filter(|line| line.starts_with('"')).map(str::to_owned).collect();
        values.sort();
        Ok(values)
    }

    /// Everything that the registry has of this user and of the programs of all users, each line with its key.
    pub(crate) fn whole_registry(&self) -> Result<BTreeSet<String>, String> {
        let mut all = BTreeSet::new();
        for part in ["HKCU", "HKLM\\Software"] {
            let (text, mut key) = (self.exported(part)?, "");
            for line in text.lines().filter(|line| !line.is_empty()) {
                if line.starts_with('[') {
                    key = line;
                }
                all.insert(format!("{key} {line}"));
            }
        }
        Ok(all)
    }

    fn exported(&self, key: &str) -> Result<String, String> {
        let file = self.c("told/key.reg");
        let _ = fs::remove_file(&file);
        // A terminal has no Chinese letters in every language.
        self.ends_well(&["reg", "export", key, "C:\\told\\key.reg", "/y"])?;
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let letters: Vec<u16> = bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
        Ok(String::from_utf16_lossy(&letters))
    }

    /// Every file on `C:\` but those of Windows itself, with its checksum; folders end in `/`.
    pub(crate) fn files(&self) -> Result<BTreeMap<String, String>, String> {
        let (root, mut all) = (self.c(""), BTreeMap::new());
        let mut waiting = vec![root.clone()];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
                let path = entry.map_err(|error| error.to_string())?.path();
                let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
                if path.is_symlink() || name == "windows" {
                    continue;
                }
                if path.is_dir() {
                    all.insert(format!("{name}/"), String::new());
                    waiting.push(path);
                } else {
                    all.insert(name, sum(&fs::read(&path).map_err(|error| error.to_string())?));
                }
            }
        }
        Ok(all)
    }

    /// Presses keys, or does anything else that xdotool can.
    pub(crate) fn keys(&self, words: &[&str]) -> Result<(), String> {
        run::program("xdotool", words).env("DISPLAY", &self.name).captured().map(drop)
    }

    /// Takes a picture of the screen as it is. Returns what tells it from others.
    pub(crate) fn shown(&self, to: &Path) -> Result<Vec<u8>, String> {
        let to = to.display().to_string();
        run::program("import", &["-window", "root", &to]).env("DISPLAY", &self.name).captured()?;
        run::program("identify", &["-format", "%#", &to]).captured().map(String::into_bytes)
    }

    /// Takes a picture of the screen as soon as it is another one than before and stands still.
    pub(crate) fn picture(&self, before: &[u8], to: &Path) -> Result<Vec<u8>, String> {
        let (mut last, mut seen) = (Vec::new(), 0);
        until(&format!("nothing new on the screen for {}", to.display()), || {
            let now = self.shown(to)?;
            seen = if now == last { seen + 1 } else { 0 };
            last = now;
            Ok(seen >= STILL && last != before)
        })?;
        Ok(last)
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        // Ends what was started in this folder, and nothing else.
        let _ = run::program("wineserver", &["-k"]).env("WINEPREFIX", self.at.join("prefix")).captured();
        let _ = self.display.kill();
        let _ = self.display.wait();
    }
}

/// A running program.
pub(crate) struct Started(Child);

impl Started {
    /// Whether it is running.
    pub(crate) fn is_running(&mut self) -> Result<bool, String> {
        self.0.try_wait().map(|ended| ended.is_none()).map_err(|error| error.to_string())
    }

    /// Waits for its end and returns the exit code.
    pub(crate) fn code(mut self) -> Result<i32, String> {
        until("a program does not end", || Ok(!self.is_running()?))?;
        let ended = self.0.wait().map_err(|error| error.to_string())?;
        ended.code().ok_or_else(|| format!("a program ended with {ended}"))
    }
}

/// Turns off the parts that Wine would download or add to the host's menus; prefers a library that a test brings.
const OVERRIDES: &str = "mscoree,mshtml,winemenubuilder.exe=;bcryptprimitives=n,b";
/// Languages of the installer, by their names in the C library.
pub(crate) const LANGUAGES: [&str; 2] = ["en_US", "zh_CN"];
/// A font with Chinese letters, in place of the one that Windows has.
const FONT: &str = "Noto Sans CJK SC";

/// Waits until something is so. The error says what never was.
pub(crate) fn until(what: &str, is_so: impl FnMut() -> Result<bool, String>) -> Result<(), String> {
    within(PATIENCE, what, is_so)
}

fn within(limit: Duration, what: &str, mut is_so: impl FnMut() -> Result<bool, String>) -> Result<(), String> {
    let begun = Instant::now();
    while !is_so()? {
        if begun.elapsed() > limit {
            return Err(what.to_owned());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Whether a Windows program of this name runs.
pub(crate) fn is_running(name: &str) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let named = |line: Vec<u8>| String::from_utf8_lossy(&line).contains(name);
    processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok()).any(named)
}
