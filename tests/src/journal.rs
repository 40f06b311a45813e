//! A journal with updates refused or ignored from outside.

use rusqlite::Connection;

use crate::order::Buyer;

impl Buyer {
    /// Opens another connection to the journal, besides the program's.
    pub fn journal_beside(&self) -> Connection {
        Connection::open(self.journal()).expect("SQLite")
    }

    /// Makes every update of a table that meets a condition fail, as on a full disk, until [`Self::mend`].
    pub fn refuse(&self, table: &str, when: &str) {
        self.meddle(table, when, "FAIL, 'the disk is full'");
    }

    /// Makes every update of a table that meets a condition change nothing, as if another had been faster, until
    /// [`Self::mend`].
    pub fn ignore(&self, table: &str, when: &str) {
        self.meddle(table, when, "IGNORE");
    }

    fn meddle(&self, table: &str, when: &str, how: &str) {
        let trigger =
            format!("CREATE TRIGGER meddles BEFORE UPDATE ON {table} WHEN {when} BEGIN SELECT raise({how}); END");
        self.journal_beside().execute_batch(&trigger).expect("SQLite");
    }

    /// Makes the journal writable again.
    pub fn mend(&self) {
        self.journal_beside().execute_batch("DROP TRIGGER meddles").expect("SQLite");
    }
}
