//! The table `wallet`: what a person typed about the wallet, whose balance no endpoint reads.

use database::stamp;
use serde::{Deserialize, Serialize};
use wire::Amount;

use crate::journal::{Journal, JournalError};
use crate::words::wallet::Typed;

/// One thing that was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) what: Typed,
    pub(crate) amount: Amount,
    /// The time it refers to, or the start of that period, wall clock, ms since 1970.
    pub(crate) at: i64,
    /// The end of that period, wall clock, ms since 1970; `None` if an earlier version wrote it.
    #[serde(default)]
    pub(crate) until: Option<i64>,
    /// When it was typed, wall clock, ms since 1970.
    pub(crate) typed: i64,
    /// The number of the newest event when it was typed; `None` if an earlier version wrote it.
    #[serde(default)]
    pub(crate) position: Option<i64>,
    /// Currency code; empty if none was known.
    pub(crate) currency: String,
    /// The account that it is about; `None` if none was open.
    pub(crate) fingerprint: Option<String>,
}

/// Reads and writes the table.
pub(crate) struct WalletTable<'a>(pub(super) &'a Journal);

impl WalletTable<'_> {
    /// Everything typed about the wallet, with its number, oldest first.
    pub(crate) fn all(&self) -> Result<Vec<(i64, Entry)>, JournalError> {
        let mut query = self.0.db.prepare_cached("SELECT number, body FROM wallet ORDER BY number")?;
        let mut rows = query.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let body: String = row.get(1)?;
            all.push((row.get(0)?, stamp::read(&body).map_err(|_| JournalError::Unreadable)?));
        }
        Ok(all)
    }

    pub(crate) fn add(&self, entry: &Entry) -> Result<(), JournalError> {
        let body = serde_json::to_string(entry).map_err(|_| JournalError::Unreadable)?;
        self.0.db.execute("INSERT INTO wallet (body) VALUES (?1)", [stamp::stamped(&body)])?;
        Ok(())
    }

    pub(crate) fn remove(&self, number: i64) -> Result<(), JournalError> {
        self.0.db.execute("DELETE FROM wallet WHERE number = ?1", [number])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_is_there_after_a_restart_and_damage_of_it_shows() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.db");
        let entry = Entry {
            what: Typed::Balance,
            amount: "1000.50".parse().unwrap(),
            at: 1,
            until: Some(2),
            typed: 3,
            position: Some(4),
            currency: "USD".into(),
            fingerprint: None,
        };
        Journal::open(&file).unwrap().wallet().add(&entry).unwrap();
        let journal = Journal::open(&file).unwrap();
        assert_eq!(journal.wallet().all().unwrap(), [(1, entry)]);
        journal.db.execute("UPDATE wallet SET body = replace(body, '1000.5', '9000.5')", []).unwrap();
        drop(journal);
        assert!(Journal::open(&file).is_err_and(|error| error.is_damage()));
    }

    #[test]
    fn what_an_earlier_version_typed_is_read() {
        let body = r#"{"what":"balance","amount":"5","at":1,"typed":2,"currency":"USD","fingerprint":null}"#;
        let entry: Entry = serde_json::from_str(body).unwrap();
        assert_eq!((entry.until, entry.position), (None, None));
    }
}
