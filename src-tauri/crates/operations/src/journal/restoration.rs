//! The table `restoration`: what was done about damage. Each row is shown until a person has read it.

use database::stamp;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::journal::{Journal, JournalError};
use crate::words::anchor::Anchor;

/// One restoration of a damaged journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Restoration {
    /// When it was made, wall clock, ms since 1970.
    pub at: i64,
    /// Where the damaged files are; `None` if no file was damaged: only sends were missing, or may be.
    pub aside: Option<String>,
    /// When the backup that took their place was made, wall clock, ms since 1970; `None` if there was none.
    pub backup: Option<i64>,
    /// Number of sends that came back as unknown.
    pub sends: usize,
    /// Whether every send is known. If not, some may be missing, and whatever was not sent, or was refused for its
    /// credentials, counts as sent.
    pub complete: bool,
    /// A send that the keychain knew and the journal did not: the journal was put back to an earlier state.
    #[serde(default)]
    pub anchor: Option<String>,
}

impl Restoration {
    fn digest(&self) -> String {
        let anchor = self.anchor.as_ref().map_or_else(String::new, |anchor| format!(" {anchor}"));
        let Self { at, aside, backup, sends, complete, .. } = self;
        stamp::digest(&format!("{at} {aside:?} {backup:?} {sends} {complete}{anchor}"))
    }
}

/// Reads and writes the table.
pub(crate) struct RestorationTable<'a>(pub(super) &'a Journal);

impl RestorationTable<'_> {
    /// The restorations that no person has read yet, oldest first.
    ///
    /// # Errors
    /// [`JournalError`] when the journal cannot be read or a restoration is not as it was written.
    pub(crate) fn unread(&self) -> Result<Vec<Restoration>, JournalError> {
        let all = self.all()?.into_iter();
        Ok(all.filter(|(_, is_seen)| !is_seen).map(|(restoration, _)| restoration).collect())
    }

    /// All restorations, each with whether a person has read it.
    ///
    /// # Errors
    /// [`JournalError`] when the journal cannot be read; [`JournalError::Damaged`] when a restoration is not as it was
    /// written.
    pub(crate) fn all(&self) -> Result<Vec<(Restoration, bool)>, JournalError> {
        let query = "SELECT at, aside, backup, sends, complete, digest, seen, anchor FROM restoration ORDER BY rowid";
        let mut query = self.0.db.prepare(query)?;
        let mut rows = query.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let restoration = Restoration {
                at: row.get(0)?,
                aside: row.get(1)?,
                backup: row.get(2)?,
                sends: row.get::<_, i64>(3)? as usize,
                complete: row.get(4)?,
                anchor: row.get(7)?,
            };
            if restoration.digest() != row.get::<_, String>(5)? {
                return Err(JournalError::Damaged);
            }
            all.push((restoration, row.get(6)?));
        }
        Ok(all)
    }

    /// Marks all as read by a person.
    ///
    /// # Errors
    /// [`JournalError`] when the journal cannot be written.
    pub(crate) fn mark_seen(&self) -> Result<(), JournalError> {
        self.0.db.execute("UPDATE restoration SET seen = 1", [])?;
        Ok(())
    }

    /// Whether a send that is not in the journal is accounted for: it came back from the record of sends under another
    /// event, or it was reported to a person.
    pub(crate) fn knows(&self, anchor: &Anchor) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM restoration WHERE anchor = ?1)";
        let was_told: bool = self.0.db.query_row(query, params![anchor.text()], |row| row.get(0))?;
        Ok(was_told || self.0.records_have(anchor)?)
    }
}

pub(super) fn insert(db: &Connection, restoration: &Restoration) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO restoration (at, aside, backup, sends, complete, digest, anchor) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![restoration.at, restoration.aside, restoration.backup, restoration.sends as i64, restoration.complete, restoration.digest(), restoration.anchor],
    )
    .map(drop)
}
