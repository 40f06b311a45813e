//! The chain of the table `event`: each event carries the SHA-256 of the one before it and the seal of its operation, so
//! that a change of either shows.

use std::time::Instant;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use crate::words::anchor::Anchor;

/// The time of the next repeat or check is not part of the seal, because it changes without an event.
const UNSEALED: &str = "next_at";

/// Appends an event after the change that it is about, with the hash of the event before it.
pub(crate) fn append(
    db: &Connection,
    started: Instant,
    operation: &str,
    what: &str,
    wall: i64,
) -> rusqlite::Result<()> {
    let mut last = db.prepare_cached("SELECT hash FROM event ORDER BY number DESC LIMIT 1")?;
    let previous: String = last.query_row([], |row| row.get(0)).optional()?.unwrap_or_default();
    let steady = started.elapsed().as_millis() as i64;
    let mut changed = db.prepare_cached("SELECT * FROM operation WHERE id = ?1")?;
    let seal = changed.query_row([operation], seal_of)?;
    let hash = link(&previous, operation, wall, steady, what, Some(&seal));
    let mut insert = db.prepare_cached(
        "INSERT INTO event (operation, wall, steady, what, previous, hash, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    insert.execute(params![operation, wall, steady, what, previous, hash, seal]).map(|_| ())
}

/// The hash of an event. Events from before there were seals have no seal.
fn link(previous: &str, operation: &str, wall: i64, steady: i64, what: &str, seal: Option<&str>) -> String {
    let mut text = format!("{previous}\n{operation}\n{wall}\n{steady}\n{what}");
    if let Some(seal) = seal {
        text.push('\n');
        text.push_str(seal);
    }
    hex::encode(Sha256::digest(text))
}

/// The digest of everything that a row holds. Empty columns are left out, so that a column added later breaks no old
/// seal.
fn seal_of(row: &rusqlite::Row<'_>) -> rusqlite::Result<String> {
    let mut hash = Sha256::new();
    let columns = row.as_ref();
    for at in 0..columns.column_count() {
        let name = columns.column_name(at)?;
        let value = row.get_ref(at)?;
        if name == UNSEALED || value == ValueRef::Null {
            continue;
        }
        hash.update(format!("{name}\n"));
        match value {
            ValueRef::Integer(number) => hash.update(format!("{number}\n")),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                hash.update(format!("{} ", bytes.len()));
                hash.update(bytes);
            }
            ValueRef::Real(_) | ValueRef::Null => {}
        }
    }
    Ok(hex::encode(hash.finalize()))
}

/// Number and hash of the newest event.
pub(crate) fn head(db: &Connection) -> rusqlite::Result<Option<(i64, String)>> {
    let query = "SELECT number, hash FROM event ORDER BY number DESC LIMIT 1";
    db.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// Whether the journal holds an event.
pub(crate) fn has(db: &Connection, (number, hash): &(i64, String)) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM event WHERE number = ?1 AND hash = ?2)";
    db.prepare_cached(query)?.query_row(params![number, hash], |row| row.get(0))
}

/// Whether every event carries the hash of the one before it, and every operation is as its last event left it.
pub(crate) fn holds(db: &Connection) -> rusqlite::Result<bool> {
    Ok(events_hold(db)? && operations_hold(db)?)
}

fn events_hold(db: &Connection) -> rusqlite::Result<bool> {
    let mut query =
        db.prepare("SELECT operation, wall, steady, what, previous, hash, seal FROM event ORDER BY number")?;
    let mut rows = query.query([])?;
    let mut last = String::new();
    while let Some(row) = rows.next()? {
        let (operation, wall, steady): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let (what, previous, hash): (String, String, String) = (row.get(3)?, row.get(4)?, row.get(5)?);
        let seal: Option<String> = row.get(6)?;
        if previous != last || hash != link(&previous, &operation, wall, steady, &what, seal.as_deref()) {
            return Ok(false);
        }
        last = hash;
    }
    Ok(true)
}

