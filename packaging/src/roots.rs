//! Bare systems in folders, where an ordinary user gets the .deb installed, uses it and has it removed.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::run::{self, Run};

use crate::artefact::ALL;
use crate::job::Job;
use crate::project::Project;
use crate::{made, time};

/// Debian packages needed to make such a system and to show a window.
pub(crate) const TOOLS: &[&str] =
    &["mmdebstrap", "debian-archive-keyring", "xvfb", "xauth", "xdotool", "imagemagick", "weston"];
/// Packages needed inside, besides our own, to drive the window and the keychain.
const DRIVEN: [&str; 5] = ["webkit2gtk-driver", "dbus", "gnome-keyring", "procps", "fonts-noto-cjk"];
const USER: &str = "agent";
const HOME: &str = "/home/agent";

/// Runs every check in one system. Returns what was seen, in a few words.
pub(crate) fn try_in(project: &Project, suite: &str) -> Result<String, String> {
    let deb = made::made(project, "linux-x86_64-deb")?;
    let root = Root::new(project, suite)?;
    let pictures = project.path("target/reach").join(suite);
    fs::create_dir_all(&pictures).map_err(|error| error.to_string())?;
    root.install(&deb)?;
    let linked = root.agent(&["ldd", "/usr/bin/proxytill"]).captured()?;
    if linked.contains("not found") {
        return Err(format!("a library is missing:\n{linked}"));
    }
    let entry = root.menu_entry()?;
    root.shows_welcome(&entry, &pictures.join("welcome.png"))?;
    root.starts_under_wayland(&entry)?;
    root.root(&["apt-get", "install", "-y", "-qq", "--no-install-recommends"], &DRIVEN)?;
    let newer = newer(project)?;
    fs::copy(&newer, root.at.join("root/newer.deb")).map_err(|error| format!("{}: {error}", newer.display()))?;
    let mut used = run::program(
        project.path("target/debug/installed"),
        &[&root.at.display().to_string(), "/root/newer.deb", &pictures.display().to_string()],
    );
    let used = used.env("RUST_BACKTRACE", "0").captured()?;
    print!("{used}");
    let before = root.home()?;
    if !before.contains("app.db") {
        return Err(format!("the program left nothing in the home folder that a purge could touch:\n{before}"));
    }
    root.root(&["apt-get", "purge", "-y", "-qq"], &["proxytill"])?;
    if root.home()? != before {
        return Err("the purge touched the home folder".into());
    }
    if root.at.join("usr/bin/proxytill").exists() || root.at.join("usr/share/proxytill").exists() {
        return Err("the purge left something of the program".into());
    }
    let used: Vec<&str> = used.lines().filter(|line| !line.is_empty()).collect();
    Ok(format!("{} libraries found; shown under X11 and Wayland; {}; purged", linked.lines().count(), used.join("; ")))
}

/// The same program in a package of a later version.
fn newer(project: &Project) -> Result<PathBuf, String> {
    let mut version = project.version()?;
    version.patch += 1;
    let folder = project.path("target/reach/newer");
    let program = project.path("target/package/deb/usr/bin/proxytill");
    let (work, out) = (folder.join("work"), folder.clone());
    let job = Job { project, version: version.to_string(), program, epoch: time::epoch()?, work, out };
    ALL[0].pack(&job)
}

/// A system in a folder, with the kernel's file systems. `/tmp` is the host's, so that both share a display.
struct Root {
    at: PathBuf,
}

