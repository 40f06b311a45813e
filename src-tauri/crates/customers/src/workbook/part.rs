//! One file of a workbook as XML, read event by event, with limits on size and depth.

use std::io::{BufReader, Error, Read};

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::file_limits::BadFile;

/// Most bytes of one file of a workbook, unzipped.
pub(super) const MOST_UNZIPPED: usize = 64 << 20;
/// Deepest nesting of elements; a sheet has about eight.
const DEEPEST: usize = 64;

/// One file of a workbook, as XML.
pub(super) struct Part<R: Read> {
    xml: quick_xml::Reader<BufReader<Counted<R>>>,
    buffer: Vec<u8>,
    depth: usize,
}

/// Refuses to read beyond [`MOST_UNZIPPED`].
struct Counted<R> {
    inner: R,
    left: usize,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(to)?;
        self.left = self.left.saturating_sub(read);
        if self.left == 0 { Err(Error::other("too large")) } else { Ok(read) }
    }
}

impl<R: Read> Part<R> {
    pub(super) fn of(inner: R) -> Self {
        let counted = Counted { inner, left: MOST_UNZIPPED };
        let mut xml = quick_xml::Reader::from_reader(BufReader::new(counted));
        xml.config_mut().expand_empty_elements = true;
        Self { xml, buffer: Vec::new(), depth: 0 }
    }

    pub(super) fn next(&mut self) -> Result<Event<'_>, BadFile> {
        self.buffer.clear();
        match self.xml.read_event_into(&mut self.buffer) {
            Ok(event) => {
                match event {
                    Event::Start(_) => self.depth += 1,
                    Event::End(_) => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                if self.depth > DEEPEST { Err(BadFile::NotAWorkbook) } else { Ok(event) }
            }
            Err(_) if self.xml.get_ref().get_ref().left == 0 => Err(BadFile::TooLarge),
            Err(_) => Err(BadFile::NotAWorkbook),
        }
    }

    /// Reads the text of an open element up to its end: a value or a formula.
    pub(super) fn value(&mut self, name: &str) -> Result<String, BadFile> {
        self.text(name, true)
    }

    /// Reads a string: the text in its `t`, without the pronunciation in `rPh`.
    pub(super) fn string(&mut self, name: &str) -> Result<String, BadFile> {
        self.text(name, false).map(|text| unescaped(&text))
    }

    fn text(&mut self, name: &str, at_once: bool) -> Result<String, BadFile> {
        let (mut text, mut taken, mut pronounced) = (String::new(), at_once, false);
        loop {
            match self.next()? {
                Event::Start(begun) => match begun.local_name().as_ref() {
                    "t" => taken = true,
                    "rPh" => pronounced = true,
                    _ => {}
                },
                Event::End(ended) => match ended.local_name().as_ref() {
                    ended if ended == name => return Ok(text),
                    "t" => taken = at_once,
                    "rPh" => pronounced = false,
                    _ => {}
                },
                Event::Text(said) if taken && !pronounced => text.push_str(&said.xml10_content()),
                Event::CData(said) if taken && !pronounced => text.push_str(&said.xml10_content()),
                Event::GeneralRef(said) if taken && !pronounced => push(&mut text, &said)?,
                Event::Eof => return Err(BadFile::NotAWorkbook),
                _ => {}
            }
        }
    }
}

fn push(text: &mut String, reference: &BytesRef<'_>) -> Result<(), BadFile> {
    match (reference.resolve_char_ref(), resolve_predefined_entity(reference)) {
        (Ok(Some(letter)), _) => text.push(letter),
        (Ok(None), Some(letter)) => text.push_str(letter),
        _ => return Err(BadFile::NotAWorkbook),
    }
    Ok(())
}

/// Decodes `_x000D_`: a character that XML cannot hold.
pub(super) fn unescaped(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("_x") {
        let code = rest.get(at + 2..at + 7).and_then(|code| code.strip_suffix('_'));
        let letter = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        plain.push_str(&rest[..at]);
        plain.extend(letter.or(Some('_')));
        rest = &rest[if letter.is_some() { at + 7 } else { at + 1 }..];
    }
    plain + rest
}

pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut all = element.attributes();
    let found = all.with_checks(false).flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(found.normalized_value(XmlVersion::Explicit1_0).ok()?.into_owned())
}
