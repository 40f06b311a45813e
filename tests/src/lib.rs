//! The shared set-up of all tests: the practice service, a desk (display, session bus, keychain, home, driver), and the
//! real window.

pub mod accounts;
pub mod agent;
pub mod bulk;
pub mod caller;
pub mod canary;
pub mod desk;
pub mod dialog;
#[cfg(target_os = "linux")]
pub mod display;
pub mod foreign;
pub mod host;
pub mod hung_page;
pub mod journal;
pub mod keychain;
pub mod listener;
pub mod memory;
pub mod option_shapes;
pub mod order;
pub mod portal;
pub mod proxy;
pub mod purchase;
pub mod release;
pub mod service;
pub mod shopper;
pub mod sold_proxy;
pub mod steps;
pub mod teller;
pub mod tls;
pub mod trace;
pub mod traffic_move;
pub mod truth;
pub mod update_server;
pub mod window;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time after which a condition that is still false fails its test.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Waits until `look` finds something. Panics with `what` if it never does.
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Option<T>) -> T {
    within(look).await.unwrap_or_else(|| panic!("never happened: {what}"))
}

/// Waits until `look` finds something, for a limited time. On a busy computer one call may take all of it, so there
/// are always at least two.
pub async fn within<T>(mut look: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    let (end, mut looks) = (Instant::now() + PATIENCE, 0);
    while Instant::now() < end || looks < 2 {
        if let Some(found) = look().await {
            return Some(found);
        }
        looks += 1;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    None
}

/// Waits like [`until`], but longer: for conditions that may take minutes on a busy computer.
pub async fn until_at_last<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..4 {
        if let Some(found) = within(&mut look).await {
            return found;
        }
    }
    panic!("never happened: {what}")
}

/// Plays stories, `at_once` at a time: most of their time they wait.
pub async fn side_by_side<F: Future<Output = ()> + 'static>(at_once: usize, stories: impl Iterator<Item = F>) {
    let all = async {
        let mut running = tokio::task::JoinSet::new();
        for story in stories {
            if running.len() >= at_once {
                running.join_next().await.expect("one runs").expect("a story holds");
            }
            running.spawn_local(story);
        }
        while let Some(ended) = running.join_next().await {
            ended.expect("a story holds");
        }
    };
    tokio::task::LocalSet::new().run_until(all).await;
}

/// Makes a folder, in memory if possible: for files that are written often and need not be durable.
pub fn folder_in_memory() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.expect("a folder")
}

/// Returns the path of a binary that `cargo xtask build` left in this program's folder or, for a test, the one above.
pub fn built(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a program has a path");
    let found = own.ancestors().skip(1).take(2).map(|folder| folder.join(name)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{name} is missing: run `cargo xtask build`"))
}

/// Returns every file below a folder, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut all: Vec<PathBuf> =
        paths.flat_map(|path| if path.is_dir() && !path.is_symlink() { files(&path) } else { vec![path] }).collect();
    all.sort();
    all
}

/// Returns the newest record of sends next to a journal.
pub fn newest_record(journal: &Path) -> PathBuf {
    let beside = files(&journal.with_extension("backups"));
    beside.into_iter().rfind(|file| file.extension().is_some_and(|end| end == "sends")).expect("a record")
}

/// Overwrites each database with one of these names below a folder, and its log, with the text of a letter.
pub fn letters(folder: &Path, names: &[&str]) {
    let all = files(folder).into_iter();
    let is_one = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        names.iter().any(|wanted| name == *wanted || name == format!("{wanted}-wal"))
    };
    for file in all.filter(is_one) {
        std::fs::write(file, b"a letter").expect("a file");
    }
}

/// Returns the wall clock, in ms since 1970.
pub fn wall() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_millis() as i64
}

/// Returns the number in an environment variable; `usual` if it is not set.
pub fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

/// Returns the project's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the project").to_owned()
}
