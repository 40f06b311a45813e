//! The waits that the vendor asked for, so that they can be shown or stopped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

/// Shared by all clients whose waits are shown together.
#[derive(Clone, Debug, Default)]
pub struct Waits(Arc<Board>);

#[derive(Debug, Default)]
struct Board {
    ends: Mutex<Vec<Instant>>,
    soonest: watch::Sender<Option<Instant>>,
    stop: Notify,
}

impl Waits {
    /// The time when the first wait ends; `None` when nothing waits.
    pub fn soonest(&self) -> watch::Receiver<Option<Instant>> {
        self.0.soonest.subscribe()
    }

    /// Ends all waits: each read returns the vendor's refusal.
    pub fn stop(&self) {
        self.0.stop.notify_waiters();
    }

    /// Waits. Returns whether the whole time passed.
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
    fn tell(&self, ends: &[Instant]) {
        let soonest = ends.iter().min().copied();
        self.soonest.send_if_modified(|told| std::mem::replace(told, soonest) != soonest);
    }
}

/// A wait that is shown until it ends or its read is dropped.
struct Shown<'a> {
    board: &'a Board,
    end: Instant,
}

impl<'a> Shown<'a> {
    fn new(board: &'a Board, end: Instant) -> Self {
        let mut ends = board.ends.lock();
        ends.push(end);
        board.tell(&ends);
        Self { board, end }
    }
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        let mut ends = self.board.ends.lock();
        if let Some(own) = ends.iter().position(|end| *end == self.end) {
            ends.swap_remove(own);
        }
        self.board.tell(&ends);
    }
}
