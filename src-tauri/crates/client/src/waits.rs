//! The waits that the vendor asked for: for whoever wants to see them, or to stop them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};

/// One for as many clients as a person watches together.
#[derive(Clone, Debug, Default)]
pub struct Waits(Arc<Board>);

#[derive(Debug, Default)]
struct Board {
    ends: Mutex<Vec<Instant>>,
    soonest: watch::Sender<Option<Instant>>,
    stop: Notify,
}

impl Waits {
    /// When the first of them ends; `None`: nothing waits.
    pub fn soonest(&self) -> watch::Receiver<Option<Instant>> {
        self.0.soonest.subscribe()
    }

    /// Ends all of them: each read has the vendor's refusal for its answer.
    pub fn stop(&self) {
        self.0.stop.notify_waiters();
    }

    /// Returns whether it was waited to the end.
    pub(crate) async fn wait(&self, time: Duration) -> bool {
        let stopped = self.0.stop.notified();
        let _shown = Shown::new(&self.0, Instant::now() + time);
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            () = stopped => false,
        }
    }
}

impl Board {
    fn ends(&self) -> MutexGuard<'_, Vec<Instant>> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, ends: &[Instant]) {
        let soonest = ends.iter().min().copied();
        self.soonest.send_if_modified(|told| std::mem::replace(told, soonest) != soonest);
    }
}

/// A wait that can be seen, until it ends or its read is given up.
struct Shown<'a> {
    board: &'a Board,
    end: Instant,
}

impl<'a> Shown<'a> {
    fn new(board: &'a Board, end: Instant) -> Self {
        let mut ends = board.ends();
        ends.push(end);
        board.tell(&ends);
        Self { board, end }
    }
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        let mut ends = self.board.ends();
        if let Some(own) = ends.iter().position(|end| *end == self.end) {
            ends.swap_remove(own);
        }
        self.board.tell(&ends);
    }
}
