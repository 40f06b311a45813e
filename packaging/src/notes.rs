//! Release notes for the people who use the program: `packaging/notes`, one file per language, newest first. The
//! changelog is for developers.

use semver::Version;

use crate::project::Project;

/// A language of the notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// The name of the language on the page and in the metadata.
    pub name: &'static str,
    file: &'static str,
}

/// Every language of the page.
pub const LANGUAGES: [Language; 2] = [
    Language { name: "en", file: "packaging/notes/en.md" },
    Language { name: "zh-CN", file: "packaging/notes/zh-CN.md" },
];

/// Heading of the section that is not released yet.
const NEXT: &str = "Next";

/// The notes of one release in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notes {
    /// The version; `None` when not released yet.
    pub version: Option<Version>,
    /// Date such as `2026-11-23`; empty when not released yet.
    pub date: String,
    /// The points, one or two sentences each.
    pub points: Vec<String>,
}

impl Language {
    /// Reads all sections of the language's file. An error names the line that cannot be read.
    pub fn notes(self, project: &Project) -> Result<Vec<Notes>, String> {
        parse(&project.read(self.file)?).map_err(|why| format!("{}: {why}", self.file))
    }

    /// Returns the file with a version in place of "Next", and its number of points. Fails when there are none.
    pub(crate) fn closed(self, project: &Project, version: &Version, date: &str) -> Result<Closed, String> {
        let notes = self.notes(project)?;
        let points = notes.first().filter(|notes| notes.version.is_none()).map_or(0, |next| next.points.len());
        if points == 0 {
            return Err(format!("{}: describe what is new under `## {NEXT}`", self.file));
        }
        let title = format!("## {NEXT}\n\n## {version} ({date})\n");
        let text = project.read(self.file)?.replacen(&format!("## {NEXT}\n"), &title, 1);
        Ok(Closed { file: self.file, text, points })
    }
}

/// Notes whose newest section has its version; not written yet.
pub(crate) struct Closed {
    pub(crate) file: &'static str,
    pub(crate) text: String,
    pub(crate) points: usize,
}

/// Returns the notes of one release in one language, as points of Markdown.
pub fn of(project: &Project, version: &Version, language: Language) -> Result<String, String> {
    let notes = language.notes(project)?;
    let released = notes.into_iter().find(|notes| notes.version.as_ref() == Some(version));
    let released = released.ok_or_else(|| format!("{} has no notes for {version}", language.file))?;
    Ok(released.points.iter().map(|point| format!("- {point}\n")).collect())
}

fn parse(text: &str) -> Result<Vec<Notes>, String> {
    let mut all: Vec<Notes> = Vec::new();
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        if let Some(title) = line.strip_prefix("## ") {
            all.push(section(title)?);
        } else {
            let notes = all.last_mut().ok_or_else(|| format!("`{line}` is before the first section"))?;
            match (line.strip_prefix("- "), notes.points.last_mut()) {
                (Some(point), _) => notes.points.push(point.to_owned()),
                (None, Some(point)) => point.push_str(&format!(" {}", line.trim())),
                (None, None) => return Err(format!("`{line}` is not a point")),
            }
        }
    }
    Ok(all)
}

/// Parses `Next`, or `1.2.3 (2026-11-23)`.
fn section(title: &str) -> Result<Notes, String> {
    if title == NEXT {
        return Ok(Notes { version: None, date: String::new(), points: Vec::new() });
    }
    let read = title.strip_suffix(')').and_then(|title| title.split_once(" ("));
    let read = read.and_then(|(version, date)| Some((Version::parse(version).ok()?, date.to_owned())));
    let (version, date) = read.ok_or_else(|| format!("`{title}` is neither `{NEXT}` nor `VERSION (DATE)`"))?;
    Ok(Notes { version: Some(version), date, points: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_points_are_read_and_what_is_neither_is_named() {
        let notes = parse("# New\n\n## Next\n\n## 0.2.0 (2026-11-23)\n- One\n  line\n- Two\n").unwrap();
        assert_eq!((notes[0].version.clone(), notes[0].points.len()), (None, 0));
        assert_eq!(
            (notes[1].date.as_str(), notes[1].points.clone()),
            ("2026-11-23", vec!["One line".into(), "Two".into()])
        );
        for wrong in ["# New\n- early\n", "# New\n## Next\nno point\n", "# New\n## 0.2\n", "# New\n## Soon\n"] {
            assert!(parse(wrong).unwrap_err().contains('`'), "{wrong}");
        }
    }
}
