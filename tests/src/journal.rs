//! A journal that is written by somebody else: refused, ignored, spoilt.

use rusqlite::Connection;

use crate::order::Buyer;

impl Buyer {
    /// The journal, beside the program.
    pub fn journal_beside(&self) -> Connection {
        Connection::open(self.journal()).expect("SQLite")
    }

    /// Every update of a table that fits a condition fails, as on a full disk, until [`Self::mend`].
    pub fn refuse(&self, table: &str, when: &str) {
        self.meddle(table, when, "FAIL, 'the disk is full'");
    }

    /// Every update of a table that fits a condition changes nothing, as if another one had been quicker, until
    /// [`Self::mend`].
    pub fn ignore(&self, table: &str, when: &str) {
        self.meddle(table, when, "IGNORE");
    }

    fn meddle(&self, table: &str, when: &str, how: &str) {
        let trigger =
            format!("CREATE TRIGGER meddles BEFORE UPDATE ON {table} WHEN {when} BEGIN SELECT raise({how}); END");
        self.journal_beside().execute_batch(&trigger).expect("SQLite");
    }

    /// The journal can be written again.
    pub fn mend(&self) {
        self.journal_beside().execute_batch("DROP TRIGGER meddles").expect("SQLite");
    }
}
