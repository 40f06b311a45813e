//! T20: files that are damaged, torn or missing. The program notices every change that matters.

mod ends;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dice::Dice;
use operations::{BulkRowView, BulkView, Direction, OperationView, Operations, RowsWanted, State};
use sandbox::Fault;
use tempfile::TempDir;
use tests::order::{Buyer, at_once};
use tests::service::client;
use tests::{files, folder_in_memory, number, truth, wall};

/// Damages per test run; `cargo xtask prove` makes more.
const DAMAGES: u64 = 1_000;
const DAY: Duration = Duration::from_secs(25 * 60 * 60);

/// Files of an open journal, and its content.
struct Image {
    folder: TempDir,
    operations: Vec<OperationView>,
    rest: String,
}

/// Writes on two days, so that a backup lies between them; the newest are only in the log.
async fn image() -> Image {
    let mut buyer = Buyer::new(0).await;
    buyer.buy().await;
    buyer.move_traffic(Direction::Recharge, "2", None).await;
    buyer.decided().await;
    buyer.restart_later(DAY);
    buyer.move_traffic(Direction::Deduction, "1", None).await;
    buyer.decided().await;
    let plan = buyer.planned_moves(Direction::Recharge, "0.5", 4).await;
    let bulk = buyer.start_bulk(plan).await;
    buyer.see_bulk_ended(&bulk.id).await;
    let placed = buyer.operations.orders().all().expect("a journal")[0].order_no.clone();
    let detail = client(&buyer.service).call(client::orders::detail(&placed)).await.expect("the order").data;
    buyer.operations.orders().remember(&detail).expect("a journal");
    buyer.fault(Fault::DropAfter);
    buyer.buy().await;
    buyer.see(State::NeedsYou).await;
    let folder = tempfile::tempdir().expect("a folder");
    copy(buyer.journal().parent().expect("a folder"), folder.path());
    Image { folder, operations: buyer.operations.history().list().expect("a journal"), rest: rest(&buyer.operations) }
}

/// The same after a clean end: everything is in the database, nothing in its log.
fn closed(image: &Image) -> Image {
    let folder = image.copied();
    let journal = rusqlite::Connection::open(folder.path().join("journal.db")).expect("SQLite");
    journal.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("SQLite");
    journal.close().expect("it is closed");
    Image { folder, operations: image.operations.clone(), rest: image.rest.clone() }
}

/// The same, restored once and marked as read.
fn restored(image: &Image) -> Image {
    let folder = image.copied();
    letters(folder.path());
    let clock = Arc::new(|| wall() + DAY.as_millis() as i64);
    let restored = Operations::open(&folder.path().join("journal.db"), at_once(0), clock).expect("a journal");
    restored.history().mark_restorations_seen().expect("a journal");
    let (operations, rest) = (restored.history().list().expect("a journal"), rest(&restored));
    Image { folder, operations, rest }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (from, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("an entry");
        if from.is_dir() {
            copy(&from, &to.join(name));
        } else if !name.to_string_lossy().ends_with("-shm") {
            fs::copy(&from, to.join(name)).expect("a copy");
        }
    }
}

impl Image {
    /// A first day with one order.
    async fn of_one_order() -> Self {
        let buyer = Buyer::new(0).await;
        buyer.buy().await;
        let folder = tempfile::tempdir().expect("a folder");
        copy(buyer.journal().parent().expect("a folder"), folder.path());
        Self {
            folder,
            operations: buyer.operations.history().list().expect("a journal"),
            rest: rest(&buyer.operations),
        }
    }

    fn copied(&self) -> TempDir {
        let folder = folder_in_memory();
        copy(self.folder.path(), folder.path());
        folder
    }

