//! The newest send of a journal, kept in the keychain as well: a data folder that was put back to an earlier
//! state as a whole is consistent in itself, and nothing that lies in it can tell.
//!
//! Written behind each commit that sends, without anybody waiting for it: newest wins, and an entry that lags
//! behind says nothing. What was never compared is never overwritten.

use std::sync::{Arc, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};
use secrecy::ExposeSecret;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use vault::{KeychainState, Vault};

use crate::engine::start;
use crate::engine::{OperationError, Operations};
use crate::journal::JournalError;
use crate::journal::chain;
use crate::journal::recovery::{Restoration, bring_back};

/// Number and hash of the event of a send. 0: nothing was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) number: i64,
    pub(crate) hash: String,
}

impl Anchor {
    pub(crate) fn of((number, hash): (i64, String)) -> Self {
        Self { number, hash }
    }

    /// The newest send of a journal.
    pub(crate) fn newest(db: &Connection) -> rusqlite::Result<Self> {
        let query = "SELECT number, hash FROM event WHERE what = 'sending' ORDER BY number DESC LIMIT 1";
        let newest = db.query_row(query, [], |row| Ok(Self { number: row.get(0)?, hash: row.get(1)? })).optional()?;
        Ok(newest.unwrap_or_default())
    }

    fn text(&self) -> String {
        format!("{} {}", self.number, self.hash)
    }

    fn read(text: &str) -> Option<Self> {
        let (number, hash) = text.split_once(' ')?;
        Some(Self { number: number.parse().ok()?, hash: hash.to_owned() })
    }

    /// Whether the keychain knows of a send that the journal does not. `there`: the hash of the journal's event of
    /// this number; `None` when the journal ends before it.
    fn is_ahead_of(&self, there: Option<&str>) -> bool {
        self.number > 0 && there != Some(self.hash.as_str())
    }
}

/// The keychain's entry of one connection, behind a thread of its own.
#[derive(Clone)]
pub struct AnchorEntry {
    vault: Arc<Vault>,
    account: String,
}

impl AnchorEntry {
    /// The entry of a connection. `vault`: whoever asks for secrets does not wait for the calls of this one.
    pub fn new(vault: &Vault, connection: &str) -> Self {
        Self { vault: Arc::new(vault.beside()), account: anchor_account(connection) }
    }

    async fn read(&self) -> Result<Option<Anchor>, KeychainState> {
        Ok(self.vault.read(&self.account).await?.and_then(|text| Anchor::read(text.expose_secret())))
    }

    async fn write(&self, anchor: &Anchor) -> Result<(), KeychainState> {
        self.vault.save(&self.account, anchor.text().into()).await
    }
}

/// The keychain's name of a connection's entry.
#[must_use]
pub fn anchor_account(connection: &str) -> String {
    format!("{connection}/anchor")
}

impl Operations {
    /// Holds the journal against what the keychain knows of it, and keeps the keychain up to date from then on. To
    /// be called before an account is there to send with. A keychain that does not answer is no reason to stop.
    ///
    /// # Errors
    /// The journal.
    pub async fn anchor_in(&self, entry: AnchorEntry) -> Result<(), OperationError> {
        if self.anchoring().as_ref().is_some_and(|task| !task.is_finished()) {
            return Ok(());
        }
        let found = match entry.read().await {
            Ok(found) => found,
            Err(state) => {
                tracing::warn!(%state, "the journal is not held against the keychain");
                return Ok(());
            }
        };
        if let Some(found) = &found {
            self.hold_against(found)?;
        }
        let sends = self.journal().sends.subscribe();
        let task = tokio::spawn(keep_up(entry, sends, found));
        *self.anchoring() = Some(task.abort_handle());
        Ok(())
    }

    /// Nothing more is kept in the keychain: its connection goes.
    pub fn let_anchor_go(&self) {
        if let Some(task) = self.anchoring().take() {
            task.abort();
        }
    }

    fn anchoring(&self) -> MutexGuard<'_, Option<AbortHandle>> {
        self.0.anchoring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A journal that lacks what the keychain knows was put back: nobody can tell what was sent since, so whatever
    /// could be sent again counts as sent. A person is told, once.
    fn hold_against(&self, found: &Anchor) -> Result<(), OperationError> {
        let now = self.now();
        let mut journal = self.journal();
        let there = chain::hash_of(&journal.db, found.number).map_err(JournalError::from)?;
        if !found.is_ahead_of(there.as_deref()) || journal.knows(found)? {
            return Ok(());
        }
        tracing::error!("the journal is older than its last send");
        let anchor = Some(found.text());
        let told = Restoration { at: now, aside: None, backup: None, sends: 0, complete: false, anchor };
        bring_back::all(&mut journal, &[], &told)?;
        start::settle(&mut journal, self.schedule(), now)?;
        Ok(())
    }
}

impl crate::journal::Journal {
    /// Whether a send that is not in the journal is accounted for: it came back from the record under another event,
    /// or a person was told.
    fn knows(&self, anchor: &Anchor) -> Result<bool, JournalError> {
        let query = "SELECT EXISTS (SELECT 1 FROM restoration WHERE anchor = ?1)";
        let was_told: bool = self.db.query_row(query, params![anchor.text()], |row| row.get(0))?;
        Ok(was_told || self.records_have(anchor)?)
    }
}

/// Writes the newest send, whenever there is a newer one.
async fn keep_up(entry: AnchorEntry, mut sends: watch::Receiver<Anchor>, found: Option<Anchor>) {
    // Where nothing was sent there is nothing to know.
    let mut written = Some(found.unwrap_or_default());
    loop {
        let newest = sends.borrow_and_update().clone();
        if written.as_ref() != Some(&newest) {
            match entry.write(&newest).await {
                Ok(()) => written = Some(newest),
                // Each try would ask the person to unlock it: the next opening of the connection tries again.
                Err(KeychainState::Locked | KeychainState::Missing) => return,
                // An entry that lags behind is fine; the next send tries again.
                Err(state) => tracing::info!(%state, "the newest send is not in the keychain"),
            }
        }
        if sends.changed().await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_ahead_when_the_journal_ends_before_it_or_went_on_another_way() {
        let anchor = Anchor::of((7, "hash".into()));
        assert_eq!([None, Some("another"), Some("hash")].map(|there| anchor.is_ahead_of(there)), [true, true, false]);
        assert!(!Anchor::default().is_ahead_of(None), "nothing was sent");
    }

    #[test]
    fn an_anchor_is_read_as_it_was_written_and_nothing_else_is_one() {
        for anchor in [Anchor::of((7, "hash".into())), Anchor::default()] {
            assert_eq!(Anchor::read(&anchor.text()), Some(anchor));
        }
        assert_eq!(["", "7", "seven hash"].map(Anchor::read), [None, None, None]);
    }

    #[test]
    fn the_newest_send_of_a_journal_is_its_anchor() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE event (number INTEGER, hash TEXT, what TEXT)").unwrap();
        assert_eq!(Anchor::newest(&db).unwrap(), Anchor::default());
        db.execute_batch("INSERT INTO event VALUES (1, 'a', 'sending'), (2, 'b', 'sending'), (3, 'c', 'applied')")
            .unwrap();
        assert_eq!(Anchor::newest(&db).unwrap(), Anchor::of((2, "b".into())));
    }
}
