//! Files as spreadsheets write them: CSV in any of the usual encodings, and XLSX. Read row by row, so that memory
//! holds only what is needed.

use encoding_rs::{GBK, UTF_16BE, UTF_16LE};

use crate::cells::{Head, Row, head, of_row};
use crate::lines::{self, Entry, Wants};
use crate::workbook;

use crate::file_limits::{MOST_CELLS, MOST_COLUMNS, MOST_ROWS, MOST_TEXT};

pub use crate::file_limits::{BadFile, MOST_BYTES};

/// Reads a file's entries.
///
/// # Errors
/// [`BadFile`] when any part cannot be read or a limit is exceeded.
pub fn entries(bytes: &[u8], wants: Wants) -> Result<Vec<Entry>, BadFile> {
    if bytes.len() > MOST_BYTES {
        return Err(BadFile::TooLarge);
    }
    let mut read = Reading::of(wants);
    if bytes.starts_with(b"PK\x03\x04") {
        workbook::rows(bytes, &mut |row| read.take(&row))?;
    } else {
        text(bytes, &mut read)?;
    }
    if read.entries.is_empty() { Err(BadFile::Empty) } else { Ok(read.entries) }
}

/// Reads the entries of a text file, which holds lines as people write them, unless it is a table with tabs.
///
/// # Errors
/// [`BadFile`] when it cannot be read or a limit is exceeded.
pub fn entries_of_text(bytes: &[u8], wants: Wants) -> Result<Vec<Entry>, BadFile> {
    if bytes.len() > MOST_BYTES {
        return Err(BadFile::TooLarge);
    }
    let text = decode(bytes).ok_or(BadFile::NotText)?;
    if text.contains('\t') {
        return entries(bytes, wants);
    }
    if text.len() > MOST_TEXT || text.lines().count() > MOST_ROWS {
        return Err(BadFile::TooLarge);
    }
    let read = lines::entries(&text, wants);
    if read.is_empty() { Err(BadFile::Empty) } else { Ok(read) }
}

/// The state of reading.
struct Reading {
    wants: Wants,
    /// The header row; `None` before the first row with content.
    head: Option<Head>,
    /// Whether decimals have a comma.
    decimal_commas: bool,
    entries: Vec<Entry>,
    rows: usize,
    cells: usize,
    text: usize,
}

impl Reading {
    fn of(wants: Wants) -> Self {
        Self { wants, head: None, decimal_commas: false, entries: Vec::new(), rows: 0, cells: 0, text: 0 }
    }

    fn take(&mut self, row: &Row) -> Result<(), BadFile> {
        self.rows += 1;
        self.cells += row.cells.len();
        self.text += row.cells.iter().map(String::len).sum::<usize>();
        if self.rows > MOST_ROWS || self.cells > MOST_CELLS || self.text > MOST_TEXT {
            return Err(BadFile::TooLarge);
        }
        if row.cells.iter().all(|cell| cell.trim().is_empty()) {
            return Ok(());
        }
        let first = self.head.is_none().then(|| head(&row.cells, self.wants));
        let decimal_commas = self.decimal_commas;
        let known = self.head.get_or_insert(Head { decimal_commas, ..first.flatten().unwrap_or_default() });
        if first.flatten().is_none() {
            self.entries.extend(of_row(row, self.wants, *known));
        }
        Ok(())
    }
}

fn text(bytes: &[u8], read: &mut Reading) -> Result<(), BadFile> {
    // The old workbook format.
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        return Err(BadFile::NotAWorkbook);
    }
    let text = decode(bytes).ok_or(BadFile::NotText)?;
    let separator = separator(&text);
    // One line of separators alone would be millions of cells.
    if text.bytes().filter(|byte| *byte == separator).count() > MOST_CELLS {
        return Err(BadFile::TooLarge);
    }
    read.decimal_commas = separator == b';';
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|_| BadFile::NotText)? {
        let line = record.position().map_or(0, |position| position.line() as usize);
        let filled = record.iter().zip(1..).filter(|(cell, _)| !cell.is_empty()).last().map_or(0, |(_, count)| count);
        if filled > MOST_COLUMNS {
            return Err(BadFile::TooLarge);
        }
        let cells = record.iter().take(filled).map(str::to_owned).collect();
        read.take(&Row { line, cells, calculated: false })?;
    }
    Ok(())
}

