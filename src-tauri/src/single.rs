//! One program per data folder: a file lock, and a local socket by which a second start brings the first one to the
//! front.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use interprocess::local_socket::{GenericNamespaced, ListenerOptions, Name, Stream, ToNsName, prelude::*};
use sha2::{Digest, Sha256};

/// The result of a claim on a folder.
pub(crate) enum Claim {
    /// This is the only program.
    First(Only),
    /// Another program has the folder and was called; this one should end.
    Second,
}

/// The claim, held as long as the program runs.
pub(crate) struct Only {
    lock: File,
    calls: Option<interprocess::local_socket::Listener>,
}

/// The time between two tries to claim a folder.
const AGAIN: Duration = Duration::from_millis(50);

/// Claims the folder, and waits up to `patience` for another program to release it. `former` is the folder of an
/// earlier version; it is renamed to today's name, unless that version is running.
pub(crate) fn claim(data_dir: &Path, former: Option<&Path>, patience: Duration) -> io::Result<Claim> {
    if let Some(former) = former.filter(|former| former.is_dir() && !data_dir.exists()) {
        match claim_folder(former, patience)? {
            Claim::Second => return Ok(Claim::Second),
            // Release it first: Windows does not rename a folder in which a file is open.
            Claim::First(only) => drop(only),
        }
        // Another start may have been quicker.
        files::rename(former, data_dir).or_else(|error| if data_dir.exists() { Ok(()) } else { Err(error) })?;
    }
    claim_folder(data_dir, patience)
}

fn claim_folder(data_dir: &Path, patience: Duration) -> io::Result<Claim> {
    let end = Instant::now() + patience;
    files::make_private_folder(data_dir)?;
    let lock = File::options().create(true).truncate(false).write(true).open(data_dir.join("lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(Claim::First(Only { lock, calls: listen(data_dir) })),
        Err(TryLockError::WouldBlock) if Instant::now() < end => {
            std::thread::sleep(AGAIN);
            claim_folder(data_dir, end.saturating_duration_since(Instant::now()))
        }
        Err(TryLockError::WouldBlock) => {
            let _ = Stream::connect(socket_name(data_dir)?);
            Ok(Claim::Second)
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

impl Only {
    /// Runs `show` whenever a second start calls. Keeps the folder claimed until the program ends.
    pub(crate) fn when_called(self, show: impl Fn() + Send + 'static) {
        // The folder stays claimed even if no calls can be received.
        std::mem::forget(self.lock);
        let Some(calls) = self.calls else { return };
        std::thread::spawn(move || {
            for call in calls.incoming() {
                match call {
                    Ok(_) => show(),
                    Err(_) => std::thread::sleep(AGAIN),
                }
            }
        });
    }
}

/// Opens the socket that a second start calls; `None` if it cannot be opened. A second start then ends without a sign,
/// which is safe. The name may still be in use for a moment after a program has ended.
fn listen(data_dir: &Path) -> Option<interprocess::local_socket::Listener> {
    const TRIES: u32 = 20;
    let name = socket_name(data_dir).ok()?;
    let listen = || ListenerOptions::new().name(name.clone()).try_overwrite(true).create_sync().ok();
    (0..TRIES).find_map(|tried| {
        if tried > 0 {
            std::thread::sleep(AGAIN);
        }
        listen()
    })
}

fn socket_name(data_dir: &Path) -> io::Result<Name<'static>> {
    let folder = fs::canonicalize(data_dir)?;
    let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    format!("proxytill-{}", hex::encode(&digest[..12])).to_ns_name::<GenericNamespaced>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_an_earlier_version_gets_the_name_of_today_unless_that_version_runs() {
        let base = tempfile::tempdir().unwrap();
        let [today, former] = ["app.today", "app.former"].map(|name| base.path().join(name));
        let is_first = |claim: io::Result<Claim>| matches!(claim.unwrap(), Claim::First(_));
        fs::create_dir(&former).unwrap();
        fs::write(former.join("app.db"), "kept").unwrap();
        let running = claim(&former, None, Duration::ZERO).unwrap();
        assert!(!is_first(claim(&today, Some(&former), Duration::ZERO)), "its window comes to the front");
        assert!(!today.exists() && former.join("app.db").exists());
        drop(running);
        assert!(is_first(claim(&today, Some(&former), Duration::ZERO)));
        assert_eq!(fs::read_to_string(today.join("app.db")).unwrap(), "kept");
        assert!(!former.exists());
        // A former folder that comes back later, from a backup or an older program, changes nothing.
        fs::create_dir(&former).unwrap();
        assert!(is_first(claim(&today, Some(&former), Duration::ZERO)));
        assert!(former.exists());
    }

    #[test]
    fn a_folder_stays_claimed_while_the_program_waits_for_calls() {
        let base = tempfile::tempdir().unwrap();
        let Claim::First(only) = claim(base.path(), None, Duration::ZERO).unwrap() else { panic!("nobody else") };
        let (called, calls) = std::sync::mpsc::channel();
        only.when_called(move || called.send(()).unwrap());
        for _ in 0..3 {
            assert!(matches!(claim(base.path(), None, Duration::ZERO).unwrap(), Claim::Second));
            calls.recv_timeout(Duration::from_secs(30)).unwrap();
        }
    }
}
