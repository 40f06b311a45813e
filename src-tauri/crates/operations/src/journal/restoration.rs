//! The table `restoration`: what a person is told of it, until somebody has read it.

use database::stamp;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::journal::{Journal, JournalError};
use crate::words::anchor::Anchor;

/// What was done about a damaged journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Restoration {
    /// Wall clock, ms since 1970.
    pub at: i64,
    /// Where the damaged files are; `None` when the end of the journal was missing, and nothing else.
    pub aside: Option<String>,
    /// When the backup was made that took their place, ms since 1970; `None`: there was none.
    pub backup: Option<i64>,
    /// So many sends came back as unknown.
    pub sends: usize,
    /// Every send is known. `false`: some may be missing, and what was not sent counts as sent.
    pub complete: bool,
    /// The send that the keychain knew and the journal did not: the journal was put back to an earlier state.
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

impl Journal {
    /// What was done about damage, and nobody has read yet; oldest first.
    ///
    /// # Errors
    /// [`JournalError`].
    pub(crate) fn restorations(&self) -> Result<Vec<Restoration>, JournalError> {
        let all = self.all_restorations()?.into_iter();
        Ok(all.filter(|(_, is_seen)| !is_seen).map(|(told, _)| told).collect())
    }

    /// Every one, and whether somebody has read it.
    ///
    /// # Errors
    /// [`JournalError`]; one that is not as it was written is damage.
    pub(crate) fn all_restorations(&self) -> Result<Vec<(Restoration, bool)>, JournalError> {
        let query = "SELECT at, aside, backup, sends, complete, digest, seen, anchor FROM restoration ORDER BY rowid";
        let mut query = self.db.prepare(query)?;
        let mut rows = query.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let told = Restoration {
                at: row.get(0)?,
                aside: row.get(1)?,
                backup: row.get(2)?,
                sends: row.get::<_, i64>(3)? as usize,
                complete: row.get(4)?,
                anchor: row.get(7)?,
            };
            if told.digest() != row.get::<_, String>(5)? {
                return Err(JournalError::Damaged);
            }
            all.push((told, row.get(6)?));
        }
        Ok(all)
    }

    /// Somebody has read them.
    ///
    /// # Errors
    /// [`JournalError`].
    pub(crate) fn restorations_seen(&mut self) -> Result<(), JournalError> {
        self.db.execute("UPDATE restoration SET seen = 1", [])?;
        Ok(())
    }

    /// Whether a send that is not in the journal is accounted for: it came back from the record under another event,
    /// or a person was told.
    pub(crate) fn knows(&self, anchor: &Anchor) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM restoration WHERE anchor = ?1)";
        let was_told: bool = self.db.query_row(query, params![anchor.text()], |row| row.get(0))?;
        Ok(was_told || self.records_have(anchor)?)
    }
}

pub(super) fn insert(db: &Connection, told: &Restoration) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO restoration (at, aside, backup, sends, complete, digest, anchor) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![told.at, told.aside, told.backup, told.sends as i64, told.complete, told.digest(), told.anchor],
    )
    .map(drop)
}
