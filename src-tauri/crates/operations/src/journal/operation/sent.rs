//! Sends of the table `operation`, for the record beside the journal, and back from it.

use rusqlite::{Connection, OptionalExtension, params};

use crate::journal::send_log::Send;
use crate::journal::{JournalError, bulk_row};
use crate::words::schedule::MANY;

/// The assignments for an operation that may have been sent and whose answer is not known.
pub(crate) const SENT_AGAIN: &str =
    "state = 'sending', in_doubt = 1, reason = NULL, said = NULL, looks = 0, agreeing = 0, next_at = NULL,";

/// When an operation was restored. The time of the first restoration that was not complete stays forever.
pub(crate) const RESTORED_AT: &str = "restored = CASE WHEN operation.restored IN
    (SELECT at FROM restoration WHERE NOT complete) THEN operation.restored ELSE";

impl Send {
    /// The last send of an operation.
    pub(crate) fn of(db: &Connection, id: &str) -> Result<Self, JournalError> {
        let mut query = db.prepare_cached(
            "SELECT number, hash, wall, id, kind, target, nonce, key, intent, request, created, price_ends, baseline,
                 counter_of, bulk, fingerprint
             FROM operation JOIN event ON event.operation = operation.id
             WHERE operation.id = ?1 AND what = 'sending' ORDER BY number DESC LIMIT 1",
        )?;
        Ok(query.query_row([id], |row| {
            Ok(Self {
                event: (row.get(0)?, row.get(1)?),
                at: row.get(2)?,
                id: row.get(3)?,
                kind: row.get(4)?,
                target: row.get(5)?,
                nonce: row.get(6)?,
                key: row.get(7)?,
                intent: row.get(8)?,
                request: row.get(9)?,
                created: row.get(10)?,
                price_ends: row.get(11)?,
                baseline: row.get(12)?,
                counter_of: row.get(13)?,
                bulk: row.get(14)?,
                fingerprint: row.get(15)?,
            })
        })?)
    }

    /// Brings the send back, with its snapshot; its answer is not known. Only a person repeats it. `restored` is wall
    /// clock, ms since 1970.
    pub(crate) fn bring_back(&self, db: &Connection, restored: i64) -> Result<(), JournalError> {
        let exists = |table: &str, id: &Option<String>| -> rusqlite::Result<Option<String>> {
            let Some(id) = id else { return Ok(None) };
            db.query_row(&format!("SELECT id FROM {table} WHERE id = ?1"), [id], |row| row.get(0)).optional()
        };
        let upsert = format!(
            "INSERT INTO operation (id, kind, target, state, nonce, key, intent, request, created, price_ends,
                 baseline, counter_of, bulk, in_doubt, repeats, restored, fingerprint)
             VALUES (?1, ?2, ?3, 'sending', ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 1, ?13, ?14, ?15)
             ON CONFLICT (id) DO UPDATE SET {SENT_AGAIN} repeats = ?13, {RESTORED_AT} ?14 END, version = version + 1,
                 baseline = coalesce(excluded.baseline, baseline)"
        );
        db.execute(
            &upsert,
            params![
                self.id,
                self.kind,
                self.target,
                self.nonce,
                self.key,
                self.intent,
                self.request,
                self.created,
                self.price_ends,
                self.baseline,
                exists("operation", &self.counter_of)?,
                exists("bulk", &self.bulk)?,
                MANY,
                restored,
                self.fingerprint,
            ],
        )?;
        Ok(bulk_row::restore_operation(db, self)?)
    }

    /// Whether it was already brought back: its `sending` is there again with the same time, and `restored` follows.
    pub(crate) fn is_back(&self, db: &Connection) -> rusqlite::Result<bool> {
        let query = "SELECT EXISTS (SELECT 1 FROM event AS sent JOIN event AS back ON back.number = sent.number + 1
             WHERE sent.operation = ?1 AND sent.what = 'sending' AND sent.wall = ?2
                 AND back.operation = ?1 AND back.what = 'restored')";
        db.prepare_cached(query)?.query_row(params![self.id, self.at], |row| row.get(0))
    }
}
