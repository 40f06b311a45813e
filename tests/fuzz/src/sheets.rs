//! Workbooks that no spreadsheet would write: distant cells, wrong counts, endless texts.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::write::{SimpleFileOptions, ZipWriter};

const WORKBOOK: &str = r#"<workbook><sheets><sheet name="1" r:id="a"/></sheets></workbook>"#;
const RELATIONS: &str = r#"<Relationships><Relationship Id="a" Type="x/worksheet" Target="sheet.xml"/><Relationship Id="b" Type="x/sharedStrings" Target="strings.xml"/></Relationships>"#;
const COLUMNS: [&str; 8] = ["A", "B", "C", "Z", "IV", "IW", "XFD", "ZZZZZZZZZZZZZZZ"];
const LINES: [u64; 8] = [1, 2, 3, 200_000, 200_001, 1_048_576, 99_999_999, u64::MAX];
const KINDS: [&str; 8] = ["", "n", "s", "str", "inlineStr", "b", "e", "d"];
const VALUES: [&str; 8] = ["ali@x.com", "5", "0", "1", "-1", "4294967296", "1e308", "&amp;&#x0;"];
const FORMULAS: [&str; 4] = [
    "",
    "<f>A1*2</f>",
    r#"<f t="shared" si="99999999999">A1</f>"#,
    r#"<f t="shared" si="0" ref="A1048576:XFD1">A1</f>"#,
];

/// Builds a workbook: two bytes per cell, the rest is the raw sheet.
pub fn workbook(recipe: &[u8]) -> Vec<u8> {
    let (cells, rest) = recipe.split_at(recipe.len().min(32));
    let mut sheet = String::from("<worksheet><sheetData>");
    for (cell, at) in cells.chunks_exact(2).zip(0..) {
        let pick = |from: u8| usize::from(from & 7);
        let (column, kind) = (COLUMNS[pick(cell[0])], KINDS[pick(cell[0] >> 3)]);
        let (line, value) = (LINES[pick(cell[1])].saturating_add(at), VALUES[pick(cell[1] >> 3)]);
        let formula = FORMULAS[usize::from(cell[1] >> 6)];
        let written = if kind == "inlineStr" { format!("<is><t>{value}</t></is>") } else { format!("<v>{value}</v>") };
        let _ = write!(sheet, r#"<row r="{line}"><c r="{column}{line}" t="{kind}">{formula}{written}</c></row>"#);
    }
    sheet.push_str(&String::from_utf8_lossy(rest));
    sheet.push_str("</sheetData></worksheet>");
    written(sheet.as_bytes(), b"<sst><si><t>ali@x.com</t></si></sst>")
}

/// A workbook of one sheet.
pub fn written(sheet: &[u8], strings: &[u8]) -> Vec<u8> {
    let parts = [
        ("xl/workbook.xml", WORKBOOK.as_bytes()),
        ("xl/_rels/workbook.xml.rels", RELATIONS.as_bytes()),
        ("xl/sheet.xml", sheet),
        ("xl/strings.xml", strings),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        // A bomb is small only when compressed.
        let method = if bytes.len() > 4096 { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
        zip.start_file(name, SimpleFileOptions::default().compression_method(method)).expect("a part");
        zip.write_all(bytes).expect("a part");
    }
    zip.finish().expect("a workbook").into_inner()
}
