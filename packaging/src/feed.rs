//! The feed: which version is the newest, and where its files are. The program's updater reads it.

use serde_json::{Value, json};

use crate::artefact::{self, Artefact};
use crate::notes::{self, LANGUAGES};
use crate::program;
use crate::project::Project;

/// Its name in a release.
pub const FILE: &str = "stable.json";

/// Where the files of a version can be had. It has to be true before the feed is given out.
fn address(version: &str, file: &str) -> String {
    format!("https://github.com/proxytill/proxytill/releases/download/v{version}/{file}")
}

/// The feed of a release whose files have these signatures, in the order of [`artefact::ALL`].
pub(crate) fn of(project: &Project, signatures: &[String], epoch: &str) -> Result<String, String> {
    let version = project.version()?;
    let time = program::moment(epoch)?;
    let entry = |(artefact, signature): (&Artefact, &String)| {
        let url = address(&version.to_string(), &artefact.name(&version.to_string()));
        (artefact.target.to_owned(), json!({ "url": url, "signature": signature }))
    };
    let platforms: serde_json::Map<String, Value> = artefact::ALL.iter().zip(signatures).map(entry).collect();
    let mut feed = json!({ "version": version.to_string(), "pub_date": time.to_string(), "platforms": platforms });
    for language in LANGUAGES {
        // "notes" is what every updater knows; the window takes the one of its language.
        let name = if language.name == "en" { "notes".to_owned() } else { format!("notes-{}", language.name) };
        feed[name] = Value::String(notes::of(project, &version, language)?);
    }
    serde_json::to_string_pretty(&feed).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// What the feed says of one kind: the file's name and its signature.
pub(crate) fn entry(feed: &Value, target: &str) -> Result<(String, String), String> {
    let entry = &feed["platforms"][target];
    let file = entry["url"].as_str().and_then(|url| url.rsplit('/').next());
    let both = file.zip(entry["signature"].as_str());
    both.map(|(file, signature)| (file.to_owned(), signature.to_owned()))
        .ok_or_else(|| format!("{FILE} has no {target}"))
}
