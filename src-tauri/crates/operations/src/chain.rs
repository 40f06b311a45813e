//! The chain of events: each carries the SHA-256 of the one before, so that a change shows.

use std::time::Instant;

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use sha2::{Digest, Sha256};

/// Appends an event with the hash of the one before it.
pub(crate) fn append(
    transaction: &Transaction<'_>,
    started: Instant,
    operation: &str,
    what: &str,
    wall: i64,
) -> rusqlite::Result<()> {
    let mut last = transaction.prepare_cached("SELECT hash FROM event ORDER BY number DESC LIMIT 1")?;
    let previous: String = last.query_row([], |row| row.get(0)).optional()?.unwrap_or_default();
    let steady = started.elapsed().as_millis() as i64;
    let hash = link(&previous, operation, wall, steady, what);
    let mut insert = transaction.prepare_cached(
        "INSERT INTO event (operation, wall, steady, what, previous, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    insert.execute(params![operation, wall, steady, what, previous, hash]).map(|_| ())
}

fn link(previous: &str, operation: &str, wall: i64, steady: i64, what: &str) -> String {
    hex(&Sha256::digest(format!("{previous}\n{operation}\n{wall}\n{steady}\n{what}")))
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether every event still carries the hash of the one before it.
pub(crate) fn holds(db: &Connection) -> rusqlite::Result<bool> {
    let mut query = db.prepare("SELECT operation, wall, steady, what, previous, hash FROM event ORDER BY number")?;
    let mut rows = query.query([])?;
    let mut last = String::new();
    while let Some(row) = rows.next()? {
        let (operation, wall, steady): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let (what, previous, hash): (String, String, String) = (row.get(3)?, row.get(4)?, row.get(5)?);
        if previous != last || hash != link(&previous, &operation, wall, steady, &what) {
            return Ok(false);
        }
        last = hash;
    }
    Ok(true)
}