impl Root {
    fn new(project: &Project, suite: &str) -> Result<Self, String> {
        let kept = project.path("target/reach").join(format!("{suite}.tar"));
        if !kept.exists() {
            println!("fetching a bare {suite}");
            let to = kept.display().to_string();
            run::program("mmdebstrap", &["--variant=minbase", suite, &to]).captured()?;
        }
        let at = project.path("target/reach").join(format!("root-{suite}"));
        let root = Self { at };
        root.unmount();
        // Mounts belong to the host: they must not be emptied.
        let mounts = fs::read_to_string("/proc/self/mountinfo").map_err(|error| error.to_string())?;
        if mounts.contains(&root.at.display().to_string()) {
            return Err(format!("something is still mounted below {}", root.at.display()));
        }
        let _ = fs::remove_dir_all(&root.at);
        fs::create_dir_all(&root.at).map_err(|error| error.to_string())?;
        let folder = root.at.display().to_string();
        run::program("tar", &["-xpf", &kept.display().to_string(), "-C", &folder]).captured()?;
        for (from, to) in [("/proc", "proc"), ("/dev", "dev"), ("/tmp", "tmp")] {
            run::program("mount", &["--rbind", "--make-rslave", from, &root.at.join(to).display().to_string()])
                .captured()?;
        }
        // Installing a package must not start services here.
        fs::write(root.at.join("usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n").map_err(|error| error.to_string())?;
        run::program("chmod", &["+x", &root.at.join("usr/sbin/policy-rc.d").display().to_string()]).captured()?;
        let _ = fs::copy("/etc/resolv.conf", root.at.join("etc/resolv.conf"));
        root.root(&["apt-get", "update"], &["-qq"])?;
        root.root(&["useradd", "--create-home", "--uid", "1000"], &[USER])?;
        Ok(root)
    }

    /// Runs a command as the administrator.
    fn root(&self, words: &[&str], more: &[&str]) -> Result<String, String> {
        let root = self.at.display().to_string();
        let mut inside = run::program("chroot", &[&[&*root], words, more].concat());
        inside.env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C.UTF-8");
        inside.captured().map_err(|told| format!("{}: {told}", words.join(" ")))
    }

    /// A command to run as the ordinary user.
    fn agent(&self, words: &[&str]) -> Run {
        let root = self.at.display().to_string();
        let mut inside = run::program("chroot", &[&["--userspec=1000:1000", &*root], words].concat());
        inside.env("HOME", HOME).env("LC_ALL", "C.UTF-8").env("XDG_RUNTIME_DIR", "/tmp");
        inside
    }

    /// Installs the package with its dependencies, without recommended packages.
    fn install(&self, deb: &Path) -> Result<(), String> {
        let inside = self.at.join("root/package.deb");
        fs::copy(deb, &inside).map_err(|error| format!("{}: {error}", deb.display()))?;
        let words = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "--allow-downgrades"];
        self.root(&words, &["/root/package.deb"]).map(|_| ())
    }

    /// The command of the menu entry.
    fn menu_entry(&self) -> Result<String, String> {
        let file = self.at.join("usr/share/applications/app.proxytill.Proxytill.desktop");
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let command = text.lines().find_map(|line| line.strip_prefix("Exec="));
        command.map(str::to_owned).ok_or_else(|| "the menu entry starts nothing".into())
    }

    /// Starts the program under its own display and takes a picture of its window.
    fn shows_welcome(&self, entry: &str, picture: &Path) -> Result<(), String> {
        let script = "chroot --userspec=1000:1000 \"$1\" sh -c \"$2\" & \
            xdotool search --sync --onlyvisible --name '^Proxytill' >/dev/null && sleep 4 && \
            import -window root \"$3\" && kill %1";
        let (root, picture) = (self.at.display().to_string(), picture.display().to_string());
        let words = [
            "-a",
            "-s",
            "-screen 0 1200x800x24 -ac",
            "timeout",
            "60",
            "bash",
            "-c",
            script,
            "try",
            &root,
            entry,
            &picture,
        ];
        let mut show = run::program("xvfb-run", &words);
        show.env("HOME", HOME).env("LC_ALL", "C.UTF-8").captured()?;
        // The program exits when the page can be used: a window alone may be empty.
        let usable = "timeout 60 chroot --userspec=1000:1000 \"$1\" sh -c \"$2 --perf-exit interactive\"";
        let words = ["-a", "-s", "-screen 0 1200x800x24 -ac", "bash", "-c", usable, "try", &root, entry];
        let mut show = run::program("xvfb-run", &words);
        show.env("HOME", HOME).env("LC_ALL", "C.UTF-8").captured().map(|_| ())
    }

    /// Starts the program under a compositor without a screen; it exits when the page can be used.
    fn starts_under_wayland(&self, entry: &str) -> Result<(), String> {
        let script = "export XDG_RUNTIME_DIR=$(mktemp -d) && chmod 755 $XDG_RUNTIME_DIR
            weston --backend=headless-backend.so --socket=way >$XDG_RUNTIME_DIR/log 2>&1 &
            until [ -S $XDG_RUNTIME_DIR/way ]; do kill -0 $! || exit 9; sleep 0.1; done
            chmod 777 $XDG_RUNTIME_DIR/way
            export WAYLAND_DISPLAY=$XDG_RUNTIME_DIR/way GDK_BACKEND=wayland
            timeout 60 chroot --userspec=1000:1000 \"$1\" sh -c \"$2 --perf-exit interactive\"
            code=$?; kill %1; exit $code";
        let root = self.at.display().to_string();
        let mut start = run::program("bash", &["-c", script, "try", &root, entry]);
        start.env("HOME", HOME).env("LC_ALL", "C.UTF-8").captured().map(|_| ())
    }

    /// Every file in the user's home, with checksums.
    fn home(&self) -> Result<String, String> {
        self.agent(&["sh", "-c", "cd && find . -type f -exec sha256sum {} + | sort"]).captured()
    }

    fn unmount(&self) {
        for folder in ["proc", "dev", "tmp"] {
            // A killed run may have left several mounts.
            while run::program("umount", &["-R", "-l", &self.at.join(folder).display().to_string()]).captured().is_ok()
            {
            }
        }
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        self.unmount();
    }
}
