//! Workbooks (XLSX): the first sheet, cell by cell. A file of a few KB can name a cell a million rows away, or unzip
//! to gigabytes. So memory is allocated only for what is read and counted, never for what a file claims.

mod part;

use std::io::{Cursor, Read};

use quick_xml::events::Event;
use zip::ZipArchive;
use zip::read::ZipFile;

use self::part::{Part, attribute, unescaped};
use crate::cells::Row;
use crate::file_limits::{BadFile, MOST_CELLS, MOST_COLUMNS, MOST_ROWS, MOST_TEXT};

/// Most files in a workbook; one with a hundred sheets has a few hundred.
const MOST_PARTS: usize = 10_000;
/// The first bytes of a file's entry in the archive's directory.
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";

/// Passes every row of the first sheet that has a cell to `each`, from top to bottom.
///
/// # Errors
/// [`BadFile`] when the workbook cannot be read or exceeds a limit, or from `each`.
pub(crate) fn rows(bytes: &[u8], each: &mut dyn FnMut(Row) -> Result<(), BadFile>) -> Result<(), BadFile> {
    if memchr::memmem::find_iter(bytes, DIRECTORY_ENTRY).nth(MOST_PARTS).is_some() {
        return Err(BadFile::TooLarge);
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| BadFile::NotAWorkbook)?;
    let id = first_sheet(part(&mut archive, "xl/workbook.xml")?)?;
    let paths = paths(part(&mut archive, "xl/_rels/workbook.xml.rels")?, &id)?;
    let strings = match &paths.strings {
        Some(path) => strings(part(&mut archive, path)?)?,
        None => Vec::new(),
    };
    sheet(part(&mut archive, &paths.sheet)?, &strings, each)
}

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

fn part<'a, 'b>(archive: &'a mut Archive<'b>, path: &str) -> Result<Part<ZipFile<'a, Cursor<&'b [u8]>>>, BadFile> {
    // Some writers use other letter cases and the other slash.
    let is_it = |name: &str| name.replace('\\', "/").eq_ignore_ascii_case(path);
    let at = (0..archive.len()).find(|at| archive.name_for_index(*at).is_some_and(is_it));
    let file = archive.by_index(at.ok_or(BadFile::NotAWorkbook)?).map_err(|_| BadFile::NotAWorkbook)?;
    Ok(Part::of(file))
}

/// The id by which the workbook refers to its first sheet.
fn first_sheet(mut workbook: Part<impl Read>) -> Result<String, BadFile> {
    loop {
        match workbook.next()? {
            Event::Start(sheet) if sheet.local_name().as_ref() == "sheet" => {
                return attribute(&sheet, "id").ok_or(BadFile::NotAWorkbook);
            }
            Event::Eof => return Err(BadFile::NotAWorkbook),
            _ => {}
        }
    }
}

/// Paths of the sheet and its texts in the archive.
struct Paths {
    sheet: String,
    strings: Option<String>,
}

fn paths(mut relations: Part<impl Read>, sheet_id: &str) -> Result<Paths, BadFile> {
    let (mut sheet, mut strings) = (None, None);
    loop {
        match relations.next()? {
            Event::Start(relation) if relation.local_name().as_ref() == "Relationship" => {
                let path = attribute(&relation, "Target").map(|target| match target.strip_prefix('/') {
                    Some(whole) => whole.to_owned(),
                    None => format!("xl/{target}"),
                });
                if attribute(&relation, "Id").as_deref() == Some(sheet_id) {
                    sheet = path;
                } else if attribute(&relation, "Type").is_some_and(|kind| kind.ends_with("/sharedStrings")) {
                    strings = path;
                }
            }
            Event::Eof => return Ok(Paths { sheet: sheet.ok_or(BadFile::NotAWorkbook)?, strings }),
            _ => {}
        }
    }
}

/// Reads the texts that cells refer to by number.
fn strings(mut part: Part<impl Read>) -> Result<Vec<String>, BadFile> {
    let (mut all, mut size) = (Vec::new(), 0);
    loop {
        match part.next()? {
            Event::Start(item) if item.local_name().as_ref() == "si" => {
                let text = part.string("si")?;
                size += text.len();
                if size > MOST_TEXT || all.len() == MOST_CELLS {
                    return Err(BadFile::TooLarge);
                }
                all.push(text);
            }
            Event::Eof => return Ok(all),
            _ => {}
        }
    }
}

