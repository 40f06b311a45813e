//! Tables as they are shown, saved for a spreadsheet.

use std::io::Cursor;

use export::{Cell, Table, TableKind};
use serde::Deserialize;
use ts_rs::TS;

use crate::Till;
use crate::downloads;
use crate::error::CommandError;
use crate::saved_files::SavedKind;

/// One column of a table.
#[derive(Debug, Deserialize, TS)]
pub struct TableColumn {
    /// The name, as shown.
    pub label: String,
    /// Whether its cells are plain decimals.
    pub number: bool,
}

/// A table as it is shown.
#[derive(Debug, Deserialize, TS)]
pub struct TableRequest {
    /// The name of the file, without its ending.
    pub name: String,
    /// The kind of file.
    pub kind: TableKind,
    /// The columns, from left to right.
    pub columns: Vec<TableColumn>,
    /// The cells, row by row from top to bottom.
    pub rows: Vec<Vec<String>>,
}

/// Saves a table. Returns the path of the file.
pub async fn export_table(till: &Till, asked: TableRequest) -> Result<String, CommandError> {
    let written = written(&asked).map_err(|error| CommandError::not_saved(&error))?;
    downloads::save(till, SavedKind::Table, &asked.name, asked.kind.ending(), &written)
}

fn written(asked: &TableRequest) -> Result<Vec<u8>, export::table::TableError> {
    let mut file = Cursor::new(Vec::new());
    let names: Vec<String> = asked.columns.iter().map(|column| column.label.clone()).collect();
    let mut table = Table::begin(asked.kind, &mut file, &names)?;
    for row in &asked.rows {
        let cell = |(column, text): (&TableColumn, &String)| {
            if column.number { Cell::Number(text.clone()) } else { Cell::Text(text.clone()) }
        };
        table.row(&asked.columns.iter().zip(row).map(cell).collect::<Vec<_>>())?;
    }
    table.end()?;
    Ok(file.into_inner())
}
