//! Files as spreadsheets leave them: CSV in any of the usual encodings, and XLSX.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use encoding_rs::{GBK, UTF_16BE, UTF_16LE};

use crate::cells::{Head, head, of_cells};
use crate::lines::{Entry, Wants};

/// Rows that are read at most.
pub const MOST_ROWS: usize = 200_000;

/// Why a file can not be read. Nothing of it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadFile {
    /// Neither text nor a workbook.
    #[error("not text")]
    NotText,
    /// A workbook of the old kind, or a broken one.
    #[error("not a workbook of this kind")]
    NotAWorkbook,
    /// Nothing in it.
    #[error("empty")]
    Empty,
    /// More than [`MOST_ROWS`] rows.
    #[error("too many rows")]
    TooLong,
}

/// Reads a file's entries.
///
/// # Errors
/// [`BadFile`].
pub fn entries(bytes: &[u8], wants: Wants) -> Result<Vec<Entry>, BadFile> {
    let (rows, decimal_commas) =
        if bytes.starts_with(b"PK\x03\x04") { (workbook(bytes)?, false) } else { text(bytes)? };
    if rows.len() > MOST_ROWS {
        return Err(BadFile::TooLong);
    }
    let named = rows.iter().find(|(_, cells)| cells.iter().any(|cell| !cell.trim().is_empty()));
    let (begins, head) = match named.and_then(|(line, cells)| head(cells, wants).map(|head| (*line, head))) {
        Some((line, head)) => (line + 1, head),
        None => (0, Head::default()),
    };
    let head = Head { decimal_commas, ..head };
    let rows = rows.iter().filter(|(line, _)| *line >= begins);
    let entries: Vec<Entry> = rows.filter_map(|(line, cells)| of_cells(cells, *line, wants, head)).collect();
    if entries.is_empty() { Err(BadFile::Empty) } else { Ok(entries) }
}

type Rows = Vec<(usize, Vec<String>)>;

/// Rows, and whether a comma separates decimals there.
fn text(bytes: &[u8]) -> Result<(Rows, bool), BadFile> {
    // The old kind of workbook.
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        return Err(BadFile::NotAWorkbook);
    }
    let text = decode(bytes).ok_or(BadFile::NotText)?;
    let separator = separator(&text);
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|_| BadFile::NotText)?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        rows.push((line, record.iter().map(str::to_owned).collect()));
    }
    Ok((rows, separator == b';'))
}

/// What the first line separates its cells by.
fn separator(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |separator: char| first.matches(separator).count();
    [b'\t', b';', b','].into_iter().max_by_key(|separator| count(char::from(*separator))).unwrap_or(b',')
}

/// Text of a file: by its mark, as UTF-16 without one, as UTF-8, else as GBK, which Excel writes in China.
/// `None`: none of these.
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
    // Every other byte of plain letters is zero in UTF-16.
    let zeros = |from: usize| bytes.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count() * 4 > bytes.len();
    if bytes.len() >= 4 && zeros(1) {
        return exact(UTF_16LE, bytes);
    }
    if bytes.len() >= 4 && zeros(0) {
        return exact(UTF_16BE, bytes);
    }
    exact(encoding_rs::UTF_8, bytes).or_else(|| exact(GBK, bytes))
}

/// The first sheet. A cell that was calculated is told as its formula: it is not taken for a value.
fn workbook(bytes: &[u8]) -> Result<Rows, BadFile> {
    let bad = |_| BadFile::NotAWorkbook;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(bad)?;
    let name = book.sheet_names().first().cloned().ok_or(BadFile::Empty)?;
    let sheet = book.worksheet_range(&name).map_err(bad)?;
    let formulas = book.worksheet_formula(&name).map_err(bad)?;
    let (first_row, first_column) = sheet.start().unwrap_or_default();
    let mut rows = Vec::new();
    for (cells, row) in sheet.rows().zip(first_row..) {
        let cell = |(data, column): (&Data, u32)| {
            let formula = formulas.get_value((row, column)).filter(|formula| !formula.is_empty());
            match (formula, data) {
                (Some(formula), _) => format!("={formula}"),
                (None, Data::Float(number)) => plain(*number),
                (None, data) => data.to_string(),
            }
        };
        rows.push((row as usize + 1, cells.iter().zip(first_column..).map(cell).collect()));
    }
    Ok(rows)
}

/// A workbook's number as a person sees it: fifteen digits, without the tail of the binary fraction.
fn plain(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return format!("{number:.0}");
    }
    let text = format!("{number:.10}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "客户,流量(GB)\nali@x.com,5\n\"王, 五\",\"1,000\"\n";

    fn names(bytes: &[u8]) -> Vec<String> {
        entries(bytes, Wants::Amounts)
            .unwrap()
            .iter()
            .map(|entry| format!("{} {}", entry.name, entry.amount.unwrap().number))
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
        assert_eq!(read[0].amount.unwrap().number.to_string(), "0.1");
        assert_eq!(read[2].amount.unwrap().unit, Some(crate::lines::Unit::Gb));
        assert!(read[1].unclear.is_some(), "{:?}", read[1]);
    }
}
