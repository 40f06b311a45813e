//! State that all clones of a client share: the number of reads under way, the requests of the last moments,
//! and the longest page that the vendor fills.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::request::{Method, Request};

/// "Reads at most 4 at once."
const AT_ONCE: usize = 4;
/// Old requests are forgotten once there are this many.
const REMEMBERED: usize = 256;

#[derive(Debug)]
pub(crate) struct Gate {
    turns: Semaphore,
    /// The vendor may refuse the same request within this time.
    same: Duration,
    sent: Mutex<HashMap<u64, Instant>>,
    pages: Mutex<HashMap<String, u32>>,
}

impl Gate {
    pub(crate) fn new(same: Duration) -> Self {
        Self { turns: Semaphore::new(AT_ONCE), same, sent: Mutex::default(), pages: Mutex::default() }
    }

    /// Waits for a turn. The permit is held as long as the read is under way, including its waits. The
    /// semaphore is never closed.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.turns.acquire().await.ok()
    }

    /// Notes that the request is sent now. Returns whether it was also sent a moment ago.
    pub(crate) fn note(&self, request: &Request) -> bool {
        let (mut sent, now) = (self.sent.lock(), Instant::now());
        if sent.len() >= REMEMBERED {
            sent.retain(|_, at| now.duration_since(*at) < self.same);
        }
        sent.insert(print(request), now).is_some_and(|at| now.duration_since(at) < self.same)
    }

    /// Whether the request was sent a moment ago.
    pub(crate) fn was_sent(&self, request: &Request) -> bool {
        self.sent.lock().get(&print(request)).is_some_and(|at| at.elapsed() < self.same)
    }

    /// The vendor's limit of rows per page of this list, learned from short pages. `None`: not met yet.
    pub(crate) fn longest_page(&self, path: &str) -> Option<u32> {
        self.pages.lock().get(path).copied()
    }

    /// Notes the length of a page that was shorter than asked for although more rows follow.
    pub(crate) fn learn_page(&self, path: &str, rows: u32) {
        self.pages.lock().insert(path.to_owned(), rows.max(1));
    }
}

fn print(request: &Request) -> u64 {
    let mut hasher = DefaultHasher::new();
    (request.method == Method::Get, &request.path, &request.query, &request.body).hash(&mut hasher);
    hasher.finish()
}
