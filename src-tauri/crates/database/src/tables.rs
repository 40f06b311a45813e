//! Tables, indexes and triggers: brought up to date, and compared word for word.

use rusqlite::Connection;
use rusqlite_migration::{Error, Migrations};

/// The tables of each version, from the empty file on.
pub struct Versions(Vec<Words>);

impl Versions {
    /// As the migrations make them.
    ///
    /// # Errors
    /// SQLite's.
    pub fn of(migrations: &Migrations<'_>) -> Result<Self, Error> {
        let mut made = Connection::open_in_memory()?;
        let mut all = vec![words(&made)?];
        while migrations.to_version(&mut made, all.len()).is_ok() {
            all.push(words(&made)?);
        }
        Ok(Self(all))
    }

    /// Whether a file has the tables of its number. Those of another version: the number is damaged. `None`: a
    /// number and tables that are not known here, as of a newer version.
    ///
    /// # Errors
    /// SQLite's.
    pub fn fit(&self, db: &Connection) -> rusqlite::Result<Option<bool>> {
        let found = words(db)?;
        let own = usize::try_from(version(db)?).ok().and_then(|number| self.0.get(number));
        Ok(own.map(|own| *own == found).or_else(|| self.0.contains(&found).then_some(false)))
    }
}

/// Brings a file up to date. `false`: its tables, indexes or triggers are not those that the migrations make;
/// a damaged rule is not kept, and no check of SQLite compares them.
///
/// # Errors
/// The migrations'; one of them says that the file is of a newer version.
pub fn bring_up_to_date(db: &mut Connection, migrations: &Migrations<'_>, versions: &Versions) -> Result<bool, Error> {
    if versions.fit(db)? == Some(false) {
        return Ok(false);
    }
    migrations.to_latest(db)?;
    Ok(versions.0.last() == Some(&words(db)?))
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

    fn brought(mut db: Connection, steps: usize) -> Result<bool, Error> {
        let migrations = migrations(steps);
        bring_up_to_date(&mut db, &migrations, &Versions::of(&migrations)?)
    }

    #[test]
    fn a_new_file_and_an_older_one_are_brought_up_to_date_and_a_newer_one_is_refused() {
        for db in [Connection::open_in_memory().unwrap(), opened(1), opened(2)] {
            assert!(brought(db, 2).unwrap());
        }
        assert!(brought(opened(2), 1).is_err());
    }

    #[test]
    fn another_number_or_another_rule_is_damage_in_a_file_of_any_version() {
        let changes = ["PRAGMA user_version = 0", "PRAGMA user_version = 9", "CREATE INDEX more ON one (a)"];
        let more = [(1, "PRAGMA user_version = 2"), (2, "PRAGMA user_version = 1")];
        let all = [1, 2].into_iter().flat_map(|steps| changes.map(|change| (steps, change))).chain(more);
        for (steps, change) in all {
            let db = opened(steps);
            db.execute_batch(change).unwrap();
            assert!(!brought(db, 2).unwrap(), "version {steps}, {change}");
        }
    }
}
