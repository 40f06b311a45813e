//! One program per data folder: a file lock, and a local socket by which a second start brings the
//! first to the front.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use interprocess::local_socket::{GenericNamespaced, ListenerOptions, Name, Stream, ToNsName, prelude::*};
use sha2::{Digest, Sha256};

/// Who we are for this folder.
pub(crate) enum Claim {
    /// The one program.
    First(Only),
    /// The other one was called; this one is to end.
    Second,
}

/// Held as long as the program runs.
pub(crate) struct Only {
    _lock: File,
    calls: Option<interprocess::local_socket::Listener>,
}

pub(crate) fn claim(data_dir: &Path) -> io::Result<Claim> {
    make_private(data_dir)?;
    let lock = File::options().create(true).truncate(false).write(true).open(data_dir.join("lock"))?;
    match lock.try_lock() {
        Ok(()) => {
            // Without the socket a second start ends without a sign, which is safe.
            let calls = ListenerOptions::new().name(socket_name(data_dir)?).try_overwrite(true).create_sync().ok();
            Ok(Claim::First(Only { _lock: lock, calls }))
        }
        Err(TryLockError::WouldBlock) => {
            let _ = Stream::connect(socket_name(data_dir)?);
            Ok(Claim::Second)
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

impl Only {
    /// Runs `show` whenever a second start calls.
    pub(crate) fn when_called(self, show: impl Fn() + Send + 'static) {
        std::thread::spawn(move || {
            let Some(calls) = &self.calls else {
                // Keeps the lock.
                std::thread::park();
                return;
            };
            for call in calls.incoming() {
                if call.is_ok() {
                    show();
                }
            }
        });
    }
}

fn socket_name(data_dir: &Path) -> io::Result<Name<'static>> {
    let folder = fs::canonicalize(data_dir)?;
    let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    let short: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("proxytill-{short}").to_ns_name::<GenericNamespaced>()
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(folder)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}