fn sheet(
    mut part: Part<impl Read>,
    strings: &[String],
    each: &mut dyn FnMut(Row) -> Result<(), BadFile>,
) -> Result<(), BadFile> {
    let mut row = Row::default();
    let mut next_column = 0;
    loop {
        match part.next()? {
            Event::Start(begun) => match begun.local_name().as_ref() {
                "row" => {
                    let line = match attribute(&begun, "r") {
                        Some(number) => number.parse().map_err(|_| BadFile::NotAWorkbook)?,
                        None => row.line + 1,
                    };
                    // Rows and cells must be in order: a repeated one would be ambiguous.
                    if line <= row.line {
                        return Err(BadFile::NotAWorkbook);
                    }
                    (row, next_column) = (Row { line, ..Row::default() }, 0);
                }
                "c" => {
                    let column = match attribute(&begun, "r") {
                        Some(place) => column(&place, row.line).ok_or(BadFile::NotAWorkbook)?,
                        None => next_column,
                    };
                    if column < next_column {
                        return Err(BadFile::NotAWorkbook);
                    }
                    next_column = column + 1;
                    let kind = attribute(&begun, "t").unwrap_or_default();
                    let cell = cell(&mut part, &kind, strings)?;
                    if !cell.text.is_empty() {
                        add(&mut row, column, cell)?;
                    }
                }
                _ => {}
            },
            Event::End(ended) => match ended.local_name().as_ref() {
                "row" if !row.cells.is_empty() => {
                    let line = row.line;
                    each(std::mem::replace(&mut row, Row { line, ..Row::default() }))?;
                }
                "sheetData" => return Ok(()),
                _ => {}
            },
            Event::Eof => return Err(BadFile::NotAWorkbook),
            _ => {}
        }
    }
}

fn add(row: &mut Row, column: usize, cell: Cell) -> Result<(), BadFile> {
    if row.line > MOST_ROWS || column >= MOST_COLUMNS {
        return Err(BadFile::TooLarge);
    }
    row.cells.resize(column, String::new());
    row.cells.push(cell.text);
    row.calculated |= cell.calculated;
    Ok(())
}

/// The column of a place like `BC12`, from 0. The row must be `line`.
fn column(place: &str, line: usize) -> Option<usize> {
    let digits = place.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = place.split_at(digits);
    if !(1..=3).contains(&letters.len()) || number.parse() != Ok(line) {
        return None;
    }
    let letter = |letter: u8| letter.is_ascii_alphabetic().then(|| usize::from(letter.to_ascii_uppercase() - b'A') + 1);
    letters.bytes().try_fold(0, |column, byte| Some(column * 26 + letter(byte)?)).map(|column| column - 1)
}

struct Cell {
    text: String,
    calculated: bool,
}

/// Reads a cell. A calculated one yields its formula, so that it is not taken for a value.
fn cell(part: &mut Part<impl Read>, kind: &str, strings: &[String]) -> Result<Cell, BadFile> {
    let (mut text, mut formula) = (String::new(), None);
    loop {
        match part.next()? {
            Event::Start(begun) => match begun.local_name().as_ref() {
                "v" => text = value(part.value("v")?, kind, strings)?,
                "is" => text = part.string("is")?,
                "f" => formula = Some(format!("={}", part.value("f")?)),
                _ => {}
            },
            Event::End(ended) if ended.local_name().as_ref() == "c" => {
                let calculated = formula.is_some();
                return Ok(Cell { text: formula.unwrap_or(text), calculated });
            }
            Event::Eof => return Err(BadFile::NotAWorkbook),
            _ => {}
        }
    }
}

fn value(written: String, kind: &str, strings: &[String]) -> Result<String, BadFile> {
    Ok(match kind {
        "s" => {
            let at: usize = written.trim().parse().map_err(|_| BadFile::NotAWorkbook)?;
            strings.get(at).cloned().ok_or(BadFile::NotAWorkbook)?
        }
        "str" => unescaped(&written),
        "b" => (written.trim() != "0").to_string(),
        "" | "n" => written.parse().map_or(written, plain),
        _ => written,
    })
}

