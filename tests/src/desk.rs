//! A desk for each story: display, session bus, unlocked keychain, home, driver.

mod driver;

use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::PATIENCE;

/// The size of the display.
const DISPLAY: &str = "1440x940x24";
/// The size of the display when pictures are taken.
const LARGE_DISPLAY: &str = "2600x1480x24";
/// The variable that names a folder for pictures.
pub const PICTURES: &str = "PROXYTILL_PICTURES";

/// Everything that makes a program believe that a person sits in front of it.
pub struct Desk {
    home: TempDir,
    /// The port of the driver.
    pub driver_port: u16,
    environment: Vec<(&'static str, String)>,
    processes: Vec<Child>,
    /// The address of the session bus.
    pub bus: String,
    /// The index of the keychain among the processes.
    keychain: Option<usize>,
    /// The index of the driver among the processes.
    driver: Option<usize>,
    /// The root of another system in which everything runs; `None` for this system.
    root: Option<PathBuf>,
}

/// The user and group in another root: an ordinary user.
pub const AGENT: &str = "1000:1000";

/// The keychain of a desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keychain {
    /// An unlocked keychain.
    Unlocked,
    /// A keychain that was never unlocked.
    Locked,
    /// A session bus without a keychain.
    None,
    /// No session bus.
    NoBus,
}

/// The configuration of a session bus that starts no services.
const BARE_BUS: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"#;

impl Desk {
    /// Sets up a desk.
    pub fn new() -> Self {
        Self::seen(Keychain::Unlocked, &[])
    }

    /// Sets up a desk whose program logs everything.
    pub fn with_full_log() -> Self {
        Self::seen(Keychain::Unlocked, &[("PROXYTILL_LOG", "trace")])
    }

