//! What the installer writes, replaces, deletes and leaves.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{COPIED, COPY, DATA, HOME, KEY, NEWER, OLDER, SHORT, SHORTCUT, Tried, code};
use crate::tree;
use crate::windows_program::{self, WITHOUT_WINDOW};
use crate::wine::{LANGUAGES, Started, is_running, until};

impl Tried {
    pub(super) fn installs_updates_and_leaves_the_data(&self) -> Result<String, String> {
        let before = self.names()?;
        self.ends("older", &["/S"], &[], code::DONE)?;
        self.differs(&before, &self.installed(&OLDER), "after the installation")?;
        let journal = self.wine.c(&self.of(DATA)).join("journal.db");
        let data: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let own = self.wine.c(&self.of(HOME)).join("my own.txt");
        let put = |path: &Path, bytes: &[u8]| {
            let done = fs::create_dir_all(path.parent().unwrap_or(path)).and_then(|()| fs::write(path, bytes));
            done.map_err(|error| format!("{}: {error}", path.display()))
        };
        put(&journal, &data)?;
        self.registry("1.9.0", &self.of(HOME), "older")?;
        // The list is a file: nothing outside the folder may be deleted because of it.
        let listed = self.wine.c(&self.of(HOME)).join("installed-files.txt");
        let text = fs::read_to_string(&listed).map_err(|error| error.to_string())?;
        let wicked =
            format!("..\\..\\app.proxytill.Proxytill\\journal.db\r\n../other\r\n*\r\nmy ?wn.txt\r\n\r\n{text}");
        put(&listed, wicked.as_bytes())?;
        put(&own, b"mine")?;
        self.ends("newer", &["/S", "/R"], &[], code::DONE)?;
        fs::remove_file(&own).map_err(|error| format!("the update touched a person's own file: {error}"))?;
        until("/R starts nothing", || Ok(self.told("program").contains("1.10.0")))?;
        let with_data: BTreeSet<String> =
            [format!("{}/", self.of(DATA)), format!("{}/journal.db", self.of(DATA))].into();
        self.differs(&before, &(&self.installed(&NEWER) | &with_data), "after the update")?;
        self.registry("1.10.0", &self.of(HOME), "newer")?;
        self.registry_differs(Some(KEY), "after the update")?;
        let updated = self.disk()?;
        self.ends("older", &["/S"], &[], code::NEWER)?;
        self.registry("1.10.0", &self.of(HOME), "newer")?;
        if self.disk()? != updated {
            return Err("an older version changed something although it was refused".into());
        }
        self.ends("newer", &["/S"], &[], code::DONE)?;
        self.ends("newer", &["/P"], &[], code::DONE)?;
        self.differs(&before, &(&self.installed(&NEWER) | &with_data), "after the same version and an older one")?;
        self.shortcut()?;
        put(&own, b"mine")?;
        // As Windows calls it. It goes on after its first process has ended.
        let uninstaller = self.wine.c(&self.of(HOME)).join("Uninstall.exe");
        self.wine.code(&[&uninstaller.display().to_string(), "/S"], &[])?;
        until("the uninstaller does not end", || Ok(!uninstaller.exists() && !is_running(COPY)))?;
        let home = self.of(HOME);
        let kept =
            [format!("{home}/"), format!("{}/", home.trim_end_matches("/Proxytill")), format!("{home}/my own.txt")];
        let kept: BTreeSet<String> = kept.into_iter().chain(COPIED.map(|name| self.of(name))).collect();
        self.differs(&before, &(&kept | &with_data), "after the removal")?;
        if self.wine.registry(KEY).is_ok() {
            return Err("the removal left its entry in the registry".into());
        }
        self.registry_differs(None, "after the removal")?;
        if fs::read(&journal).ok() != Some(data) {
            return Err("the journal was touched".into());
        }
        fs::remove_dir_all(self.wine.c(&home)).map_err(|error| error.to_string())?;
        Ok(format!(
            "installed ({} files), updated, reinstalled, not downgraded, removed; journal as it was",
            OLDER.iter().filter(|name| !name.is_empty()).count()
        ))
    }

    /// The program of this project as a person gets it: every file arrives as it is, and what was installed starts.
    pub(super) fn installs_the_program(&self) -> Result<String, String> {
        let (before, home) = (self.names()?, self.wine.c(&self.of(HOME)));
        self.ends("program", &["/S"], &[], code::DONE)?;
        let packed = self.at.join("work-program/files");
        let mut files = 0;
        for entry in fs::read_dir(&packed).map_err(|error| error.to_string())? {
            let from = entry.map_err(|error| error.to_string())?.path();
            let to = home.join(from.file_name().unwrap_or_default());
            if tree::read(&from)? != tree::read(&to)? {
                return Err(format!("{} is another file than the one that was packed", to.display()));
            }
            files += 1;
        }
        for file in [home.join("Proxytill.exe"), home.join("Uninstall.exe"), self.setup("program")] {
            self.signer.holds(&file)?;
        }
        let picture = self.at.join("pictures/9-installed.png");
        windows_program::message(&self.wine, &[&self.program()], WITHOUT_WINDOW, &picture)?;
        self.remove(&self.of(HOME))?;
        self.differs(&before, &BTreeSet::new(), "after the program's removal")?;
        Ok(format!(
            "this project's own program arrives byte by byte ({files} files), signed, and starts: without WebView2 it says so \
             and ends with {WITHOUT_WINDOW}"
        ))
    }

