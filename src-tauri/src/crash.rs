//! Keeps an image of the memory, which may hold secrets, off the disk after a crash. On Windows the system's settings
//! decide.

/// Turns off core files, for this program and those that it starts. Leaves `PR_SET_DUMPABLE` alone: without it the
/// desktop's portals refuse the program, because they cannot read who is asking.
#[cfg(unix)]
pub(crate) fn leave_no_core() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    if let Err(error) = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }) {
        eprintln!("core files cannot be turned off: {error}");
    }
}

/// Does nothing: on Windows its own settings decide what is written.
#[cfg(not(unix))]
pub(crate) fn leave_no_core() {}
