//! Tables for spreadsheets: exactly what is shown, and no cell that a spreadsheet would calculate.

use std::io::Write;

use rust_xlsxwriter::{Format, Workbook, Worksheet};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum TableKind {
    /// UTF-8 with a byte order mark, formula-safe.
    Csv,
    /// A workbook of one sheet; numbers are numbers.
    Xlsx,
}

impl TableKind {
    /// File extension, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Text, never a formula.
    Text(String),
    /// A plain decimal, exact.
    Number(String),
}

/// The table cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Writing CSV failed.
    #[error("the table cannot be written: {0}")]
    Csv(#[from] csv::Error),
    /// Writing a workbook failed: a sheet holds 1,048,576 rows.
    #[error("the table cannot be written: {0}")]
    Xlsx(#[from] rust_xlsxwriter::XlsxError),
    /// Writing the file failed.
    #[error("the table cannot be written: {0}")]
    File(#[from] std::io::Error),
}

/// A table that is written row by row.
pub enum Table<W: Write> {
    /// CSV.
    Csv(Box<csv::Writer<W>>),
    /// A workbook; its rows stay outside memory until the end.
    Xlsx(Box<Sheet<W>>),
}

/// A workbook that is being written.
pub struct Sheet<W: Write> {
    book: Workbook,
    file: W,
    row: u32,
}

impl<W: Write + std::io::Seek + Send> Table<W> {
    /// Starts a table with the names of its columns.
    ///
    /// # Errors
    /// [`TableError`] when the file cannot be written.
    pub fn begin(kind: TableKind, mut file: W, columns: &[String]) -> Result<Self, TableError> {
        match kind {
            TableKind::Csv => {
                file.write_all(b"\xef\xbb\xbf")?;
                let mut writer = csv::WriterBuilder::new()
                    .terminator(csv::Terminator::CRLF)
                    .quote_style(csv::QuoteStyle::Never)
                    .from_writer(file);
                writer.write_record(columns.iter().map(|name| quoted(name)))?;
                Ok(Self::Csv(Box::new(writer)))
            }
            TableKind::Xlsx => {
                let mut book = Workbook::new();
                let sheet = book.add_worksheet_with_constant_memory();
                sheet.set_freeze_panes(1, 0)?;
                for (column, name) in columns.iter().enumerate() {
                    sheet.write_string_with_format(0, column as u16, name, &Format::new().set_bold())?;
                }
                Ok(Self::Xlsx(Box::new(Sheet { book, file, row: 1 })))
            }
        }
    }

    /// Writes one row.
    ///
    /// # Errors
    /// [`TableError`] when the file cannot be written or the sheet is full.
    pub fn row(&mut self, cells: &[Cell]) -> Result<(), TableError> {
        match self {
            Self::Csv(writer) => Ok(writer.write_record(cells.iter().map(|cell| match cell {
                Cell::Text(text) => quoted(text),
                Cell::Number(number) if is_plain(number) => number.clone(),
                Cell::Number(other) => quoted(other),
            }))?),
            Self::Xlsx(sheet) => {
                let row = sheet.row;
                let page = sheet.book.worksheet_from_index(0)?;
                for (column, cell) in cells.iter().enumerate() {
                    write_cell(page, row, column as u16, cell)?;
                }
                sheet.row += 1;
                Ok(())
            }
        }
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// [`TableError`] when the file cannot be written.
    pub fn end(self) -> Result<(), TableError> {
        match self {
            Self::Csv(mut writer) => Ok(writer.flush()?),
            Self::Xlsx(mut sheet) => Ok(sheet.book.save_to_writer(&mut sheet.file)?),
        }
    }
}

fn write_cell(page: &mut Worksheet, row: u32, column: u16, cell: &Cell) -> Result<(), TableError> {
    match cell {
        Cell::Number(number) => match exact(number) {
            Some(value) => page.write_number(row, column, value)?,
            None => page.write_string(row, column, number)?,
        },
        // Text in a workbook is never calculated, whatever it begins with.
        Cell::Text(text) => page.write_string(row, column, text)?,
    };
    Ok(())
}

fn is_plain(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// A workbook holds binary floats: only a number that keeps every digit is written as one.
fn exact(number: &str) -> Option<f64> {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    number.parse().ok().filter(|value: &f64| digits <= 15 && value.is_finite())
}

/// Quotes a text. A long order number then stays text where an importer asks for that, and an importer that splits at
/// another separator finds no bare formula after it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", harmless(text).replace('"', "\"\""))
}

/// Defuses formulas: a spreadsheet calculates a cell that begins with one of these signs, and a leading apostrophe
/// makes it text. A file may be split at another separator than its own, as Excel does in half of Europe, so a cell
/// may begin after any of them.
fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 1);
    if text.starts_with(['\t', '\r', '\n']) {
        safe.push('\'');
    }
    let mut begins = true;
    for sign in text.chars() {
        if begins && matches!(sign, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠') {
            safe.push('\'');
        }
        safe.push(sign);
        let is_blank = sign.is_whitespace() || matches!(sign, '"' | '\u{feff}' | '\u{200b}');
        begins = matches!(sign, ',' | ';') || (begins || matches!(sign, '\t' | '\r' | '\n')) && is_blank;
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::{Data, Reader, Xlsx};
    use std::io::Cursor;

    fn written(kind: TableKind, rows: &[Vec<Cell>]) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        let mut table = Table::begin(kind, &mut file, &["Name".into(), "MB".into()]).unwrap();
        for row in rows {
            table.row(row).unwrap();
        }
        table.end().unwrap();
        file.into_inner()
    }

    fn rows() -> Vec<Vec<Cell>> {
        let row = |name: &str, mb: &str| vec![Cell::Text(name.into()), Cell::Number(mb.into())];
        vec![
            row("ali, \"b\"", "596.9"),
            row("=HYPERLINK(\"http://x\")", "-512"),
            row("客户;=1", "12345678901234567.891"),
            row(" +1", "0"),
        ]
    }

    #[test]
    fn a_csv_opens_as_utf8_and_calculates_nothing() {
        let text = String::from_utf8(written(TableKind::Csv, &rows())).unwrap();
        assert_eq!(
            text,
            "\u{feff}\"Name\",\"MB\"\r\n\"ali, \"\"b\"\"\",596.9\r\n\"'=HYPERLINK(\"\"http://x\"\")\",-512\r\n\"客户;'=1\",12345678901234567.891\r\n\" '+1\",0\r\n"
        );
    }

    #[test]
    fn a_workbook_opened_again_holds_the_same_with_numbers_as_numbers() {
        let mut book: Xlsx<_> =
            calamine::open_workbook_from_rs(Cursor::new(written(TableKind::Xlsx, &rows()))).unwrap();
        let sheet = book.worksheet_range_at(0).unwrap().unwrap();
        let cells: Vec<Vec<Data>> = sheet.rows().map(<[Data]>::to_vec).collect();
        let text = |text: &str| Data::String(text.into());
        assert_eq!(cells[1], [text("ali, \"b\""), Data::Float(596.9)]);
        assert_eq!(cells[2], [text("=HYPERLINK(\"http://x\")"), Data::Float(-512.0)]);
        assert_eq!(cells[3], [text("客户;=1"), text("12345678901234567.891")], "no digit is lost");
    }
}
