//! One computer: a journal on disk, two clocks, and a program that can be ended at any moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::office::Service;
use super::vendor::{Shown, Vendor};
use crate::engine::Operations;
use crate::evidence::snapshot::Snapshot;
use crate::journal::row::Row;
use crate::words::schedule::Schedule;
use crate::words::state::OperationId;
use crate::writes::traffic_move::TrafficMove;
use dice::Dice;

/// 2026-01-01, ms since 1970.
pub(super) const BEGIN: i64 = 1_767_225_600_000;

/// An operation whose story is over.
#[derive(Clone)]
pub(super) struct Ended {
    pub(super) id: OperationId,
    /// Whether a person's verdict is in the journal.
    pub(super) judged: bool,
    /// Whether the secrets of the created customer are in the keychain.
    pub(super) saved: bool,
}

pub(super) struct Desk {
    pub(super) operations: Operations,
    pub(super) vendor: Vendor,
    /// Operations that ended, newest last.
    pub(super) ended: Vec<Ended>,
    clocks: Arc<Clocks>,
    // Holds the program's own plans, which never run: the schedule decides what happens when.
    _idle: Runtime,
    folder: TempDir,
}

struct Clocks {
    wall: AtomicI64,
    steady: AtomicI64,
    begin: Instant,
}

impl Desk {
    /// A desk with one of the services. `key_life` is how long it knows a key, ms.
    pub(super) fn new(service: Box<dyn Service>, key_life: i64) -> Self {
        // The disk is real. If there is one in memory it is used, because its syncs cost nothing.
        let memory = std::path::Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.expect("a folder");
        let clocks = Arc::new(Clocks { wall: AtomicI64::new(BEGIN), steady: AtomicI64::new(0), begin: Instant::now() });
        let idle = idle();
        let operations = open(&folder, &clocks, &idle);
        Self { operations, vendor: Vendor::new(service, key_life), ended: Vec::new(), clocks, _idle: idle, folder }
    }

    /// Ends the program abruptly and starts it again.
    pub(super) fn crash(&mut self) {
        let idle = idle();
        self.operations = open(&self.folder, &self.clocks, &idle);
        self._idle = idle;
    }

    /// Runs a step with a runtime that takes plans and never runs them.
    pub(super) fn run<T>(&self, step: impl FnOnce(&Operations) -> T) -> T {
        let _context = self._idle.enter();
        step(&self.operations)
    }

    /// One check, compared as the program does, and how often in a row a cache has shown this snapshot, if one did.
    pub(super) fn show(&mut self, row: &Row, dice: &mut Dice) -> (Shown, Option<u8>) {
        let (operations, now) = (&self.operations, self.clocks.steady.load(Ordering::Relaxed));
        let compare = |moved: &TrafficMove, before: &Snapshot, after: &Snapshot| {
            operations.checks().compare_beside(row, (moved, before), after).expect("the journal can be read")
        };
        self.vendor.show(row, compare, dice, now)
    }

    /// Steady ms since the beginning.
    pub(super) fn now(&self) -> i64 {
        self.clocks.steady.load(Ordering::Relaxed)
    }

    /// Wall clock, ms since 1970.
    pub(super) fn wall(&self) -> i64 {
        self.clocks.wall.load(Ordering::Relaxed)
    }

    pub(super) fn pass_time(&mut self, millis: i64) {
        self.clocks.wall.fetch_add(millis, Ordering::Relaxed);
        let now = self.clocks.steady.fetch_add(millis, Ordering::Relaxed) + millis;
        self.vendor.pass_time(millis, now);
    }

    /// Sets the wall clock.
    pub(super) fn set_wall(&self, by: i64) {
        self.clocks.wall.fetch_add(by, Ordering::Relaxed);
    }
}

fn idle() -> Runtime {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime")
}

fn open(folder: &TempDir, clocks: &Arc<Clocks>, idle: &Runtime) -> Operations {
    let _context = idle.enter();
    let (wall, steady) = (clocks.clone(), clocks.clone());
    let wall = Arc::new(move || wall.wall.load(Ordering::Relaxed));
    let steady =
        Arc::new(move || steady.begin + Duration::from_millis(steady.steady.load(Ordering::Relaxed).unsigned_abs()));
    Operations::open_by(&folder.path().join("journal.db"), Schedule::default(), wall, steady).expect("a journal")
}
