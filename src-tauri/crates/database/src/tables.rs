//! Tables, indexes and triggers: migrated, and compared word for word.

use rusqlite::Connection;
use rusqlite_migration::{Error, Migrations};

/// The tables of each version, starting with the empty file.
pub struct Versions(Vec<Words>);

impl Versions {
    /// Collects the versions that the migrations make, up to the first migration that fails.
    ///
    /// # Errors
    /// When SQLite cannot open or read a database in memory.
    pub fn of(migrations: &Migrations<'_>) -> Result<Self, Error> {
        let mut made = Connection::open_in_memory()?;
        let mut all = vec![words(&made)?];
        while migrations.to_version(&mut made, all.len()).is_ok() {
            all.push(words(&made)?);
        }
        Ok(Self(all))
    }

    /// Whether a file has the tables of its version number. Tables of another version mean that the number is
    /// damaged: `Some(false)`. `None` when neither number nor tables are known here, as for a newer version.
    ///
    /// # Errors
    /// When SQLite cannot read the file.
    pub fn fit(&self, db: &Connection) -> rusqlite::Result<Option<bool>> {
        let found = words(db)?;
        let own = usize::try_from(version(db)?).ok().and_then(|number| self.0.get(number));
        Ok(own.map(|own| *own == found).or_else(|| self.0.contains(&found).then_some(false)))
    }
}

/// Migrates a file to the newest version. Returns `false` when its tables, indexes or triggers differ from those of
/// the migrations: SQLite's own checks do not compare them, and a damaged rule must not stay.
///
/// # Errors
/// When a migration fails, or the file comes from a newer version.
pub fn bring_up_to_date(db: &mut Connection, migrations: &Migrations<'_>, versions: &Versions) -> Result<bool, Error> {
    if versions.fit(db)? == Some(false) {
        return Ok(false);
    }
    migrations.to_latest(db)?;
    Ok(versions.0.last() == Some(&words(db)?))
}

/// The migration that a file has reached; 0 for a new file.
///
/// # Errors
/// When SQLite cannot read the file.
pub fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Type, name, table and SQL text of each object.
type Words = Vec<[Option<Vec<u8>>; 4]>;

fn words(db: &Connection) -> rusqlite::Result<Words> {
    // Read as bytes: damaged text may not be valid.
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