    /// Checks what a start on damaged files shows. Returns whether it noticed the damage.
    fn judge(&self, folder: &Path, what: &str) -> bool {
        let clock = Arc::new(|| wall() + DAY.as_millis() as i64);
        let opened = Operations::open(&folder.join("journal.db"), at_once(0), clock);
        let operations = opened.unwrap_or_else(|error| panic!("{what}: {error}"));
        let found = operations.history().list().unwrap_or_else(|error| panic!("{what}: {error}"));
        let told = operations.history().restorations().expect("a journal");
        let found: HashMap<_, _> = found.into_iter().map(|one| (one.id.clone(), one)).collect();
        for expected in &self.operations {
            let Some(one) = found.get(&expected.id) else {
                panic!("{what}: {} is lost; told {told:?}", expected.kind.word());
            };
            let same = facts(one) == facts(expected);
            // Every operation was sent: it is either unchanged, or its outcome is being checked again.
            let open = matches!(one.state, State::Verifying | State::Unknown | State::NeedsYou);
            assert!(same || open, "{what}: {:?} became {:?}", facts(expected), facts(one));
            assert_eq!(money(one), money(expected), "{what}");
        }
        let again =
            Operations::open(&folder.join("journal.db"), at_once(0), Arc::new(|| wall() + DAY.as_millis() as i64));
        let again = again.unwrap_or_else(|error| panic!("{what}, the second start: {error}"));
        assert_eq!(again.history().restorations().expect("a journal"), told, "{what}: the second start");
        for one in again.history().list().expect("a journal") {
            assert_eq!(facts(&one), facts(&found[&one.id]), "{what}: the second start");
        }
        if told.is_empty() {
            assert_eq!(rest(&operations), self.rest, "{what}: nothing was told");
        }
        !told.is_empty()
    }
}

/// Facts that must not change unnoticed: everything a person sees of an operation's state.
fn facts(one: &OperationView) -> String {
    format!("{:?} {:?} {:?} {:?} {:?}", one.state, one.reason, one.in_doubt, one.order, one.refusal)
}

/// Facts that must not change at all.
fn money(one: &OperationView) -> String {
    format!("{:?} {} {} {:?} {:?}", one.kind, one.target, one.amount, one.moved, one.purchase)
}

/// Everything else in the journal about money and traffic.
fn rest(operations: &Operations) -> String {
    let bulks = operations.bulks().all().expect("a journal");
    let of_bulk = |bulk: &BulkView| {
        let rows = operations.bulks().rows(&bulk.id, RowsWanted::default(), 0, 99).expect("a journal");
        let row = |row: BulkRowView| format!("{} {} {:?} {:?}", row.number, row.state.word(), row.operation, row.gb);
        format!(
            "{:?} {:?} {:?} {:?}",
            bulk.kind,
            bulk.state,
            bulk.counts,
            rows.into_iter().map(row).collect::<Vec<_>>()
        )
    };
    let orders = operations.orders().all().expect("a journal");
    let orders: Vec<_> = orders.iter().map(|order| (&order.order_no, &order.amount, &order.delivered)).collect();
    let learned = operations.lessons().learned().expect("a journal");
    format!("{:#?} {orders:#?} {learned:#?}", bulks.iter().map(of_bulk).collect::<Vec<_>>())
}

/// Damages the journal, but not the files next to it.
fn letters(folder: &Path) {
    tests::letters(folder, &["journal.db"]);
}

fn backups(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    files.retain(|file| file.extension().is_some_and(|end| end == "db"));
    files
}

/// Damages one file once.
fn damage(file: &Path, dice: &mut Dice) -> String {
    let mut bytes = fs::read(file).expect("a file");
    let at = dice.roll(bytes.len() as u64) as usize;
    let what = match dice.roll(8) {
        0 => {
            bytes.truncate(at);
            "cut"
        }
        1 => {
            let end = (at + 512).min(bytes.len());
            bytes[at..end].fill(0);
            "512 zeros"
        }
        _ => {
            bytes[at] ^= 1 << dice.roll(8);
            "a flipped bit"
        }
    };
    fs::write(file, bytes).expect("a file");
    format!("{what} at {at} of {}", file.file_name().unwrap_or_default().to_string_lossy())
}

