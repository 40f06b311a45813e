//! Many writes of one kind, as a preview shows them and a person confirms them at once.

use database::stamp::hex;
use sha2::{Digest, Sha256};

use crate::words::bulk::Retried;
use crate::words::state::Kind;
use crate::writes::intent::Intent;

/// One row as the preview showed it.
#[derive(Clone, Debug)]
pub struct PlannedRow {
    /// Whom it is about, as it is shown.
    pub name: String,
    /// What is to be done, or why it is not.
    pub todo: Result<Intent, String>,
    /// The row that certainly came to nothing, which this one does again.
    pub retries: Option<Retried>,
}

/// What a person confirms at once.
#[derive(Clone, Debug)]
pub struct BulkPlan {
    /// What every row does.
    pub kind: Kind,
    /// The rows, skipped ones among them.
    pub rows: Vec<PlannedRow>,
}

impl BulkPlan {
    /// Over everything that is sent: two plans of one hash do the same.
    ///
    /// # Errors
    /// Never, for what this program makes.
    pub(crate) fn hash(&self) -> serde_json::Result<String> {
        let mut hash = Sha256::new();
        for row in &self.rows {
            hash.update(stored(&row.todo)?);
            hash.update("\n");
        }
        Ok(hex(&hash.finalize()))
    }
}

/// A row as it is stored and hashed; empty when there is nothing to do.
pub(crate) fn stored(todo: &Result<Intent, String>) -> serde_json::Result<String> {
    match todo {
        Ok(intent) => serde_json::to_string(intent),
        Err(_) => Ok(String::new()),
    }
}
