//! Performance marks: `PERF name nanoseconds`, counted from the start of `main`.

use std::sync::OnceLock;
use std::time::Instant;

use crate::options::Options;

static START: OnceLock<Instant> = OnceLock::new();
static WANTED: OnceLock<Option<String>> = OnceLock::new();

pub(crate) fn start() {
    START.get_or_init(Instant::now);
}

pub(crate) fn enable(options: &Options) {
    if options.perf {
        WANTED.get_or_init(|| options.perf_exit.clone());
        println!("PERF start 0");
    }
}

/// Prints a mark if marks are wanted. Ends the program after the mark that `--perf-exit` names.
pub(crate) fn mark(name: &str) {
    if let (Some(exit), Some(start)) = (WANTED.get(), START.get()) {
        println!("PERF {name} {}", start.elapsed().as_nanos());
        if exit.as_deref() == Some(name) {
            std::process::exit(0);
        }
    }
}