    pub(super) fn goes_to_any_folder(&self) -> Result<String, String> {
        let before = self.names()?;
        self.ends("older", &["/S", &format!(r"/D=C:\{}", self.of(DATA).replace('/', "\\"))], &[], code::DATA_FOLDER)?;
        self.differs(&before, &BTreeSet::new(), "after the data folder was refused")?;
        self.ends("older", &["/S", r"/D=C:\张三 x\Pro xy"], &[], code::DONE)?;
        let in_folder = |home: &str, names: &[&str]| -> BTreeSet<String> {
            names.iter().map(|name| format!("{home}/{name}")).chain([self.of(SHORTCUT)]).collect()
        };
        let chinese: BTreeSet<String> = ["张三 x/".to_owned()].into();
        self.differs(&before, &(&in_folder("张三 x/Pro xy", &OLDER) | &chinese), "after a Chinese folder")?;
        // An update stays there.
        self.ends("newer", &["/S"], &[], code::DONE)?;
        self.differs(&before, &(&in_folder("张三 x/Pro xy", &NEWER) | &chinese), "after its update")?;
        self.registry("1.10.0", "张三 x/Pro xy", "newer")?;
        // Another folder: nothing is left in the first.
        self.ends("newer", &["/S", r"/D=C:\李四"], &[], code::DONE)?;
        self.differs(&before, &(&in_folder("李四", &NEWER) | &chinese), "after the move")?;
        self.remove("李四")?;
        self.differs(&before, &chinese, "after its removal")?;
        fs::remove_dir(self.wine.c("张三 x")).map_err(|error| error.to_string())?;
        Ok("folders with spaces and Chinese letters; moved; never into the data".into())
    }

    pub(super) fn a_file_that_cannot_be_written_is_an_error(&self) -> Result<String, String> {
        let home = self.wine.c(&self.of(HOME));
        let held = home.join("NOTICE.txt").join("a folder");
        fs::create_dir_all(&held).map_err(|error| error.to_string())?;
        self.ends("newer", &["/S"], &[], code::FAILED)?;
        fs::remove_dir_all(home.join("NOTICE.txt")).map_err(|error| error.to_string())?;
        self.ends("newer", &["/S"], &[], code::DONE)?;
        self.remove(&self.of(HOME))?;
        Ok("a file that cannot be replaced is an error, and the next run mends it".into())
    }

    pub(super) fn waits_for_the_running_program(&self) -> Result<String, String> {
        self.ends("older", &["/S"], &[], code::DONE)?;
        let home = self.of(HOME);
        let mut running = self.start_program()?;
        let before = self.disk()?;
        self.ends("newer", &["/S"], &[], code::RUNNING)?;
        self.uninstall(&home, code::RUNNING)?;
        if self.disk()? != before {
            return Err("something was changed although the program was running".into());
        }
        if !running.is_running()? {
            return Err("the running program was ended".into());
        }
        let mut patient = self.wine.start(&[&self.setup("patient").display().to_string(), "/S"], LANGUAGES[0], &[])?;
        until("the installer does not begin", || Ok(is_running("patient.exe")))?;
        let begun = Instant::now();
        while begun.elapsed().as_secs() < u64::from(SHORT) {
            if !patient.is_running()? || !running.is_running()? {
                return Err("the installer did not wait, or ended the program".into());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let ended = (self.end_program(running)?, patient.code()?);
        if ended != (0, code::DONE) {
            return Err(format!("the program and the installer ended with {ended:?}"));
        }
        self.registry("1.10.0", &home, "newer")?;
        self.remove(&home)?;
        Ok("a running program is waited for, never ended, and nothing changes if it stays".into())
    }

    /// Starts the installed stand-in of the program, which runs until it is told to end.
    pub(super) fn start_program(&self) -> Result<Started, String> {
        let program = self.wine.c(&self.of(HOME)).join("Proxytill.exe").display().to_string();
        let lines = self.told("program").lines().count();
        let started = self.wine.start(&[&program, "C:\\told\\go"], LANGUAGES[0], &[])?;
        until("the program does not start", || Ok(self.told("program").lines().count() > lines))?;
        Ok(started)
    }

    /// Tells it to end, and returns its exit code.
    pub(super) fn end_program(&self, running: Started) -> Result<i32, String> {
        let go = self.wine.c("told/go");
        fs::write(&go, "").map_err(|error| error.to_string())?;
        let code = running.code()?;
        fs::remove_file(&go).map(|()| code).map_err(|error| error.to_string())
    }

    /// The installed program, as Windows names it.
    fn program(&self) -> String {
        format!("C:\\{}\\Proxytill.exe", self.of(HOME).replace('/', "\\"))
    }

    /// The entry of the start menu starts the program. Wine does not store the id in it, but says that it was asked to.
    fn shortcut(&self) -> Result<(), String> {
        let bytes = fs::read(self.wine.c(&self.of(SHORTCUT))).map_err(|error| error.to_string())?;
        let target = self.program();
        if !tree::holds(&bytes, &target) {
            return Err("the entry of the start menu starts something else".into());
        }
        let setup = self.setup("newer").display().to_string();
        let told = self.wine.printed(&[&setup, "/S"], "fixme+shell")?;
        if told.contains("propertystore_SetValue") && told.contains("propertystore_Commit") {
            Ok(())
        } else {
            Err(format!("the entry of the start menu gets no id:\n{told}"))
        }
    }
}