/// Returns the separator of the cells in the first line.
fn separator(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |separator: char| first.matches(separator).count();
    [b'\t', b';', b','].into_iter().max_by_key(|separator| count(char::from(*separator))).unwrap_or(b',')
}

/// Decodes the text of a file: by its byte order mark, as UTF-16 without one, as UTF-8, or else as GBK, which Excel
/// writes in China. `None` when none fits.
pub fn decode(bytes: &[u8]) -> Option<String> {
    let exact = |encoding: &'static encoding_rs::Encoding, bytes: &[u8]| {
        let (text, broken) = encoding.decode_without_bom_handling(bytes);
        (!broken && !text.contains('\0')).then(|| text.into_owned())
    };
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => return exact(encoding_rs::UTF_8, rest),
        [0xff, 0xfe, rest @ ..] => return exact(UTF_16LE, rest),
        [0xfe, 0xff, rest @ ..] => return exact(UTF_16BE, rest),
        _ => {}
    }
    // In UTF-16, every other byte of plain letters is zero.
    let zeros = |from: usize| bytes.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count() * 4 > bytes.len();
    if bytes.len() >= 4 && zeros(1) {
        return exact(UTF_16LE, bytes);
    }
    if bytes.len() >= 4 && zeros(0) {
        return exact(UTF_16BE, bytes);
    }
    exact(encoding_rs::UTF_8, bytes).or_else(|| exact(GBK, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "客户,流量(GB)\nali@x.com,5\n\"王, 五\",\"1,000\"\n";

    fn names(bytes: &[u8]) -> Vec<String> {
        entries(bytes, Wants::Amounts)
            .unwrap()
            .iter()
            .map(|entry| format!("{} {}", entry.name, entry.amount.unwrap().number.read(None).unwrap()))
            .collect()
    }

    #[test]
    fn a_file_is_read_in_whatever_encoding_a_spreadsheet_wrote_it() {
        let utf16 = |big: bool| {
            TEXT.encode_utf16()
                .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect::<Vec<u8>>()
        };
        let marked = |mark: &[u8], bytes: Vec<u8>| [mark, &bytes].concat();
        let files = [
            TEXT.as_bytes().to_vec(),
            marked(&[0xef, 0xbb, 0xbf], TEXT.as_bytes().to_vec()),
            marked(&[0xff, 0xfe], utf16(false)),
            marked(&[0xfe, 0xff], utf16(true)),
            utf16(false),
            GBK.encode(TEXT).0.into_owned(),
            TEXT.replace(',', "\t").replace("\"王\t 五\"", "王, 五").replace("\"1\t000\"", "1,000").into_bytes(),
        ];
        for (file, at) in files.iter().zip(1..) {
            assert_eq!(names(file), ["ali@x.com 5", "王, 五 1000"], "file {at}");
        }
    }

    #[test]
    fn a_text_file_holds_lines_as_people_write_them_or_a_table_with_tabs() {
        let read = |bytes: &[u8]| {
            let all = entries_of_text(bytes, Wants::Amounts);
            all.map(|all| all.iter().map(|one| (one.line, one.name.clone())).collect::<Vec<_>>())
        };
        let named = |all: &[(usize, &str)]| Ok(all.iter().map(|(line, name)| (*line, (*name).to_owned())).collect());
        assert_eq!(
            read(b"ali@x.com 5g, bob 512mb\n\nchen: 1g pls\n"),
            named(&[(1, "ali@x.com"), (1, "bob"), (3, "chen")])
        );
        assert_eq!(read(b"\xef\xbb\xbfali@x.com 5g"), named(&[(1, "ali@x.com")]));
        assert_eq!(read(&GBK.encode("王五 5g").0), named(&[(1, "王五")]));
        assert_eq!(read(b"E-mail\tGB\nali@x.com\t5\n"), named(&[(2, "ali@x.com")]));
        assert_eq!(read(b" \n"), Err(BadFile::Empty));
        assert_eq!(read("a@x.com 1g\n".repeat(MOST_ROWS + 1).as_bytes()), Err(BadFile::TooLarge));
        assert_eq!(read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff"), Err(BadFile::NotText));
    }

    #[test]
    fn what_is_no_table_is_said_to_be_none() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff"[..], BadFile::NotText),
            (b"PK\x03\x04 not a workbook", BadFile::NotAWorkbook),
            (&[0xd0, 0xcf, 0x11, 0xe0, 0xa1], BadFile::NotAWorkbook),
            (b"", BadFile::Empty),
            (b"\n\n , \n", BadFile::Empty),
            (b"customer,GB\n", BadFile::Empty),
        ] {
            assert_eq!(entries(bytes, Wants::Amounts).unwrap_err(), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_workbook_is_read_and_its_formulas_are_not_taken_for_values() {
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet();
        sheet.write_row(0, 0, ["E-mail", "Traffic GB"]).unwrap();
        sheet.write(1, 0, "ali@x.com").unwrap();
        sheet.write(1, 1, 0.1).unwrap();
        sheet.write(2, 0, "bob@x.com").unwrap();
        sheet.write_formula(2, 1, rust_xlsxwriter::Formula::new("B2*2").set_result("0.2")).unwrap();
        sheet.write(4, 0, "chen@x.com").unwrap();
        sheet.write(4, 1, 1000).unwrap();
        let read = entries(&book.save_to_buffer().unwrap(), Wants::Amounts).unwrap();
        let lines: Vec<(usize, &str)> = read.iter().map(|entry| (entry.line, entry.name.as_str())).collect();
        assert_eq!((lines[0], lines[2]), ((2, "ali@x.com"), (5, "chen@x.com")));
        assert_eq!(read[0].amount.unwrap().number.read(None).unwrap().to_string(), "0.1");
        assert_eq!(read[2].amount.unwrap().unit, Some(crate::lines::Unit::Gb));
        assert!(read[1].unclear.is_some(), "{:?}", read[1]);
    }

    #[test]
    fn a_cell_far_away_is_refused_before_anything_is_allocated_for_it() {
        for (row, column) in [(1_048_575, 16_383), (1_048_575, 0), (1, 16_383), (1_048_575, 25)] {
            let mut book = rust_xlsxwriter::Workbook::new();
            let sheet = book.add_worksheet();
            sheet.write(0, 0, "ali@x.com").unwrap();
            sheet.write(row, column, 5).unwrap();
            let read = entries(&book.save_to_buffer().unwrap(), Wants::Amounts);
            assert_eq!(read, Err(BadFile::TooLarge), "row {row}, column {column}");
        }
    }

    #[test]
    fn text_of_too_much_is_refused_before_it_is_taken_apart() {
        let cases = [
            ("bytes", vec![b'a'; MOST_BYTES + 1]),
            ("rows", "a@x.com\n".repeat(MOST_ROWS + 1).into_bytes()),
            ("columns", ["a@x.com", &",".repeat(MOST_COLUMNS), "5"].concat().into_bytes()),
            ("one line of separators", vec![b','; MOST_BYTES]),
            ("cells", format!("{}5\n", ",".repeat(200)).repeat(MOST_CELLS / 200).into_bytes()),
        ];
        for (what, bytes) in cases {
            assert_eq!(entries(&bytes, Wants::Amounts), Err(BadFile::TooLarge), "{what}");
        }
        let blank = ["a@x.com,5", &",".repeat(MOST_COLUMNS)].concat();
        assert_eq!(entries(blank.as_bytes(), Wants::Amounts).unwrap().len(), 1, "empty cells behind are none");
    }

    #[test]
    fn the_window_names_the_limits_as_they_are() {
        for words in [
            include_str!("../../../../ui/src/lib/i18n/en.json"),
            include_str!("../../../../ui/src/lib/i18n/zh-CN.json"),
        ] {
            let said = words.lines().find(|line| line.contains("\"bulk-file-too-large\"")).unwrap();
            let limits = ["200,000", "256", "2,000,000", "16 MB"];
            assert!(limits.iter().all(|limit| said.contains(limit)), "{said}");
        }
        assert_eq!((MOST_ROWS, MOST_COLUMNS, MOST_CELLS, MOST_BYTES), (200_000, 256, 2_000_000, 16 * 1024 * 1024));
    }
}
