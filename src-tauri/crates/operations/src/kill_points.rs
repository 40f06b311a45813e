//! Marked points of a write and of a restoration. A test ends the program exactly there. Released programs contain none
//! of it.

/// The points, in the order in which a write passes them, then those of a backup and a restoration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// The confirmation is spent, nothing is written.
    Confirmed,
    /// `prepared` is durable.
    Prepared,
    /// `sending` is durable in the journal.
    Sending,
    /// The send is in the record as well.
    Recorded,
    /// The answer is here, none of it is stored.
    Answered,
    /// The secrets of the answer are stored, its class is not.
    Saved,
    /// The class of the answer is durable, but has not been reported.
    Settled,
    /// The window was informed.
    Told,
    /// A check was read, none of it is stored.
    Checked,
    /// The result of the check is durable.
    Decided,
    /// A row of a bulk is durable in `sending` and recorded.
    Turned,
    /// A bulk is durable, none of its rows has begun.
    Bulk,
    /// A record of sends has begun, its backup is not made yet.
    Begun,
    /// A restored journal is backed up, the damaged files are still in its place.
    Ready,
    /// The damaged files are aside, nothing is in their place.
    Aside,
}

/// In a program under test: kills it (`kill -9`), once, at the point named in the file that `PROXYTILL_KILL_AT` names.
/// With a second line in that file, the task panics with that line instead.
#[cfg(any(debug_assertions, feature = "under-test"))]
#[allow(clippy::panic, reason = "what a test asks for; what is shipped has none of it")]
pub(crate) fn reached(point: Point) {
    let Some(file) = std::env::var_os("PROXYTILL_KILL_AT") else { return };
    let Ok(asked) = std::fs::read_to_string(&file) else { return };
    let (at, words) = asked.split_once('\n').map_or((asked.as_str(), None), |(at, words)| (at, Some(words)));
    if at != format!("{point:?}") {
        return;
    }
    // Only the caller that removes the file ends the program.
    match (std::fs::remove_file(&file), words) {
        (Err(_), _) => {}
        (Ok(()), Some(words)) => panic!("{words}"),
        (Ok(()), None) => kill(),
    }
}

#[cfg(all(unix, any(debug_assertions, feature = "under-test")))]
fn kill() {
    let _ = std::process::Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
}

/// Windows ends a program that aborts at once, without running any of its code, as it does one that is killed.
#[cfg(all(not(unix), any(debug_assertions, feature = "under-test")))]
fn kill() {
    std::process::abort();
}

#[cfg(not(any(debug_assertions, feature = "under-test")))]
pub(crate) fn reached(_point: Point) {}
