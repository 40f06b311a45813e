//! Files that another program holds for a moment. On Windows a virus scanner or an indexer opens a file that was just
//! written, and until it is done the file can be neither renamed nor deleted.

use std::io;
use std::thread;
use std::time::Duration;

/// `ERROR_ACCESS_DENIED`, `ERROR_SHARING_VIOLATION` and `ERROR_LOCK_VIOLATION`. The first also means that permissions
/// are missing: then the person waits [`LONGEST`] for the error.
const HELD: [i32; 3] = [5, 32, 33];
/// The pause before the second try. Each next one is twice as long.
const FIRST: Duration = Duration::from_millis(10);
/// All pauses together, at most.
const LONGEST: Duration = Duration::from_secs(2);

/// Acts, and acts again while another program holds the file.
///
/// # Errors
/// The error of the last try.
pub(crate) fn patiently<T>(act: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    repeat(is_held, thread::sleep, act)
}

fn is_held(error: &io::Error) -> bool {
    cfg!(windows) && error.raw_os_error().is_some_and(|code| HELD.contains(&code))
}

fn repeat<T>(
    is_held: impl Fn(&io::Error) -> bool,
    mut wait: impl FnMut(Duration),
    mut act: impl FnMut() -> io::Result<T>,
) -> io::Result<T> {
    let (mut pause, mut left) = (FIRST, LONGEST);
    loop {
        match act() {
            Err(error) if is_held(&error) && !left.is_zero() => {
                let now = pause.min(left);
                wait(now);
                (pause, left) = (pause * 2, left - now);
            }
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tries(mut held: u32) -> (bool, Vec<u64>) {
        let mut waits = Vec::new();
        let done = repeat(
            |error| error.raw_os_error() == Some(32),
            |pause| waits.push(pause.as_millis() as u64),
            || {
                if held == 0 {
                    return Ok(());
                }
                held -= 1;
                Err(io::Error::from_raw_os_error(32))
            },
        );
        (done.is_ok(), waits)
    }

    #[test]
    fn what_is_held_is_tried_again_for_two_seconds_and_no_longer() {
        assert_eq!(tries(0), (true, vec![]));
        assert_eq!(tries(3), (true, vec![10, 20, 40]));
        let (done, waits) = tries(u32::MAX);
        assert!(!done);
        assert_eq!(waits.iter().sum::<u64>(), 2_000);
    }

    #[test]
    fn any_other_error_is_reported_at_once() {
        let mut tried = 0;
        let act = || {
            tried += 1;
            Err::<(), _>(io::Error::from_raw_os_error(2))
        };
        let wait = |_| panic!("nothing to wait for");
        assert!(repeat(|error| error.raw_os_error() == Some(32), wait, act).is_err());
        assert_eq!(tried, 1);
    }
}