    /// Sets up a desk whose program has these environment variables.
    pub fn with(environment: &[(&'static str, &str)]) -> Self {
        Self::seen(Keychain::Unlocked, environment)
    }

    /// Sets up a desk with a keychain that was never unlocked.
    pub fn with_locked_keychain() -> Self {
        Self::seen(Keychain::Locked, &[])
    }

    /// Sets up a desk without a session bus, and so without a keychain.
    pub fn without_bus() -> Self {
        Self::seen(Keychain::NoBus, &[])
    }

    /// Sets up a desk whose person has turned off animations.
    pub fn without_animations() -> Self {
        let desk = Self::new();
        let folder = desk.home().join("config/gtk-3.0");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("settings.ini"), "[Settings]\ngtk-enable-animations=0\n").expect("a file");
        desk
    }

    /// Sets up a desk of an ordinary user in the root of another system, which shares `/tmp` with this one.
    pub fn inside(root: &Path, keychain: Keychain) -> Self {
        Self::with_display(Self::set_up(keychain, Some(root.to_owned())), &[])
    }

    fn seen(keychain: Keychain, environment: &[(&'static str, &str)]) -> Self {
        Self::with_display(Self::without_display(keychain), environment)
    }

    /// Adds display and driver to a desk.
    fn with_display(mut desk: Self, environment: &[(&'static str, &str)]) -> Self {
        desk.environment.extend(environment.iter().map(|(name, value)| (*name, (*value).to_owned())));
        // Without `-noreset`, the display resets when its last program is killed, and would refuse the next one
        // meanwhile. The display belongs to this system, wherever the program runs.
        let root = desk.root.take();
        let size = if std::env::var_os(PICTURES).is_some() { LARGE_DISPLAY } else { DISPLAY };
        let display = desk.start("Xvfb", &["-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp", "-noreset"]);
        desk.root = root;
        desk.environment.push(("DISPLAY", format!(":{display}")));
        desk.start_driver();
        desk
    }

    /// Returns the last lines that the program and its driver said.
    pub fn last_said(&self) -> String {
        let said = std::fs::read_to_string(self.said()).unwrap_or_default();
        let lines: Vec<&str> = said.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }

    /// Sets up a desk for programs without a window.
    pub fn without_display(keychain: Keychain) -> Self {
        Self::set_up(keychain, None)
    }

    fn set_up(keychain: Keychain, root: Option<PathBuf>) -> Self {
        let home = tempfile::Builder::new().prefix("desk-").tempdir().expect("a folder");
        let runtime = home.path().join("run");
        std::fs::create_dir(&runtime).expect("a folder");
        #[cfg(unix)]
        std::fs::set_permissions(&runtime, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("0700");
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let mut desk = Self {
            driver_port: 0,
            environment: vec![
                ("HOME", path(home.path())),
                ("XDG_RUNTIME_DIR", path(&runtime)),
                ("XDG_DATA_HOME", path(&home.path().join("data"))),
                ("XDG_CONFIG_HOME", path(&home.path().join("config"))),
                ("XDG_CACHE_HOME", path(&home.path().join("cache"))),
                ("LANG", "C.UTF-8".into()),
                ("PROXYTILL_KILL_AT", path(&home.path().join("kill-at"))),
                ("NO_AT_BRIDGE", "1".into()),
                ("GTK_A11Y", "none".into()),
                ("TAURI_WEBVIEW_AUTOMATION", "true".into()),
                ("WEBKIT_DISABLE_DMABUF_RENDERER", "1".into()),
            ],
            home,
            processes: Vec::new(),
            bus: String::new(),
            keychain: None,
            driver: None,
            root,
        };
        desk.hand_over();
        desk.bus = match keychain {
            Keychain::NoBus => format!("unix:path={}", path(&runtime.join("no-bus"))),
            Keychain::None => {
                let config = desk.home().join("bus.conf");
                std::fs::write(&config, BARE_BUS).expect("a file");
                desk.hand_over();
                let config = format!("--config-file={}", path(&config));
                desk.start("dbus-daemon", &[&config, "--print-address", "--nofork"])
            }
            _ => desk.start("dbus-daemon", &["--session", "--print-address", "--nofork"]),
        };
        desk.environment.push(("DBUS_SESSION_BUS_ADDRESS", desk.bus.clone()));
        if matches!(keychain, Keychain::Unlocked | Keychain::Locked) {
            desk.start_keychain(keychain);
        }
        desk
    }

    /// Returns the name of the display.
    pub fn display(&self) -> String {
        self.environment
            .iter()
            .rfind(|(name, _)| *name == "DISPLAY")
            .map(|(_, value)| value.clone())
            .unwrap_or_default()
    }

    /// Returns the home folder.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Makes the program kill itself once, when it reaches this point of a write (`operations`, `kill_points.rs`).
    pub fn kill_at(&self, point: &str) {
        std::fs::write(self.home().join("kill-at"), point).expect("a file");
    }

    /// Makes a task of the program panic with this message once, when it reaches this point.
    pub fn panic_at(&self, point: &str, words: &str) {
        self.kill_at(&format!("{point}\n{words}"));
    }

    /// Returns the file with the output of the program and its driver.
    pub fn said(&self) -> std::path::PathBuf {
        self.home().join("said")
    }

    /// Gives the home to the desk's user.
    fn hand_over(&self) {
        if self.root.is_some() {
            let given = Command::new("chown").args(["-R", AGENT]).arg(self.home()).status();
            assert!(given.expect("chown").success());
        }
    }

    /// Returns the path of the program at this desk.
    pub fn proxytill(&self) -> PathBuf {
        if self.root.is_some() { "/usr/bin/proxytill".into() } else { crate::built("proxytill") }
    }

    /// Makes a command in the desk's system, run by the desk's user.
    fn program(&self, name: impl AsRef<std::ffi::OsStr>) -> Command {
        let Some(root) = &self.root else { return Command::new(name) };
        let mut command = Command::new("chroot");
        command.arg(format!("--userspec={AGENT}")).arg(root).arg(name);
        command
    }

    /// Makes a command that starts the program at this desk.
    pub fn start_of_proxytill(&self) -> Command {
        self.own_command(self.proxytill())
    }

    /// Makes a command in the desk's system and environment, run by the desk's user: a session bus answers only its own
    /// user.
    fn own_command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = self.program(program);
        command.env_remove("WAYLAND_DISPLAY").envs(self.environment.iter().cloned());
        command
    }

    /// Makes a command of this system in the desk's environment.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_remove("WAYLAND_DISPLAY").envs(self.environment.iter().cloned());
        command
    }

    /// Stops the keychain, so that it accepts calls without answering, or lets it continue.
    pub fn hang_keychain(&self, hangs: bool) {
        let at = self.keychain.expect("this desk has a keychain");
        let signal = if hangs { "-STOP" } else { "-CONT" };
        let sent = Command::new("kill").args([signal, &self.processes[at].id().to_string()]).status();
        assert!(sent.expect("kill").success());
    }

    /// Restarts the keychain, locked.
    pub fn lock_keychain(&mut self) {
        self.start_keychain_again(Keychain::Locked);
    }

    /// Restarts the keychain, unlocked.
    pub fn unlock_keychain(&mut self) {
        self.start_keychain_again(Keychain::Unlocked);
    }

    fn start_keychain_again(&mut self, keychain: Keychain) {
        let at = self.keychain.expect("this desk has a keychain");
        self.processes[at].kill().expect("it ends");
        self.processes[at].wait().expect("it ended");
        // The bus notices a moment later.
        self.wait_for_keychain(false);
        self.start_keychain(keychain);
    }

    /// Returns the number of the program's secrets in the keychain.
    pub fn keychain_entries(&self) -> usize {
        String::from_utf8_lossy(&self.search_keychain().stdout).matches("object path").count()
    }

    fn search_keychain(&self) -> std::process::Output {
        let mut ask = self.own_command("dbus-send");
        ask.args(["--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets"]);
        ask.args(["org.freedesktop.Secret.Service.SearchItems", "dict:string:string:service,app.proxytill.Proxytill"]);
        ask.output().expect("dbus-send")
    }

    /// Starts a helper and returns its first line of output.
    fn start(&mut self, program: &str, arguments: &[&str]) -> String {
        let mut command = self.program(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let at = self.spawn(&mut command);
        let stdout = self.processes[at].stdout.take().expect("stdout is piped");
        let mut line = String::new();
        let mut reader = BufReader::new(stdout);
        reader.read_line(&mut line).expect("it prints a line");
        // Keep the pipe open: a helper that prints more must not die of a closed one.
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut reader, &mut std::io::sink());
        });
        line.trim().to_owned()
    }

    /// Starts the keychain and waits until it owns its name on the bus.
    fn start_keychain(&mut self, keychain: Keychain) {
        let mut command = self.program("gnome-keyring-daemon");
        command.args(["--foreground", "--components=secrets"]);
        if keychain == Keychain::Unlocked {
            command.arg("--unlock");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let at = self.spawn(&mut command);
        let mut stdin = self.processes[at].stdin.take().expect("stdin is piped");
        if keychain == Keychain::Unlocked {
            stdin.write_all(b"desk\n").expect("it reads its password");
        }
        drop(stdin);
        self.keychain = Some(at);
        self.wait_for_keychain(true);
    }

    /// Waits until the keychain's name has an owner, or has none.
    fn wait_for_keychain(&self, is_there: bool) {
        let end = Instant::now() + PATIENCE;
        // The keychain owns its name a moment before it answers.
        while self.name_is_owned("org.freedesktop.secrets") != is_there
            || (is_there && !self.search_keychain().status.success())
        {
            assert!(Instant::now() < end, "the keychain never came or went");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn name_is_owned(&self, name: &str) -> bool {
        let mut ask = self.own_command("dbus-send");
        ask.args([
            "--session",
            "--print-reply",
            "--dest=org.freedesktop.DBus",
            "/",
            "org.freedesktop.DBus.NameHasOwner",
        ]);
        let answer = ask.arg(format!("string:{name}")).output().expect("dbus-send");
        String::from_utf8_lossy(&answer.stdout).contains("true")
    }

    fn spawn(&mut self, command: &mut Command) -> usize {
        let program = command.get_program().to_string_lossy().into_owned();
        command.env_remove("WAYLAND_DISPLAY").envs(self.environment.iter().cloned());
        #[cfg(unix)]
        command.process_group(0);
        self.processes.push(command.spawn().unwrap_or_else(|error| panic!("{program}: {error}")));
        self.processes.len() - 1
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // End the driver first: it closes the window.
        for child in self.processes.iter_mut().rev() {
            end_group(child);
        }
    }
}

/// Ends a process and those that it started.
fn end_group(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
    let _ = child.wait();
}
