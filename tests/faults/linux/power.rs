//! T4: a power cut at any moment. The possible disks are made from the writes of the core that strace saw.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use dice::Dice;
use operations::{Kind, Operations};
use tests::order::at_once;
use tests::trace::{CALLS, Disk, Step, is_memory, steps};
use tests::{number, service, truth, wall};
use tokio::io::{AsyncBufReadExt, BufReader};

/// Images per test run; `cargo xtask prove` makes more.
const IMAGES: u64 = 400;
/// Number of writes that are reported before the end.
const TOLD: usize = 60;

/// Returns the core's file operations, from its first file on.
async fn written(folder: &Path) -> Vec<Step> {
    let service = service::start().await;
    let log = folder.join("strace");
    let mut traced = tokio::process::Command::new("strace");
    traced.args(["-f", "-y", "-xx", "-s", "70000", "--seccomp-bpf", "-e", CALLS, "-o"]).arg(&log);
    traced.arg(env!("CARGO_BIN_EXE_teller")).arg(folder.join("journal.db")).args([&service.base_url(), "0"]);
    let mut traced = traced.stdout(Stdio::piped()).process_group(0).spawn().expect("strace");
    let mut told = BufReader::new(traced.stdout.take().expect("stdout is piped")).lines();
    for _ in 0..TOLD {
        let line = tokio::time::timeout(tests::PATIENCE, told.next_line()).await.expect("it goes on telling");
        line.expect("lines").expect("strace may look at its child");
    }
    let group = format!("-{}", traced.id().expect("it runs"));
    let _ = tokio::process::Command::new("kill").args(["-9", "--", &group]).status().await;
    let _ = traced.wait().await;
    steps(&fs::read_to_string(&log).expect("strace writes"))
}

#[tokio::test]
async fn whatever_a_power_cut_leaves_nothing_that_was_told_or_sent_is_lost() {
    let (images, from) = (number("PROXYTILL_IMAGES", IMAGES), number("PROXYTILL_FROM", 0));
    let folder = tempfile::tempdir().expect("a folder");
    let steps = written(folder.path()).await;
    let of_journal = |step: &Step| matches!(step, Step::Write(..) | Step::Sync(_));
    let writes = steps.iter().filter(|step| of_journal(step)).count();
    assert!(writes > 500, "strace saw {writes} writes");
    let folders: HashSet<&Path> = steps.iter().filter_map(Step::folder).collect();
    let is_synced = |step: &Step| matches!(step, Step::Sync(name) if folders.contains(name.as_path()));
    assert!(steps.iter().any(is_synced), "strace saw folders and their syncs: {folders:?}");
    let mut cuts: HashMap<usize, Vec<u64>> = HashMap::new();
    for seed in from..from + images {
        cuts.entry(Dice::of(seed).roll(steps.len() as u64) as usize).or_default().push(seed);
    }
    let (mut disk, mut known, mut compared) = (Disk::default(), Known::default(), 0);
    for (at, step) in steps.iter().enumerate() {
        for seed in cuts.remove(&at).unwrap_or_default() {
            compared += known.compare(folder.path(), &disk, seed);
        }
        disk.pass(step);
        known.pass(step);
    }
    println!(
        "{images} images from seed {from}: {} writes, {} told, {} requests sent; {compared} comparisons",
        writes,
        known.told.len(),
        known.sent.values().sum::<i64>()
    );
    let kinds: HashSet<&str> = known.sent.keys().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds.len(), Kind::ALL.len(), "each write left: {kinds:?}");
    assert!(compared as u64 > images, "something was known when the power went");
}

/// The core's work so far, as known outside.
#[derive(Default)]
struct Known {
    told: HashMap<String, String>,
    /// Number of times a write was sent, by its kind and the mark of its row: the key, or the target.
    sent: BTreeMap<(&'static str, String), i64>,
}

/// Kind and mark of the row that a request belongs to. `None` for a read, or if it is not a request.
fn row_of(request: &str) -> Option<(&'static str, String)> {
    let (line, headers) = request.split_once("\r\n")?;
    let url = reqwest::Url::parse(&format!("http://vendor{}", line.split(' ').nth(1)?)).ok()?;
    let value = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let key = || headers.lines().find_map(|line| line.strip_prefix("x-idempotency-key: ")).map(str::to_owned);
    let (kind, of) = match url.path().rsplit('/').next()? {
        "place-and-pay" if url.path().contains("/renewals/") => (Kind::Renew, key()),
        "place-and-pay" => (Kind::PlaceAndPay, key()),
        "rechargeTrafficCount" => (Kind::Recharge, value("orderId")),
        "deductionFlow" => (Kind::Deduction, value("customerId")),
        "addUser" => (Kind::Create, value("userName")),
        "updatePwd" => (Kind::Password, value("customerId")),
        "changeStatus" => (Kind::Status, value("customerId")),
        _ => return None,
    };
    Some((kind.word(), of?))
}

impl Known {
    fn pass(&mut self, step: &Step) {
        match step {
            Step::Told(text) => self.told.extend(
                text.lines()
                    .filter_map(|line| line.split_once(' '))
                    .map(|(id, state)| (id.to_owned(), state.to_owned())),
            ),
            Step::Sent(bytes) => {
                if let Some(row) = row_of(&String::from_utf8_lossy(bytes)) {
                    *self.sent.entry(row).or_default() += 1;
                }
            }
            _ => {}
        }
    }

    /// Starts on what a power cut left. Returns how much was compared.
    fn compare(&self, written: &Path, disk: &Disk, seed: u64) -> usize {
        let left = tests::folder_in_memory();
        for (file, bytes) in disk.cut_power(&mut Dice::of(seed)) {
            let Some(name) =
                file.strip_prefix(written).ok().filter(|name| !is_memory(name) && *name != Path::new("strace"))
            else {
                continue;
            };
            let file = left.path().join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, bytes).expect("a file");
        }
        let journal = left.path().join("journal.db");
        let opened = Operations::open(&journal, at_once(0), Arc::new(wall));
        let operations = opened.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(
            operations.history().restorations().expect("a journal"),
            [],
            "seed {seed}: nothing is damaged by a power cut"
        );
        let told = self.told.iter().map(|(id, state)| (id.as_str(), state.as_str()));
        truth::ensure_kept(&format!("seed {seed}"), &operations, told);
        let db = rusqlite::Connection::open(&journal).expect("SQLite");
        for ((kind, of), times) in &self.sent {
            let query = "SELECT count(*) FROM operation WHERE kind = ?1 AND ?2 IN (key, target, substr(target, 6))
                AND state NOT IN ('prepared', 'not-sent')";
            let rows: i64 = db.query_row(query, [kind, of.as_str()], |row| row.get(0)).expect("SQLite");
            // A deduction is sent once; anything else may be resent for the same row.
            let wanted = if *kind == Kind::Deduction.word() { *times } else { 1 };
            assert!(rows >= wanted, "seed {seed}: {kind} of {of} left {times} times, {rows} rows know of it");
        }
        self.told.len() + self.sent.len()
    }
}
