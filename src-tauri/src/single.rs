//! One program per data folder: a file lock, and a local socket by which a second start brings the first one to the
//! front.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use interprocess::local_socket::{GenericFilePath, GenericNamespaced, ListenerOptions, Name, Stream, prelude::*};
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

/// The time between two tries to claim a folder, to open the socket or to call.
const AGAIN: Duration = Duration::from_millis(50);
/// Number of tries to open the socket or to call.
const TRIES: u32 = 20;

/// Claims the folder, and waits up to `patience` for another program to release it. `former` is the folder of an
/// earlier version; it is renamed to today's name, unless that version is running.
pub(crate) fn claim(data_dir: &Path, former: Option<&Path>, patience: Duration) -> io::Result<Claim> {
    if let Some(former) = former.filter(|former| former.is_dir() && !data_dir.exists()) {
        match claim_folder(former, patience, &mut std::thread::sleep)? {
            Claim::Second => return Ok(Claim::Second),
            // Release it first: Windows does not rename a folder in which a file is open.
            Claim::First(only) => drop(only),
        }
        // Another start may have been quicker.
        files::rename(former, data_dir).or_else(|error| if data_dir.exists() { Ok(()) } else { Err(error) })?;
    }
    claim_folder(data_dir, patience, &mut std::thread::sleep)
}

/// `wait` passes the time between two tries.
fn claim_folder(data_dir: &Path, patience: Duration, wait: &mut dyn FnMut(Duration)) -> io::Result<Claim> {
    let end = Instant::now() + patience;
    files::make_private_folder(data_dir)?;
    let lock = File::options().create(true).truncate(false).write(true).open(data_dir.join("lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(Claim::First(Only { lock, calls: listen(data_dir) })),
        Err(TryLockError::WouldBlock) if Instant::now() < end => {
            wait(AGAIN);
            claim_folder(data_dir, end.saturating_duration_since(Instant::now()), wait)
        }
        Err(TryLockError::WouldBlock) => {
            call(socket_name(data_dir)?);
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
                    Ok(caller) => {
                        drop(caller);
                        show();
                    }
                    Err(_) => std::thread::sleep(AGAIN),
                }
            }
        });
    }
}

/// Calls the program that has the folder, and waits until it has taken the call: on Windows a connection that is closed at
/// once is lost, and between two calls nothing listens for a moment. A program that does not answer is left alone.
fn call(name: Name<'static>) {
    const PATIENCE: Duration = Duration::from_secs(2);
    let (taken, answer) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let connect = || {
            (0..TRIES).find_map(|tried| {
                pause_before(tried);
                Stream::connect(name.clone()).ok()
            })
        };
        // The other program says nothing; it ends the connection.
        let _ = connect().map(|mut stream| stream.read(&mut [0]));
        let _ = taken.send(());
    });
    let _ = answer.recv_timeout(PATIENCE);
}

/// Opens the socket that a second start calls; `None` if it cannot be opened. A second start then ends without a sign,
/// which is safe. The name may still be in use for a moment after a program has ended.
fn listen(data_dir: &Path) -> Option<interprocess::local_socket::Listener> {
    listen_at(&socket_name(data_dir).ok()?)
}

fn listen_at(name: &Name<'_>) -> Option<interprocess::local_socket::Listener> {
    let listen = || ListenerOptions::new().name(name.clone()).try_overwrite(true).create_sync().ok();
    (0..TRIES).find_map(|tried| {
        pause_before(tried);
        listen()
    })
}

fn pause_before(tried: u32) {
    if tried > 0 {
        std::thread::sleep(AGAIN);
    }
}

fn socket_name(data_dir: &Path) -> io::Result<Name<'static>> {
    let folder = fs::canonicalize(data_dir)?;
    let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    let name = format!("proxytill-{}", hex::encode(&digest[..12]));
    // macOS would put a name into /tmp, where every user may take it first.
    if cfg!(target_os = "macos") {
        socket_path(&folder, &std::env::temp_dir(), &name).to_fs_name::<GenericFilePath>()
    } else {
        name.to_ns_name::<GenericNamespaced>()
    }
}

/// Path of the socket on macOS: in the data folder, which no other user can enter. A path may have 103 bytes there; if
/// it is longer, the socket is under `name` in the user's own temporary folder, whose path is short. If that is too long
/// as well, the socket is not opened, and a second start ends without a sign.
fn socket_path(folder: &Path, temporary: &Path, name: &str) -> PathBuf {
    const MOST: usize = 103;
    let inside = folder.join("calls");
    if inside.as_os_str().len() <= MOST { inside } else { temporary.join(name) }
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
    fn a_program_that_starts_again_waits_for_the_one_before_as_long_as_its_patience() {
        let base = tempfile::tempdir().unwrap();
        let mut running = Some(claim(base.path(), None, Duration::ZERO).unwrap());
        let mut waits = 0;
        let impatient = claim_folder(base.path(), Duration::ZERO, &mut |_| waits += 1).unwrap();
        assert!(matches!(impatient, Claim::Second) && waits == 0);
        let mut waited = |pause| {
            waits += 1;
            std::thread::sleep(pause);
        };
        let soon = claim_folder(base.path(), AGAIN * 2, &mut waited).unwrap();
        assert!(matches!(soon, Claim::Second) && waits > 0);
        waits = 0;
        let mut end_at_the_third = |_| {
            waits += 1;
            running.take_if(|_| waits == 3);
        };
        let restarted = claim_folder(base.path(), Duration::from_secs(30), &mut end_at_the_third).unwrap();
        assert!(matches!(restarted, Claim::First(_)) && waits == 3);
    }

    #[test]
    fn on_macos_the_socket_is_in_the_data_folder_unless_its_path_is_too_long() {
        let path = |folder: &str| socket_path(folder.as_ref(), "/var/folders/ab/T".as_ref(), "proxytill-1");
        let usual = "/Users/a/Library/Application Support/app.proxytill.Proxytill";
        assert_eq!(path(usual), Path::new(usual).join("calls"));
        let [longest, too_long] = [97, 98].map(|length| format!("/{}", "x".repeat(length - 1)));
        assert_eq!(path(&longest).as_os_str().len(), 103);
        assert_eq!(path(&too_long), Path::new("/var/folders/ab/T/proxytill-1"));
        // Letters count as bytes.
        assert_eq!(path(&format!("/{}", "张".repeat(33))), Path::new("/var/folders/ab/T/proxytill-1"));
    }

    // Windows has no sockets in folders.
    #[test]
    #[cfg(unix)]
    fn a_socket_in_a_folder_takes_calls_and_takes_the_place_of_one_that_was_left_behind() {
        let base = tempfile::tempdir().unwrap();
        let path = socket_path(base.path(), base.path(), "unused");
        let name = path.as_path().to_fs_name::<GenericFilePath>().unwrap();
        // A program that was killed leaves its socket.
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists() && Stream::connect(name.clone()).is_err());
        let lock = File::create(base.path().join("lock")).unwrap();
        let (called, calls) = std::sync::mpsc::channel();
        Only { lock, calls: Some(listen_at(&name).unwrap()) }.when_called(move || called.send(()).unwrap());
        Stream::connect(name).unwrap();
        calls.recv_timeout(Duration::from_secs(30)).unwrap();
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
