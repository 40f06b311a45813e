//! What customers keep secret, and a real keychain that takes it or does not.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use sandbox::{Fault, Service};
use tests::desk::{Desk, Keychain};
use tests::service::{always, fault, start};
use tests::{built, until};

/// The headless core at a desk.
struct Saver {
    child: Child,
    wishes: ChildStdin,
    told: Lines<BufReader<ChildStdout>>,
}

impl Saver {
    fn start(desk: &Desk, folder: &Path, service: &Service) -> Self {
        Self::start_with(desk, folder, service, &[])
    }

    fn start_with(desk: &Desk, folder: &Path, service: &Service, words: &[&str]) -> Self {
        let mut saver = desk.command(built("saver"));
        saver.arg(folder.join("journal.db")).arg(service.base_url()).args(words);
        let mut child = saver.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let wishes = child.stdin.take().expect("stdin is piped");
        let told = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        Self { child, wishes, told }
    }

    fn ask(&mut self, wish: &str) -> String {
        writeln!(self.wishes, "{wish}").expect("it listens");
        self.told.next().expect("it goes on telling").expect("a line")
    }

    /// Ends it without warning.
    fn end(mut self) {
        self.child.kill().expect("it ends");
        self.child.wait().expect("it ended");
    }
}

const UNSAVED: &str = "needs-you unsaved-secret";
const NOT_POSSIBLE: &str = "not possible in this state";
const LOCKED: &str = "a secret can not be saved: the keychain is locked";

