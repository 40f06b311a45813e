//! What all clones of a client share: how many reads are under way, what was asked a moment ago, how few rows
//! the vendor puts on a page.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::request::{Method, Request};

/// "Reads at most 4 at once."
const AT_ONCE: usize = 4;
/// Requests that are over are forgotten when there are so many.
const REMEMBERED: usize = 256;

#[derive(Debug)]
pub(crate) struct Gate {
    turns: Semaphore,
    /// The same request within this time may be refused.
    same: Duration,
    sent: Mutex<HashMap<u64, Instant>>,
    pages: Mutex<HashMap<String, u32>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gate {
    pub(crate) fn new(same: Duration) -> Self {
        Self { turns: Semaphore::new(AT_ONCE), same, sent: Mutex::default(), pages: Mutex::default() }
    }

    /// Held for as long as a read is under way, its waits too. Nobody closes it.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.turns.acquire().await.ok()
    }

    /// Remembers that it is sent now. Returns whether it was sent a moment before.
    pub(crate) fn note(&self, request: &Request) -> bool {
        let (mut sent, now) = (lock(&self.sent), Instant::now());
        if sent.len() >= REMEMBERED {
            sent.retain(|_, at| now.duration_since(*at) < self.same);
        }
        sent.insert(print(request), now).is_some_and(|at| now.duration_since(at) < self.same)
    }

    /// Whether it was sent a moment before.
    pub(crate) fn was_sent(&self, request: &Request) -> bool {
        lock(&self.sent).get(&print(request)).is_some_and(|at| at.elapsed() < self.same)
    }

    /// Rows that the vendor puts on a page of this list at most, as far as it has shown.
    pub(crate) fn longest_page(&self, path: &str) -> Option<u32> {
        lock(&self.pages).get(path).copied()
    }

    /// A page that was not the last held only so many rows.
    pub(crate) fn learn_page(&self, path: &str, rows: u32) {
        lock(&self.pages).insert(path.to_owned(), rows.max(1));
    }
}

fn print(request: &Request) -> u64 {
    let mut hasher = DefaultHasher::new();
    (request.method == Method::Get, &request.path, &request.query, &request.body).hash(&mut hasher);
    hasher.finish()
}
