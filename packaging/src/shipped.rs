//! Third-party packages that the program carries, on any of its systems.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;
use xtask::run;

use crate::project::Project;

/// A third-party package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// Name in its registry.
    pub name: String,
    /// Version in its registry.
    pub version: String,
    /// Type of its package URL: `cargo` or `npm`.
    pub registry: &'static str,
    /// An SPDX expression.
    pub license: String,
    /// Folder of its files on this machine.
    pub folder: PathBuf,
}

/// The target systems of the program: those in `deny.toml`.
fn targets(project: &Project) -> Result<Vec<String>, String> {
    let deny = project.toml("deny.toml")?;
    let targets = deny["graph"]["targets"].as_array().ok_or("deny.toml names no targets")?;
    Ok(targets.iter().filter_map(|target| target.as_str().map(str::to_owned)).collect())
}

/// All packages, sorted. The front end's packages must be installed.
pub fn packages(project: &Project) -> Result<Vec<Package>, String> {
    let mut all = BTreeSet::new();
    for target in targets(project)? {
        all.extend(crates(&target)?);
    }
    all.extend(scripts(project)?);
    Ok(all.into_iter().collect())
}

/// Crates linked for a target: all dependencies of the program except those that only build or test it.
fn crates(target: &str) -> Result<Vec<Package>, String> {
    let mut ask = run::cargo(&["metadata", "--format-version", "1", "--filter-platform", target]);
    let metadata: Value = serde_json::from_str(&ask.printed()?).map_err(|error| error.to_string())?;
    let by_id: BTreeMap<&str, &Value> =
        list(&metadata["packages"]).map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();
    let program = by_id.iter().find(|(_, package)| text(&package["name"]) == "proxytill");
    let mut waiting: Vec<&str> = program.map(|(id, _)| *id).into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let runs_in_the_compiler = by_id.get(id).is_none_or(|package| kinds(package).any(|kind| kind == "proc-macro"));
        if runs_in_the_compiler || !reached.insert(id) {
            continue;
        }
        let linked = |needed: &&Value| list(&needed["dep_kinds"]).any(|kind| kind["kind"].is_null());
        let needed = nodes.get(id).into_iter().flat_map(|node| list(&node["deps"]));
        waiting.extend(needed.filter(linked).map(|needed| text(&needed["pkg"])));
    }
    let others = reached.into_iter().filter_map(|id| by_id.get(id)).filter(|package| !package["source"].is_null());
    Ok(others.map(|package| of_cargo(package)).collect())
}

fn of_cargo(package: &Value) -> Package {
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    Package {
        name: text(&package["name"]).to_owned(),
        version: text(&package["version"]).to_owned(),
        registry: "cargo",
        // The old way to write "or".
        license: text(&package["license"]).replace('/', " OR ").replace("  ", " "),
        folder: manifest.parent().map(PathBuf::from).unwrap_or_default(),
    }
}

/// npm packages that may be bundled into the page: all except those for development.
fn scripts(project: &Project) -> Result<Vec<Package>, String> {
    let lock = project.read("ui/package-lock.json")?;
    let lock: Value = serde_json::from_str(&lock).map_err(|error| format!("ui/package-lock.json: {error}"))?;
    let packages = lock["packages"].as_object().ok_or("ui/package-lock.json lists no packages")?;
    let shipped = packages
        .iter()
        .filter(|(at, package)| !at.is_empty() && ["dev", "optional", "peer"].iter().all(|no| package[no].is_null()));
    let package = |(at, package): (&String, &Value)| {
        let name = at.rsplit_once("node_modules/").map_or(at.as_str(), |(_, name)| name);
        Package {
            name: name.to_owned(),
            version: text(&package["version"]).to_owned(),
            registry: "npm",
            license: text(&package["license"]).to_owned(),
            folder: project.path("ui").join(at),
        }
    };
    Ok(shipped.map(package).collect())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn kinds(package: &Value) -> impl Iterator<Item = &str> {
    list(&package["targets"]).flat_map(|target| list(&target["kind"])).map(text)
}
