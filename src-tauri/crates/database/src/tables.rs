//! Tables, indexes and triggers: brought up to date, and compared word for word.

use rusqlite::Connection;
use rusqlite_migration::{Error, Migrations};

/// Brings a file up to date. `false`: its tables, indexes or triggers are not those that the migrations make;
/// a damaged rule is not kept, and no check of SQLite compares them.
///
/// # Errors
/// The migrations'; one of them says that the file is of a newer version.
pub fn bring_up_to_date(db: &mut Connection, migrations: &Migrations<'_>) -> Result<bool, Error> {
    let mut ours = Connection::open_in_memory()?;
    migrations.to_latest(&mut ours)?;
    let ours = (version(&ours)?, words(&ours)?);
    if words(db)? == ours.1 {
        // The same tables under another number: the number is damaged.
        return Ok(version(db)? == ours.0);
    }
    migrations.to_latest(db)?;
    Ok(words(db)? == ours.1)
}

/// Which migration a file has reached; 0 is a new one.
///
/// # Errors
/// SQLite's.
pub fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Type, name, table and text of each.
type Words = Vec<[Option<Vec<u8>>; 4]>;

fn words(db: &Connection) -> rusqlite::Result<Words> {
    // As bytes: damaged text may be none.
    let columns = ["type", "name", "tbl_name", "sql"].map(|column| format!("CAST({column} AS BLOB)"));
    let mut query = db.prepare(&format!("SELECT {} FROM sqlite_schema ORDER BY 2", columns.join(", ")))?;
    let rows = query.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite_migration::M;

    fn migrations(steps: usize) -> Migrations<'static> {
        let all = ["CREATE TABLE one (a TEXT UNIQUE)", "ALTER TABLE one ADD COLUMN b TEXT"];
        Migrations::new(all.into_iter().take(steps).map(M::up).collect())
    }

    fn opened(steps: usize) -> Connection {
        let mut db = Connection::open_in_memory().unwrap();
        migrations(steps).to_latest(&mut db).unwrap();
        db
    }

    #[test]
    fn a_new_file_and_an_older_one_are_brought_up_to_date_and_a_newer_one_is_refused() {
        for mut db in [Connection::open_in_memory().unwrap(), opened(1), opened(2)] {
            assert!(bring_up_to_date(&mut db, &migrations(2)).unwrap());
        }
        assert!(bring_up_to_date(&mut opened(2), &migrations(1)).is_err());
    }

    #[test]
    fn another_number_or_another_rule_is_damage() {
        for change in ["PRAGMA user_version = 1", "PRAGMA user_version = 9", "CREATE INDEX more ON one (b)"] {
            let mut db = opened(2);
            db.execute_batch(change).unwrap();
            assert!(!bring_up_to_date(&mut db, &migrations(2)).unwrap(), "{change}");
        }
    }
}
