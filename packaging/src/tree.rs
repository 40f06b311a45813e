//! The layout of every Linux package, below one folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

use xtask::run;

use crate::icons;
use crate::project::Project;

/// The program's id on the desktop: menu entry, metainfo, icon.
const ID: &str = "app.proxytill.Proxytill";

/// Whether a file's bytes hold a text.
pub(crate) fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// Fills the folder `to`, which is recreated.
pub(crate) fn lay(project: &Project, program: &Path, to: &Path) -> Result<(), String> {
    if to.exists() {
        fs::remove_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    put(to, "usr/bin/proxytill", &read(program)?, 0o755)?;
    run::program("strip", &["--strip-all", &to.join("usr/bin/proxytill").display().to_string()]).captured()?;
    let linux =
        [(format!("{ID}.desktop"), "usr/share/applications"), (format!("{ID}.metainfo.xml"), "usr/share/metainfo")];
    for (name, folder) in linux {
        put(to, &format!("{folder}/{name}"), &read(&project.path("packaging/linux").join(&name))?, 0o644)?;
    }
    for size in icons::PNG {
        let icon = read(&project.path(icons::png(size)))?;
        put(to, &format!("usr/share/icons/hicolor/{size}x{size}/apps/{ID}.png"), &icon, 0o644)?;
    }
    put(to, &format!("usr/share/icons/hicolor/scalable/apps/{ID}.svg"), &read(&project.path(icons::DRAWING))?, 0o644)?;
    let page = read(&project.path("packaging/linux/proxytill.1"))?;
    put(to, "usr/share/man/man1/proxytill.1.gz", &zipped(&page)?, 0o644)?;
    let changelog = read(&project.path("CHANGELOG.md"))?;
    put(to, "usr/share/doc/proxytill/CHANGELOG.md.gz", &zipped(&changelog)?, 0o644)?;
    let notices = read(&project.path("packaging/notices.txt"))?;
    put(to, "usr/share/doc/proxytill/notices.txt.gz", &zipped(&notices)?, 0o644)?;
    put(to, "usr/share/doc/proxytill/NOTICE.gz", &zipped(&read(&project.path("NOTICE"))?)?, 0o644)
}

/// Writes the file from which the program learns how it was installed, for its updates.
pub(crate) fn mark(to: &Path, kind: &str) -> Result<(), String> {
    put(to, "usr/share/proxytill/package", kind.as_bytes(), 0o644)
}

/// Writes one file and its folders.
pub(crate) fn put(root: &Path, name: &str, bytes: &[u8], mode: u32) -> Result<(), String> {
    let path = root.join(name);
    let done = fs::create_dir_all(path.parent().unwrap_or(root)).and_then(|()| fs::write(&path, bytes));
    done.and_then(|()| set_mode(&path, mode)).map_err(|error| format!("{}: {error}", path.display()))?;
    // The builder's umask may be narrow, but everyone must be able to read what is installed.
    let folders = path.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    folders.map(Path::to_owned).try_for_each(|folder: PathBuf| {
        set_mode(&folder, 0o755).map_err(|error| format!("{}: {error}", folder.display()))
    })
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Does nothing: Linux packages are made on Linux only.
#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) -> std::io::Result<()> {
    Ok(())
}

/// Compresses without name and time, so that the bytes are always the same.
pub(crate) fn zipped(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    gzip.write_all(bytes).and_then(|()| gzip.finish()).map_err(|error| error.to_string())
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}
