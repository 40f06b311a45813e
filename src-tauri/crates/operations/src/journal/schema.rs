//! The tables of the journal, by version. A released migration never changes.

use std::sync::OnceLock;

use database::tables::{self, Versions};
use rusqlite::Connection;
use rusqlite_migration::{Error, M, Migrations};

const ALL: [&str; 12] =
    [SCHEMA, PRICE_ENDS, ORDERS, MOVES, CUSTOMERS, RESTORED, PARTICULARS, BOUND, GOODS, WALLET, ORDER_NOTES, BULK_SEEN];

/// The number of the newest version.
#[cfg(test)]
pub(crate) const LATEST: usize = ALL.len();

/// The last version whose events carry no seal.
#[cfg(test)]
pub(crate) const WITHOUT_SEALS: usize = 5;

pub(crate) fn migrations() -> Migrations<'static> {
    Migrations::new(ALL.into_iter().map(M::up).collect())
}

/// The tables of each version, built once.
fn versions() -> Result<&'static Versions, Error> {
    static VERSIONS: OnceLock<Versions> = OnceLock::new();
    if let Some(versions) = VERSIONS.get() {
        return Ok(versions);
    }
    let made = Versions::of(&migrations())?;
    Ok(VERSIONS.get_or_init(|| made))
}

/// Brings the tables up to date. Returns `false` if they are not those of this program.
pub(crate) fn bring_up_to_date(db: &mut Connection) -> Result<bool, Error> {
    tables::bring_up_to_date(db, &migrations(), versions()?)
}

/// Whether a file was written by an earlier version of this program and has its tables.
pub(crate) fn is_older(db: &Connection) -> Result<bool, Error> {
    let is_between = (1..ALL.len() as i64).contains(&tables::version(db)?);
    Ok(is_between && versions()?.fit(db)? == Some(true))
}

