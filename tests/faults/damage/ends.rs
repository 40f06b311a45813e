//! A restoration that is cut short, or cannot finish.

use tests::newest_record;

use super::*;

#[tokio::test]
async fn a_restoration_that_ends_anywhere_goes_on_at_the_next_start_and_is_told_once() {
    let image = image().await;
    let old = image.folder.path().join("journal.backups");
    let old = fs::read(backups(files(&old)).remove(0)).expect("a backup");
    for point in ["Begun", "Ready", "Aside"] {
        for damage in ["broken", "old"] {
            let folder = image.copied();
            match damage {
                "broken" => letters(folder.path()),
                _ => {
                    fs::write(folder.path().join("journal.db"), &old).expect("a file");
                    fs::remove_file(folder.path().join("journal.db-wal")).expect("a file");
                }
            }
            let what = format!("{damage}, killed at {point}");
            kill_at(point, folder.path());
            assert!(image.judge(folder.path(), &what), "{what}");
            let told = Operations::open(&folder.path().join("journal.db"), at_once(0), Arc::new(wall));
            let told = told.expect("a journal").history().restorations().expect("a journal");
            assert_eq!(told.len(), 1, "{what}: {told:?}");
            assert!(told[0].complete, "{what}: {told:?}");
        }
    }
}

#[tokio::test]
async fn what_is_damaged_between_a_restoration_and_its_end_is_told_as_well() {
    let image = image().await;
    let folder = image.copied();
    letters(folder.path());
    kill_at("Ready", folder.path());
    fs::write(newest_record(&folder.path().join("journal.db")), b"a letter").expect("a file");
    let operations = Operations::open(&folder.path().join("journal.db"), at_once(0), Arc::new(wall));
    let told = truth::completeness(&operations.expect("a journal"));
    assert_eq!(told.last(), Some(&false), "{told:?}");
}

/// Losses stay known when the restored journal and its backup break too, although nothing later records them.
#[tokio::test]
async fn a_restoration_that_lacks_something_is_not_called_complete_when_it_breaks_as_well() {
    let image = image().await;
    let first_day = Image::of_one_order().await;
    for (image, record, backup) in [(&image, "000002.sends", 2), (&first_day, "000001.sends", 1)] {
        let folder = image.copied();
        let beside = folder.path().join("journal.backups");
        fs::remove_file(beside.join(record)).expect("a record");
        let start =
            || Operations::open(&folder.path().join("journal.db"), at_once(0), Arc::new(wall)).expect("a journal");
        letters(folder.path());
        assert_eq!(truth::completeness(&start()), [false], "{record} is lost");
        letters(folder.path());
        let backups = backups(files(&beside));
        assert_eq!(backups.len(), backup + 1, "the restored one is the newest");
        fs::write(backups.last().expect("a backup"), b"a letter").expect("a file");
        assert_eq!(truth::completeness(&start()), [false], "{record} is lost for ever");
    }
}

/// Starts the core on a journal and kills it at this point.
fn kill_at(point: &str, folder: &Path) {
    let asked = folder.join("kill-at");
    fs::write(&asked, point).expect("a file");
    let mut core = std::process::Command::new(env!("CARGO_BIN_EXE_teller"));
    core.arg(folder.join("journal.db")).args(["http://127.0.0.1:9", "0"]);
    let killed = core.env("PROXYTILL_KILL_AT", &asked).status().expect("the core starts");
    // A panic ends it too, but later and in order.
    assert!(!killed.success() && killed.code() != Some(101) && !asked.exists(), "killed at {point}: {killed}");
}

#[tokio::test]
async fn a_restoration_that_cannot_end_goes_on_at_the_next_start_and_is_told_once() {
    let image = image().await;
    let folder = image.copied();
    letters(folder.path());
    let in_the_way = folder.path().join("damaged");
    fs::write(&in_the_way, b"a file").expect("a file");
    let start =
        |at: i64| Operations::open(&folder.path().join("journal.db"), at_once(0), Arc::new(move || wall() + at));
    for at in 0..4 {
        assert!(start(at).is_err(), "the damaged files cannot go aside");
    }
    assert_eq!(backups(files(&folder.path().join("journal.backups"))).len(), 3, "one more, not one at every start");
    fs::remove_file(in_the_way).expect("a file");
    let told = start(9).expect("a journal").history().restorations().expect("a journal");
    let [told] = told.as_slice() else { panic!("one restoration: {told:?}") };
    assert!(Path::new(told.aside.as_ref().expect("a folder")).join("journal.db").exists(), "{told:?}");
    assert!(image.judge(folder.path(), "in the end"));
}