fn operations_hold(db: &Connection) -> rusqlite::Result<bool> {
    let mut query = db.prepare("SELECT * FROM operation")?;
    let mut last = db.prepare("SELECT seal FROM event WHERE operation = ?1 ORDER BY number DESC LIMIT 1")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let id: String = row.get("id")?;
        // No event at all: its id was changed, or its events belong to another.
        let Some(seal) = last.query_row([id], |event| event.get::<_, Option<String>>(0)).optional()? else {
            return Ok(false);
        };
        if seal.is_some_and(|seal| seal_of(row).ok() != Some(seal)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The newest send of a journal.
pub(super) fn newest_send(db: &Connection) -> rusqlite::Result<Anchor> {
    let query = "SELECT number, hash FROM event WHERE what = 'sending' ORDER BY number DESC LIMIT 1";
    let newest = db.query_row(query, [], |row| Ok(Anchor { number: row.get(0)?, hash: row.get(1)? })).optional()?;
    Ok(newest.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::schema;

    const OPERATION: &str = "INSERT INTO operation (id, kind, target, state, nonce, key, intent, request, created)
        VALUES ('one', 'create', 'one@x.com', 'not-sent', 'n', 'k', '{}', '{}', 0)";

    #[test]
    fn events_from_before_there_were_seals_are_linked_and_a_change_of_them_shows() {
        let mut db = Connection::open_in_memory().unwrap();
        schema::migrations().to_version(&mut db, schema::WITHOUT_SEALS).unwrap();
        db.execute_batch(OPERATION).unwrap();
        let mut previous = String::new();
        for what in ["prepared", "not-sent"] {
            let hash = link(&previous, "one", 1, 2, what, None);
            let insert =
                "INSERT INTO event (operation, wall, steady, what, previous, hash) VALUES ('one', 1, 2, ?1, ?2, ?3)";
            db.execute(insert, [what, &previous, &hash]).unwrap();
            previous = hash;
        }
        assert!(schema::bring_up_to_date(&mut db).unwrap() && holds(&db).unwrap());
        append(&db, Instant::now(), "one", "sending", 3).unwrap();
        assert!(holds(&db).unwrap(), "what comes after them has a seal");
        db.execute_batch("DROP TRIGGER events_stay; UPDATE event SET what = 'applied' WHERE number = 2").unwrap();
        assert!(!holds(&db).unwrap());
    }

    #[test]
    fn an_operation_from_before_there_were_fingerprints_opens_and_goes_on() {
        let mut db = Connection::open_in_memory().unwrap();
        schema::migrations().to_version(&mut db, schema::LATEST - 1).unwrap();
        db.execute_batch(OPERATION).unwrap();
        append(&db, Instant::now(), "one", "not-sent", 3).unwrap();
        assert!(schema::bring_up_to_date(&mut db).unwrap() && holds(&db).unwrap(), "its seal is as it was");
        let own: Option<String> = db.query_row("SELECT fingerprint FROM operation", [], |row| row.get(0)).unwrap();
        assert_eq!(own, None);
        append(&db, Instant::now(), "one", "sending", 4).unwrap();
        assert!(holds(&db).unwrap());
    }

    #[test]
    fn an_operation_without_an_event_is_not_ours() {
        let mut db = Connection::open_in_memory().unwrap();
        assert!(schema::bring_up_to_date(&mut db).unwrap() && holds(&db).unwrap());
        db.execute_batch(OPERATION).unwrap();
        assert!(!holds(&db).unwrap());
    }

    #[test]
    fn the_newest_send_of_a_journal_is_its_anchor() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE event (number INTEGER, hash TEXT, what TEXT)").unwrap();
        assert_eq!(newest_send(&db).unwrap(), Anchor::default());
        db.execute_batch("INSERT INTO event VALUES (1, 'a', 'sending'), (2, 'b', 'sending'), (3, 'c', 'applied')")
            .unwrap();
        assert_eq!(newest_send(&db).unwrap(), Anchor::of((2, "b".into())));
    }
}
