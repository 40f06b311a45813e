//! Many writes of one kind, shown in one preview and confirmed together.

use sha2::{Digest, Sha256};

use crate::words::bulk::Retried;
use crate::words::left_out::LeftOut;
use crate::words::state::Kind;
use crate::writes::intent::Intent;

/// One row as the preview showed it.
#[derive(Clone, Debug)]
pub struct PlannedRow {
    /// The customer it is about, as shown.
    pub name: String,
    /// The intent, or why the row is left out.
    pub todo: Result<Intent, LeftOut>,
    /// The earlier row that this one does again; it certainly had no effect.
    pub retries: Option<Retried>,
}

/// A bulk as a person confirms it.
#[derive(Clone, Debug)]
pub struct BulkPlan {
    /// The kind of all rows.
    pub kind: Kind,
    /// The rows, including skipped ones.
    pub rows: Vec<PlannedRow>,
}

impl BulkPlan {
    /// The hash over everything that is sent: two plans with the same hash do the same.
    ///
    /// # Errors
    /// When an intent cannot be written as JSON, which does not happen for those this program makes.
    pub(crate) fn hash(&self) -> serde_json::Result<String> {
        let mut hash = Sha256::new();
        for row in &self.rows {
            hash.update(stored(&row.todo)?);
            hash.update("\n");
        }
        Ok(hex::encode(hash.finalize()))
    }
}

/// A row as it is stored and hashed; empty when it is skipped.
pub(crate) fn stored(todo: &Result<Intent, LeftOut>) -> serde_json::Result<String> {
    match todo {
        Ok(intent) => serde_json::to_string(intent),
        Err(_) => Ok(String::new()),
    }
}
