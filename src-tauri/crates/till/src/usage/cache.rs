//! The kept usage of one connection, opened when it is first asked for.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{Mutex, OnceCell};
use usage::{Store, StoreError};

/// The number of a choice, and the keys of its rows.
type Choice = (u32, Arc<Vec<i64>>);

const CHOICES: usize = 3;

pub(crate) struct UsageCache {
    file: PathBuf,
    /// Where the rows come from: those of another service are no rows of this one.
    whose: String,
    store: OnceCell<Arc<Store>>,
    /// One reading at a time.
    pub(crate) reading: Mutex<()>,
    /// The rows that the window scrolls over, in their order; the last choices with their numbers.
    selected: parking_lot::Mutex<VecDeque<Choice>>,
}

impl UsageCache {
    pub(crate) fn new(file: PathBuf, whose: String) -> Self {
        Self { file, whose, store: OnceCell::new(), reading: Mutex::default(), selected: parking_lot::Mutex::default() }
    }

    pub(crate) async fn store(&self) -> Result<Arc<Store>, StoreError> {
        let open = || async {
            let (file, whose) = (self.file.clone(), self.whose.clone());
            let opened = tokio::task::spawn_blocking(move || open(&file, &whose)).await;
            opened.unwrap_or(Err(StoreError::TooMany)).map(Arc::new)
        };
        self.store.get_or_try_init(open).await.cloned()
    }
}

impl UsageCache {
    /// Keeps a choice of rows and numbers it. Answers may come in another order than their questions:
    /// the last few stay.
    pub(crate) fn choose(&self, keys: Vec<i64>) -> u32 {
        let mut selected = self.selected.lock();
        let number = selected.back().map_or(1, |(number, _)| number.wrapping_add(1));
        selected.push_back((number, Arc::new(keys)));
        if selected.len() > CHOICES {
            selected.pop_front();
        }
        number
    }

    /// One of the last choices.
    pub(crate) fn chosen(&self, number: u32) -> Option<Arc<Vec<i64>>> {
        let selected = self.selected.lock();
        selected.iter().find(|choice| choice.0 == number).map(|choice| choice.1.clone())
    }
}

/// A cache that cannot be opened is made anew: the vendor has it all.
fn open(file: &std::path::Path, whose: &str) -> Result<Store, StoreError> {
    Store::open(file, whose).or_else(|error| {
        tracing::warn!(%error, "usage cache made anew");
        let _ = database::delete(file);
        Store::open(file, whose)
    })
}
