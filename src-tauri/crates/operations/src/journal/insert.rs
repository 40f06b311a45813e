//! A new operation, and who holds a target.

use rusqlite::{Connection, params};

use crate::evidence::snapshot::Sight;
use crate::journal::sets::{open_states, states_without_effect};
use crate::journal::{JournalError, text};
use crate::words::fingerprint::Fingerprint;
use crate::words::state::{OperationId, State};
use crate::writes::intent::Intent;

/// A new operation.
pub(crate) struct Inserted<'a> {
    pub(crate) nonce: &'a str,
    pub(crate) intent: &'a Intent,
    pub(crate) baseline: Option<&'a Sight>,
    pub(crate) price_ends: Option<i64>,
    pub(crate) bulk: Option<&'a str>,
    pub(crate) fingerprint: Option<&'a Fingerprint>,
    pub(crate) now: i64,
}

/// Inserts an operation as `prepared`, with a key of its own. `None`: the target is held, or the nonce was
/// used already.
pub(crate) fn insert(
    transaction: &rusqlite::Transaction<'_>,
    new: &Inserted<'_>,
) -> Result<Option<String>, JournalError> {
    let (id, key) = (uuid::Uuid::new_v4().to_string(), uuid::Uuid::new_v4().to_string());
    let counter_of = new.intent.moved().and_then(|moved| moved.counter_of.as_ref());
    let target = new.intent.target();
    if is_held(transaction, &target, &id, counter_of)? || is_taken_back(transaction, counter_of, &id)? {
        return Ok(None);
    }
    let mut insert = transaction.prepare_cached(
        "INSERT INTO operation (id, kind, target, state, nonce, key, intent, request, created, price_ends, baseline,
         counter_of, bulk, fingerprint) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) ON CONFLICT DO NOTHING",
    )?;
    let inserted = insert.execute(params![
        id,
        new.intent.kind().word(),
        target,
        State::Prepared.word(),
        new.nonce,
        key,
        text(new.intent)?,
        text(&new.intent.request(&key))?,
        new.now,
        new.price_ends,
        new.baseline.map(text).transpose()?,
        counter_of.map(|first| &first.0),
        new.bulk,
        new.fingerprint.map(Fingerprint::as_str)
    ])?;
    Ok((inserted > 0).then_some(id))
}

/// Whether a move was taken back already, or may be. The index says so too, but not of what was restored.
pub(crate) fn is_taken_back(db: &Connection, first: Option<&OperationId>, own: &str) -> rusqlite::Result<bool> {
    let query = format!(
        "SELECT EXISTS (SELECT 1 FROM operation WHERE counter_of = ?1 AND id IS NOT ?2 AND state NOT IN ({}))",
        states_without_effect()
    );
    db.query_row(&query, params![first.map(|first| &first.0), own], |row| row.get(0))
}

/// Whether another operation holds a target; one may stand beside that which it takes back.
pub(crate) fn is_held(
    db: &Connection,
    target: &str,
    own: &str,
    counter_of: Option<&OperationId>,
) -> rusqlite::Result<bool> {
    let query = format!(
        "SELECT EXISTS (SELECT 1 FROM operation WHERE target = ?1 AND id IS NOT ?2 AND id IS NOT ?3
             AND counter_of IS NOT ?2 AND state IN ({}))",
        open_states()
    );
    db.query_row(&query, params![target, own, counter_of.map(|first| &first.0)], |row| row.get(0))
}