#[tokio::test(flavor = "multi_thread")]
async fn secrets_that_the_keychain_does_not_take_are_a_question_until_they_are_saved() {
    let (service, folder) = (start().await, tempfile::tempdir().expect("a folder"));
    let mut desk = Desk::without_display(Keychain::Unlocked);
    let mut saver = Saver::start(&desk, folder.path(), &service);
    assert_eq!(saver.ask("create one@x.com"), "applied -");
    assert_eq!(desk.keychain_entries(), 2, "a token and a password");
    desk.lock_keychain();
    assert_eq!(saver.ask("create two@x.com"), UNSAVED);
    assert_eq!(saver.ask("save"), LOCKED);
    assert_eq!(saver.ask("see"), UNSAVED, "it is still held");
    desk.unlock_keychain();
    assert_eq!(saver.ask("save"), "applied -");
    assert_eq!(saver.ask("events"), "secrets-saved applied");
    assert_eq!(desk.keychain_entries(), 4);
    desk.lock_keychain();
    assert_eq!(saver.ask("create three@x.com"), UNSAVED);
    saver.end();
    desk.unlock_keychain();
    let mut saver = Saver::start(&desk, folder.path(), &service);
    assert_eq!(saver.ask("see"), "needs-you lost-secret", "they were in memory alone");
    assert_eq!(saver.ask("save"), NOT_POSSIBLE);
    assert_eq!(desk.keychain_entries(), 4);
    saver.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_that_are_gone_are_never_called_saved() {
    let (service, folder) = (start().await, tempfile::tempdir().expect("a folder"));
    let desk = Desk::without_display(Keychain::Locked);
    let mut saver = Saver::start(&desk, folder.path(), &service);
    assert_eq!(saver.ask("create one@x.com"), UNSAVED);
    assert_eq!(saver.ask("forget"), UNSAVED);
    assert_eq!(saver.ask("save"), NOT_POSSIBLE);
    saver.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_cut_answer_left_in_memory_alone_is_a_question_until_it_is_saved() {
    let (service, folder) = (start().await, tempfile::tempdir().expect("a folder"));
    // Code, message and the token are in the first part; the password is not.
    fault(&service, "addUser", Fault::Cut { at: 110 });
    let mut desk = Desk::without_display(Keychain::Locked);
    let mut saver = Saver::start(&desk, folder.path(), &service);
    assert_eq!(saver.ask("create one@x.com"), "unknown -");
    until("it is found in the list", async || (saver.ask("see") == UNSAVED).then_some(())).await;
    assert_eq!(saver.ask("save"), LOCKED);
    desk.unlock_keychain();
    assert_eq!(saver.ask("save"), "applied -");
    assert_eq!(desk.keychain_entries(), 1, "the token, under its customer's name");
    saver.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_takes_nothing_pauses_a_bulk_before_more_is_lost() {
    let (service, folder) = (start().await, tempfile::tempdir().expect("a folder"));
    let desk = Desk::without_display(Keychain::Locked);
    let mut saver = Saver::start(&desk, folder.path(), &service);
    assert_eq!(saver.ask("passwords 3"), LOCKED, "nothing is committed");
    assert_eq!(saver.ask("generated 40"), "Paused keychain, the last waiting -");
    assert!(service.world.ledger().expect("a ledger").accounts.is_empty(), "saved first, or not sent");
    assert_eq!(saver.ask("creations 40"), "Paused keychain, the last waiting -");
    let made = service.world.ledger().expect("a ledger").accounts.len();
    assert!((1..=8).contains(&made), "those that were under way: {made}");
    saver.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_was_replaced_leaves_the_keychain() {
    let (service, folder) = (start().await, tempfile::tempdir().expect("a folder"));
    let desk = Desk::without_display(Keychain::Unlocked);
    let mut saver = Saver::start(&desk, folder.path(), &service);
    for secret in ["first-1-ONE", "second-2-TWO"] {
        assert_eq!(saver.ask(&format!("password {secret}")), "applied -");
        assert_eq!(desk.keychain_entries(), 1);
    }
    saver.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typed_password_that_is_gone_when_its_turn_comes_is_left_out_and_no_other_takes_its_place() {
    let (service, folder) = (start().await, tempfile::tempdir().expect("a folder"));
    always(&service, "updatePwd", Fault::Delay { ms: 100 });
    let desk = Desk::without_display(Keychain::Unlocked);
    let mut saver = Saver::start(&desk, folder.path(), &service);
    assert_eq!(saver.ask("gone 30"), "Finished -, the last skipped secret-gone");
    assert_eq!(service.world.ledger().expect("a ledger").accounts.len(), 29);
    saver.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_keeps_its_old_name_until_it_is_saved_under_its_new_one() {
    let (service, folder) = (start().await, tempfile::tempdir().expect("a folder"));
    let mut desk = Desk::without_display(Keychain::Locked);
    let mut saver = Saver::start(&desk, folder.path(), &service);
    assert_eq!(saver.ask("adopt"), "under its old name, under its new one");
    desk.unlock_keychain();
    assert_eq!(saver.ask("adopt"), "under its new one");
    assert_eq!(desk.keychain_entries(), 1);
    saver.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn in_practice_a_keychain_that_takes_nothing_is_no_reason_to_ask() {
    let (service, folder) = (start().await, tempfile::tempdir().expect("a folder"));
    let desk = Desk::without_display(Keychain::Locked);
    let mut saver = Saver::start_with(&desk, folder.path(), &service, &["practice"]);
    assert_eq!(saver.ask("create one@x.com"), "applied -");
    for secret in ["first-1-ONE", "second-2-TWO"] {
        assert_eq!(saver.ask(&format!("password {secret}")), "applied -", "the old one stays where it is");
    }
    saver.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_dies_pauses_its_bulk_and_nothing_more_is_sent() {
    let (service, folder) = (start().await, tempfile::tempdir().expect("a folder"));
    let desk = Desk::without_display(Keychain::Unlocked);
    desk.panic_at("Turned", "in the middle");
    let mut saver = Saver::start(&desk, folder.path(), &service);
    assert_eq!(saver.ask("generated 40"), "Paused journal, the last waiting -");
    assert_eq!(saver.ask("create one@x.com"), "the journal stopped; nothing more is sent");
    let set = service.world.ledger().expect("a ledger").accounts.len();
    assert!(set < 8, "those that were under way, but one: {set}");
    saver.end();
}