const SCHEMA: &str = "
    CREATE TABLE operation (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL, reason TEXT,
        nonce TEXT NOT NULL UNIQUE, key TEXT NOT NULL UNIQUE, intent TEXT NOT NULL, request TEXT NOT NULL,
        created INTEGER NOT NULL, in_doubt INTEGER NOT NULL DEFAULT 0, repeats INTEGER NOT NULL DEFAULT 0,
        next_at INTEGER, alarm INTEGER NOT NULL DEFAULT 0, answer TEXT, refusal TEXT) STRICT;
    CREATE UNIQUE INDEX one_open_for_each_target ON operation (target)
        WHERE state IN ('prepared', 'sending', 'verifying', 'unknown', 'needs-you');
    CREATE TABLE event (
        number INTEGER PRIMARY KEY, operation TEXT NOT NULL REFERENCES operation, wall INTEGER NOT NULL,
        steady INTEGER NOT NULL, what TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
    CREATE INDEX event_of ON event (operation, number);
    CREATE TRIGGER events_stay BEFORE UPDATE ON event BEGIN SELECT raise(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_are_kept BEFORE DELETE ON event BEGIN SELECT raise(ABORT, 'events are append-only'); END;
";

/// When the price of an order expires: an order that never left is not sent at a price that is over.
const PRICE_ENDS: &str = "ALTER TABLE operation ADD COLUMN price_ends INTEGER";

/// Orders as last read, whether placed from here or added by number. Their proxies are in `order_particulars`, without
/// credentials, which are read again when needed.
const ORDERS: &str =
    "CREATE TABLE order_seen (order_no TEXT PRIMARY KEY, added INTEGER NOT NULL, body TEXT NOT NULL) STRICT";

/// Moves of traffic: what their last answer said, the checks since, the snapshot before the send and the newest
/// evidence, the move that they take back. Also what was learned about this vendor, with its evidence. `version` counts
/// commits: a decision made from an older version changes nothing. A move that takes another one back may be open
/// beside it, so the journal itself looks for any other holder of the target.
const MOVES: &str = "
    ALTER TABLE operation ADD COLUMN said TEXT;
    ALTER TABLE operation ADD COLUMN looks INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE operation ADD COLUMN agreeing INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE operation ADD COLUMN baseline TEXT;
    ALTER TABLE operation ADD COLUMN evidence TEXT;
    ALTER TABLE operation ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE operation ADD COLUMN counter_of TEXT REFERENCES operation;
    DROP INDEX one_open_for_each_target;
    CREATE UNIQUE INDEX one_open_for_each_target ON operation (target)
        WHERE counter_of IS NULL AND state IN ('prepared', 'sending', 'verifying', 'unknown', 'needs-you');
    CREATE UNIQUE INDEX one_counter_for_each ON operation (counter_of)
        WHERE counter_of IS NOT NULL AND state NOT IN ('rejected', 'not-sent', 'resolved-not');
    CREATE TABLE lesson (name TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
";

/// Changes of customers: the id that a created one got. Bulks: what was confirmed together, row by row; a row becomes
/// an operation when its turn comes. The agent's notes on customers, and texts for repeated use.
const CUSTOMERS: &str = "
    CREATE TABLE bulk (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, created INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
    CREATE TABLE bulk_row (
        bulk TEXT NOT NULL REFERENCES bulk, number INTEGER NOT NULL, state TEXT NOT NULL, name TEXT NOT NULL,
        intent TEXT NOT NULL, reason TEXT, operation TEXT REFERENCES operation,
        PRIMARY KEY (bulk, number)) STRICT, WITHOUT ROWID;
    CREATE INDEX bulk_row_operation ON bulk_row (operation) WHERE operation IS NOT NULL;
    ALTER TABLE operation ADD COLUMN bulk TEXT REFERENCES bulk;
    ALTER TABLE operation ADD COLUMN customer TEXT;
    CREATE INDEX operation_of_bulk ON operation (bulk, next_at) WHERE bulk IS NOT NULL;
    CREATE INDEX operation_of_target ON operation (target, created);
    CREATE INDEX operation_by_time ON operation (created);
    CREATE INDEX operation_of_customer ON operation (customer) WHERE customer IS NOT NULL;
    CREATE TABLE note (customer TEXT PRIMARY KEY, note TEXT NOT NULL, tags TEXT NOT NULL) STRICT;
    CREATE TABLE template (name TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
";

/// `seal`: the digest of the operation as it was after the event, so that a change of either shows. An operation that
/// is brought back from the record of sends (`restored`, ms since 1970) may stand beside another open one, because it
/// is not known which of them was closed before the damage.
const RESTORED: &str = "
    ALTER TABLE event ADD COLUMN seal TEXT;
    ALTER TABLE operation ADD COLUMN restored INTEGER;
    DROP INDEX one_open_for_each_target;
    CREATE UNIQUE INDEX one_open_for_each_target ON operation (target)
        WHERE counter_of IS NULL AND restored IS NULL AND state IN ('prepared', 'sending', 'verifying', 'unknown', 'needs-you');
    DROP INDEX one_counter_for_each;
    CREATE UNIQUE INDEX one_counter_for_each ON operation (counter_of)
        WHERE counter_of IS NOT NULL AND restored IS NULL AND state NOT IN ('rejected', 'not-sent', 'resolved-not');
    CREATE TABLE restoration (
        at INTEGER NOT NULL, aside TEXT, backup INTEGER, sends INTEGER NOT NULL, complete INTEGER NOT NULL,
        digest TEXT NOT NULL, seen INTEGER NOT NULL DEFAULT 0) STRICT;
";

/// What orders reported about themselves, without credentials, shown when the vendor cannot be asked. Separate from
/// `order_seen`, which is read in full for each list.
const PARTICULARS: &str = "CREATE TABLE order_particulars (order_no TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT";

/// The account that an operation and a bulk belong to; rows from before there were fingerprints have none. The send
/// that the keychain knew and a journal that was put back did not.
const BOUND: &str = "
    ALTER TABLE operation ADD COLUMN fingerprint TEXT;
    ALTER TABLE bulk ADD COLUMN fingerprint TEXT;
    ALTER TABLE restoration ADD COLUMN anchor TEXT;
";

/// For whom delivered proxies are, and when they were handed over. A deleted buyer stays, because proxies still name it.
/// A proxy counts as sent if it was handed to the buyer it is for now.
const GOODS: &str = "
    CREATE TABLE buyer (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, customer TEXT, contact TEXT NOT NULL, language TEXT NOT NULL,
        note TEXT NOT NULL, format TEXT NOT NULL, template TEXT NOT NULL, deleted INTEGER NOT NULL) STRICT;
    CREATE TABLE assignment (
        order_no TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, buyer INTEGER REFERENCES buyer,
        note TEXT NOT NULL, PRIMARY KEY (order_no, host, port)) STRICT, WITHOUT ROWID;
    CREATE TABLE delivery (
        number INTEGER PRIMARY KEY, order_no TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL,
        buyer INTEGER NOT NULL REFERENCES buyer, at INTEGER NOT NULL, how TEXT NOT NULL) STRICT;
    CREATE INDEX delivery_of ON delivery (order_no, host, port);
";

/// What a person typed about the wallet, which the interface does not show.
const WALLET: &str = "CREATE TABLE wallet (number INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT";

/// `seen`: the last event before a bulk was confirmed; bulks of earlier programs have none.
const BULK_SEEN: &str = "ALTER TABLE bulk ADD COLUMN seen INTEGER";

/// The agent's notes on orders.
const ORDER_NOTES: &str = "CREATE TABLE order_note (order_no TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT";
