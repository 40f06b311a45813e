//! T16: tables as a spreadsheet reads them. LibreOffice opens each, and saves what it understood.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use calamine::{Data, Reader, Xlsx};
use dice::Dice;
use export::table::{Cell, Table, TableKind};
use tests::number;

/// Cells per test run; `cargo xtask prove` writes more.
const CELLS: u64 = 10_000;
const TEXTS: usize = 4;

const BEGINNINGS: [&str; 22] = [
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "＝",
    "＋",
    "－",
    "＠",
    "'",
    "\"",
    " =",
    "\u{feff}=",
    "\u{200b}=",
    "\u{a0}=",
    ";=",
    ",=",
    "\t=",
    "|",
    "",
];
const REST: [&str; 17] = [
    "1+1",
    "cmd|' /C calc'!A0",
    "HYPERLINK(\"http://x.example\")",
    "SUM(1;2)",
    "1",
    "中文",
    "\",=1+1,\"",
    "\n=1+1",
    "\t=1+1",
    ";=1+1",
    "12345678901234567890",
    "1e5",
    "2024-01-01",
    "TRUE",
    "<b>x</b>",
    "a,b;c\td",
    "1+1;=2",
];

fn cells(seed: u64, rows: usize) -> Vec<Vec<Cell>> {
    let mut dice = Dice::of(seed);
    let mut any = |all: &[&str]| all[dice.roll(all.len() as u64) as usize].to_owned();
    let mut rows: Vec<Vec<Cell>> = (0..rows)
        .map(|_| (0..TEXTS).map(|_| Cell::Text(any(&BEGINNINGS) + &any(&REST) + &any(&REST))).collect())
        .collect();
    let mut dice = Dice::of(seed + 1);
    for row in &mut rows {
        let sign = if dice.roll(2) == 0 { "-" } else { "" };
        row.push(Cell::Number(format!("{sign}{}.{:02}", dice.roll(1_000_000), dice.roll(100))));
    }
    rows
}

fn write(kind: TableKind, file: &Path, rows: &[Vec<Cell>]) {
    let names: Vec<String> = (0..=TEXTS).map(|column| format!("=column {column}")).collect();
    let mut table = Table::begin(kind, File::create(file).expect("a file"), &names).expect("a table");
    for row in rows {
        table.row(row).expect("a row");
    }
    table.end().expect("a table");
}

/// Opens a file with LibreOffice and returns the result as a workbook. `separator` is for CSV files.
fn opened(file: &Path, separator: Option<char>) -> Xlsx<std::io::BufReader<File>> {
    let folder = file.parent().expect("a folder");
    let out = folder.join("read");
    let mut office = Command::new("soffice");
    office.arg(format!("-env:UserInstallation=file://{}", folder.join("office").display())).arg("--headless");
    if let Some(separator) = separator {
        // UTF-8, from the first line, with quoted fields as text.
        office.arg(format!("--infilter=CSV:{},34,76,1,,0,true,true,false", u32::from(separator)));
    }
    office.args(["--convert-to", "xlsx", "--outdir"]).arg(&out).arg(file);
    let said = office.output().expect("LibreOffice");
    let read: PathBuf = out.join(file.with_extension("xlsx").file_name().expect("a name"));
    calamine::open_workbook(&read).unwrap_or_else(|error| {
        panic!("{error}: {}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr))
    })
}

fn formulas(book: &mut Xlsx<std::io::BufReader<File>>) -> Vec<String> {
    let formulas = book.worksheet_formula(&book.sheet_names()[0]).expect("a sheet");
    formulas.used_cells().map(|(_, _, formula)| formula.clone()).filter(|formula| !formula.is_empty()).collect()
}

/// Line ends are the same in a workbook and a spreadsheet.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

#[test]
fn a_spreadsheet_calculates_nothing_and_reads_every_text_and_every_number_as_it_was() {
    let (all, seed) = (number("PROXYTILL_CELLS", CELLS), number("PROXYTILL_SEED", 0));
    let rows = cells(seed, all as usize / (TEXTS + 1));
    let folder = tempfile::tempdir().expect("a folder");
    for (kind, separator) in [
        (TableKind::Xlsx, None),
        (TableKind::Csv, Some(',')),
        (TableKind::Csv, Some(';')),
        (TableKind::Csv, Some('\t')),
    ] {
        let file = folder.path().join(format!("table.{}", kind.ending()));
        write(kind, &file, &rows);
        let mut book = opened(&file, separator);
        let calculated = formulas(&mut book);
        assert!(calculated.is_empty(), "seed {seed}: {kind:?} {separator:?} calculates {calculated:?}");
        if !matches!(separator, None | Some(',')) {
            // With the wrong separator it is not a table any more, but nothing is calculated either.
            continue;
        }
        let read = book.worksheet_range(&book.sheet_names()[0]).expect("a sheet");
        assert_eq!(read.height(), rows.len() + 1, "seed {seed}: {kind:?}");
        for (expected, found) in rows.iter().zip(read.rows().skip(1)) {
            for (expected, found) in expected.iter().zip(found) {
                match (expected, found) {
                    (Cell::Text(text), Data::String(found)) => {
                        let same = match kind {
                            TableKind::Xlsx => lines(found) == lines(text),
                            // An apostrophe precedes anything that could be calculated.
                            TableKind::Csv => lines(found).replace('\'', "") == lines(text).replace('\'', ""),
                        };
                        assert!(same, "seed {seed}: {kind:?}: {text:?} became {found:?}");
                    }
                    (Cell::Number(number), Data::Float(found)) => {
                        assert_eq!(number.parse::<f64>().expect("a number"), *found, "seed {seed}: {kind:?}");
                    }
                    (expected, found) => panic!("seed {seed}: {kind:?}: {expected:?} became {found:?}"),
                }
            }
        }
    }
    println!("{all} cells from seed {seed}");
}
