//! Checks every package that is built for one of the targets in `deny.toml` against that file: licences, bans,
//! sources. `cargo deny check` uses the same file, and also checks advisories, which needs a network.

use std::process::Command;

use serde::Deserialize;
use spdx::{Expression, ParseMode};

#[derive(Deserialize)]
struct Deny {
    graph: Graph,
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Graph {
    targets: Vec<String>,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    wildcards: String,
    deny: Vec<Banned>,
}

#[derive(Deserialize)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    unknown_registry: String,
    unknown_git: String,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    license: Option<String>,
    /// `None` for a folder of the project.
    source: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    req: String,
    /// A folder of the project.
    path: Option<String>,
}

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn deny() -> Deny {
    let text = super::text("deny.toml".as_ref());
    toml::from_str(&text).expect("deny.toml")
}

/// The packages built for a target, as Cargo resolves them.
fn packages(target: &str) -> Vec<Package> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(tests::root()).args([
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        target,
    ]);
    let output = cargo.output().expect("Cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("Cargo's own words");
    assert!(metadata.packages.len() > 100, "{target}: {} packages", metadata.packages.len());
    metadata.packages
}

/// Everything that is wrong with a package.
fn wrong(package: &Package, deny: &Deny) -> Vec<String> {
    let mut wrong = Vec::new();
    let name = &package.name;
    let license = package.license.as_deref().unwrap_or_default();
    match Expression::parse_mode(license, ParseMode::LAX) {
        Ok(terms) if terms.evaluate(|term| deny.licenses.allow.contains(&term.to_string())) => {}
        _ => wrong.push(format!("{name}: the licence `{license}` is not one of those that are accepted")),
    }
    if deny.bans.deny.iter().any(|banned| banned.name == *name) {
        wrong.push(format!("{name} is banned"));
    }
    if package.source.as_deref().is_some_and(|source| source != CRATES_IO) {
        wrong.push(format!("{name} comes from {:?}", package.source));
    }
    if package.source.is_none() {
        let any = package.dependencies.iter().filter(|needed| needed.req == "*" && needed.path.is_none());
        wrong.extend(any.map(|needed| format!("{name} takes any version of {}", needed.name)));
    }
    wrong
}

#[test]
fn every_package_has_an_accepted_licence_a_known_source_and_no_ban() {
    let deny = deny();
    let strict = [&deny.bans.wildcards, &deny.sources.unknown_registry, &deny.sources.unknown_git];
    assert_eq!(strict, ["deny"; 3], "what is checked here is what deny.toml says");
    let all = deny.graph.targets.iter().flat_map(|target| packages(target));
    let mut wrong: Vec<String> = all.flat_map(|package| wrong(&package, &deny)).collect();
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_package_that_deny_toml_would_refuse_is_named() {
    let deny = deny();
    let package = |name: &str, license: &str, source: &str| Package {
        name: name.into(),
        license: Some(license.into()),
        source: Some(source.into()),
        dependencies: Vec::new(),
    };
    assert!(wrong(&package("a", "MIT/GPL-3.0", CRATES_IO), &deny).is_empty());
    assert_eq!(wrong(&package("a", "MIT AND GPL-3.0-only", CRATES_IO), &deny).len(), 1);
    assert_eq!(wrong(&package("a", "", CRATES_IO), &deny).len(), 1);
    assert_eq!(wrong(&package("openssl", "Apache-2.0", CRATES_IO), &deny).len(), 1);
    assert_eq!(wrong(&package("a", "MIT", "git+https://host.example/a"), &deny).len(), 1);
    let needed = Dependency { name: "b".into(), req: "*".into(), path: None };
    let own = Package { source: None, dependencies: vec![needed], ..package("c", "MIT", "") };
    assert_eq!(wrong(&own, &deny).len(), 1);
}