#[tokio::test]
async fn damage_to_any_one_file_is_found_or_harmless() {
    let (all, from) = (number("PROXYTILL_DAMAGES", DAMAGES), number("PROXYTILL_FROM", 0));
    let open = image().await;
    let images = [closed(&open), restored(&open), open];
    let (mut noticed, mut by_file) = (0, HashMap::<String, [u64; 2]>::new());
    for seed in from..from + all {
        let image = &images[seed as usize % 3];
        let folder = image.copied();
        let mut dice = Dice::of(seed);
        let files = files(folder.path());
        let of_journal = |file: &PathBuf| file.file_stem().is_some_and(|name| name == "journal");
        let (journal, beside): (Vec<_>, Vec<_>) = files.into_iter().partition(of_journal);
        let any = |files: &[PathBuf], dice: &mut Dice| files[dice.roll(files.len() as u64) as usize].clone();
        let file = any(if dice.roll(4) > 0 { &journal } else { &beside }, &mut dice);
        let mut what = damage(&file, &mut dice);
        // Its newest backup may be damaged too.
        if dice.roll(4) == 0 {
            what = format!("{what}, {}", damage(&any(&backups(beside), &mut dice), &mut dice));
        }
        let told = image.judge(folder.path(), &format!("seed {seed}: {what}"));
        noticed += u64::from(told);
        let kind = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        by_file.entry(kind).or_default()[usize::from(told)] += 1;
    }
    assert!(by_file["journal.db"][1] > 0 && by_file["journal.db-wal"][1] > 0, "{by_file:?}");
    for (kind, [harmless, told]) in by_file {
        println!("{kind}: {harmless} harmless, {told} told");
    }
    println!("{all} damages from seed {from}: {noticed} told to the person");
    assert!(noticed > all / 10, "the damage was real: {noticed}");
}

#[tokio::test]
async fn whatever_file_is_gone_no_send_is_forgotten() {
    let image = image().await;
    let names: Vec<PathBuf> = files(image.folder.path())
        .iter()
        .map(|file| file.strip_prefix(image.folder.path()).expect("inside").into())
        .collect();
    assert!(names.iter().any(|name| name.ends_with("journal.db-wal")), "{names:?}");
    for (name, how) in names.iter().flat_map(|name| ["gone", "empty", "unreadable"].map(|how| (name, how))) {
        let folder = image.copied();
        let file = folder.path().join(name);
        let is_journal = name.to_string_lossy().starts_with("journal.db");
        fs::remove_file(&file).expect("a file");
        match how {
            "empty" => fs::write(file, b"").expect("a file"),
            // Only the journal itself has to be readable.
            "unreadable" if is_journal => continue,
            "unreadable" => fs::create_dir(file).expect("a folder"),
            _ => {}
        }
        let what = format!("{} is {how}", name.display());
        // Without the newest record, nothing shows whether the journal's end is missing.
        let is_told = is_journal || name.ends_with("000002.sends");
        assert_eq!(image.judge(folder.path(), &what), is_told, "{what}");
        // The next start repairs the files next to it, so the journal may break now.
        letters(folder.path());
        assert!(image.judge(folder.path(), &format!("{what}, then the journal breaks")));
    }
}

#[tokio::test]
async fn each_bit_of_the_head_of_the_file_may_flip_and_the_program_starts() {
    let image = closed(&image().await);
    let sound = fs::read(image.folder.path().join("journal.db")).expect("a file");
    for bit in 0..800 {
        let folder = image.copied();
        let mut bytes = sound.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(folder.path().join("journal.db"), bytes).expect("a file");
        image.judge(folder.path(), &format!("bit {bit}"));
    }
}

