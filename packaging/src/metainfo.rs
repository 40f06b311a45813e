//! The releases in the AppStream metainfo, which software centres show: generated from the notes, never edited.

use std::fmt::Write;

use quick_xml::escape::escape;

use crate::notes::{LANGUAGES, Notes};
use crate::project::Project;

/// Path of the file.
pub(crate) const FILE: &str = "packaging/linux/app.proxytill.Proxytill.metainfo.xml";
const BEGIN: &str = "  <releases>";
const END: &str = "</releases>\n";

/// Rewrites the releases.
pub(crate) fn write(project: &Project) -> Result<(), String> {
    let fresh = fresh(project)?;
    project.write(FILE, &fresh)
}

/// Whether the file has the same releases as the notes.
pub(crate) fn is_fresh(project: &Project) -> Result<bool, String> {
    Ok(project.read(FILE)? == fresh(project)?)
}

fn fresh(project: &Project) -> Result<String, String> {
    let text = project.read(FILE)?;
    let place = text.find(BEGIN).zip(text.find(END));
    let (from, to) = place.ok_or_else(|| format!("{FILE} has no place for releases"))?;
    Ok([&text[..from], &releases(project)?, &text[to + END.len()..]].concat())
}

fn releases(project: &Project) -> Result<String, String> {
    let [english, chinese] = LANGUAGES;
    let (english, chinese) = (english.notes(project)?, chinese.notes(project)?);
    let mut xml = format!("{BEGIN}\n");
    for notes in english.iter().filter(|notes| notes.version.is_some()) {
        let same = |other: &&Notes| other.version == notes.version && other.points.len() == notes.points.len();
        let translated = chinese.iter().find(same);
        let version = notes.version.as_ref().map(ToString::to_string).unwrap_or_default();
        let translated =
            translated.ok_or_else(|| format!("{version}: the two languages do not have the same points"))?;
        let _ = writeln!(xml, "    <release version=\"{version}\" date=\"{}\">", notes.date);
        xml += "      <description>\n        <ul>\n";
        for (point, translation) in notes.points.iter().zip(&translated.points) {
            let _ = writeln!(xml, "          <li>{}</li>", escape(point));
            let _ = writeln!(xml, "          <li xml:lang=\"zh-CN\">{}</li>", escape(translation));
        }
        xml += "        </ul>\n      </description>\n    </release>\n";
    }
    xml += &format!("  {END}");
    Ok(xml)
}
