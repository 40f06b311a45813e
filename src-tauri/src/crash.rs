//! A crash leaves no image of the memory, where secrets may stand.

/// No core file is written, of this program and of those that it starts. `PR_SET_DUMPABLE` is left alone: without it
/// the desktop's portals refuse a program, for they cannot read who asks.
#[cfg(unix)]
pub(crate) fn leave_no_core() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    if let Err(error) = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }) {
        eprintln!("core files cannot be turned off: {error}");
    }
}

/// Windows writes what its own settings say.
#[cfg(not(unix))]
pub(crate) fn leave_no_core() {}