#[tokio::test]
async fn a_journal_that_is_damaged_while_its_newest_backup_is_gone_forgets_no_send() {
    let image = image().await;
    let backups = |folder: &Path| backups(files(&folder.join("journal.backups")));
    for gone in 0..backups(image.folder.path()).len() {
        let folder = image.copied();
        fs::remove_file(&backups(folder.path())[gone]).expect("a file");
        letters(folder.path());
        assert!(image.judge(folder.path(), &format!("without backup {gone}")));
    }
}

#[tokio::test]
async fn nobody_is_told_that_all_is_known_while_a_record_is_missing() {
    let image = image().await;
    let [first, second] = ["000001.sends", "000002.sends"];
    let cases = [
        (None, false, true),
        (Some(second), false, false),
        (Some(first), false, true),
        // The older backup is restored, which needs its own record.
        (None, true, true),
        (Some(first), true, false),
    ];
    for (gone, is_newest_damaged, complete) in cases {
        let folder = image.copied();
        let beside = folder.path().join("journal.backups");
        if let Some(name) = gone {
            fs::remove_file(beside.join(name)).expect("a record");
        }
        if is_newest_damaged {
            fs::write(backups(files(&beside)).pop().expect("a backup"), b"a letter").expect("a file");
        }
        letters(folder.path());
        let operations = Operations::open(&folder.path().join("journal.db"), at_once(0), Arc::new(wall));
        let told = truth::completeness(&operations.expect("a journal"));
        assert_eq!(told, [complete], "{gone:?} {is_newest_damaged}");
    }
}

#[tokio::test]
async fn a_record_that_was_lost_once_is_not_called_complete_when_it_goes_on() {
    let image = image().await;
    let folder = image.copied();
    let beside = folder.path().join("journal.backups");
    fs::remove_file(beside.join("000002.sends")).expect("a record");
    let start = || Operations::open(&folder.path().join("journal.db"), at_once(0), Arc::new(wall)).expect("a journal");
    assert_eq!(truth::completeness(&start()), [false], "the end of the journal may be lost as well");
    letters(folder.path());
    fs::write(backups(files(&beside)).pop().expect("a backup"), b"a letter").expect("a file");
    assert_eq!(truth::completeness(&start()), [false], "as it was on the second day");
}

#[tokio::test]
async fn the_end_of_a_journal_and_its_record_are_not_lost_together_without_a_word() {
    let image = image().await;
    for how in ["gone", "older"] {
        let folder = image.copied();
        let beside = folder.path().join("journal.backups");
        fs::remove_file(beside.join("000002.sends")).expect("a record");
        fs::remove_file(folder.path().join("journal.db-wal")).expect("a file");
        if how == "older" {
            fs::copy(backups(files(&beside)).remove(0), folder.path().join("journal.db")).expect("a file");
        }
        let operations = Operations::open(&folder.path().join("journal.db"), at_once(0), Arc::new(wall));
        assert_eq!(truth::completeness(&operations.expect("a journal")), [false], "{how}");
    }
}

#[tokio::test]
async fn a_damaged_journal_goes_aside_and_its_newest_backup_takes_its_place() {
    let image = image().await;
    let folder = image.copied();
    let file = folder.path().join("journal.db");
    letters(folder.path());
    assert!(image.judge(folder.path(), "a letter"));
    let operations = Operations::open(&file, at_once(0), Arc::new(wall)).expect("a journal");
    let told = operations.history().restorations().expect("a journal");
    let [told] = told.as_slice() else { panic!("one restoration: {told:?}") };
    assert!(told.backup.is_some() && told.complete, "{told:?}");
    assert_eq!(told.sends, image.operations.len() - 2, "everything behind the backup");
    let aside = PathBuf::from(told.aside.as_ref().expect("a folder"));
    assert_eq!(fs::read(aside.join("journal.db")).expect("the damaged file"), b"a letter");
    operations.history().mark_restorations_seen().expect("a journal");
    assert_eq!(operations.history().restorations().expect("a journal"), []);
}
