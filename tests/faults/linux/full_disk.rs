//! T20: a disk that is full, and one that cannot be written to. Each is a file system of its own.

use std::path::Path;
use std::process::{Command, Output};

use sandbox::Service;
use tests::truth::Done;
use tests::{files, service, teller, truth};

/// Runs the core on a disk of this many KiB, after the shell command `prepare`. Its files end up in `left`.
fn on_a_disk(kib: u32, service: &Service, prepare: &str, left: &Path) -> Output {
    let script = format!(
        "mount -t tmpfs -o size={kib}k none \"$1\" && cd \"$1\" && {{ {prepare}; }} && {{ \"$2\" \"$1/journal.db\" \"$3\" 0; \
         echo \"ended with $?\"; cp -r \"$1/.\" \"$4/\"; }}"
    );
    let disk = tempfile::tempdir().expect("a folder");
    let mut own = Command::new("unshare");
    own.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"]).arg(disk.path());
    own.arg(env!("CARGO_BIN_EXE_teller")).arg(service.base_url()).arg(left);
    own.env("RUST_BACKTRACE", "0").output().expect("a file system of its own")
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_nothing_leaves_that_is_not_written_down() {
    let sizes = [420, 500, 700, 1024, 1500, 3000];
    let mut told = 0;
    for kib in sizes {
        let service = service::start().await;
        let left = tempfile::tempdir().expect("a folder");
        let ended = on_a_disk(kib, &service, "true", left.path());
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert!(said.contains("ended with"), "{kib} KiB: {said}{}", String::from_utf8_lossy(&ended.stderr));
        let lines: Vec<&str> = said.lines().filter(|line| !line.starts_with("ended")).collect();
        told += lines.len();
        // There is space again.
        let operations = teller::open(&left.path().join("journal.db"), &service.base_url());
        assert_eq!(operations.history().restorations().expect("a journal"), [], "{kib} KiB: a full disk is no damage");
        let all = truth::settled(&operations).await;
        let when = format!("{kib} KiB");
        truth::ensure_kept(&when, &operations, lines.iter().filter_map(|line| line.split_once(' ')));
        truth::compare(&when, &Done::by(&service), &all);
    }
    assert!(told > sizes.len(), "some of it was written before the disk was full: {told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_cannot_be_written_stops_everything_before_a_byte_leaves() {
    let service = service::start().await;
    let left = tempfile::tempdir().expect("a folder");
    let ended = on_a_disk(3000, &service, "mount -o remount,ro \"$1\"", left.path());
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(said.contains("unable to open database file") || said.contains("Read-only"), "{said}");
    assert!(service::requests(&service, "") == 0);
    assert_eq!(files(left.path()), Vec::<std::path::PathBuf>::new());
}
