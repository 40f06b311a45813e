//! `app.db`: connections, settings, the window's place. No secrets.

use std::path::{Path, PathBuf};

use database::backup::{self, Backup};
use database::stamp;
use database::tables::{self, Versions};
use operations::Restoration;
use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, params};
use rusqlite_migration::{M, Migrations};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::clock::wall_clock;
use crate::connections::ConnectionView;
use crate::error::{Code, CommandError, is_newer};

const SCHEMA: &str = "
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE connection (id TEXT PRIMARY KEY, position INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
";

/// The setting that records what was done about damage.
const RESTORED: &str = "restored";

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("app.db: {0}")]
    Storage(#[from] rusqlite::Error),
    #[error("app.db: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    #[error("app.db: {0}")]
    Json(#[from] serde_json::Error),
    #[error("app.db: {0}")]
    Files(#[from] std::io::Error),
    #[error("app.db is damaged")]
    Damaged,
}

impl StoreError {
    fn is_damage(&self) -> bool {
        match self {
            Self::Json(_) | Self::Damaged => true,
            Self::Storage(error) | Self::Migration(rusqlite_migration::Error::RusqliteError { err: error, .. }) => {
                database::is_damage(error)
            }
            _ => false,
        }
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Migration(wrong) if is_newer(wrong) => Self::technical(Code::NewerData, &error),
            _ => Self::internal(&error),
        }
    }
}

/// The place and size of the window, in physical pixels.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Geometry {
    /// Distance from the left edge of the screens.
    pub x: i32,
    /// Distance from their top edge.
    pub y: i32,
    /// The width without the frame.
    pub width: u32,
    /// The height without the title bar.
    pub height: u32,
}

pub(crate) struct Store {
    db: Mutex<Connection>,
    /// One change of a setting at a time.
    changing: Mutex<()>,
    backups: PathBuf,
}

impl Store {
    /// Opens the file. A damaged file is set aside, and its newest backup takes its place. `now` is the wall clock, in
    /// ms since 1970.
    pub(crate) fn open(file: &Path, now: i64) -> Result<Self, StoreError> {
        let folder = backups_of(file);
        let backups = backup::all(&folder)?;
        let is_lost = database::is_new(file)? && !backups.is_empty();
        let found = if is_lost { Err(StoreError::Damaged) } else { Self::sound(file) };
        let (store, restored) = match found {
            Err(damage) if damage.is_damage() => (Self::restore(file, &backups, now)?, true),
            found => (found?, false),
        };
        if restored || backup::is_due(backups.first().map(|last| last.at), now) {
            store.back_up(now);
        }
        Ok(store)
    }

    fn restore(file: &Path, backups: &[Backup], now: i64) -> Result<Self, StoreError> {
        let aside = database::set_aside(file, now)?;
        let restored = backup::restore_newest(backups, file, Self::sound, StoreError::is_damage)?;
        let backup = restored.as_ref().map(|(_, backup)| backup.at);
        let store = restored.map_or_else(|| Self::sound(file), |(store, _)| Ok(store))?;
        let aside = Some(aside.to_string_lossy().into_owned());
        store.set_setting(RESTORED, &Restoration { at: now, aside, backup, sends: 0, complete: true, anchor: None })?;
        Ok(store)
    }

    /// The unread restoration of this file; `None` if there is none.
    pub(crate) fn restored(&self) -> Result<Option<Restoration>, StoreError> {
        self.setting(RESTORED)
    }

    pub(crate) fn restored_seen(&self) -> Result<(), StoreError> {
        self.remove_setting(RESTORED)
    }

    /// Opens a file and checks that all of it can be read.
    fn sound(file: &Path) -> Result<Self, StoreError> {
        if !database::has_sound_head(file)? {
            return Err(StoreError::Damaged);
        }
        let mut db = Connection::open(file)?;
        files::only_for_this_user(file)?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        // On macOS a plain sync leaves the bytes in the disk's own cache.
        db.pragma_update(None, "fullfsync", "ON")?;
        db.pragma_update(None, "checkpoint_fullfsync", "ON")?;
        db.pragma_update(None, "busy_timeout", "5000")?;
        if !database::is_sound(&db)? {
            return Err(StoreError::Damaged);
        }
        let migrations = Migrations::new(vec![M::up(SCHEMA)]);
        if !tables::bring_up_to_date(&mut db, &migrations, &Versions::of(&migrations)?)? {
            return Err(StoreError::Damaged);
        }
        let store = Self { db: Mutex::new(db), changing: Mutex::default(), backups: backups_of(file) };
        store.connections()?;
        for name in store.names()? {
            store.setting::<IgnoredAny>(&name)?;
        }
        Ok(store)
    }

