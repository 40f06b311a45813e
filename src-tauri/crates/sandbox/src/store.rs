//! The ledger: an SQLite file, or memory.

use std::path::Path;
use std::time::Duration;

use crate::{accounts, customers, ips, renewals, traffic, usage};
use rusqlite::Connection;
use rusqlite::backup::Backup;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS wallet (one INTEGER PRIMARY KEY CHECK (one = 1), balance TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS counter (one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS quote (
        quote_id TEXT PRIMARY KEY, version TEXT NOT NULL, config TEXT NOT NULL,
        amount TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS purchase_order (
        order_no TEXT PRIMARY KEY, order_id TEXT NOT NULL, key TEXT, body_hash TEXT NOT NULL,
        config TEXT NOT NULL, amount TEXT NOT NULL, original TEXT NOT NULL, ordered INTEGER NOT NULL,
        created INTEGER NOT NULL, complete_at INTEGER NOT NULL, answer TEXT NOT NULL) STRICT;
    CREATE UNIQUE INDEX IF NOT EXISTS order_key ON purchase_order (key) WHERE key IS NOT NULL;
    CREATE TABLE IF NOT EXISTS proxy (
        order_no TEXT NOT NULL REFERENCES purchase_order, at INTEGER NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL,
        user TEXT NOT NULL, password TEXT NOT NULL, city_id TEXT NOT NULL, PRIMARY KEY (order_no, at)) STRICT;
    CREATE TABLE IF NOT EXISTS sold_ip (city_id TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (city_id, address)) STRICT;
    INSERT OR IGNORE INTO wallet VALUES (1, '1000.00');
    INSERT OR IGNORE INTO counter VALUES (1, 1);
";

const TABLES: [&str; 16] = [
    "renewed_ip",
    "renewal",
    "proxy",
    "purchase_order",
    "quote",
    "sold_ip",
    "wallet",
    "counter",
    "customer",
    "usage_day",
    "usage_since",
    "traffic_record",
    "agent_traffic",
    "account",
    "password_set",
    "status_set",
];

/// Creates missing tables.
fn make(ledger: &Connection) -> rusqlite::Result<()> {
    for schema in
        [SCHEMA, customers::SCHEMA, accounts::SCHEMA, usage::SCHEMA, traffic::SCHEMA, ips::SCHEMA, renewals::SCHEMA]
    {
        ledger.execute_batch(schema)?;
    }
    Ok(())
}

pub(crate) fn open(file: Option<&Path>) -> rusqlite::Result<Connection> {
    let ledger = match file {
        Some(file) => Connection::open(file)?,
        None => Connection::open_in_memory()?,
    };
    ledger.pragma_update(None, "journal_mode", "WAL")?;
    ledger.pragma_update(None, "synchronous", "NORMAL")?;
    make(&ledger)?;
    Ok(ledger)
}

/// Restores the opening balance, with nothing sold.
pub(crate) fn reset(ledger: &Connection) -> rusqlite::Result<()> {
    for table in TABLES {
        ledger.execute(&format!("DELETE FROM {table}"), [])?;
    }
    make(ledger)
}

/// Makes `to` a copy of `from`.
pub(crate) fn copy(from: &Connection, to: &mut Connection) -> rusqlite::Result<()> {
    Backup::new(from, to)?.run_to_completion(1000, Duration::ZERO, None)
}

/// A fresh id of the service's own size: past 2^53.
pub(crate) fn next_id(ledger: &Connection) -> rusqlite::Result<String> {
    let next: i64 = ledger.query_row("UPDATE counter SET next = next + 1 RETURNING next", [], |row| row.get(0))?;
    Ok((2_059_463_641_505_400_000 + next).to_string())
}
