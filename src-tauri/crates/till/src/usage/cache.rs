//! The stored usage report of one connection, opened when it is first needed.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{Mutex, OnceCell};
use usage::outlook::WEEKS;
use usage::{Store, StoreError};
use wire::Day;

use crate::selections::Selections;

pub(crate) struct UsageCache {
    file: PathBuf,
    /// The account that the rows belong to: those of another account must not be mixed in.
    whose: String,
    store: OnceCell<Arc<Store>>,
    /// Held while the report is read: one read at a time.
    pub(crate) reading: Mutex<()>,
    /// Held while the vendor's list of IPs is read.
    pub(crate) reading_ips: Mutex<()>,
    /// The day of the last read that reached the end of the report; `None`: none did since the start.
    pub(crate) whole: parking_lot::Mutex<Option<Day>>,
    /// The keys of the rows of each selection, in order.
    pub(crate) selected: Selections<Vec<i64>>,
}

impl UsageCache {
    /// Its name, in the connection's own folder.
    pub(crate) const FILE: &str = "cache.db";

    pub(crate) fn new(file: PathBuf, whose: String) -> Self {
        Self {
            file,
            whose,
            store: OnceCell::new(),
            reading: Mutex::default(),
            reading_ips: Mutex::default(),
            whole: parking_lot::Mutex::default(),
            selected: Selections::default(),
        }
    }

    pub(crate) async fn store(&self) -> Result<Arc<Store>, StoreError> {
        let open = || async {
            let (file, whose) = (self.file.clone(), self.whose.clone());
            let opened = tokio::task::spawn_blocking(move || open(&file, &whose)).await;
            opened.unwrap_or(Err(StoreError::TooMany)).map(Arc::new)
        };
        self.store.get_or_try_init(open).await.cloned()
    }

    /// Whether all of the report is read that an estimate needs: full weeks up to yesterday, or fewer where the report
    /// does not go back so far.
    pub(crate) fn has_weeks(&self, store: &Store, today: Day) -> Result<bool, StoreError> {
        let (first, yesterday) = (today.plus(-((WEEKS * 7) as i32)), today.plus(-1));
        let is_whole = self.whole.lock().is_some_and(|through| through >= yesterday);
        Ok(is_whole || store.covered()?.is_some_and(|(oldest, through)| oldest <= first && through >= yesterday))
    }

    /// Deletes everything stored, because it is that of another world. Waits for a read to end.
    pub(crate) async fn forget(&self) -> Result<(), StoreError> {
        let _one = self.reading.lock().await;
        let _other = self.reading_ips.lock().await;
        *self.whole.lock() = None;
        self.store().await?.clear()
    }
}

/// Opens the store. One that cannot be opened is replaced by a new one: the vendor has it all, but for IPs that it lists no more.
fn open(file: &std::path::Path, whose: &str) -> Result<Store, StoreError> {
    Store::open(file, whose).or_else(|error| {
        tracing::warn!(%error, "usage cache made anew");
        let _ = database::delete(file);
        Store::open(file, whose)
    })
}
