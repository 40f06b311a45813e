//! The result of a bulk as a file, with credentials if a person agrees.

use std::collections::HashMap;
use std::io::Cursor;

use export::{Cell, Table, TableKind};
use operations::{BulkId, BulkRowView, RowsWanted};
use secrecy::ExposeSecret;
use serde::Deserialize;
use ts_rs::TS;

use crate::Till;
use crate::downloads;
use crate::error::CommandError;
use crate::saved_files::SavedKind;
use crate::session::Session;

/// A result file to save.
#[derive(Debug, Deserialize, TS)]
pub struct BulkExport {
    /// The bulk.
    pub id: BulkId,
    /// The kind of file.
    pub kind: TableKind,
    /// The names of the columns: number, customer, GB, state, reason; then token and password if credentials are
    /// included.
    pub columns: Vec<String>,
    /// The words for states, in the language of the page.
    pub states: HashMap<String, String>,
    /// The words for reasons, some of which have the same word as a state.
    pub reasons: HashMap<String, String>,
    /// Whether to include credentials: tokens and passwords of created customers, and passwords that were set. A system
    /// dialog warns first.
    pub credentials: bool,
}

/// Saves every row with its result. Returns the path of the file.
pub async fn export_bulk(till: &Till, asked: BulkExport) -> Result<String, CommandError> {
    let session = till.session().await?;
    let rows = session.operations.bulks().rows(&asked.id, RowsWanted::default(), 0, usize::MAX >> 1)?;
    if asked.credentials && !may_export(till, rows.len()).await {
        return Err(CommandError::declined());
    }
    let failed = |error: export::table::TableError| CommandError::not_saved(&error);
    let mut bytes = Cursor::new(Vec::new());
    let mut table = Table::begin(asked.kind, &mut bytes, &asked.columns).map_err(failed)?;
    for row in rows {
        let gb = row.gb.map(|gb| Cell::Number(gb.to_string())).unwrap_or_else(|| Cell::Text(String::new()));
        let state = translated(&asked.states, row.state.word());
        let reason = row.reason.map(|reason| translated(&asked.reasons, reason.word())).unwrap_or_default();
        let mut cells = vec![
            Cell::Number(row.number.to_string()),
            Cell::Text(row.name.clone()),
            gb,
            Cell::Text(state),
            Cell::Text(reason),
        ];
        if asked.credentials {
            let (token, password) = credentials(&session, &row).await?;
            cells.extend([Cell::Text(token), Cell::Text(password)]);
        }
        table.row(&cells).map_err(failed)?;
    }
    table.end().map_err(failed)?;
    let name = if asked.credentials { "proxytill-credentials" } else { "proxytill-bulk" };
    downloads::save(till, SavedKind::Bulk, name, asked.kind.ending(), &bytes.into_inner())
}

fn translated(words: &HashMap<String, String>, word: &str) -> String {
    words.get(word).map_or(word, String::as_str).to_owned()
}

/// Asks a person: secrets in plain text are a person's decision.
async fn may_export(till: &Till, rows: usize) -> bool {
    let words = till.words();
    let text = words.with("credentials-question", &[("rows", &rows.to_string())]);
    till.ask("credentials-title", text, words.get("credentials-button")).await
}

async fn credentials(session: &Session, row: &BulkRowView) -> Result<(String, String), CommandError> {
    let Some(operation) = &row.operation else { return Ok(Default::default()) };
    let Some(customer) = session.operations.get(operation)?.customer_id else { return Ok(Default::default()) };
    let (token, password) = crate::customers::secrets(session, &customer).await?;
    let shown = |secret: Option<secrecy::SecretString>| {
        secret.map(|secret| secret.expose_secret().to_owned()).unwrap_or_default()
    };
    Ok((shown(token), shown(password)))
}
