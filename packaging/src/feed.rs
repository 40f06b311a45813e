//! The feed: the newest version and the addresses of its files. The program's updater reads it.

use serde_json::{Value, json};

use crate::artefact::{self, Artefact};
use crate::notes::{self, LANGUAGES};
use crate::project::Project;
use crate::time;

/// File name in a release.
pub const FILE: &str = "stable.json";

/// Download address of a file. The file must be there before the feed is published.
fn address(version: &str, file: &str) -> String {
    format!("https://github.com/proxytill/proxytill/releases/download/v{version}/{file}")
}

/// Writes the feed of a release. `signatures` are in the order of [`artefact::ALL`].
pub(crate) fn of(project: &Project, signatures: &[String], epoch: &str) -> Result<String, String> {
    let version = project.version()?;
    let time = time::moment(epoch)?;
    let entry = |(artefact, signature): (&Artefact, &String)| {
        let url = address(&version.to_string(), &artefact.name(&version.to_string()));
        (artefact.target.to_owned(), json!({ "url": url, "signature": signature }))
    };
    let platforms: serde_json::Map<String, Value> = artefact::ALL.iter().zip(signatures).map(entry).collect();
    let mut feed = json!({ "version": version.to_string(), "pub_date": time.to_string(), "platforms": platforms });
    for language in LANGUAGES {
        // Every updater knows "notes"; the page takes the entry of its language.
        let name = if language.name == "en" { "notes".to_owned() } else { format!("notes-{}", language.name) };
        feed[name] = Value::String(notes::of(project, &version, language)?);
    }
    serde_json::to_string_pretty(&feed).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// The feed's entry for one kind: file name and signature.
pub(crate) fn entry(feed: &Value, target: &str) -> Result<(String, String), String> {
    let entry = &feed["platforms"][target];
    let file = entry["url"].as_str().and_then(|url| url.rsplit('/').next());
    let both = file.zip(entry["signature"].as_str());
    both.map(|(file, signature)| (file.to_owned(), signature.to_owned()))
        .ok_or_else(|| format!("{FILE} has no {target}"))
}
