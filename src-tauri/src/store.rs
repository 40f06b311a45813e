//! `app.db`: connections, settings, the window's place. No secrets.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};
use rusqlite_migration::{M, Migrations};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::connections::ConnectionView;

const SCHEMA: &str = "
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE connection (id TEXT PRIMARY KEY, position INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
";

/// The file can not be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("app.db: {0}")]
    Storage(#[from] rusqlite::Error),
    #[error("app.db: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    #[error("app.db: {0}")]
    Json(#[from] serde_json::Error),
}

/// Place and size of the window, physical pixels.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Geometry {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

pub(crate) struct Store(Mutex<Connection>);

impl Store {
    pub(crate) fn open(file: &Path) -> Result<Self, StoreError> {
        let mut db = Connection::open(file)?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        db.pragma_update(None, "busy_timeout", "5000")?;
        Migrations::new(vec![M::up(SCHEMA)]).to_latest(&mut db)?;
        Ok(Self(Mutex::new(db)))
    }

    fn db(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn setting<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let query = "SELECT value FROM setting WHERE name = ?1";
        let text: Option<String> = self.db().query_row(query, [name], |row| row.get(0)).optional()?;
        Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
    }

    pub(crate) fn set_setting(&self, name: &str, value: &impl Serialize) -> Result<(), StoreError> {
        let text = serde_json::to_string(value)?;
        let upsert = "INSERT INTO setting VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2";
        self.db().execute(upsert, params![name, text])?;
        Ok(())
    }

    pub(crate) fn geometry(&self) -> Result<Option<Geometry>, StoreError> {
        self.setting("window")
    }

    pub(crate) fn set_geometry(&self, geometry: Geometry) -> Result<(), StoreError> {
        self.set_setting("window", &geometry)
    }

    pub(crate) fn connections(&self) -> Result<Vec<ConnectionView>, StoreError> {
        let db = self.db();
        let mut query = db.prepare("SELECT body FROM connection ORDER BY position")?;
        let bodies: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(bodies.iter().map(|body| serde_json::from_str(body)).collect::<Result<_, _>>()?)
    }

    pub(crate) fn save_connection(&self, connection: &ConnectionView) -> Result<(), StoreError> {
        let body = serde_json::to_string(connection)?;
        self.db().execute(
            "INSERT INTO connection VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM connection), ?2)
             ON CONFLICT (id) DO UPDATE SET body = ?2",
            params![connection.id, body],
        )?;
        Ok(())
    }

    pub(crate) fn remove_connection(&self, id: &str) -> Result<(), StoreError> {
        self.db().execute("DELETE FROM connection WHERE id = ?1", [id])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("app.db");
        Store::open(&file).unwrap().set_setting("language", &"zh-CN").unwrap();
        assert_eq!(Store::open(&file).unwrap().setting::<String>("language").unwrap().as_deref(), Some("zh-CN"));
        assert_eq!(Store::open(&file).unwrap().setting::<String>("other").unwrap(), None);
    }
}