    fn names(&self) -> Result<Vec<String>, StoreError> {
        let db = self.db.lock();
        let mut query = db.prepare("SELECT name FROM setting")?;
        Ok(query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    pub(crate) fn setting<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let query = "SELECT value FROM setting WHERE name = ?1";
        let text: Option<String> = self.db.lock().query_row(query, [name], |row| row.get(0)).optional()?;
        Ok(text.map(|text| stamp::read(&text)).transpose()?)
    }

    pub(crate) fn set_setting(&self, name: &str, value: &impl Serialize) -> Result<(), StoreError> {
        let text = stamp::stamped(&serde_json::to_string(value)?);
        let upsert = "INSERT INTO setting VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2";
        self.db.lock().execute(upsert, params![name, text])?;
        Ok(())
    }

    /// Changes a setting that is a list, in one step.
    pub(crate) fn change_setting<T: DeserializeOwned + Serialize + Default>(
        &self,
        name: &str,
        change: impl FnOnce(&mut T),
    ) -> Result<(), StoreError> {
        let _one = self.changing.lock();
        let mut value = self.setting(name)?.unwrap_or_default();
        change(&mut value);
        self.set_setting(name, &value)
    }

    pub(crate) fn remove_setting(&self, name: &str) -> Result<(), StoreError> {
        self.db.lock().execute("DELETE FROM setting WHERE name = ?1", [name])?;
        Ok(())
    }

    pub(crate) fn geometry(&self) -> Result<Option<Geometry>, StoreError> {
        self.setting("window")
    }

    pub(crate) fn set_geometry(&self, geometry: Geometry) -> Result<(), StoreError> {
        self.set_setting("window", &geometry)
    }

    pub(crate) fn connections(&self) -> Result<Vec<ConnectionView>, StoreError> {
        let db = self.db.lock();
        let mut query = db.prepare("SELECT body FROM connection ORDER BY position")?;
        let bodies: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(bodies.iter().map(|body| stamp::read(body)).collect::<Result<_, _>>()?)
    }

    pub(crate) fn save_connection(&self, connection: &ConnectionView) -> Result<(), StoreError> {
        let body = stamp::stamped(&serde_json::to_string(connection)?);
        self.db.lock().execute(
            "INSERT INTO connection VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM connection), ?2)
             ON CONFLICT (id) DO UPDATE SET body = ?2",
            params![connection.id, body],
        )?;
        self.back_up(wall_clock());
        Ok(())
    }

    /// Makes a backup. Without the newest connection in it, a restored file would show that one as another, without its
    /// journal.
    fn back_up(&self, now: i64) {
        let made = backup::next_number(&self.backups).map_err(Into::into);
        let made = made.and_then(|number| backup::make(&self.db.lock(), &self.backups, number, now));
        if let Err(error) = made {
            tracing::warn!(%error, "no backup of app.db");
        }
    }

    pub(crate) fn remove_connection(&self, id: &str) -> Result<(), StoreError> {
        self.db.lock().execute("DELETE FROM connection WHERE id = ?1", [id])?;
        self.back_up(wall_clock());
        Ok(())
    }
}

fn backups_of(file: &Path) -> PathBuf {
    file.with_extension("backups")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One day, in ms.
    const DAY: i64 = 24 * 60 * 60 * 1000;

    #[test]
    fn every_change_reaches_the_disk_before_it_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("app.db"), 0).unwrap();
        let db = store.db.lock();
        let pragma = |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(pragma("synchronous"), 2, "FULL");
        assert_eq!((pragma("fullfsync"), pragma("checkpoint_fullfsync")), (1, 1));
    }

    #[test]
    fn settings_survive_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("app.db");
        Store::open(&file, 0).unwrap().set_setting("language", &"zh-CN").unwrap();
        assert_eq!(Store::open(&file, 0).unwrap().setting::<String>("language").unwrap().as_deref(), Some("zh-CN"));
        assert_eq!(Store::open(&file, 0).unwrap().setting::<String>("other").unwrap(), None);
    }

    #[test]
    fn one_changed_bit_of_the_file_brings_the_backup_back_or_changes_no_setting() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("app.db");
        let language = |store: &Store| store.setting::<String>("language").unwrap();
        Store::open(&file, 0).unwrap().set_setting("language", &"zh-CN").unwrap();
        drop(Store::open(&file, DAY).unwrap());
        let sound = std::fs::read(&file).unwrap();
        let mut restored = 0;
        for at in (0..800).chain((800..8 * sound.len()).step_by(57)) {
            let mut bytes = sound.clone();
            bytes[at / 8] ^= 1 << (at % 8);
            std::fs::write(&file, bytes).unwrap();
            let store = Store::open(&file, DAY).unwrap_or_else(|error| panic!("bit {at}: {error}"));
            assert_eq!(language(&store).as_deref(), Some("zh-CN"), "bit {at}");
            restored += usize::from(store.restored().unwrap().is_some());
        }
        assert!(restored > 0, "some of it mattered");
    }

    #[test]
    fn a_file_that_is_gone_or_empty_beside_its_backups_is_no_new_one() {
        for empty in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("app.db");
            Store::open(&file, 0).unwrap().set_setting("language", &"zh-CN").unwrap();
            drop(Store::open(&file, DAY).unwrap());
            std::fs::remove_file(&file).unwrap();
            if empty {
                std::fs::write(&file, b"").unwrap();
            }
            let store = Store::open(&file, DAY).unwrap();
            assert_eq!(store.setting::<String>("language").unwrap().as_deref(), Some("zh-CN"), "{empty}");
            assert!(store.restored().unwrap().is_some(), "{empty}");
        }
    }

    #[test]
    fn what_was_done_is_told_until_somebody_has_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("app.db");
        std::fs::write(&file, b"a letter").unwrap();
        let store = Store::open(&file, 7).unwrap();
        let told = store.restored().unwrap().unwrap();
        assert_eq!((told.at, told.backup), (7, None));
        let aside = Path::new(&told.aside.unwrap()).join("app.db");
        assert_eq!(std::fs::read(aside).unwrap(), b"a letter");
        store.restored_seen().unwrap();
        assert_eq!(store.restored().unwrap(), None);
    }
}