/// A workbook's number as a person sees it: at most ten decimals, without the tail of the binary fraction.
fn plain(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return format!("{number:.0}");
    }
    let text = format!("{number:.10}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::part::MOST_UNZIPPED;
    use super::*;
    use crate::file::entries;
    use crate::lines::{Unclear, Wants};

    /// A workbook of one sheet, written by hand.
    fn book(rows: &str, strings: &[u8]) -> Vec<u8> {
        let relations = r#"<Relationships><Relationship Id="a" Type="x/worksheet" Target="sheet.xml"/><Relationship Id="b" Type="x/sharedStrings" Target="/xl/strings.xml"/></Relationships>"#;
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        let parts: [(&str, &[u8]); 4] = [
            ("xl/workbook.xml", br#"<workbook><sheets><sheet name="1" r:id="a"/></sheets></workbook>"#),
            ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
            ("xl/sheet.xml", sheet.as_bytes()),
            ("xl/strings.xml", strings),
        ];
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in parts {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn cells(book: &[u8]) -> Result<Vec<(usize, Vec<String>)>, BadFile> {
        let mut all = Vec::new();
        rows(book, &mut |row| {
            all.push((row.line, row.cells));
            Ok(())
        })?;
        Ok(all)
    }

    #[test]
    fn cells_are_read_as_spreadsheets_write_them() {
        let strings = "<sst><si><t>ali&amp;co &#x4E2D;</t></si><si><r><t>two </t></r><r><t>parts</t></r><rPh><t>x</t></rPh></si><si><t>a_x000D_b_x5F</t></si></sst>";
        let sheet = r#"<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row><row><c t="inlineStr"><is><t>in</t></is></c><c><v>0.1</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c></row><row r="9"><c r="A9" s="3"/></row><row r="10"><c r="AA10" t="str"><v>far</v></c><c t="s"><v>2</v></c><c><f>A1*2</f><v>7</v></c><c><f t="shared" si="99999999999"/><v>7</v></c></row>"#;
        let read = cells(&book(sheet, strings.as_bytes())).unwrap();
        let row = |line, all: &[&str]| (line, all.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>());
        let far = [&[""; 26][..], &["far", "a\rb_x5F", "=A1*2", "="]].concat();
        let expected =
            [row(2, &["ali&co 中", "", "two parts"]), row(3, &["in", "0.1", "true", "#REF!"]), row(10, &far)];
        assert_eq!(read, expected);
    }

    #[test]
    fn what_no_spreadsheet_writes_is_no_workbook() {
        for sheet in [
            r#"<row r="2"></row><row r="2"></row>"#,
            r#"<row r="2"><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c></row>"#,
            r#"<row r="2"><c r="B3"><v>1</v></c></row>"#,
            r#"<row r="2"><c r="ABCDEFGHIJKLMNOPQRSTUVW2"><v>1</v></c></row>"#,
            r#"<row r="99999999999999999999999"><c><v>1</v></c></row>"#,
            r#"<row><c t="s"><v>1</v></c></row>"#,
            r#"<row><c t="s"><v>-1</v></c></row>"#,
            r#"<row><c><v>&unknown;</v></c></row>"#,
            &"<row>".repeat(100),
        ] {
            assert_eq!(cells(&book(sheet, b"<sst/>")), Err(BadFile::NotAWorkbook), "{sheet}");
        }
    }

    #[test]
    fn what_is_small_in_the_file_and_huge_in_the_memory_is_refused() {
        let one = r#"<row><c t="s"><v>0</v></c></row>"#;
        let text = |bytes: usize| [b"<sst><si><t>", &vec![b'a'; bytes][..], b"</t></si></sst>"].concat();
        let everywhere = one.repeat(40);
        let cases = [
            ("one long text", book(one, &text(MOST_TEXT + 1))),
            ("unzips to more than is read", book(one, &text(MOST_UNZIPPED))),
            ("a text that is shown everywhere", book(&everywhere, &text(1 << 20))),
            ("rows without end", book(&"<row><c><v>1</v></c></row>".repeat(MOST_ROWS + 1), b"<sst/>")),
            ("texts without end", book(one, &b"<si/>".repeat(MOST_CELLS + 1))),
        ];
        for (what, book) in cases {
            assert!(book.len() < crate::file::MOST_BYTES, "{what}: {} bytes", book.len());
            assert_eq!(entries(&book, Wants::Amounts), Err(BadFile::TooLarge), "{what}");
        }
    }

    #[test]
    fn a_calculated_password_is_asked_about_and_never_set() {
        let sheet = r#"<row><c t="str"><v>ali@x.com</v></c><c><f>RAND()</f><v>0.5</v></c></row>"#;
        let read = entries(&book(sheet, b"<sst/>"), Wants::Passwords).unwrap();
        assert_eq!((read[0].unclear, read[0].password.as_deref()), (Some(Unclear::Formula), None));
    }
}
